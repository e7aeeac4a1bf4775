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
entry_ns,duration_ns,local_ns,pid,cpu,ctx,function,caller,unsure
10000,1000,,1,,t,b,-,
30000,1000,,1,,t,a,-,
entry_ns,duration_ns,local_ns,pid,cpu,ctx,function,caller,unsure
6200000,150000,150000,1,1,t,create_dir,create_dir,
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
	kd --longest --csv '$tmp/hundred.log' | grep -v '^# ' | cut -d, -f 1,2,7 | sed -n '2,3p;11,12p;\$p'
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
entry_ns,length_ns,pid,function,after,before,unsure
45000,15000,1,a,b,c,
0,10000,1,a,(its entry),b,
92000,8000,1,a,b,(its exit),
35000,5000,1,a,c,b,
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
err 'kd: -f is of no use with --gaps'

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
entry_ns,length_ns,pid,function,after,before,unsure
50000,10000,1,b,(its entry),(its exit),
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
entry_ns,length_ns,pid,function,after,before,unsure
60000,30000,1,a,c,b,
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
entry_ns,duration_ns,local_ns,pid,level,result,function,unsure
1000,9000,9000,1,,0,a_init,
12000,,,1,,-5,a_init,
E
