# SPDX-License-Identifier: GPL-2.0
# addr2sym: today's and historic logs, maps good and bad.
MAP=$DATA/samples.map

begin 'addr2sym: FILE -m MAP'
run addr2sym "$DATA/format3.log" -m "$MAP"
out <"$DATA/format3.lst"

begin 'addr2sym: <FILE -m MAP'
run addr2sym -m "$MAP" <"$DATA/format3.log"
out <"$DATA/format3.lst"

begin 'addr2sym: a pipe, -'
run sh -c "cat '$DATA/format3.log' | addr2sym --map='$MAP' -"
out <"$DATA/format3.lst"

begin 'addr2sym: a listing stays as it is'
run addr2sym "$DATA/format3.lst" -m "$MAP"
out <"$DATA/format3.lst"

begin 'addr2sym: the header is resolved where it names functions, nowhere else'
run sh -c "addr2sym '$DATA/format3.log' -m '$MAP' | grep -e Logging -e Text -e Build"
out <<'E'
Logging started at 0 usec by entry to function start_kernel
Logging stopped at 7100 usec by entry to function to_userspace
Text = 0xc0008000
Build id = 00112233445566778899aabbccddeeff00112233
E

begin 'addr2sym: a kernel that was moved (KASLR)'
run sh -c "sed -e 's/0xc0/0xd1/g' '$DATA/format3.log' | addr2sym -m '$MAP' | grep -v Text"
out <<E
$(grep -v Text "$DATA/format3.lst")
E
err 'addr2sym: standard input: the kernel ran 0x11000000 higher than the map says: addresses are shifted'

begin 'addr2sym: a kernel that was moved down'
run sh -c "sed -e 's/0xc0/0xb1/g' '$DATA/format3.log' | addr2sym -m '$MAP' | grep -v Text"
out <<E
$(grep -v Text "$DATA/format3.lst")
E
err 'addr2sym: standard input: the kernel ran 0xf000000 lower than the map says: addresses are shifted'

begin 'addr2sym: Text is that of _stext: not moved'
run sh -c "sed -e 's/Text = .*/Text = 0xc0100000/' '$DATA/format3.log' | addr2sym -m '$MAP' | grep -v Text"
out <<E
$(grep -v Text "$DATA/format3.lst")
E

begin 'addr2sym: KFI v1, hex without 0x'
run sh -c "addr2sym '$DATA/v1.log' -m '$MAP' | tail -n 12"
out <<'E'
Logging started at 1200 usec by entry to function start_kernel
Logging stopped at 99000 usec by log full

 Entry      Delta       PID      Function    Caller
--------   --------   --------   --------   --------
       0          0         0    start_kernel __create_page_tables+0x10
      10       4000         0    setup_arch start_kernel+0x10
      20       3000         0    paging_init setup_arch+0x20
    1000         90        -1i   handle_irq __create_page_tables+0x100
    1010         60        -1i   tick_handler handle_irq+0x20
    4100        900         0    mem_init   start_kernel+0x20
    5100      80000         0    calibrate_delay start_kernel+0x30
E

begin 'addr2sym: KFI v2'
run sh -c "addr2sym '$DATA/v2.log' -m '$MAP' | tail -n 6"
out <<'E'
       0       -1       0 start_kernel                     __create_page_tables+0x10
      10     4000       0 setup_arch                       start_kernel+0x10
      20     3000       0 paging_init                      setup_arch+0x20
    1000       90      -1 handle_irq                       __create_page_tables+0x100
    5100    80000       0 calibrate_delay                  start_kernel+0x30
   90000        0       0 create_dir                       start_kernel+0x40
E

begin 'addr2sym: KFT with .cpu'
run sh -c "addr2sym '$DATA/kft_cpu.log' -m '$MAP' | tail -n 2"
out <<'E'
      50       -1      -1.9 __do_softirq                     __create_page_tables+0x200
      60       20      -1.1 handle_irq                       __do_softirq+0x10
E

begin 'addr2sym: KFT with arguments: they stay addresses'
run sh -c "addr2sym '$DATA/kft_args.log' -m '$MAP' | tail -n 1"
out <<'E'
      20      300      12 copy_process                     kernel_clone+0x10                  0xc0fe1d00 0x00000001 0x00000002 0x00000003
E

begin 'addr2sym: rows without a header'
run sh -c "tail -n 1 '$DATA/format3.log' | addr2sym -m '$MAP'"
out <<E
$(tail -n 1 "$DATA/format3.lst")
E

begin 'addr2sym: serial line endings stay'
run sh -c "sed 's/\$/\r/' '$DATA/v2.log' | addr2sym -m '$MAP' | tail -n 1 | tr '\r' @"
out <<'E'
   90000        0       0 create_dir                       start_kernel+0x40@
E

begin 'addr2sym: an address in no symbol'
run sh -c "sed 's/0xc0100400/0xbf000400/; s/0xc0100900/0xbf000900/' '$DATA/format3.log' | addr2sym -m '$MAP' | grep bf000"
out <<'E'
    6150      600        1 0xbf000400                       do_one_initcall+0x90                  6150000       600000       250000   1     3   t       1 -                    200000            0
    6200      150        1 0xbf000900                       create_dir+0x50                       6200000       150000       150000   1     4   t       1 -                         0            0
E
err 'addr2sym: standard input:52: 0xbf000400 is in no symbol of '
err '; 2 such addresses left as they are'

begin 'addr2sym: an address in no symbol, status'
run addr2sym -m "$MAP" <<'E'
-------- --------
1 2 3 0xbf000000 0xbf000010
E
status 1
out <<'E'
-------- --------
1 2 3 0xbf000000 0xbf000010
E
err '2 such addresses left as they are'

begin 'addr2sym: no map'
run addr2sym "$DATA/format3.log"
status 2
err 'addr2sym: Error: no map file specified'

begin 'addr2sym: -m without a name'
run addr2sym "$DATA/format3.log" -m
status 2
err 'addr2sym: Error: option -m needs an argument'

begin 'addr2sym: map is missing'
run addr2sym "$DATA/format3.log" -m /nonexistent/map
status 2
err 'addr2sym: Error: Cannot read map file: /nonexistent/map: No such file or directory'

begin 'addr2sym: map is a folder'
run addr2sym "$DATA/format3.log" -m "$DATA"
status 2
err 'Is a directory'

begin 'addr2sym: map is no map'
run addr2sym "$DATA/format3.log" -m "$DATA/format3.lst"
status 2
err 'not a symbol table (no line of "address type name")'

begin 'addr2sym: map is empty'
run addr2sym "$DATA/format3.log" -m /dev/null
status 2
err '/dev/null: not a symbol table'

begin 'addr2sym: map without addresses'
run sh -c "sed 's/^[^ ]*/00000000/' '$MAP' | addr2sym '$DATA/format3.log' -m -"
status 2
err 'all addresses are 0 (kallsyms read without root?)'

begin 'addr2sym: a damaged line of a map: its symbol is missing, and that is reported'
run sh -c "sed 's/^c0008100 t /c00081?0 t /' '$MAP' >'$tmp/torn.map'; addr2sym -m '$tmp/torn.map' '$DATA/format3.log' >/dev/null"
status 1
err 'torn.map:3: not a line of "address type name"; 1 such line left out'

begin 'addr2sym: log is missing'
run addr2sym /nonexistent/log -m "$MAP"
status 2
err 'addr2sym: Error: Cannot read log: /nonexistent/log: No such file or directory'

begin 'addr2sym: not a log'
run addr2sym "$MAP" -m "$MAP"
status 1
out <"$MAP"
err 'not a KFI log: no call and no line of dashes in it'

begin 'addr2sym: binary rubbish passes through unharmed'
run sh -c "addr2sym '/bin/sh' -m '$MAP' | cmp - '/bin/sh' && echo same"
out <<'E'
same
E
err 'not a KFI log'

begin 'addr2sym: a log cut in a row'
run sh -c "head -c -60 '$DATA/format3.log' | addr2sym -m '$MAP' | tail -n 2"
out_has '    6900       -1        1 schedule                         kernel_init+0x80                      6900000           -1           -1   1     2   t       1 unwound                  -1           -1'
err 'addr2sym: standard input:55: not a call: "7000       50'

begin 'addr2sym: -h'
run addr2sym -h
out_has 'usage: addr2sym -m MAP [FILE] >LISTING'

begin 'addr2sym: -V'
run addr2sym -V
out <<'E'
addr2sym version 2.0
E

begin 'addr2sym: unknown option'
run addr2sym -x
status 2
err 'addr2sym: Error: unknown option -x'

begin 'addr2sym: a log format that is not known'
run sh -c "sed 's/Log format = 3/Log format = 9/' '$DATA/format3.log' | addr2sym -m '$MAP'"
status 1
out <<E
$(sed 's/Log format = 3/Log format = 9/' "$DATA/format3.lst")
E
err 'addr2sym: standard input: log format 9: this version knows 6, and columns may mean something else'

begin 'addr2sym: a log format that is not known, of the first of two runs'
run sh -c "sed 's/Log format = 3/Log format = 9/' '$DATA/format3.log' | cat - '$DATA/format3.log' | addr2sym -m '$MAP' >/dev/null"
status 1
err 'log format 9'

# The call that was entered at 6150 us, below that of 7000 us.
move_row() {
	awk '/^    6150 /{ late = $0; next } { print } /^    7000 /{ print late }' "$1"
}
begin 'addr2sym: a row that is not in its place'
move_row "$DATA/format3.log" >"$tmp/moved.log"
run addr2sym -m "$MAP" "$tmp/moved.log"
status 1
out <<E
$(move_row "$DATA/format3.lst")
E
err 'moved.log: mixed up: 1 of 14 calls stand behind calls that were entered later; copy the log again'

begin 'addr2sym: two runs, each in order, the second from 0 on'
run sh -c "cat '$DATA/format3.log' '$DATA/format3.log' | addr2sym -m '$MAP'"
out <<E
$(cat "$DATA/format3.lst" "$DATA/format3.lst")
E

begin 'addr2sym: two logs'
run addr2sym -m "$MAP" a b
status 2
err 'addr2sym: Error: one file at a time, not 2'

begin 'addr2sym: each run of a file has its own place in memory'
run sh -c "{ printf 'Kernel Instrumentation Run ID 0\nLogging started at 0 usec by entry to function 0xc0200000\n'; sed -e 's/0xc0/0xd1/g' -e 1d '$DATA/format3.log'; } | addr2sym -m '$MAP' | grep started"
out <<'E'
Logging started at 0 usec by entry to function start_kernel
Logging started at 0 usec by entry to function start_kernel
E
err 'the kernel ran 0x11000000 higher'

begin 'addr2sym: who had the least stack left'
run sh -c "{ printf 'Kernel Instrumentation Run ID 0\nWatch lowest = 5032 bytes free, task 1, at entry to function 0xc0200000\n'; sed 1d '$DATA/format3.log'; } | addr2sym -m '$MAP' | grep lowest"
out <<'E'
Watch lowest = 5032 bytes free, task 1, at entry to function start_kernel
E

begin 'addr2sym: a moved kernel, then one that was not moved'
run sh -c "{ sed -e 's/0xc0/0xd1/g' '$DATA/format3.log'; cat '$DATA/format3.log'; } | addr2sym -m '$MAP' | grep -v Text | md5sum"
out <<E
$(cat "$DATA/format3.lst" "$DATA/format3.lst" | grep -v Text | md5sum)
E
err 'the kernel ran 0x11000000 higher'

begin 'addr2sym: a header that the end of a block cuts, from a pipe and packed'
run sh -c "{ yes | head -c 1048000; sed -e 's/0xc0/0xd1/g' '$DATA/format3.log'; } >'$tmp/cut'
	addr2sym -m '$MAP' '$tmp/cut' >'$tmp/plain'; echo \$?
	cat '$tmp/cut' | addr2sym -m '$MAP' 2>/dev/null | cmp - '$tmp/plain'; gzip -f '$tmp/cut'
	addr2sym -m '$MAP' '$tmp/cut.gz' 2>/dev/null | cmp - '$tmp/plain'"
out <<'E'
0
E
err 'the kernel ran 0x11000000 higher'

begin 'addr2sym: a symbol of a module says so, by a copy of kallsyms'
run sh -c "printf 'c0008000 T _text\nc0100000 T run\nbf000000 t probe\t[ds1307]\nbf000100 t probe\t[e1000]\n' >'$tmp/kall'; addr2sym -m '$tmp/kall' | tee '$tmp/mod'; kd -f Fc '$tmp/mod'" <<'E'
Logging started at 0 usec by entry to function 0xbf000000
Text = 0xc0008000
 Entry    Delta     PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
       0        9        1 0xbf000000                       0xc0100010                                  0         9000         9000   0     1   t       1 -
       1        2        1 0xbf000100                       0xbf000104                               1000         2000         2000   0     2   t       1 -
E
out <<'E'
Logging started at 0 usec by entry to function probe[ds1307]
Text = 0xc0008000
 Entry    Delta     PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
       0        9        1 probe[ds1307]                    run+0x10                                    0         9000         9000   0     1   t       1 -
       1        2        1 probe[e1000]                     probe[e1000]+0x4                         1000         2000         2000   0     2   t       1 -
Function                            Count
----------------------------------- -----
probe[ds1307]                           1
probe[e1000]                            1
E

begin 'addr2sym: a line as of QEMU before a log: the log is still checked'
run sh -c "{ echo '12.345678 c0100000'; sed '/^---/{n;q}' '$DATA/format3.log'; } | addr2sym -m '$MAP' >/dev/null"
status 1
err 'truncated: the header says 14 calls'

begin 'addr2sym: a map whose last line was cut'
run sh -c "printf %s \"\$(cat '$DATA/samples.map')\" >'$tmp/cut.map'; addr2sym -m '$tmp/cut.map' '$DATA/format3.log' >/dev/null"
status 1
err "cut.map:$(wc -l <"$DATA/samples.map"): this line, the last one, has no newline: its name may be cut"

begin 'kd: a map whose last line was cut'
run sh -c "kd --map '$tmp/cut.map' '$DATA/format3.log' >/dev/null"
status 1
err "cut.map:$(wc -l <"$DATA/samples.map"): this line, the last one, has no newline: its name may be cut"

begin 'addr2sym: 200,000 functions'
large_map 200000
run addr2sym -m "$tmp/large.map" <<'E'
-------- --------
1 9 3 0xffffffff1030d400 0xffffffff10000018
2 3 3 0xffffffff10000010 0xffffffff1030d408
E
out <<'E'
-------- --------
1 9 3 f200000            f10001+0x8
2 3 3 f10001             f200000+0x8
E
