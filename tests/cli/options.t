# SPDX-License-Identifier: GPL-2.0
# kd: each mode has its options; what would do nothing is rejected.
LST=$DATA/format3.lst

# refuse MESSAGE OPTION...
refuse() {
	message=$1
	shift
	begin "kd $*: rejected"
	run kd "$@" "$LST"
	status 2
	out </dev/null
	err "kd: $message"
}
refuse '-t is of no use with -c' -c -t 5
refuse '-n is of no use with -c' -c -n 5
refuse '-s is of no use with -c' -c -s t
refuse '-s is of no use with --first' --first -s t
refuse '-l is of no use with --tree' --tree -l
refuse '-i is of no use without -c' -i
refuse '-r is of no use without -c' -r
refuse '-m is of no use with --tree' --tree -m 5
refuse '-K is of no use without -c' -K
refuse '--threshold is of no use without --diff, --export, --fleet or --gate' --threshold 5
refuse '-N is of no use with --longest' --longest -N
refuse '--func is of no use with -k' -k --func a
refuse '--pid is of no use with --boot' --boot --pid 1
refuse '--from is of no use with --boot' --boot --from 1ms
refuse '--ctx is of no use with --boot' --boot --ctx t
refuse '-s is of no use with --boot' --boot -s t
refuse '--without is of no use with --tree' --tree --without printk
refuse '--dmesg is of no use with -c' -c --dmesg x
refuse '--dmesg is of no use without --boot or --html' --dmesg x
refuse '--without is of no use without --boot' --without printk
refuse '--dmesg or --without, not both: the latter shows no path' --boot --dmesg x --without y
refuse '--boot or --tree, not both' --boot --tree
refuse '-c or --tree, not both' -c --tree
refuse '--first or --longest, not both' --longest --first
refuse '--tree or -k, not both' -k --tree
refuse '-r or -i, not both' -c -i -r
refuse '--initcalls are sorted by -s t' --initcalls -s l
refuse '-f xyz: no such column' -f xyz
refuse '-f xyz,bdb: no such column' --tree -f xyz,bdb
refuse '--braces are for people' --braces --json

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
