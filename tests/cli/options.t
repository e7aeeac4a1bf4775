# SPDX-License-Identifier: GPL-2.0
# kd: each mode has its options; what would do nothing is rejected.
LST=$DATA/format3.lst

# check_rejected MESSAGE OPTION...
check_rejected() {
	message=$1
	shift
	begin "kd $*: rejected"
	run kd "$@" "$LST"
	status 2
	out </dev/null
	err "kd: $message"
}
check_rejected '-t cannot be used with -c' -c -t 5
check_rejected '-n cannot be used with -c' -c -n 5
check_rejected '-s cannot be used with -c' -c -s t
check_rejected '-s cannot be used with --first' --first -s t
check_rejected '-l cannot be used with --tree' --tree -l
check_rejected '-i can only be used with -c' -i
check_rejected '-r can only be used with -c' -r
check_rejected '-m cannot be used with --tree' --tree -m 5
check_rejected '-K can only be used with -c' -K
check_rejected '--threshold can only be used with --diff, --export, --fleet or --gate' --threshold 5
check_rejected '-N cannot be used with --longest' --longest -N
check_rejected '--func cannot be used with -k' -k --func a
check_rejected '--pid cannot be used with --boot' --boot --pid 1
check_rejected '--from cannot be used with --boot' --boot --from 1ms
check_rejected '--ctx cannot be used with --boot' --boot --ctx t
check_rejected '-s cannot be used with --boot' --boot -s t
check_rejected '--without cannot be used with --tree' --tree --without printk
check_rejected '--dmesg cannot be used with -c' -c --dmesg x
check_rejected '--dmesg can only be used with --boot or --html' --dmesg x
check_rejected '--without can only be used with --boot' --without printk
check_rejected '--dmesg or --without, not both: the latter shows no path' --boot --dmesg x --without y
check_rejected '--boot or --tree, not both' --boot --tree
check_rejected '-c or --tree, not both' -c --tree
check_rejected '--first or --longest, not both' --longest --first
check_rejected '--tree or -k, not both' -k --tree
check_rejected '-r or -i, not both' -c -i -r
check_rejected '--initcalls can be sorted by -s t only' --initcalls -s l
check_rejected '-f xyz: no such column' -f xyz
check_rejected '-f xyz,bdb: no such column' --tree -f xyz,bdb
check_rejected '--braces prints for people' --braces --json

check_rejected 'option --map is given twice, and takes one argument' --map a --map b
check_rejected 'option --label is given twice, and takes one argument' --record --label board=a --label build=b
check_rejected '--symbols or --map and other files with symbols, not both' --record --symbols /tmp --map a

begin 'kd -f: names of columns'
run kd -n 2 -f function,total,self,self-percent "$LST"
out <<'E'
Function                            Time     Local    Local %
----------------------------------- -------- -------- -------
mem_init                                3400      900   56.90
paging_init                             2000        0    0.06
E
err note

begin 'kd -f: one name, a name among letters, a name that is none'
run sh -c "kd -n 1 -f total '$LST'; kd -n 1 -f Fc,self '$LST'; kd -n 1 -f nothing,self '$LST'"
status 1
out <<'E'
Time    
--------
    3400
Function                            Count Local   
----------------------------------- ----- --------
mem_init                                1      900
Local   
--------
     900
E
err 'kd: Invalid column: nothing'

begin 'kd -s: names of columns'
run kd -n 2 -s count,+self -f F "$LST"
out <<'E'
Function                           
-----------------------------------
create_dir                         
paging_init                        
E
err note

begin 'kd -t: units'
run kd -t 2ms -f function,total "$LST"
out <<'E'
Function                            Time    
----------------------------------- --------
mem_init                                3400
paging_init                             2000
E
err note
