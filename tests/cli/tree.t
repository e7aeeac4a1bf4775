# SPDX-License-Identifier: GPL-2.0
# kd --tree: calls of the same way are one node.
LST=$DATA/format3.lst

# x calls a twice, once with b below; a also comes as a root, and from an interrupt.
cat >"$tmp/ways.lst" <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 100 1 x z 0 100000 30000 0 1 t 1 - 0 10000
10 20 1 a x+0x1 10000 20000 20000 0 2 t 1 - 0 0
40 40 1 a x+0x1 40000 40000 10000 0 2 t 1 - 0 10000
45 20 1 b a+0x1 45000 20000 20000 0 3 t 1 - 0 0
70 10 -1 a x+0x9 70000 10000 10000 0 3 h 1 - 0 0
200 7 2 a z 200000 7000 7000 0 1 t 2 - 0 0
210 -1 2 a z 210000 -1 -1 0 1 t 2 open -1 -1
E

begin 'kd --tree: the most expensive first, interrupts apart'
run kd --tree "$tmp/ways.lst"
out <<'E'
Time       Local      Count    Tree
---------- ---------- -------- --------
       107          ?        3 (tasks)
       100         30        1   x
        60         30        2     a
        20         20        1       b
         7          7        2   a
        10          ?        1 (interrupts)
        10         10        1   a
E
err 'kd: note: 1 of 7 calls had not returned'

begin 'kd --tree -f: columns'
run kd --tree -f cao -d 1 "$tmp/ways.lst"
out <<'E'
Count    Average    Open   Tree
-------- ---------- ------ --------
       3         53      1 (tasks)
       1        100      0   x
       2          7      1   a
       1         10      0 (interrupts)
       1         10      0   a
E
err note

begin 'kd --tree --func: the ways to a function'
run kd --tree --func b -f t "$tmp/ways.lst"
out <<'E'
Time       Tree
---------- --------
       107 (tasks)
       100   x
        60     a
        20       b
E
err note

begin 'kd --tree --under: a function is the root'
run kd --tree --under a --ctx t "$tmp/ways.lst"
out <<'E'
Time       Local      Count    Tree
---------- ---------- -------- --------
        67          ?        4 (tasks)
        67         37        4   a
        20         20        1     b
E
err note

begin 'kd --tree -n -t: what is cheap is left out, with what is below'
run sh -c "kd --tree -n 1 -f t '$tmp/ways.lst' 2>/dev/null; kd --tree -t 60 -f t '$tmp/ways.lst' 2>/dev/null"
out <<'E'
Time       Tree
---------- --------
       107 (tasks)
       100   x
        60     a
        20       b
        10 (interrupts)
        10   a
Time       Tree
---------- --------
       107 (tasks)
       100   x
        60     a
E

begin 'kd --tree: what has not returned costs what is below it'
run kd --tree -t 5 - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 -1 1 x z 0 -1 -1 0 1 t 1 open -1 -1
1 6 1 a x+0x1 1000 6000 6000 0 2 t 1 - 0 0
9 7 1 b x+0x1 9000 7000 7000 0 2 t 1 - 0 0
20 12 2 c z 20000 12000 12000 0 1 t 2 - 0 0
E
out <<'E'
Time       Local      Count    Tree
---------- ---------- -------- --------
        12          ?        2 (tasks)
         ?          ?        1   x
         7          7        1     b
         6          6        1     a
        12         12        1   c
E
err note

begin 'kd --tree --json: levels instead of indents'
run kd --tree --json --pid 2 "$tmp/ways.lst"
out <<E
{"kfi":"tree","version":1,"log":"$tmp/ways.lst","run":1,"run_id":0,"net":false,"rows":[
{"level":0,"time_ns":7000,"local_ns":null,"count":2,"average_ns":7000,"open":1,"function":"(tasks)"},
{"level":1,"time_ns":7000,"local_ns":7000,"count":2,"average_ns":7000,"open":1,"function":"a"}
],"notes":[
"1 of 7 calls had not returned or have no exit: they are counted, but not in Time"],
"format":"kfi","kernel":null,"build_id":null,"clock":null,"filters":null,"sampled":null,"lost":0,"start_us":null,"stop_us":null,"total_us":null,
"status":0}
E
err note

begin 'kd --tree: a historic log'
run kd --tree - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a x
10 -1 1 c a+0x1
20 30 1 b a+0x1
60 30 1 b a+0x1
E
out <<'E'
Time       Local      Count    Tree
---------- ---------- -------- --------
       100          ?        1 (tasks)
       100        40?        1   a
        60         60        2     b
         ?          ?        1     c
E
err 'kd: note: ?: the best this log allows'

# Task 500 dies in do_exit(); a new task with its pid is traced from a deeper call on.
cat >"$tmp/reuse.lst" <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
500 -1 500 do_group_exit x+0x30 500000 -1 -1 0 2 t 500 open -1 -1
1000 -1 500 do_exit do_group_exit+0x30 1000000 -1 -1 0 3 t 500 open -1 -1
# 2000 2000000 0 0 t new 500 bash
# 2500 2500000 0 500 t exec sleep
5000 20000 500 vfs_read ksys_read+0x40 5000000 20000000 20000000 0 4 t 500 - 0 0
40000 3000 500 vfs_read ksys_read+0x40 40000000 3000000 3000000 0 4 t 500 - 0 0
E

begin 'kd: a new task with the pid of a dead one: its calls are not those of the dead one'
run sh -c 'kd --callers vfs_read -f Fc "$0"; kd --tree -f c "$0"; kd -c -f p "$0"; kd -c -K -f p "$0" | tail -n 3
	kd --export folded "$0"; kd --export chrome "$0" | grep -o "\"ph\":\"[BEX]\".*\"ts\":[0-9]*"' "$tmp/reuse.lst"
out <<'E'
Function                            Count
----------------------------------- -----
(none in the log)                       2
Count    Tree
-------- --------
       3 (tasks)
       2   vfs_read
       1   do_group_exit
       1     do_exit
  Pid    Trace 
------- ---------------------------------
    500 do_group_exit
    500 |  do_exit
      0 # new 500 bash
    500 # exec sleep
    500 vfs_read
    500 vfs_read
    500 |  do_exit
    500 vfs_read
    500 vfs_read
(tasks);vfs_read 23000000
"ph":"B","pid":1,"tid":1,"ts":500
"ph":"B","pid":1,"tid":1,"ts":1000
"ph":"E","pid":1,"tid":1,"ts":2000
"ph":"E","pid":1,"tid":1,"ts":2000
"ph":"X","pid":1,"tid":1,"ts":5000
"ph":"X","pid":1,"tid":1,"ts":40000
E
err note

begin 'kd: in the page, too, and in a log out of order'
needs_command python3
run sh -c '"$0/exports" html "$1"; sed "s/^# 2000 2000000/# 100 100000/" "$1" >"$2"; kd --html "$2.html" "$2"' "$here" "$tmp/reuse.lst" "$tmp/mixed.lst"
status 1
err 'mixed.lst: mixed up: 1 of 2 marks are not between the calls and marks of their time'

begin 'kd --tree: deep'
run sh -c "awk 'BEGIN { print \" Entry Delta Entry-ns\n-------- --------\"
	for (i = 0; i < 100000; i++)
		print i, 1000000 - 2 * i, 1, \"f\", \"f\", i \"000\", 1000000000 - i * 2000, 1, 0, i + 1, \"t 1 -\" }' |
	kd --tree -f c - 2>/dev/null | sed -n '3,4p;\$p' | tr -s ' '"
out <<'E'
 1 (tasks)
 1 f
 1 (100000) f
E

begin 'kd --tree: a profile has no calls'
run kd --tree - <<'E'
Function                               Count      Total-ns      Local-ns        Min-ns        Max-ns        Off-ns        Irq-ns  Untimed
--------------------------------
f 2 9000 9000 2000 7000 0 0 1
E
status 2
err 'a profile has sums, no calls: the table of functions shows it'
