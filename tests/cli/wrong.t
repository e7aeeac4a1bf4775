# SPDX-License-Identifier: GPL-2.0
# No wrong answer with status 0: damage, wrong symbols, uncertain values, terminals.
LOG=$DATA/format3.log
MAP=$DATA/format3.map
unset PAGER NO_COLOR LESS
cat >"$tmp/on_terminal" <<'E'
TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r'
E

# damage WHAT FROM TO: a row whose columns do not agree.
damage() {
	begin "kd: a row that is damaged: $1"
	run sh -c "sed '/0xc0100000 /s/$2/$3/' '$LOG' | kd -n 0 -f F -"
	status 1
	err 'not a call: "'
}
damage 'Entry' '    6100  ' '     610  '
damage 'Delta' '     700  ' '      70  '
damage 'Entry-ns' '      6100000' '       610000'
damage 'Delta-ns' '       700000' '        70000'
damage 'Local-ns' '       100000' '       800000'
damage 'Off-ns' '       200000' '       900000'
damage 'PID' '      700        1' '      700       11'

begin 'kd: the same rows without damage'
run kd -n 0 -f F "$LOG"
out <<'E'
Function                           
-----------------------------------
E
err note

begin 'kd: symbols of another kernel, where _text is the same'
run sh -c "sed 's/^c0100000/c00fff00/;s/^c0100400/c01003f0/' '$MAP' >'$tmp/other.map'; kd --map '$tmp/other.map' -n 0 -f F '$LOG'"
status 1
err 'wrong symbols: 0xc01'

begin 'addr2sym: symbols of another kernel'
run sh -c "addr2sym -m '$tmp/other.map' '$LOG' >/dev/null"
status 1
err 'wrong symbols: 0xc01'

begin 'symbols of another kernel: a function counts once, however often it is called'
cat >"$tmp/calls.log" <<'E'
 Entry Delta PID
-------- --------
0 9 1 0xc0100010 0xc0100100
10 9 1 0xc0100020 0xc0100100
20 9 1 0xc0100010 0xc0100100
30 9 1 0xc0100020 0xc0100100
E
printf 'c0100000 T a\nc0200000 T b\n' >"$tmp/calls.map"
run sh -c "kd --map '$tmp/calls.map' -n 0 -f F '$tmp/calls.log'
	grep -v 0xc0100020 '$tmp/calls.log' | kd --map '$tmp/calls.map' -n 0 -f F -
	addr2sym -m '$tmp/calls.map' '$tmp/calls.log' >/dev/null"
status 1
err 'kd: '
err 'calls.log: wrong symbols: 0xc0100010 and 1 more function do not begin at a symbol: the symbols are of another kernel'
err 'kd: standard input: wrong symbols: the function 0xc0100010 does not begin at a symbol: the symbols are of another kernel'
err 'addr2sym: '

begin 'kd: symbols of another kernel, functions of a raw log'
run sh -c "kd --map '$tmp/other.map' -n 0 -f F '$DATA/raw64le.raw'"
status 1
err 'wrong symbols: 0xffffffff81000400 and 7 more functions do not begin at a symbol: the symbols are of another kernel'

printf ' Entry Delta PID\n--------\n0 200 1 a x\n10 20 1 b a+0x1\n15 150 1 a b+0x1\n' >"$tmp/overlap.lst"
begin 'kd: a filter that takes all loses no question mark'
run sh -c "for log in '$tmp/overlap.lst' '$DATA'/*.lst '$DATA'/*.log; do case \$log in */profile*.log) continue ;; esac; kd -f Ftl \"\$log\" 2>/dev/null >'$tmp/all'; kd -f Ftl --from 0 \"\$log\" 2>/dev/null | cmp - '$tmp/all' && test -s '$tmp/all' || echo \"\$log\"; done"
out </dev/null

begin 'kd: a call has one duration, whatever shows it'
cat >"$tmp/round" <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
386 2024 0 a x 386816 2023568 47248 0 2 t 0 - 0 0
E
run sh -c "kd -c -f t '$tmp/round' | tail -n 1; kd --first '$tmp/round' | tail -n 1; kd --longest '$tmp/round' | tail -n 1"
out <<'E'
      2024 a
       386       2024         47       0   0   t a                                   -                                  
       386       2024         47       0   0   t a                                   -                                  
E

begin 'kd: what is unknown is ?, whatever shows it'
printf ' Entry Delta PID\n--------\n0 -1 1 a x\n' >"$tmp/unknown"
run sh -c "kd -c -l '$tmp/unknown' | tail -n 1; kd -c -r -f tl '$tmp/unknown' | tail -n 1; kd --braces -f t '$tmp/unknown' | tail -n 1; kd --first '$tmp/unknown' | tail -n 1; kd -f Ft '$tmp/unknown' | tail -n 1"
out <<'E'
         0          ?          ?       1 a
         ?          ? a
         ? a();
         0          ?          ?       1   ?   t a                                   -                                  
a                                          ?
E
err note

begin 'help and version that cannot be written'
run sh -c 'for tool in kd addr2sym sym2addr kfi-check-conf kfi-capture; do
		for o in -h --help -V; do $tool $o >/dev/full; echo $?; done
	done | uniq -c; kd --help all >/dev/full; echo $?; kd --help boot >/dev/full; echo $?
	for script in kfi-trace kfi-make kfi-bisect; do
		for o in -h --help; do "$1/$script" $o >/dev/full 2>/dev/null; echo $?; done
	done | uniq -c' sh "$here/../../scripts"
out <<'E'
     15 2
2
2
      6 2
E
err 'kd: cannot write: No space left on device'
err 'addr2sym: cannot write: No space left on device'
err 'sym2addr: cannot write: No space left on device'
err 'kfi-check-conf: cannot write: No space left on device'
err 'kfi-capture: cannot write: No space left on device'

begin 'kd: a log format that is not known'
run sh -c "sed 's/^Log format = 3/Log format = 7/' '$LOG' | kd -n 0 -f F -"
status 1
err 'log format 7: this version knows 6'

begin 'kd: what a shell prints behind the log'
run sh -c "(cat '$LOG'; echo 'root@board:~# ') | kd -n 0 -f F - 2>&1 | grep -c 'not a call'"
status 1
out <<'E'
0
E

begin 'kd: a header alone'
run sh -c "sed '/^ Entry/,\$d' '$LOG' | kd -"
status 2
err 'standard input: only the header of a log: the run '

begin 'kd: no run'
run sh -c "echo 'No logging run registered' | kd -"
status 2
err 'standard input: no log: no run was registered when it was read'

begin 'kd: a line without end'
run sh -c "head -c 20000000 /dev/zero | kd -"
status 2
err 'a line of more than 16777216 bytes: not a log'

begin 'kd: a line without end in a file'
run sh -c "{ sed '/^ Entry/,\$d' '$LOG'; printf ' Entry Delta PID\n--------\n0 100 1 a x\n'; } >'$tmp/zeros'; truncate -s 2G '$tmp/zeros'; kd '$tmp/zeros'; status=\$?; rm '$tmp/zeros'; exit \$status"
status 2
err 'a line of more than 16777216 bytes: not a log'

begin 'kd on a terminal: a pager that is not there'
run env PAGER=no-such-pager sh "$tmp/on_terminal" "kd --color never -n 0 -f F '$LOG'"
out_has 'Function                           '

begin 'kd on a terminal: quitting the pager does not change the status'
run env PAGER='head -n 1' sh "$tmp/on_terminal" "yes '0 1 1 a x' | head -n 100000 | (printf ' Entry Delta PID\n--------\n'; cat) >'$tmp/long'; kd --color never -c '$tmp/long' >/dev/null; kd --color never -c '$tmp/long'; echo status \$?"
out_has 'status 0'

begin 'addr2sym on a terminal: not for what is binary'
run sh "$tmp/on_terminal" "head -c 300 '$BIN/kd' >'$tmp/binary'; addr2sym --no-pager -m '$MAP' '$tmp/binary'; echo status \$?"
out_has 'status 2'
