# SPDX-License-Identifier: GPL-2.0
# kd --boot --without: how long a boot would take without a function. All boots take 200 ms.
. "$here/boot-log"

# boot: a log of what begins each boot, and standard input.
boot() {
	{
		start | sed -e '/^head Logging stopped/s/10070/200070/' -e 's/8980/198980/'
		cat
	} | log
}

# without FUNC LOG: "calls N", what they took, how much of it is on the path, how long the boot would
# take at least and at most, in microseconds; then the waits of task 1 that are longer.
cat >"$tmp/without" <<'E'
kd --boot --csv --without "$@" >"$tmp/without.csv" || exit
sed '/^# /d' "$tmp/without.csv" | awk -F, '
	$1 == "removed" { print "calls", $12 }
	$1 ~ /^(removed|without)/ { print $1, $3 / 1000 }
	$1 == "longer" { print $1, $2 / 1000, $3 / 1000, $5, $15 }'
E
without() {
	tmp="$tmp" sh "$tmp/without" "$@"
}

# async: a worker on another CPU is at work for 50 ms, or more.
async() {
	cat <<'E'
call 19000 500 1 0 3 first_init
mark 19100 1 0 t wakeup 9 wake_up_process queue_work_on first_init
mark 19150 0 1 t switch 9 kworker/1:0
E
	cat
}

begin 'kd --without: a function burns 50 ms on the path; 11 ms recursively and in an interrupt'
boot <<'E' >"$tmp/burn.log"
call 20000 50000 1 0 3 burn_init
call 80000 10000 1 0 3 again_init
call 81000 5000 1 0 4 again_init
call 100000 1000 1 0 3 again_init 1000 0 0 h
E
run sh -c "
	tmp='$tmp' sh '$tmp/without' burn_init '$tmp/burn.log'
	tmp='$tmp' sh '$tmp/without' again_init '$tmp/burn.log'"
out <<'E'
calls 1
removed 50000
removed_on_path 50000
without_least 150000
without_most 150000
calls 3
removed 11000
removed_on_path 11000
without_least 189000
without_most 189000
E

begin 'kd --without: a function sleeps 50 ms on the path; other tasks use its CPU then'
sleeps() {
	cat <<'E'
call 20000 50000 1 0 3 sleep_init
call 20005 49990 1 0 4 msleep
E
	cat
	cat <<'E'
mark 69980 0 0 s wakeup 1 wake_up_process process_timeout
mark 69990 0 0 t switch 1 swapper/0
E
}
sleeps <<'E' | boot >"$tmp/idle.log"
mark 20010 1 0 t switch 0 swapper/0
E
# Of the 50 ms 30 may be needed for task 30.
sleeps <<'E' | boot >"$tmp/busy.log"
mark 20010 1 0 t switch 30 other
mark 50010 30 0 t switch 0 swapper/0
E
run sh -c "
	tmp='$tmp' sh '$tmp/without' sleep_init '$tmp/idle.log'
	tmp='$tmp' sh '$tmp/without' sleep_init '$tmp/busy.log'"
out <<'E'
calls 1
removed 50000
removed_on_path 50000
without_least 150000
without_most 150000
calls 1
removed 50000
removed_on_path 50000
without_least 150000
without_most 180000
E
err 'note: the gain may be 30.0 ms less: what other tasks did on its CPU while it waited may come before'

begin 'kd --without: a worker beside the path, waited for by nobody, or when it has done'
async <<'E' | boot >"$tmp/alone.log"
call 19160 50240 9 1 1 async_run_entry_fn
call 19200 50000 9 1 2 slow_probe
E
async <<'E' | boot >"$tmp/before.log"
call 19160 50240 9 1 1 async_run_entry_fn
call 19200 50000 9 1 2 slow_probe
call 100000 20 1 0 3 async_synchronize_full
E
run sh -c "
	tmp='$tmp' sh '$tmp/without' slow_probe '$tmp/alone.log'
	tmp='$tmp' sh '$tmp/without' slow_probe '$tmp/before.log'"
out <<'E'
calls 1
removed 50000
removed_on_path 0
without_least 200000
without_most 200000
calls 1
removed 50000
removed_on_path 0
without_least 200000
without_most 200000
E

# Task 1 slept from 30010 to 69310. It would not sleep at all, as the worker is done at 19300.
begin 'kd --without: a worker that task 1 waits for; that wait'
async <<'E' | boot >"$tmp/join.log"
call 19160 50240 9 1 1 async_run_entry_fn
call 19200 50000 9 1 2 slow_probe
call 30000 39400 1 0 3 async_synchronize_full
mark 30010 1 0 t switch 0 swapper/0
mark 69300 9 1 t wakeup 1 wake_up_process async_run_entry_fn
mark 69310 0 0 t switch 1 swapper/0
E
run sh -c "
	tmp='$tmp' sh '$tmp/without' slow_probe '$tmp/join.log'
	tmp='$tmp' sh '$tmp/without' async_synchronize_full '$tmp/join.log'"
out <<'E'
calls 1
removed 50000
removed_on_path 50000
without_least 160700
without_most 160700
calls 1
removed 39400
removed_on_path 100
without_least 160600
without_most 160600
E

# Without the 50 ms task 1 would come to the second call at 30010, where the worker goes on until 60000.
begin 'kd --without: a worker that was done before task 1 asked becomes the path'
async <<'E' | boot >"$tmp/hidden.log"
call 19160 40840 9 1 1 async_run_entry_fn
call 20000 50000 1 0 3 burn_init
call 80000 10 1 0 3 async_synchronize_full
E
run sh -c "
	for names in async_run_entry_fn=async_synchronize_full \
		     deferred_probe_work_func=wait_for_device_probe \
		     async_run_entry_fn=async_synchronize_cookie_domain \
		     process_one_work=flush_work; do
		sed -e s/async_run_entry_fn/\${names%=*}/ -e s/async_synchronize_full/\${names#*=}/ \
			'$tmp/hidden.log' >'$tmp/names.log'
		tmp='$tmp' sh '$tmp/without' burn_init '$tmp/names.log' | tail -n +4
	done"
out <<'E'
without_least 179990
without_most 179990
longer 80010 29990 9 async_synchronize_full
without_least 179990
without_most 179990
longer 80010 29990 9 wait_for_device_probe
without_least 150000
without_most 179990
longer 80010 29990 9 async_synchronize_cookie_domain
without_least 150000
without_most 179990
longer 80010 29990 9 flush_work
E
err 'note: the gain may be 30.0 ms less: task 1 may wait for work that was done before it asked for it'

begin 'kd --without: a function that waits for what is done waits for nothing'
async <<'E' | boot >"$tmp/inner.log"
call 19160 60740 9 1 1 async_run_entry_fn
call 20000 60020 1 0 3 outer_init
call 80000 10 1 0 4 async_synchronize_full
E
run without outer_init "$tmp/inner.log"
out <<'E'
calls 1
removed 60020
removed_on_path 60020
without_least 139980
without_most 139980
E

begin 'kd --without: a task that was woken while it ran may have had to wait'
boot <<'E' >"$tmp/woken.log"
call 1500 98600 31 1 1 other_thread
call 20000 50000 1 0 3 burn_init
mark 100000 31 1 t wakeup 1 wake_up_process complete
E
run without burn_init "$tmp/woken.log"
out <<'E'
calls 1
removed 50000
removed_on_path 50000
without_least 150000
without_most 200000
E
err 'note: the gain may be 50.0 ms less'

# Task 40 runs from 40010 to 90010 in the place of the worker that task 1 waits for.
begin 'kd --without: beside the path, on a CPU for which the path waits'
async <<'E' | sed 's/^mark 19150.*//' | boot >"$tmp/cpu.log"
call 30000 65300 1 0 3 async_synchronize_full
mark 30010 1 0 t switch 9 kworker/0:1
mark 40010 9 0 t preempt 40 other
call 40015 49990 40 0 1 burn_other
mark 90010 40 0 t switch 9 kworker/0:1
mark 95000 9 0 t wakeup 1 wake_up_process complete
mark 95100 9 0 t switch 1 swapper/0
E
run without burn_other "$tmp/cpu.log"
out <<'E'
calls 1
removed 49990
removed_on_path 0
without_least 150010
without_most 150010
E

begin 'kd --without: a device that an interrupt thread serves takes as long as before'
boot <<'E' >"$tmp/device.log"
mark 1200 1 0 t new 20 kthreadd
mark 1210 1 0 t preempt 20 irq/30-mmc0
call 1210 - 20 0 1 irq_thread
call 1220 98000 20 0 2 irq_wait_for_interrupt
mark 1230 20 0 t switch 1 swapper/0
call 20000 50000 1 0 3 burn_init
mark 80000 1 0 t switch 0 swapper/0
mark 90000 0 0 h wakeup 20 wake_up_process __irq_wake_thread dw_mci_interrupt
mark 90010 0 0 t switch 20 irq/30-mmc0
mark 90100 20 0 t wakeup 1 complete mmc_request_done irq_thread
mark 90120 20 0 t switch 1 swapper/0
E
run without burn_init "$tmp/device.log"
out <<'E'
calls 1
removed 50000
removed_on_path 50000
without_least 150000
without_most 150000
E

begin 'kd --without: a CPU is started'
boot <<'E' >"$tmp/start.log"
call 1100 800 1 0 3 burn_init
call 2000 3000 1 0 3 smp_init
mark 2200 1 0 t switch 0 swapper/0
call 3000 900 0 1 1 secondary_start_kernel
mark 3800 0 1 t wakeup 1 wake_up_process complete secondary_start_kernel
mark 3900 0 0 t switch 1 swapper/0
E
run sh -c "
	tmp='$tmp' sh '$tmp/without' secondary_start_kernel '$tmp/start.log'
	tmp='$tmp' sh '$tmp/without' burn_init '$tmp/start.log'"
out <<'E'
calls 1
removed 900
removed_on_path 800
without_least 199200
without_most 199200
calls 1
removed 800
removed_on_path 800
without_least 199200
without_most 199200
E

begin 'kd --without: what people read'
run kd --boot --without burn_init "$tmp/names.log"
out <<'E'
The boot took 200.0 ms, from start_kernel to to_userspace.
Without burn_init it would take 150.0 ms to 180.0 ms: 20.0 ms to 50.0 ms less.

What is left out (calls: 1), and what that changes
 Length      %    Function                    
---------- ------ ----------------------------
    200000 100.00 (the boot)                  
     50000  25.00 burn_init                   
     50000  25.00 (of it on the critical path)
    150000  75.00 (the boot without it, at least)
    179990  89.99 (the boot without it, at most)
     20010  10.00 (the gain, at least)        
     50000  25.00 (the gain, at most)         

Where task 1 would wait longer, at most, and for which task
 Entry      Length    Task          Function                     Called by
---------- ---------- ------------- ---------------------------- --------
     80010      29990 kworker/1:0   flush_work                   do_basic_setup < kernel_init
E
err 'note: the gain may be 30.0 ms less'

begin 'kd --without: what people read if little, or nothing, is gained'
run sh -c "
	kd --boot --without slow_probe '$tmp/alone.log' | sed -n '2,/^$/p'
	kd --boot --without slow_probe '$tmp/join.log' | sed -n '2,/^$/p'"
out <<'E'
Without slow_probe it would take as long: the boot did not wait for its 50.0 ms.

Without slow_probe it would take 160.7 ms: 39.3 ms less.
The critical path has 50.0 ms of it, but another path lies behind.

E

begin 'kd --without: what cannot be answered'
run sh -c "
	kd --boot --without nosuch '$tmp/burn.log'; echo \$?
	sed '/^# /d' '$tmp/burn.log' | kd --boot --without burn_init -; echo \$?
	sed 's/^Logging stopped.*/Logging stopped at 200070 usec by user action/' '$tmp/burn.log' |
		kd --boot --without burn_init -; echo \$?"
out <<'E'
2
2
2
E
err 'no call of nosuch in the boot'
err '--without needs the marks of switches and wakeups'
err '--without needs the log of a whole boot'

begin 'kd --without: a worker takes the CPU of a task, which another CPU takes over later'
boot <<'E' >"$tmp/pulled.log"
call 19000 30000 1 0 3 first_init
mark 19100 1 0 t wakeup 9 wake_up_process queue_work_on first_init
mark 19150 1 0 t preempt 9 kworker/0:0
call 19200 50000 9 0 1 slow_probe
mark 33000 0 1 t switch 1 swapper/0
mark 69300 9 0 t switch 0 swapper/0
E
run without slow_probe "$tmp/pulled.log"
out <<'E'
calls 1
removed 50000
removed_on_path 0
without_least 186200
without_most 186200
E
