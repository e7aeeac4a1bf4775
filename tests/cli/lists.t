# SPDX-License-Identifier: GPL-2.0
# kd: lists of single calls: --first, --longest, --gaps, --initcalls.
LST=$DATA/format3.lst

begin 'kd --first: each function once, in order of time'
run kd --first --pid 1 "$LST"
out <<'E'
 Entry      Duration   Local       Pid   Cpu Ctx Function                            Called by                          
---------- ---------- ---------- ------- --- --- ----------------------------------- -----------------------------------
      6000          ?          ?       1   1   t kernel_init                         -                                  
      6100        700        100       1   1   t do_one_initcall                     kernel_init                        
      6150        600        250       1   1   t create_dir                          do_one_initcall                    
      6900          ?          ?       1   1   t schedule                            kernel_init                        
E
err note

begin 'kd --first: of a log in disorder the earliest, of a filter the first that it takes'
run_csv sh -c "kd --first --func '[ab]' --csv - <<'E' 2>/dev/null
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
10 1 1 b x
30 1 1 a x
50 1 1 b x
60 1 1 c x
E
kd --first --from 6.16ms -n 1 --func 'create*' --csv '$LST' 2>/dev/null"
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,ctx,function,caller,unsure
10000,1000,,1,,,t,b,-,
30000,1000,,1,,,t,a,-,
entry_ns,duration_ns,local_ns,pid,comm,cpu,ctx,function,caller,unsure
6200000,150000,150000,1,,1,t,create_dir,create_dir,
E

begin 'kd --longest: single calls'
run kd --longest -n 3 "$LST"
out <<'E'
 Entry      Duration   Local       Pid   Cpu Ctx Function                            Called by                          
---------- ---------- ---------- ------- --- --- ----------------------------------- -----------------------------------
      2100       3400        900       0   0   t mem_init                            start_kernel                       
         1       2001          0       0   0   t paging_init                         setup_arch                         
      6100        700        100       1   1   t do_one_initcall                     kernel_init                        
E
err note

begin 'kd --longest: twenty, of equal ones the first, and not shorter ones'
run sh -c "awk 'BEGIN { print \" Entry Delta PID\n-------- --------\"
	for (i = 0; i < 100; i++)
		print i * 100, 5 + i % 10, 1, \"f\" i, \"x\" }' >'$tmp/hundred.log'
	kd --longest --csv '$tmp/hundred.log' | grep -v '^# ' | cut -d, -f 1,2,8 | sed -n '2,3p;11,12p;\$p'
	kd --longest --csv -t 14 '$tmp/hundred.log' | grep -v '^# ' | wc -l"
out <<'E'
900000,14000,f9
1900000,14000,f19
9900000,14000,f99
800000,13000,f8
9800000,13000,f98
11
E

begin 'kd --gaps: nothing was entered or left'
run kd --gaps -n 6 --pid 0,1 "$LST"
out <<'E'
 Entry      Length      Pid   Function                         After                            Before                          
---------- ---------- ------- -------------------------------- -------------------------------- --------------------------------
      2100       3400       0 mem_init                         (its entry)                      (its exit)                      
         1       2001       0 paging_init                      (its entry)                      (its exit)                      
      5600       1400       0 calibrate_delay                  (its entry)                      arch_cpu_idle                   
      6350        400       1 create_dir                       create_dir                       (its exit)                      
      6200        150       1 create_dir                       (its entry)                      (its exit)                      
      6000        100       1 kernel_init                      (its entry)                      do_one_initcall                 
E
err note

begin 'kd --gaps: between calls; not behind one whose exit was not seen; calls that overlap'
run_csv kd --gaps --csv -t 5 --func a - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a x
10 20 1 b a+0x1
20 15 1 c a+0x1
40 5 1 b a+0x1
60 -1 1 c a+0x1
90 2 1 b a+0x1
E
out <<'E'
entry_ns,length_ns,pid,comm,function,after,before,unsure
45000,15000,1,,a,b,c,
0,10000,1,,a,(its entry),b,
92000,8000,1,,a,b,(its exit),
35000,5000,1,,a,c,b,
E
err note

begin 'kd --initcalls: without marks all that do_one_initcall() called'
run kd --initcalls -s t - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 do_one_initcall do_initcalls+0x4
0 90 1 first_init do_one_initcall+0x44
10 5 1 printk first_init+0x10
200 200 1 second_init do_one_initcall+0x44
200 1 1 other do_one_initcalls+0x44
E
out <<'E'
 Entry      Duration   Local       Pid   Level   Result Initcall                           
---------- ---------- ---------- ------- ------- ------ -----------------------------------
       200        200          ?       1       ?      ? second_init                        
         0         90          ?       1       ?      ? first_init                         
E

begin 'kd --initcalls: with marks those alone, their level and result, and what has no row'
run kd --initcalls - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
# 0 0 0 1 t level early
1 9 1 a_init do_one_initcall+0x1 1000 9000 9000 0 2 t 1 - 0 0
10 1 1 trace_end do_one_initcall+0x1 10000 1000 1000 0 2 t 1 - 0 0
# 11 11000 0 1 t initcall a_init 0
# 12 12000 0 1 t level core
20 9 1 b_init do_one_initcall+0x1 20000 9000 8000 0 2 t 1 - 0 0
# 30 30000 0 1 t initcall b_init -19
# 40 40000 0 1 t initcall short_init 0
50 9 77 b_init do_one_initcall+0x1 50000 9000 8000 0 2 t 77 - 0 0
# 60 60000 0 77 t initcall b_init 0
70 -1 1 c_init do_one_initcall+0x1 70000 -1 -1 0 2 t 1 open -1 -1
E
out <<'E'
 Entry      Duration   Local       Pid   Level   Result Initcall                           
---------- ---------- ---------- ------- ------- ------ -----------------------------------
         1          9          9       1   early      0 a_init                             
        20          9          8       1    core    -19 b_init                             
        40          ?          ?       1    core      0 short_init                         
        50          9          8      77    core      0 b_init                             
        70          ?          ?       1    core      ? c_init                             
E
err note

begin 'kd: lists have no -f'
run kd --gaps -f e "$LST"
status 2
err 'kd: -f cannot be used with --gaps'

for list in first longest gaps initcalls; do
	begin "kd --$list: a profile has no calls"
	run kd --$list - <<'E'
Function                               Count      Total-ns      Local-ns        Min-ns        Max-ns        Off-ns        Irq-ns  Untimed
--------------------------------
f 2 9000 9000 2000 7000 0 0 1
E
	status 2
	err 'a profile has sums, no calls: the table of functions shows it'
done

begin 'kd --gaps: of one process; not from an entry before the clock; not within a call that is over later'
run_csv kd --gaps --csv --pid 1 - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 -1 1 early x 0 -1 -1 0 1 t 1 notime,open -1 -1
50 10 1 b early+0x1 50000 10000 10000 0 2 t 1 - 0 0
70 1000 2 other x 70000 1000000 1000000 0 1 t 2 - 0 0
E
out <<'E'
entry_ns,length_ns,pid,comm,function,after,before,unsure
50000,10000,1,,b,(its entry),(its exit),
E
err note

begin 'kd --gaps: behind the later one of two calls that overlap'
run_csv kd --gaps --csv -n 1 --func a - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a x
0 60 1 b a+0x1
20 5 1 c a+0x1
90 10 1 b a+0x1
E
out <<'E'
entry_ns,length_ns,pid,comm,function,after,before,unsure
60000,30000,1,,a,c,b,
E

begin 'kd --initcalls: a result for each mark'
run_csv kd --initcalls --csv - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
1 9 1 a_init do_one_initcall+0x1 1000 9000 9000 0 2 t 1 - 0 0
# 11 11000 0 1 t initcall a_init 0
# 12 12000 0 1 t initcall a_init -5
E
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,level,result,function,unsure
1000,9000,9000,1,,,0,a_init,
12000,,,1,,,-5,a_init,
E

# Names of tasks are in marks of switches, new tasks and programs.
cat >"$tmp/comm.log" <<'E'
Log format = 3

 Entry Delta PID Function Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- --------
0 900 1 a x 0 900000 1000 0 1 t 1 - 0 0
# 1 1000 0 0 t new 1 swapper/0
# 2 2000 0 1 t new 8 kthreadd
# 3 3000 0 1 t switch 8 kworker/u4:0 ev
5 400 8 b x 5000 400000 2000 0 1 t 8 - 0 0
# 6 6000 0 8 t switch 7x none
# 7 7000 0 8 t preempt 0 swapper/0
8 30 0 c x 8000 30000 3000 0 1 t 0 - 0 0
9 20 -1 d x 9000 20000 4000 0 1 h 0 - 0 0
# 10 10000 0 0 t switch 9
11 10 9 e x 11000 10000 5000 0 1 t 9 - 0 0
# 12 12000 0 9 t exec /sbin/two words
# 13 13000 0 9 t exec
# 14 14000 0 9 t wakeup 8 f g
E
begin 'kd: the names of tasks are those that marks have'
run sh -c "kd --longest '$tmp/comm.log' | cut -c 1-56; kd --longest --csv '$tmp/comm.log' | grep -v '^#' | cut -d, -f 4,5
	kd -k '$tmp/comm.log' | cut -c 1-45; kd -c -l '$tmp/comm.log'; kd -c -r -l '$tmp/comm.log' | head -n 2
	kd -c -r -f pk '$tmp/comm.log' | grep -v '#'"
out <<'E'
 Entry      Duration   Local       Pid   Task           
---------- ---------- ---------- ------- ---------------
         0        900          1       1 kernel_init    
         5        400          2       8 kworker/u4:0 ev
         8         30          3       0 swapper        
         9         20          4      -1 -              
        11         10          5       9 /sbin/two words
pid,comm
1,kernel_init
8,kworker/u4:0 ev
0,swapper
-1,
9,/sbin/two words
 Entry     Cpu  Task   Name            Ctx Ma
---------- --- ------- --------------- --- --
         1   0       0 swapper           t ne
         2   0       1 kernel_init       t ne
         3   0       1 kernel_init       t sw
         6   0       8 kworker/u4:0 ev   t sw
         7   0       8 kworker/u4:0 ev   t pr
        10   0       0 swapper           t sw
        12   0       9 /sbin/two words   t ex
        13   0       9 /sbin/two words   t ex
        14   0       9 /sbin/two words   t wa
 Entry      Duration   Local       Pid   Task             Trace 
---------- ---------- ---------- ------- --------------- ---------------------------------
         0        900          1       1 kernel_init     a
         2                             1 kernel_init     |  # new 8 kthreadd
         3                             1 kernel_init     |  # switch 8 kworker/u4:0 ev
         1                             0 swapper         # new 1 swapper/0
         5        400          2       8 kworker/u4:0 ev b
         6                             8 kworker/u4:0 ev |  # switch 7x none
         7                             8 kworker/u4:0 ev |  # preempt 0 swapper/0
         8         30          3       0 swapper         c
         9         20          4      -1 -               d
        10                             0 swapper         # switch 9
        11         10          5       9 /sbin/two words e
        12                             9 /sbin/two words |  # exec /sbin/two words
        13                             9 /sbin/two words |  # exec
        14                             9 /sbin/two words |  # wakeup 8 f g
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
  Pid   Task             Trace 
------- --------------- ---------------------------------
      1 -               a
      8 kworker/u4:0 ev b
      0 swapper         c
     -1 -               d
      9 -               e
E

# Each row has the name that its task had then, before any mark its first one.
cat >"$tmp/exec.log" <<'E'
Log format = 3

 Entry Delta PID Function Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- --------
1 3 9 do_one_initcall x 1000 3000 2000 0 1 t 9 - 0 0
2 1 9 early_init do_one_initcall 2000 1000 1000 0 2 t 9 - 0 0
# 4 4000 0 0 t switch 9 sh
5 30 9 b x 5000 30000 4000 0 1 t 9 - 0 0
# 40 40000 0 9 t exec two
50 20 9 c x 50000 20000 5000 0 1 t 9 - 0 0
# 80 80000 0 9 t exec three words
90 10 9 d x 90000 10000 5000 0 1 t 9 - 0 0
E
begin 'kd: a task has the name that it had then in every list'
run sh -c "for mode in --longest --first --initcalls -c; do
		kd \$mode --csv '$tmp/exec.log' | grep -v '^#' | grep -o ',9,[a-z][^,]*,' | paste -sd' '
	done
	kd --gaps --csv -n 3 '$tmp/exec.log' | grep -v '^#' | cut -d, -f 1,4
	kd -c -f pk '$tmp/exec.log' | grep -v '#' | sed 1,2d; kd -k '$tmp/exec.log' | cut -c 1-45"
out <<'E'
,9,sh, ,9,two, ,9,three words, ,9,sh, ,9,sh,
,9,sh, ,9,sh, ,9,sh, ,9,two, ,9,three words,
,9,sh,
,9,sh, ,9,sh, ,9,sh, ,9,two, ,9,three words,
entry_ns,comm
5000,sh
50000,two
90000,three words
      9 sh              do_one_initcall
      9 sh              |  early_init
      9 sh              b
      9 two             c
      9 three words     d
 Entry     Cpu  Task   Name            Ctx Ma
---------- --- ------- --------------- --- --
         4   0       0 swapper           t sw
        40   0       9 two               t ex
        80   0       9 three words       t ex
E

# The call of do_one_initcall() has no row: a filter dropped it.
for symbol in '000 T _text' '000 T _stext' '008 T do_one_initcall' '100 t first' '180 t second' '200 t third' \
		'800 T _etext'; do
	echo "ffffffff81000$symbol"
done >"$tmp/dropped.map"
cat >"$tmp/dropped" <<'E'
Log format = 3
Word size = 64
Text = 0xffffffff81000000
KASLR offset = 0x0

 Entry    Delta    PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
      10       50        1 0xffffffff81000100 0xffffffff81000010 10000 50000 50000 0 2 t 1 - 0 0
     100      150        1 0xffffffff81000180 0xffffffff81000010 100000 150000 100000 0 2 t 1 - 0 0
     110       50        1 0xffffffff81000200 0xffffffff81000190 110000 50000 50000 0 3 t 1 - 0 0
E

begin 'kd --initcalls: names of --map and of addr2sym, if do_one_initcall() has no row'
run sh -c "addr2sym -m '$tmp/dropped.map' '$tmp/dropped' >'$tmp/dropped.lst'
	for log in '$tmp/dropped.lst' '$tmp/dropped' '$DATA/pipe.raw'; do
		kd --initcalls --csv --map '$tmp/dropped.map' \$log 2>/dev/null | sed '/^#/d; /^entry/d'
	done"
out <<'E'
10000,50000,50000,1,,,,first,
100000,150000,100000,1,,,,second,
10000,50000,50000,1,,,,first,
100000,150000,100000,1,,,,second,
41666,,,1,,,,first,
E

cat >"$tmp/initcalls" <<'E'
Log format = 3

 Entry    Delta    PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
       0      400        1 do_one_initcall main+0x4 0 400000 200000 0 1 t 1 - 0 0
     100      200        1 long do_one_initcall+0x4 100000 200000 200000 0 2 t 1 - 0 0
# 300 300000 0 1 t initcall long 0
# 500 500000 1 1 t initcall short 0
# 600 600000 0 2 t initcall other 0
E

begin 'kd --initcalls: filters choose also initcalls that have no row'
run sh -c "for o in '--pid 1' '--cpu 0' '--from 200' '--to 550' '-d 2'; do
		echo \$o: \$(kd --initcalls --csv \$o '$tmp/initcalls' | sed '/^#/d; /^entry/d' | cut -d , -f 8)
	done"
out <<'E'
--pid 1: long short
--cpu 0: long other
--from 200: short other
--to 550: long short
-d 2: long
E
err 'note: the filters leave none of 2 calls'
