# SPDX-License-Identifier: GPL-2.0
# kd -c: braces, filters, and what programs get.
LST=$DATA/format3.lst

begin 'kd --braces: each tree by itself'
run kd --braces -f et "$LST"
out <<'E'
 Entry      Duration   Trace 
---------- ---------- ---------------------------------
         0         -1 start_kernel() {
         0         -1   setup_arch() {
         1       2001     paging_init();
                        } /* setup_arch */
      2100       3400   mem_init();
      5600         -1   calibrate_delay() {
      7000         50     arch_cpu_idle();
                        } /* calibrate_delay */
                      } /* start_kernel */
      2200        100 handle_irq() {
      2210         40   tick_handler();
                      } /* handle_irq */
      2260         30 __do_softirq();
      6000         -1 kernel_init() {
      6100        700   do_one_initcall() {
      6150        600     create_dir() {
      6200        150       create_dir();
                          } /* create_dir */
                        } /* do_one_initcall */
      6900         -1   schedule();
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
err 'kd: note: calls deeper than 2, not shown: 4'

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
err 'kd: note: 1 rows say'

begin 'kd --braces -i'
run kd --braces -i "$LST"
status 2
err 'kd: --braces shows each tree by itself: neither -i nor -r'

begin 'kd -c --under: one subtree, at its place'
run kd -c --under do_one_initcall "$LST"
out <<'E'
 Trace 
---------------------------------
|  do_one_initcall
|  |  create_dir
|  |  |  create_dir
E
err 'kd: note: the filters leave 3 of 14 calls'

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
err note

begin 'kd -c --csv'
run kd -c --csv -d 2 --cpu 1 "$LST"
out <<'E'
entry_ns,duration_ns,local_ns,pid,cpu,thread,level,function,unsure
6000000,,,1,1,3,1,kernel_init,
6100000,700000,100000,1,1,3,2,do_one_initcall,
6900000,,,1,1,3,2,schedule,
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
"status":0}
E

begin 'kd -c -r: text only'
run kd -c -r --json "$LST"
status 2
err 'kd: -r is for people: neither --csv nor --json'

begin 'kd --braces: a tree whose root is left out does not lie in the one before it'
run kd --braces --func '[ac]' - <<'E'
 Entry Delta Entry-ns
-------- --------
0 10 1 a x 0 10000 10000 0 1 t 1 -
20 10 1 b x 20000 10000 5000 0 1 t 1 -
21 5 1 c b+0x1 21000 5000 5000 0 2 t 1 -
E
out <<'E'
 Trace 
---------------------------------
a();
  c();
E
