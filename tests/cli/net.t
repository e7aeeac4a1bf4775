# SPDX-License-Identifier: GPL-2.0
# kd -N: times without what recording took.
NET=$tmp/net.lst
cat >"$NET" <<'E'
Calls filtered = 9
Callout cost = 1000 ns kept, 400 ns filtered
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 100 1 outer x 0 100000 50000 0 1 t 1 - 0 5000
10 30 1 inner outer 10000 30000 26000 0 2 t 1 - 0 0
12 2 1 leaf inner 12000 2000 2000 0 3 t 1 - 0 0
20 2 1 leaf inner 20000 2000 2000 0 3 t 1 - 0 0
50 5 -1 irq vec 50000 5000 3000 0 2 h 1 - 0 0
51 2 -1 leaf irq 51000 2000 2000 0 3 h 1 - 0 0
60 15 1 walk outer 60000 15000 7000 0 2 t 1 - 0 0
62 8 1 walk walk 62000 8000 500 0 3 t 1 - 0 0
63 7 1 leaf walk 63000 7000 7000 0 4 t 1 - 0 0
E

begin 'kd: as recorded'
run kd -f Fctalsp "$NET"
out <<'E'
Function                            Count Time     Average  Local    Sub-time On-cpu  
----------------------------------- ----- -------- -------- -------- -------- --------
outer                                   1      100      100       50       50       95
inner                                   1       30       30       26        4       30
walk                                    2       15       11        7        7       15
leaf                                    4       13        3       13        0       13
irq                                     1        5        5        3        2        5
E

begin 'kd -N: each call below takes its cost off, each directly below that of the local time'
run kd -N -f Fctalsp "$NET"
out <<'E'
Function                            Count Net time Net avg  Net loc  Net sub  Net cpu 
----------------------------------- ----- -------- -------- -------- -------- --------
outer                                   1       92       92       48       44       87
inner                                   1       28       28       24        4       28
leaf                                    4       13        3       13        0       13
walk                                    2       13       10        5        7       13
irq                                     1        4        4        2        2        4
E
err 'kd: note: 1000 ns are taken off for each recorded call below: the columns called Net'
err 'kd: note: nothing is taken off for the 9 calls that were filtered'

begin 'kd -N: the share of the self time is net, too'
run kd -N -f FlL "$NET"
out <<'E'
Function                            Net loc  Net l %
----------------------------------- -------- -------
outer                                     48   51.89
inner                                     24   25.94
leaf                                      13   14.05
walk                                       5    5.94
irq                                        2    2.16
E
err 'kd: note: 1000 ns are taken off for each recorded call below: the columns called Net'
err 'kd: note: nothing is taken off for the 9 calls that were filtered'

begin 'kd -N: sorted, and chosen, by net times; never negative'
run sh -c "sed 's/cost = 1000/cost = 9000/' '$NET' | kd -N -s l -t 10 -f Ftl -"
out <<'E'
Function                            Net time Net loc 
----------------------------------- -------- --------
outer                                     28       28
leaf                                      13       13
inner                                     12        8
E
err 'kd: note: 9000 ns are taken off'

begin 'kd -N: the log does not know the cost'
run kd -N "$DATA/format3.lst"
status 2
err 'format3.lst: -N: the log does not say what recording a call costs'

begin 'kd -N: a profile'
run kd -N - <<'E'
Callout cost = 1000 ns kept, 400 ns filtered
 Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed
-------- --------
a 1 2 3 4 5 6 7 8
E
status 2
err 'kd: standard input: -N: a profile does not say which calls are below which'

begin 'kd -N: the average is that of all calls, the inner ones too'
run sh -c "sed 's/cost = 1000/cost = 2000/' '$NET' | kd -N -f Fa - | grep walk"
out <<'E'
walk                                       8
E
err 'kd: note: 2000 ns are taken off'

begin 'kd -N --tree: as in the table, way by way'
run kd -N --tree -f tlca "$NET"
out <<'E'
Net time   Net local  Count    Net avg    Tree
---------- ---------- -------- ---------- --------
        92          ?        1         92 (tasks)
        92         48        1         92   outer
        28         24        1         28     inner
         4          4        2          2       leaf
        13          6        1         13     walk
         7          0        1          7       walk
         7          7        1          7         leaf
         4          ?        1          4 (interrupts)
         4          2        1          4   irq
         2          2        1          2     leaf
E
err 'kd: note: 1000 ns are taken off for each recorded call below: the columns called Net'
err 'kd: note: nothing is taken off for the 9 calls that were filtered'

begin 'kd -N --tree: pruned and ordered by net times'
run sh -c "sed 's/cost = 1000/cost = 7000/' '$NET' | kd -N --tree -f t -t 8 -"
out <<'E'
Net time   Tree
---------- --------
        44 (tasks)
        44   outer
        16     inner
E
err 'kd: note: 7000 ns are taken off'

begin 'kd -N --tree, --diff: the log does not know the cost'
run sh -c "kd -N --tree '$DATA/format3.lst'; kd -N --diff '$NET' '$DATA/format3.lst'"
status 2
out </dev/null
err 'format3.lst: -N: the log does not say what recording a call costs'

begin 'kd -N: a net time is never less than its local time'
run sh -c "awk 'BEGIN {
	print \"Callout cost = 3000 ns kept, 400 ns filtered\\n Entry Delta Entry-ns Off-ns Irq-ns\\n-------- --------\"
	print \"0 100 1 a x 0 100000 90000 0 1 t 1 - 0 0\\n1 10 1 b a 1000 10000 2000 0 2 t 1 - 0 0\"
	for (i = 2; i < 10; i++)
		print i, 1, 1, \"c\", \"b\", i * 1000, 1000, 1000, 0, 3, \"t\", 1, \"-\", 0, 0 }' >'$tmp/deep.lst'
	kd -N -f Ftl --func a '$tmp/deep.lst' 2>/dev/null; kd -N --tree -d 1 '$tmp/deep.lst' 2>/dev/null"
out <<'E'
Function                            Net time Net loc 
----------------------------------- -------- --------
a                                         73       73
Net time   Net local  Count    Tree
---------- ---------- -------- --------
        73          ?        1 (tasks)
        73         73        1   a
E

begin 'kd -N: calls without a row below take their own cost off the time; local times are unknown then'
sed -e '1i Log format = 5' -e '/ outer x /s/ - 0 5000$/ below=20 0 5000/' \
	-e '/ walk outer /s/ - 0 0$/ below=5 0 0/' "$NET" >"$tmp/below.lst"
run sh -c "kd -N -f Fctalsp '$tmp/below.lst'; kd -N --tree -f tl '$tmp/below.lst' 2>/dev/null"
out <<'O'
Function                            Count Net time Net avg  Net loc  Net sub  Net cpu 
----------------------------------- ----- -------- -------- -------- -------- --------
outer                                   1       84       84        ?        ?       79
inner                                   1       28       28       24        4       28
leaf                                    4       13        3       13        0       13
walk                                    2       11        9        ?        ?       11
irq                                     1        4        4        2        2        4
Net time   Net local  Tree
---------- ---------- --------
        84          ? (tasks)
        84          ?   outer
        28         24     inner
         4          4       leaf
        11          ?     walk
         7          0       walk
         7          7         leaf
         4          ? (interrupts)
         4          2   irq
         2          2     leaf
O
err 'kd: note: 400 ns are taken off Time for each call below without a row'
err 'kd: note: 1000 ns are taken off for each recorded call below: the columns called Net'

begin 'kd -N: the share is unknown if a self time is'
run sh -c "kd -N -n 2 -f FlL '$tmp/below.lst' 2>/dev/null"
out <<'O'
Function                            Net loc  Net l %
----------------------------------- -------- -------
outer                                      ?       ?
inner                                     24       ?
O

begin 'kd -N: calls in interrupts, which cost more, and are below rows that do not say so'
run sh -c "sed '1i No Interrupt functions filter count = 5
	s/ns filtered/&, 900 ns noints/' '$tmp/below.lst' | kd -N -f F -n 0 -"
err 'kd: note: nothing is taken off for what noints took more, 2 usecs in all: --boot shares it out'
err 'kd: note: 400 ns'

begin 'kd -N: rows that were overwritten'
run sh -c "sed '1i Lost to overwriting = 7' '$tmp/below.lst' | kd -N -f F -n 0 -"
err 'kd: note: nothing is taken off for the 7 calls that were overwritten'
err 'kd: note: 400 ns'
