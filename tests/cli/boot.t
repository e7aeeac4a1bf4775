# SPDX-License-Identifier: GPL-2.0
# kd --boot: phases, the critical path, and what took longest.
. "$here/boot-log"

# path: the lines of the path as "FROM LENGTH PID KIND FUNCTION WOKEN_BY"; PID is - if pieces of
# several tasks are in the line. It says if they do not add up: no hole, no overlap, as long as the boot.
cat >"$tmp/path" <<'E'
status=$(kd --boot --csv "$@" >"$tmp/path.csv" 2>"$tmp/path.err"; echo $?)
grep -v '^kd: note: \(no marks of\|marks\|calls\)' "$tmp/path.err"
sed '/^# /d' "$tmp/path.csv" | awk -F, '
	$1 == "boot" { from = $2; to = $2 + $3 }
	$1 == "path" {
		n++
		if (n == 1) { at = $2 }
		if (n == 1) { first = $2 }
		if ($2 != at) { print "a hole before " $2 }
		at = $2 + $3
		print $2 / 1000, $3 / 1000, $5 == "" ? "-" : $5, $7, $15 == "" ? "-" : $15, $17
	}
	END { if (first != from || at != to) { print "the path is not the boot" } }'
exit "$status"
E
path() {
	tmp="$tmp" sh "$tmp/path" "$@"
}

begin 'kd --boot: over a kworker; what its caller did before it waited is not on the path'
{ start; cat <<'E'
call 2000 3000 1 0 3 slow_init
mark 2100 1 0 t wakeup 8 wake_up_process queue_work slow_init
call 2390 1700 1 0 4 flush_work
call 2395 1690 1 0 5 schedule
mark 2400 1 0 t switch 8 kworker/0:1
call 2410 - 8 0 1 worker_thread
call 2420 1540 8 0 2 process_one_work
call 2430 1400 8 0 3 slow_work
mark 3900 8 0 t wakeup 1 wake_up_process complete slow_work
mark 4000 8 0 t switch 1 swapper/0
E
} | log >"$tmp/kworker.log"
run path -t 50 "$tmp/kworker.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran slow_init 
2100 300 8 runnable - 
2400 30 8 ran - 
2430 1400 8 ran slow_work 
3830 70 8 ran process_one_work 
3900 100 1 runnable flush_work 
4000 90 1 ran flush_work 
4090 910 1 ran slow_init 
5000 4990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: an async worker on another CPU, at work before it was waited for'
{ start; cat <<'E'
call 1900 30 0 1 1 secondary_start_kernel
call 2000 100 1 0 3 first_init
mark 2010 1 0 t wakeup 9 wake_up_process async_schedule_node first_init
mark 2050 0 1 t switch 9 kworker/1:0
call 2060 4000 9 1 1 async_run_entry_fn
call 2070 3800 9 1 2 slow_probe
call 3000 3200 1 0 3 second_init
call 5000 1200 1 0 4 async_synchronize_full
mark 5010 1 0 t switch 0 swapper/0
mark 6000 9 1 t wakeup 1 wake_up_process async_run_entry_fn
mark 6030 0 0 t switch 1 swapper/0
E
} | log >"$tmp/async.log"
run path -t 100 "$tmp/async.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 70 - runnable first_init 
2070 3800 9 ran slow_probe 
5870 130 9 ran async_run_entry_fn 
6000 30 1 runnable async_synchronize_full 
6030 170 1 ran async_synchronize_full 
6200 3790 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: a new task is waited for, and its maker'
{ start; cat <<'E'
call 2000 1000 1 0 3 kthread_create_on_node
mark 2100 1 0 t wakeup 2 wake_up_process kthread_create_on_node
mark 2110 1 0 t switch 2 kthreadd
call 2200 300 2 0 2 kernel_clone
mark 2400 2 0 t new 7 kthreadd
mark 2500 2 0 t switch 7 kthreadd
call 2510 - 7 0 1 kthread
mark 2700 7 0 t wakeup 1 wake_up_process complete kthread
mark 2800 7 0 t switch 1 swapper/0
E
} | log >"$tmp/new.log"
run path -t 10 "$tmp/new.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran kthread_create_on_node 
2100 10 2 runnable kthreadd 
2110 90 2 ran kthreadd 
2200 200 2 ran kernel_clone 
2400 100 7 runnable - 
2500 10 7 ran - 
2510 190 7 ran kthread 
2700 100 1 runnable kthread_create_on_node 
2800 200 1 ran kthread_create_on_node 
3000 6990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: a sleep, a device, an RCU grace period'
{ start; cat <<'E'
call 2000 5000 1 0 3 driver_init
call 2100 1100 1 0 4 msleep
call 2110 1080 1 0 5 schedule
mark 2120 1 0 t switch 0 swapper/0
mark 3150 0 0 s wakeup 1 try_to_wake_up wake_up_process process_timeout call_timer_fn
mark 3180 0 0 t switch 1 swapper/0
call 4000 600 1 0 4 mmc_wait_for_req
mark 4020 1 0 t switch 0 swapper/0
mark 4500 70 1 h wakeup 1 default_wake_function __wake_up_common complete mmc_request_done dw_mci_interrupt
mark 4510 0 0 t switch 1 swapper/0
call 5000 1000 1 0 4 synchronize_rcu
mark 5010 1 0 t switch 0 swapper/0
mark 5900 0 0 s wakeup 1 complete wakeme_after_rcu rcu_do_batch rcu_core
mark 5920 0 0 t switch 1 swapper/0
E
} | log >"$tmp/interrupt.log"
run path -t 50 "$tmp/interrupt.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran driver_init 
2100 20 1 ran msleep 
2120 1030 1 timer msleep process_timeout
3150 50 1 runnable msleep 
3200 800 1 ran driver_init 
4000 20 1 ran mmc_wait_for_req 
4020 480 1 device mmc_wait_for_req mmc_request_done
4500 10 1 runnable mmc_wait_for_req 
4510 90 1 ran mmc_wait_for_req 
4600 400 1 ran driver_init 
5000 10 1 ran synchronize_rcu 
5010 890 1 grace_period synchronize_rcu wakeme_after_rcu
5900 20 1 runnable synchronize_rcu 
5920 80 1 ran synchronize_rcu 
6000 1000 1 ran driver_init 
7000 2990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: an interrupt thread, and ksoftirqd, that an interrupt finds without work'
{ start; cat <<'E'
mark 1200 1 0 t new 20 kthreadd
mark 1210 1 0 t switch 20 irq/30-mmc0
call 1210 - 20 0 1 irq_thread
call 1220 3400 20 0 2 irq_wait_for_interrupt
mark 1230 20 0 t switch 1 swapper/0
call 2000 5000 1 0 3 driver_init
call 4000 700 1 0 4 mmc_wait_for_req
mark 4020 1 0 t switch 0 swapper/0
mark 4500 0 0 h wakeup 20 wake_up_process __irq_wake_thread dw_mci_interrupt
mark 4510 0 0 t switch 20 irq/30-mmc0
mark 4600 20 0 t wakeup 1 complete mmc_request_done irq_thread
mark 4620 20 0 t switch 1 swapper/0
mark 4700 1 0 t new 21 kthreadd
mark 4710 1 0 t switch 21 ksoftirqd/0
call 4710 - 21 0 1 smpboot_thread_fn
mark 4720 21 0 t switch 1 swapper/0
call 5000 900 1 0 4 msleep
mark 5010 1 0 t switch 0 swapper/0
mark 5700 0 0 h wakeup 21 wakeup_softirqd irq_exit
mark 5710 0 0 t switch 21 ksoftirqd/0
mark 5800 21 0 s wakeup 1 wake_up_process process_timeout call_timer_fn
mark 5820 21 0 t switch 1 swapper/0
E
} | log >"$tmp/thread.log"
run path -t 50 "$tmp/thread.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 2000 1 ran driver_init 
4000 20 1 ran mmc_wait_for_req 
4020 480 1 device mmc_wait_for_req __irq_wake_thread
4500 10 20 runnable irq_wait_for_interrupt 
4510 90 20 ran irq_wait_for_interrupt 
4600 20 1 runnable mmc_wait_for_req 
4620 80 1 ran mmc_wait_for_req 
4700 20 1 ran driver_init 
4720 280 1 ran driver_init 
5000 10 1 ran msleep 
5010 690 1 timer msleep process_timeout
5700 10 21 runnable smpboot_thread_fn 
5710 90 21 ran smpboot_thread_fn 
5800 20 1 runnable msleep 
5820 80 1 ran msleep 
5900 1100 1 ran driver_init 
7000 2990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: a timer finds a worker without work before somebody waits for it'
worker() {
	start
	cat <<'E'
mark 1200 1 0 t new 8 kthreadd
mark 1210 1 0 t preempt 8 kworker/1:0
call 1210 - 8 0 1 worker_thread
mark 1230 8 0 t switch 1 swapper/0
call 2000 5000 1 0 3 slow_init
E
	cat
	cat <<'E'
mark 3000 0 1 s wakeup 8 wake_up_process delayed_work_timer_fn call_timer_fn
mark 3010 0 1 t switch 8 kworker/1:0
call 3010 1490 8 1 2 process_one_work
call 3400 1100 1 0 4 flush_work
mark 3500 1 0 t switch 0 swapper/0
mark 4400 8 1 t wakeup 1 complete process_one_work
mark 4410 0 0 t switch 1 swapper/0
mark 4500 8 1 t switch 0 swapper/1
E
}
worker </dev/null | log >"$tmp/ran.log"
# Task 1 sleeps then, or is preempted, and waits for the worker later.
worker <<'E' | sort -s -k 2,2n | log >"$tmp/slept.log"
call 2800 400 1 0 4 msleep
mark 2900 1 0 t switch 0 swapper/0
mark 3100 0 0 h wakeup 1 wake_up_process process_timeout
mark 3110 0 0 t switch 1 swapper/0
E
worker <<'E' | sort -s -k 2,2n | log >"$tmp/preempted.log"
mark 2900 1 0 t preempt 9 other
mark 3100 9 0 t switch 1 swapper/0
E
run sh -c "
	for log in ran slept preempted; do
		tmp='$tmp' sh '$tmp/path' -t 50 '$tmp/'\$log.log | sed -n '/^1010/,/^4400/p'
	done"
out <<'E'
1010 990 1 ran do_basic_setup 
2000 1000 1 ran slow_init 
3000 10 8 runnable worker_thread 
3010 1390 8 ran process_one_work 
4400 10 1 runnable flush_work 
1010 990 1 ran do_basic_setup 
2000 800 1 ran slow_init 
2800 100 1 ran msleep 
2900 100 1 timer msleep delayed_work_timer_fn
3000 10 8 runnable worker_thread 
3010 1390 8 ran process_one_work 
4400 10 1 runnable flush_work 
1010 990 1 ran do_basic_setup 
2000 900 1 ran slow_init 
2900 100 1 preempted slow_init 
3000 10 8 runnable worker_thread 
3010 1390 8 ran process_one_work 
4400 10 1 runnable flush_work 
E

begin 'kd --boot: an initcall keeps its short pieces; those of several tasks have the name of none'
{ start; cat <<'E'
call 1900 100 1 0 3 do_one_initcall
call 1905 90 1 0 4 tiny_init
call 2000 400 1 0 3 do_one_initcall
call 2010 390 1 0 4 long_init
mark 2020 1 0 t switch 0 swapper/0
mark 2110 0 0 h wakeup 1 wake_up_process process_timeout
mark 2120 0 0 t switch 1 swapper/0
mark 2200 1 0 t switch 0 swapper/0
mark 2290 0 0 h wakeup 1 wake_up_process process_timeout
mark 2300 0 0 t switch 1 swapper/0
call 2400 200 1 0 3 do_one_initcall
call 2405 190 1 0 4 second_init
call 2600 390 1 0 3 do_one_initcall
call 2605 380 1 0 4 third_init
mark 2640 1 0 t wakeup 8 wake_up_process queue_work
mark 2650 1 0 t switch 8 kworker/0:1
call 2660 150 8 0 1 process_one_work
mark 2800 8 0 t wakeup 1 complete process_one_work
mark 2810 8 0 t switch 1 swapper/0
E
} | log >"$tmp/initcalls.log"
run path -t 300 "$tmp/initcalls.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 110 - runnable - 
1010 1000 1 ran do_basic_setup 
2010 390 1 ran long_init 
2400 205 1 ran do_basic_setup 
2605 380 - ran third_init 
2985 7015 1 ran do_basic_setup 
E

begin 'kd --boot: what people read of a line of several tasks'
run sh -c "kd --boot -t 300 '$tmp/initcalls.log' | grep -m 1 '^ *2605'"
out <<'E'
      2605        380   3.80       - (several)     ran 95 %          third_init                   
E

begin 'kd --boot: preemption; a wake-up before the switch-out; one without effect'
{ start; cat <<'E'
call 2000 5000 1 0 3 driver_init
mark 2500 1 0 t preempt 30 kworker/0:2
mark 2800 30 0 t switch 1 swapper/0
mark 3990 31 1 t wakeup 1 wake_up_process complete
mark 4000 1 0 t switch 30 kworker/0:2
mark 4400 30 0 t switch 1 swapper/0
mark 5000 31 1 t wakeup 1 wake_up_process
E
} | log >"$tmp/preempt.log"
run path -t 50 "$tmp/preempt.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 500 1 ran driver_init 
2500 300 1 preempted driver_init 
2800 1200 1 ran driver_init 
4000 400 1 runnable driver_init 
4400 2600 1 ran driver_init 
7000 2990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: a CPU is brought up; later its idle task wakes on behalf of an interrupt'
{ start; cat <<'E'
call 2000 3000 1 0 3 smp_init
call 2100 1900 1 0 4 cpu_up
mark 2200 1 0 t switch 0 swapper/0
call 3000 900 0 1 1 secondary_start_kernel
mark 3800 0 1 t wakeup 1 wake_up_process complete secondary_start_kernel
mark 3900 0 0 t switch 1 swapper/0
mark 4100 1 0 t switch 0 swapper/0
mark 4150 0 1 t switch 40 migration/1
mark 4160 40 1 t switch 0 swapper/1
mark 4500 0 1 t wakeup 1 wake_up_process flush_smp_call_function_queue do_idle
mark 4520 0 0 t switch 1 swapper/0
E
} | log >"$tmp/cpu.log"
run path -t 50 "$tmp/cpu.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran smp_init 
2100 100 1 ran cpu_up 
2200 800 1 cpu_up cpu_up 
3000 800 0 ran secondary_start_kernel 
3800 100 1 runnable cpu_up 
3900 100 1 ran cpu_up 
4000 100 1 ran smp_init 
4100 400 1 device smp_init flush_smp_call_function_queue
4500 20 1 runnable smp_init 
4520 480 1 ran smp_init 
5000 4990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: task 0 wakes others before it is idle, after it was preempted'
{ cat <<'E'
head Logging started at 70 usec by entry to function start_kernel
head Logging stopped at 10070 usec by entry to function to_userspace
call 0 - 0 0 1 start_kernel
call 900 - 0 0 2 rest_init
mark 910 0 0 t new 1 swapper/0
mark 920 0 0 t switch 1 swapper/0
call 925 - 1 0 1 kernel_init
call 930 80 1 0 2 wait_for_completion
mark 940 1 0 t switch 0 swapper/0
mark 950 0 0 t new 2 kthreadd
mark 960 0 0 t switch 2 kthreadd
mark 980 2 0 t switch 0 swapper/0
mark 990 0 0 t wakeup 1 complete rest_init
mark 1000 0 0 t switch 1 swapper/0
mark 1100 1 0 t switch 0 swapper/0
call 1110 - 0 0 3 cpu_startup_entry
call 1120 900 0 0 4 do_idle
mark 2000 0 0 t wakeup 1 wake_up_process flush_smp_call_function_queue do_idle
mark 2010 0 0 t switch 1 swapper/0
E
} | log >"$tmp/rest.log"
run path -t 5 "$tmp/rest.log"
out <<'E'
0 900 0 ran start_kernel 
900 20 0 ran rest_init 
920 20 0 preempted rest_init 
940 20 0 ran rest_init 
960 20 0 preempted rest_init 
980 10 0 ran rest_init 
990 10 1 runnable wait_for_completion 
1000 10 1 ran wait_for_completion 
1010 90 1 ran kernel_init 
1100 900 1 device kernel_init flush_smp_call_function_queue
2000 10 1 runnable kernel_init 
2010 7990 1 ran kernel_init 
E

begin 'kd --boot: marks are lost: a wake-up, a switch, and all behind the last one'
{ echo 'head Marks lost = 2'; start; cat <<'E'
call 2000 5000 1 0 3 driver_init
call 2100 1100 1 0 4 msleep
mark 2120 1 0 t switch 0 swapper/0
mark 3180 0 0 t switch 1 swapper/0
mark 4000 1 0 t switch 50 kworker/0:1
mark 4500 0 0 t switch 1 swapper/0
mark 4550 52 0 t switch 53 other
mark 4600 51 1 t wakeup 51 complete
E
} | log >"$tmp/lost.log"
run path -t 50 "$tmp/lost.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran driver_init 
2100 20 1 ran msleep 
2120 1060 1 unknown msleep 
3180 20 1 ran msleep 
3200 800 1 ran driver_init 
4000 600 1 unknown driver_init 
4600 5400 1 unknown kernel_init 
E

begin 'kd --boot: a task whose past is not in the log: its waiter goes on'
{ start; cat <<'E'
call 2000 3000 1 0 3 driver_init
call 2500 900 1 0 4 wait_for_completion
mark 2510 1 0 t switch 0 swapper/0
mark 3300 60 1 t wakeup 1 complete
mark 3310 0 0 t switch 1 swapper/0
E
} | log >"$tmp/past.log"
run path -t 50 "$tmp/past.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 500 1 ran driver_init 
2500 10 1 ran wait_for_completion 
2510 790 1 unknown wait_for_completion 
3300 10 1 runnable wait_for_completion 
3310 90 1 ran wait_for_completion 
3400 1600 1 ran driver_init 
5000 4990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: marks of switches, but none of wake-ups'
{ start | sed '/ new /d'; cat <<'E'
call 2000 5000 1 0 3 driver_init
call 2100 1100 1 0 4 msleep
mark 2120 1 0 t switch 0 swapper/0
mark 3180 0 0 t switch 1 swapper/0
E
} | log >"$tmp/switches.log"
run path -t 50 "$tmp/switches.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 100 0 ran rest_init 
1000 10 1 ran kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 ran driver_init 
2100 20 1 ran msleep 
2120 1060 1 unknown_wait msleep 
3180 20 1 ran msleep 
3200 3800 1 ran driver_init 
7000 2990 1 ran do_basic_setup 
9990 10 1 ran kernel_init 
E

begin 'kd --boot: no marks: tasks 0 and 1, and ran or waited where that is known'
{ start | sed '/^mark/d'; cat <<'E'
call 2000 3000 1 0 3 driver_init 100 2000
call 2100 1100 1 0 4 msleep 50 1050
call 2110 1080 1 0 5 schedule 30 1050
call 3500 1000 1 0 4 memset 1000 0
call 5200 1000 1 0 3 other_init 100 900 20
E
} | log >"$tmp/rows.log"
run path -t 50 "$tmp/rows.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 100 0 ran rest_init 
1000 10 1 ran_or_waited kernel_init 
1010 990 1 ran do_basic_setup 
2000 100 1 unknown_wait driver_init 
2100 1100 1 ran_or_waited msleep 
3200 300 1 unknown_wait driver_init 
3500 1000 1 ran memset 
4500 500 1 unknown_wait driver_init 
5000 200 1 ran do_basic_setup 
5200 1000 1 ran_or_waited other_init 
6200 3790 1 ran do_basic_setup 
9990 10 1 ran_or_waited kernel_init 
E

begin 'kd --boot: no task 1: all that is known is task 0'
run path -t 50 - <<E
$(start | sed -n '1,/rest_init/p' | log)
E
out <<'E'
0 100 0 ran_or_waited start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran_or_waited start_kernel 
900 9100 0 ran_or_waited rest_init 
E

begin 'kd --boot: a boot that is not over: what goes on comes first'
{ start | sed '/^head Logging stopped/s/entry.*/user action/'; cat <<'E'
call 2000 - 1 0 3 driver_init
call 2100 - 1 0 4 wait_for_completion
call 2110 - 1 0 5 schedule
mark 2120 1 0 t switch 0 swapper/0
call 2500 20 70 0 1 other
E
} | log >"$tmp/open.log"
run kd --boot "$tmp/open.log"
out <<'E'
The boot was not over when the log ended, 10.0 ms after start_kernel.

Calls that had not returned, the innermost first: they took at least this long
 Entry      Length    Task          Function                     Called by
---------- ---------- ------------- ---------------------------- --------
      2110       7890 kernel_init   schedule                     wait_for_completion < driver_init < ...
      2100       7900 kernel_init   wait_for_completion          driver_init < do_basic_setup < kernel_init
      2000       8000 kernel_init   driver_init                  do_basic_setup < kernel_init
      1000       9000 kernel_init   kernel_init                  

Where the time went: the longest pieces of the boot, by function and task
 Length      %    Task          What              Function                     Called by
---------- ------ ------------- ----------------- ---------------------------- --------
      7900  79.00 kernel_init   unknown wait      wait_for_completion          driver_init < do_basic_setup < kernel_init
       990   9.90 kernel_init   ran               do_basic_setup               kernel_init
       500   5.00 swapper/0     ran               start_kernel                 
       400   4.00 swapper/0     ran               setup_arch                   start_kernel
       100   1.00 kernel_init   ran               driver_init                  do_basic_setup < kernel_init

The path, added up
 Length      %    What             
---------- ------ -----------------
      2030  20.30 ran              
        90   0.90 runnable         
      7880  78.80 unknown wait     

Phases
 Entry      Length      %    Function                    
---------- ---------- ------ ----------------------------
         0        900   9.00 start_kernel                
       900        100   1.00 rest_init                   
      1000         10   0.10 kernel_init                 
      1010       8980  89.80 do_basic_setup              
      9990         10   0.10 after initcalls: root file system
         0      10000 100.00 (the boot)                  

The critical path (calls of 10 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   Task          What              Function                     Called by
---------- ---------- ------ ------- ------------- ----------------- ---------------------------- --------
         0        100   1.00       0 swapper/0     ran               start_kernel                 
       100        400   4.00       0 swapper/0     ran               setup_arch                   start_kernel
       500        400   4.00       0 swapper/0     ran               start_kernel                 
       900         10   0.10       0 swapper/0     ran               rest_init                    start_kernel
       910         90   0.90       1 kernel_init   runnable          -                            
      1000         10   0.10       1 kernel_init   ran               kernel_init                  
      1010        990   9.90       1 kernel_init   ran               do_basic_setup               kernel_init
      2000        100   1.00       1 kernel_init   ran               driver_init                  do_basic_setup < kernel_init
      2100         20   0.20       1 kernel_init   ran               wait_for_completion          driver_init < do_basic_setup < kernel_init
      2120       7880  78.80       1 kernel_init   unknown wait      wait_for_completion          driver_init < do_basic_setup < kernel_init

What the path waited for
 Length      %    Count   What              Function                     Called by
---------- ------ ------- ----------------- ---------------------------- --------
      7880  78.80       1 unknown wait      wait_for_completion          

Functions with the most time of their own, on any CPU, none idle
 Length      %    Count   Function                    
---------- ------ ------- ----------------------------
      8980  89.80       1 do_basic_setup              
       400   4.00       1 setup_arch                  
        20   0.20       1 other                       
E

begin 'kd --boot: not over; woken, or preempted, at the end'
run sh -c "
	sed '$ a # 9000 9000000 0 0 h wakeup 1 complete mmc_request_done' '$tmp/open.log' >'$tmp/woken.log'
	sed 's/^# 2120 2120000 0 1 t switch 0 .*/# 2120 2120000 0 1 t preempt 70 other/' '$tmp/open.log' >'$tmp/preempted.log'
	for log in woken preempted; do
		tmp='$tmp' sh '$tmp/path' -t 50 '$tmp/'\$log.log | tail -n 3
	done"
out <<'E'
2100 20 1 ran wait_for_completion 
2120 6880 1 device wait_for_completion mmc_request_done
9000 1000 1 runnable wait_for_completion 
2000 100 1 ran driver_init 
2100 20 1 ran wait_for_completion 
2120 7880 1 preempted wait_for_completion 
E

begin 'kd --boot: the log goes on after to_userspace'
{ start | sed '/^head Logging stopped/s/10070.*/20070 usec by user action/; s/8980/4900/'; cat <<'E'
call 5500 1500 70 1 1 other_work
call 6000 - 1 0 2 to_userspace
call 7000 2000 1 0 1 later
call 7500 1000 1 0 2 do_one_initcall
mark 9000 1 0 t exec /sbin/init
E
} | log >"$tmp/later.log"
run_csv kd --boot --csv -t 100 "$tmp/later.log"
out <<'E'
part,entry_ns,length_ns,percent,pid,task,kind,kind_ns,irq_ns,off_cpu_ns,recording_ns,count,level,result,function,callers,woken_by,unsure
longest,,4900000,81.66,1,kernel_init,ran,4900000,,,,1,,,do_basic_setup,kernel_init,,
longest,,500000,8.33,0,swapper/0,ran,500000,,,,2,,,start_kernel,,,
longest,,400000,6.66,0,swapper/0,ran,400000,,,,1,,,setup_arch,start_kernel,,
longest,,100000,1.66,1,kernel_init,ran,100000,,,,2,,,kernel_init,,,
longest,,90000,1.50,1,kernel_init,runnable,90000,,,,1,,,,,,
kind,,5910000,98.50,,,ran,5910000,,,,,,,,,,
kind,,90000,1.50,,,runnable,90000,,,,,,,,,,
phase,0,900000,15.00,,,,,,,,,,,start_kernel,,,
phase,900000,100000,1.66,,,,,,,,,,,rest_init,,,
phase,1000000,10000,0.16,,,,,,,,,,,kernel_init,,,
phase,1010000,4900000,81.66,,,,,,,,,,,do_basic_setup,,,
phase,5910000,90000,1.50,,,,,,,,,,,after initcalls: root file system,,,
boot,0,6000000,100.00,,,,,,,,,,,(the boot),,,
later,6000000,14000000,,,,,,,,,,,,(later),,,
program,9000000,11000000,,1,kernel_init,,,,,,,,,/sbin/init,,,
path,0,100000,1.66,0,swapper/0,ran,100000,,0,,1,,,start_kernel,,,
path,100000,400000,6.66,0,swapper/0,ran,400000,0,0,,1,,,setup_arch,start_kernel,,
path,500000,400000,6.66,0,swapper/0,ran,400000,,0,,1,,,start_kernel,,,
path,900000,10000,0.16,0,swapper/0,ran,10000,,0,,1,,,rest_init,start_kernel,,
path,910000,90000,1.50,1,kernel_init,runnable,90000,,,,1,,,,,,
path,1000000,10000,0.16,1,kernel_init,ran,10000,,0,,1,,,kernel_init,,,
path,1010000,4900000,81.66,1,kernel_init,ran,4900000,0,0,,1,,,do_basic_setup,kernel_init,,
path,5910000,90000,1.50,1,kernel_init,ran,90000,,0,,1,,,kernel_init,,,
function,,4900000,81.66,,,,,,,,1,,,do_basic_setup,,,
function,,500000,8.33,,,,,,,,1,,,other_work,,,length_ns
function,,400000,6.66,,,,,,,,1,,,setup_arch,,,
E

begin 'kd --boot: a filter dropped to_userspace; marks were lost after the boot'
{ start | sed -e '/^head Logging stopped/s/10070.*/20070 usec by user action/' -e 's/8980/4900/'; cat <<'E'
call 7000 20 80 0 1 other
mark 8000 1 0 t exec /sbin/init
E
} | log >"$tmp/exec.log"
run sh -c "
	kd --boot '$tmp/exec.log' | head -n 1
	sed -e '/ exec /d' \
		-e 's/1000000 -1 -1 0 1 t 1 open -1 -1/1000000 5500000 600000 0 1 t 1 - 0 0/' -e 's/^1000 -1 1/1000 5500 1/' \
		'$tmp/exec.log' >'$tmp/return.log'
	kd --boot '$tmp/return.log' 2>/dev/null | sed -n -e 1p -e '/other/p'
	sed -e 's/^Log format/Marks lost = 2\n&/' '$tmp/exec.log' >'$tmp/after.log'
	echo '# 9000 9000000 0 1 t mark behind' >>'$tmp/after.log'
	tmp='$tmp' sh '$tmp/path' -t 50 '$tmp/after.log' | tail -n 2"
out <<'E'
The boot took 8.0 ms, from start_kernel to the first program.
The boot took 6.5 ms, from start_kernel to the return of kernel_init.
1010 4900 1 ran do_basic_setup 
5910 2090 1 ran kernel_init 
E

begin 'kd --boot: phases, kinds, waits, functions, initcalls'
{ echo 'head Clock at start_kernel = 41666666 ns'; echo 'head Calls filtered = 1000'; echo 'head Callout cost = 100 ns kept, 50 ns filtered'; start; cat <<'E'
call 1020 300 1 0 3 do_pre_smp_initcalls
mark 1030 1 0 t level early
call 1040 200 1 0 4 do_one_initcall 20
call 1050 180 1 0 5 early_init
mark 1235 1 0 t initcall early_init 0
mark 1500 1 0 t level device
call 1600 2000 1 0 3 do_one_initcall 10
call 1610 1980 1 0 4 mmc_init 500 970
call 1700 1000 1 0 5 msleep 30 970
mark 1710 1 0 t switch 0 swapper/0
call 1715 - 0 0 1 cpu_startup_entry
call 1720 800 0 0 2 do_idle
mark 2670 0 0 s wakeup 1 wake_up_process process_timeout
mark 2680 0 0 t switch 1 swapper/0
mark 3591 1 0 t initcall mmc_init -19
call 4000 60 1 0 3 do_one_initcall 10
call 4005 50 1 0 4 late_probe 50
mark 4056 1 0 t initcall late_probe -517
mark 5000 1 0 t level late
E
} | log >"$tmp/all.log"
run kd --boot -n 2 "$tmp/all.log"
out <<'E'
The boot took 10.0 ms, from start_kernel to to_userspace.
Recording took about 52 us of it.

Where the time went: the longest pieces of the boot, by function and task
 Length      %    Task          What              Function                     Called by
---------- ------ ------------- ----------------- ---------------------------- --------
      6620  66.20 kernel_init   ran               do_basic_setup               kernel_init
      1000  10.00 kernel_init   timer 96 %        msleep                       mmc_init

The path, added up
 Length      %    What             
---------- ------ -----------------
      8940  89.40 ran              
       100   1.00 runnable         
       960   9.60 timer            

Phases
 Entry      Length      %    Function                    
---------- ---------- ------ ----------------------------
         ?      41666      ? (before the kernel: what the clock said)
         ?         70      ? (the recorder was armed)    
         0        900   9.00 start_kernel                
       900        100   1.00 rest_init                   
      1000         30   0.30 kernel_init                 
      1030        290   2.90 initcalls: early            
      1320        180   1.80 other CPUs, driver core     
      1500       3500  35.00 initcalls: device           
      5000       4990  49.90 initcalls: late             
      9990         10   0.10 after initcalls: root file system
         0      10000 100.00 (the boot)                  

The critical path (calls of 10 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   Task          What              Function                     Called by
---------- ---------- ------ ------- ------------- ----------------- ---------------------------- --------
         0        100   1.00       0 swapper/0     ran               start_kernel                 
       100        400   4.00       0 swapper/0     ran               setup_arch                   start_kernel
       500        400   4.00       0 swapper/0     ran               start_kernel                 
       900         10   0.10       0 swapper/0     ran               rest_init                    start_kernel
       910         90   0.90       1 kernel_init   runnable          -                            
      1000         10   0.10       1 kernel_init   ran               kernel_init                  
      1010         10   0.10       1 kernel_init   ran               do_basic_setup               kernel_init
      1020         20   0.20       1 kernel_init   ran               do_pre_smp_initcalls         do_basic_setup < kernel_init
      1040         10   0.10       1 kernel_init   ran               do_one_initcall              do_pre_smp_initcalls < do_basic_setup < ...
      1050        180   1.80       1 kernel_init   ran               early_init                   
      1230         10   0.10       1 kernel_init   ran               do_one_initcall              do_pre_smp_initcalls < do_basic_setup < ...
      1240         80   0.80       1 kernel_init   ran               do_pre_smp_initcalls         do_basic_setup < kernel_init
      1320        280   2.80       1 kernel_init   ran               do_basic_setup               kernel_init
      1600         10   0.10       1 kernel_init   ran               do_one_initcall              do_basic_setup < kernel_init
      1610         90   0.90       1 kernel_init   ran               mmc_init                     
      1700         10   0.10       1 kernel_init   ran               msleep                       mmc_init
      1710        960   9.60       1 kernel_init   timer             msleep                       mmc_init; woken by process_timeout
      2670         10   0.10       1 kernel_init   runnable          msleep                       mmc_init
      2680         20   0.20       1 kernel_init   ran               msleep                       mmc_init
      2700        890   8.90       1 kernel_init   ran               mmc_init                     
      3590         10   0.10       1 kernel_init   ran               do_one_initcall              do_basic_setup < kernel_init
      3600        400   4.00       1 kernel_init   ran               do_basic_setup               kernel_init
      4000          5   0.05       1 kernel_init   ran               do_one_initcall              do_basic_setup < kernel_init
      4005         50   0.50       1 kernel_init   ran               late_probe                   
      4055          5   0.05       1 kernel_init   ran               do_one_initcall              do_basic_setup < kernel_init
      4060       5930  59.30       1 kernel_init   ran               do_basic_setup               kernel_init
      9990         10   0.10       1 kernel_init   ran               kernel_init                  

What the path waited for
 Length      %    Count   What              Function                     Called by
---------- ------ ------- ----------------- ---------------------------- --------
       960   9.60       1 timer             msleep                       woken by process_timeout

Functions with the most time of their own, on any CPU, none idle
 Length      %    Count   Function                    
---------- ------ ------- ----------------------------
      8980  89.80       1 do_basic_setup              
       500   5.00       1 mmc_init                    

The longest initcalls, and those to be tried again
 Entry      Length      %    Level    Result       Function                    
---------- ---------- ------ -------- ------------ ----------------------------
      1610       1980  19.80   device          -19 mmc_init                    
      1050        180   1.80    early            0 early_init                  
      4005         50   0.50   device EPROBE_DEFER late_probe                  
E
err 'note: calls that the filters dropped are in the time of their callers'

begin 'kd --boot: what interrupts and recording took of a line, where it is a hundredth of the boot'
{ echo 'head Callout cost = 60000 ns kept, 10 ns filtered'; start | sed '/^mark/d'; cat <<'E'
call 2000 3000 1 0 3 irq_init 100 0 600
call 2500 1000 1 0 4 quiet_init 200 0 100
call 2600 30 1 0 5 short 30
call 2700 30 1 0 5 short 30
E
} | log >"$tmp/irq.log"
{ start; cat <<'E'
call 2000 1000 1 0 3 irq_sleep 400 500 100
mark 2250 1 0 t switch 0 swapper/0
mark 2750 0 0 h wakeup 1 complete
mark 2750 0 0 t switch 1 swapper/0
E
} | log >"$tmp/irq-off.log"
run sh -c "kd --boot -t 50 '$tmp/irq.log' 2>/dev/null | sed -n '/^What tasks/,/^$/p'
	kd --boot --csv -t 1500 '$tmp/irq.log' 2>/dev/null | grep '^path'
	kd --boot --csv -t 50 '$tmp/irq-off.log' 2>/dev/null | grep '^path.*irq_sleep'"
out <<'E'
What tasks 0 and 1 did (calls of 50 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   What              Off-cpu      Irq   Recorded Function                     Called by
---------- ---------- ------ ------- ----------------- ---------- ------- -------- ---------------------------- --------
         0        100   1.00       0 ran                        0       ?        ? start_kernel                 
       100        400   4.00       0 ran                        0       0        0 setup_arch                   start_kernel
       500        400   4.00       0 ran                        0       ?        ? start_kernel                 
       900        100   1.00       0 ran                        0       ?        ? rest_init                    start_kernel
      1000         10   0.10       1 ran/waited                 ?       ?        ? kernel_init                  
      1010        990   9.90       1 ran                        0       0        0 do_basic_setup               kernel_init
      2000        500   5.00       1 ran                        0    125?       0? irq_init                     do_basic_setup < kernel_init
      2500       1000  10.00       1 ran                        0     100      120 quiet_init                   irq_init < do_basic_setup < kernel_init
      3500       1500  15.00       1 ran                        0    375?       0? irq_init                     do_basic_setup < kernel_init
      5000       4990  49.90       1 ran                        0       0        0 do_basic_setup               kernel_init
      9990         10   0.10       1 ran/waited                 ?       ?        ? kernel_init                  

path,0,1010000,10.10,,,ran,1000000,,0,,3,,,start_kernel,,,
path,1010000,990000,9.90,1,kernel_init,ran,990000,0,0,0,1,,,do_basic_setup,kernel_init,,
path,2000000,3000000,30.00,1,kernel_init,ran,3000000,600000,0,180000,1,,,irq_init,do_basic_setup < kernel_init,,
path,5000000,5000000,50.00,1,kernel_init,ran,4990000,0,0,0,2,,,do_basic_setup,kernel_init,,irq_ns recording_ns
path,2000000,250000,2.50,1,kernel_init,ran,250000,50000,0,,1,,,irq_sleep,do_basic_setup < kernel_init,,irq_ns
path,2250000,500000,5.00,1,kernel_init,unknown_wait,500000,,,,1,,,irq_sleep,do_basic_setup < kernel_init,,
path,2750000,250000,2.50,1,kernel_init,ran,250000,50000,0,,1,,,irq_sleep,do_basic_setup < kernel_init,,irq_ns
E

begin 'kd --boot: a historic log'
run kd --boot - <<'E'
Logging started at 6785045 usec by entry to function start_kernel
Logging stopped at 6795045 usec by entry to function to_userspace

 Entry      Delta      PID            Function                    Called At
--------   --------   -----   ---------------------------   -------------------------
       1         -1       0                start_kernel   L6+0x0
      14        687       0                  setup_arch   start_kernel+0x35
     900       8990       1                        init   kernel_thread+0x5
    1000       8000       1              do_basic_setup   init+0x5
    2000       3000       1              ide_init   do_basic_setup+0x12
    2100       2000       1                    schedule   ide_init+0x12
E
out <<'E'
The boot took 10.0 ms, from start_kernel to to_userspace.

Where the time went: the longest pieces of the boot, by function and task
 Length      %    Task          What              Function                     Called by
---------- ------ ------------- ----------------- ---------------------------- --------
      5000  50.00 kernel_init   ran/waited        do_basic_setup               init
      3000  30.00 kernel_init   ran/waited        ide_init                     do_basic_setup < init
       990   9.90 kernel_init   ran/waited        init                         
       687   6.87 swapper       ran               setup_arch                   start_kernel
       212   2.12 swapper       ran               start_kernel                 

The path, added up
 Length      %    What             
---------- ------ -----------------
       899   8.99 ran              
      9100  91.00 ran/waited       

Phases
 Entry      Length      %    Function                    
---------- ---------- ------ ----------------------------
         1        999   9.99 start_kernel                
      1000       8000  80.00 do_basic_setup              
      9000       1000  10.00 after initcalls: root file system
         1       9999 100.00 (the boot)                  

What tasks 0 and 1 did (calls of 10 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   What              Off-cpu    Function                     Called by
---------- ---------- ------ ------- ----------------- ---------- ---------------------------- --------
         1         13   0.13       0 ran                        0 start_kernel                 
        14        687   6.87       0 ran                        0 setup_arch                   start_kernel
       701        199   1.99       0 ran                        0 start_kernel                 
       900        100   1.00       1 ran/waited                 ? init                         
      1000       1000  10.00       1 ran/waited                 ? do_basic_setup               init
      2000       3000  30.00       1 ran/waited                 ? ide_init                     do_basic_setup < init
      5000       4000  40.00       1 ran/waited                 ? do_basic_setup               init
      9000        890   8.90       1 ran/waited                 ? init                         
      9890        110   1.10       1 ran/waited                 ? -                            

Functions with the most time of their own, on any CPU, none idle
 Length      %    Count   Function                    
---------- ------ ------- ----------------------------
      5000  50.00       1 do_basic_setup              
      1000  10.00       1 ide_init                    
       990   9.90       1 init                        
       687   6.87       1 setup_arch                  
E
err note

begin 'kd --boot: what is no log of a boot'
run sh -c "kd --boot '$DATA/format3.log'; echo \$?; kd --boot '$DATA/noexit.lst'; echo \$?; sed 's/^Log format/Rounds = 3\n&/' '$tmp/all.log' | kd --boot -; echo \$?" 
out <<'E'
2
2
2
E
err '--boot needs the names of functions'
err '--boot needs the log of a boot'
err '--boot cannot tell the iterations of a log apart: record the boot without autorepeat'

begin 'kd --boot: the boot is another run of the file'
cat "$DATA/noexit.lst" "$tmp/all.log" "$DATA/noexit.lst" >"$tmp/second.log"
run sh -c "for run in 1 2 3; do kd --boot -R \$run '$tmp/second.log' | grep -c '^The boot took'; done"
out <<'E'
0
1
0
E
status 1
err 'second.log: --boot needs the log of a boot: that is run 2 of this file: use -R 2'

begin 'kd --boot: rows were cut out, or overwritten'
{ start | sed -n '/^head/p'; cat <<'E'
call 0 - 0 0 1 start_kernel
call 100 400 0 0 2 setup_arch
dots
call 900 - 0 0 2 rest_init
call 1000 - 1 0 1 kernel_init
call 2000 500 1 0 2 one_init
E
} | log >"$tmp/gap.log"
run sh -c "
	tmp='$tmp' sh '$tmp/path' -t 50 '$tmp/gap.log'
	sed -e '/^[.]/d' -e 's/^Log format/Lost to overwriting = 7\n&/' '$tmp/gap.log' >'$tmp/over.log'
	tmp='$tmp' sh '$tmp/path' -t 50 '$tmp/over.log'"
out <<'E'
kd: note: the log has gaps (lines of dots): it is an excerpt
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 unknown start_kernel 
900 100 0 ran rest_init 
1000 1000 1 ran_or_waited kernel_init 
2000 500 1 ran one_init 
2500 7500 1 ran_or_waited kernel_init 
0 100 0 unknown start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 100 0 ran rest_init 
1000 1000 1 ran_or_waited kernel_init 
2000 500 1 ran one_init 
2500 7500 1 ran_or_waited kernel_init 
E

begin 'kd --boot: how long it took, for people'
run sh -c "
	for us in 0 999 1000 999949 999950 37077399; do
		printf 'head Logging started at 0 usec by entry to function start_kernel\n%s %s usec by %s\n%s\n' \
			'head Logging stopped at' \$us 'entry to function to_userspace' 'call 0 - 0 0 1 start_kernel' |
			awk -f '$tmp/log.awk' | kd --boot - 2>/dev/null | sed 's/, from.*//; q'
	done"
out <<'E'
The boot took 0 us
The boot took 999 us
The boot took 1.0 ms
The boot took 999.9 ms
The boot took 1.000 s
The boot took 37.077 s
E

begin 'kd --boot: what recording took of initcalls and of lines, of rows and of calls without a row'
sed -e 's/Log format = 3/Log format = 5/' -e '/ mmc_init /s/ - / below=1000 /' \
	-e '/ msleep /s/ - / below=10 /' "$tmp/all.log" >"$tmp/below.log"
run sh -c "kd --boot --csv -t 50 '$tmp/below.log' 2>/dev/null | awk -F, '
	\$1 == \"initcall\" || (\$1 == \"path\" && \$15 ~ /^(mmc_init|msleep)\$/) { print \$1, \$11, \$15 }'
	kd --boot '$tmp/below.log' 2>/dev/null | grep -A 3 '^The longest initcalls'"
out <<'E'
path 4545 mmc_init
path 166 msleep
path  msleep
path 333 msleep
path 44954 mmc_init
initcall 50596 mmc_init
initcall 0 early_init
initcall 0 late_probe
The longest initcalls, and those to be tried again
 Entry      Length    Recorded   %    Level    Result       Function                    
---------- ---------- -------- ------ -------- ------------ ----------------------------
      1610       1980      50?  19.80   device          -19 mmc_init                    
E

# What noints drops in interrupts costs more than what mintime drops. Nothing says where that was: so
# much of the time on a CPU as of the whole log.
begin 'kd --boot: what recording took in interrupts'
sed -e 's/\(Callout cost = .*\)/\1, 150 ns noints\nNo Interrupt functions filter count = 1000/' \
	"$tmp/below.log" >"$tmp/noints.log"
run sh -c "kd --boot --csv -t 50 '$tmp/noints.log' 2>/dev/null | awk -F, '
	\$1 == \"initcall\" || \$1 == \"recording\" { print \$1, \$3, \$11, \$15 }'
	kd --boot --csv -t 50 '$tmp/below.log' 2>/dev/null | awk -F, '\$1 == \"recording\" { print \$3 }'
	sed '/ mmc_init /s/[0-9]*\$/300000/' '$tmp/noints.log' | kd --boot --csv -t 50 - 2>/dev/null |
		grep '^initcall.*mmc_init' | cut -d, -f 11"
out <<'E'
recording 151600  (recording took about so much of it)
initcall 1980000 60796 mmc_init
initcall 180000 1800 early_init
initcall 50000 500 late_probe
51600
77774
E

begin 'kd --boot: what an initcall waited for took recording, too; a task beside its path did not count'
{ echo 'head Callout cost = 100 ns kept, 50 ns filtered'; start; cat <<'E'
call 1995 3500 1 0 3 do_one_initcall
call 2000 3000 1 0 4 slow_init 1300 1600
mark 2100 1 0 t wakeup 8 wake_up_process queue_work slow_init
mark 2200 1 0 t wakeup 9 wake_up_process queue_work slow_init
call 2390 1700 1 0 5 flush_work 100 1600
mark 2400 1 0 t switch 8 kworker/0:1
call 2410 - 8 0 1 worker_thread
call 2420 1540 8 0 2 process_one_work
call 2430 1400 8 0 3 slow_work
call 2500 1000 9 1 1 process_one_work
call 2510 900 9 1 2 other_work
mark 3900 8 0 t wakeup 1 wake_up_process complete slow_work
mark 4000 8 0 t switch 1 swapper/0
mark 5001 1 0 t initcall slow_init 0
call 5600 2000 1 0 3 do_one_initcall
call 5610 1000 1 0 4 timer_init 100 900
call 5650 900 10 1 1 beside
mark 5700 1 0 t switch 0 swapper/0
mark 6590 0 0 s wakeup 1 wake_up_process process_timeout
mark 6600 0 0 t switch 1 swapper/0
mark 6611 1 0 t initcall timer_init 0
E
} | log | sed -e 's/Log format = 3/Log format = 5/' -e '/ slow_init /s/ - 1/ below=20 1/' \
	-e '/ slow_work /s/ - / below=1400 /' -e '/ other_work /s/ - / below=900 /' \
	-e '/ beside /s/ - / below=900 /' >"$tmp/waits.log"
run sh -c "kd --boot --csv '$tmp/waits.log' 2>/dev/null | awk -F, '\$1 == \"initcall\" {
		print \$15, \$3, \$10, \$11, \$18 }'
	kd --boot '$tmp/waits.log' 2>/dev/null | sed -n '/^The longest initcalls/,\$p'"
out <<'E'
slow_init 3000000 1600000 71194 off_cpu_ns recording_ns
timer_init 1000000 900000 0 off_cpu_ns recording_ns
The longest initcalls, and those to be tried again
 Entry      Length    Recorded   %    Level    Result       Function                    
---------- ---------- -------- ------ -------- ------------ ----------------------------
      2000       3000      71?  30.00        ?            0 slow_init                   
      5610       1000       0?  10.00        ?            0 timer_init                  
E

begin 'kd --boot --until: the path goes on to a program, over those that made it and that it waited for'
{ start | sed -e '/^head Logging stopped/s/10070.*/30070 usec by user action/' -e 's/8980/4900/'; cat <<'E'
call 6000 - 1 0 2 to_userspace
mark 6100 1 0 t exec init
call 7000 1000 1 0 1 kernel_clone
mark 7500 1 0 t new 50 init
mark 8100 1 0 t switch 50 init
mark 8200 50 0 t exec rc
mark 9000 50 0 t new 60 rc
mark 9100 50 0 t new 61 rc
mark 9200 50 0 t switch 61 rc
mark 9300 61 0 t exec logger
call 9400 8000 61 0 1 clock_nanosleep
mark 9500 61 0 t switch 60 rc
mark 9600 60 0 t exec mount
call 10000 3000 60 0 1 mmc_wait_for_req
mark 10100 60 0 t switch 0 swapper/0
mark 12900 0 0 h wakeup 60 complete mmc_request_done dw_mci_interrupt
mark 12910 0 0 t switch 60 mount
mark 13500 60 0 t wakeup 50 wake_up_process do_notify_parent do_exit
mark 13600 60 0 t switch 50 rc
mark 14000 50 0 t exec a-name-of-15-chr
call 15000 2000 50 0 1 later
mark 16000 50 0 t exec mount
E
} | log >"$tmp/until.log"
sed -i 's/a-name-of-15-chr/a-name-of-15-ch/' "$tmp/until.log"
run path -t 50 --until /usr/bin/a-name-of-15-characters "$tmp/until.log"
out <<'E'
0 100 0 ran start_kernel 
100 400 0 ran setup_arch 
500 400 0 ran start_kernel 
900 10 0 ran rest_init 
910 90 1 runnable - 
1000 10 1 ran kernel_init 
1010 4900 1 ran do_basic_setup 
5910 90 1 ran kernel_init 
6000 100 1 ran to_userspace 
6100 900 1 ran - 
7000 500 1 ran kernel_clone 
7500 600 50 runnable - 
8100 900 50 ran - 
9000 500 60 runnable - 
9500 500 60 ran - 
10000 100 60 ran mmc_wait_for_req 
10100 2800 60 device mmc_wait_for_req mmc_request_done
12900 10 60 runnable mmc_wait_for_req 
12910 90 60 ran mmc_wait_for_req 
13000 500 60 ran - 
13500 100 50 runnable - 
13600 400 50 ran - 
E

begin 'kd --boot --until: what people read'
run sh -c "kd --boot -n 3 -t 3ms --until mount '$tmp/until.log' | sed -n '1p; /^Phases/,/^Functions/p'"
out <<'E'
The boot took 9.6 ms, from start_kernel to the start of mount.
Phases
 Entry      Length      %    Function                    
---------- ---------- ------ ----------------------------
         0        900   9.37 start_kernel                
       900        100   1.04 rest_init                   
      1000         10   0.10 kernel_init                 
      1010       4900  51.04 do_basic_setup              
      5910         90   0.93 after initcalls: root file system
      6000       3600  37.50 user space                  
         0       9600 100.00 (the boot)                  
      9600      20400      ? (later)                     

Programs that were started, up to the next one
 Entry      Length      Pid   Function                    
---------- ---------- ------- ----------------------------
      6100       2100       1 init                        
      8200       1100      50 rc                          
      9300        300      61 logger                      

The critical path (calls of 3000 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   Task          What              Function                     Called by
---------- ---------- ------ ------- ------------- ----------------- ---------------------------- --------
         0       1010  10.52       - (several)     ran 91 %          start_kernel                 
      1010       4900  51.04       1 kernel_init   ran               do_basic_setup               kernel_init
      5910       3690  38.43       - (several)     ran 70 %          -                            

Functions with the most time of their own, on any CPU, none idle
E

begin 'kd --boot --until: a task has the name of the program that it executed then'
run sh -c "kd --boot -t 50 --csv --until a-name-of-15-ch '$tmp/until.log' |
	awk -F, '\$1 == \"path\" && \$2 >= 6000000 { print \$2 / 1000, \$6 }
		\$1 == \"longest\" { print \$6, \$3 / 1000, \$15 }'"
out <<'E'
kernel_init 4900 do_basic_setup
mount 3000 mmc_wait_for_req
init 1500 
rc 1000 
init 900 
6000 kernel_init
6100 init
7000 init
7500 init
8100 init
9000 rc
9500 rc
10000 mount
10100 mount
12900 mount
12910 mount
13000 mount
13500 rc
13600 rc
E

begin 'kd --boot --until: the first program; one that was not started; a log that ends before'
run sh -c "kd --boot --until /sbin/init '$tmp/until.log' | head -n 1
	sed '/ to_userspace /d' '$tmp/until.log' | kd --boot --until rc - | sed -n '1p; /user space/p'
	kd --boot --until logge '$tmp/until.log'; echo \$?
	kd --boot --until init '$tmp/all.log'; echo \$?
	kd --html '$tmp/until.html' --until other '$tmp/until.log'; echo \$?
	kd --until init '$tmp/until.log'; echo \$?"
out <<'E'
The boot took 6.1 ms, from start_kernel to the start of /sbin/init.
The boot took 8.2 ms, from start_kernel to the start of rc.
      6100       2100  25.60 user space                  
2
2
2
2
E
err 'until.log: --until logge: it was not started; programs that were: '
err 'all.log: --until init: the log has no start of a program after to_userspace: record the boot with mark wakeups, and go on after it'
err 'until.log: --until other: it was not started; programs that were: '
err '--until can only be used with --boot or --html'

begin 'kd --boot --until --without: when a program would start without a function'
run sh -c "kd --boot --csv --until a-name-of-15-ch --without mmc_wait_for_req '$tmp/until.log' |
	awk -F, '\$1 ~ /^(boot|removed|without)/ { print \$1, \$3 / 1000 }'"
out <<'E'
boot 14000
removed 3000
removed_on_path 3000
without_least 11000
without_most 11000
E
