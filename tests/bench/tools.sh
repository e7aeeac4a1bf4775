#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tools.sh - measure the speed of addr2sym and kd
#
# usage: [RUNS=3] tests/bench/tools.sh [BUILD [MILLIONS...]]	BUILD: where the tools are (build)
#
# Logs of this number of million calls (1 and 10; 50 takes 10 GB of disk at a time) are written to a folder
# below $TMPDIR, in every form that tests/bench/mklog.c knows; then each command is run, RUNS times, and
# the run that took least time of a cpu is shown beside that of "wc -l" on the same file; the last
# column but one has calls by wall-clock time. The page of a million calls is opened in Chromium, if it is there, and its
# figures are compared with targets. uftrace is shown the same calls, if it is there; perl does what addr2sym does.
set -u
# The points of numbers in awk.
export LC_ALL=C

top=$(cd "$(dirname "$0")/../.." && pwd)
tools=$(cd "${1:-$top/build}" && pwd) || exit 2
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 1 10
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

for program in mklog cost; do
	${CC:-cc} -O2 -std=gnu11 -D_GNU_SOURCE -I"$top/kernel" -I"$top/tools/lib" \
		-o "$tmp/$program" "$top/tests/bench/$program.c" -lz || exit 2
done
"$tmp/mklog" map 0 "$tmp/map" || exit 2

# The names of a map in memory, the nearest below each of the first two addresses of a line.
cat >"$tmp/resolve.pl" <<'END'
open my $map, '<', $ARGV[1] or die;
my (@addr, @name);
while (<$map>) { my ($a, undef, $n) = split; push @addr, hex $a; push @name, $n; }
my %seen;
sub name {
	my $a = hex shift;
	my ($low, $high) = (0, $#addr);
	while ($low < $high) {
		my $mid = ($low + $high + 1) >> 1;
		if ($addr[$mid] <= $a) { $low = $mid } else { $high = $mid - 1 }
	}
	my $off = $a - $addr[$low];
	return $off ? sprintf("%s+0x%x", $name[$low], $off) : $name[$low];
}
open my $log, '<', $ARGV[0] or die;
while (<$log>) {
	my $n = 0;
	s/(0x[0-9a-f]+)( *)/$n++ < 2 ? sprintf("%-32s ", $seen{$1} \/\/= name($1)) : "$1$2"/ge;
	print;
}
END

# write_graph_log LINES: text of the function graph tracer, of four CPUs.
write_graph_log() {
	awk -v n="$1" 'function head() { t++; return sprintf("%5d.%06d |   %d) ", t / 1e6, t % 1e6, i % 4) }
	BEGIN {
		print "# tracer: function_graph"
		for (; n > 0; n -= 8) {
			printf "%s              |  outer_%d() {\n", head(), ++i % 7
			printf "%s              |    function_%d() {\n", head(), i % 900
			for (k = 0; k < 4; k++)
				printf "%s  0.%03d us    |      leaf_%d();\n", head(), (i * 13 + k) % 1000, (i + k) % 50
			printf "%s  6.%03d us    |    }\n", head(), i % 1000
			printf "%s+ 12.%03d us   |  }\n", head(), i % 1000
		}
	}'
}

# print_cost CALLS FILE LABEL COMMAND...
print_cost() {
	local calls=$1 file=$2 label=$3 wall rss status bytes
	shift 3
	read -r cpu wall rss status < <("$tmp/cost" "${RUNS:-3}" "$@")
	bytes=$(du -sLb "$file" | cut -f 1)
	[ "$label" = "wc -l" ] && wc=$cpu
	awk -v l="$label" -v f="${file##*/}" -v b="$bytes" -v c="$calls" -v t="$cpu" -v w="$wall" \
		-v r="$rss" -v wc="$wc" -v s="$status" 'BEGIN {
		if (t < 0.001) { t = 0.001 }
		printf "%-26s %-9s %9.3f %9.3f %8.0f %8.2f %8.1f %8.2f %9.0f%s\n", l, f, t, w, b / t / 1e6,
			c / t / 1e6, wc ? t / wc : 0, w ? c / w / 1e6 : 0, r / 1024, s ? "  status " s : ""
	}'
}

# print_target LABEL FILE VALUE UNIT TARGET: a figure that is compared with a target, not with wc.
print_target() {
	awk -v l="$1" -v f="${2##*/}" -v v="$3" -v u="$4" -v t="$5" 'BEGIN {
		printf "%-26s %-9s %9.1f %s, target %s%s\n", l, f, v, u, t,
			(v == "" ? "  not measured" : v + 0 > t + 0 ? "  missed" : "") }'
}

# The page of a log in headless Chromium: its size for each call, its first picture, its frames.
measure_page() {
	local calls=$1 log=$2 html=$tmp/page.html bytes times first p95

	print_cost "$calls" "$log" 'kd --html' "$tools/kd" --html "$html" "$log"
	bytes=$(sed '1,/^<script id="data"/d; /<\/script>/q' "$html" | wc -c)
	print_target 'page: data' "$log" "$(awk -v b="$bytes" -v c="$calls" 'BEGIN { print b / c }')" 'bytes a call' 12
	if ! command -v "${CHROMIUM:-chromium}" >/dev/null; then
		echo "# no ${CHROMIUM:-chromium}: the page is not opened (scripts/install-deps browser)"
	elif page_times=$("$top/tests/cli/browser" --time "$html"); then
		first_picture=$(sed -n 's/.*first picture \([0-9]*\) ms.*/\1/p' <<<"$page_times")
		p95=$(sed -n 's/.*p95 \([0-9.]*\) ms.*/\1/p' <<<"$page_times")
		print_target 'page: first picture' "$log" "$first_picture" ms 1500
		print_target 'page: frame script, p95' "$log" "$p95" ms 8
	else
		echo "# the page could not be opened"
	fi
	rm -f "$html"
}

# Of the row printed last.
cpu=
for millions; do
	calls=$((millions * 1000000))
	echo "== $millions million calls"
	printf '%-26s %-9s %9s %9s %8s %8s %8s %8s %9s\n' command log 'cpu s' 'wall s' MB/s Mcalls/s \
		'x wc -l' Mc/wall MiB
	write_graph_log $calls >"$tmp/graph"
	print_cost $calls "$tmp/graph" 'wc -l' wc -l "$tmp/graph"
	print_cost $calls "$tmp/graph" 'kd, function_graph' "$tools/kd" "$tmp/graph"
	# The limit: 10 million lines in 5 s.
	awk -v t="$cpu" -v m="$millions" 'BEGIN { exit !(t > m / 2) }' && echo "kd, function_graph: over the limit of $millions / 2 s"
	rm -f "$tmp/graph"
	for log_form in text names boot kftnames raw uftrace; do
		log=$tmp/$log_form wc=
		if [ $log_form = uftrace ] && ! command -v uftrace >/dev/null; then
			echo "# no uftrace: not compared"
			continue
		fi
		"$tmp/mklog" $log_form $calls "$log" || exit 2
		case $log_form in
		text)
			print_cost $calls "$log" 'wc -l' wc -l "$log"
			print_cost $calls "$log" addr2sym "$tools/addr2sym" "$log" -m "$tmp/map"
			print_cost $calls "$log" perl perl "$tmp/resolve.pl" "$log" "$tmp/map"
			print_cost $calls "$log" 'kd --map' "$tools/kd" --map "$tmp/map" "$log" ;;
		boot)
			print_cost $calls "$log" 'wc -l' wc -l "$log"
			print_cost $calls "$log" 'kd --boot' "$tools/kd" --boot "$log"
			# A terminal whose user leaves as soon as the first screen is there.
			print_cost $calls "$log" 'kd --tui' sh -c "echo q |
				TERM=vt100 script -qec '$tools/kd --tui $log' /dev/null >/dev/null"
			for format in folded chrome perfetto speedscope callgrind pprof flamegraph graphviz \
				bootchart; do
				print_cost $calls "$log" "kd --export $format" "$tools/kd" --export $format -o /dev/null "$log"
			done
			[ "$millions" != 1 ] || measure_page $calls "$log" ;;
		uftrace)
			print_cost $calls "$log" 'uftrace report' uftrace report -d "$log"
			print_cost $calls "$log" 'uftrace graph' uftrace graph -d "$log"
			print_cost $calls "$log" 'uftrace replay' uftrace replay -d "$log" ;;
		*)
			[ $log_form = raw ] || print_cost $calls "$log" 'wc -l' wc -l "$log"
			print_cost $calls "$log" kd "$tools/kd" "$log"
			if [ $log_form = raw ]; then
				print_cost $calls "$log" 'kd --map' "$tools/kd" --map "$tmp/map" "$log"
				print_cost $calls "$log" 'kd --cpu 0' "$tools/kd" --cpu 0 "$log"
				print_cost $calls "$log" 'kd -f FctlMPQ' "$tools/kd" -f FctlMPQ "$log"
			fi
			print_cost $calls "$log" 'kd -f FctlMPQC' "$tools/kd" -f FctlMPQC "$log"
			print_cost $calls "$log" 'kd --tree' "$tools/kd" --tree "$log"
			print_cost $calls "$log" 'kd --gaps' "$tools/kd" --gaps "$log"
			print_cost $calls "$log" 'kd -c' "$tools/kd" -c "$log"
			print_cost $calls "$log" 'kd -c -l' "$tools/kd" -c -l "$log" ;;
		esac
		rm -rf "$log"
	done
done

# A record of each of 1,000 boots: the log of the demonstration.
calls=$((1000 * $(awk '/^Calls kept = / { print $4 }' "$top/tests/data/demo/kfi.log")))
mkdir "$tmp/boots"
for i in $(seq 1000); do
	cp "$top/tests/data/demo/kfi.log" "$tmp/boots/$i.log"
done
echo "== 1,000 boots"
wc=
print_cost "$calls" "$tmp/boots" 'kd --record' "$tools/kd" --record --label board=demo --map "$top/tests/data/demo/System.map" "$tmp/boots"
