# SPDX-License-Identifier: GPL-2.0
# kd --export: what other programs read is what kd prints: exports compares. Programs that read the
# files come with "scripts/install-deps exports"; inferno is not in Debian.
# shellcheck source=tests/cli/boot-log
. "$here/boot-log"
LST=$DATA/format3.lst
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/kfi.log" >"$tmp/demo.lst"
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/fork.log" >"$tmp/fork.lst"

# All that there is: recursion, an interrupt with a softirq, open calls, a task that is switched out
# and woken, calls left out, and a name that each format must escape.
HOSTILE=$(printf 'a;b"\\<i>&x,{|}\047$(\303\251')
log >"$tmp/all.lst" <<E
head Logging started at 0 usec by entry to function start_kernel
head Logging stopped at 1000 usec by user action
head Calls lost = 5
call 0 - 0 0 1 start_kernel
mark 5 0 0 t level early
call 10 400 0 0 2 init_IRQ 243 0 50
call 20 100 0 0 3 walk 40 0 0
call 30 60 0 0 4 walk 60 0 0
call 200 50 0 0 4 do_IRQ 20 0 0 h
call 210 20 0 0 5 $HOSTILE 20 0 0 h
mark 215 0 0 h wakeup 1 $HOSTILE do_IRQ
call 235 10 0 0 5 __do_softirq 10 0 0 s
mark 450 0 0 t new 1 kernel_init
call 460 140 0 0 2 schedule 20 120 0
mark 470 0 0 t switch 1 kernel_init
call 480 100 1 0 1 kernel_init 30 0 0
call 490 70 1 0 2 $HOSTILE 70 0 0
mark 590 1 0 t switch 0 swapper/0
call 610 - 0 0 2 rest_init
call 620 30 0 0 3 walk 30 0 0
E

# The same with nothing left out.
sed 's/ 243000 / 250000 /' "$tmp/all.lst" >"$tmp/full.lst"

# Calls of a historic log that overlap without nesting, or nest without having been called there.
cat >"$tmp/lanes.lst" <<'E'
 Entry Delta PID Function Caller
-------- --------
0 100 1 a x
10 20 1 d y
50 100 1 b y
60 20 1 c b+0x1
90 130 1 e b+0x9
300 0 1 a x
E

# More than a packet of CTF, or a buffer of uftrace.
{
	echo 'call 0 100000 1 0 1 around 1 0 0'
	i=0
	while [ $i -lt 900 ]; do
		i=$((i + 1))
		echo "call $((100 * i)) 10 1 0 2 inner_$i 10 0 0"
	done
} | log >"$tmp/packets.lst"

# check FORMAT LOG [OPTION...]: the numbers of a file of a format are those of kd.
check() {
	[ -z "$reader" ] || needs_command "$reader"
	run "$here/exports" "$@"
	out </dev/null
}

# check_all_logs FORMAT [COMMAND]: the same for all logs and ways to choose calls; COMMAND reads the file.
check_all_logs() {
	reader=$2
	for log in all demo fork lanes; do
		begin "kd --export $1: numbers of kd, $log"
		check "$1" "$tmp/$log.lst"
	done
	begin "kd --export $1: a historic log"
	check "$1" "$DATA/kft_2636.lst"
	begin "kd --export $1: a part of a log"
	check "$1" "$tmp/demo.lst" --from 100ms --to 900ms --pid 0,1
	begin "kd --export $1: what is below a function"
	check "$1" "$tmp/all.lst" --under init_IRQ,kernel_init
	begin "kd --export $1: the first levels"
	check "$1" "$tmp/all.lst" -d 2
}

begin 'kd --export: no such format'
run kd --export nothing "$LST"
status 2
out </dev/null
err 'kd: --export nothing: no such format; there are: folded, chrome, perfetto, speedscope, callgrind, uftrace, pprof, ctf, flamegraph, graphviz, bootchart'

begin 'kd --export: a mode of its own'
run sh -c "kd --export folded --tree '$LST' || kd -o x '$LST' || kd --export folded --json '$LST'"
status 2
err 'kd: --tree or --export, not both'
err 'kd: -o can only be used with --export or --record'
err 'kd: --json cannot be used with --export'

begin 'kd --export -o: the log itself, no such folder, a disk that is full'
cp "$LST" "$tmp/same.lst"
run sh -c "kd --export folded -o '$tmp/same.lst' '$tmp/same.lst'
	kd --export folded -o '$tmp/no/x' '$LST'
	kd --export folded -o '$tmp/same.lst' - <'$tmp/same.lst'
	cmp '$LST' '$tmp/same.lst' && kd --export folded '$LST' >/dev/full
	kd --export folded -o /dev/full '$LST'"
status 2
err "kd: -o $tmp/same.lst: this file is read, too: name another one"
err "kd: -o $tmp/no/x: No such file or directory"
err 'kd: cannot write'
err 'kd: -o /dev/full: cannot write: No space left on device'

begin 'kd: an output takes the place of no file that is read, also if a link names it'
mkdir "$tmp/inputs"
run sh -c "cd '$tmp/inputs' && cp '$LST' log && cp '$DATA/format3.map' map && cp '$DATA/format3.log' raw && ln -s map link &&
	cp '$DATA/foreign/qemu.vmlinux' vmlinux && cp '$DATA/foreign/qemu.txt' qemu && sha1sum * >sums
	for o in '--export folded -o map --map map raw' '--export folded -o link --map map raw' '--html map --map map raw' \\
		'--export chrome -o ./vmlinux --vmlinux vmlinux qemu' \\
		'--export chrome --split 1s -o raw log' '--record -o log log' '--record -o map --map map raw'; do
		kd \$o 2>out || echo \$?; grep -o ': this file is read, too' out; done; rm raw.1 out; sha1sum --quiet -c sums"
out <<'E'
2
: this file is read, too
2
: this file is read, too
2
: this file is read, too
2
: this file is read, too
2
: this file is read, too
2
: this file is read, too
E

begin 'kd --export: an output that fails keeps the old file'
run sh -c "cd '$tmp/inputs' && echo old >kept && ulimit -f 8; trap '' XFSZ; kd --export chrome -o kept '$tmp/demo.lst'; echo \$?
	kd --export folded --split 1s -o kept '$LST'; kd --html kept '$tmp/demo.lst' 2>/dev/null; echo \$?; cat kept; ls -A | grep kfi-"
status 1
out <<'E'
2
2
old
E
err 'kd: -o kept: cannot write: File too large'
err '--split is for chrome'

sed 's/^ *Entry .*/ Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed/' \
	"$LST" | sed '/^---/q' >"$tmp/profile"
echo 'mem_init 1 2 2 2 2 0 0 0' >>"$tmp/profile"
begin 'kd --export: not a profile'
run kd --export folded "$tmp/profile"
status 2
out </dev/null
err 'a profile has sums, no calls: the table of functions shows it'

begin 'kd --export: a file that is not whole is removed'
run sh -c "ulimit -f 8; trap '' XFSZ; kd --export chrome -o '$tmp/none' '$tmp/demo.lst' || ls '$tmp/none'"
status 2
out </dev/null
err 'none: cannot write: File too large'

begin 'kd --export folded'
run kd --export folded -o "$tmp/folded" "$tmp/all.lst"
out </dev/null
err '2 of 12 calls had not returned'

begin 'kd --export folded: the lines'
shown=$(echo "$HOSTILE" | tr ';' '?')
run cat "$tmp/folded"
out <<E
(tasks);start_kernel (open);init_IRQ 243000
(tasks);start_kernel (open);init_IRQ;walk 40000
(tasks);start_kernel (open);init_IRQ;walk;walk 60000
(interrupts);do_IRQ 20000
(interrupts);do_IRQ;$shown 20000
(interrupts);do_IRQ;__do_softirq 10000
(tasks);start_kernel (open);schedule 20000
(tasks);kernel_init 30000
(tasks);kernel_init;$shown 70000
(tasks);start_kernel (open);rest_init (open);walk 30000
(tasks);start_kernel (open);schedule;(switched out) 120000
(tasks);start_kernel (open);init_IRQ;(interrupts) 50000
(tasks);start_kernel (open);init_IRQ;(left out) 7000
E
check_all_logs folded

# Where Debian has it.
FLAMEGRAPH=$(command -v flamegraph.pl || echo /usr/share/perl5/Devel/NYTProf/flamegraph.pl)
export FLAMEGRAPH
for log in all demo fork lanes; do
	begin "kd --export folded: flamegraph.pl draws these numbers, $log"
	needs_command "$FLAMEGRAPH"
	check flamegraph.pl "$tmp/$log.lst"
done

begin 'kd --export folded: inferno'
needs_command inferno-flamegraph
run sh -c "inferno-flamegraph --countname ns --minwidth 0 <'$tmp/folded' | grep -c 'init_IRQ (400,000 ns'"
out_has 1

check_all_logs chrome
begin 'kd --export chrome: holes of interrupts and of other tasks leave the self time'
run "$here/exports" --exact chrome "$tmp/full.lst"
out </dev/null

begin 'kd --export chrome: marks, wake-ups, losses'
run sh -c "kd --export chrome '$tmp/all.lst' | grep -e '\"ph\":\"[iC]' -e wakeup -e thread_name"
out <<'E'
{"ph":"i","pid":1,"tid":1,"ts":5.000,"name":"level early","cat":"mark","s":"g"},
{"ph":"i","pid":1,"tid":2,"ts":215.000,"name":"wakeup 1 a;b\"\\<i>&x,{|}'$(\u00c3\u00a9 do_IRQ","cat":"mark","s":"t"},
{"ph":"s","pid":1,"tid":2,"ts":215.000,"name":"wakeup","id":1,"cat":"wakeup"},
{"ph":"i","pid":1,"tid":1,"ts":450.000,"name":"new 1 kernel_init","cat":"mark","s":"t"},
{"ph":"f","pid":1,"tid":4,"ts":470.000,"name":"wakeup","id":1,"cat":"wakeup"},
{"ph":"M","pid":1,"tid":1,"ts":0.000,"name":"thread_name","args":{"name":"cpu 0: idle"}},
{"ph":"M","pid":1,"tid":2,"ts":0.000,"name":"thread_name","args":{"name":"cpu 0: interrupts"}},
{"ph":"M","pid":1,"tid":4,"ts":0.000,"name":"thread_name","args":{"name":"kernel_init (1)"}},
{"ph":"C","pid":1,"tid":1,"ts":0.000,"name":"calls lost","args":{"lost":0}},
{"ph":"C","pid":1,"tid":1,"ts":1000.000,"name":"calls lost","args":{"lost":5}}
E
err note

# The field numbers that are published: tests/cli/perfetto.proto.
check_all_logs perfetto protoc
begin 'kd --export perfetto: holes of interrupts and of other tasks leave the self time'
needs_command protoc
run "$here/exports" --exact perfetto "$tmp/full.lst"
out </dev/null

begin 'kd --export perfetto: marks, wake-ups, losses'
needs_command protoc
run sh -c "kd --export perfetto '$tmp/all.lst' | protoc --decode=Trace -I '$here' perfetto.proto |
	grep -e flow_ids -e 'name: \"wakeup' -e ' name: \"[ck].*[(:l]' -e counter_value"
out <<'E'
    name: "cpu 0: idle"
    name: "cpu 0: interrupts"
    name: "wakeup 1 a;b\"\\<i>&x,{|}\'$(\303\251 do_IRQ"
    flow_ids: 1
    name: "kernel_init (1)"
    terminating_flow_ids: 1
      name: "kernel_init"
    name: "cpu 0: idle"
    name: "cpu 0: interrupts"
    name: "kernel_init (1)"
    name: "calls lost"
    counter_value: 0
    counter_value: 5
E
err note

# splits FORMAT: all files together are the same.
splits() {
	for parts in 'full 70us' 'full 50us' 'fork 1000us' 'demo 100000us' 'lanes 45us'; do
		begin "kd --export $1 --split: numbers of kd, $parts"
		[ "$1" = chrome ] || needs_command protoc
		# shellcheck disable=SC2086 # a word each
		set -- "$1" $parts
		run "$here/exports" "$1" "$tmp/$2.lst" --split "$3"
		out </dev/null
	done
	begin "kd --export $1 --split: from some time on"
	[ "$1" = chrome ] || needs_command protoc
	run "$here/exports" "$1" "$tmp/full.lst" --from 490us --to 610us --split 70us
	out </dev/null
}
splits chrome
splits perfetto

begin 'kd --export --split: calls that are cut, and arrows in one file'
run sh -c "mkdir '$tmp/parts' && kd --export chrome -o '$tmp/parts/k.json' --split 460us '$tmp/full.lst' &&
	cd '$tmp/parts' && grep -e cut -e '\"wakeup' *"
out <<'E'
k.1.json:{"ph":"i","pid":1,"tid":2,"ts":215.000,"name":"wakeup 1 a;b\"\\<i>&x,{|}'$(\u00c3\u00a9 do_IRQ","cat":"mark","s":"t"},
k.1.json:{"ph":"s","pid":1,"tid":2,"ts":215.000,"name":"wakeup","id":1,"cat":"wakeup"},
k.2.json:{"ph":"B","pid":1,"tid":1,"ts":460.000,"name":"start_kernel","cat":"call","args":{"cpu":0,"cut":"began before","begin_ns":0,"open":"not returned"}},
E
err note

begin 'kd --export --split: what it cannot be used with'
run sh -c "kd --export folded -o '$tmp/x' --split 1s '$LST' || kd --export chrome --split 1s '$LST' ||
	kd --export chrome -o '$tmp/x' --split 0 '$LST' || kd --boot --split 1s '$LST'"
status 2
err 'kd: --split is for chrome and perfetto: choose calls of folded with --from and --to'
err 'kd: --split makes several files: give -o FILE'
err 'kd: --split needs a time such as 500us, 1.5ms or 2s, not "0"'
err 'kd: -'

begin 'kd --export --split: too many files, none is left; a folder that is not there'
run sh -c "mkdir '$tmp/many' && kd --export chrome -o '$tmp/many/x' --split 1us '$tmp/demo.lst'
	ls '$tmp/many'; kd --export perfetto -o '$tmp/no/x.y' --split 1s '$LST'"
status 2
out </dev/null
err 'kd: --split: more than 999 files; give a longer time, or --from and --to'
err "kd: -o $tmp/no/x.1.y: No such file or directory"

begin 'kd --export: a binary format is not for a terminal'
needs_command script
run script -qec "kd --export perfetto '$tmp/all.lst'" /dev/null
status 2
out_has "$(printf 'kd: --export perfetto is not for a terminal: give -o FILE. See usage for help. (Use -h)\r')"

check_all_logs speedscope
KFI_SPEEDSCOPE=$("$here/../../scripts/get-speedscope" --have 2>/dev/null)
export KFI_SPEEDSCOPE
no_speedscope='there is no speedscope: "scripts/install-deps exports" fetches it with npm'
begin 'kd --export speedscope: the schema of its npm package'
[ -n "$KFI_SPEEDSCOPE" ] || skip=$no_speedscope
check speedscope "$tmp/all.lst"

for log in all fork; do
	begin "kd --export speedscope: speedscope shows these numbers, $log"
	needs_command "${CHROMIUM:-chromium}"
	[ -n "$KFI_SPEEDSCOPE" ] || skip=$no_speedscope
	run "$here/speedscope" "$KFI_SPEEDSCOPE" "$tmp/$log.lst"
	out </dev/null
done

begin 'kd --export speedscope: losses'
run sh -c "kd --export speedscope '$tmp/all.lst' | head -n 1"
out <<'E'
{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"kd","name":"kernel, calls lost: 5","profiles":[
E
err note

check_all_logs callgrind callgrind_annotate
begin 'kd --export callgrind: losses'
run sh -c "kd --export callgrind '$tmp/all.lst' | head -n 5"
out <<'E'
# callgrind format
version: 1
creator: kd
cmd: kernel, calls lost: 5
positions: line
E
err note

# The field numbers that are published: tests/cli/pprof.proto.
check_all_logs pprof protoc
for log in all demo fork; do
	begin "kd --export pprof: go tool pprof shows these numbers, $log"
	needs_command go
	check pprof-go "$tmp/$log.lst"
done

begin 'kd --export pprof: losses'
needs_command protoc
run sh -c "kd --export pprof '$tmp/all.lst' | zcat | protoc --decode=Profile -I '$here' pprof.proto |
	grep -e lost -e ^comment -e ^duration -e filename"
out <<'E'
  filename: 5
string_table: "kernel, calls lost: 5"
duration_nanos: 1000000
comment: 5
E
err note

check_all_logs ctf babeltrace2
begin 'kd --export ctf: holes of interrupts and of other tasks leave the self time'
needs_command babeltrace2
run "$here/exports" --exact ctf "$tmp/full.lst"
out </dev/null

begin 'kd --export ctf: several packets, in order of time'
needs_command babeltrace2
run "$here/exports" ctf "$tmp/packets.lst"
out </dev/null

begin 'kd --export ctf: marks, names of tasks, losses'
needs_command babeltrace2
run sh -c "kd --export ctf -o '$tmp/ctf' '$tmp/all.lst' && cd '$tmp' &&
	babeltrace2 --clock-seconds --no-delta ctf | grep -v -e entry: -e exit:"
out <<'E'
[0.000000000] track: { track = 0, tid = 0 }, { name = "cpu 0: idle" }
[0.000000000] track: { track = 1, tid = -1 }, { name = "cpu 0: interrupts" }
[0.000000000] track: { track = 3, tid = 1 }, { name = "kernel_init (1)" }
[0.000005000] mark: { track = 0, tid = 0 }, { text = "level early", flow = 0 }
[0.000215000] mark: { track = 1, tid = -1 }, { text = "wakeup 1 a;b\"\\<i>&x,{|}\'$(é do_IRQ", flow = 1 }
[0.000450000] mark: { track = 0, tid = 0 }, { text = "new 1 kernel_init", flow = 0 }
[0.000470000] mark: { track = 3, tid = 1 }, { text = "woken", flow = 1 }
E
err 'Tracer discarded 5 events between [0.000000000] and [0.001000000]'

begin 'kd --export ctf: facts of the log'
run sh -c "kd --export ctf -o '$tmp/ctf2' '$LST' && sed -n '/^env/,/^}/p' '$tmp/ctf2/metadata'"
out <<'E'
env {
	domain = "kernel";
	tracer_name = "kfi";
	kernel = "6.12.0-sample";
	build_id = "00112233445566778899aabbccddeeff00112233";
	clock_source = "mct";
	filters = "30 usecs minimum execution time";
	calls_lost = 2;
	calls_filtered = 40;
};
E
err note

begin 'kd --export ctf: a folder that is not whole has no metadata'
run sh -c "ulimit -f 8; trap '' XFSZ; kd --export ctf -o '$tmp/ctf3' '$tmp/demo.lst' || ls '$tmp/ctf3/metadata'"
status 2
err 'File too large'
err 'metadata'

begin 'kd --export: only graphviz leaves functions out'
run kd --export folded --threshold 50 "$tmp/all.lst"
status 2
err 'kd: --threshold is for graphviz: --export folded has all functions'

check_all_logs graphviz dot
begin 'kd --export graphviz: what is left out, and the callers of the rest'
run sh -c "kd --export graphviz --threshold 20 '$tmp/all.lst' | sed -n 's/, penwidth.*//; /label=\"[0-9k]/p'"
out <<'E'
	label="kernel, calls lost: 5\nfunctions with less than 20 % of the time, not shown: 6";
	n0 -> n4 [label="1"
	n4 -> n5 [label="1"
	n5 -> n6 [label="1"
	n6 -> n6 [label="1"
	n4 -> n6 [label="1", style=dashed
E
err note

begin 'kd --export graphviz: dot draws it'
needs_command dot
run sh -c "kd --export graphviz '$tmp/demo.lst' | dot -Tsvg | grep -c '>memmap_init_range<'"
out_has 1
err note

reader=
for log in all lanes; do
	begin "kd --export flamegraph: numbers of kd, $log"
	check flamegraph "$tmp/$log.lst"
done
begin 'kd --export flamegraph: a historic log'
check flamegraph "$DATA/kft_2636.lst"
begin 'kd --export flamegraph: what is below a function'
check flamegraph "$tmp/all.lst" --under init_IRQ,kernel_init
begin 'kd --export flamegraph: the first levels'
check flamegraph "$tmp/all.lst" -d 2

begin 'kd --export flamegraph: time switched out, names that are cut, narrow boxes'
run sh -c "kd --export flamegraph '$tmp/demo.lst' | grep -o -e '[0-9.]* s on CPUs.*<' -e 'Too narrow.*<' -e '>(left out)<' |
	sort -u; kd --export flamegraph '$tmp/demo.lst' | grep -c -e '[.][.]<'"
out <<'E'
1.566 s on CPUs; switched out, and not shown: 6.344 s<
>(left out)<
Too narrow to be drawn: 526 call paths.<
12
E
err note

begin 'kd --export flamegraph: losses, and a log without calls'
run sh -c "kd --export flamegraph '$tmp/all.lst' | grep -c 'calls lost: 5'; kd --export flamegraph --from 9s '$LST' |
	tail -n 1"
out <<'E'
2
</svg>
E
err 'the filters leave none of'

{
	start
	cat <<'E'
call 1020 500 1 0 3 do_one_initcall
call 1020 490 1 0 4 first_init
mark 1510 1 0 t initcall first_init 0
call 2000 4000 1 0 3 do_one_initcall 0 3000
call 2000 3990 1 0 4 slow_init 990 3000
call 2500 3010 1 0 5 schedule 10 3000
mark 2505 1 0 t switch 0 swapper/0
mark 5505 0 0 h wakeup 1 kernel_init timer_interrupt
mark 5507 0 0 t switch 1 kernel_init
mark 5990 1 0 t initcall slow_init 0
call 10070 0 1 0 2 to_userspace
E
} | log >"$tmp/boot.lst"
for log in demo boot; do
	begin "kd --export bootchart: what kd --boot says, $log"
	check bootchart "$tmp/$log.lst"
done

begin 'kd --export bootchart: a part of it'
run sh -c "kd --export bootchart --from 2ms --to 3ms '$tmp/boot.lst' | grep -o '<text[^>]*>[^<]*' | sed 's/.*>//; /^2/d'"
out <<'E'
Boot chart: kernel
The boot took 10.1 ms, from start_kernel to to_userspace
Phases
do_basic_setup
Critical path
kernel_init
slow_init
slow_init
The longest initcalls
slow_init 4.0 ms
ran
runnable
device
E
err note

begin 'kd --export bootchart: no boot, other filters, a part that is empty'
run sh -c "kd --export bootchart '$tmp/fork.lst'; kd --export bootchart --pid 1 '$tmp/demo.lst'
	kd --export bootchart --from 3s '$tmp/demo.lst'"
status 2
err '--boot needs the log of a boot: start_kernel is not in it'
err 'kd: --export bootchart shows all calls: only --from and --to'
err 'kd: nothing of the boot is between --from and --to'

check_all_logs uftrace uftrace
begin 'kd --export uftrace: holes of interrupts and of other tasks leave the self time'
needs_command uftrace
run "$here/exports" --exact uftrace "$tmp/full.lst"
out </dev/null

begin 'kd --export uftrace: graph, flame graph and info'
needs_command uftrace
run sh -c "kd --export uftrace -o '$tmp/uf' '$tmp/all.lst' && cd '$tmp' && uftrace graph -d uf init_IRQ &&
	uftrace dump --flame-graph -d uf && uftrace info -d uf"
out_has '  100.000 us :  +-(1) walk'
out_has 'start_kernel (open);init_IRQ;walk;walk 1'
out_has '# cmdline             : kernel, calls lost: 5'
err note

# tui SECONDS TEXT: what uftrace tui shows in a terminal, until it has TEXT.
tui() {
	tmux -S "$tmp/tmux" new-session -d -x 80 -y 24 "cd '$tmp' && TERM=screen uftrace tui -d uf"
	i=0
	while [ $i -lt $(($1 * 5)) ] && ! tmux -S "$tmp/tmux" capture-pane -p | grep -F -e "$2"; do
		i=$((i + 1))
		sleep 0.2
	done
	tmux -S "$tmp/tmux" kill-server
}

begin 'kd --export uftrace: tui'
needs_command uftrace
needs_command tmux
run tui 20 ' G  call Graph for session #1: kernel_init (1)'
out <<'E'
 G  call Graph for session #1: kernel_init (1)
E

begin 'kd --export uftrace: a folder that is there, none that is named'
run sh -c "mkdir '$tmp/uf2'; kd --export uftrace -o '$tmp/uf2' '$LST'; kd --export uftrace '$LST'"
status 2
err "kd: -o $tmp/uf2: File exists"
err 'kd: --export uftrace makes a folder: give -o FOLDER'

begin 'kd --export uftrace: a folder that is not whole has no info'
run sh -c "ulimit -f 8; trap '' XFSZ; kd --export uftrace -o '$tmp/uf3' '$tmp/demo.lst' || ls '$tmp/uf3/info'"
status 2
err 'File too large'
err 'info'

begin 'kd --export uftrace: a call that takes no time, where its caller ends'
needs_command uftrace
log >"$tmp/zero.lst" <<'E'
call 0 10 1 0 1 outer 10 0 0
call 10 0 1 0 2 inner 0 0 0
E
run sh -c "kd --export uftrace -o '$tmp/zero' '$tmp/zero.lst' && uftrace dump --flame-graph -d '$tmp/zero'"
out <<'E'
outer 1
outer;inner 1
E
