# SPDX-License-Identifier: GPL-2.0
# kd: logs of other tracers: ftrace, trace-cmd, initcall_debug.
FOREIGN=$DATA/foreign

begin 'kd: function_graph without times and tasks: durations, interrupts, modules'
run_csv sh -c 'kd --csv -c -l - 2>/dev/null <<E
# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 1)               |  sys_write() {
 1)   0.137 us    |    __fdget_pos();
 1)   ==========> |
 1)               |    irq_entry() {
 1)   1.000 us    |      handle();
 1)   2.500 us    |    }
 1)   <========== |
 1) ! 187.200 us  |  } /* sys_write */
 ------------------------------------------
 1)   bash-12   =>   sshd-34   
 ------------------------------------------

 1)   0.500 us    |  foo [ext4]();
 0) * 12345.67 us |  } /* not entered */
E'
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,thread,level,function,unsure
,187200,184563,12,bash,1,0,1,sys_write,
,137,137,12,bash,1,0,2,__fdget_pos,
,2500,1500,-1,,1,1,1,irq_entry,
,1000,1000,-1,,1,1,2,handle,
,500,500,34,sshd,1,2,1,foo[ext4],
E

begin 'kd: function_graph without times: what needs them says so'
run sh -c 'echo " 0)   0.5 us    |  foo();" >"$0/none.trace"
	for how in --boot --first --gaps "--export chrome" "--html x" "-c -i" "--to 1us"; do
		kd $how "$0/none.trace" >/dev/null 2>&1; echo $?; done | tr "\n" " "
	kd --export folded "$0/none.trace"; kd --record "$0/none.trace"; echo $?' "$tmp"
out <<'E'
2 2 2 2 2 2 2 (tasks);foo 500
1
E
err 'none.trace: --record needs the times of entry, and the trace has none: set the option funcgraph-abstime, or use trace-cmd'

begin 'kd: a boot in the log of another tracer begins with its first initcall'
run sh -c '{ echo " 8.100000 |   0)  swapper-1  |  do_one_initcall() {"; echo " 8.100100 |   0)  swapper-1  | 50.000 us | a();"
	echo " 8.200000 |   0)  swapper-1  | 100000.000 us | }"; echo " 8.300000 |   0)  swapper-1  | 10.000 us | to_userspace();"; } >"$0/initcall.trace"
	kd --boot "$0/initcall.trace" | head -n 1; kd --export bootchart "$0/initcall.trace" | grep -o "The boot took[^<]*"' "$tmp"
out <<'E'
The boot took 200.0 ms, from the first initcall of the log to to_userspace.
The boot took 200.0 ms, from the first initcall of the log to to_userspace
E
err note

begin 'kd: function_graph with all columns: time, cpu, task, flags, overhead, tail, result, arguments'
run_csv kd --csv -c -l - <<'E'
# tracer: function_graph
 8.100000 |   0)  <...>-7      |  d..1. |               |  a(x=0x1, y={1;2}) {
 8.100010 |   0)  <...>-7      |  d.h1. |   1.500 us    |    b(); /* = 0x0 */
 8.100020 |   0)  my task-7    |  d..1. | + 20.000 us   |  } /* a ret=-22 */
 8.100030 |   1)   sh-8        |  ....  |               |  c() { /* <-d+0x1/0x2 */
 8.100031 |   1)   sh-8        |  ....  |               |    /* my_event: x=1 */
 8.100032 |   1)   sh-8        |  ....  |               |    /* text of trace_printk */
 8.100040 |   1)   sh-8        |  ....  | $ 1000000 us  |  }
E
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,thread,level,function,unsure
0,20000,18500,7,my task,0,0,1,a,
10000,1500,1500,-1,,0,1,1,b,
30000,1000000000,1000000000,8,sh,1,2,1,c,
E

begin 'kd: function_graph without durations: from the times; a leaf has none'
run_csv sh -c 'kd --csv -c -f etl - 2>&1 <<E
# tracer: function_graph
 8.100000 |   0)  a() {
 8.100010 |   0)    b();
 8.100020 |   0)  }
E'
out <<'E'
entry_ns,duration_ns,local_ns,cpu,thread,level,function,unsure
0,20000,20000,0,0,1,a,local_ns
10000,,,0,0,2,b,
kd: note: 1 of 2 calls had not returned or have no exit: they are counted, but not in Time
kd: note: ?: the best this log allows: calls below have no exit, or do not nest
E

begin 'kd: trace-cmd report: tasks with blanks, switches are Off-ns, other events are marks'
run_csv sh -c 'cat >"$0/t" <<E
cpus=2
           gdbus-2341  [001]  8364.697427: funcgraph_entry:                   |  sys_write() {
           gdbus-2341  [001]  8364.697431: funcgraph_entry:        0.137 us   |    __fdget_pos();
           gdbus-2341  [001]  8364.697432: sched_switch:         gdbus:2341 [120] S ==> swapper/1:0 [120]
          <idle>-0     [001]  8364.697490: sched_wakeup:         gdbus:2341 [120] success=1 CPU:001
          <idle>-0     [001]  8364.697500: sched_switch:         prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R+ ==> next_comm=gdbus next_pid=2341 next_prio=120
   Socket Thread-2791  [000]  8364.697501: block_rq_insert: 8,16 W 0 () 495704 + 24 [dd]
           gdbus-2341  [001]  8364.697614: funcgraph_exit:       ! 187.200 us |  }
E
kd --csv -f Ftlw "$0/t" && kd --csv -k "$0/t"' "$tmp"
out <<'E'
function,time_ns,local_ns,off_cpu_ns,unsure
sys_write,187200,119063,68000,
__fdget_pos,137,137,0,
entry_ns,cpu,task,comm,ctx,mark,unsure
5000,1,2341,gdbus,t,switch 0 swapper/1,
63000,1,0,swapper,t,wakeup 2341,
73000,1,0,swapper,t,preempt 2341 gdbus,
74000,0,2791,Socket Thread,t,"block_rq_insert 8,16 W 0 () 495704 + 24 [dd]",
E

begin 'kd: the function tracer: counts and callers, no time'
run_csv kd --csv --first - <<'E'
# tracer: function
            bash-12      [000] d..1.   100.000001: vfs_read <-ksys_read
            bash-12      [000] d.s1.   100.000002: kfree <-vfs_read
            bash-12      [000] .....   100.000003: function:             vfs_read <-- ksys_read
E
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,ctx,function,caller,unsure
0,,,12,bash,0,t,vfs_read,ksys_read,
1000,,,-1,,0,s,kfree,vfs_read,
E
err 'note: 3 of 3 calls had not returned or have no exit'

begin 'kd: the function tracer: offsets, addresses, modules and arguments are not in a name'
run_csv kd --csv --first - <<'E'
# tracer: function
 cat-100 [000] ..... 100.000001: vfs_read <-ksys_read
 cat-100 [000] ..... 100.000002: vfs_read(file=0x1, buf=0x2 [3], count=4) <-ksys_read
 cat-100 [000] ..... 100.000003: vfs_write+0x4/0x480 <-ksys_read+0x68/0xf0
 cat-100 [000] ..... 100.000004: vfs_write <ffffffff81234560> <-ksys_read <ffffffff81234999>
 cat-100 [000] ..... 100.000005: ext4_sync+0x4/0x480 [ext4] <ffffffffc0001234>(inode=0x1) <-vfs_sync+0x4/0x8 [vfs]
 cat-100 [000] ..... 100.000006: vfs_open <-[unknown/kretprobe'd]
E
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,ctx,function,caller,unsure
0,,,100,cat,0,t,vfs_read,ksys_read,
2000,,,100,cat,0,t,vfs_write,ksys_read,
4000,,,100,cat,0,t,ext4_sync[ext4],vfs_sync[vfs],
5000,,,100,cat,0,t,vfs_open,[unknown/kretprobe'd],
E
err note

begin 'kd: a kretprobe, and an event whose text has an arrow, are no calls of the function tracer'
cat >"$tmp/arrows" <<'E'
# tracer: function
#
             cat-100     [000] .....   100.000001: vfs_read <-ksys_read
             cat-100     [000] .....   100.000002: myret: (ksys_read+0x68/0xf0 <- vfs_read) ret=4
             cat-100     [000] .....   100.000003: tracing_mark_write: cache <- disk
             cat-100     [000] .....   100.000004: vfs_read(file=0x1, mode: 2) <-ksys_read
E
run sh -c 'kd --csv -f function,count "$0"; kd --csv -k "$0"' "$tmp/arrows"
out_has 'vfs_read,2,'
out_has '1000,0,100,cat,t,myret (ksys_read+0x68/0xf0 <- vfs_read) ret=4,'
out_has '2000,0,100,cat,t,tracing_mark_write cache <- disk,'
err '2 of 2 calls had not returned or have no exit'

begin 'kd: the function tracer: repeated calls are counted for the task of the first one'
run_csv sh -c 'cat >"$0/t" <<E
# tracer: function
 cat-100 [000] ..... 100.000001: vfs_read <-ksys_read
 cat-100 [001] ..... 100.000002: vfs_write <-ksys_write
  sh-101 [000] ..... 100.000020: vfs_read <-ksys_read (repeats: 3, last_ts:  100.000010)
  sh-101 [000] ..... 100.000020: vfs_open <-do_open
  sh-101 [000] d.h1. 100.000030: func_repeats:          vfs_open <-do_open	(repeats:2  delta: -10)
  sh-101 [001] ..... 100.000040: vfs_read <-ksys_read (repeats: 1, last_ts:  100.000039)
E
kd --csv -f Fc -s c "$0/t" && kd --csv -c -f ep "$0/t" 2>/dev/null' "$tmp"
out <<'E'
function,count,unsure
vfs_read,5,
vfs_open,3,
vfs_write,1,
entry_ns,pid,cpu,thread,level,function,unsure
0,100,0,0,1,vfs_read,
1000,100,1,0,1,vfs_write,
19000,100,0,0,1,vfs_read,
19000,100,0,0,1,vfs_read,
19000,100,0,0,1,vfs_read,
19000,101,0,1,1,vfs_open,
29000,101,0,1,1,vfs_open,
29000,101,0,1,1,vfs_open,
39000,101,1,1,1,vfs_read,
E
err 'note: calls that the trace has only counted (func-no-repeats): 6; their Entry is the time of the next call'

begin 'kd: the function tracer: a number of repeats that it does not write'
run sh -c 'for n in 0 65535 65536 x; do
	echo " cat-100 [000] ..... 100.000020: vfs_read <-ksys_read (repeats: $n, last_ts: 100.000010)"; done |
	kd --csv -f Fc -'
status 1
out_has 'vfs_read,65535,'
err 'kd: standard input:1:45: not a caller, and a number of repeats from 1 to 65535: '
err '3 such lines left out'

begin 'kd: lost events: calls that were open have no duration, exits of them are no others'
run_csv sh -c 'kd --csv -c -f etl - 2>&1 <<E
 1.000000 |   0)               |  a() {
CPU:0 [LOST 17 EVENTS]
 1.000100 |   0)   2.000 us    |  }
 1.000200 |   0)   1.000 us    |  b();
E'
out <<'E'
entry_ns,duration_ns,local_ns,cpu,thread,level,function,unsure
0,,,0,0,1,a,
200000,1000,1000,0,0,1,b,
kd: note: calls without an entry, which was lost or came before the trace: 1, left out
kd: note: 1 of 2 calls were unwound by an outer return: they are counted, but not in Time
kd: note: events lost while tracing: 17: calls that were open then have no duration
E

begin 'kd: lost events: the end of an interrupt may be among them'
run sh -c 'cat >"$0/t" <<E
# tracer: function_graph
   10.000000 |   0)  cat-100      |               |  vfs_read() {
   10.000010 |   1)   sh-101      |               |  vfs_fsync() {
   10.000020 |   1)   sh-101      |   ==========> |
   10.000030 |   1)   sh-101      |               |    irq_enter() {
   10.000100 |   0)  cat-100      |   ==========> |
   10.000101 |   0)  cat-100      |               |    irq_enter() {
CPU:0 [LOST 100 EVENTS]
   10.100000 |   0)  cat-100      |   1.000 us    |    vfs_statx();
   10.100010 |   1)   sh-101      |   1.000 us    |      handle();
   10.200000 |   0)  cat-100      | @ 100000.0 us |  vfs_write();
   10.300000 |   1)  cat-100      | $ 1000000 us  |  vfs_open();
E
for c in t h; do kd --csv --first --ctx $c "$0/t" 2>/dev/null | grep -v "^#" | cut -d, -f1,4,8; done' "$tmp"
out <<'E'
entry_ns,pid,function
0,100,vfs_read
10000,101,vfs_fsync
100000000,100,vfs_statx
200000000,100,vfs_write
300000000,100,vfs_open
entry_ns,pid,function
30000,-1,irq_enter
100010000,-1,handle
E

begin 'kd: the end of an interrupt that is missing: the task goes on, also on another CPU'
run_csv kd --csv -c -f ep - <<'E'
# tracer: function_graph
   10.000000 |   0)  cat-100      |               |  vfs_read() {
   10.000001 |   0)  cat-100      |   ==========> |
   10.000002 |   0)  cat-100      |               |    irq_enter() {
   10.000003 |   0)  cat-100      |   1.000 us    |  vfs_write();
   10.000010 |   0)  cat-100      |               |  vfs_open() {
   10.000011 |   0)  cat-100      |   ==========> |
   10.000012 |   0)  cat-100      |               |    irq_enter() {
   10.000013 |   1)  cat-100      |   1.000 us    |    may_open();
E
out <<'E'
entry_ns,pid,cpu,thread,level,function,unsure
0,100,0,0,1,vfs_read,
2000,-1,0,1,1,irq_enter,
3000,100,0,0,1,vfs_write,
10000,100,0,0,1,vfs_open,
13000,100,1,0,2,may_open,
12000,-1,0,1,1,irq_enter,
E
err note

begin 'kd: an interrupt of an interrupt: the end of the inner one does not end the outer one'
run_csv kd --csv -c -f tp - <<'E'
# tracer: function_graph
   10.000000 |   0)  cat-100      |               |  vfs_read() {
   10.000001 |   0)  cat-100      |   ==========> |
   10.000002 |   0)  cat-100      |               |    irq_entry() {
   10.000003 |   0)  cat-100      |               |      do_softirq() {
   10.000004 |   0)  cat-100      |   ==========> |
   10.000005 |   0)  cat-100      |   1.000 us    |        irq_entry();
   10.000006 |   0)  cat-100      |   <========== |
   10.000007 |   0)  cat-100      |   1.000 us    |        run_timer();
   10.000008 |   0)  cat-100      |   5.000 us    |      }
   10.000009 |   0)  cat-100      |   7.000 us    |    }
   10.000009 |   0)  cat-100      |   <========== |
   10.000010 |   0)  cat-100      |   1.000 us    |    fsnotify();
   10.000011 |   0)  cat-100      | + 11.000 us   |  }
E
out <<'E'
duration_ns,pid,cpu,thread,level,function,unsure
11000,100,0,0,1,vfs_read,
1000,100,0,0,2,fsnotify,
7000,-1,0,1,1,irq_entry,
5000,-1,0,1,2,do_softirq,
1000,-1,0,1,3,irq_entry,
1000,-1,0,1,3,run_timer,
E

begin 'kd: a line that ftrace does not write: file, line, column, and the rest is read'
run kd --csv -f Fc - <<'E'
 0)   0.5 us    |  foo();
 0)   0.5 us    |  foo(
E
status 1
out_has 'foo,1,'
err 'kd: standard input:2:20: neither a call nor a } nor an event of the function graph tracer: " 0)   0.5 us    |  foo("; 1 such line left out'

begin 'kd --input: the format of another tracer, and a log of KFI'
run sh -c "for f in initcalls ftrace trace.dat perf qemu; do kd --input \$f '$DATA/format3.log'; echo \$?; done
	kd --input ftrace '$DATA/raw64le.raw'"
out <<'E'
2
2
2
2
2
E
status 2
err 'format3.log: --input initcalls: this is a log of KFI: leave out --input'
err 'format3.log: --input ftrace: this is a log of KFI: leave out --input'
err 'format3.log: --input trace.dat: this is a log of KFI: leave out --input'
err 'format3.log: --input perf: this is a log of KFI: leave out --input'
err 'format3.log: --input qemu: this is a log of KFI: leave out --input'
err 'raw64le.raw: --input ftrace: this is a log of KFI: leave out --input'

begin 'kd --input: another format than the content has, and one that there is not'
run sh -c 'echo hello | kd --input ftrace -; echo $?; kd --input other x; echo $?; echo " 0)   0.5 us    |  foo();" | kd --input kfi -; echo $?
	echo hello | kd --input trace.dat -; echo $?'
out <<'E'
2
2
2
2
E
err 'kd: standard input:1:1: not a text of ftrace: neither a call nor a } nor an event of the function graph tracer: "hello"'
err 'kd: --input other: no such format: kfi, ftrace, trace.dat, qemu, initcalls'
err 'kd: standard input: not a KFI log: no line of dashes before the calls'
err 'kd: standard input: not a trace.dat of trace-cmd'

begin 'kd: programs are told which format was read'
run sh -c 'cd "$1" || exit
	printf "[ 0.1] %s\n" "calling  foo_init+0x0/0x40 @ 1" "initcall foo_init+0x0/0x40 returned 0 after 1 usecs" >"$0/t"
	for f in graph.txt trace.dat.xz "--vmlinux qemu.vmlinux qemu.txt" perf.txt.xz - ../format3.lst; do
		kd --csv $f <"$0/t" 2>/dev/null | sed -n "s/^# format: //p"
		kd --json $f <"$0/t" 2>/dev/null | grep -o "\"format\":[^,]*"
	done
	kd --diff --csv misc-kfi.lst misc-graph.txt 2>/dev/null | grep "^# format"
	kd --diff --json misc-kfi.lst misc-graph.txt 2>/dev/null | grep -o "\"format\":[^,]*"' "$tmp" "$FOREIGN"
out <<'E'
ftrace
"format":"ftrace"
trace.dat
"format":"trace.dat"
qemu
"format":"qemu"
perf
"format":"perf"
initcalls
"format":"initcalls"
kfi
"format":"kfi"
"format":null
E

begin 'kd: initcall_debug: initcalls with results, of several tasks, and probes'
run_csv sh -c 'cat >"$0/t" <<E
[    0.000000] Linux version 6.12
[    0.123456] calling  foo_init+0x0/0x40 @ 1
[    0.123556] something else
[    0.124456] initcall foo_init+0x0/0x40 returned 0 after 1000 usecs
<6>[    0.125000][    T1] calling  bar_init+0x0/0x10 [bar] @ 17
[    0.125100] calling  baz_init+0x0/0x10 @ 1
[    0.125200] probe of 12345.uart returned 0 after 45 usecs
[    0.125300] initcall bar_init+0x0/0x10 [bar] returned -19 after 300 usecs
[    0.175300] initcall baz_init+0x0/0x10 returned 0 after 50200 usecs
[    0.500000] Run /sbin/init as init process
E
kd --csv --initcalls "$0/t"; kd --csv -k "$0/t"; kd --boot "$0/t" 2>/dev/null | head -1' "$tmp"
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,level,result,function,unsure
123456000,1000000,1000000,1,init,,0,foo_init,
125000000,300000,300000,17,,,-19,bar_init[bar],
125100000,50200000,50200000,1,init,,0,baz_init,
entry_ns,cpu,task,comm,ctx,mark,unsure
124456000,,1,,t,initcall foo_init 0,
125200000,,,,t,probe 12345.uart returned 0 after 45 us,
125300000,,17,,t,initcall bar_init[bar] -19,
175300000,,1,,t,initcall baz_init 0,
500000000,,1,init,t,exec init,
The boot took 376.5 ms, from the first initcall of the log to the first program.
E

begin 'kd --initcalls: without times of printk the entry is unknown, and not 0'
run sh -c 'printf "calling  foo_init+0x0/0x40 @ 1\ninitcall foo_init+0x0/0x40 returned 0 after 50 usecs\n" >"$0/u"
	kd --csv --initcalls "$0/u" | tail -n 1; kd --initcalls "$0/u" | tail -n 1 | tr -s " "' "$tmp"
out <<'E'
,50000,50000,1,,,0,foo_init,
 ? 50 50 1 ? 0 foo_init 
E

begin 'kd: a KFI log behind initcalls on a console is the log'
run_csv sh -c '{ echo "[    0.1] calling  foo_init+0x0/0x40 @ 1"; cat "$0"; } | kd --csv --first --pid 1 -n 1 - 2>/dev/null' "$DATA/format3.lst"
out_has '6000000,,,1,,1,t,kernel_init,-,'

begin 'kd --diff: a KFI log and a function graph of the same functions'
run_csv sh -c 'cat >"$0/t" <<E
# tracer: function_graph
 0)               |  create_dir() {
 0)  1150.000 us  |    create_dir();
 0)  1800.000 us  |  }
E
kd --csv --diff --func create_dir "$1" "$0/t" 2>/dev/null' "$tmp" "$DATA/format3.lst"
out_has 'create_dir,600000,1800000,1200000,200.00,,2,2,untested,'

begin 'kd: a call that is rounded past the end of its caller stays in it, in trees and exports'
run_csv sh -c 'cat >"$0/t" <<E
 1.000000 |   0)               |  outer() {
 1.000001 |   0)   0.900 us    |    first();
 1.000001 |   0)   0.900 us    |    outer();
 1.000002 |   0)   1.900 us    |  }
 1.000001 |   0)   0.100 us    |  next();
E
kd --csv -f Fct - <"$0/t" 2>/dev/null; kd --export folded "$0/t" 2>/dev/null; kd --export chrome "$0/t" 2>/dev/null | grep -o "\"tid.*dur\":[^,]*"' "$tmp"
out <<'E'
function,count,time_ns,unsure
outer,2,1900,
first,1,900,
next,1,100,
(tasks);outer 100
(tasks);outer;first 900
(tasks);outer;outer 900
(tasks);next 100
"tid":1,"ts":0.000,"name":"outer","dur":1.900
"tid":1,"ts":1.000,"name":"first","dur":0.900
"tid":1,"ts":1.900,"name":"outer","dur":0.000
"tid":1,"ts":1.900,"name":"next","dur":0.100
E

# What awk makes of the lines of a function graph: calls, and the sum of all durations in ns.
cat >"$tmp/graph.awk" <<'E'
/\(\)( {|;)/ { calls++ }
/ us / { for (i = 1; i <= NF; i++) if ($i == "us") ns += int($(i - 1) * 1000 + 0.5) }
END { print calls, ns }
E

begin 'kd: function_graph of a real kernel: all calls and all durations are there'
run sh -c 'awk -f "$0" "$1"; kd --csv -c -l -K "$1" 2>/dev/null | grep -v "^#" |
	awk -F, "NR > 1 { n++; ns += \$2 } END { print n, ns }"' "$tmp/graph.awk" "$FOREIGN/graph.txt"
out <<'E'
522 183635741
522 183635741
E

begin 'kd: function_graph of a real kernel: flags, trace_pipe with lost events, compressed, a pipe'
run sh -c 'cd "$0" || exit; for f in graph-latency.txt graph-pipe.txt; do gzip -c $f | kd --csv -f Fc - 2>/dev/null | grep -v "^#" |
	awk -F, "NR > 1 { n += \$2 } END { print n }"; done
	grep -cE "\(\)( \{|;)" graph-latency.txt graph-pipe.txt' "$FOREIGN"
out <<'E'
204
194
graph-latency.txt:204
graph-pipe.txt:194
E

begin 'kd: the function tracer of a real kernel, and system calls and a kprobe among it'
run sh -c 'cd "$0" || exit; kd --csv -f Fc function.txt 2>/dev/null | grep -v "^#" | awk -F, "NR > 1 { n += \$2 } END { print n }"
	grep -c " <-" function.txt; kd -k function.txt 2>/dev/null | awk "NR > 2 { print \$6 }" | sort | uniq -c | tr -s " "
	grep -oE "(sys_enter|sys_exit|myopen):" function.txt | sort | uniq -c | tr -s " "' "$FOREIGN"
out <<'E'
140
140
 49 syscall
 49 sysret
 49 sys_enter:
 49 sys_exit:
E

begin 'kd: trace.dat: a file, compressed, a pipe'
run sh -c 'xz -dc "$1" >"$0/t.dat"; for how in "$0/t.dat" "$1"; do kd -n 1 "$how" 2>/dev/null | tail -1; done
	kd -n 1 - <"$0/t.dat" 2>/dev/null | tail -1; cat "$0/t.dat" | kd --input trace.dat -n 1 - 2>/dev/null | tail -1
	kd -k "$0/t.dat" 2>/dev/null | awk "NR > 2 { print \$6 }" | sort | uniq -c | tr -s " "' "$tmp" "$FOREIGN/trace.dat.xz"
out <<'E'
mutex_unlock                            4    26401     6600    26004
mutex_unlock                            4    26401     6600    26004
mutex_unlock                            4    26401     6600    26004
mutex_unlock                            4    26401     6600    26004
 19 preempt
 23 switch
 21 wakeup
E

begin 'kd: trace.dat: counts, totals and events are those of trace-cmd report'
needs_command trace-cmd
run_csv sh -c 'xz -dc "$1" >"$0/t.dat"; trace-cmd report -t -i "$0/t.dat" >"$0/report" 2>/dev/null
	for f in "$0/t.dat" "$0/report"; do kd --csv -f Fct "$f" 2>/dev/null | grep -v "^#" | sort >"$f.sums"; kd --csv -k "$f" 2>/dev/null >"$f.marks"; done
	cmp "$0/t.dat.sums" "$0/report.sums" && awk -F, "/^[a-z_]*,[0-9]/ { n += \$2 } END { print n }" "$0/t.dat.sums"
	grep -c "sched_switch:" "$0/report"; grep -cE ",(switch|preempt) " "$0/t.dat.marks"' "$tmp" "$FOREIGN/trace.dat.xz"
out <<'E'
386
42
42
E

begin 'kd: trace.dat: trace-cmd report --profile has the same functions, with as many returns'
needs_command trace-cmd
run sh -c 'xz -dc "$1" >"$0/t.dat"
	trace-cmd report --profile "$0/t.dat" 2>/dev/null |
		sed -n "s/^ *Event: func: \(.*\)() (\([0-9]*\)) .*/\1 \2/p" |
		awk "{ n[\$1] += \$2 } END { for (f in n) print f, n[f] }" | sort >"$0/profile"
	kd --csv "$0/t.dat" 2>/dev/null | sed "/^#/d" |
		awk -F, "NR > 1 && \$2 > \$16 { print \$1, \$2 - \$16 }" | sort >"$0/calls"
	cmp "$0/profile" "$0/calls" && wc -l <"$0/calls"' "$tmp" "$FOREIGN/trace.dat.xz"
out <<'E'
109
E

begin 'kd: trace.dat: one that is cut off is none'
run sh -c 'xz -dc "$1" | head -c 20000 >"$0/t.dat"; kd "$0/t.dat"' "$tmp" "$FOREIGN/trace.dat.xz"
status 2
err 'libtracecmd cannot read this trace.dat: it is damaged, incomplete, or of a newer version'

begin 'kd: trace.dat: one whose data is cut off does not end kd with a signal'
run sh -c 'xz -dc "$1" | head -c 1150000 >"$0/t.dat"; kd "$0/t.dat"' "$tmp" "$FOREIGN/trace.dat.xz"
status 2
err 'libtracecmd cannot read this trace.dat: it is damaged, incomplete, or of a newer version'

begin "only kd needs the libraries for logs of other tracers"
needs_command ldd
run sh -c 'for p in addr2sym sym2addr kfi-check-conf kfi-capture kd; do
	echo "$p $(ldd "$1/$p" | grep -cE "libcapstone|libtracecmd")"; done' sh "$BIN"
out <<'X'
addr2sym 0
sym2addr 0
kfi-check-conf 0
kfi-capture 0
kd 2
X

begin 'kd -f C, --callers: a caller without calls whose name is the last one of the trace'
run sh -c "{
	echo '# tracer: function'
	for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
		echo \"  <idle>-0       [000] d.s2.     1.0000\$i: f\$i <-f\$i\"
	done
	echo '  <idle>-0       [000] d.s2.     1.000016: f16 <-caller'
} >'$tmp/last'; kd -f FcC -s +F '$tmp/last' | tail -n 2; kd --callers f16 -f Fc '$tmp/last' | tail -n 1"
out <<'E'
f15                                     1       1
f16                                     1       1
caller                                  1
E
err note

begin 'kd: several boots of initcall_debug on a console are runs, and -R shows one of them'
cat >"$tmp/boots" <<'E'
[    0.000000] Linux version 6.12
[    0.123456] calling  foo_init+0x0/0x40 @ 1
[    0.124456] initcall foo_init+0x0/0x40 returned 0 after 1000 usecs
[    0.125100] calling  open_init+0x0/0x10 @ 1
Linux version 6.12, as a program prints it
[    0.126000] calling  bar_init+0x0/0x40 @ 1
[    0.000000] Linux version 6.12
[    0.000000] Linux version 6.12, a boot without initcall_debug
[    0.000000] Linux version 6.12
[    0.123456] calling  foo_init+0x0/0x40 @ 1
[    0.124456] initcall foo_init+0x0/0x40 returned 0 after 3000 usecs
[    0.130000] initcall open_init+0x0/0x10 returned 0 after 9 usecs
[    0.500000] Run /sbin/init as init process
[    0.020000] calling  foo_init+0x0/0x40 @ 1
[    0.030000] initcall foo_init+0x0/0x40 returned 0 after 7000 usecs
E
run sh -c 'for r in "" "-R 2" "-R 3"; do kd $r --csv -f Fct "$0" | sed "/^# [^rts]/d; /^#.*us:/d"; done
	kd --csv -k -R 2 "$0" | tail -n 2; kd -R 4 "$0"' "$tmp/boots"
status 2
out <<'E'
# run: 1
# run_id: 0
function,count,time_ns,unsure
foo_init,1,1000000,
bar_init,1,,
open_init,1,,
# run: 2
# run_id: 0
function,count,time_ns,unsure
foo_init,1,3000000,
# run: 3
# run_id: 0
function,count,time_ns,unsure
foo_init,1,7000000,
124456000,,1,,t,initcall foo_init 0,
500000000,,1,init,t,exec init,
E
err 'note: the log has 3 runs, the first is shown: -R NUM shows another'
err 'note: run 1: 3 calls'
err 'note: run 2: 1 calls'
err 'note: calls without an entry, which was lost or came before the trace: 1, left out'
err 'boots: no run 4: the log has 3'

begin 'kd: without times of printk the line of the kernel version begins another boot'
run sh -c 'printf "%s\n" "calling  foo_init+0x0/0x40 @ 1" "initcall foo_init+0x0/0x40 returned 0 after 50 usecs" >"$0/u"
	{ cat "$0/u"; echo "Linux version 6.12"; cat "$0/u"; } | kd --csv -f Fc - | tail -n 1' "$tmp"
out <<'E'
foo_init,1,
E
err 'note: the log has 2 runs'

begin 'kd: a second header of ftrace, and of trace-cmd report, begins another run'
run sh -c 'cat "$1/misc-graph.txt" "$1/graph.txt" "$1/function.txt" >"$0/three"
	for f in misc-graph graph function; do kd --csv "$1/$f.txt" 2>/dev/null | sed "/^#/d" >"$0/$f"; done
	kd --csv "$0/three" 2>"$0/notes" | sed "/^#/d" | cmp - "$0/misc-graph"; grep -c "run [123]:" "$0/notes"
	kd --csv -R 2 "$0/three" 2>/dev/null | sed "/^#/d" | cmp - "$0/graph"
	kd --csv -R 3 "$0/three" 2>/dev/null | sed "/^#/d" | cmp - "$0/function"
	printf "%s\n" "cpus=1" " a-1 [000] 5.000001: function: f <-- g" >"$0/report"
	cat "$0/report" "$0/report" | kd --csv -f Fc - 2>/dev/null | tail -n 1' "$tmp" "$FOREIGN"
out <<'E'
3
f,1,
E

begin 'kd: ftrace dumped on a console by two boots: tasks of one are not those of the other'
run sh -c 'kd --input ftrace --csv -R 2 -c -f tpk - 2>/dev/null <<E | sed "/^#/d"
[   10.000000]  0) bash-12   =>   one-34
[   10.000001]  0)               |  foo() {
[    0.000000] Linux version 6.12
[   10.000000]  0)               |    bar() {
[   10.000001]  0)   7.500 us    |    }
[   10.000002]  0)   9.000 us    |  }
E'
out <<'E'
duration_ns,pid,comm,cpu,thread,level,function,unsure
7500,,,0,0,1,bar,
E

begin 'kd: ftrace dumped on a console by two boots, with the time of a host before that of printk'
run sh -c 'kd --input ftrace --csv -R "$0" -c -f tpk - 2>/dev/null <<E | sed "/^#/d"
12:00:01 [   10.000000]  0) bash-12   =>   one-34
12:00:01 <4>[   10.000001]  0)   7.500 us    |  foo();
12:01:01 <5>[    0.000000] Linux version 6.12
12:01:11 <4>[   10.000000]  0)               |  bar() {
12:01:11.5 [   10.000001]  0)   7.500 us    |    foo();
12:01:11.5 [   10.000002]  0)   9.000 us    |  }
E' 2
out <<'E'
duration_ns,pid,comm,cpu,thread,level,function,unsure
9000,,,0,0,1,bar,
7500,,,0,0,2,foo,
E

begin 'kd: several outputs of perf script: a header, or a time that steps back, begins another run'
run sh -c 'xz -dc "$1/perf.txt.xz" >"$0/one"; printf "# ========\n# captured on    : Mon\n# ========\n" >"$0/head"
	cat "$0/one" "$0/one" >"$0/two"; cat "$0/head" "$0/one" "$0/head" "$0/one" "$0/head" >"$0/three"
	for f in one two three; do kd --csv --event cpu-clock -f Fc "$0/$f" 2>"$0/$f.notes" | sed "/^#/d" >"$0/$f.csv"; done
	cmp "$0/one.csv" "$0/two.csv"; cmp "$0/one.csv" "$0/three.csv"
	kd --csv -f Fc -R 2 "$0/three" 2>/dev/null | sed "/^#/d" | cmp - "$0/one.csv"
	grep "run [0-9]:" "$0/two.notes" "$0/three.notes" | sed "s/.*kd/kd/"' "$tmp" "$FOREIGN"
out <<'E'
kd: note: run 1: 98 samples
kd: note: run 2: 98 samples
kd: note: run 1: 98 samples
kd: note: run 2: 98 samples
E

begin 'kd: several trace.dat in one file: rejected; several boots in a trace of QEMU: a note'
run sh -c 'cd "$1" || exit; xz -dc trace.dat.xz >"$0/t.dat"; cat "$0/t.dat" "$0/t.dat" >"$0/two.dat"
	kd "$0/two.dat"; echo $?; kd - <"$0/two.dat"; echo $?; cat "$0/two.dat" | kd -; echo $?
	cat qemu.txt qemu.txt | kd --vmlinux qemu.vmlinux --func start_kernel -f Fc - | tail -n 1' "$tmp" "$FOREIGN"
out <<'E'
2
2
2
start_kernel                            2
E
err 'two.dat: several trace.dat follow each other in this file, and only the first would be read: give kd each of them as a file'
err 'kd: standard input: several trace.dat'
err 'kd: note: start_kernel begins 2 times: calls of several boots are added up; write each boot to a trace of its own'
