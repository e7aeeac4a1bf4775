# SPDX-License-Identifier: GPL-2.0
# Marks and watch rows: no calls, in no sum, shown where they happened.
MARKS=$tmp/marks.lst
cat >"$MARKS" <<'E'
Kernel Instrumentation Run ID 0

Number of entries after filters = 4
Marks kept = 6
Marks lost = 2
Watch rows = 2
Watch rows lost = 5
Log format = 3

 Entry    Delta    PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
# 0 0 0 1 t level 0
       0      100        1 outer         x             0   100000    30000   0     1   t    1 -     40000   0
# 5 5000 0 1 t mark two words 0xc0200000
       5       -2        1 deep          outer      5000       -1       -1   0     2   t    1 stack     -1  -1
      10       50        1 inner         outer     10000    50000    10000   0     2   t    1 -     40000   0
      11       -2        1 deeper        inner     11000       -1       -1   0     3   t    1 stack     -1  -1
# 12 12000 0 1 t switch 1 2
# 20 20000 1 2 t syscall 4
      30        1       -1 irq           vec       30000     1000     1000   0     3   h    1 -     0 0
# 30 30500 0 1 h mark in an interrupt
# a comment, no mark
# 70 70000 0 1 t sysret 4 -22
     200       10        1 later         x        200000    10000    10000   0     1   t    1 -     0 0
E

begin 'marks and watch rows count in nothing'
run kd -f Fctalo "$MARKS"
out <<'E'
Function                            Count Time     Average  Local    Open 
----------------------------------- ----- -------- -------- -------- -----
outer                                   1      100      100       30     0
inner                                   1       50       50       10     0
later                                   1       10       10       10     0
irq                                     1        1        1        1     0
E
err 'kd: note: marks lost while tracing: 2'
err 'kd: note: rows of a watch lost while tracing: 5'

begin 'kd -c -l: marks stand below the call that goes on, watch rows as deep as they say'
run kd -c -l "$MARKS"
out <<'E'
 Entry      Duration   Local       Pid   Task             Trace 
---------- ---------- ---------- ------- --------------- ---------------------------------
         0                             1 2               # level 0
         0        100         30       1 2               outer
         5                             1 2               |  # mark two words 0xc0200000
         5                             1 2               |  deep  # stack
        10         50         10       1 2               |  inner
        11                             1 2               |  |  deeper  # stack
        12                             1 2               |  |  # switch 1 2
        70                             1 2               |  # sysret 4 -22
        20                             2 -               # syscall 4
        30          1          1      -1 -               irq
        30                            -1 -               |  # mark in an interrupt
       200         10         10       1 2               later
E
err note

begin 'kd -c -i: marks stand within the task they belong to'
run kd -c -i -f e "$MARKS"
out <<'E'
 Entry      Trace 
---------- ---------------------------------
         0 # level 0
         0 outer
         5 |  # mark two words 0xc0200000
         5 |  deep  # stack
        10 |  inner
        11 |  |  deeper  # stack
        12 |  |  # switch 1 2
----------- !!!! start --------------
        20 # syscall 4
----------- !!!! end ----------------
----------- @@@@ start --------------
        30 irq
        30 @  # mark in an interrupt
----------- @@@@ end ----------------
        70 |  # sysret 4 -22
       200 later
E
err note

begin 'kd -c -r: marks as read'
run sh -c "kd -c -r -f e '$MARKS' | sed -n '4,7p'"
out <<'E'
         0 outer
         5 |  # mark two words 0xc0200000
         5 |  deep  # stack
        10 |  inner
E
err note

begin 'kd -c -K: the calls alone'
run kd -c -K -f t "$MARKS"
out <<'E'
 Duration   Trace 
---------- ---------------------------------
       100 outer
        50 |  inner
         1 irq
        10 later
E
err note

begin 'kd -c -d: a mark below a hidden call is hidden, and is no call'
run sh -c "kd -c -d 1 '$MARKS' 2>&1"
out_has '# syscall 4'

begin 'kd -k: the marks alone'
run kd -k "$MARKS"
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
         0   0       1 -                 t level 0
         5   0       1 -                 t mark two words 0xc0200000
        12   0       1 2                 t switch 1 2
        20   1       2 -                 t syscall 4
        30   0       1 2                 h mark in an interrupt
        70   0       1 2                 t sysret 4 -22
E
err note

begin 'kd: a mark whose text has a number in brackets is not cut in two by a message'
run sh -c "sed 's/^ *6150 /#     6120      6120000   1       1 t mark stage [1.5] done\n&/' '$DATA/format3.log' | tee '$tmp/brackets' |
	kd --csv -k - 2>/dev/null | tail -n 1; kd -f Fc '$tmp/brackets' | tail -n +3 | awk '{ n += \$2 } END { print n }'"
out <<'E'
6120000,1,1,,t,mark stage [1.5] done,
14
E
err 'calls lost while tracing: 2'

begin 'kd: a mark less than the header says'
run sh -c "grep -v sysret '$MARKS' | kd -f F -n 0 -"
status 1
err 'kd: standard input: truncated: the header says 8 marks and watch rows, 7 are there'

# The mark of 12 us, behind a call of 30 us, or before one of 10 us.
begin 'kd, addr2sym: a mark that is not in its place'
run sh -c "awk '/^# 12 /{ late = \$0; next } { print } / irq /{ print late }' '$MARKS' >'$tmp/late.lst'
	awk '/^# 12 /{ next } / inner  *outer /{ print \"# 12 12000 0 1 t switch 1 2\" } { print }' '$MARKS' >'$tmp/early.lst'
	for log in late early; do kd -n 0 -f F '$tmp/'\$log.lst >/dev/null && echo \$log; addr2sym -m '$DATA/samples.map' '$tmp/'\$log.lst >/dev/null && echo \$log; done; kd -n 0 -f F '$MARKS' >/dev/null 2>&1"
out </dev/null
err "kd: $tmp/late.lst: mixed up: 1 of 6 marks are not between the calls and marks of their time; copy the log again"
err "kd: $tmp/early.lst: mixed up: 1 of 6 marks are not between the calls and marks of their time; copy the log again"
err "addr2sym: $tmp/late.lst: mixed up: 1 of 6 marks are not between the calls and marks of their time"
err "addr2sym: $tmp/early.lst: mixed up: 1 of 6 marks are not between the calls and marks of their time"

begin 'kd -c: a mark after an interrupt that never ended belongs to the task'
run kd -c - <<'E'
 Entry Delta Entry-ns
-------- --------
0 -1 1 outer x 0 -1 -1 0 1 t 1 open
5 -1 -1 irq vec 5000 -1 -1 0 2 h 1 unwound
# 9 9000 0 1 t mark here
E
out <<'E'
 Trace 
---------------------------------
outer
|  # mark here
irq
E
err note

begin 'addr2sym: an initcall is named, numbers and text of other marks are not'
run addr2sym -m "$DATA/format3.map" - <<'E'
 Entry    Delta    PID         Function  Caller Entry-ns
-------- -------- -------- ------------- ------ --------
# 1 1000 0 1 t initcall 0xc0200300 0
# 1 1000 0 1 t initcall 0xc0200304 -19
# 1 1000 0 1 t initcall 0xf0000000 0
# 5 5000 0 1 t mark two words 0xc0200300
# 5 5000 0 1 t sysret 4 0xc0200300
#  initcall 0xc0200300
1 -2 1 0xc0200300 0xc0200060 1000 -1 -1 0 2 t 1 stack
E
out <<'E'
 Entry    Delta    PID         Function  Caller Entry-ns
-------- -------- -------- ------------- ------ --------
# 1 1000 0 1 t initcall mem_init 0
# 1 1000 0 1 t initcall mem_init+0x4 -19
# 1 1000 0 1 t initcall 0xf0000000 0
# 5 5000 0 1 t mark two words 0xc0200300
# 5 5000 0 1 t sysret 4 0xc0200300
#  initcall 0xc0200300
1 -2 1 mem_init   start_kernel+0x60 1000 -1 -1 0 2 t 1 stack
E
status 1
err 'addr2sym: standard input:5: 0xf0000000 is in no symbol'

begin 'addr2sym: all functions of wake-ups and callers are named, and nothing of other marks'
run addr2sym -m "$DATA/format3.map" - <<'E'
 Entry    Delta    PID         Function  Caller Entry-ns
-------- -------- -------- ------------- ------ --------
# 1 1000 0 1 t wakeup 12
# 1 1000 0 1 h wakeup 12 0xc0200300 0xc0200304 0xc0200060
# 2 2000 0 1 t preempt 12 0xc0200300
# 3 3000 0 1 t new 13 0xc0200300
# 4 4000 0 1 t exec 0xc0200300
# 5 5000 0 1 t callers 0xc0200300 0xc0200304 0xc0200060
E
out <<'E'
 Entry    Delta    PID         Function  Caller Entry-ns
-------- -------- -------- ------------- ------ --------
# 1 1000 0 1 t wakeup 12
# 1 1000 0 1 h wakeup 12 mem_init mem_init+0x4 start_kernel+0x60
# 2 2000 0 1 t preempt 12 0xc0200300
# 3 3000 0 1 t new 13 0xc0200300
# 4 4000 0 1 t exec 0xc0200300
# 5 5000 0 1 t callers mem_init mem_init+0x4 start_kernel+0x60
E

begin 'kd -k: the same, with names from a file; what is no address, or in no symbol, stays'
run kd -k --map "$DATA/format3.map" - <<'E'
 Entry    Delta    PID         Function  Caller Entry-ns
-------- -------- -------- ------------- ------ --------
# 1 1000 0 1 t wakeup 12
# 1 1000 0 1 h wakeup 12 0xc0200300 0xf0000000 0xc0200060 up
# 2 2000 0 1 t preempt 12 0xc0200300
# 3 3000 0 1 t initcall 0xc0200300 -19
# 4 4000 0 1 t callers 0xc0200300 0xc0200304
E
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
         1   0       1 -                 t wakeup 12
         1   0       1 -                 h wakeup 12 mem_init 0xf0000000 start_kernel+0x60 up
         2   0       1 -                 t preempt 12 0xc0200300
         3   0       1 -                 t initcall mem_init -19
         4   0       1 -                 t callers mem_init mem_init+0x4
E
status 1
err '0xf0000000 is in no symbol that was given; 1 such address left as they are'
err 'kd: note: the log has no calls'

begin 'kd -c: watch rows alone, as deep as they say'
run kd -c -l - <<'E'
 Entry Delta Entry-ns
-------- --------
1 -2 1 a x 1000 -1 -1 0 1 t 1 stack
2 -2 1 b a 2000 -1 -1 0 2 t 1 stack
3 -2 1 c b 3000 -1 -1 0 3 t 1 stack
E
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         1                             1 a  # stack
         2                             1 |  b  # stack
         3                             1 |  |  c  # stack
E
err 'kd: note: the log has no calls'

begin 'kd -k --json, and filters'
run kd -k --json --pid 2 "$MARKS"
out <<E
{"kfi":"marks","version":1,"log":"$MARKS","run":1,"run_id":0,"net":false,"rows":[
{"entry_ns":20000,"cpu":1,"task":2,"comm":null,"ctx":"t","mark":"syscall 4"}
],"notes":[
"marks lost while tracing: 2",
"rows of a watch lost while tracing: 5"],
"format":"kfi","kernel":null,"build_id":null,"clock":null,"filters":null,"sampled":null,"lost":0,"start_us":null,"stop_us":null,"total_us":null,
"status":0}
E
err note

begin 'kd -k -n: the first ones'
run_csv sh -c "kd -k -n 1 --csv '$MARKS' 2>/dev/null"
out <<'E'
entry_ns,cpu,task,comm,ctx,mark,unsure
0,0,1,,t,level 0,
E
