# SPDX-License-Identifier: GPL-2.0
# kd on our samples of each historic layout.

begin 'v1: delta 0 is an exit not seen, interrupts are known by their i'
run sh -c "addr2sym '$DATA/v1.log' -m '$DATA/samples.map' | kd -c -l -i -"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       0 start_kernel
        10       4000       1000       0 |  setup_arch
        20       3000       3000       0 |  |  paging_init
----------- !!!! start --------------
      1000         90         30      -1 handle_irq
      1010         60         60      -1 !  tick_handler
----------- !!!! end ----------------
      4100        900        900       0 |  mem_init
      5100      80000      80000       0 |  calibrate_delay
E
err 'kd: note: 1 of 7 calls had not returned'
err 'kd: note: calls below 50 usecs were filtered: they are in Local of their caller'

begin 'v1: addresses, trees by time'
run kd -c "$DATA/v1.log"
out <<'E'
 Trace 
---------------------------------
c0200000
|  c0200100
|  |  c0200200
|  c0200300
|  c0200400
c0100b00
|  c0100c00
E
err 'kd: note: functions are addresses'

begin 'v1 listing: a gap, fewer calls than the header says'
run kd -l -n 2 "$DATA/v1_names.lst"
out <<'E'
Function                            Count Time     Average  Local    Sub-time Max-sub                             Ms count
----------------------------------- ----- -------- -------- -------- -------- ----------------------------------- --------
setup_arch                              1     8687     8687     1255     7432                         paging_init        1
paging_init                             1     7432     7432     7432        0                                            0
E
err 'kd: note: 2 of 5 calls had not returned'
err 'kd: note: the log has gaps (lines of dots): it is an excerpt'

begin 'v2: -1 is an exit not seen, 0 is a time'
run kd -f Fctro "$DATA/v2.log"
out <<'E'
Function                            Count Time     Range        Open 
----------------------------------- ----- -------- ------------ -----
0xc0200400                              1    80000 (80000-80000)     0
0xc0200100                              1     4000  (4000-4000)     0
0xc0200200                              1     3000  (3000-3000)     0
0xc0100b00                              1       90      (90-90)     0
0xc0100400                              1        0        (0-0)     0
0xc0200000                              1        ?            ?     1
E
err note

begin 'KFT: pid.cpu'
run sh -c "addr2sym '$DATA/kft_cpu.log' -m '$DATA/samples.map' | kd -c -f p -"
out <<'E'
  Pid    Trace 
------- ---------------------------------
   12.0 kernel_clone
   12.0 |  copy_process
   13.1 schedule
   13.1 |  create_dir
     -1 __do_softirq
   -1.1 handle_irq
E
err note

begin 'KFT: arguments'
run sh -c "addr2sym '$DATA/kft_args.log' -m '$DATA/samples.map' | kd -c -m 20 -"
out <<'E'
 Trace 
---------------------------------
kernel_clone                                                                    0xc0fe1e00 0x00000011 0xbffff000 0x00000000
|  copy_process                                                                 0xc0fe1d00 0x00000001 0x00000002 0x00000003
E

begin 'KFT 2.6.36: names without offsets'
run kd -l "$DATA/kft_2636.lst"
out <<'E'
Function                            Count Time     Average  Local    Sub-time Max-sub                             Ms count
----------------------------------- ----- -------- -------- -------- -------- ----------------------------------- --------
start_kernel                            1     9000     9000     4000     5000                          setup_arch        1
setup_arch                              1     5000     5000     4000     1000                         paging_init        1
paging_init                             1     1000     1000     1000        0                                            0
tick_handler                            1      300      300      300        0                                            0
kernel_init                             1        ?        ?        ?        ?                                            0
E
err 'kd: note: 1 of 5 calls had not returned'

begin '"no exit": local time that cannot be known is marked, and why'
run kd -c -l "$DATA/noexit.lst"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       7 do_fork
        10         40        40?       7 |  copy_process
        20          ?          ?       7 |  |  schedule
        60         10         10       7 |  wake_up_new_task
E
err 'kd: note: ?: the best this log allows'

begin 'processes are never mixed; recursion counts once'
run kd -f Fctasl "$DATA/mixed.lst"
out <<'E'
Function                            Count Time     Average  Sub-time Local   
----------------------------------- ----- -------- -------- -------- --------
schedule                                2      600      300      230      370
walk                                    2      400      300      150      250
lookup                                  2      300      175      150      150
__switch_to                             2      230      115        0      230
E

begin 'interlaced: a switch ends the frame, what rests comes back in one'
run kd -c -l -i "$DATA/mixed.lst"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0        100         70      33 schedule
----------- !!!! start --------------
        10        500        300     105 schedule
----------- !!!! end ----------------
        20         30         30      33 |  __switch_to
        60        200        200     105 !  __switch_to
       300        400        100       8 walk
       310        300        100       8 @  lookup
       320        200        150       8 @  @  walk
       330         50         50       8 @  @  @  lookup
E

begin 'the heaviest child is the one that costs this parent most'
run kd -n 2 -f Fmnu - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 a                                x+0x1
       5       60        1 cheap_elsewhere                  a+0x1
      70       20        1 dear_elsewhere                   a+0x1
     200     5000        1 dear_elsewhere                   x+0x1
    6000       10        1 a                                x+0x1
    6001        5        1 dear_elsewhere                   a+0x1
E
out <<'E'
Function                            Max-sub                             Ms count Sub list
----------------------------------- ----------------------------------- -------- --------
dear_elsewhere                                                                 0 
a                                                       cheap_elsewhere        1 cheap_elsewhere(1,60), dear_elsewhere(2,25)
E

begin 'open calls are not in Time'
run kd -f Fctarlo - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0       -1        1 f                                x+0x1
      10       20        1 f                                x+0x1
      50       -1        1 f                                x+0x1
E
out <<'E'
Function                            Count Time     Average  Range        Local    Open 
----------------------------------- ----- -------- -------- ------------ -------- -----
f                                       3       20       20      (20-20)       20     2
E
err 'kd: note: 2 of 3 calls had not returned'

begin 'two runs in one file are not mixed'
run sh -c "cat '$DATA/format3.lst' '$DATA/format3.lst' | kd -n 1 -f Fct -"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
mem_init                                1     3400
E
err 'kd: note: the log has 2 runs, the first is shown: -R NUM shows another'
err 'kd: note: run 1: ID 0, 14 calls'
err 'kd: note: run 2: ID 0, 14 calls'

begin 'local time of a function with an exit not seen below it is marked'
run kd -f Fl "$DATA/noexit.lst"
out <<'E'
Function                            Local   
----------------------------------- --------
copy_process                             40?
wake_up_new_task                          10
do_fork                                    ?
schedule                                   ?
E
err 'kd: note: ?: the best this log allows'

begin 'calls that overlap without nesting: no local time above the time'
run kd -f Ftl - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100      0.0 probe                            setup
      10       50      0.0 probe                            setup
E
out <<'E'
Function                            Time     Local   
----------------------------------- -------- --------
probe                                    100     100?
E
err 'kd: note: ?: the best this log allows'

begin 'a function is not the heaviest child of itself'
run kd -f Ftlmn - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 walk                             x+0x1
      10       80        1 walk                             walk+0x1
      20       30        1 leaf                             walk+0x1
E
out <<'E'
Function                            Time     Local    Max-sub                             Ms count
----------------------------------- -------- -------- ----------------------------------- --------
walk                                     100       70                                leaf        1
leaf                                      30       30                                            0
E

begin 'historic, -r: what is below a call is not known when it is shown'
run kd -c -l -r "$DATA/noexit.lst"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0          ?          ?       7 do_fork
        10         40          ?       7 |  copy_process
        20          ?          ?       7 |  |  schedule
        60         10          ?       7 |  wake_up_new_task
E
err 'kd: note: ?: the best'

begin 'interlaced, three tasks: a task never stands in the frame of another one'
run kd -c -i -f ep - <<'E'
 Entry    Delta     PID     Function Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx    Task Marks
-------- -------- -------- -------- -------- -------- -------- -------- --- ----- --- ------- -----
0 9 1 a x 0 9000 1000 0 1 t 1 -
1 8 2 b x 1000 8000 1000 1 1 t 2 -
2 7 3 c x 2000 7000 1000 2 1 t 3 -
3 0 -1 i x 3000 500 500 2 2 h 3 -
4 0 2 bb b 4000 500 500 1 2 t 2 -
5 0 3 cc c 5000 500 500 2 2 t 3 -
6 0 1 aa a 6000 500 500 0 2 t 1 -
E
out <<'E'
 Entry       Pid    Trace 
---------- ------- ---------------------------------
         0       1 a
----------- !!!! start --------------
         1       2 b
----------- !!!! end ----------------
----------- @@@@ start --------------
         2       3 c
----------- [[[[ start --------------
         3      -1 i
----------- [[[[ end ----------------
----------- @@@@ end ----------------
----------- !!!! start --------------
         4       2 !  bb
----------- !!!! end ----------------
----------- @@@@ start --------------
         5       3 @  cc
----------- @@@@ end ----------------
         6       1 |  aa
E

begin 'interlaced: a nineteenth thread begins again with the first character'
run sh -c "{ printf -- ' Entry Delta Entry-ns\n-------- --\n'; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do echo \$i 100 \$i f x \${i}000 100000 1000 0 1 t \$i -; done; echo 50 1 19 g f 50000 1000 1000 0 2 t 19 -; } | kd -c -i - | tail -n 2"
out <<'E'
f
|  g
E

begin 'deep calls: indented up to a limit, then by number'
run sh -c "{ printf -- ' Entry Delta Entry-ns\n-------- --\n'; i=0; while [ \$i -lt 300 ]; do i=\$((i+1)); echo \$i -1 1 f x \${i}000 -1 -1 0 \$i t 1 open; done; } | kd -c - | tail -n 1 | tr -d '| '"
out <<'E'
(300)f
E
err note

begin 'an open call of one run is nobody'"'"'s parent in the next'
run kd -c -R 2 - <<'E'
Kernel Instrumentation Run ID 0
 Entry Delta Entry-ns
-------- --------
0 -1 1 a x 0 -1 -1 0 1 t 1 open
5 1 1 b a 5000 1000 1000 0 2 t 1 -
Kernel Instrumentation Run ID 1
 Entry Delta Entry-ns
-------- --------
7 1 1 c a 7000 1000 1000 0 2 t 1 -
E
out <<'E'
 Trace 
---------------------------------
c
E

begin 'the same in the summary'
run kd -f Fu --run 2 - <<'E'
Kernel Instrumentation Run ID 0
 Entry Delta Entry-ns
-------- --------
0 -1 1 a x 0 -1 -1 0 1 t 1 open
5 1 1 b a 5000 1000 1000 0 2 t 1 -
Kernel Instrumentation Run ID 1
 Entry Delta Entry-ns
-------- --------
7 1 1 c a 7000 1000 1000 0 2 t 1 -
E
out <<'E'
Function                            Sub list
----------------------------------- --------
c                                   
E

begin 'historic: where a time went is unknown'
run kd -f Ftpwi - <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 walk                             x+0x1
E
out <<'E'
Function                            Time     On-cpu   Off-cpu  Irq     
----------------------------------- -------- -------- -------- --------
walk                                     100        ?        ?        ?
E
err 'kd: note: the log does not say how long calls were switched out, or interrupted'
