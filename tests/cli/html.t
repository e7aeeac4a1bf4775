# SPDX-License-Identifier: GPL-2.0
# kd --html: the data of the page is what kd prints (exports reads it), and whatever a log holds stays
# data. Where there is Chromium ("scripts/install-deps browser"), browser looks at the page as a person
# would.
# shellcheck source=tests/cli/boot-log
. "$here/boot-log"
LST=$DATA/format3.lst
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/kfi.log" >"$tmp/demo.lst"
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/fork.log" >"$tmp/fork.lst"

# All that there is: recursion, an interrupt, open calls, a task that is switched out and woken, calls
# left out, lost ones, rows cut out, and names that a page must not take for markup.
EVIL='</script><script>alert(1)</script><img/src=x/onerror=alert(2)>"\<!--&amp;'
log >"$tmp/all.lst" <<E
head Logging started at 0 usec by entry to function start_kernel
head Logging stopped at 1000 usec by user action
head Kernel = 6.12 $EVIL
head Calls lost = 5
call 0 - 0 0 1 start_kernel
mark 5 0 0 t level $EVIL
call 10 400 0 0 2 init_IRQ 243 0 50
call 20 100 0 0 3 walk 40 0 0
call 30 60 0 0 4 walk 60 0 0
call 200 50 0 0 4 do_IRQ 20 0 0 h
call 210 20 0 0 5 $EVIL 20 0 0 h
mark 215 0 0 h wakeup 1 $EVIL do_IRQ
call 235 10 0 0 5 __do_softirq 10 0 0 s
dots
call 420 10 0 0 2 walk 10 0 0
mark 450 0 0 t new 1 kernel_init
call 460 140 0 0 2 schedule 20 120 0
mark 470 0 0 t switch 1 $EVIL
call 480 100 1 0 1 kernel_init 30 0 0
call 490 70 1 0 2 $EVIL 70 0 0
mark 590 1 0 t switch 0 swapper/0
call 610 - 0 0 2 rest_init
call 620 30 0 0 3 walk 30 0 0
dots
call 700 10 0 0 3 walk 10 0 0
E
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

# The same boot, changed: one function is slower, another one has a new name, task 1 is faster.
sed -e 's/ 243000 / 250000 /' -e 's/ walk / stroll /' -e 's/ 70000 70000 / 70000 60000 /' \
	"$tmp/all.lst" >"$tmp/new.lst"

# What the page states about its logs.
cat >"$tmp/facts" <<'E'
import base64, json, re, sys, zlib
text = open(sys.argv[1], encoding="ascii").read()
for line in re.search(r'text/plain">\n([^<]*)</script>', text)[1].split("\n"):
    data = zlib.decompress(base64.b64decode(line))
    info = json.loads(data[data.rindex(b'{"version":'):])
    print("calls", info["calls"], "lost", info["lost"], "gaps", info["gaps"])
    sections, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        sections.append(data[at + 4:at + 4 + size])
        at += 4 + size
    print("marks", len(sections[3]), "of texts", re.findall(rb"[a-z]{3,6} ", sections[1]))
    print("switches", *(list(s) for s in sections[6:9]), "wake-ups", *(list(s) for s in sections[11:13]))
    for track in info["tracks"]:
        print("track", track["name"])
    for row in info["boot"].get("rows", []):
        if row["part"] == "path":
            print("path", row["entry_ns"], row["length_ns"], row["task"], row["kind"])
        elif row["part"] == "printk":
            print("printk", row["entry_ns"], row["function"])
    print("hops", info["boot"].get("hops"))
    print(info["boot"].get("why"))
    print("counters", {k: v for k, v in info["counters"].items() if "count" in k or "to " in k})
    print(*info["notes"], sep="\n")
E

begin 'kd --html: prints nothing, and notes go into the page, too'
run kd --html "$tmp/all.html" "$tmp/all.lst"
out </dev/null
err 'kd: note: calls lost while tracing: 5'

begin 'kd --html: what the page states about its log'
needs_command python3
run python3 "$tmp/facts" "$tmp/all.html"
out <<E
calls 14 lost 5 gaps [[245000, 420000], [650000, 700000]]
marks 3 of texts [b'level ', b'wakeup ', b'new ']
switches [0, 0] [1, 4] [4, 1] wake-ups [1] [3]
track cpu 0: idle
track cpu 0: interrupts
track cpu 0: softirqs
track $EVIL (1)
path 0 10000 swapper ran
path 10000 10000 swapper ran
path 20000 10000 swapper ran
path 30000 60000 swapper ran
path 90000 30000 swapper ran
path 120000 125000 swapper ran
path 245000 175000 swapper unknown
path 420000 10000 swapper ran
path 430000 20000 swapper ran
path 450000 20000 $EVIL runnable
path 470000 10000 $EVIL ran
path 480000 10000 $EVIL ran
path 490000 70000 $EVIL ran
path 560000 20000 $EVIL ran
hops [[450000, 1]]
None
counters {}
2 of 14 calls had not returned or have no exit: they are counted, but not in Time
calls lost while tracing: 5, see the log's header
the log has gaps (lines of dots): it is an excerpt
E

for log in all demo fork lanes; do
	begin "kd --html: numbers of kd, $log"
	needs_command python3
	run "$here/exports" html "$tmp/$log.lst"
	out </dev/null
done
begin 'kd --html: numbers of kd, a historic log'
needs_command python3
run "$here/exports" html "$DATA/kft_2636.lst"
out </dev/null

begin 'kd --html: holes of interrupts and of other tasks leave the self time'
needs_command python3
run "$here/exports" --exact html "$tmp/full.lst"
out </dev/null

# Parts of a log.
for options in '--pid 1' '--from 400us --to 600us' '-d 2' '--under walk' '--ctx h' '--cpu 0'; do
	begin "kd --html: numbers of kd, $options"
	needs_command python3
	# shellcheck disable=SC2086 # they are words
	run "$here/exports" html "$tmp/all.lst" $options
	out </dev/null
done

begin 'kd --html: a part of a log has its calls and switches only, and the whole report'
needs_command python3
run sh -c "kd --html '$tmp/x.html' --pid 1 --to 485us '$tmp/all.lst' 2>&1 | grep page; python3 '$tmp/facts' '$tmp/x.html' |
	grep -e '^calls 1' -e ^switches -e '^path 0 ' -e 'the page'"
out <<'E'
kd: note: the page has 1 of 14 calls: those that the options choose
calls 1 lost 5 gaps [[245000, 420000], [650000, 700000]]
switches [0] [0] [4] wake-ups [] []
path 0 10000 swapper ran
the page has 1 of 14 calls: those that the options choose
E

log >"$tmp/early" <<'X'
call 100 - 1 0 1 probe
mark 50 1 0 t switch 2 worker
call 200 50 1 0 1 probe 50 0 0
X

begin 'kd --html: a mark of a switch that is earlier than the open call above it'
needs_command python3
run sh -c "kd --html '$tmp/x.html' '$tmp/early' 2>'$tmp/said'; echo \$?; grep -v note: '$tmp/said' |
	sed 's,/.*/,,'; python3 '$tmp/facts' '$tmp/x.html' | grep -e ^calls -e ^track"
out <<'X'
1
kd: early: mixed up: 1 of 1 marks are not between the calls and marks of their time; copy the log again
calls 2 lost 0 gaps []
track task (1)
track worker (2)
X

begin 'kd --html: the counters of each filter'
needs_command python3
run sh -c "kd --html '$tmp/x.html' '$LST' 2>/dev/null; python3 '$tmp/facts' '$tmp/x.html' | grep ^counters"
out <<'E'
counters {'Execution time filter count': 40, 'Lost to log full': 0, 'Lost to depth': 2, 'Lost to no stack': 0, 'Lost to no clock': 0}
E

{
	echo 'head Printk clock = 0 0'
	echo 'head Printk clock = 2000000 1000000'
	echo 'head Printk clock = 8000000 7000000'
	echo 'head Printk clock = 14000000 13000000'
	start
} | log >"$tmp/printk.lst"
cat >"$tmp/dmesg" <<'E'
[    0.000000] Booting Linux
[    0.000500] early: before the first pair
[    0.007000] </script><script>alert(3)</script>
E
begin 'kd --html --dmesg: lines of printk at their time'
needs_command python3
run sh -c "kd --html '$tmp/printk.html' --dmesg '$tmp/dmesg' '$tmp/printk.lst' 2>/dev/null
	python3 '$tmp/facts' '$tmp/printk.html' | grep ^printk"
out <<'E'
printk None Booting Linux
printk 1500000 early: before the first pair
printk 8000000 </script><script>alert(3)</script>
E

begin 'kd --html --dmesg: two logs'
run kd --html "$tmp/two.html" --dmesg "$tmp/dmesg" "$tmp/printk.lst" "$tmp/printk.lst"
status 2
err 'kd: --dmesg has the messages of one boot: give one log with it'

begin 'kd --html: the page is the file of --dmesg'
run sh -c "cp '$tmp/dmesg' '$tmp/messages'; kd --html '$tmp/messages' --dmesg '$tmp/messages' '$tmp/printk.lst'; echo \$?; cmp '$tmp/dmesg' '$tmp/messages'"
out <<'E'
2
E
err 'messages: this file is read, too: name another one'

begin 'kd --html --dmesg: a log that is none of a boot, no pairs of clocks'
run sh -c "kd --html '$tmp/none' --dmesg '$tmp/dmesg' '$tmp/fork.lst'
	kd --html '$tmp/none' --dmesg '$tmp/dmesg' '$tmp/all.lst'; status=\$?; ls '$tmp/none'; exit \$status"
status 2
err 'kd: --dmesg needs the log of a boot:'
err '--dmesg needs two lines "Printk clock"'

begin 'kd --html: two logs'
needs_command python3
run sh -c "kd --html '$tmp/two.html' '$tmp/all.lst' '$tmp/new.lst'
	python3 '$tmp/facts' '$tmp/two.html' | grep -e '^calls 1'"
out <<'E'
calls 14 lost 5 gaps [[245000, 420000], [650000, 700000]]
calls 14 lost 5 gaps [[245000, 420000], [650000, 700000]]
E
err "kd: note: $tmp/all.lst: calls lost while tracing: 5"
err "kd: note: $tmp/new.lst: calls lost while tracing: 5"

begin 'kd --html: two logs: each has the data of its own page'
run sh -c "kd --html '$tmp/a' '$tmp/all.lst'; kd --html '$tmp/b' '$tmp/new.lst'
	for page in a b two.html; do sed '1,/^<script id=\"data\"/d; /<\/script>/q' \"$tmp/\$page\"; done | sed 's/<.*//' |
	sort | uniq -c | awk '{ print \$1 }'"
out <<'E'
2
2
E
err note

begin 'kd --html: two logs: the second one is the page, is missing, is a profile; three'
cp "$LST" "$tmp/same.lst"
cat >"$tmp/profile" <<'E'
Kernel Instrumentation Run ID 0

Log format = 3
 Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed
-------- ----- -------- -------- ------ ------ ------ ------ -------
0xc0000000          2  5000  5000  1000 4000 0 0 0
E
run sh -c "kd --html '$tmp/same.lst' '$tmp/all.lst' '$tmp/same.lst'
	cmp '$LST' '$tmp/same.lst'
	for log in missing profile; do
		kd --html '$tmp/none' '$tmp/all.lst' '$tmp'/\$log
		echo \$?
		ls '$tmp/none'
	done
	kd --html '$tmp/none' '$tmp/profile'
	kd --html '$tmp/none' '$tmp/all.lst' '$tmp/all.lst' '$tmp/all.lst'"
status 2
out <<'E'
2
2
E
err "--html $tmp/same.lst: this file is read, too: name another one"
err 'Problem opening file: '
err 'a profile has sums, no calls: the table of functions shows it'
err '--html needs one log, or OLD NEW, not 3 files'

begin 'kd --html: two logs: of addresses of two kernels, of one that was moved, with names for both'
for log in old.1 new.1; do zcat "$DATA/tutorial/$log.log.gz" >"$tmp/$log"; done
run sh -c "sed 's/^Build id = ../&00/' '$tmp/new.1' >'$tmp/build'; sed 's/^Text = 0xc0/Text = 0xc1/' '$tmp/new.1' >'$tmp/text'
	for new in '$LST' '$tmp/build' '$tmp/text'; do kd --html '$tmp/none' '$tmp/old.1' \$new; echo \$?; done
	ls '$tmp/none'
	kd --html '$tmp/none' '$tmp/old.1' '$tmp/new.1' 2>/dev/null; echo \$?
	kd --html '$tmp/none' --map '$DATA/tutorial/System.map' '$tmp/old.1' '$tmp/new.1' 2>/dev/null; echo \$?"
out <<'E'
2
2
2
0
0
E
err "kd: $LST: cannot be compared with $tmp/old.1: one has names of functions, the other one addresses: --map, --vmlinux or addr2sym make names of them"
err "kd: $tmp/build: cannot be compared with $tmp/old.1: by their build ids, the addresses are of two kernels: --map"
err "kd: $tmp/text: cannot be compared with $tmp/old.1: by Text, the addresses are of a kernel that was moved: --map"

# Outside of the data there is nothing of the log: two pages differ in their data only.
begin 'kd --html: a hostile name is nowhere but in the data'
run sh -c 'kd --html "$2/a" "$2/all.lst"; kd --html "$2/b" "$1"
	for page in a b; do sed "/^<script id=\"data\"/,/<\/script>/d" "$2/$page" >"$2/$page.rest"; done
	cmp "$2/a.rest" "$2/b.rest"; grep -c "^[A-Za-z0-9+/][A-Za-z0-9+/]*=*</script>$" "$2/a"' sh "$LST" "$tmp"
out <<'E'
1
E
err note

begin 'kd --html: nothing is loaded from elsewhere'
run sh -c "grep -c \"content=\\\"default-src 'none'\" '$tmp/all.html'; grep -i -e 'src=' -e 'https*:' \
	-e '<link' -e '@import' -e 'url(' '$tmp/all.html'"
status 1
out <<'E'
1
E

begin 'kd --html: twelve bytes a call at most'
run sh -c "kd --html '$tmp/fork.html' '$tmp/fork.lst' 2>/dev/null
	size=\$(sed '1,/^<script id=\"data\"/d; /<\/script>/q' '$tmp/fork.html' | wc -c)
	calls=\$(kd --csv -f c '$tmp/fork.lst' 2>/dev/null | awk -F, '/^[0-9]/ { n += \$1 } END { print n }')
	[ \"\$calls\" -gt 500 ] && [ \$size -le \$((12 * calls)) ] || echo \$size bytes, \$calls calls"
out </dev/null

begin 'kd --html: a log that is none of a boot has a page, too'
needs_command python3
run sh -c "kd --html '$tmp/fork.html' '$tmp/fork.lst' 2>/dev/null; python3 '$tmp/facts' '$tmp/fork.html'"
out_has "$tmp/fork.lst: --boot needs the log of a boot: start_kernel is not in it"

begin 'kd --html: from standard input, which can be read once only'
needs_command python3
run sh -c "for log in - '$tmp/demo.lst'; do
		kd --html '$tmp/x.html' \$log <'$tmp/demo.lst' 2>/dev/null; python3 '$tmp/facts' '$tmp/x.html'
	done | sort | uniq -u"
out </dev/null

begin 'kd --html: no folder, a full disk, the log itself, a second mode, no use for an option'
cp "$LST" "$tmp/same.lst"
run sh -c "kd --html '$tmp/no/x' '$LST'
	kd --html '$tmp/same.lst' '$tmp/same.lst'
	cmp '$LST' '$tmp/same.lst'
	kd --html /dev/full '$LST'
	kd --html '$tmp/x' --tree '$LST'
	kd --html '$tmp/x' --json '$LST'"
status 2
err "kd: --html $tmp/no/x: No such file or directory"
err "kd: --html $tmp/same.lst: this file is read, too: name another one"
err 'kd: --html /dev/full: cannot write: No space left on device'
err 'kd: --tree or --html, not both'
err 'kd: --json cannot be used with --html'

begin 'kd --html: a page that is not whole is removed'
run sh -c "ulimit -f 8; trap '' XFSZ; kd --html '$tmp/never' '$tmp/demo.lst' || ls '$tmp/never'"
status 2
out </dev/null
err 'never: cannot write: File too large'

log <<'E' | sed 's/^123 /9100000000000 /; s/ 123000 / 9100000000000000 /' >"$tmp/late.lst"
call 0 - 0 0 1 start_kernel
call 123 10 0 0 2 walk 10 0 0
E
begin 'kd --html: times that a script cannot hold'
run kd --html "$tmp/late.html" "$tmp/late.lst"
status 2
err 'late.lst: --html cannot show times beyond 104 days'

cp "$DATA/kft_2636.lst" "$tmp/kft.lst"
for log in all demo fork lanes kft; do
	begin "kd --html: Chromium shows, zooms, selects, searches, measures, requests nothing: $log"
	needs_command python3
	needs_command "${CHROMIUM:-chromium}"
	kd --html "$tmp/page.html" "$tmp/$log.lst" 2>/dev/null
	run "$here/browser" "$tmp/page.html" "$tmp/$log.lst"
	out </dev/null
done

begin 'kd --html: Chromium compares two logs'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
kd --html "$tmp/page.html" "$tmp/all.lst" "$tmp/new.lst" 2>/dev/null
run "$here/browser" "$tmp/page.html" "$tmp/all.lst" "$tmp/new.lst"
out </dev/null

log <<'E' >"$tmp/later.lst"
head Logging started at 0 usec by entry to function start_kernel
head Logging stopped at 9000 usec by user action
call 0 - 0 0 1 start_kernel
call 1000 - 1 0 1 kernel_init
call 6000 - 1 0 2 to_userspace
mark 7000 1 0 t exec /sbin/init
mark 8000 20 0 t exec /bin/sh
E
begin 'kd --html: Chromium shows the programs that were started, and where'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
kd --html "$tmp/later.html" "$tmp/later.lst" 2>/dev/null
run "$here/browser" --eval "[...document.querySelectorAll('#boot table')].filter((t) => t.caption.textContent.startsWith('Programs'))
	.flatMap((t) => [...t.rows].map((r) => [r.className, [...r.cells].map((c) => c.textContent).join(' ')]))" "$tmp/later.html"
out <<'E'
[["", "Entry Length Pid Function"], ["link", "0.007000 s 1.000 ms 1 /sbin/init"], ["link", "0.008000 s 1.000 ms 20 /bin/sh"]]
E

begin 'kd --html: Chromium shows lines of printk, CPUs, wake-ups'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
run "$here/browser" --eval "[kfi.bands(), kfi.arrows(), kfi.rows().slice(0, 1).map((r) => r.name)]" "$tmp/printk.html"
out <<'E'
[["Phases, initcall levels", "Critical path", "2 marks", "3 printk lines"], {"drawn": 1, "wakes": [2], "path": [1]}, ["cpu 0: tasks"]]
E

begin 'kd --html: Chromium shows at which time a line of printk is a guess'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
run "$here/browser" --eval "[kfi.tipOfDots(3, 0, 3).split('\\n').slice(1, 3)].concat(
	[...document.querySelectorAll('#boot table')].filter((t) => t.caption.textContent.startsWith('Lines of printk'))
	.flatMap((t) => [...t.rows].slice(1).map((r) => r.cells[0].textContent)))" "$tmp/printk.html"
out <<'E'
[["?  Booting Linux", "0.001500 s?  early: before the first pair"], "?", "0.001500 s?", "0.008000 s"]
E
