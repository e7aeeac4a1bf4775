# SPDX-License-Identifier: GPL-2.0
# kd and addr2sym on a terminal: pager, colours, progress. script(1) makes the terminal; its lines end
# with CR LF.
#
# on_terminal COMMAND: what then stands there.
cat >"$tmp/on_terminal" <<'E2'
TERM=${TERM_IS-xterm} script -qec "$1" /dev/null </dev/null | tr -d '\r'
E2
unset PAGER NO_COLOR LESS
LOG="$tmp/small.lst"
printf ' Entry Delta PID\n--------\n0 100 1 mount x\n' >"$LOG"

begin 'kd on a terminal: a pager gets the table, then the notes'
run env PAGER='sed s/^/P:/' sh "$tmp/on_terminal" "kd --color never -n 1 -f Fc --pid 9 '$LOG'"
out_has 'P:Function                            Count'
out_has 'P:kd: note: the filters leave none of 1 calls'

begin 'kd on a terminal: the exit status is that of kd, and the pager has ended by then'
run env PAGER='sleep 0.3; cat; echo the end' sh -c "TERM=xterm script -qec \"kd -n 0 -f F '$LOG'; echo status \\\$?; kd nothing; echo status \\\$?\" /dev/null </dev/null | tr -d '\\r' | sed 's/.\\[[0-9]*m//g'"
out <<'E2'
Function                           
-----------------------------------
the end
status 0
kd: Problem opening file: nothing: No such file or directory
the end
status 2
E2

begin 'kd on a terminal: no pager'
run env PAGER='sed s/^/P:/' sh "$tmp/on_terminal" "kd --no-pager --color never -n 0 -f F '$LOG'"
out <<'E2'
Function                           
-----------------------------------
E2

begin 'kd on a terminal: no pager if PAGER is empty, or the terminal dumb'
run sh -c "PAGER= sh '$tmp/on_terminal' \"kd --color never -n 0 -f F '$LOG'\"; TERM_IS=dumb PAGER='sed s/^/P:/' sh '$tmp/on_terminal' \"kd -n 0 -f F '$LOG'\""
out <<'E2'
Function                           
-----------------------------------
Function                           
-----------------------------------
E2

begin 'kd: no pager where there is no terminal'
run env PAGER='sed s/^/P:/' TERM=xterm kd -n 0 -f F "$LOG"
out <<'E2'
Function                           
-----------------------------------
E2

begin 'kd --color: titles'
run sh -c "kd --color always -n 0 -f F '$LOG' | cat -v; kd --color always -c -l '$LOG' | head -n 2 | cat -v"
out <<'E2'
^[[1mFunction                           ^[[0m
-----------------------------------
^[[1m Entry      Duration   Local       Pid    Trace 
^[[0m---------- ---------- ---------- ------- ---------------------------------
E2

begin 'kd --color: verdicts'
run sh -c "sed s/100/300/ '$LOG' >'$tmp/slow'; kd --color always -t 1us --diff '$LOG' '$LOG' '$LOG' '$LOG' '$LOG' : '$tmp/slow' '$tmp/slow' '$tmp/slow' '$tmp/slow' '$tmp/slow' 2>/dev/null | cat -v | sed -n '/^mount/s/.* 1//p'; kd --color always -t 1us --diff '$tmp/slow' '$tmp/slow' '$tmp/slow' '$tmp/slow' '$tmp/slow' : '$LOG' '$LOG' '$LOG' '$LOG' '$LOG' 2>/dev/null | cat -v | sed -n '/^mount/s/.* 1//p'"
out <<'E2'
^[[31m slower  ^[[0m
^[[32m faster  ^[[0m
E2

begin 'kd --color: not in what programs read'
run sh -c "(kd --color always --csv '$LOG'; kd --color always --json '$LOG'; kd --color always --csv --diff '$LOG' '$tmp/slow') 2>/dev/null | grep -c '$(printf '\033')'"
status 1
out <<'E2'
0
E2

begin 'kd --color: auto is on on a terminal'
run env PAGER= sh "$tmp/on_terminal" "kd -n 0 -f F '$LOG' | cat -v; kd -n 0 -f F '$LOG'"
out_has 'Function                           '
out_has "$(printf '\033[1mFunction                           \033[0m')"

begin 'kd --color: NO_COLOR'
run env NO_COLOR=1 PAGER= sh "$tmp/on_terminal" "kd -n 0 -f F '$LOG'"
out_has 'Function                           '

begin 'kd --color: what is neither'
run kd --color blue "$LOG"
status 2
err 'kd: --color needs auto, always or never, not "blue"'

begin 'kd: how far it is, when it takes long, and that it goes away'
cat >"$tmp/slowly" <<E2
(cat '$LOG'; sleep 4) | kd --color never --no-pager -n 0 -f F -
E2
run sh -c "TERM=xterm script -qec 'sh $tmp/slowly' /dev/null </dev/null | tr -s '\r' '\n' | cat -v | uniq"
out <<'E2'

kd: standard input^[[K
^[[KFunction                           
-----------------------------------
E2

begin 'kd: progress only where standard error is a terminal'
run sh -c "(cat '$LOG'; sleep 1.3) | kd -n 0 -f F -"
out <<'E2'
Function                           
-----------------------------------
E2

begin 'addr2sym on a terminal: a pager'
run env PAGER='sed s/^/P:/' sh "$tmp/on_terminal" "addr2sym -m '$DATA/demo/System.map' '$DATA/demo/fork.log' | tail -n 1; addr2sym -m '$DATA/demo/System.map' '$DATA/demo/fork.log'"
out_has 'P:Kernel Instrumentation Run ID 1'

begin 'kd on a terminal: of a boot it names --boot; in no other mode, and not of other logs'
run env PAGER= sh -c "
	sh '$tmp/on_terminal' \"kd --color never -n 0 -f F '$DATA/v1_names.lst'\" | grep -c -e --boot
	sh '$tmp/on_terminal' \"kd --color never --first -n 0 '$DATA/v1_names.lst'\" | grep -c -e --boot
	sh '$tmp/on_terminal' \"kd --color never -n 0 -f F '$LOG'\" | grep -c -e --boot
	kd -n 0 -f F '$DATA/v1_names.lst' 2>&1 | grep -c -e --boot"
status 1
out <<'E2'
1
0
0
0
E2
