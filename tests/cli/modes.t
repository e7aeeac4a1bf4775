# SPDX-License-Identifier: GPL-2.0
# Several runs in a file, rounds, overwritten logs, profiles.
RUNS=$tmp/runs.lst
cat >"$RUNS" <<'E'

Kernel Instrumentation Run ID 3

Number of entries after filters = 2
Calls lost = 0
Note = note of the first run
Log format = 3

 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 -1 1 a x 0 -1 -1 0 1 t 1 open -1 -1
5 1 1 b a 5000 1000 1000 0 2 t 1 - 0 0

Kernel Instrumentation Run ID 4

Number of entries after filters = 1
Calls lost = 7
Note = note of the second run
Log format = 3

 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
1 2 1 b a 1000 2000 2000 0 2 t 1 - 0 0

Kernel Instrumentation Run ID 5

Number of entries after filters = 9
Log format = 3

 Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed
---------- --------
b 3 9000 6000 1000 5000 2000 1000 0
a 2 20000 9000 8000 12000 0 0 4
E

begin 'kd: the first of several runs, and which there are'
run kd -f Fct "$RUNS"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
b                                       1        1
a                                       1        ?
E
err 'kd: note: note of the first run'
err 'kd: note: 1 of 2 calls had not returned'
err 'kd: note: the log has 3 runs, the first is shown: -R NUM shows another'
err 'kd: note: run 1: ID 3, 2 calls'
err 'kd: note: run 2: ID 4, 1 calls'
err 'kd: note: run 3: ID 5, a profile, 9 calls'

begin 'kd -R: nothing of the runs beside it'
run sh -c "kd -f Fct -R 2 '$RUNS' 2>&1"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
b                                       1        2
kd: note: note of the second run
kd: note: calls lost while tracing: 7, see the log's header
E

begin 'kd -c -R: no call hangs below one of another run'
run kd -c --run 2 "$RUNS"
out <<'E'
 Trace 
---------------------------------
b
E
err note

begin 'kd: a run without a header has nothing of the header before it'
cat "$RUNS" "$DATA/noexit.lst" >"$tmp/bare.lst"
run sh -c "kd -n 0 -f F '$tmp/bare.lst' 2>&1 | grep 'run 4'; kd --csv -n 0 -R 4 '$tmp/bare.lst' | grep '^# '"
out <<E
kd: note: run 4: no ID
# kfi: summary
# version: 1
# log: $tmp/bare.lst
# run: 4
# run_id: 0
# net: false
# format: kfi
# lost: 0
E
err 'kd: note: 2 of 4 calls had not returned'

begin 'kd: calls of a run without a header count for that run only'
run sh -c "cat '$DATA/format3.lst' '$DATA/noexit.lst' | kd -n 0 -f F -R 2 -"
out_has 'Function                           '
err 'kd: note: 2 of 4 calls had not returned'

begin 'kd -R: no such run'
run kd -R 4 "$RUNS"
status 2
err 'kd: '
err 'runs.lst: no run 4: the log has 3'

begin 'kd -R: a session that is cut is reported, whichever is shown'
run sh -c "grep -v '^1 2 1 b' '$RUNS' | kd -n 0 -f F -"
status 1
err 'kd: standard input: truncated: the header of run 2 says 1 calls, 0 are there'

begin 'kd: a profile'
run kd -R 3 -f Fctarslpwio "$RUNS"
out <<'E'
Function                            Count Time     Average  Range        Sub-time Local    On-cpu   Off-cpu  Irq      Open 
----------------------------------- ----- -------- -------- ------------ -------- -------- -------- -------- -------- -----
a                                       6       20       10       (8-12)       11        9       20        0        0     4
b                                       3        9        3        (1-5)        3        6        6        2        1     0
E
err 'kd: note: 4 of 9 calls have no duration: they are counted, but not in Time'
err 'kd: note: a profile: each call of a recursion adds to Time'

begin 'kd: a profile does not know who called whom'
run kd -R 3 -n 1 -f Fmnu "$RUNS"
out <<'E'
Function                            Max-sub                             Ms count Sub list
----------------------------------- ----------------------------------- -------- --------
a                                                                     ?        ? ?
E
err note

begin 'kd -s: profiles are sorted as calls are'
run kd -R 3 -s w -f Fw "$RUNS"
out <<'E'
Function                            Off-cpu 
----------------------------------- --------
b                                          2
a                                          0
E
err note

begin 'kd -c: a profile has no calls'
run kd -c -R 3 "$RUNS"
status 2
err 'runs.lst: a profile has sums, no calls: the table of functions shows it'

begin 'kd: a line of a profile that is cut'
run sh -c "head -c -3 '$RUNS' | kd -R 3 -f Fc -"
status 1
out <<'E'
Function                            Count
----------------------------------- -----
b                                       3
E
err 'kd: standard input:33: not a call: "a 2 20000 9000 8000 12000 0 0"'

begin 'addr2sym, kd: a profile with addresses, names alike are one function'
run sh -c "printf 'Number of entries after filters = 6\n Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed\n--------\n0xc0100400                       3 9000 6000 1000 5000 2000 1000 0\n0xc0100900 2 5000 5000 500 4500 0 0 1\n' | addr2sym -m '$DATA/format3.map' | tee '$tmp/prof' | kd -f Fctr -; tail -n 2 '$tmp/prof'"
out <<'E'
Function                            Count Time     Range       
----------------------------------- ----- -------- ------------
create_dir                              6       14        (0-5)
create_dir                       3 9000 6000 1000 5000 2000 1000 0
create_dir 2 5000 5000 500 4500 0 0 1
E
err 'kd: note: 1 of 6 calls have no duration'

begin 'kd: a profile with addresses, and the way to names'
run kd -f Fc - <<'E'
 Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed
--------
0xc0100400 3 9000 6000 1000 5000 2000 1000 0
E
out <<'E'
Function                            Count
----------------------------------- -----
0xc0100400                              3
E
err 'kd: note: functions are addresses'

begin 'kd: iterations of one session are added up, and a note reports that'
run kd -f Fct - <<'E'
Number of entries after filters = 2
Rounds = 2
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 9 1 a x 0 9000 9000 0 1 t 1 - 0 0
50 9 1 a x 50000 9000 9000 0 1 t 1 - 0 0
E
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
a                                       2       18
E
err 'kd: note: the log has 2 iterations of one run (autorepeat); their calls are added up'

begin 'kd -c: an overwritten log: children whose parents are gone, trees all the same'
run kd -c -l - <<'E'
Number of entries after filters = 6
Calls lost = 40
Lost to overwriting = 38
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
100 5 1 leaf x 100000 5000 5000 0 7 t 1 - 0 0
110 5 1 leaf x 110000 5000 5000 0 6 t 1 - 0 0
120 50 1 mid x 120000 50000 40000 0 4 t 1 - 0 0
130 10 1 leaf x 130000 10000 10000 0 6 t 1 - 0 0
180 10 1 leaf x 180000 10000 10000 0 5 t 1 - 0 0
200 -1 1 last x 200000 -1 -1 0 2 t 1 open -1 -1
E
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
       100          5          5       1 leaf
       110          5          5       1 leaf
       120         50         40       1 mid
       130         10         10       1 |  leaf
       180         10         10       1 leaf
       200          ?          ?       1 last
E
err 'kd: note: calls overwritten by later ones: 38: the log has the end of the run only'
err 'kd: note: calls lost while tracing: 2, see the log'
err 'kd: note: 1 of 6 calls had not returned'

begin 'addr2sym: all runs of a file'
run sh -c "cat '$DATA/format3.log' '$DATA/format3.log' | addr2sym -m '$DATA/format3.map' >'$tmp/two'; cat '$DATA/format3.lst' '$DATA/format3.lst' | cmp - '$tmp/two'"
out </dev/null

begin 'kd: overwritten calls, and none lost otherwise'
run sh -c "printf 'Calls lost = 3\nLost to overwriting = 3\n Entry Delta Entry-ns\n-------- --\n1 1 1 a x 1000 1000 1000 0 1 t 1 -\n' | kd -n 0 -f F - 2>&1 | sed 1,2d"
out <<'E'
kd: note: calls overwritten by later ones: 3: the log has the end of the run only
E

begin 'kd -c: an open call of one round holds no call of the next, as far as one can see'
run kd -c - <<'E'
Rounds = 2
 Entry Delta Entry-ns
-------- --------
0 -1 1 outer x 0 -1 -1 0 1 t 1 open
1 5 1 inner outer+0x4 1000 5000 5000 0 2 t 1 -
50 5 1 inner other+0x4 50000 5000 5000 0 2 t 1 -
51 5 1 inner outer+0x4 51000 5000 5000 0 2 t 1 -
60 9 1 outer x 60000 9000 9000 0 1 t 1 -
61 1 1 inner lost+0x4 61000 1000 1000 0 2 t 1 -
E
out <<'E'
 Trace 
---------------------------------
outer
|  inner
inner
inner
outer
|  inner
E
err 'kd: note: the log has 2 iterations of one run'
err 'kd: note: 1 of 6 calls had not returned'

begin 'kd -c: without rounds it does'
run sh -c "printf ' Entry Delta Entry-ns\n-------- --\n0 -1 1 outer x 0 -1 -1 0 1 t 1 open\n50 5 1 inner other+0x4 50000 5000 5000 0 2 t 1 -\n' | kd -c -"
out <<'E'
 Trace 
---------------------------------
outer
|  inner
E
err 'kd: note: 1 of 2 calls had not returned'

begin 'kd: what a crash left: the rest is left out, and not missed'
run kd -f Fc - <<'E'
Number of entries after filters = 1
Calls kept = 8
Calls open = 1
Calls left out = 8
Marks kept = 5
Marks left out = 4
Watch rows = 3
Watch rows left out = 3
 Entry Delta Entry-ns
-------- --------
1 1 1 a x 1000 1000 1000 0 1 t 1 -
# 2 2000 0 1 t mark x
E
out <<'E'
Function                            Count
----------------------------------- -----
a                                       1
E
err 'kd: note: calls left out: 8: the log is an excerpt'

begin 'kd: what was damaged in memory over a reboot is no longer expected'
run kd -f Fc - <<'E'
Number of entries after filters = 4
Calls kept = 8
Calls open = 1
Calls left out = 5
Marks kept = 5
Marks left out = 4
Chunks dropped = 2
Calls dropped = 3
Other rows dropped = 1
 Entry Delta Entry-ns
-------- --------
1 1 1 a x 1000 1000 1000 0 1 t 1 -
E
out <<'E'
Function                            Count
----------------------------------- -----
a                                       1
E
err 'kd: note: calls left out: 5: the log is an excerpt'
err 'kd: note: damaged chunks are left out: 2, with 3 calls'

begin 'kd: what was copied before a reset'
run kd -f Fc - <<'E'
Logging is running
Chunks dropped = 0
Calls dropped = 0
Other rows dropped = 0
Number of entries after filters = 2
Chunks missed = 7
Note = ended by a reset: calls that returned after 2000 ns may be missing
 Entry Delta Entry-ns
-------- --------
1 1 1 a x 1000 1000 1000 0 1 t 1 -
E
status 1
out <<'E'
Function                            Count
----------------------------------- -----
a                                       1
E
err 'kd: note: ended by a reset: calls that returned after 2000 ns may be missing'
err 'kd: note: chunks were overwritten before they were copied: 7'
err 'kd: standard input: truncated: the header says 2 calls, 1 are there'

begin 'kd: more left out than there was'
run kd -k - <<'E'
Marks kept = 1
Marks left out = 4
Watch rows left out = 3
 Entry Delta Entry-ns
-------- --------
E
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
E
err 'kd: note: the log has no calls'

begin 'kd: a profile that lacks a line'
run sh -c "sed '/^b 3 9000/d' '$RUNS' | kd -R 3 -f Fc -"
status 1
out <<'E'
Function                            Count
----------------------------------- -----
a                                       6
E
err 'kd: standard input: truncated: the header of run 3 says 9 calls, 6 are there'

begin 'kd: dots in one run do not hide that another one is cut'
run sh -c "sed -e 's/^5 1 1 b .*/.../; /^b 3 9000/d' '$RUNS' | kd -n 0 -f F -"
status 1
err 'kd: note: the log has gaps (lines of dots): it is an excerpt'
err 'kd: standard input: truncated: the header of run 3 says 9 calls, 6 are there'
