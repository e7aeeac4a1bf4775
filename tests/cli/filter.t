# SPDX-License-Identifier: GPL-2.0
# kd: which calls are looked at. Local times and parents stay what they are.
LST=$DATA/format3.lst

begin 'kd --func: a glob, several, a name that looks like one'
run kd --func '*_init,create_*,a[b]' -f Fct - <<'E'
 Entry Delta Entry-ns
-------- --------
0 9 1 mem_init x 0 9000 1000 0 1 t 1 -
1 7 1 a[b] x 1000 7000 7000 0 2 t 1 -
1 6 1 ab x 1000 6000 6000 0 3 t 1 -
2 4 1 create_dir x 2000 4000 4000 0 4 t 1 -
3 1 1 b x 3000 1000 1000 0 5 t 1 -
E
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
mem_init                                1        9
a[b]                                    1        7
ab                                      1        6
create_dir                              1        4
E

begin 'kd --func re:'
run kd --func 're:^(mem|create)_' -f Fct "$LST"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
mem_init                                1     3400
create_dir                              2      600
E
err note

begin 'kd --func: nothing matches'
run kd --func nobody "$LST"
status 1
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
E
err 'kd: note: no function in the log matches: nobody'

begin 'kd --pid, --cpu: the log has no such process, no such CPU'
run sh -c "for o in '--pid 99,98' '--cpu 7' '--pid 0 --cpu 0' '--pid 98,1'; do
		for m in '' -c -k --args '--export folded'; do
			kd \$m \$o '$LST' >/dev/null 2>'$tmp/unseen'
			echo \"\$o\${m:+ \$m}:\" \$? \$(sed -n 's/^kd: note: no \(.* matches\)/\1/p' '$tmp/unseen')
		done
	done; kd --diff --pid 99 '$LST' '$LST' >/dev/null"
status 1
out <<'E'
--pid 99,98: 1 process in the log matches: 99,98
--pid 99,98 -c: 1 process in the log matches: 99,98
--pid 99,98 -k: 1 process in the log matches: 99,98
--pid 99,98 --args: 1 process in the log matches: 99,98
--pid 99,98 --export folded: 1 process in the log matches: 99,98
--cpu 7: 1 cpu in the log matches: 7
--cpu 7 -c: 1 cpu in the log matches: 7
--cpu 7 -k: 1 cpu in the log matches: 7
--cpu 7 --args: 1 cpu in the log matches: 7
--cpu 7 --export folded: 1 cpu in the log matches: 7
--pid 0 --cpu 0: 0
--pid 0 --cpu 0 -c: 0
--pid 0 --cpu 0 -k: 0
--pid 0 --cpu 0 --args: 0
--pid 0 --cpu 0 --export folded: 0
--pid 98,1: 0
--pid 98,1 -c: 0
--pid 98,1 -k: 0
--pid 98,1 --args: 0
--pid 98,1 --export folded: 0
E
err 'kd: note: no process in the log matches: 99'

begin 'kd --from, --to: no call in between'
run sh -c "kd -n 0 -f F --from 9s '$LST' >/dev/null; echo \$?
	for o in '--from 5s --to 1s' '--from 1ms --to 1ms' '--to 0'; do kd \$o '$LST'; echo \$?; done"
out <<'E'
1
2
2
2
E
err 'kd: note: the filters leave none of 14 calls'
err 'kd: note: no call and no mark in the log is at this time: --from 9s'
err 'kd: --to 1s is not later than --from 5s: no call can be in between. See usage for help. (Use -h)'
err 'kd: --to 1ms is not later than --from 1ms: no call can be in between'
err 'kd: --to 0 is not later than --from 0: no call can be in between'

begin 'kd --func: an expression that is none'
run kd --func 're:(' "$LST"
status 2
err 'kd: --func: "re:("'

begin 'kd --func: no name'
run kd --func , "$LST"
status 2
err 'kd: --func needs the name of a function'

begin 'kd --ctx: what runs in interrupts'
run kd --ctx shn -f Fctl "$LST"
out <<'E'
Function                            Count Time     Local   
----------------------------------- ----- -------- --------
handle_irq                              1      100       60
tick_handler                            1       40       40
__do_softirq                            1       30       30
E
err note

begin 'kd --ctx: letters of contexts'
run kd --ctx x "$LST"
status 2
err 'kd: --ctx needs letters of "tshn", not "x"'
begin 'kd --ctx: no letters'
run kd --ctx '' "$DATA/format3.log"
status 2
err 'kd: --ctx needs letters of "tshn", not ""'

begin 'kd --pid: a process, its interrupts too'
run kd --pid 0 -f Fc --func '[d-h]*,m*,t*' "$LST"
out <<'E'
Function                            Count
----------------------------------- -----
mem_init                                1
handle_irq                              1
tick_handler                            1
E
err note

begin 'kd --pid: several'
run sh -c "kd --pid 1-3,77 -f F -s +F '$LST' 2>/dev/null"
out <<'E'
Function                           
-----------------------------------
create_dir                         
do_one_initcall                    
kernel_init                        
schedule                           
E

begin 'kd --pid: no numbers'
run kd --pid 1,x "$LST"
status 2
err 'kd: --pid needs numbers such as 1,5-9, not "1,x"'

begin 'kd --pid: a range that goes down'
run kd --pid 9-1 "$LST"
status 2
err 'kd: --pid needs numbers'

begin 'kd --cpu'
run kd --cpu 1 -f Fc -s F "$LST"
out <<'E'
Function                            Count
----------------------------------- -----
schedule                                1
kernel_init                             1
do_one_initcall                         1
create_dir                              2
E
err note

begin 'kd --from and --to: when a call was entered'
run kd --from 2.1ms --to 2260us -f Ft "$LST"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
handle_irq                               100
tick_handler                              40
E
err note

begin 'kd --from: a recursive call whose outer one was entered before counts itself'
run kd --from 6200 --func create_dir -f Fct "$LST"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
create_dir                              1      150
E
err note

begin 'kd --from: no time'
run kd --from 1h "$LST"
status 2
err 'kd: --from needs a time such as 500us, 1.5ms or 2s, not "1h"'

begin 'kd --to: a time that is too long'
run kd --to 99999999999999s "$LST"
status 2
err 'kd: --to needs a time'

begin 'kd -d: the first levels of the trees'
run kd -d 1 -f Fc -s +F "$LST"
out <<'E'
Function                            Count
----------------------------------- -----
__do_softirq                            1
handle_irq                              1
kernel_init                             1
start_kernel                            1
E
err note

begin 'kd --under: a function and what is below it, not what interrupts it'
run kd --under 'mem_init,do_one_*' -f Fctl "$LST"
out <<'E'
Function                            Count Time     Local   
----------------------------------- ----- -------- --------
mem_init                                1     3400      900
do_one_initcall                         1      700      100
create_dir                              2      600      400
E
err note

begin 'kd --callers: who calls, how often, at what cost; recursion is a call'
run kd --callers create_dir -f Fctl "$LST"
out <<'E'
Function                            Count Time     Local   
----------------------------------- ----- -------- --------
do_one_initcall                         1      600      250
create_dir                              1      150      150
E
err note

begin 'kd --callers: of what nobody in the log called'
run kd --callers start_kernel,handle_irq -f Fctm "$LST"
out <<'E'
Function                            Count Time     Max-sub                            
----------------------------------- ----- -------- -----------------------------------
(none in the log)                       2      100                                   ?
E
err note

begin 'kd --callees: what is called'
run kd --callees kernel_init,create_dir -f Fcto "$LST"
out <<'E'
Function                            Count Time     Open 
----------------------------------- ----- -------- -----
do_one_initcall                         1      700     0
create_dir                              1      150     0
schedule                                1        ?     1
E
err note

begin 'kd: --callers or --callees'
run kd --callers a --callees b "$LST"
status 2
err 'kd: --callers or --callees, not both'

begin 'kd: a profile does not know of calls'
run kd --pid 1 - <<'E'
Function                               Count      Total-ns      Local-ns        Min-ns        Max-ns        Off-ns        Irq-ns  Untimed
--------------------------------
f 2 9000 9000 2000 7000 0 0 1
E
status 2
err 'kd: standard input: a profile has sums, no calls: of the filters it knows --func only'

begin 'kd --under --from: below a call that is left out itself'
run kd --under do_one_initcall --from 6.2ms -f Fc "$LST"
out <<'E'
Function                            Count
----------------------------------- -----
create_dir                              1
E
err note

begin 'kd --tree --under --from: the same, as a root'
run kd --tree --under do_one_initcall --from 6.15ms -f c "$LST"
out <<'E'
Count    Tree
-------- --------
       1 (tasks)
       1   create_dir
       1     create_dir
E
err note

cat >"$tmp/statics" <<'E'
Kernel Instrumentation Run ID 0

Number of entries after filters = 3

 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       1        1        1 create_dir@fs/sysfs/dir.c        a+0x1
       2        1        1 create_dir@fs/proc/dir.c         a+0x1
       3        1        1 create_dirs                      a+0x1
E

begin 'kd --func: static functions of one name, all of them'
run kd -f Fc -s +F --func create_dir "$tmp/statics"
out <<'E'
Function                            Count
----------------------------------- -----
create_dir@fs/proc/dir.c                1
create_dir@fs/sysfs/dir.c               1
E

begin 'kd --func: static functions of one name, one by its file'
run kd -f Fc --func create_dir@fs/sysfs/dir.c "$tmp/statics"
out <<'E'
Function                            Count
----------------------------------- -----
create_dir@fs/sysfs/dir.c               1
E

cat >"$tmp/nested" <<'E'
 Entry    Delta    PID    Function   Caller   Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- --------- -------- -------- -------- -------- --- ----- --- ---- ----- ------ ------
       0      400        1 a         main+0x4        0   400000   200000   0     1   t    1 -          0      0
     100      200        1 b         a+0x4      100000   200000   100000   0     2   t    1 -          0      0
     150      100        1 c         b+0x4      150000   100000   100000   0     3   t    1 -          0      0
E

begin 'kd: the functions that a function calls, if a filter leaves out these calls'
run sh -c "for o in '-d 2' '--callees a' '--to 120'; do kd -f FsmnCu \$o '$tmp/nested' | grep ^b; done"
out <<'E'
b                                        100                                   c        1       1 c(1,100)
b                                        100                                   c        1       1 c(1,100)
b                                        100                                   c        1       1 c(1,100)
E
