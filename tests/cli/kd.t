# SPDX-License-Identifier: GPL-2.0
# kd: every option, on a sample of today's format.
LST=$DATA/format3.lst

begin 'kd: summary, default columns'
run kd "$LST"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
mem_init                                1     3400     3400      900
paging_init                             1     2000     2000        0
do_one_initcall                         1      700      700      100
create_dir                              2      600      375      400
handle_irq                              1      100      100       60
arch_cpu_idle                           1       50       50       50
tick_handler                            1       40       40       40
__do_softirq                            1       30       30       30
calibrate_delay                         1        ?        ?        ?
kernel_init                             1        ?        ?        ?
schedule                                1        ?        ?        ?
setup_arch                              1        ?        ?        ?
start_kernel                            1        ?        ?        ?
E
err 'kd: note: 3 of 14 calls had not returned'
err 'kd: note: 1 of 14 calls were unwound by an outer return'
err 'kd: note: 1 of 14 calls were entered before the clock ran'
err 'kd: note: calls lost while tracing: 2'

begin 'kd -n limits the functions'
run kd -n 2 "$LST"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
mem_init                                1     3400     3400      900
paging_init                             1     2000     2000        0
E
err note

begin 'kd -n 0 shows none'
run kd -n 0 "$LST"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
E
err note

begin 'kd -t: at least so much time'
run kd -t 700 -f Ft "$LST"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
paging_init                             2000
do_one_initcall                          700
E
err note

begin 'kd -f: all columns, in the order given'
run kd -n 3 -f cFtarslmnou "$LST"
out <<'E'
Count Function                            Time     Average  Range        Sub-time Local    Max-sub                             Ms count Open  Sub list
----- ----------------------------------- -------- -------- ------------ -------- -------- ----------------------------------- -------- ----- --------
    1 mem_init                                3400     3400  (3400-3400)     2500      900                                            0     0 
    1 paging_init                             2000     2000  (2000-2000)     1999        0                                            0     0 
    1 do_one_initcall                          700      700    (700-700)      600      100                          create_dir        1     0 create_dir(1,600)
E
err note

begin 'kd -f: an unknown column is reported once and left out'
run kd -n 1 -f FxcxX "$LST"
status 1
out <<'E'
Function                            Count
----------------------------------- -----
mem_init                                1
E
err 'kd: Invalid column id: x'
err 'kd: Invalid column id: X'

begin 'kd -l: the long listing'
run kd -n 1 -l "$LST"
out <<'E'
Function                            Count Time     Average  Local    Sub-time Max-sub                             Ms count
----------------------------------- ----- -------- -------- -------- -------- ----------------------------------- --------
mem_init                                1     3400     3400      900     2500                                            0
E
err note

begin 'kd -s F: Z to A'
run kd -n 2 -s F -f F "$LST"
out <<'E'
Function                           
-----------------------------------
tick_handler                       
start_kernel                       
E
err note

begin 'kd -s c'
run kd -n 2 -s c -f Fc "$LST"
out <<'E'
Function                            Count
----------------------------------- -----
create_dir                              2
__do_softirq                            1
E
err note

begin 'kd -s a'
run kd -n 4 -s a -f Fa "$LST"
out <<'E'
Function                            Average 
----------------------------------- --------
mem_init                                3400
paging_init                             2000
do_one_initcall                          700
create_dir                               375
E
err note

begin 'kd -s s'
run kd -n 4 -s s -f Fs "$LST"
out <<'E'
Function                            Sub-time
----------------------------------- --------
mem_init                                2500
paging_init                             1999
do_one_initcall                          600
create_dir                               200
E
err note

begin 'kd -s l'
run kd -n 3 -s l -f Fl "$LST"
out <<'E'
Function                            Local   
----------------------------------- --------
mem_init                                 900
create_dir                               400
do_one_initcall                          100
E
err note

begin 'kd -f: where the time went, of recursive calls that of the outermost'
run kd -n 8 -f Ftlpwi "$LST"
out <<'E'
Function                            Time     Local    On-cpu   Off-cpu  Irq     
----------------------------------- -------- -------- -------- -------- --------
mem_init                                3400      900     3300        0      100
paging_init                             2000        0     2000        0        0
do_one_initcall                          700      100      500      200        0
create_dir                               600      400      400      200        0
handle_irq                               100       60      100        0        0
arch_cpu_idle                             50       50       50        0        0
tick_handler                              40       40       40        0        0
__do_softirq                              30       30       30        0        0
E
err note

begin 'kd -f: the parts of a time that nobody knows'
run sh -c "kd -f Fpwi '$LST' | tail -n 1"
out <<'E'
start_kernel                               ?        ?        ?
E
err note

begin 'kd -s p'
run kd -n 4 -s p -f Fp "$LST"
out <<'E'
Function                            On-cpu  
----------------------------------- --------
mem_init                                3300
paging_init                             2000
do_one_initcall                          500
create_dir                               400
E
err note

begin 'kd -s w'
run kd -n 3 -s w -f Fw "$LST"
out <<'E'
Function                            Off-cpu 
----------------------------------- --------
create_dir                               200
do_one_initcall                          200
__do_softirq                               0
E
err note

begin 'kd -s i: what has no time comes last'
run sh -c "kd -s i -f Fi '$LST' | sed -n '3,4p;10,11p'"
out <<'E'
mem_init                                 100
__do_softirq                               0
tick_handler                               0
calibrate_delay                            ?
E
err note

begin 'kd -f: recursion, and parts that would be more than the time'
run kd -f Fctpwi - <<'E'
 Entry Delta Entry-ns Marks Off-ns Irq-ns
-------- --------
0 100 1 walk x 0 100000 10000 0 1 t 1 - 30000 20000
10 80 1 walk x 10000 80000 10000 0 2 t 1 - 30000 5000
30 10 1 odd x 30000 10000 10000 0 3 t 1 - 8000 9000
50 10 1 wild x 50000 10000 10000 0 3 t 1 -  99000 9000
E
status 1
err ':6: not a call: "50 10 1 wild x 50000'
out <<'E'
Function                            Count Time     On-cpu   Off-cpu  Irq     
----------------------------------- ----- -------- -------- -------- --------
walk                                    2      100       50       30       20
odd                                     1       10        0        8        2
E

begin 'kd: an early log of format 3, without Off-ns and Irq-ns: their columns are unknown'
run kd -f Ftlpwi -s p - <<'E'
 Entry    Delta     PID     Function Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx    Task Marks
-------- -------- -------- -------- -------- -------- -------- -------- --- ----- --- ------- -----
0 9 1 a x 0 9000 1000 0 1 t 1 -
1 7 1 b x 1000 7000 7000 0 2 t 1 -
E
out <<'E'
Function                            Time     Local    On-cpu   Off-cpu  Irq     
----------------------------------- -------- -------- -------- -------- --------
a                                          9        1        ?        ?        ?
b                                          7        7        ?        ?        ?
E
err 'kd: note: the log does not say how long calls were switched out, or interrupted'

begin 'kd -s: a column that this log does not have is rejected'
run kd -n 1 -s w -f Ft - <<'E'
 Entry Delta Entry-ns
-------- --------
0 9 1 a x 0 9000 1000 0 1 t 1 -
E
out <<'E'
Function                            Time    
----------------------------------- --------
a                                          9
E
err 'kd: note: the log does not say how long calls were switched out'

begin 'kd: a row without the columns of its title'
run kd -n 1 -f Ft - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 9 1 a x 0 9000 1000 0 1 t 1 - 0 0
1 7 1 b x 1000 7000 7000 0 2 t 1 - 0
E
status 1
out <<'E'
Function                            Time    
----------------------------------- --------
a                                          9
E
err 'kd: standard input:4: not a call: "1 7 1 b x 1000 7000 7000 0 2 t 1 - 0"'

begin 'kd: of two runs one has Off-ns and Irq-ns, the other has not'
run kd -f Ftpw -R 2 - <<'E'
Kernel Instrumentation Run ID 0
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 9 1 a x 0 9000 1000 0 1 t 1 - 3000 0
1 7 1 b x 1000 7000 7000 0 2 t 1 - 2000 0
Kernel Instrumentation Run ID 1
 Entry Delta Entry-ns
-------- --------
0 9 1 a x 0 9000 1000 0 1 t 1 -
E
out <<'E'
Function                            Time     On-cpu   Off-cpu 
----------------------------------- -------- -------- --------
a                                          9        ?        ?
E
err 'kd: note: the log does not say how long calls were switched out'

begin 'kd -s: what cannot be sorted by'
run kd -s m "$LST"
status 2
err 'kd: -s m: "m" is no column to sort by: letters of FcTtaslLpwiAMPQZnoCbe, or their names with commas, each perhaps behind a + or -. See usage for help. (Use -h)'

begin 'kd -s: letters and names of columns only'
run sh -c "for s in tX total,selff total,max_sub t,,l tttttttttttttttttt; do kd -s \$s '$LST'; done"
status 2
err 'kd: -s tX: "X" is no column to sort by: letters of FcT'
err 'kd: -s total,selff: "selff" is no column to sort by'
err 'kd: -s total,max_sub: "max_sub" is no column to sort by'
err 'kd: -s t,,l: "" is no column to sort by'
err 'kd: -s tttttttttttttttttt: more than 16 columns'

begin 'kd -s: a sign without a letter'
run kd -s t+ "$LST"
status 2
err 'kd: -s t+: "" is no column to sort by'

begin 'kd -s: nothing'
run kd -s '' "$LST"
status 2
err 'kd: -s : "" is no column to sort by'

begin 'kd -s: several columns, either way; what has no value is last both ways'
run sh -c "kd -s +c-o+F -f Fcto '$LST' 2>/dev/null; kd -s +t -f Ft -n 1 '$LST' 2>/dev/null"
out <<'E'
Function                            Count Time     Open 
----------------------------------- ----- -------- -----
calibrate_delay                         1        ?     1
kernel_init                             1        ?     1
schedule                                1        ?     1
setup_arch                              1        ?     1
start_kernel                            1        ?     1
__do_softirq                            1       30     0
arch_cpu_idle                           1       50     0
do_one_initcall                         1      700     0
handle_irq                              1      100     0
mem_init                                1     3400     0
paging_init                             1     2000     0
tick_handler                            1       40     0
create_dir                              2      600     0
Function                            Time    
----------------------------------- --------
__do_softirq                              30
E

begin 'kd -c: the calls alone'
run kd -c "$LST"
out <<'E'
 Trace 
---------------------------------
start_kernel
|  setup_arch
|  |  paging_init
|  mem_init
|  calibrate_delay
|  |  arch_cpu_idle
handle_irq
|  tick_handler
__do_softirq
kernel_init
|  do_one_initcall
|  |  create_dir
|  |  |  create_dir
|  schedule
E
err note

begin 'kd -c -l: with all columns'
run kd -c -l "$LST"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       0 start_kernel
         0          ?          ?       0 |  setup_arch
         1       2001          0       0 |  |  paging_init
      2100       3400        900       0 |  mem_init
      5600          ?          ?       0 |  calibrate_delay
      7000         50         50       0 |  |  arch_cpu_idle
      2200        100         60      -1 handle_irq
      2210         40         40      -1 |  tick_handler
      2260         30         30      -1 __do_softirq
      6000          ?          ?       1 kernel_init
      6100        700        100       1 |  do_one_initcall
      6150        600        250       1 |  |  create_dir
      6200        150        150       1 |  |  |  create_dir
      6900          ?          ?       1 |  schedule
E
err note

begin 'kd -c -l -i: interlaced, in frames'
run kd -c -l -i "$LST"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       0 start_kernel
         0          ?          ?       0 |  setup_arch
         1       2001          0       0 |  |  paging_init
      2100       3400        900       0 |  mem_init
----------- !!!! start --------------
      2200        100         60      -1 handle_irq
      2210         40         40      -1 !  tick_handler
----------- !!!! end ----------------
----------- @@@@ start --------------
      2260         30         30      -1 __do_softirq
----------- @@@@ end ----------------
      5600          ?          ?       0 |  calibrate_delay
----------- [[[[ start --------------
      6000          ?          ?       1 kernel_init
      6100        700        100       1 [  do_one_initcall
      6150        600        250       1 [  [  create_dir
      6200        150        150       1 [  [  [  create_dir
      6900          ?          ?       1 [  schedule
----------- [[[[ end ----------------
      7000         50         50       0 |  |  arch_cpu_idle
E
err note

begin 'kd -c -f: columns of the trace, in the order given'
run kd -c -f pt -d 1 "$LST"
out <<'E'
  Pid    Duration   Trace 
------- ---------- ---------------------------------
      0          ? start_kernel
     -1        100 handle_irq
     -1         30 __do_softirq
      1          ? kernel_init
E
err note

begin 'kd -c -f: a column of the summary is none of the trace'
run kd -c -f Fe -d 1 "$LST"
status 1
out <<'E'
 Entry      Trace 
---------- ---------------------------------
         0 start_kernel
      2200 handle_irq
      2260 __do_softirq
      6000 kernel_init
E
err 'kd: Invalid column id: F'

begin 'kd -d limits the levels'
run kd -c -d 2 "$LST"
out <<'E'
 Trace 
---------------------------------
start_kernel
|  setup_arch
|  mem_init
|  calibrate_delay
handle_irq
|  tick_handler
__do_softirq
kernel_init
|  do_one_initcall
|  schedule
E
err note

begin 'kd -d 0 is rejected'
run kd -c -d 0 "$LST"
status 2
err 'kd: option -d needs a number from 1 to 4294967295, not "0"'

begin 'kd -m cuts names'
run kd -c -d 1 -m 5 "$LST"
out <<'E'
 Trace 
---------------------------------
start
handl
__do_
kerne
E
err note

begin 'kd -r: as read'
run kd -c -l -r "$LST"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       0 start_kernel
         0          ?          ?       0 |  setup_arch
         1       2001          0       0 |  |  paging_init
      2100       3400        900       0 |  mem_init
      2200        100         60      -1 handle_irq
      2210         40         40      -1 |  tick_handler
      2260         30         30      -1 __do_softirq
      5600          ?          ?       0 |  calibrate_delay
      6000          ?          ?       1 kernel_init
      6100        700        100       1 |  do_one_initcall
      6150        600        250       1 |  |  create_dir
      6200        150        150       1 |  |  |  create_dir
      6900          ?          ?       1 |  schedule
      7000         50         50       0 |  |  arch_cpu_idle
E
err note

begin 'kd -V'
run kd -V
out <<'E'
KFI dump - kd version 2.0
E

begin 'kd -h: usage, status 0'
run kd -h
out_has 'usage: kd [OPTIONS] [FILE]'
out_has '  calls      -c               every call, as trees: -l with times, -i interlaced'

begin 'kd --help: a screen'
run sh -c 'test $(kd --help | wc -l) -le 24 && test $(kd --help | wc -L) -le 90'

begin 'kd --help MODE: the options of one mode'
run sh -c 'kd --help gaps | grep -e --num -e --sort -e --braces -e --csv'
out <<'E'
  -n, --num NUM         the first NUM rows; with --tree of each node's children,
      --csv             values with commas between them, times in nanoseconds
E

begin 'kd --help MODE: the mode without an option'
run sh -c 'kd --help summary | head -n 2'
out <<'E'
usage: kd [OPTIONS] [FILE]
Mode summary (default):
E

begin 'kd --help all'
run kd --help all
out_has '                        p on_cpu             w off_cpu: switched out'
out_has '                        t total, l self, p pid, k comm, --tree t, l, c, a, o:'
out_has '                        l self: local time   o open: calls without a duration'
out_has '  -l, --long            long listing: columns "Fctalsmn"; with -c "etlpk"'
out_has '--diff or --gate: something got slower, or is over --budget.'

begin 'kd --help: how each mode is called'
run sh -c 'kd --help all | sed "/^\$/,\$d"; for m in boot marks diff html; do kd --help $m | grep -B 9 "^Mode "; done'
out <<'E'
usage: kd [OPTIONS] [FILE]
       kd --diff [OPTIONS] OLD NEW
       kd --diff [OPTIONS] OLD... : NEW...
       kd --export FORMAT [OPTIONS] [FILE]
       kd --html PAGE [OPTIONS] [FILE]
       kd --html PAGE [OPTIONS] OLD NEW
       kd --record [OPTIONS] LOG...
       kd --fleet DB [OPTIONS] [RECORDS...]
       kd --gate [OPTIONS] BASELINE... : NEW...
usage: kd --boot [OPTIONS] [FILE]
Mode boot (--boot):
usage: kd -k [OPTIONS] [FILE]
Mode marks (-k):
usage: kd --diff [OPTIONS] OLD NEW
       kd --diff [OPTIONS] OLD... : NEW...
Mode diff (--diff):
usage: kd --html PAGE [OPTIONS] [FILE]
       kd --html PAGE [OPTIONS] OLD NEW
Mode html (--html):
E

begin 'kd MODE --help: the help of that mode, which has no other mode in it'
run sh -c 'kd --help boot >"$1/boot.help"; kd --boot --help | cmp - "$1/boot.help"; kd -h --boot x.log | cmp - "$1/boot.help"
	kd --braces -h | sed -n 2p; kd -h --html x | sed -n 3p; grep -n -e "--gaps" -e "--export" "$1/boot.help"; kd --boot --tree --help' sh "$tmp"
status 2
out <<'E'
Mode calls (-c):
Mode html (--html):
E
err 'kd: --boot or --tree, not both'

begin '--help: lines that fit'
run sh -c 'for tool in kd addr2sym sym2addr kfi-check-conf kfi-capture; do
		for word in all $([ $tool != kd ] || kd --help | sed -n "s/^  \([a-z]*\) .*--[a-z].*/\1/p"); do
			$tool --help $word | awk -v what="$tool $word" "length > 90 { print what \": \" \$0 }"
		done
	done'
out </dev/null

begin 'kd --help: no such mode'
run kd --help nothing
status 2
err 'kd: no mode nothing'

begin 'kd: long options'
run kd --num=1 --format Ft --sort t "$LST"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
E
err note

begin 'kd: options behind the file'
run kd "$LST" -n 1 -f F
out <<'E'
Function                           
-----------------------------------
mem_init                           
E
err note

begin 'kd -: standard input, a pipe'
run sh -c "cat '$LST' | kd -n 1 -f Ft -"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
E
err note

begin 'kd -: standard input, a file'
run kd -n 1 -f Ft - <"$LST"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
E
err note

begin 'kd: addresses are shown as they are, and the way to names is told'
run kd -n 1 -f Ft "$DATA/format3.log"
out <<'E'
Function                            Time    
----------------------------------- --------
0xc0200300                              3400
E
err 'kd: note: functions are addresses: --map, --vmlinux or addr2sym make names of them'

begin 'kd: same-named functions stay apart while the log has addresses'
run sh -c "kd -f Fc '$DATA/format3.log' | grep c0100[49]00"
out <<'E'
0xc0100400                              1
0xc0100900                              1
E
err note

begin 'kd: no file, and standard input is a terminal'
run script -qec 'kd --no-pager -n 1; kd --no-pager --boot' /dev/null
status 2
out_has "$(printf 'kd: No filename specified. See usage for help. (Use -h)\r')"

begin 'kd: no file, in a mode that reads several'
run sh -c 'for m in "--diff" "--record" "--gate"; do kd $m; echo $?; done'
out <<'E'
2
2
2
E
err 'kd: No filename specified. See usage for help. (Use -h)'

begin 'kd: no file is standard input, if that is no terminal'
run sh -c 'kd -n 1 -f Fc <"$1"; cat "$1" | kd --longest -n 1 --csv | cut -d, -f 1 | grep log; kd </dev/null' sh "$LST"
status 2
out <<'E'
Function                            Count
----------------------------------- -----
mem_init                                1
# log: standard input
E
err 'kd: standard input: not a KFI log: it is empty'

begin 'kd: two files'
run kd "$LST" "$LST"
status 2
err 'kd: one file at a time, not 2'

begin 'kd: missing file'
run kd /nonexistent/kfi.lst
status 2
err 'kd: Problem opening file: /nonexistent/kfi.lst: No such file or directory'

begin 'kd: a folder'
run kd "$DATA"
status 2
err 'Is a directory'

begin 'kd: unknown option'
run kd -q "$LST"
status 2
err 'kd: unknown option -q'

begin 'kd: unknown long option'
run kd --nope "$LST"
status 2
err 'kd: unknown option --nope'

begin 'kd: option without its argument'
run kd "$LST" -n
status 2
err 'kd: option -n needs an argument'

begin 'kd: no number'
run kd -n many "$LST"
status 2
err 'kd: option -n needs a number from 0 to 18446744073709551615, not "many"'

begin 'kd: negative number'
run kd -t -5 "$LST"
status 2
err 'kd: -t needs a time such as 500us, 1.5ms or 2s, not "-5"'

begin 'kd: empty file'
run kd /dev/null
status 2
err 'kd: /dev/null: not a KFI log: it is empty'

begin 'kd: not a log'
run kd "$DATA/samples.map"
status 2
err 'not a KFI log: no line of dashes before the calls'

begin 'kd: binary rubbish'
run kd /bin/sh
status 2
err 'not a KFI log'

begin 'kd: binary rubbish behind the rule'
run sh -c "{ head -45 '$LST'; head -c 3000 '$BIN/kd'; } | kd -n 1 -f F -"
status 1
err 'not a call: "'

begin 'kd: a row cut in the middle'
run sh -c "head -c -60 '$LST' | kd -n 1 -f Ft -"
status 1
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
E
err 'kd: standard input:55: not a call: "7000       50        0 arch_cpu_idle'

begin 'kd: cut between two rows'
run sh -c "head -n -2 '$LST' | kd -n 1 -f F -"
status 1
err 'kd: standard input: truncated: the header says 14 calls, 12 are there'

begin 'kd: cut in the header'
run sh -c "head -n 20 '$LST' | kd -"
status 2
err 'kd: standard input: only the header of a log: the run is going on, or the log was cut off'

begin 'kd: no call in the log, and why'
run kd - <<'E'
Kernel Instrumentation Run ID 0

Number of entries after filters = 0
Note = the start trigger was not seen
Log format = 3

 Entry    Delta     PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
E
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
E
err 'kd: note: the start trigger was not seen'
err 'kd: note: the log has no calls'

begin 'kd: serial line endings'
run sh -c "sed 's/\$/\r/' '$LST' | kd -n 1 -f Ft -"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
E
err note

begin 'kd: output that cannot be written'
run sh -c "kd '$LST' >/dev/full"
status 2
err 'kd: cannot write: No space left on device'

begin 'kd: a number and something behind it'
run kd -n 5x "$LST"
status 2
err 'kd: option -n needs a number'
