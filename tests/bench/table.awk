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

function millions(ns) { return sprintf(ns < 1e7 ? "%.2f" : "%.1f", ns / 1e6) }

# NS with percent over the plain kernel; where it is many times that, times.
function format_over_plain(ns, plain,	ratio) {
	if (ns == "") { return "-" }
	if (plain == "") { return millions(ns) }
	ratio = ns / plain
	if (ratio >= 3) { return millions(ns) sprintf(" (%.1fx)", ratio) }
	return millions(ns) sprintf(" (%+.1f %%)", (ratio - 1) * 100)
}

function percent_over_plain(a, row, work,	p) {
	p = time[a, "plain", work, "off"]
	return p == "" || time[a, row, work, "off"] == "" ? "" : (time[a, row, work, "off"] / p - 1) * 100
}

# Instructions of a call: how much longer the workloads took than without recording, by the calls
# recorded.
function instructions_per_call(a, row, mode,	i, ns, n, off) {
	off = (a, row "+nops", workloads[1], "off") in time ? row "+nops" : row
	for (i = 1; i <= n_workloads; i++) {
		if (time[a, row, workloads[i], mode] == "" || time[a, off, workloads[i], "off"] == "") {
			return ""
		}
		ns += time[a, row, workloads[i], mode] - time[a, off, workloads[i], "off"]
		n += calls[a, row, workloads[i], mode]
	}
	return n ? ns / n : ""
}

# Instructions of a call of each of N kernels.
function each_row(a, r, n, mode,	j, c, s) {
	for (j = 1; j <= n; j++) {
		c = instructions_per_call(a, r[j], mode)
		s = s (j > 1 ? " and " : "") (c == "" ? "?" : sprintf("%.0f", c))
	}
	return s
}

function line(a, text, boot, row, mode, n,	i, s, k, c) {
	s = sprintf("%-44s %-16s", text, boot)
	for (i = 1; i <= n_workloads; i++) {
		s = s sprintf(" %-17s", mode == "" ? "-" : format_over_plain(time[a, row, workloads[i], mode],
			mode == "off" && row == "plain" ? "" : time[a, "plain", workloads[i], "off"]))
		if (mode != "") { k += calls[a, row, workloads[i], mode] }
	}
	c = mode != "off" && mode != "" ? instructions_per_call(a, row, mode) : ""
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

function print_border(columns,	n, w, i, s) {
	n = split(columns, w, " ")
	for (i = 1; i <= n; i++) { s = s (i > 1 ? " " : "") substr(equals, 1, w[i]) }
	print s
}

# Bytes of a call of both workloads.
function bytes_per_call(a, row,	i, s, n) {
	for (i = 1; i <= n_workloads; i++) {
		s += size[a, row, workloads[i], "kept"]
		n += calls[a, row, workloads[i], "kept"]
	}
	return n ? s / n : ""
}

# TEXT on lines of less than 100 columns.
function print_wrapped(text,	n, i, w, s) {
	n = split(text, w, " ")
	for (i = 1; i <= n; i++) {
		if (s != "" && length(s) + length(w[i]) > 98) { print s; s = "" }
		s = s (s == "" ? "" : " ") w[i]
	}
	print s
}

function row_title(row) { sub(/^kfi/, "KFI", row); gsub(/-/, " ", row); return row }

BEGIN {
	equals = "===================================================================="
	n_workloads = split("reads forks", workloads, " ")
}

$1 == "boot" {
	if (!(($2) in arch_seen)) { arch_seen[$2]; archs[++n_archs] = $2 }
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
	for (i = 1; i <= n_archs; i++) {
		a = archs[i]
		print a
		print substr("----------------", 1, length(a))
		print ""
		print "Millions of guest instructions, and the difference from the plain kernel. Functions: those that"
		print "are instrumented, or that function_graph can trace. The last column: instructions per call."
		print ""
		print_border(columns)
		printf "%-44s %-16s %-17s %-17s %9s %9s %s\n", "kernel", "boot to init", "5000 reads+writes",
			"200 forks", "functions", "calls", "a call"
		print_border(columns)
		line(a, "plain", format_over_plain(time[a, "plain", "boot", "off"], ""), "plain", "off", "")
		p = time[a, "plain", "boot", "off"]
		line(a, "function_graph, off", format_over_plain(time[a, "ftrace", "boot", "off"], p), "ftrace", "off",
			count[a, "ftrace"])
		line(a, "function_graph, on", "-", "ftrace", "graph", "")
		n_rows = split(rows[a], r, " ")
		for (j = 1; j <= n_rows; j++) {
			t = row_title(r[j])
			line(a, t ", off", format_over_plain(time[a, r[j], "boot", "off"], p), r[j], "off", count[a, r[j]])
			if (time[a, r[j] "+run", "boot", "off"] != "") {
				line(a, t ", mintime 500 in the boot",
					format_over_plain(time[a, r[j] "+run", "boot", "off"], p), r[j], "", "")
			}
			line(a, t ", kept", "-", r[j], "kept", "")
			line(a, t ", dropped by mintime", "-", r[j], "dropped", "")
		}
		print_border(columns)
		print ""
		printf "Two boots of a kernel differ by %s ppm at most", again[a] == "" ? "?" : again[a]
		print (step[a] > 1 ? "; the boot is counted in steps of " step[a] "." : ".")
		print "With overwrite a dropped call takes " each_row(a, r, n_rows, "overwrite") \
			" instructions, a call of a profile " each_row(a, r, n_rows, "profile") "."
		for (j = 1; j <= n_rows; j++) {
			if (missing[a, r[j]] == "") { continue }
			print ""
			printf "%s: ", row_title(r[j])
			if (missing[a, r[j]] == 0) {
				print "all functions of this kernel that function_graph can trace are instrumented."
			} else {
				print missing[a, r[j]], "functions that function_graph can trace are not instrumented:"
				print ""
				print_wrapped(missing_names[a, r[j]])
			}
		}
		print ""
	}
	print "Targets"
	print "-------"
	print ""
	columns = "66 10 10 13"
	print_border(columns)
	printf "%-66s %10s %10s  %s\n", "", "measured", "target", ""
	print_border(columns)
	for (i = 1; i <= n_archs; i++) {
		a = archs[i]
		n_rows = split(rows[a], r, " ")
		for (j = 1; j <= n_rows; j++) {
			t = a ", " row_title(r[j]) ": "
			# What patched call sites cost; less where functions are instrumented after inlining.
			after_inlining = r[j] ~ /after/
			after_inlining_arm = after_inlining && a == "arm"
			target(t "off, boot, % over plain", percent_over_plain(a, r[j], "boot"), "%.1f", after_inlining_arm ? 3 : after_inlining ? 6 : 9)
			target(t "off, reads and writes, %", percent_over_plain(a, r[j], "reads"), "%.1f", after_inlining_arm ? 3 : after_inlining ? 12 : 20)
			target(t "off, forks, %", percent_over_plain(a, r[j], "forks"), "%.1f", after_inlining_arm ? 3 : after_inlining ? 35 : 50)
			target(t "mintime 500 in the boot, %", percent_over_plain(a, r[j] "+run", "boot"), "%.1f", 60)
			target(t "a call kept, instructions", instructions_per_call(a, r[j], "kept"), "%.0f", after_inlining_arm ? 110 : 100)
			target(t "a call dropped, instructions", instructions_per_call(a, r[j], "dropped"), "%.0f", after_inlining_arm ? 55 : 48)
			target(t "bytes a call, all kept", bytes_per_call(a, r[j]), "%.1f", 24)
			target(t "not instrumented", missing[a, r[j]], "%d", 0)
		}
	}
	target("demo: bytes a call",
		demo["calls"] && demo["bytes"] ? demo["bytes"] / demo["calls"] : "", "%.1f", 24)
	c = native["clock"]
	target("native: a call kept, by two clock reads", c ? native["kept"] / c : "", "%.2f", 1.5)
	target("native: two threads, times the calls of one",
		native["two"] ? 2 * native["kept"] / native["two"] : "", "%.2f", 1.9, 1)
	print_border(columns)
	if (c) {
		print ""
		printf "Native, nanoseconds: two clock reads %.1f, a call kept %.1f, dropped %.1f, kept by two\n", c,
			native["kept"], native["dropped"]
		printf "threads at once %.1f.\n", native["two"]
	}
}
