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

# What the page states about its log.
cat >"$tmp/facts" <<'E'
import base64, json, re, sys, zlib
text = open(sys.argv[1], encoding="ascii").read()
data = zlib.decompress(base64.b64decode(re.search(r'text/plain">\n(.*)</script>', text)[1]))
info = json.loads(data[data.rindex(b'{"version":'):])
print("calls", info["calls"], "lost", info["lost"], "gaps", info["gaps"])
sections, at = [], 0
while at < len(data):
    size = int.from_bytes(data[at:at + 4], "little")
    sections.append(data[at + 4:at + 4 + size])
    at += 4 + size
print("marks", len(sections[3]), "of texts", re.findall(rb"[a-z]{3,6} ", sections[1]))
for track in info["tracks"]:
    print("track", track["name"])
for row in info["boot"].get("rows", []):
    if row["part"] == "path":
        print("path", row["entry_ns"], row["length_ns"], row["task"], row["kind"])
print(info["boot"].get("why"))
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
None
2 of 14 calls had not returned or have no exit: they are in no time
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
err "kd: --html $tmp/same.lst: this is the log"
err 'kd: --html /dev/full: cannot write: No space left on device'
err 'kd: --tree or --html, not both'
err 'kd: --json is of no use with --html'

begin 'kd --html: a page that is not whole is removed'
run sh -c "ulimit -f 8; trap '' XFSZ; kd --html '$tmp/none' '$tmp/demo.lst' || ls '$tmp/none'"
status 2
out </dev/null
err 'none: cannot write: File too large'

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
