# SPDX-License-Identifier: GPL-2.0
# sym2addr: names to addresses, everything else as it is.
MAP=$DATA/samples.map

begin 'sym2addr: names become addresses; comments, lines and blanks stay'
run sym2addr - "$MAP" <<'E'
# trace kernel_clone: its name stays in comments
new
begin
	trigger start entry kernel_clone   # do_fork of old
	trigger stop  exit  kernel_clone

	filter mintime 500
	filter funclist copy_process schedule 0xc0100e00 fend
end
E
out <<'E'
# trace kernel_clone: its name stays in comments
new
begin
	trigger start entry 0xc0100500   # do_fork of old
	trigger stop  exit  0xc0100500

	filter mintime 500
	filter funclist 0xc0100600 0xc0100800 0xc0100e00 fend
end
E

begin 'sym2addr: every list; patterns and modules stay'
run sym2addr - "$MAP" <<'E'
begin
	filter funclist copy_process sched* fend
	filter exclude schedule, module:ext4
	filter only under kernel_clone [a-c]*
end
E
out <<'E'
begin
	filter funclist 0xc0100600 sched* fend
	filter exclude 0xc0100800, module:ext4
	filter only under 0xc0100500 [a-c]*
end
E

begin 'sym2addr: no function, no change'
run sym2addr - "$MAP" <<'E'
begin
trigger start time 0
trigger stop time 100
end
E
out <<'E'
begin
trigger start time 0
trigger stop time 100
end
E

begin 'sym2addr: 64 bit'
run sh -c "echo 'ffffffff81000040 T go' >'$tmp/m'; echo 'begin trigger start entry go trigger stop time 5 end' | sym2addr - '$tmp/m'"
out <<'E'
begin trigger start entry 0xffffffff81000040 trigger stop time 5 end
E

begin 'sym2addr: map from standard input'
run sh -c "echo 'begin trigger start entry go trigger stop time 5 end' >'$tmp/c'; echo '10000000 T go' | sym2addr '$tmp/c' -"
out <<'E'
begin trigger start entry 0x10000000 trigger stop time 5 end
E

begin 'sym2addr: an unknown function, with its place; nothing is printed'
run sym2addr - "$MAP" <<'E'
begin
trigger start entry start_kernel
trigger stop entry to_userspac
end
E
status 1
out </dev/null
err 'sym2addr: standard input:3:20: unknown function "to_userspac"'

begin 'sym2addr: all unknown functions are told'
run sym2addr - "$MAP" <<'E'
begin
trigger start entry nope
trigger stop entry nada
end
E
status 1
out </dev/null
err ':2:21: unknown function "nope"'
err ':3:20: unknown function "nada"'

begin 'sym2addr: an ambiguous function, with its candidates'
run sym2addr - "$MAP" <<'E'
begin
trigger start entry create_dir
trigger stop time 1
end
E
status 1
out </dev/null
err 'sym2addr: standard input:2:21: "create_dir" is ambiguous, give one of 2 by address:'
err '	0xc0100400 t create_dir'
err '	0xc0100900 t create_dir'

begin 'sym2addr: data is no function'
run sym2addr - "$MAP" <<'E'
begin
trigger start entry jiffies
trigger stop time 1
end
E
status 1
out </dev/null
err ':2:21: unknown function "jiffies": it is data'

begin 'sym2addr: an unknown word, with its place'
run sym2addr - "$MAP" <<'E'
begin
filter mintme 500
end
E
status 1
out </dev/null
err 'sym2addr: standard input:2:8: '

begin 'sym2addr: no end'
run sym2addr - "$MAP" <<'E'
begin
trigger start time 0
E
status 1
out </dev/null
err 'sym2addr: standard input:3:1: '

begin 'sym2addr: an empty configuration'
run sym2addr /dev/null "$MAP"
status 1
out </dev/null
err 'sym2addr: /dev/null:1:1: '

begin 'sym2addr: binary rubbish'
run sym2addr "$BIN/kd" "$MAP"
status 1
out </dev/null
err 'sym2addr: '

begin 'sym2addr: missing configuration'
run sym2addr /nonexistent/conf "$MAP"
status 2
err 'sym2addr: /nonexistent/conf: No such file or directory'

begin 'sym2addr: missing map'
run sym2addr /dev/null /nonexistent/map
status 2
err 'sym2addr: Cannot read map file: /nonexistent/map: No such file or directory'

begin 'sym2addr: map is no map'
run sym2addr /dev/null "$DATA/format3.log"
status 2
err 'not a symbol table'

# Cut inside the last name: start_kernel_late.
printf 'c0100000 T _text\nc0100010 T schedule\nc0100020 T start_kernel' >"$tmp/cut.map"

begin 'sym2addr: a map whose last line was cut: other names'
run sym2addr - "$tmp/cut.map" <<'E'
begin trigger start entry schedule trigger stop time 1 end
E
out <<'E'
begin trigger start entry 0xc0100010 trigger stop time 1 end
E
err 'cut.map:3: this line, the last one, has no newline: its name may be cut'

begin 'sym2addr: a map whose last line was cut: the name of that line'
run sym2addr - "$tmp/cut.map" <<'E'
begin trigger start entry start_kernel trigger stop time 1 end
E
status 1
out </dev/null
err 'cut.map:3: this line, the last one, has no newline: its name may be cut'
err 'sym2addr: standard input:1:27: "start_kernel" may be a part of a name: it ends the last line of '

begin 'kfi-check-conf: a map whose last line was cut'
run kfi-check-conf - "$tmp/cut.map" <<'E'
begin trigger start entry start_kernel trigger stop time 1 end
E
status 1
err 'cut.map:3: this line, the last one, has no newline: its name may be cut'
err "'start_kernel' is not in "

begin 'sym2addr: too few files'
run sym2addr "$MAP"
status 2
err 'sym2addr: give a configuration and a map'

begin 'sym2addr: -h'
run sym2addr -h
out_has 'usage: sym2addr CONFIGURATION MAP >CONFIGURATION.addr'

begin 'sym2addr: --version'
run sym2addr --version
out <<'E'
sym2addr version 2.0
E

begin 'sym2addr: unknown option'
run sym2addr -x
status 2
err 'sym2addr: unknown option -x'
