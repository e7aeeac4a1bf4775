# SPDX-License-Identifier: GPL-2.0
# Streams of /proc/kfi_pipe: tests/data/pipe.raw, and pipe_cut.raw, whose reader has stopped. Both
# are written by tests/host/test_stream.c.
cat >"$tmp/pipe.map" <<'E'
ffffffff81000000 T _text
ffffffff81000100 T start_kernel
ffffffff81000180 t outer
ffffffff81000200 t leaf
E

begin "kd --follow: rows in order of exit, losses where they were, a table at the end"
run kd --follow --map "$tmp/pipe.map" "$DATA/pipe.raw"
out <<'E'
 Exit       Duration   Local       Pid   Cpu Ctx Function
---------- ---------- ---------- ------- --- --- --------
       200        100        100       1   0   t     leaf
       300        100        100       2   1   t leaf
       400        300        200       1   0   t   outer
# calls overwritten before they could be read: 3
      2100        100        100       2   1   t   leaf
      3000       2950       2850       2   1   t outer
# calls overwritten before they could be read: 1
      4020          ?          ?       1   0   t # switch 2 worker
      4100        100        100       1   0   t   [late]+0x40
         ?          ?          ?       1   0   t start_kernel  # open

Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
outer                                   2     3250     1625     3050
leaf                                    3      300      100      300
[late]+0x40                             1      100      100      100
start_kernel                            1        ?        ?        ?
E
err "calls were overwritten before /proc/kfi_pipe was read: 4: raise logentries or mintime"

begin "kd --follow: a reader that has stopped"
run kd --follow -K --func leaf --map "$tmp/pipe.map" - <"$DATA/pipe_cut.raw"
out <<'E'
 Exit       Duration   Local       Pid   Cpu Ctx Function
---------- ---------- ---------- ------- --- --- --------
       200        100        100       1   0   t     leaf
       300        100        100       2   1   t leaf
# calls overwritten before they could be read: 3
      2100        100        100       2   1   t   leaf

Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
leaf                                    3      300      100      300
E
err "the run continues: times and counts are those until now"
err "calls overwritten before they could be read: 3"

begin "kd --follow: filters, and a table of its own"
run kd --follow --cpu 0 -t 200 -n 1 -s c --map "$tmp/pipe.map" "$DATA/pipe.raw"
out <<'E'
 Exit       Duration   Local       Pid   Cpu Ctx Function
---------- ---------- ---------- ------- --- --- --------
       400        300        200       1   0   t   outer
# calls overwritten before they could be read: 3
# calls overwritten before they could be read: 1

Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
outer                                   1      300      300      200
E
err "note"

begin "kd --follow: the table in the order of columns that it does not show"
run sh -c "for s in b +p M; do kd --follow -s \$s '$DATA/pipe.raw' 2>/dev/null | sed '1,/^Function/d; /^-/d; s/ .*//' | tr '\\n' ' '; echo; done"
out <<'E'
0xffffffff81100040 0xffffffff81000200 0xffffffff81000180 0xffffffff81000100 
0xffffffff81100040 0xffffffff81000200 0xffffffff81000180 0xffffffff81000100 
0xffffffff81000180 0xffffffff81000200 0xffffffff81100040 0xffffffff81000100 
E

begin "kd --follow: callers are not known, so the table cannot be sorted by them"
run kd --follow -s C "$DATA/pipe.raw"
status 2
err 'kd: --follow does not know callers: leave out -s C'

begin "kd --follow: for programs"
run_csv kd --follow --csv --pid 1 --map "$tmp/pipe.map" "$DATA/pipe.raw"
out <<'E'
exit_ns,duration_ns,local_ns,pid,cpu,ctx,depth,function,mark,unsure
200000,100000,100000,1,0,t,2,leaf,,
400000,300000,200000,1,0,t,1,outer,,
,,,,,,,,lost 3,
,,,,,,,,lost 1,
4020833,,,1,0,t,0,,switch 2 worker,
4100000,100000,100000,1,0,t,1,[late]+0x40,,
,,,1,0,t,0,start_kernel,open,
E
err "note"

begin "kd --follow: for programs, losses are rows where they were"
run sh -c 'kd --follow --csv --func leaf --map "$1" "$2" 2>/dev/null | sed "/^# [^l]/d; /^# log:/d"
	kd --follow --json --map "$1" "$2" 2>/dev/null | grep -o -e "\"mark\":\"lost.*\"" -e "\"lost\":[0-9]*"' \
	sh "$tmp/pipe.map" "$DATA/pipe.raw"
out <<'E'
exit_ns,duration_ns,local_ns,pid,cpu,ctx,depth,function,mark,unsure
200000,100000,100000,1,0,t,2,leaf,,
300000,100000,100000,2,1,t,0,leaf,,
,,,,,,,,lost 3,
2100000,100000,100000,2,1,t,1,leaf,,
,,,,,,,,lost 1,
"mark":"lost 3"
"mark":"lost 1"
"lost":4
E

begin "kd --follow: compressed on the way"
gzip -c "$DATA/pipe.raw" >"$tmp/pipe.raw.gz"
run kd --follow --func start_kernel --map "$tmp/pipe.map" - <"$tmp/pipe.raw.gz"
out_has '         ?          ?          ?       1   0   t start_kernel  # open'
err "note"

begin "kd --follow: the line breaks"
head -c 700 "$DATA/pipe.raw" >"$tmp/broken.raw"
run kd --follow "$tmp/broken.raw"
status 2
out ''
err "the raw log has no header"

begin "kd --follow: the line breaks in the records"
head -c 1000 "$DATA/pipe.raw" >"$tmp/broken.raw"
run kd --follow "$tmp/broken.raw"
status 1
err "raw log 1: truncated: the end is missing"

begin "kd --follow: a damaged step above a text makes no row"
{ head -c 1024 "$DATA/pipe.raw"; printf '\007'; tail -c +1026 "$DATA/pipe.raw"; } >"$tmp/broken.raw"
run sh -c "kd --follow -K '$tmp/broken.raw' | sed '/^Function/,\$d' | grep -c 0xffffffff"
out <<'E'
7
E
err "raw log 1: wrong checksum: a part is left out, at byte 1032"

begin "kd --follow: a text"
run kd --follow "$DATA/format3.log"
status 2
err "format3.log: not a raw log: only what comes from /proc/kfi_pipe can be followed"

begin "kd --follow: nothing"
run kd --follow - </dev/null
status 2
err "standard input: not a KFI log: it is empty"

begin "kd --follow: Ctrl-C ends it with the table, though the input goes on"
mkfifo "$tmp/fifo"
run sh -c '{ cat "$3"; exec sleep 100; } >"$2" & writer=$!
	kd --follow --func leaf --map "$1" "$2" >"$4" & kd=$!
	n=0; until grep -q 2100 "$4" || [ $n = 200 ]; do sleep 0.1; n=$((n + 1)); done
	[ $n -lt 200 ] || echo "no row for 20 s"
	kill -INT $kd; wait $kd; status=$?; cat "$4"; kill $writer; exit $status' sh "$tmp/pipe.map" \
	"$tmp/fifo" "$DATA/pipe_cut.raw" "$tmp/followed"
out <<'E'
 Exit       Duration   Local       Pid   Cpu Ctx Function
---------- ---------- ---------- ------- --- --- --------
       200        100        100       1   0   t     leaf
       300        100        100       2   1   t leaf
# calls overwritten before they could be read: 3
      2100        100        100       2   1   t   leaf

Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
leaf                                    3      300      100      300
E
err "the run continues: times and counts are those until now"

begin "kd: a stream is a raw log"
run kd --map "$tmp/pipe.map" "$DATA/pipe.raw"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
outer                                   2     3250     1625     3050
leaf                                    3      300      100      300
[late]+0x40                             1      100      100      100
start_kernel                            1        ?        ?        ?
E
err "calls were overwritten before /proc/kfi_pipe was read: 4"

begin "kd: a stream whose reader has stopped is whole until then"
run kd --map "$tmp/pipe.map" "$DATA/pipe_cut.raw"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
outer                                   2     3250     1625     3050
leaf                                    3      300      100      300
E
err "the run had not stopped when the log was read"
err "calls overwritten before they could be read: 3"

begin "addr2sym: a stream becomes text in order of entry"
run addr2sym -m "$tmp/pipe.map" "$DATA/pipe.raw"
out_has 'Read while running = yes'
out_has '      50     2950        2 outer                            outer+0x10                              50000      2950000      2850000   1     1   t       2 -                         0            0'

begin "kfi-capture: a stream is copied as it is"
run sh -c 'cat "$2" | kfi-capture -o "$1" && cmp "$1" "$2"' sh "$tmp/copy.raw" "$DATA/pipe.raw"
out </dev/null
err "copy.raw: 3128 bytes, 7 calls"
err "kfi-capture: calls overwritten before they could be read: 4"

begin "kfi-capture: a stream that comes byte by byte"
run sh -c 'dd bs=1 if="$2" 2>/dev/null | kfi-capture -o "$1" && cmp "$1" "$2"' sh "$tmp/copy.raw" "$DATA/pipe_cut.raw"
out </dev/null
err "copy.raw: 1064 bytes, 5 calls; the session goes on"
err "read: 3"

begin "kfi-capture: a stream that is cut anywhere"
run sh -c 'head -c 900 "$2" | kfi-capture -o "$1"' sh "$tmp/copy.raw" "$DATA/pipe.raw"
status 1
err "copy.raw: 900 bytes, 2 calls; the session goes on"
err "copy.raw: raw log 1: truncated: the end is missing at byte 900"

begin "kfi-capture: Ctrl-C ends a stream, and keeps what has come"
run sh -c '{ cat "$2"; exec sleep 100; } >"$3" & writer=$!
	kfi-capture -d "$3" -o "$1" & capture=$!
	n=0; until cmp -s "$1" "$2" || [ $n = 200 ]; do sleep 0.1; n=$((n + 1)); done
	kill -INT $capture; wait $capture; status=$?; kill $writer; cmp "$1" "$2"; exit $status' sh \
	"$tmp/kept.raw" "$DATA/pipe_cut.raw" "$tmp/fifo"
out </dev/null
err "kept.raw: 1064 bytes, 5 calls; the session goes on"
err "read: 3"

begin "kfi-capture: a stream that cannot be written"
run sh -c 'kfi-capture -o /dev/full <"$1"' sh "$DATA/pipe.raw"
status 2
err "kfi-capture: /dev/full: No space left on device"

begin "kfi-capture: a raw log over a terminal"
needs_command socat
run sh -c 'socat "PTY,link=$2,rawer" "SYSTEM:sleep 1; cat $3; sleep 5" & server=$!
	n=0; until [ -e "$2" ] || [ $n = 200 ]; do sleep 0.1; n=$((n + 1)); done
	timeout 30 kfi-capture -d "$2" -o "$1"; status=$?; kill $server; exit $status' sh "$tmp/tty.raw" "$tmp/tty" "$DATA/pipe.raw"
status 2
err "tty: a raw log came, which a console may change: use cat /proc/kfi_serial there"

begin "kfi-capture: a raw log that would be written over itself"
run sh -c 'cp "$2" "$1"; kfi-capture -d "$1" -o "$1"; status=$?; cmp "$1" "$2"; exit $status' sh "$tmp/same.raw" "$DATA/pipe.raw"
status 2
out </dev/null
err "same.raw: the input and the output are one file"

begin "kfi-capture: a raw log and --console"
run sh -c 'kfi-capture -c "$1.txt" -o "$1" <"$2"' sh "$tmp/copy.raw" "$DATA/pipe.raw"
status 2
err "a raw log came: --console is for what a console shows"

begin "kfi-capture: a profile, and several logs"
run sh -c 'kfi-capture -o "$1" <"$2"; cat "$3" "$4" | kfi-capture -o "$1"' sh "$tmp/copy.raw" "$DATA/profile.raw" \
	"$DATA/raw64le.raw" "$DATA/pipe.raw"
err "copy.raw: 4840 bytes, 185 calls"
err "copy.raw: 5016 bytes, 18 calls"

begin "kfi-capture: a stream that says nothing"
run sh -c '{ cat "$2"; sleep 3; } | kfi-capture -w 1 -o "$1" && cmp "$1" "$2"' sh "$tmp/copy.raw" "$DATA/pipe_cut.raw"
out </dev/null
err "the board has said nothing for 1 s"
err "copy.raw: 1064 bytes, 5 calls; the session goes on"
err "read: 3"
