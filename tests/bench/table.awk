# SPDX-License-Identifier: GPL-2.0
#
# table.awk - makes the page's tables from figures. Called by tests/bench/run, whose comment describes
# the lines; tests/bench/selftest gives it made-up ones.
#
#	boot ARCH ROW WORK MODE NS CALLS BYTES STEP	a line of tests/guest/bench.c
#	count ARCH ROW FUNCTIONS			instrumented, or that function graph can trace
#	missing ARCH ROW N [NAME...]			that function graph can trace, and ROW does not
#	again ARCH PPM					by how much two boots differ, at most
#	demo WHAT N					calls (kept), bytes (their memory)
#	native WHAT FIGURE				clock, kept, dropped, two (nanoseconds a call)
#
# ROW is plain, ftrace, or what follows "kfi": a kernel; with "+run" its boot with the compiled-in
# configuration, with "+nops" one whose off is calls that are nops.
# A figure whose line is not there is "-".

function mega(ns) { return sprintf(ns < 1e7 ? "%.2f" : "%.1f", ns / 1e6) }

# NS with percent over the plain kernel; where it is many times that, times.
function over(ns, plain,	ratio) {
	if (ns == "") { return "-" }
	if (plain == "") { return mega(ns) }
	ratio = ns / plain
	if (ratio >= 3) { return mega(ns) sprintf(" (%.1fx)", ratio) }
	return mega(ns) sprintf(" (%+.1f %%)", (ratio - 1) * 100)
}

function percent(a, row, work,	p) {
	p = time[a, "plain", work, "off"]
	return p == "" || time[a, row, work, "off"] == "" ? "" : (time[a, row, work, "off"] / p - 1) * 100
}

# Instructions of a call: how much longer the workloads took than without recording, by the calls
# recorded.
function per_call(a, row, mode,	i, ns, n, off) {
	off = (a, row "+nops", workloads[1], "off") in time ? row "+nops" : row
	for (i = 1; i <= nworkloads; i++) {
		if (time[a, row, workloads[i], mode] == "" || time[a, off, workloads[i], "off"] == "") {
			return ""
		}
		ns += time[a, row, workloads[i], mode] - time[a, off, workloads[i], "off"]
		n += calls[a, row, workloads[i], mode]
	}
	return n ? ns / n : ""
}

function line(a, text, boot, row, mode, n,	i, s, k, c) {
	s = sprintf("%-44s %-16s", text, boot)
	for (i = 1; i <= nworkloads; i++) {
		s = s sprintf(" %-17s", mode == "" ? "-" : over(time[a, row, workloads[i], mode],
			mode == "off" && row == "plain" ? "" : time[a, "plain", workloads[i], "off"]))
		if (mode != "") { k += calls[a, row, workloads[i], mode] }
	}
	c = mode != "off" && mode != "" ? per_call(a, row, mode) : ""
	print s sprintf(" %9s %9s %s", n == "" ? "-" : n, k ? k : "-", c == "" ? "-" : sprintf("%.0f", c))
}

# target TEXT FIGURE FORMAT LIMIT [ABOVE]: FIGURE must be at most LIMIT, or at least if ABOVE is 1.
function target(text, figure, format, limit, above,	ok) {
	if (figure == "") {
		printf "%-66s %10s %10s  not measured\n", text, "-", sprintf(format, limit)
		return
	}
	# Percents are not exact in binary.
	ok = above ? figure >= limit - 1e-9 : figure <= limit + 1e-9
	printf "%-66s %10s %10s  %s\n", text, sprintf(format, figure), sprintf(format, limit),
		ok ? "ok" : "MISSED"
}

function rule(columns,	n, w, i, s) {
	n = split(columns, w, " ")
	for (i = 1; i <= n; i++) { s = s (i > 1 ? " " : "") substr(equals, 1, w[i]) }
	print s
}

# Bytes of a call of both workloads.
function bytes_kept(a, row,	i, s, n) {
	for (i = 1; i <= nworkloads; i++) {
		s += size[a, row, workloads[i], "kept"]
		n += calls[a, row, workloads[i], "kept"]
	}
	return n ? s / n : ""
}

# TEXT on lines of less than 100 columns.
function wrap(text,	n, i, w, s) {
	n = split(text, w, " ")
	for (i = 1; i <= n; i++) {
		if (s != "" && length(s) + length(w[i]) > 98) { print s; s = "" }
		s = s (s == "" ? "" : " ") w[i]
	}
	print s
}

function title_of(row) { sub(/^kfi/, "KFI", row); gsub(/-/, " ", row); return row }

BEGIN {
	equals = "===================================================================="
	nworkloads = split("reads forks", workloads, " ")
}

$1 == "boot" {
	if (!(($2) in arch_seen)) { arch_seen[$2]; archs[++narchs] = $2 }
	base = $3
	sub(/\+.*/, "", base)
	if (base ~ /^kfi/ && !(($2, base) in row_seen)) {
		row_seen[$2, base]
		rows[$2] = rows[$2] " " base
	}
	mode = $4 == "boot" ? "off" : $5
	time[$2, $3, $4, mode] = $6
	calls[$2, $3, $4, $5] = $7
	size[$2, $3, $4, $5] = $8
	if ($4 == "boot") { step[$2] = $9 }
}
$1 == "count" { count[$2, $3] = $4 }
$1 == "missing" {
	missing[$2, $3] = $4
	for (i = 5; i <= NF; i++) { missing_names[$2, $3] = missing_names[$2, $3] " " $i }
}
$1 == "again" && $3 >= again[$2] + 0 { again[$2] = $3 }
$1 == "demo" { demo[$2] = $3 }
$1 == "native" { native[$2] = $3 }

END {
	columns = "44 16 17 17 9 9 8"
	for (i = 1; i <= narchs; i++) {
		a = archs[i]
		print a
		print substr("----------------", 1, length(a))
		print ""
		print "Millions of guest instructions, and the difference from the plain kernel. Functions: those that"
		print "are instrumented, or that function_graph can trace. The last column: instructions per call."
		print ""
		rule(columns)
		printf "%-44s %-16s %-17s %-17s %9s %9s %s\n", "kernel", "boot to init", "5000 reads+writes",
			"200 forks", "functions", "calls", "a call"
		rule(columns)
		line(a, "plain", over(time[a, "plain", "boot", "off"], ""), "plain", "off", "")
		p = time[a, "plain", "boot", "off"]
		line(a, "function_graph, off", over(time[a, "ftrace", "boot", "off"], p), "ftrace", "off",
			count[a, "ftrace"])
		line(a, "function_graph, on", "-", "ftrace", "graph", "")
		nrows = split(rows[a], r, " ")
		for (j = 1; j <= nrows; j++) {
			t = title_of(r[j])
			line(a, t ", off", over(time[a, r[j], "boot", "off"], p), r[j], "off", count[a, r[j]])
			if (time[a, r[j] "+run", "boot", "off"] != "") {
				line(a, t ", mintime 500 in the boot",
					over(time[a, r[j] "+run", "boot", "off"], p), r[j], "", "")
			}
			line(a, t ", kept", "-", r[j], "kept", "")
			line(a, t ", dropped by mintime", "-", r[j], "dropped", "")
		}
		rule(columns)
		print ""
		printf "Two boots of a kernel differ by %s ppm at most", again[a] == "" ? "?" : again[a]
		print (step[a] > 1 ? "; the boot is counted in steps of " step[a] "." : ".")
		for (j = 1; j <= nrows; j++) {
			if (missing[a, r[j]] == "") { continue }
			print ""
			printf "%s: ", title_of(r[j])
			if (missing[a, r[j]] == 0) {
				print "all functions of this kernel that function_graph can trace are instrumented."
			} else {
				print missing[a, r[j]], "functions that function_graph can trace are not instrumented:"
				print ""
				wrap(missing_names[a, r[j]])
			}
		}
		print ""
	}
	print "Targets"
	print "-------"
	print ""
	columns = "66 10 10 13"
	rule(columns)
	printf "%-66s %10s %10s  %s\n", "", "measured", "target", ""
	rule(columns)
	for (i = 1; i <= narchs; i++) {
		a = archs[i]
		nrows = split(rows[a], r, " ")
		for (j = 1; j <= nrows; j++) {
			t = a ", " title_of(r[j]) ": "
			# The floor of patched call sites; below it for what is instrumented after inlining.
			low = r[j] ~ /after/
			least = low && a == "arm"
			target(t "off, boot, % over plain", percent(a, r[j], "boot"), "%.1f", least ? 3 : low ? 6 : 9)
			target(t "off, reads and writes, %", percent(a, r[j], "reads"), "%.1f", least ? 3 : low ? 12 : 20)
			target(t "off, forks, %", percent(a, r[j], "forks"), "%.1f", least ? 3 : low ? 35 : 50)
			target(t "mintime 500 in the boot, %", percent(a, r[j] "+run", "boot"), "%.1f", 60)
			target(t "a call kept, instructions", per_call(a, r[j], "kept"), "%.0f", least ? 110 : 100)
			target(t "a call dropped, instructions", per_call(a, r[j], "dropped"), "%.0f", least ? 55 : 48)
			target(t "bytes a call, all kept", bytes_kept(a, r[j]), "%.1f", 24)
			target(t "not instrumented", missing[a, r[j]], "%d", 0)
		}
	}
	target("demo: bytes a call",
		demo["calls"] && demo["bytes"] ? demo["bytes"] / demo["calls"] : "", "%.1f", 24)
	c = native["clock"]
	target("native: a call kept, by two clock reads", c ? native["kept"] / c : "", "%.2f", 1.5)
	target("native: two threads, times the calls of one",
		native["two"] ? 2 * native["kept"] / native["two"] : "", "%.2f", 1.9, 1)
	rule(columns)
	if (c) {
		print ""
		printf "Native, nanoseconds: two clock reads %.1f, a call kept %.1f, dropped %.1f, kept by two\n", c,
			native["kept"], native["dropped"]
		printf "threads at once %.1f.\n", native["two"]
	}
}
