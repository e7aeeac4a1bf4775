# SPDX-License-Identifier: GPL-2.0
# kd --diff: what differs between logs, what is noise, and the status.

# log NAME A B [MORE]: a log in which a and b take that many us; MORE rows.
log() {
	{
		printf ' Entry Delta Entry-ns Off-ns Irq-ns\n-------- --------\n'
		printf '0 %s 1 a x 0 %s000 %s000 0 1 t 1 - 0 0\n' "$2" "$2" "$2"
		printf '5000 %s 1 b x 5000000 %s000 %s000 0 1 t 1 - 0 0\n' "$3" "$3" "$3"
		printf '%s\n' "$4"
	} >"$tmp/$1"
}
log old1 100 1000 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'
log old2 110 1000 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'
log old3 90 1000 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'
log new1 112 1300 '9000 -1 1 open x 9000000 -1 -1 0 1 t 1 open -1 -1'
log new2 106 1300 '9000 7 1 new x 9000000 7000 7000 0 1 t 1 - 0 0'
log fast 100 700 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'

begin 'kd --diff: two logs: by change, unknown noise, status 3'
run kd --diff "$tmp/old1" "$tmp/new2"
status 3
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- -------
b                                         1000       1300        300     30.00        ?         1         1 slower 
new                                          ?          7          7         ?        ?         0         1 new    
a                                          100        106          6      6.00        ?         1         1 slower 
gone                                         5          ?         -5   -100.00        ?         1         0 gone   
E
err 'kd: note: slower: 2, faster: 0, new: 1, gone: 1, of 4 functions'
err 'kd: note: one log on each side does not say what is noise'

begin 'kd --diff: several logs: what is noise is no change'
run kd --diff -n 2 "$tmp/old1" "$tmp/old2" "$tmp/old3" : "$tmp/new1" "$tmp/new2"
status 3
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- -------
b                                         1000       1300        300     30.00        0         1         1 slower 
a                                          100        109          9      9.00       27         1         1 same   
E
err 'slower: 1, faster: 0, new: 0, gone: 1, of 4 functions'

begin 'kd --diff: several on one side alone: the other is taken to vary as much'
run kd --diff --func a "$tmp/old1" "$tmp/old2" "$tmp/old3" : "$tmp/new1"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- -------
a                                          100        112         12     12.00       49         1         1 same   
E
err note

begin 'kd --diff: faster is no reason for a status'
run kd --diff "$tmp/old1" "$tmp/fast"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- -------
b                                         1000        700       -300    -30.00        ?         1         1 faster 
a                                          100        100          0      0.00        ?         1         1 equal  
gone                                         5          5          0      0.00        ?         1         1 equal  
E
err 'slower: 0, faster: 1, new: 0, gone: 0, of 3 functions'

begin 'kd --diff --threshold: changes of less are none'
run kd --diff --threshold 31 -n 1 "$tmp/old1" "$tmp/new2"
out_has 'b                                         1000       1300        300     30.00        ?         1         1 same   '
err 'slower: 0'

begin 'kd --diff -t: nor are those of fewer microseconds'
run kd --diff -t 301 "$tmp/old1" "$tmp/new2"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- -------
E
err 'slower: 0'

begin 'kd --diff -s c: counts'
run kd --diff -s c --csv "$tmp/old1" "$tmp/new2"
out <<'E'
function,old,new,change,change_percent,noise,old_count,new_count,verdict,unsure
gone,1,,-1,-100.00,,1,0,gone,
new,,1,1,,,0,1,new,
a,1,1,0,0.00,,1,1,equal,
b,1,1,0,0.00,,1,1,equal,
E
err note

begin 'kd --diff --json'
run kd --diff -s l --json --func b "$tmp/old1" "$tmp/old1" : "$tmp/new2" "$tmp/new2"
status 3
out <<E
{"kfi":"diff","version":1,"log":"$tmp/old1","run":1,"run_id":0,"net":false,"rows":[
{"function":"b","old":1000000,"new":1300000,"change":300000,"change_percent":30.00,"noise":0,"old_count":1,"new_count":1,"verdict":"slower"}
],"notes":[
"slower: 1, faster: 0, new: 0, gone: 0, of 1 functions"],
"status":3}
E
err note

begin 'kd --diff: a log that is not whole is said, and its status goes before'
run sh -c "echo nonsense >>'$tmp/new2'; kd --diff '$tmp/old1' '$tmp/new2' >/dev/null"
status 1
err 'not a call: "nonsense"'

begin 'kd --diff: one log'
run kd --diff "$tmp/old1"
status 2
err 'kd: --diff wants OLD NEW, or OLD... : NEW...'

begin 'kd --diff: nothing behind the colon'
run kd --diff "$tmp/old1" "$tmp/old2" :
status 2
err 'kd: --diff wants'

begin 'kd --diff: a file that is not there'
run kd --diff "$tmp/old1" "$tmp/nowhere"
status 2
err 'nowhere: No such file'

begin 'kd --diff: one column'
run kd --diff -s tl "$tmp/old1" "$tmp/old2"
status 2
err 'kd: --diff compares one column'

begin 'kd --diff: different time filters'
run kd --diff - "$tmp/old1" <<'E'
Kernel Instrumentation Run ID 0
Filters:
	500 usecs minimum execution time
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 1000 1 b x 0 1000000 1000000 0 1 t 1 - 0 0
E
err 'kd: note: the logs have different time filters'
