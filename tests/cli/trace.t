# SPDX-License-Identifier: GPL-2.0
# kd -c: braces, filters, and what programs get.
LST=$DATA/format3.lst

begin 'kd --braces: each tree by itself'
run kd --braces -f et "$LST"
out <<'E'
 Entry      Duration   Trace 
---------- ---------- ---------------------------------
         0          ? start_kernel() {
         0          ?   setup_arch() {
         1       2001     paging_init();
                        } /* setup_arch */
      2100       3400   mem_init();
      5600          ?   calibrate_delay() {
      7000         50     arch_cpu_idle();
                        } /* calibrate_delay */
                      } /* start_kernel */
      2200        100 handle_irq() {
      2210         40   tick_handler();
                      } /* handle_irq */
      2260         30 __do_softirq();
      6000          ? kernel_init() {
      6100        700   do_one_initcall() {
      6150        600     create_dir() {
      6200        150       create_dir();
                          } /* create_dir */
                        } /* do_one_initcall */
      6900          ?   schedule();
                      } /* kernel_init */
E
err note

begin 'kd --braces -d -m: what is too deep, names that are too long'
run kd --braces -d 2 -m 5 "$LST"
out <<'E'
 Trace 
---------------------------------
start() {
  setup();
  mem_i();
  calib();
} /* start */
handl() {
  tick_();
} /* handl */
__do_();
kerne() {
  do_on();
  sched();
} /* kerne */
E
err note

begin 'kd --braces: marks are comments, and hold nothing'
run kd --braces - <<'E'
 Entry Delta Entry-ns
-------- --------
0 100 1 a x 0 100000 100000 0 1 t 1 -
# 10 10000 0 1 t mark hello
20 10 1 b a+0x1 20000 10000 10000 0 2 t 1 -
40 -2 1 c a+0x1 40000 -1 -1 0 2 t 1 stack
E
out <<'E'
 Trace 
---------------------------------
a() {
  /* mark hello */
  b();
  /* c: stack */
} /* a */
E

begin 'kd --braces -i: what interrupts a call, or runs while it rests, stands in its braces'
run kd --braces -i -f et - <<'E'
 Entry    Delta     PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
0 90 1 read x 0 90000 1 0 1 t 1 - 0 0
1 20 1 lock read 1000 20000 1 0 2 t 1 - 0 0
5 9 -1 irq vec 5000 9000 1 1 3 h 1 - 0 0
# 6 6000 1 1 h mark in it
6 2 -1 tick irq 6000 2000 1 1 4 h 1 - 0 0
7 1 1 inside lock 7000 1000 1 0 3 t 1 - 0 0
9 4 -1 tock irq 9000 4000 1 1 4 h 1 - 0 0
10 1 -1 soft irq 10000 1000 1 1 5 s 1 - 0 0
30 30 1 schedule read 30000 30000 1 0 2 t 1 - 0 0
31 40 2 write y 31000 40000 1 0 1 t 2 - 0 0
32 9 2 copy write 32000 9000 1 0 2 t 2 - 0 0
33 1 -1 irq vec 33000 1000 1 0 3 h 2 - 0 0
50 1 -1 irq vec 50000 1000 1 0 2 h 2 - 0 0
52 8 3 nap z 52000 8000 1 0 1 t 3 - 0 0
53 -1 3 doze nap 53000 -1 -1 0 2 t 3 - -1 -1
54 1 2 more write 54000 1000 1 1 2 t 2 - 0 0
58 9 -1 irq vec 58000 9000 1 1 2 h 2 - 0 0
59 1 3 yawn z 59000 1000 1 0 1 t 3 - 0 0
60 1 -1 tick irq 60000 1000 1 1 3 h 2 - 0 0
65 1 1 unlock read 65000 1000 1 0 2 t 1 - 0 0
66 1 2 late write 66000 1000 1 1 2 t 2 - 0 0
E
out <<'E'
 Entry      Duration   Trace 
---------- ---------- ---------------------------------
         0         90 read() {
         1         20   lock() {
                          { /* ==========> interrupt, cpu 1 */
         5          9       irq() {
         6                    /* mark in it */
         6          2         tick();
                            } /* irq goes on */
                          } /* <========== */
         7          1     inside();
                          { /* ==========> interrupt, cpu 1 */
         9          4       tock() {
                              { /* ==========> interrupt, cpu 1 */
        10          1           soft();
                              } /* <========== */
                            } /* tock */
                          } /* <========== */
                        } /* lock */
        30         30   schedule() {
                      { /* ==========> process 2, cpu 0 */
        31         40   write() {
        32          9     copy() {
                            { /* ==========> interrupt, cpu 0 */
        33          1         irq();
                            } /* <========== */
                          } /* copy */
                          { /* ==========> interrupt, cpu 0 */
        50          1       irq();
                          } /* <========== */
                        } /* write goes on */
                      } /* <========== */
                      { /* ==========> process 3, cpu 0 */
        52          8   nap() {
        53          ?     doze();
                        } /* nap goes on */
                      } /* <========== */
                      { /* ==========> process 2, cpu 1 */
        54          1     more();
                        { /* ==========> interrupt, cpu 1 */
        58          9     irq();
                        } /* <========== */
                      } /* <========== */
                      { /* ==========> process 3, cpu 0 */
        59          1   yawn();
                      } /* <========== */
                        } /* schedule */
                        { /* ==========> interrupt, cpu 1 */
        60          1       tick();
                        } /* <========== */
        65          1   unlock();
                      { /* ==========> process 2, cpu 1 */
        66          1     late();
                      } /* <========== */
                      } /* read */
E
err 'kd: note: 1 of 20 calls were unwound by an outer return'

begin 'kd --braces -i: where the ground changes, and what has not returned'
run kd --braces -i -f e "$LST"
out <<'E'
 Entry      Trace 
---------- ---------------------------------
         0 start_kernel() {
         0   setup_arch() {
         1     paging_init();
             } /* setup_arch */
      2100   mem_init() {
               { /* ==========> interrupt, cpu 0 */
      2200       handle_irq() {
      2210         tick_handler();
                   { /* ==========> interrupt, cpu 0 */
      2260           __do_softirq();
                   } /* <========== */
                 } /* handle_irq */
               } /* <========== */
             } /* mem_init */
      5600   calibrate_delay() {
           { /* ==========> process 1, cpu 1 */
      6000   kernel_init() {
      6100     do_one_initcall() {
      6150       create_dir() {
      6200         create_dir();
                 } /* create_dir */
               } /* do_one_initcall */
      6900     schedule();
             } /* kernel_init */
           } /* <========== */
      7000     arch_cpu_idle();
             } /* calibrate_delay */
           } /* start_kernel */
E
err note

begin 'kd --braces -i -d: what is too deep, or not asked for, has no braces'
run kd --braces -i -d 1 --ctx ht "$LST"
out <<'E'
 Trace 
---------------------------------
start_kernel();
handle_irq();
kernel_init();
E
err note

begin 'kd --braces -r'
run kd --braces -r "$LST"
status 2
err 'kd: -r cannot print braces'

begin 'kd -c --under: one subtree, at its place'
run kd -c --under do_one_initcall "$LST"
out <<'E'
 Trace 
---------------------------------
|  do_one_initcall
|  |  create_dir
|  |  |  create_dir
E
err note

begin 'kd -c -i: frames of what is shown'
run kd -c -i --func '*_init,tick*,arch*' "$LST"
out <<'E'
 Trace 
---------------------------------
|  |  paging_init
|  mem_init
----------- !!!! start --------------
!  tick_handler
----------- !!!! end ----------------
----------- [[[[ start --------------
kernel_init
----------- [[[[ end ----------------
|  |  arch_cpu_idle
E
err note

begin 'kd -c -r --ctx: filters as one reads'
run kd -c -r --ctx hs "$LST"
out <<'E'
 Trace 
---------------------------------
handle_irq
|  tick_handler
__do_softirq
E
err note

begin 'kd -c: marks are filtered by time, and by where they lie'
run kd -c --under b - <<'E'
 Entry Delta Entry-ns
-------- --------
0 100 1 a x 0 100000 100000 0 1 t 1 -
# 10 10000 0 1 t mark outside
20 10 1 b a+0x1 20000 10000 10000 0 2 t 1 -
# 25 25000 0 1 t mark inside
E
out <<'E'
 Trace 
---------------------------------
|  b
|  |  # mark inside
E

begin 'kd -c --csv'
run_csv kd -c --csv -d 2 --cpu 1 "$LST"
out <<'E'
entry_ns,duration_ns,local_ns,pid,comm,cpu,thread,level,function,unsure
6000000,,,1,,1,3,1,kernel_init,
6100000,700000,100000,1,,1,3,2,do_one_initcall,
6900000,,,1,,1,3,2,schedule,
E
err note

begin 'kd -c -i --json: in order of entry, a pid below 0, an unknown cpu'
run kd -c -i -f tp --json - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 100 1 a x
10 20 -1 irq y
50 20 1 b a+0x1
E
out <<'E'
{"kfi":"calls","version":1,"log":"standard input","run":1,"run_id":0,"net":false,"rows":[
{"duration_ns":100000,"pid":1,"cpu":null,"thread":0,"level":1,"function":"a"},
{"duration_ns":20000,"pid":-1,"cpu":null,"thread":1,"level":1,"function":"irq"},
{"duration_ns":20000,"pid":1,"cpu":null,"thread":0,"level":2,"function":"b"}
],"notes":[],
"format":"kfi","kernel":null,"build_id":null,"clock":null,"filters":null,"sampled":null,"lost":0,"start_us":null,"stop_us":null,"total_us":null,
"status":0}
E

begin 'kd -c -r: text only'
run kd -c -r --json "$LST"
status 2
err 'kd: -r prints for people: leave out --csv and --json'

for how in '' -i; do
	begin "kd --braces $how: a tree whose root is left out does not lie in the one before it"
	run kd --braces $how --func '[ac]' - <<'E'
 Entry Delta Entry-ns
-------- --------
0 10 1 a x 0 10000 9000 0 1 t 1 -
1 1 1 c a 1000 1000 1000 0 2 t 1 -
20 10 1 b x 20000 10000 5000 0 1 t 1 -
21 5 1 c b+0x1 21000 5000 5000 0 2 t 1 -
E
	out <<'E'
 Trace 
---------------------------------
a() {
  c();
} /* a */
  c();
E
done

begin 'kd --braces: braces stand below names, whatever columns there are'
run kd --braces -f ktpel - <<'E'
 Entry Delta Entry-ns Off-ns Irq-ns
-------- --------
0 100 1 outer x 0 100000 50000 0 1 t 1 - 0 0
10 30 1 inner outer 10000 30000 30000 0 2 t 1 - 0 0
E
out <<'E'
Task             Duration    Pid    Entry      Local      Trace 
--------------- ---------- ------- ---------- ---------- ---------------------------------
-                      100       1          0         50 outer() {
-                       30       1         10         30   inner();
                                                         } /* outer */
E
