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
log new3 109 1300
log old4 95 1000 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'
log old5 105 1000 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'
log new4 104 1300
log new5 114 1300
log fast 100 700 '9000 5 1 gone x 9000000 5000 5000 0 1 t 1 - 0 0'

begin 'kd --diff: two logs: by change, nothing is tested'
run kd --diff -t 5us "$tmp/old1" "$tmp/new2"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
b                                         1000       1300        300     30.00        ?         1         1 untested
new                                          ?          7          7         ?        ?         0         1 new     
a                                          100        106          6      6.00        ?         1         1 untested
gone                                         5          ?         -5   -100.00        ?         1         0 gone    
E
err 'kd: note: slower: 0, faster: 0, new: 1, gone: 1, of 4 functions'
err 'kd: note: too few logs to know what is noise: nothing is tested'

begin 'kd --diff: several logs: what is noise is no change'
run kd --diff -t 5us -n 2 "$tmp"/old[1-5] : "$tmp"/new[1-5]
status 3
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
b                                         1000       1300        300     30.00        0         1         1 slower  
a                                          100        109          9      9.00       14         1         1 same    
E
err 'slower: 1, faster: 0, new: 0, gone: 1, of 5 functions'
err 'kd: note: 5 old logs, 5 new ones: 2 functions of 100 us and more tested: moderated t of logarithms above '

begin 'kd --diff: several on one side alone: nothing is tested'
run kd --diff -t 5us --func a "$tmp/old1" "$tmp/old2" "$tmp/old3" : "$tmp/new1"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
a                                          100        112         12     12.00        ?         1         1 untested
E
err note

begin 'kd --diff: no status without a test'
run kd --diff "$tmp/old1" "$tmp/fast"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
b                                         1000        700       -300    -30.00        ?         1         1 untested
a                                          100        100          0      0.00        ?         1         1 equal   
gone                                         5          5          0      0.00        ?         1         1 equal   
E
err 'slower: 0, faster: 0, new: 0, gone: 0, of 3 functions'

begin 'kd --diff --threshold: changes of less are none'
run kd --diff --threshold 31 -n 1 "$tmp/old1" "$tmp/new2"
out_has 'b                                         1000       1300        300     30.00        ?         1         1 same    '
err 'slower: 0'

begin 'kd --diff -t: nor are those of fewer microseconds'
run kd --diff -t 301 "$tmp/old1" "$tmp/new2"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
E
err 'slower: 0'

begin 'kd --diff -s c: counts'
run_csv kd --diff -s c --csv "$tmp/old1" "$tmp/new2"
out <<'E'
function,old,new,change,change_percent,noise,old_count,new_count,verdict,unsure
gone,1,,-1,-100.00,,1,0,gone,
new,,1,1,,,0,1,new,
a,1,1,0,0.00,,1,1,equal,
b,1,1,0,0.00,,1,1,equal,
E
err note

begin 'kd --diff --json'
run kd --diff -t 1us -s l --json --func b $(for i in 1 2 3 4 5; do echo "$tmp/old1"; done) : $(for i in 1 2 3 4 5; do echo "$tmp/new2"; done)
status 3
out <<E
{"kfi":"diff","version":1,"log":"$tmp/old1","run":1,"run_id":0,"net":false,"rows":[
{"function":"b","old":1000000,"new":1300000,"change":300000,"change_percent":30.00,"noise":134,"old_count":1,"new_count":1,"verdict":"slower"}
],"notes":[
"slower: 1, faster: 0, new: 0, gone: 0, of 1 functions",
"5 old logs, 5 new ones: 1 functions of 20 us and more tested: moderated t of logarithms above 2.12, the greatest of a change that would be reported in 500 other divisions of the logs"],
"format":null,"kernel":null,"build_id":null,"clock":null,"filters":null,"sampled":null,"lost":null,"start_us":null,"stop_us":null,"total_us":null,
"status":3}
E
err note

begin 'kd --diff: a log that is not whole is reported, and its status goes before'
run sh -c "echo nonsense >>'$tmp/new2'; kd --diff '$tmp/old1' '$tmp/new2' >/dev/null"
status 1
err 'not a call: "nonsense"'

begin 'kd --diff: one log'
run kd --diff "$tmp/old1"
status 2
err 'kd: --diff needs OLD NEW, or OLD... : NEW...'

begin 'kd --diff: nothing behind the colon'
run kd --diff "$tmp/old1" "$tmp/old2" :
status 2
err 'kd: --diff needs'

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

begin 'kd --diff: a hundred functions that differ by chance, and one that does not'
run sh -c "
	for log in 1 2 3 4 5 6 7 8 9 10; do
		awk -v log_number=\$log 'BEGIN {
			srand(log_number)
			print \" Entry Delta PID\\n--------\"
			for (i = 0; i < 100; i++) {
				t = 20000 * (1 + 0.02 * (rand() + rand() + rand() + rand() - 2) / 0.577)
				if (i == 7 && log_number > 5) { t *= 1.1 }
				printf \"%d %d 1 f%d x\\n\", i * 100000, t, i
			}
		}' >'$tmp/chance'\$log
	done
	cd '$tmp'
	kd --diff chance1 chance2 chance3 chance4 chance5 : chance6 chance7 chance8 chance9 chance10 2>/dev/null | grep -c -e slower -e faster
	kd --diff -n 0 --func f[89]* chance1 chance2 chance3 chance4 chance5 : chance6 chance7 chance8 chance9 chance10
	kd --diff -n 1 chance1 chance2 chance3 chance4 chance5 : chance6 chance7 chance8 chance9 chance10 | grep -c 'f7 .* slower'
	"
out_has '1'
err 'slower: 0, faster: 0, new: 0, gone: 0, of 22 functions'
err 'slower: 1, faster: 0, new: 0, gone: 0, of 100 functions'

begin 'kd --diff: exact times, and a function that takes one of two, by less than the threshold'
run sh -c "
	for log in 1 2 3 4 5 6 7 8 9 10; do
		awk -v log_number=\$log 'BEGIN {
			print \" Entry Delta PID\\n--------\"
			for (i = 0; i < 20; i++) {
				t = 20000
				if (i == 1 && log_number % 2) { t *= 1.04 }
				if (i == 7) { t *= (log_number > 5 ? 0.7 : 1) * (1 + log_number % 3 / 100) }
				printf \"%d %d 1 f%d x\\n\", i * 100000, t, i
			}
		}' >'$tmp/exact'\$log
	done
	cd '$tmp'
	kd --diff -n 0 exact1 exact2 exact3 exact4 exact5 : exact6 exact7 exact8 exact9 exact10"
err 'slower: 0, faster: 1, new: 0, gone: 0, of 20 functions'
err note

# Of five boots four are slow by chance, in all functions: no function is known to be slower. Each
# function has noise of its own, the same with any awk.
begin 'kd --diff: boots that are slow as a whole are noise'
run sh -c "
	for log in 0 1 2 3 4 5 6 7 8 9; do
		awk -v log_number=\$log 'BEGIN {
			print \" Entry Delta PID\\n--------\"
			for (i = 0; i < 100; i++) {
				t = 20000 * (1 + ((i * 37 + log_number * 11 + i * log_number) % 41 - 20) / 1000)
				if (log_number > 5) { t *= 1.3 }
				printf \"%d %d 1 f%d x\\n\", i * 100000, t, i
			}
		}' >'$tmp/boot'\$log
	done
	cd '$tmp'
	kd --diff -n 0 boot0 boot1 boot2 boot3 boot4 : boot5 boot6 boot7 boot8 boot9"
err 'slower: 0, faster: 0, new: 0, gone: 0, of 100 functions'

# filtered NAME TIME [TIME]: a log without calls below 500 us, with calls of TIME microseconds.
filtered() {
	file=$1
	shift
	printf 'Filters:\n\t500 usecs minimum execution time\n Entry Delta PID\n--------\n' >"$tmp/$file"
	entry=0
	for time; do
		printf '%d %d 1 f x\n' $entry $time >>"$tmp/$file"
		entry=$((entry + 10000))
	done
}
filtered with1 500 502 500 9000
filtered with2 501 502 500 9001
filtered without1 502 9002
filtered without2 500 9001

begin 'kd --diff: calls that fell below the time filter of one log are no time 0'
run kd --diff "$tmp/without1" "$tmp/without2" : "$tmp/with1" "$tmp/with2"
out <<'E'
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
f                                         9502      10503       1000     10.53        ?         2         4 filtered
E
err 'kd: note: filtered: 1: calls below the time filter may account for the change'
err note

begin 'kd --diff: and the other way round, where one log has no call of the function at all'
run sh -c "sed -i /f.x/d '$tmp/with1' '$tmp/with2'; kd --diff '$tmp/with1' '$tmp/with2' : '$tmp/without1' '$tmp/without2' | tail -n 1"
out <<'E'
f                                            ?       9502       9502         ?        ?         0         2 new     
E
err note

begin 'kd --diff --budget: kept'
printf '# limits\ntotal < 8ms\n\n b < 2ms # b is large\nlevel:core < 3ms\n' >"$tmp/budget"
budget_log() {
	printf 'Logging started at 1000 usec by user action\nLogging stopped at 8500 usec by user action\n Entry Delta Entry-ns Off-ns Irq-ns\n-------- --------\n# 0 0 0 1 t level core\n0 1000 1 b x 0 1000000 1000000 0 1 t 1 - 0 0\n# 2500 2500000 0 1 t level late\n5000 2000 1 c x 5000000 2000000 2000000 0 1 t 1 - 0 0\n'
}
budget_log >"$tmp/kept"
run kd --diff --budget "$tmp/budget" "$tmp/kept" "$tmp/kept"
err note

begin 'kd --diff --budget: not kept, and that a function is slower does not matter'
printf 'total < 7ms\nb < 1000us\nc < 2001us\nlevel:core < 2.5ms\n' >"$tmp/budget"
run kd --diff -n 0 --budget "$tmp/budget" "$tmp/old1" "$tmp/kept"
status 3
err 'kd: note: over budget: total took 7500 us, not less than 7ms'
err 'kd: note: over budget: b took 1000 us, not less than 1000us'
err 'kd: note: over budget: level:core took 2500 us, not less than 2.5ms'

begin 'kd --diff --budget: the last level ends when the function that runs it returns, not with the log'
cat >"$tmp/levels" <<'X'
Logging started at 0 usec by user action
Logging stopped at 20000000 usec by user action

 Entry    Delta    PID     Function     Caller     Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------ ---------- -------- -------- -------- --- ----- --- ---- ----- ------ ------
   11000     5000        1 do_pre_smp_initcalls x  11000000  5000000  5000000 0 1 t 1 - 0 0
# 11000 11000000 0 1 t level early
   20000    50000        1 do_basic_setup x        20000000 50000000 50000000 0 1 t 1 - 0 0
# 25000 25000000 0 1 t level core
# 40000 40000000 0 1 t level late
X
run sh -c "printf 'level:%s < 1us\n' early core late >'$tmp/budget'; kd --diff -n 0 --budget '$tmp/budget' '$tmp/levels' '$tmp/levels'"
status 3
err 'kd: note: over budget: level:early took 5000 us'
err 'kd: note: over budget: level:core took 15000 us'
err 'kd: note: over budget: level:late took 30000 us'

# Its calls may be inlined.
begin 'kd --diff --budget: the last level ends with the boot if nothing says when do_basic_setup() returned'
sed -e '/do_basic_setup/d' -e '/do_pre_smp/i\
   10000   190000        1 kernel_init x           10000000 190000000 5000000 0 1 t 1 - 0 0' "$tmp/levels" >"$tmp/inlined"
{ sed /kernel_init/d "$tmp/inlined"; echo '  100000 50 1 to_userspace x 100000000 50000 50000 0 1 t 1 - 0 0'; } >"$tmp/user"
run sh -c "echo 'level:late < 1us' >'$tmp/budget'; for log in inlined user; do kd --diff -n 0 --budget '$tmp/budget' '$tmp/'\$log '$tmp/'\$log; done"
status 3
err 'kd: note: over budget: level:late took 160000 us'
err 'kd: note: over budget: level:late took 60000 us'

begin 'kd --diff --budget: a level that only one of the new logs has'
run sh -c "echo 'level:core < 10ms' >'$tmp/budget'; sed '/level core/d' '$tmp/levels' >'$tmp/fewer'
	kd --diff -n 0 --budget '$tmp/budget' '$tmp/levels' : '$tmp/levels' '$tmp/fewer'"
status 1
err 'budget:1: the new logs do not say how long level:core took'

begin 'kd --diff --budget: a function that only one of the new logs has'
run sh -c "echo 'c < 1us' >'$tmp/budget'; sed '/ c x /d' '$tmp/kept' >'$tmp/without_c'
	kd --diff -n 0 --budget '$tmp/budget' '$tmp/kept' : '$tmp/kept' '$tmp/without_c'"
status 1
err 'budget:1: the new logs do not say how long c took'

begin 'kd --diff --budget: a log that was full does not say how long its session would have taken'
run sh -c "echo 'total < 1s' >'$tmp/budget'; sed '/stopped/s/by .*/by log full/' '$tmp/kept' >'$tmp/full'
	kd --diff -n 0 --budget '$tmp/budget' '$tmp/kept' '$tmp/full'"
status 1
err 'budget:1: the new logs do not say how long total took'
err 'kd: note: logs that ended before their session, by log full, a crash, or since they were read while it ran: 1: calls'

begin 'kd --diff: the average and the longest call are those of the logs that have the function'
run sh -c 'for column in a Z; do kd --diff --csv -s $column "$1/kept" : "$1/kept" "$1/without_c" | grep ^c,; done' sh "$tmp"
out <<'E'
c,2000000,2000000,0,0.00,,1,0,equal,
c,2000000,2000000,0,0.00,,1,0,equal,
E
err note

begin 'kd --diff --budget: a function that the logs do not have'
run sh -c "echo 'nothing < 1ms' >'$tmp/budget'; kd --diff -n 0 --budget '$tmp/budget' '$tmp/kept' '$tmp/kept'"
status 1
err 'budget:1: the new logs do not say how long nothing took'

begin 'kd --diff --budget: a line that is none'
run sh -c "echo 'b > 1ms' >'$tmp/budget'; kd --diff -n 0 --budget '$tmp/budget' '$tmp/kept' '$tmp/kept'"
status 2
err 'budget:1: a budget has lines as "time_init < 50ms"'

begin 'kd --diff: KFI and function_graph have counted the calls of a function of the same kernel'
run sh -c 'kd --diff --csv -s c -n 1000 "$1/misc-kfi.lst" "$1/misc-graph.txt" |
	awk -F, "!/^#/ && NR > 1 { n[\$9]++; calls[\$9] += \$7 } END { for (v in n) print v, n[v], calls[v] }" |
	grep -v verdict; kd --diff -n 2 "$1/misc-kfi.lst" "$1/misc-graph.txt"' sh "$DATA/foreign"
out <<'E'
equal 57 122
Function                            Old        New        Change     Change %  Noise    Old count New count Verdict 
----------------------------------- ---------- ---------- ---------- --------- -------- --------- --------- --------
misc_init                                  184       1544       1359    736.40        ?         1         1 untested
class_register                              97        880        782    799.06        ?         1         1 untested
E
err 'kd: note: the logs are of different tracers, kfi and ftrace: what only one of them traces is new or gone'

printf 'Filters:\n\tNo Interrupt functions\n\n' | cat - "$tmp/old1" >"$tmp/filtered"
{
	cat "$tmp/filtered"
	printf '980%s 7 1 %s x 980%s000 7000 7000 0 1 t 1 - 0 0\n' 0 s@one.c 0 1 s@two.c 1 2 only@one.c 2
} >"$tmp/files"
printf '# tracer: function_graph\n 8.1 |   0)   5.000 us    |  s();\n 8.2 |   0)   5.000 us    |  a();\n' >"$tmp/graph"
begin 'kd --diff: other tracers do not tell functions of a name apart, filters of KFI are printed'
run kd --diff --csv -s c "$tmp/files" "$tmp/graph"
out_has 's,2,1,-1,-50.00,,2,1,untested,'
err 'kd: note: filters of the log of KFI: No Interrupt functions'
begin 'kd --diff: a function of a file that the other tracer does not have keeps its name, and so does a percentile'
run sh -c 'kd --diff --csv -s c "$1/files" "$1/graph" | grep -c "^only@one.c,1,,"
	kd --diff --csv -s Q -t 1ns "$1/files" "$1/graph" | grep "^s" | sort | cut -d, -f 1' sh "$tmp"
out <<'E'
1
s
s@one.c
s@two.c
E
err 'kd: note: too few logs'

# probe does not return in the new log, whose rows are those of a hang.
printf '%s\n' ' Entry Delta PID Function Caller' '--------' ' 0 900000 1 do_initcalls x' \
	' 10 500000 1 probe do_initcalls' >"$tmp/returns.lst"
sed 's/ 900000 / -1 /; s/ 500000 / -1 /' "$tmp/returns.lst" >"$tmp/hangs.lst"
printf 'probe < 600ms\n' >"$tmp/budget"

begin 'kd --diff: a function that no longer returns is not gone'
run kd --diff --csv "$tmp/returns.lst" "$tmp/hangs.lst"
out_has 'probe,500000000,,,,,1,1,unknown,'
err 'slower: 0, faster: 0, new: 0, gone: 0, of 2 functions'
err 'unknown: 2: a log has calls of the function, but not this value, for example because none has returned'

begin 'kd --diff: the mean is that of the logs that have the time'
run kd --diff --csv "$tmp/returns.lst" "$tmp/returns.lst" : "$tmp/returns.lst" "$tmp/hangs.lst"
out_has 'probe,500000000,500000000,,,,1,1,unknown,'
err 'unknown: 2'

begin 'kd --diff: functions of which no log has the value are counted'
run kd --diff --csv -s w "$tmp/returns.lst" "$tmp/returns.lst"
status 1
err 'kd: note: left out: 2 functions of which no log has this value'

begin 'kd --diff --budget: a file without a limit, and one that is cut off, are kept by no log'
run sh -c ': >"$0/none"; printf "# total < 1us\n\n" >"$0/comment"; { echo "total < 1s"; seq -f "# %g" 3000; echo "total < 1us"; } | gzip -c | head -c 3000 >"$0/cut.gz"
	for f in none comment cut.gz; do kd --diff -n 0 --budget "$0/$f" "$0/kept" "$0/kept" >/dev/null; echo $?; done' "$tmp"
out <<'E'
2
2
2
E
err '/none: no line has a limit: a budget has lines as "time_init < 50ms"; leave out --budget to compare without limits'
err '/comment: no line has a limit'
err '/cut.gz: ends behind line '

begin 'kd --diff --budget: a function that no longer returns'
run kd --diff --budget "$tmp/budget" -n 0 "$tmp/returns.lst" : "$tmp/returns.lst" "$tmp/hangs.lst"
status 1
err 'budget:1: the new logs do not say how long probe took'

begin 'kd --diff: no function matches'
run kd --diff --func nosuch -n 0 "$tmp/returns.lst" "$tmp/returns.lst"
status 1
err 'kd: note: no function in the log matches: nosuch'

begin 'kd --diff: several runs in a file'
run sh -c "cat '$DATA/format3.lst' '$DATA/format3.lst' >'$tmp/runs'; kd --diff -n 0 '$tmp/runs' '$DATA/format3.lst'"
err 'has 2 runs, the first is compared: -R NUM selects another'

begin 'kd --diff: times of a profile and of a log are not compared'
run kd --diff "$DATA/profile.log" "$DATA/format3.log"
status 2
err 'in a profile each call of a recursion adds to Time'

begin 'kd --diff: rows out of order, and an unknown format'
sed 's/Log format = 4/Log format = 3/; /^# check/d' "$DATA/format4.log" >"$tmp/ordered"
awk '/^    6150/ { row = $0; next } { print } /^    7000/ { print row }' "$tmp/ordered" >"$tmp/mixed"
sed 's/Log format = 3/Log format = 9/' "$tmp/ordered" >"$tmp/later"
run kd --diff -n 0 --map "$DATA/format3.map" "$tmp/ordered" : "$tmp/mixed" "$tmp/later"
status 1
err 'mixed: mixed up: 1 of 14 calls stand behind calls that were entered later'
err 'later: log format 9: this version knows '

begin 'kd --diff: names with addresses, addresses of two kernels, of one that was moved'
for log in old.1 new.1; do zcat "$DATA/tutorial/$log.log.gz" >"$tmp/$log"; done
run sh -c "sed 's/^Build id = ../&00/' '$tmp/new.1' >'$tmp/build'; sed 's/^Text = 0xc0/Text = 0xc1/' '$tmp/new.1' >'$tmp/text'
	for new in '$DATA/format3.lst' '$tmp/build' '$tmp/text'; do kd --diff '$tmp/old.1' \$new; echo \$?; done
	kd --diff -n 0 '$tmp/old.1' '$tmp/new.1' >/dev/null 2>&1; echo \$?"
out <<'E'
2
2
2
0
E
err "format3.lst: cannot be compared with $tmp/old.1: one has names of functions, the other one addresses: --map, --vmlinux or addr2sym make names of them"
err "$tmp/build: cannot be compared with $tmp/old.1: by their build ids, the addresses are of two kernels: --map"
err "$tmp/text: cannot be compared with $tmp/old.1: by Text, the addresses are of a kernel that was moved: --map"

begin 'kd --diff: addresses of a kernel that was moved, with names'
run sh -c "kd --diff -n 0 --map '$DATA/tutorial/System.map' '$tmp/old.1' '$tmp/new.1' >/dev/null 2>&1"

begin 'kd --diff: a log of addresses with no calls after the filters'
for pid in 1 2; do
	printf ' Entry Delta Entry-ns Off-ns Irq-ns\n-------- --------\n0 100 %s 0xc0100000 0xc0200000 0 100000 100000 0 1 t %s - 0 0\n' \
		$pid $pid >"$tmp/pid$pid"
done
run sh -c "for pid in 1 2; do kd --diff --pid \$pid '$tmp/pid1' '$tmp/pid2' 2>/dev/null; done | grep ^0x"
out <<'E'
0xc0100000                                 100          ?       -100   -100.00        ?         1         0 gone    
0xc0100000                                   ?        100        100         ?        ?         0         1 new     
E
