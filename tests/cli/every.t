# SPDX-License-Identifier: GPL-2.0
# kd: every question to every log of the fuzzer's corpus, the hostile ones, too: an answer, or a
# reason. fuzz_questions asks them with sanitizers.
PATH=$KFI_FAST_TOOLS:$PATH
CORPUS=$DATA/../fuzz/corpus/log

# ask LOG OPTION...: prints what is wrong. It starts few programs besides kd, as it is run often.
cat >"$tmp/ask" <<'E'
ask() {
	log=$1
	shift
	[ -e "$log" ] || echo "$log: no such log"
	kd "$@" "$log" >"$tmp/ask.out" 2>"$tmp/ask.err"
	status=$?
	[ $status -le 3 ] || echo "$log: kd $*: status $status"
	[ $status != 2 ] || [ -s "$tmp/ask.err" ] || echo "$log: kd $*: no reason"
	case " $* $status" in
	*\ --json*[013])
		# As far as a shell can tell it is whole.
		read -r first <"$tmp/ask.out"
		case $first in
		'{"kfi":'*) ;;
		*) echo "$log: kd $*: no object" ;;
		esac
		[ "$(tail -n 1 "$tmp/ask.out")" = "\"status\":$status}" ] || echo "$log: kd $*: not whole" ;;
	esac
}
E

for how in '-f FctaslLpwiAMPQZmnoCur -s +lF' '--tree' '-c -l -i' '-c -r -l' '--braces -l' '--braces -i -l' '--json --first' \
	'--boot' '--json --boot -t 0' '--json --longest' '--json --gaps' '--json --initcalls' '-k --json' '--json' '--csv --under [a-m]*' '--callers re:.' \
	'--callees * --ctx t' '--json --tree --from 1us' '--json -c -i' '--json -c --func *a*' \
	'--export folded' '--export chrome' '--export perfetto' '--export speedscope' '--export callgrind'; do
	begin "kd $how: every log"
	run env tmp="$tmp" sh -c '. "$3"; how=$1; for LOG in "$2"/*; do
		set -f; ask "$LOG" $how; set +f; done' sh "$how" "$CORPUS" "$tmp/ask"
	out </dev/null
done

begin 'kd --export uftrace: every log'
run env tmp="$tmp" sh -c '. "$2"; for LOG in "$1"/*; do
	rm -rf "$tmp/folder"; ask "$LOG" --export uftrace -o "$tmp/folder"; done' sh "$CORPUS" "$tmp/ask"
out </dev/null

begin 'kd --html: every log'
run env tmp="$tmp" sh -c '. "$2"; for LOG in "$1"/*; do
	ask "$LOG" --html "$tmp/page.html"; done' sh "$CORPUS" "$tmp/ask"
out </dev/null

begin 'kd --diff: every log with itself'
run env tmp="$tmp" sh -c '. "$2"; for LOG in "$1"/*; do ask "$LOG" --diff --json -s Q "$LOG"; done' sh \
	"$CORPUS" "$tmp/ask"
out </dev/null

# Each brace that closes names what it closes: the one that was opened last, and none is left.
cat >"$tmp/match.awk" <<'E'
{
	line = $0
	sub(/^ */, "", line)
}
line ~ /^}/ {
	sub(/^} \/\* /, "", line)
	sub(/( goes on)? \*\/$/, "", line)
	if (!n || open[n] != line)
		print log_ ":" NR ": closes " line ", not " open[n]
	n--
	next
}
line ~ /{$|{ \/\*/ { open[++n] = line ~ /^{/ ? "<==========" : substr(line, 1, index(line, "() {") - 1) }
END {
	if (n > 0)
		print log_ ": not closed: " n
}
E

for how in '' -i; do
	begin "kd --braces $how: every log: braces match"
	run sh -c 'how=$1; for log in "$2"/* "$3"/*.l?? "$3"/demo/*.log; do
		[ -e "$log" ] || echo "$log: no such log"; kd --braces $how "$log" 2>/dev/null | awk -v log_="$log" -f "$4"; done' sh \
		"$how" "$CORPUS" "$DATA" "$tmp/match.awk"
	out </dev/null
done
