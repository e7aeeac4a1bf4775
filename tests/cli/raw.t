# SPDX-License-Identifier: GPL-2.0
# Raw logs, written by tests/host/test_raw.c, of both byte orders and word sizes.
cat >"$tmp/raw.map" <<'E'
c0008000 T _text
c0008100 T start_kernel
c0008180 t do_initcalls
c0008200 t leaf
c0008300 t lost
c0008400 t early
c0008500 t irq
c0008600 t sleeper
c0008700 t nmi
E
sed -e 's/^c0008/ffffffff81000/' "$tmp/raw.map" >"$tmp/raw64.map"

for end in le be; do
begin "addr2sym: a raw log of a 32-bit machine, $end, becomes text"
run addr2sym -m "$tmp/raw.map" "$DATA/raw32$end.raw"
out <<'E'

Kernel Instrumentation Run ID 0

Logging started at 0 usec by entry to function _text
Logging stopped at 700000000 usec by log full

Number of entries after filters = 11

Calls kept = 10
Calls lost = 0
Calls open = 1
Marks kept = 8
Marks lost = 0
Watch rows = 2
Clock = mct
Clock rate = 24000000 Hz
Kernel = 6.12.0-sample
Word size = 32
Text = 0xc0008000
Log format = 4

 Entry    Delta    PID         Function                         Caller                           Entry-ns     Delta-ns     Local-ns Cpu Depth Ctx    Task Marks                Off-ns       Irq-ns
-------- -------- -------- -------------------------------- -------------------------------- ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------
#        0            0   3       0 t level early
       0       -2        7 early                            early+0x10                                  0           -1           -1   3     2   t       7 notime,stack             -1           -1
#        0            0   3       0 n mark a?b?
       0       -1        0 early                            early+0x10                                  0           -1           -1   0     1   t       0 notime                   -1           -1
       0       -1        1 start_kernel                     _text+0x10                                  0           -1           -1   1     1   t       1 open                     -1           -1
       4      100        1 do_initcalls                     start_kernel+0x20                        4166       100000        90000   0     2   t       1 -                         0            0
       4       10        1 leaf                             start_kernel+0x40                        4166        10000        10000   0     3   t       1 -                         0            0
     166       -1        1 lost                             lost+0x10                              166666           -1           -1   0     2   t       1 unwound                  -1           -1
     208        4       -1 irq                              irq+0x10                               208333         4167         4166   0  1023   h 4194303 -                         0            0
     210       -2        7 irq                              irq+0x10                               210416           -1           -1   3     3   t       7 stack                    -1           -1
     250     1000        1 sleeper                          sleeper+0x10                           250000      1000000        41666   0     2   t       1 -                    833333        10000
#      270       270833   3       1 t switch 12 kthread d/0
#      275       275000   3       1 t initcall sleeper+0x80 -19
     275        4        1 sleeper+0x80                     sleeper+0x10                           275000         4166         4166   0     3   t       1 -                      2500         1666
     279        4        1 sleeper+0x80                     sleeper+0x10                           279166         4167            0   0     3   t       1 -                      4167            0
     291 900000000       12 0xc0007f00                       nmi+0x10                               291666 900000000000 899000000000   1     1   t      12 -                1000000000           41
#      329       329166   3      12 t syscall 4
#      329       329583   3      12 t syscall 5 compat
#      333       333333   3      12 t sysret -38
     333        1       -1 nmi                              nmi+0x10                               333333         1042         1041   1     2   n      12 -                         0            0
#      337       337500   3       0 s mark 01234567890123456789012345678901234567890123456789012345678901234567890123456789
# check 21 d2927377 718997d8 names
E
status 1
err "raw32$end.raw:39: 0xc0007f00 is in no symbol"

begin "kd: a raw log of a 64-bit machine, $end, as it is"
run kd -c -l -i "$DATA/raw64$end.raw"
out <<'E'
 Entry      Duration   Local       Pid   Task             Trace 
---------- ---------- ---------- ------- --------------- ---------------------------------
         0                             0 swapper         # level early
         0                             7 -               !  0xffffffff81000400  # stack
----------- @@@@ start --------------
         0                            -1 -               # mark a?b?
----------- @@@@ end ----------------
----------- [[[[ start --------------
         0          ?          ?       0 swapper         0xffffffff81000400
----------- [[[[ end ----------------
----------- #### start --------------
         0          ?          ?       1 -               0xffffffff81000100
         4        100         90       1 -               #  0xffffffff81000180
         4         10         10       1 -               #  #  0xffffffff81000200
       166          ?          ?       1 -               #  0xffffffff81000300
----------- ;;;; start --------------
       208          4          4      -1 -               0xffffffff81000500
----------- ;;;; end ----------------
----------- #### end ----------------
       210                             7 -               !  !  0xffffffff81000500  # stack
       250       1000         41       1 -               #  0xffffffff81000600
       270                             1 -               #  #  # switch 12 kthread d/0
       275                             1 -               #  #  # initcall 0xffffffff81000680 -19
       275          4          4       1 -               #  #  0xffffffff81000680
       279          4          0       1 -               #  #  0xffffffff81000680
       291  900000000  899000000      12 kthread d/0     0xffffffff80ffff00
       329                            12 kthread d/0     (  # syscall 4
       329                            12 kthread d/0     (  # syscall 5 compat
       333                            12 kthread d/0     (  # sysret -38
       333          1          1      -1 -               0xffffffff81000700
       337                            -1 -               # mark 01234567890123456789012345678901234567890123456789012345678901234567890123456789
E
err note
done

begin 'kd: a raw log and its text show the same'
run sh -c "addr2sym -m '$tmp/raw64.map' '$DATA/raw64be.raw' 2>/dev/null | kd -n 3 -s l -f Fctlpwo -"
out <<'E'
Function                            Count Time     Local    On-cpu   Off-cpu  Open 
----------------------------------- ----- -------- -------- -------- -------- -----
0xffffffff80ffff00                      1 900000000 899000000 898999999  1000000     0
do_initcalls                            1      100       90      100        0     0
sleeper                                 1     1000       41      156      833     0
E
err note

begin 'addr2sym, kd: a raw log from a pipe'
run sh -c "cat '$DATA/raw32be.raw' | addr2sym -m '$tmp/raw.map' 2>/dev/null | kd -f Fct -n 2 -; cat '$DATA/raw32le.raw' | kd -f Fct -n 1 -"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
0xc0007f00                              1 900000000
sleeper                                 1     1000
Function                            Count Time    
----------------------------------- ----- --------
0xc0007f00                              1 900000000
E
err note

begin 'kd: a raw log that is cut'
run sh -c "head -c 1200 '$DATA/raw32le.raw' | kd -n 1 -f Fc -"
status 1
err 'kd: standard input: raw log 1: truncated: the end is missing at byte 1200'

begin 'addr2sym: a raw log that is cut'
run sh -c "head -c 1200 '$DATA/raw32le.raw' | addr2sym -m '$tmp/raw.map' | tail -n 1"
err 'addr2sym: standard input: raw log 1: truncated: the end is missing at byte 1200'

# altered BYTE VALUE FILE: prints FILE with the value of a byte, in octal, changed.
altered() {
	head -c "$1" "$3"
	printf "\\$2"
	tail -c "+$(($1 + 2))" "$3"
}

begin 'kd, addr2sym: rows of a part with a wrong checksum are left out, the others are shown'
altered 1600 377 "$DATA/raw64le.raw" >"$tmp/bad.raw"
run kd -n 0 -f F "$tmp/bad.raw"
err 'raw log 1: wrong checksum: a part is left out, at byte 1504; parts left out: 1, rows: 8'
run sh -c "addr2sym -m '$tmp/raw.map' '$DATA/raw64le.raw' >'$tmp/all.txt' 2>/dev/null
	addr2sym -m '$tmp/raw.map' '$tmp/bad.raw' >'$tmp/bad.txt'; status=\$?
	diff '$tmp/all.txt' '$tmp/bad.txt' | grep -c '^< *[0-9]'; exit \$status"
status 1
out <<'E'
8
E
err 'parts left out: 1, rows: 8'
run sh -c "tail -n 1 '$tmp/bad.txt'; kd '$tmp/bad.txt' >/dev/null"
status 1
out <<'E'
# check damaged: raw log 1: wrong checksum: a part is left out, at byte 1504; parts left out: 1, rows: 8
E
err 'bad.txt: made from a damaged log: raw log 1: wrong checksum: a part is left out, at byte 1504; parts'

begin 'kd: a raw log without its header, which has another kind'
altered 64 6 "$DATA/raw64le.raw" >"$tmp/bad.raw"
run kd "$tmp/bad.raw"
status 2
err 'the header is damaged: raw log 1: wrong checksum: a part is left out, at byte 72'

# Byte and value: the kind of the end; its number of rows; the length of the last chunk, a little and much too large.
for change in '1864 7' '1872 7' '1501 2' '1502 1' '1503 377'; do
	begin "kd: the log behind one whose byte $change"
	# shellcheck disable=SC2086 # two words
	{ altered $change "$DATA/raw64le.raw"; cat "$DATA/raw32be.raw"; } >"$tmp/two.raw"
	run sh -c "kd -R 2 -n 2 -f Fct '$tmp/two.raw' >'$tmp/two.kd'; status=\$?
		kd -n 2 -f Fct '$DATA/raw32be.raw' 2>/dev/null | diff - '$tmp/two.kd' && exit \$status"
	status 1
	err 'two.raw: raw log 1: '
done

begin 'kd: the log behind one that was cut off in its checksum'
{ head -c 1885 "$DATA/raw64le.raw"; cat "$DATA/raw32be.raw"; } >"$tmp/two.raw"
run sh -c "kd -R 2 -n 1 -f F '$tmp/two.raw' | tail -n 1 | tr -d ' '"
out <<'E'
0xc0007f00
E
err 'two.raw: raw log 1: truncated: the end is missing at byte 1885'

begin 'kd: the log behind one that was cut off in its header'
{ head -c 300 "$DATA/raw64le.raw"; cat "$DATA/raw32be.raw"; } >"$tmp/two.raw"
run sh -c "kd -n 1 -f F '$tmp/two.raw' >'$tmp/two.kd'; status=\$?; tail -n 1 '$tmp/two.kd' | tr -d ' '; exit \$status"
status 1
out <<'E'
0xc0007f00
E
err 'two.raw: raw log 1: truncated: the end is missing at byte 300'

begin 'kd: the log behind one whose header seems to reach into it'
{ altered 69 13 "$DATA/raw64le.raw"; cat "$DATA/raw32be.raw"; } >"$tmp/two.raw"
run sh -c "kd -n 1 -f F '$tmp/two.raw' | tail -n 1 | tr -d ' '"
out <<'E'
0xc0007f00
E
err 'two.raw: raw log 1: truncated: the end is missing at byte 1888'

begin 'kd: a log behind a stream whose reader has stopped'
cat "$DATA/pipe_cut.raw" "$DATA/raw32be.raw" >"$tmp/two.raw"
run sh -c "kd -R 2 -n 1 -f F '$tmp/two.raw' >'$tmp/two.kd'; status=\$?; tail -n 1 '$tmp/two.kd' | tr -d ' '; exit \$status"
out <<'E'
0xc0007f00
E
err note

begin 'kd: the header and a part have wrong checksums'
altered 453 154 "$DATA/raw64le.raw" >"$tmp/part.raw"
altered 1600 377 "$tmp/part.raw" >"$tmp/bad.raw"
run kd -n 0 "$tmp/bad.raw"
status 1
err 'raw log 1: wrong checksum: the header may say what is not true, at byte 72; parts left out: 1, rows: 8'

begin 'addr2sym: the listing of a damaged log keeps the reason as it is'
run sh -c "addr2sym -m '$tmp/raw.map' '$tmp/bad.txt' 2>/dev/null | tail -n 1"
out <<'E'
# check damaged: raw log 1: wrong checksum: a part is left out, at byte 1504; parts left out: 1, rows: 8
E

begin 'kd: the second raw log has a fault'
{ cat "$DATA/raw32be.raw"; altered 1600 377 "$DATA/raw64le.raw"; } >"$tmp/two.raw"
run sh -c "kd -n 1 -f F '$tmp/two.raw' >/dev/null"
status 1
err 'two.raw: raw log 2: wrong checksum: a part is left out, at byte '

begin 'kd: a part that becomes a text does not replace the header'
altered 864 2 "$DATA/raw64le.raw" >"$tmp/bad.raw"
run sh -c "addr2sym -m '$tmp/raw.map' '$tmp/bad.raw' 2>/dev/null | grep -c -e '^Clock = mct' -e '^Log format'; kd -n 1 '$tmp/bad.raw' >/dev/null"
status 1
out <<'E'
2
E
err 'bad.raw: raw log 1: wrong checksum: a part is left out, at byte '

begin 'kd: the listing of a raw log whose log format is damaged'
altered 453 154 "$DATA/raw64le.raw" >"$tmp/bad.raw"
run sh -c "addr2sym -m '$tmp/raw64.map' '$tmp/bad.raw' 2>/dev/null | sed '\$i ....' | kd -n 1 - >/dev/null"
status 1
err 'standard input: made from a damaged log: raw log 1: wrong checksum: the header may say'

begin 'kd: a profile whose functions seem to reach beyond the file'
altered 2790 1 "$DATA/profile.raw" >"$tmp/bad.raw"
run bash -c "kd -n 999 -f F '$tmp/bad.raw' >'$tmp/bad.kd'; status=\$?
	kd -n 999 -f F '$DATA/profile.raw' 2>/dev/null >'$tmp/profile.kd'
	wc -l <'$tmp/bad.kd'; comm -23 <(sort '$tmp/bad.kd') <(sort '$tmp/profile.kd'); exit \$status"
status 1
out <<'E'
32
E
err 'bad.raw: raw log 1: truncated: the end is missing at byte '

begin 'kd: several raw logs are runs of a file'
run sh -c "cat '$DATA/raw32le.raw' '$DATA/raw64be.raw' | kd -R 2 -n 1 -s l -f Fl -"
out <<'E'
Function                            Local   
----------------------------------- --------
0xffffffff80ffff00                  899000000
E
err note

begin 'addr2sym: all raw logs of a file, each for its own machine'
run sh -c "cat '$DATA/raw32le.raw' '$DATA/raw32be.raw' | addr2sym -m '$tmp/raw.map' 2>/dev/null | grep -c ' sleeper  '"
out <<'E'
2
E

begin 'kd: a raw log and something else behind it'
run sh -c "{ cat '$DATA/raw32le.raw'; echo hello; } | kd -n 0 -f F -"
status 1
err 'kd: standard input: unknown data follows the raw log'

begin 'kd: the raw log ends in its header'
run sh -c "head -c 40 '$DATA/raw32le.raw' | kd -"
status 2
err 'kd: standard input: the raw log ends in its header'

begin 'kd --boot: what the clock of a raw log said at start_kernel'
run sh -c "
	sed 's/Logging stopped at 700000000 usec by log full/Clock at start_kernel = 000000000041666666 ns/' \
		'$DATA/raw32le.raw' >'$tmp/clock.raw'
	kd --boot --csv --map '$tmp/raw.map' '$tmp/clock.raw' 2>/dev/null | grep '^before'"
out <<'E'
before,,41666666,,,,,,,,,,,,(before the kernel: what the clock said),,,
E
