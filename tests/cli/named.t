# SPDX-License-Identifier: GPL-2.0
# kd with symbols shows what it shows after addr2sym, of logs of all times.
MAP=$DATA/samples.map
compare_with_addr2sym() {
	addr2sym -m "$MAP" "$1" 2>/dev/null | kd $2 - >"$tmp/by_addr2sym" 2>/dev/null
	kd --map "$MAP" $2 "$1" 2>/dev/null | cmp - "$tmp/by_addr2sym" && [ -s "$tmp/by_addr2sym" ]
}

for log in format3.log v1.log v2.log kft_cpu.log kft_args.log kft_2636.lst noexit.lst v1_names.lst \
	raw32le.raw raw32be.raw format3.log.xz; do
begin "kd: --map: summary of $log as after addr2sym"
run compare_with_addr2sym "$DATA/$log" '-f Fctlao'
begin "kd: --map: call trace of $log as after addr2sym"
run compare_with_addr2sym "$DATA/$log" '-c -l -i'
done

begin 'kd: --map: names'
run kd --map "$MAP" -n 3 "$DATA/format3.log"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
mem_init                                1     3400     3400      900
paging_init                             1     2000     2000        0
do_one_initcall                         1      700      700      100
E
err note

begin 'kd: --map: trees of a historic log with addresses are made by caller'
run kd --map "$MAP" -c "$DATA/v1.log"
out <<'E'
 Trace 
---------------------------------
start_kernel
|  setup_arch
|  |  paging_init
|  mem_init
|  calibrate_delay
handle_irq
|  tick_handler
E
err note

begin 'kd: --map: marks'
run sh -c "{ cat '$DATA/format3.log'; echo '# 7000 7000000 0 1 t initcall 0xc0200300 -19'; } | kd --map '$MAP' -k -"
out_has '      7000   0       1 -                 t initcall mem_init -19'
err note

begin 'kd: --map: an address in no symbol'
run sh -c "sed 's/0xc0100400/0xbf000400/' '$DATA/format3.log' | kd --map '$MAP' -n 1 -f F -"
status 1
err 'kd: standard input: 0xbf000400 is in no symbol that was given; 1 such address left as they are'

begin 'kd: --map is missing'
run kd --map /nonexistent/map "$DATA/format3.log"
status 2
err '/nonexistent/map: No such file or directory'

begin 'kd: --vmlinux is no ELF file'
run kd --vmlinux "$MAP" "$DATA/format3.log"
status 2
err 'samples.map: not an ELF file'

begin 'kd: a call in a part that the compiler has split off belongs to the function'
run sh -c "kd -c -" <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 outer                            start+0x10
      10       20        1 one                              outer.part.0+0x4
      40       10        1 two                              outer.cold+0x8
E
out <<'E'
 Trace 
---------------------------------
outer
|  one
|  two
E
