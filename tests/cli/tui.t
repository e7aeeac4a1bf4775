# SPDX-License-Identifier: GPL-2.0
# kd --tui, driven in tmux as a person would: keys go in, the screen is read, and what stands there is
# what kd prints for the same log. Each case prints what is wrong, nothing else.
# shellcheck source=tests/cli/boot-log
. "$here/boot-log"
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/kfi.log" >"$tmp/demo.lst"
addr2sym -m "$DATA/demo/System.map" "$DATA/demo/fork.log" >"$tmp/fork.lst"
# A program under a sanitizer, on a busy machine.
PATIENCE=${PATIENCE:-60}

# open_tui WIDTH HEIGHT ENVIRONMENT ARGUMENT...: ENVIRONMENT may be several words.
open_tui() {
	local width=$1 height=$2 env=$3
	shift 3
	# A server that was told to end may still take the next command: each has a socket of its own.
	tmux="tmux -S $(mktemp -u "$tmp/tmux.XXXXXX") -f /dev/null"
	rm -f "$tmp/status" "$tmp/stty".* "$tmp/bytes"
	: >"$tmp/tui.err"
	wide=$width
	cat >"$tmp/session" <<-E
	trap : INT
	stty -a >"$tmp/stty.before"
	env TERM=screen $env kd --tui $* 2>"$tmp/tui.err"
	echo \$? >"$tmp/status"
	stty -a >"$tmp/stty.after"
	echo closed
	sleep 600
	E
	# One command, so that the first picture is in the pipe, too.
	env -u NO_COLOR $tmux new-session -d -s kd -x "$width" -y "$height" "cat; sh '$tmp/session'"
	$tmux pipe-pane -t kd "cat >>'$tmp/bytes'"
	$tmux send-keys -t kd C-d
}

close_tui() {
	$tmux kill-server 2>/dev/null
	if [ -s "$tmp/tui.err" ] && grep -v '^kd: ' "$tmp/tui.err"; then echo "not so: only kd's notes"; fi
}

press() {
	$tmux send-keys -t kd "$@"
}

screen() {
	$tmux capture-pane -p -t kd 2>/dev/null
}

# wait_for_line WHAT: a line that matches this expression stands there, in the end.
wait_for_line() {
	local n=0
	until screen | grep -qE -e "$1"; do
		n=$((n + 1))
		if [ $n -gt $((PATIENCE * 20)) ]; then
			echo "not so: the screen shows $1"
			screen
			return 1
		fi
		sleep 0.05
	done
}

# Lines of the table that is seen: columns with one blank, without signs of folding.
rows() {
	screen | sed '1,2d' | head -n -2 | sed -E 's/^ +//; s/ +[-+] / /; s/ +/ /g; s/ +$//; /^$/d'
}

# check_lines_in FILE: each line of standard input is one of FILE, and there are some. A narrow screen cuts names.
check_lines_in() {
	awk -v cut="$wide" 'NR == FNR { have[$0]; next }
		{ n++ }
		$0 in have { next }
		{ found = 0 }
		cut == 40 { for (x in have) found += index(x, $0) == 1 }
		!found { print "not so: " $0 }
		END { if (!n) print "not so: there are lines" }' "$1" -
}

# What kd prints, columns with one blank.
kd_output() {
	kd "$@" 2>/dev/null | sed -E '1,2d; s/^ +//; s/ +/ /g; s/ +$//'
}

# check_all_views LOG WIDTH HEIGHT ENVIRONMENT
check_all_views() {
	open_tui "$2" "$3" "$4" "$1"

	# The report: the lines of kd --boot, cut.
	wait_for_line '^The boot took'
	screen | sed '1,2d' | head -n -2 | sed 's/ *$//' | while IFS= read -r line; do
		kd --boot "$1" 2>/dev/null | cut -c "1-$2" | sed 's/ *$//' | grep -qxF -e "$line" ||
			echo "not so: $line"
	done
	# Each line goes to its place: the first one to start_kernel().
	press Enter
	wait_for_line 'Tree'
	wait_for_line ' 1/[0-9]+$'

	# The tree: each call with its times, as kd -c has it. As deep as it goes.
	press l l j l
	wait_for_line ' 3/[0-9]+$'
	kd_output -c -f etl "$1" | sed -E 's/\| //g' >"$tmp/calls"
	case $wide in
	40) cut -d' ' -f 2,4- "$tmp/calls" >"$tmp/calls.cut"; mv "$tmp/calls.cut" "$tmp/calls" ;;
	132) kd_output -c -f etlp "$1" | sed -E 's/\| //g' >"$tmp/calls" ;;
	esac
	rows | sed -E 's/ \([0-9]+ [^)]*\)$//' | check_lines_in "$tmp/calls"

	# Merged: as kd --tree has it.
	press M t
	wait_for_line 'sorted by total time'
	press g l j
	wait_for_line ' 2/[0-9]+$'
	if [ "$wide" = 40 ]; then
		kd_output --tree -f tF "$1"
	else
		kd_output --tree -f tlcF "$1"
	fi >"$tmp/ways"
	rows | cut_columns 3 | check_lines_in "$tmp/ways"

	# Functions: the rows of kd, in the same order, whatever they are sorted by.
	for sort in t:t:1 s:l:2 c:c:3; do
		letter=${sort#*:} field=${sort##*:}
		letter=${letter%:*}
		press 3 "${sort%%:*}"
		case $letter in
		t) wait_for_line 'sorted by total time' ;;
		l) wait_for_line 'sorted by self time' ;;
		c) wait_for_line 'sorted by count' ;;
		esac
		press g
		wait_for_line ' 1/[0-9]+$'
		if [ "$wide" = 40 ]; then
			field=1
			kd_output -f "${letter}F" -s "$letter" "$1"
		else
			kd_output -f tlcF -s "$letter" "$1"
		fi >"$tmp/functions"
		rows | cut_columns 3 >"$tmp/rows"
		check_lines_in "$tmp/functions" <"$tmp/rows"
		cut -d' ' -f $field "$tmp/rows" >"$tmp/left"
		head -n "$(wc -l <"$tmp/rows")" "$tmp/functions" | cut -d' ' -f $field |
			cmp -s - "$tmp/left" || echo "not so: sorted as kd sorts by $letter"
	done

	# Callers and callees.
	press t g /memmap_init_zone_range Enter
	wait_for_line 'hit 1 of 1'
	press b
	wait_for_line 'Callers, then callees'
	f=tlcF
	[ "$wide" = 40 ] && f=tF
	kd_output --callers memmap_init_zone_range -f "$f" "$1" >"$tmp/around"
	kd_output --callees memmap_init_zone_range -f "$f" "$1" >>"$tmp/around"
	kd_output --func memmap_init_zone_range -f "$f" "$1" >>"$tmp/around"
	rows | cut_columns 3 | sed -E 's/(caller|------|callee) //' | check_lines_in "$tmp/around"
	rows | wc -l | grep -qx 4 || { echo "not so: one caller, two callees"; rows; }

	# Its calls, and back to where one was.
	press z
	wait_for_line 'Tree of memmap_init_zone_rang'
	press Escape
	wait_for_line 'Callers, then callees'
	press Escape
	wait_for_line 'Function$'

	# Search in the tree: folded calls, too, and their number.
	n=$(kd --csv -f c --func 'inflate_fast' "$1" 2>/dev/null | tail -n 1 | cut -d, -f 1)
	press 2 M g
	wait_for_line ' 1/[0-9]+$'
	press /inflate_fas Enter
	wait_for_line "hit 1 of $n"
	press n
	wait_for_line "hit 2 of $n"
	press N N
	wait_for_line "hit $n of $n, from"
	press /nothing_of_this_name Enter
	wait_for_line 'no hits for nothing_of_this'

	# The longest calls, one after the other.
	press g L
	kd --csv --longest -n 2 "$1" 2>/dev/null | sed '/^#/d' | sed 1d | cut -d, -f 8 >"$tmp/longest"
	wait_for_line "^$(sed -n 1p "$tmp/longest") <"
	press L
	wait_for_line "^$(sed -n 2p "$tmp/longest") <"

	# Tasks: what kd counts for each.
	press 4
	wait_for_line 'Task$'
	if [ "$wide" != 40 ]; then
		rows | head -n 4 | while read -r count _ self open pid _; do
			got=$(kd --csv -f clo --pid "$pid" "$1" 2>/dev/null | sed '/^#/d' | sed 1d |
				awk -F, '{ c += $1; l += $2; o += $3 } END { print c, int(l / 1000), o }')
			[ "$got" = "$count $self $open" ] || echo "not so: task $pid: $count $self $open, kd: $got"
		done
	fi
	press Enter
	wait_for_line 'Tree of task'

	# The log, and what is uncertain.
	wait_for_line '5:Log!'
	press 5
	wait_for_line '^[0-9]+ of [0-9]+ calls had not'
	press '?'
	wait_for_line '^Keys'
	press q
	wait_for_line 'Notes and header'
	press q
	wait_for_line '^closed'
	[ "$(cat "$tmp/status")" = 0 ] || echo "not so: the status is 0"
	cmp -s "$tmp/stty.before" "$tmp/stty.after" || echo "not so: the terminal is as before"
	close_tui
}

# Of a line of 80 columns all, of a wide one the first N columns and the name, of a narrow one the first.
cut_columns() {
	if [ "$wide" = 132 ]; then
		cut -d' ' -f "1-$1,6-"
	else
		cat
	fi
}

for size in 80x24 132x43 40x12; do
	for colour in '' NO_COLOR=1; do
		begin "kd --tui: all views are what kd prints: $size${colour:+, $colour}"
		needs_command tmux
		run check_all_views "$tmp/demo.lst" "${size%x*}" "${size#*x}" "$colour"
		out </dev/null
	done
done

# Colours are sequences that end with m and have 3x or 4x in them.
colours() {
	for env in NO_COLOR=1 A=1 TERM=vt100 'NO_COLOR=1 COLOR=always'; do
		case $env in
		*always) open_tui 80 24 NO_COLOR=1 --color always "$tmp/demo.lst" ;;
		*) open_tui 80 24 "$env" "$tmp/demo.lst" ;;
		esac
		wait_for_line '^The boot took'
		press 2
		wait_for_line 'Entry'
		press /schedule Enter
		wait_for_line 'hit 1'
		echo "$env: $(grep -c "$(printf '\033')"'\[[0-9;]*3[1-7]m' "$tmp/bytes" | sed 's/^[1-9].*/colours/')"
		close_tui
	done
}

begin 'kd --tui: colours, but not if NO_COLOR is set, nor on a terminal that has none'
needs_command tmux
run colours
out <<'E'
NO_COLOR=1: 0
A=1: colours
TERM=vt100: 0
NO_COLOR=1 COLOR=always: colours
E

# The window changes its size while it is looked at.
resize() {
	open_tui 80 24 A=1 "$tmp/demo.lst"
	wait_for_line '^The boot took'
	press 2
	wait_for_line ' Entry +Duration +Local Tree'
	press G
	wait_for_line '25/25$'
	$tmux resize-window -t kd -x 132 -y 43
	wait_for_line ' Entry +Duration +Local +Pid Tree'
	wait_for_line '25/25$'
	$tmux resize-window -t kd -x 40 -y 12
	wait_for_line '^ +Duration Tree'
	wait_for_line '25/25$'
	$tmux resize-window -t kd -x 29 -y 12
	wait_for_line '^29x12 is too small: 30x8'
	$tmux resize-window -t kd -x 30 -y 7
	wait_for_line '^30x7 is too small: 30x8'
	$tmux resize-window -t kd -x 30 -y 8
	wait_for_line '^ +Duration Tree'
	$tmux resize-window -t kd -x 80 -y 24
	wait_for_line ' Entry +Duration +Local Tree'
	press q
	wait_for_line '^closed'
	close_tui
}

begin 'kd --tui: the window changes its size, and may be too small'
needs_command tmux
run resize
out </dev/null

# What a log of a hostile machine has: commands for the terminal, in names, tasks, notes and the header.
ESC=$(printf '\033')
C1=$(printf '\302\233')
log <<E | sed "s/EVIL/${ESC}[31mred${ESC}]0;title$(printf '\007\010\0177')${C1}2J$(printf '\377\342\200\256')end/g" >"$tmp/evil.lst"
head Logging started at 0 usec by entry to function start_kernel
head Logging stopped at 1000 usec by EVIL
head Kernel = 6.12 EVIL
head Calls lost = 5
call 0 - 0 0 1 start_kernel
call 10 400 0 0 2 EVIL 243 0 50
mark 450 0 0 t new 1 EVIL
mark 470 0 0 t switch 1 EVIL
call 480 100 1 0 1 kernel_init 30 0 0
call 490 70 1 0 2 EVIL 70 0 0
mark 590 1 0 t switch 0 swapper/0
E
E=$(printf '\303\244')
sed "s/EVIL/x/g; s/kernel_init/gr$E""n/" "$tmp/evil.lst" >"$tmp/umlaut.lst"

hostile() {
	for locale in C C.UTF-8; do
		open_tui 100 24 LC_ALL=$locale "$tmp/evil.lst"
		wait_for_line '^The boot'
		for key in 2 l j 3 b 4 5 '?' q; do
			press "$key"
			sleep 0.1
		done
		press 5
		wait_for_line '^Notes and header'
		wait_for_line 'Kernel +6.12 .*red.*title.*end'
		press 2 g
		wait_for_line '\?\[31mred\?\]0;title\?\?'
		# No other commands than those of curses: no title, no colour that it does not use here.
		grep -c -a -e "$ESC\\[31mred" -e "$ESC\\]0;" -e "$(printf '\007')" -e "$C1" "$tmp/bytes"
		press q
		wait_for_line '^closed'
		close_tui
	done
}

begin 'kd --tui: names cannot command the terminal'
needs_command tmux
run hostile
out <<'E'
0
0
E

locales() {
	open_tui 100 24 LC_ALL=C.UTF-8 "$tmp/umlaut.lst"
	wait_for_line '^The boot'
	press 3
	wait_for_line "gr$E""n"
	close_tui
	open_tui 100 24 LC_ALL=C "$tmp/umlaut.lst"
	wait_for_line '^The boot'
	press 3
	wait_for_line 'gr\?\?n'
	close_tui
}

begin 'kd --tui: characters of the locale are shown, others are ?'
needs_command tmux
run locales
out </dev/null

# The bytes of a key press. 115200 baud carry 11520 a second: the cursor must move within 50 ms, a fold
# be drawn within 100 ms, a page within 250 ms.
wait_for_screen() {
	local last=-1
	until [ "$last" = "$(wc -c <"$tmp/bytes")" ]; do
		last=$(wc -c <"$tmp/bytes")
		sleep 0.4
	done
}

bytes() {
	open_tui 80 24 A=1 "$tmp/demo.lst"
	wait_for_line '^The boot took'
	press 2
	wait_for_line ' 1/25$'
	press l
	wait_for_line '^start_kernel;.*'
	wait_for_line ' 1/3[0-9]$'
	for key in 576:j 576:j 576:k 576:Down 576:Up 2880:G 2880:g 1152:h 1152:l 2880:NPage 2880:PPage 2880:3 576:j 2880:b; do
		wait_for_screen
		before=$(wc -c <"$tmp/bytes")
		press "${key#*:}"
		n=0
		until [ "$(wc -c <"$tmp/bytes")" -gt "$before" ] || [ $n -gt $((PATIENCE * 20)) ]; do
			n=$((n + 1))
			sleep 0.05
		done
		wait_for_screen
		sent=$(($(wc -c <"$tmp/bytes") - before))
		[ -z "${SHOW:-}" ] || echo "${key#*:} $sent" >&2
		[ $sent -gt 0 ] && [ $sent -le "${key%:*}" ] || echo "not so: ${key#*:} sends $sent bytes"
	done
	close_tui
}

begin 'kd --tui: what a key sends is little enough for a line of 115200 baud'
needs_command tmux
run bytes
out </dev/null

# A signal ends it as q does; the log may come from a pipe.
leave() {
	open_tui 80 24 A=1 - '<' "$tmp/demo.lst"
	wait_for_line '^The boot took'
	press 2
	wait_for_line 'Duration'
	press q
	wait_for_line '^closed'
	cmp -s "$tmp/stty.before" "$tmp/stty.after" || echo "not so: the terminal is as before"
	close_tui
	open_tui 80 24 A=1 "$tmp/demo.lst"
	wait_for_line '^The boot took'
	press C-c
	wait_for_line '^closed'
	cmp -s "$tmp/stty.before" "$tmp/stty.after" || echo "not so: the terminal is as before"
	close_tui
}

begin 'kd --tui: a log from a pipe; an interrupt gives the terminal back'
needs_command tmux
run leave
out </dev/null

# Logs that are no boot: all but the report.
check_logs_without_boot() {
	for log in "$DATA/kft_2636.lst" "$DATA/format3.lst" "$tmp/fork.lst"; do
		open_tui 80 24 A=1 "$log"
		wait_for_line '5:Log'
		press 1
		wait_for_line 'boot needs|The boot'
		press 2
		wait_for_line ' Entry +Duration +Local Tree'
		rows | sed -E 's/ \((-?[0-9]+ [^)]*|interrupt|softirq|NMI)\)$//' >"$tmp/seen"
		kd_output -c -f etl "$log" | sed -E 's/\| //g' >"$tmp/calls"
		check_lines_in "$tmp/calls" <"$tmp/seen"
		press q
		wait_for_line '^closed'
		close_tui
	done
}

begin 'kd --tui: historic logs, and logs that are no boot'
needs_command tmux
run check_logs_without_boot
out </dev/null

begin 'kd --tui: not on a terminal'
run kd --tui "$tmp/demo.lst"
status 2
out </dev/null
err 'kd: --tui needs a terminal: standard output is not a terminal'

begin 'kd --tui: a terminal to show it, and none for keys'
cat >"$tmp/keyless" <<EOT
setsid -w kd --tui '$tmp/demo.lst' </dev/null
echo status \$?
EOT
run sh -c "TERM=xterm script -qec \"sh '$tmp/keyless'\" /dev/null </dev/null | tr -d '\r'"
out <<'E'
kd: --tui needs a terminal: there is none to read keys from. See usage for help. (Use -h)
status 2
E

begin 'kd --tui: on a terminal that cannot do it'
run sh -c "for t in dumb none-such ''; do
		TERM=\$t script -qec \"kd --tui '$tmp/demo.lst'; echo status \\\$?\" /dev/null </dev/null | tr -d '\\r'
	done"
out <<'E'
kd: --tui: the cursor of a terminal "dumb" cannot be moved: use another mode, or set TERM. See usage for help. (Use -h)
status 2
kd: --tui: this system does not know the terminal "none-such": set TERM to one that it knows, as vt100. See usage for help. (Use -h)
status 2
kd: --tui: TERM is not set: set it to the kind of this terminal. See usage for help. (Use -h)
status 2
E

begin 'kd --tui: another mode, no use for options'
run sh -c "kd --tui --tree '$tmp/demo.lst'; kd --tui --json '$tmp/demo.lst'; kd --tui --func a '$tmp/demo.lst'"
status 2
err 'kd: --tree or --tui, not both'
err 'kd: --json cannot be used with --tui'
err 'kd: --func cannot be used with --tui'
