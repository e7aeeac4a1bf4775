# SPDX-License-Identifier: GPL-2.0
# kd: samples, as perf script prints them. They are marked as such, and are no calls.
P=$tmp/perf
mkdir -p "$P"
cat >"$P/chains" <<'E'
# ========
# cmdline : /usr/bin/perf record -g
# ========
#
Web Content 12  1711/1714  [001]  4195.240399:     250000 cpu-clock:u: 
	ffffffff81637e68 get_page+0x1668 ([kernel.kallsyms])
	ffffffffc0637e68 nft_do_chain+0x18 ([nf_tables])
	ffffffffc0637e68 ext4_readdir+0x18 (/lib/modules/6.12/kernel/fs/ext4/ext4.ko)
	    7fca420f2ad7 [unknown] (/usr/lib/libc.so.6 (deleted))

swapper     0     [000]  4195.240500:     250000 cpu-clock:u: 
	           1ab70 std::vector<int, a>::at(unsigned long) const+0x10 (/usr/bin/a b)
  vector.h:12
	           1ab70 fib+0x10 (/usr/bin/a)
	           1ab70 fib (inlined)
	    7fca420f2ad7 [unknown] ([unknown])

swapper     0     [000]  4195.240600:     500000 cpu-clock:u: 
	           1ab70 fib+0x10 (/usr/bin/a)
	           1ab70 main+0x10 (/usr/bin/a)

dd 77 [001] 4195.3: no time of perf
:-1    -1 [001]  4195.300000123:    1000000 cpu-clock:u: 
E

begin 'kd: perf script: samples are counts, percent and estimates, no calls'
run kd "$P/chains"
out <<'E'
SAMPLED: 4 samples of cpu-clock:u, ~ marks estimates
Function                            Samples Time %  Local % ~Time    ~Local  
----------------------------------- ----- ------- ------- -------- --------
[unknown]                               2   62.50   50.00     1250     1000
fib                                     2   37.50   25.00      750      500
main                                    1   25.00    0.00      500        0
[libc.so.6 (deleted)]                   1   12.50    0.00      250        0
ext4_readdir[ext4]                      1   12.50    0.00      250        0
get_page                                1   12.50   12.50      250      250
nft_do_chain[nf_tables]                 1   12.50    0.00      250        0
std::vector<int, a>::at(unsigned long) const     1   12.50   12.50      250      250
E
status 1
err "sampled: 4 samples of cpu-clock:u: times are estimates from their periods, no durations"
err 'chains:22:1: neither a sample of perf script nor a line of a call chain: "dd 77 [001] 4195.3: no time of perf"; 1 such line left out'

sed -i /^dd/d "$P/chains"
begin 'kd: perf script: what only calls have is not known'
run kd -n 1 -s self -f FcaroAMZmn "$P/chains"
out <<'E'
SAMPLED: 4 samples of cpu-clock:u, ~ marks estimates
Function                            Samples Average  Range        Open  Min      Median   Max      Max-sub                             Ms count
----------------------------------- ----- -------- ------------ ----- -------- -------- -------- ----------------------------------- --------
[unknown]                               2        ?            ?     ?        ?        ?        ?                                   ?        ?
E
err "sampled: 4 samples"

begin 'kd: perf script: modes that need calls and durations say so'
run sh -c 'for how in -c --boot --first --longest --gaps --initcalls "--html x" "--export chrome" "--export callgrind" "--export bootchart"; do
	TERM=dumb kd $how "$1" 2>&1 >/dev/null | sed "s/.*: \(.*\) needs calls and their durations, and these are samples: .*/\1/"
	done' sh "$P/chains"
out <<'E'
-c
--boot
--first
--longest
--gaps
--initcalls
--html
chrome
callgrind
bootchart
E

begin 'kd: perf script: two files of samples are not compared as if they had durations'
run kd --diff "$P/chains" "$P/chains"
status 2
err "--diff needs calls and their durations, and these are samples"

begin 'kd: perf script: programs get other keys for estimates'
run kd --csv --pid 1714 "$P/chains"
out <<E
# kfi: summary
# version: 1
# log: $P/chains
# run: 1
# run_id: 0
# net: false
# format: perf
# sampled: cpu-clock:u
# lost: 0
# start_us: 4195240399
# stop_us: 4195300000
# total_us: 59601
function,samples,time_percent,local_percent,estimated_time_ns,estimated_local_ns,unsure
[libc.so.6 (deleted)],1,12.50,0.00,250000,0,
ext4_readdir[ext4],1,12.50,0.00,250000,0,
get_page,1,12.50,12.50,250000,250000,
nft_do_chain[nf_tables],1,12.50,0.00,250000,0,
E
err "sampled: 4 samples"

begin 'kd: perf script: who calls, in percent of all samples'
run kd --callers std::* "$P/chains"
out <<'E'
SAMPLED: 4 samples of cpu-clock:u, ~ marks estimates
Function                            Samples Time %  Local % ~Time    ~Local  
----------------------------------- ----- ------- ------- -------- --------
fib                                     1   12.50   12.50      250      250
E
err "sampled: 4 samples"

begin 'kd: perf script: the tree of call chains'
run kd --tree --cpu 0 "$P/chains"
out <<'E'
SAMPLED: 4 samples of cpu-clock:u, ~ marks estimates
~Time      ~Local     Samples  Tree
---------- ---------- -------- --------
       750          ?        2 (tasks)
       500          0        1   main
       500        500        1     fib
       250          0        1   [unknown]
       250          0        1     fib
       250          0        1       fib
       250        250        1         std::vector<int, a>::at(unsigned long) const
E
err "sampled: 4 samples"

begin 'kd: perf script: call chains as folded stacks'
run kd --export folded --to 150us "$P/chains"
out <<'E'
(tasks);[libc.so.6 (deleted)];ext4_readdir[ext4];nft_do_chain[nf_tables];get_page 250000
(tasks);[unknown];fib;fib;std::vector<int, a>::at(unsigned long) const 250000
E
err "sampled: 4 samples"

begin 'kd: perf script: a flame graph says that it is of samples'
run sh -c 'kd --export flamegraph "$1" 2>/dev/null | grep -o "Sampled: [^<]*\|samples [0-9]*; 37.5 %"' sh "$P/chains"
out <<'E'
Sampled: 4 samples of cpu-clock:u, 2.0 ms by their periods: times are estimates
E

begin 'kd: perf script: a profile of pprof counts each sample once'
needs_command protoc
run sh -c 'kd --export pprof "$1" 2>/dev/null | zcat | protoc --decode=Profile -I "$2" pprof.proto |
	awk "/value:/ { if (++n % 2) samples += \$2; else ns += \$2 }
	     /^string_table:/ && ++t < 7 && t > 1
	     END { print samples, ns }"' sh "$P/chains" "$here"
out <<'E'
string_table: "samples"
string_table: "count"
string_table: "time"
string_table: "nanoseconds"
string_table: "sampled: 4 samples of cpu-clock:u"
4 2000000
E

# Without chains, other events in between.
cat >"$P/flat" <<'E'
              sh  5260  4771.724513:          1 sched:sched_switch: prev_comm=sh prev_pid=5260 ==> next_comm=a b next_pid=1
              dd  5260  4771.724600:       1000 cycles:ppp:  ffffffff81775b9a elf_load+0x28a ([kernel.kallsyms])
              dd  5260  4771.724700:       3000 cycles:ppp:      7f0561f20b70 _start+0x0 (/usr/lib/ld-linux-x86-64.so.2)
              dd  5260  4771.724800:          1 page-faults:      7f0561f20b70 _start+0x0 (/usr/lib/ld-linux-x86-64.so.2)
              dd  5260  4771.724900: PERF_RECORD_LOST lost 7
E

begin 'kd: perf script: periods that are no times'
run kd "$P/flat"
out <<'E'
SAMPLED: 2 samples of cycles:ppp
Function                            Samples Time %  Local %
----------------------------------- ----- ------- -------
_start                                  1   75.00   75.00
elf_load                                1   25.00   25.00
E
err "sampled: 2 samples of cycles:ppp: percent are of their periods, and times are not known"
err "samples of page-faults are left out: 1; --event NAME ranks another event than cycles:ppp"
err "samples lost while tracing: 7"

begin 'kd: perf script: what tells of the recording may have any time, and is no other run'
run sh -c '{ sed 3q "$0/flat"; echo "  dd  5260     0.000000: PERF_RECORD_LOST lost 2"; sed -n "4,\$p" "$0/flat"; } | kd -f Fc - | sed 1q' "$P"
out <<'E'
SAMPLED: 2 samples of cycles:ppp
E
err "samples of page-faults are left out: 1; --event NAME ranks another event than cycles:ppp"
err "sampled: 2 samples of cycles:ppp: percent are of their periods, and times are not known"
err "samples lost while tracing: 9"

begin 'kd: perf script: no times of events without a clock'
run kd -t 1us "$P/flat"
status 2
err "-t needs times, and samples of cycles:ppp have none"

begin 'kd: perf script: --event chooses what is ranked'
run kd --event page-faults "$P/flat"
out <<'E'
SAMPLED: 1 samples of page-faults
Function                            Samples Time %  Local %
----------------------------------- ----- ------- -------
_start                                  1  100.00  100.00
E
err "samples of cycles:ppp are left out: 2"

begin 'kd: perf script: an event that is not there'
run kd --event page-fault "$P/flat"
status 2
err "no samples of the event page-fault"

begin 'kd: perf script: tracepoints are marks'
run kd -k "$P/flat"
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
         0   ?    5260 dd                t sched:sched_switch: prev_comm=sh prev_pid=5260 ==> next_comm=a b next_pid=1
E
err "sampled: 2 samples"

begin 'kd: perf script: only tracepoints'
run sh -c 'head -n 1 "$1" | kd -n 1 -' sh "$P/flat"
out_has "Function                            Count Time     Average  Local   "
err "the trace has only tracepoints, which are marks: kd -k shows them; --event NAME ranks the call chains of one"
err "the log has no calls"

begin 'kd: perf script: chains of a tracepoint'
run kd --event block:block_rq_issue - <<'E'
kworker/0:1H-kb    88 [000]   12.000001: block:block_rq_issue: 8,0 R 4096 () 1 + 8 [kworker/0:1H]
	ffffffff81637e68 submit+0x8 ([kernel.kallsyms])

E
out <<'E'
SAMPLED: 1 samples of block:block_rq_issue
Function                            Samples Time %  Local %
----------------------------------- ----- ------- -------
submit                                  1  100.00  100.00
E
err "the samples have no period, so each counts 1"

begin 'kd: perf script: an event with a long name, and no sample of it is left out'
event='cpu/event=0xc4,umask=0x20,period=100003,edge=1,inv=1,cmask=0x10,any=1/upp'
for n in 1 2 3; do
	printf 'sh 5 [000] %s.000001: 10 %s:\n\tffffffff81637e68 fib+0x1 ([kernel.kallsyms])\n\n' "$n" "$event"
done >"$P/long"
run kd --event "$event" "$P/long"
out <<'E'
SAMPLED: 3 samples of cpu/event=0xc4,umask=0x20,period=100003,edge=1,inv=1,cmask=0x10
Function                            Samples Time %  Local %
----------------------------------- ----- ------- -------
fib                                     3  100.00  100.00
E
err 'sampled: 3 samples'

begin 'kd: perf script: samples of many events: none is left out without a note'
for e in cycles instructions branches cache-misses page-faults bus-cycles bus-cycles minor-faults; do
	printf 'sh 5 [000] 1.000001: 10 %s:\n\tffffffff81637e68 fib+0x1 ([kernel.kallsyms])\n\n' "$e"
done >"$P/many"
run kd -f c "$P/many"
out_has '    1'
err 'samples of page-faults are left out: 1; --event NAME ranks another event than cycles'
err 'samples of 2 more events are left out: 3'

begin 'kd: perf script: --input perf forces the format, times are not needed'
run sh -c 'printf "sh 5/6: cycles:\n\t1ab70 fib (/a)\n\nsh 5/6 cycles:\n\t1ab70 fib (/a)\n" | kd --input perf -'
out_has "fib                                     1  100.00  100.00"
status 1
err ':1:1: neither a sample of perf script nor a line of a call chain: "sh 5/6: cycles:"; 2 such lines left out'

begin 'kd: perf script: --from needs times'
run sh -c 'printf "sh 5/6 cycles:\n\t1ab70 fib (/a)\n\n" | kd --input perf --from 1s -'
status 2
err "--from needs the times of samples, and there are none: print them with perf script -F +time"

# The percent of each function that perf report has; $1 is what kd reads, $2 the report. Functions that
# perf has more than once, of several files, are one for kd.
cat >"$P/compare" <<'E'
FILENAME == kd { if (!/^#/ && split($0, f, ",") > 5) { all[f[1]] = f[3]; own[f[1]] = f[4] }; next }
/^ / {
	name = $5
	for (i = 6; i <= NF; i++)
		name = name " " $i
	if (name ~ /^(0x)?[0-9a-f]+$/ || name ~ /^\[/ || name ~ /,/ || seen[name]++) {
		twice[name]
		next
	}
	a[name] = $1 + 0
	s[name] = $2 + 0
}
function differ(x, y) { return x - y > 0.011 || y - x > 0.011 }
END {
	for (name in a) {
		if (name in twice)
			continue
		n++
		if (!(name in all) || differ(all[name], a[name]) || differ(own[name], s[name]))
			printf "%s: perf %s %s, kd %s %s\n", name, a[name], s[name], all[name], own[name]
	}
	print (n > 20 ? "compared" : n " functions")
}
E
compare() {
	kd --csv "$1" >"$P/kd.csv" 2>"$P/log"
	awk -v kd="$P/kd.csv" -f "$P/compare" "$P/kd.csv" "$2"
}

begin 'kd: perf script: the ranking of a real recording is that of perf report'
run compare "$DATA/foreign/perf.txt.xz" "$DATA/foreign/perf-report.txt"
out <<'E'
compared
E

begin 'kd: perf script: the ranking of a recording made now is that of perf report'
(
	cd "$P" && perf record -q -F 999 -e cpu-clock -g -o data -- sh -c 'ls -lR /usr/share/doc' >/dev/null &&
	perf script -i data >now && perf report -i data --stdio --children -g none --sort sym \
		-F overhead_children,overhead,sample,sym >report
) >"$P/log" 2>&1 && [ "$(grep -c cpu-clock: "$P/now")" -gt 50 ] && can_perf=1
needs can_perf
run compare "$P/now" "$P/report"
out <<'E'
compared
E
