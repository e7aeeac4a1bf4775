# SPDX-License-Identifier: GPL-2.0
# kfi-check-conf: what the kernel and its build would say of a configuration.
MAP=$DATA/samples.map

begin 'kfi-check-conf: a good one, with names'
run kfi-check-conf - "$MAP" <<'E'
begin
	trigger start entry kernel_clone
	filter funclist copy_process sched* 0xc0100500 fend
end
E
out <<E
standard input: no errors; all names are in $MAP
E

begin 'kfi-check-conf: without symbols it says that names were not checked'
run kfi-check-conf - <<'E'
begin trigger start entry no_such_function end
E
out <<'E'
standard input: no errors; names were not checked: give --vmlinux or --map
E

begin 'kfi-check-conf: no names, nothing else to check'
run kfi-check-conf - <<'E'
begin trigger stop time 5 end
E
out <<'E'
standard input: no errors
E

begin 'kfi-check-conf: an error has its line and column'
run kfi-check-conf - "$MAP" <<'E'
begin
	trigger start entry kernel_clone
	filter mintim 5
end
E
status 1
out </dev/null
err "standard input:3:9: unknown word 'mintim', where mintime,"

begin 'kfi-check-conf: an unknown name, and what may be meant'
run kfi-check-conf - "$MAP" <<'E'
begin
	trigger start entry kernel_clon
	filter funclist no_such_* fend
end
E
status 1
out </dev/null
err "standard input:2:22: 'kernel_clon' is not in $MAP; is it 'kernel_clone'?"
err "standard input:3:18: 'no_such_*' matches no function in $MAP"

begin 'kfi-check-conf: a name of two functions, an address inside of one, data'
printf 'c0100000 T _stext\nc0100100 t probe\nc0100200 t probe\nc0200000 D data\n' >"$tmp/two.map"
run kfi-check-conf --map "$tmp/two.map" - <<'E'
begin
	filter funclist probe 0xc0100104 data fend
end
E
status 1
err "standard input:2:18: 'probe' is the name of several functions: give the address, 0xc0100100 or 0xc0100200"
err "standard input:2:24: '0xc0100104' is not where a function of $tmp/two.map begins; it is probe+0x4"
err "standard input:2:35: 'data' is no function in $tmp/two.map"

begin 'kfi-check-conf: kallsyms, with the names of modules'
printf 'c0100000 T start_kernel\nbf000000 t probe\t[foo]\n' >"$tmp/kallsyms"
run kfi-check-conf --kallsyms "$tmp/kallsyms" - <<'E'
begin trigger start entry probe end
E
out <<E
standard input: no errors; all names are in $tmp/kallsyms
E

begin 'kfi-check-conf: the name of a module is not checked'
run kfi-check-conf - "$MAP" <<'E'
begin trigger start entry kernel_clone filter funclist module:no_such_module fend end
E
out <<E
standard input: no errors; all names are in $MAP, but modules were not checked
E

begin 'kfi-check-conf: no map'
run kfi-check-conf --map "$tmp/no-such-map" -
status 2
err 'kfi-check-conf: Cannot read map file:'

begin 'kfi-check-conf: no configuration'
run kfi-check-conf "$tmp/no-such-conf"
status 2
err 'no-such-conf'

begin 'kfi-check-conf: one map only'
run kfi-check-conf --map "$MAP" --vmlinux "$MAP" -
status 2
err 'give a configuration and at most one map'

begin 'kfi-check-conf: no folder of modules'
run kfi-check-conf --map "$MAP" --modules "$tmp" -
status 2
err 'take --kallsyms, not --modules'

begin 'kfi-check-conf, sym2addr: the help has no option that is rejected'
run sh -c "for tool in kfi-check-conf sym2addr addr2sym kd; do \$tool --help all | grep -c -e --modules; done; sym2addr --map '$MAP' --modules '$tmp' -"
status 2
out <<'E'
0
0
1
1
E
err 'take --kallsyms, not --modules'

begin 'kfi-check-conf: a log that takes long over a serial line'
run kfi-check-conf - <<'E'
begin logentries 1000000 end
begin end
begin logentries 1000000 profile end
E
out <<'E'
standard input: no errors
E
err 'standard input: warning: a full log of session 1 has 1000000 calls: 25 MB of memory, and 196 MB of text, which take 4 h 43 min at 115200 baud; lower logentries, or read /proc/kfi_serial, which takes a tenth'

begin 'kfi-check-conf: the default log takes long over a slow line'
run kfi-check-conf --baud 9600 - <<'E'
begin end
E
out <<'E'
standard input: no errors
E
err 'warning: a full log of session 1 has 100000 calls: 2 MB of memory, and 19 MB of text, which take 5 h 40 min at 9600 baud'

begin 'kfi-check-conf: the sizes are those of a log and of the kernel'
run sh -c "awk '/0x.*0x/ && /^ +[0-9]/ { print length(\$0) + 2; exit }' '$DATA/demo/kfi.log'
	sed -n '/^config KFI_LOG_ENTRIES/,/default/s/.*default //p' '$here/../../kernel/Kconfig'"
out <<'E'
196
100000
E

begin 'kfi-check-conf: 200,000 functions'
large_map 200000
run kfi-check-conf - "$tmp/large.map" <<'E'
begin trigger start entry f200000 filter funclist * fend end
begin filter funclist f1234* module:nothing fend end
E
out <<E
standard input: no errors; all names are in $tmp/large.map, but modules were not checked
E
err 'standard input: warning: the lists of session 1 match 200001 functions: /proc/kfi takes them, but a configuration that is compiled in, or in kfi.conf=, has room for 16384 at most'

begin 'kfi-check-conf: 200,000 functions, and a name of two'
run kfi-check-conf - "$tmp/large.map" <<'E'
begin trigger start entry f10001 end
E
status 1
err "standard input:1:27: 'f10001' is the name of several functions: give the address, 0xffffffff10000010 or 0xffffffff10027110"

begin 'kfi-check-conf: more functions than /proc/kfi takes'
large_map 262200
run kfi-check-conf - "$tmp/large.map" <<'E'
begin filter funclist f* fend end
E
status 1
out </dev/null
err "standard input:1:23: 'f*' and the rest of the lists match 262200 functions, more than 262144"
