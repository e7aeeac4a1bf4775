# SPDX-License-Identifier: GPL-2.0
# kd: the columns of statistics, CSV and JSON.
LST=$DATA/format3.lst

# f is called a hundred times, for 1 to 100 us, and spends half of that in g.
awk 'BEGIN {
	print " Entry Delta Entry-ns Off-ns Irq-ns\n-------- --------"
	for (i = 1; i <= 100; i++) {
		print at + 0, i, 1, "f x", at * 1000, i * 1000, i * 500, "0 1 t 1 - 0 0"
		print at + 0, int(i / 2), 1, "g f+0x4", at * 1000, i * 500, i * 500, "0 2 t 1 - 0 0"
		at += i + 1
	}
}' >"$tmp/hundred.lst"

begin 'kd -f AMPQZ: least, median, 90 %, 99 %, greatest: not less, and at most 1/32 more'
run kd -f FcAMPQZLC "$tmp/hundred.lst"
out <<'E'
Function                            Count Min      Median   p90      p99      Max      Local % Callers
----------------------------------- ----- -------- -------- -------- -------- -------- ------- -------
f                                     100        1       50       90      100      100   50.00       0
g                                     100        0       25       45       50       50   50.00       1
E

begin 'kd -f C: a function that calls itself is one of its callers'
cat >"$tmp/own.lst" <<'E'
 Entry Delta Entry-ns Marks Off-ns Irq-ns
-------- --------
0 100 1 walk x 0 100000 10000 0 1 t 1 - 0 0
10 80 1 walk x 10000 80000 10000 0 2 t 1 - 0 0
20 60 1 step x 20000 60000 10000 0 3 t 1 - 0 0
30 40 1 walk x 30000 40000 40000 0 4 t 1 - 0 0
E
run sh -c "kd -f FCmnu '$tmp/own.lst'; kd -f Fc --callers walk '$tmp/own.lst'; kd -n 1 -f FC --to 5 '$tmp/own.lst'"
out <<'E'
Function                            Callers Max-sub                             Ms count Sub list
----------------------------------- ------- ----------------------------------- -------- --------
walk                                      2                                step        1 step(1,60)
step                                      1                                walk        1 walk(1,40)
Function                            Count
----------------------------------- -----
(none in the log)                       1
walk                                    1
step                                    1
Function                            Callers
----------------------------------- -------
walk                                      0
E

begin 'kd -s Q: sorted by what is not shown'
run kd -s +Q -f FL "$tmp/hundred.lst"
out <<'E'
Function                            Local %
----------------------------------- -------
g                                     50.00
f                                     50.00
E

begin 'kd -f: statistics of functions without a duration, and of a profile, are unknown'
run kd -n 2 -s +c+F -f FAMPQZL - <<'E'
Function                               Count      Total-ns      Local-ns        Min-ns        Max-ns        Off-ns        Irq-ns  Untimed
--------------------------------
f 2 9000 9000 2000 7000 0 0 1
g 0 0 0 0 0 0 0 1
E
out <<'E'
Function                            Min      Median   p90      p99      Max      Local %
----------------------------------- -------- -------- -------- -------- -------- -------
g                                          ?        ?        ?        ?        ?       ?
f                                          2        ?        ?        ?        7  100.00
E
err note

begin 'kd -f m: the called function that costs this caller most, not the one that takes most in all'
run kd -n 1 -s F -f Fmnu - <<'E'
 Entry Delta Entry-ns
-------- --------
0 100 1 y x 0 100000 10000 0 1 t 1 -
0 60 1 b y+0x1 0 60000 60000 0 2 t 1 -
60 30 1 a y+0x1 60000 30000 30000 0 2 t 1 -
200 500 1 a x 200000 500000 500000 0 1 t 1 -
E
out <<'E'
Function                            Max-sub                             Ms count Sub list
----------------------------------- ----------------------------------- -------- --------
y                                                                     b        1 b(1,60), a(1,30)
E

begin 'kd --csv: nanoseconds, unknown is empty'
run_csv kd --csv -f Ftlmo -n 1 -s +t "$LST"
out <<'E'
function,time_ns,local_ns,max_sub,open,unsure
__do_softirq,30000,30000,,0,
E
err note

begin 'kd --csv: what is a best guess is named, names are quoted'
run_csv kd --csv -f Ftla -s F - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a,b x
0 -1 1 c"d a,b+0x1
E
out <<'E'
function,time_ns,local_ns,average_ns,unsure
"c""d",,,,
"a,b",100000,100000,100000,local_ns
E
err 'kd: note: ?: the best this log allows'

begin 'kd --json: rows, notes and status'
run kd --json -f Ftl - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a\"b x
0 -1 1 c a\"b+0x1
nonsense
E
status 1
out <<'E'
{"kfi":"summary","version":1,"log":"standard input","run":1,"run_id":0,"net":false,"rows":[
{"function":"a\\\"b","time_ns":100000,"local_ns":100000,"unsure":["local_ns"]},
{"function":"c","time_ns":null,"local_ns":null}
],"notes":[
"1 of 2 calls had not returned or have no exit: they are counted, but not in Time",
"?: the best this log allows: calls below have no exit, or do not nest",
"standard input:5: not a call: \"nonsense\"; 1 such line left out"],
"format":"kfi","kernel":null,"build_id":null,"clock":null,"filters":null,"sampled":null,"lost":0,"start_us":null,"stop_us":null,"total_us":null,
"status":1}
E
err 'not a call: "nonsense"'

begin 'kd: --csv or --json'
run kd --csv --json "$LST"
status 2
err 'kd: --csv or --json, not both'
