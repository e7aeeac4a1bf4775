# SPDX-License-Identifier: GPL-2.0
# kd on real logs of the historic KFI and KFT. They are not part of this project: KFT_LOGS names
# the folder that has them.
FORK=$KFT_LOGS/do_fork_ppc440.reconstructed.lst

begin 'do_fork: every call is shown'
needs KFT_LOGS
run sh -c "kd -c -l -i '$FORK' | grep -c '^ *[0-9]'"
out <<'E'
2228
E
err 'kd: note: 110 of 2228 calls had not returned'

begin 'do_fork: the beginning, as the kd of the time showed it, but that -1 is ?'
needs KFT_LOGS
run sh -c "kd -c -l -i '$FORK' 2>/dev/null | sed -n -e 1,3p -e 5p -e 8p -e 44,48p -e 65,69p"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         4      20428        209      33 do_fork
        18       2643         84      33 |  copy_process
        27          2          2      33 |  |  |  |  sub_preempt_count
       249        199        199      33 |  |  |  __might_sleep
----------- !!!! start --------------
       253        151         63      33 timer_interrupt
       256          8          6      -1 !  profile_tick
       259          2          2      -1 !  !  profile_hit
----------- !!!! end ----------------
----------- @@@@ start --------------
       359          ?          ?      -1 sub_preempt_count
----------- @@@@ end ----------------
----------- [[[[ start --------------
E

begin 'do_fork: each frame that starts ends'
needs KFT_LOGS
run sh -c "kd -c -i '$FORK' 2>/dev/null | awk '/^-----------.*start --/ {s[\$2]++} /^-----------.*end --/ {s[\$2]--} END {for (c in s) n += s[c] != 0; print n + 0}'"
out <<'E'
0
E

begin 'do_fork: no call hangs below a call of another process'
needs KFT_LOGS
run sh -c "kd -c -f p '$FORK' 2>/dev/null | awk 'NR > 2 {d = NF - 1; pid[d] = \$1; for (i = 1; i < d; i++) if (pid[i] >= 0 && \$1 >= 0 && pid[i] != \$1) bad++} END {print bad + 0}'"
out <<'E'
0
E

begin 'do_fork: the table'
needs KFT_LOGS
run kd -n 4 "$FORK"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
do_fork                                 1    20428    20428      209
preempt_schedule                       76    17580      234      342
wake_up_new_task                        1    17570    17570      164
schedule                                3    17261     8630      623
E
err note

begin 'do_fork: no negative time'
needs KFT_LOGS
run sh -c "kd -f Fctarsl '$FORK' 2>/dev/null | awk 'NR > 2 && / -|\\(-/ {n++} END {print n + 0}'"
out <<'E'
0
E

begin 'kfiboot-9: an excerpt with a gap, delta 0 is open'
needs KFT_LOGS
run kd -n 3 "$KFT_LOGS/kfiboot-9.excerpt.lst"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
time_init                               1   266911   266911        0
get_cmos_time                           1   261404   261404   261404
calibrate_delay                         1    25027    25027    21574
E
err 'kd: note: 7 of 38 calls had not returned'
err 'kd: note: the log has gaps'

begin 'malta 2.6.36: names resolved in the kernel'
needs KFT_LOGS
run kd -c -l "$KFT_LOGS/kft_malta_2.6.36.excerpt.txt"
out_has '       686        876        876     0.0 start_kernel'
out_has '      6663       4780       1976     0.0 |  vprintk'
err note

begin 'omap: all rows'
needs KFT_LOGS
run kd -f Ftl "$KFT_LOGS/omap_innovator.excerpt.lst"
out <<'E'
Function                            Time     Local   
----------------------------------- -------- --------
calibrate_delay                       209045   209045
mem_init                              106067      789
free_all_bootmem_node                 105278        8
free_all_bootmem_core                 105270   105270
kmem_cache_sizes_init                   4005     4005
con_init                                1333     1333
E
