# SPDX-License-Identifier: GPL-2.0
# A console log with what cat /proc/kfi_serial shows, of the log in raw32le_v3.raw.
expected_tree() { kd -c "$DATA/raw32le_v3.raw" 2>/dev/null; }

begin 'kd: lines of a console, printk lines between and in one of them'
run kd -c "$DATA/serial.log"
out <<E
$(expected_tree)
E
err note

begin 'kd: the raw log of a profile, of either byte order'
run sh -c "kd '$DATA/profile_v3.raw' 2>&1 && kd '$DATA/profile_be.raw' 2>&1"
out <<E
$(kd "$DATA/profile.log" 2>&1)
$(kd "$DATA/profile.log" 2>&1)
E

begin 'addr2sym: the text that the raw log of a profile stands for'
run sh -c "addr2sym -m '$DATA/samples.map' '$DATA/profile_v3.raw' 2>/dev/null >'$tmp/made'
	kd '$tmp/made' >/dev/null && sed '/^# check 60 /d' '$tmp/made'"
out <<E
$(addr2sym -m "$DATA/samples.map" "$DATA/profile.log" 2>/dev/null)
E
err

begin 'kd: a function of a profile that makes no sense is reported, and left out'
head -c 1000 "$DATA/profile_v3.raw" >"$tmp/bad.raw"
printf '\377\377\377\377\377\377\377\377' >>"$tmp/bad.raw"
tail -c +1009 "$DATA/profile_v3.raw" >>"$tmp/bad.raw"
run kd "$tmp/bad.raw"
status 1
err 'raw log 1: a damaged function of a profile at byte '
out <<E
$(kd "$DATA/profile.log" 2>/dev/null | grep -v 0xc01001c0)
E

begin 'kd: a profile that is cut off'
head -c 3000 "$DATA/profile_v3.raw" >"$tmp/cut.raw"
run kd "$tmp/cut.raw"
status 1
err 'truncated: the end is missing'

begin 'kd: the same from a pipe'
run kd -c - <"$DATA/serial.log"
out <<E
$(expected_tree)
E
err note

begin 'addr2sym: the text that they stand for, behind the text of others'
run addr2sym -m "$DATA/samples.map" "$DATA/serial.log"
status 1
out <<E
$(sed 3q "$DATA/serial.log"; addr2sym -m "$DATA/samples.map" "$DATA/raw32le_v3.raw" 2>/dev/null)
E
err 'wrong symbols'

begin 'kd: a line that is missing is reported, the others are kept'
sed 12d "$DATA/serial.log" >"$tmp/lost.log"
run kd -c "$tmp/lost.log"
status 1
err 'lost.log: 1 of 6 lines are missing: 4'

begin 'kd: a damaged line is reported as missing'
sed '12s/^~../~!!/' "$DATA/serial.log" >"$tmp/bad.log"
run kd -c "$tmp/bad.log"
status 1
err 'bad.log: 1 of 6 lines are missing: 4'

begin 'kd: a header that is lost in part'
sed 6d "$DATA/serial.log" >"$tmp/text.log"
run kd -c "$tmp/text.log"
status 1
err 'text.log: 1 of 6 lines are missing: 1'

begin 'kd: a header whose end is lost'
sed 7,9d "$DATA/serial.log" >"$tmp/text.log"
run kd -c "$tmp/text.log"
status 1
err 'text.log: 1 of 6 lines are missing: 2'

begin 'kfi-capture: the raw log, byte for byte, and text of others'
run kfi-capture -d "$DATA/serial.log" -c "$tmp/con.log" -o "$tmp/out.raw"
err 'out.raw: 1832 bytes of 6 lines, whole; 1482 bytes came in 0.0 s'

begin 'kfi-capture: what it has written'
run sh -c "cmp '$tmp/out.raw' '$DATA/raw32le_v3.raw' && kd -c '$tmp/con.log'"
out <<E
$(expected_tree)
E
err note

begin 'kfi-capture: a file with two logs is read to its end'
# More than is read at once.
{ cat "$DATA/serial.log"; yes 'what the kernel prints' | head -9000; cat "$DATA/profile_serial.log"; } >"$tmp/two.log"
run sh -c "kfi-capture -d '$tmp/two.log' -o '$tmp/two.raw' >/dev/null && cat '$DATA/raw32le_v3.raw' '$DATA/profile_v3.raw' | cmp - '$tmp/two.raw'"
err 'whole'

begin 'kfi-capture: a console log that cannot be written, of a log that is whole and of none'
run sh -c "kfi-capture -n -o '$tmp/out.raw' -c /dev/full <'$DATA/serial.log' >/dev/null; echo \$?
	cmp '$tmp/out.raw' '$DATA/raw32le_v3.raw'; echo text | kfi-capture -n -o '$tmp/none.raw' -c /dev/full >/dev/null"
status 2
out <<'E'
2
E
err 'kfi-capture: /dev/full: No space left on device'
err 'kfi-capture: no lines of /proc/kfi_serial came'

begin 'kfi-capture: text that standard output cannot take is reported, and the log is whole'
run sh -c "kfi-capture -n -o '$tmp/out.raw' <'$DATA/serial.log' >/dev/full; echo \$?
	cmp '$tmp/out.raw' '$DATA/raw32le_v3.raw'"
out <<'E'
2
E
err 'whole'
err 'kfi-capture: standard output: No space left on device'

begin 'kfi-capture: a reader of standard output that ends does not matter'
run sh -c "{
		until [ -e '$tmp/closed' ]; do sleep 0.1; done
		kfi-capture -n -o '$tmp/out.raw' <'$DATA/serial.log'; echo \"status \$?\" >&2
	} | { exec <&-; : >'$tmp/closed'; }
	cmp '$tmp/out.raw' '$DATA/raw32le_v3.raw'"
err 'whole'
err 'status 0'

begin 'kfi-capture: an output that is the input, by its name, a link, and as standard input'
cp "$DATA/serial.log" "$tmp/same.log"
ln -s same.log "$tmp/link.log"
run sh -c "for o in '-d $tmp/same.log -o $tmp/same.log' '-d $tmp/same.log -o $tmp/link.log' '-o $tmp/same.log' \\
		'-d $tmp/same.log -o $tmp/new.raw -c $tmp/link.log' '-o $tmp/new.raw -c $tmp/same.log' \\
		'-d tcp:localhost:1 -m $tmp/same.log -o $tmp/same.log'; do
		kfi-capture -n \$o <'$tmp/same.log' || echo \$?
	done; cmp '$tmp/same.log' '$DATA/serial.log'; ls '$tmp/new.raw'"
status 2
out <<'E'
2
2
2
2
2
2
E
err 'kfi-capture: '"$tmp/same.log: the input and the output are one file"
err 'kfi-capture: '"$tmp/link.log: the input and the output are one file"
err 'kfi-capture: '"$tmp/link.log: the input and the console log are one file"
err 'kfi-capture: '"$tmp/same.log: the input and the console log are one file"
err 'new.raw'

begin 'kfi-capture: one file for the log and the console, of which there is none yet'
run sh -c "cd '$tmp'; kfi-capture -n -d '$DATA/serial.log' -o new.raw -c ./new.raw; echo \$?; ls new.raw"
status 2
out <<'E'
2
E
err 'kfi-capture: new.raw: the output and the console log are one file'
err 'new.raw'

begin 'kfi-capture: nothing is overwritten in /dev/null'
run sh -c "kfi-capture -n -d '$DATA/serial.log' -o /dev/null -c /dev/null >/dev/null"
err '/dev/null: 1832 bytes of 6 lines, whole'

begin 'kfi-capture: the same from standard input'
run sh -c "kfi-capture -o '$tmp/two.raw' <'$tmp/two.log' >/dev/null && cat '$DATA/raw32le_v3.raw' '$DATA/profile_v3.raw' | cmp - '$tmp/two.raw'"
err 'whole'

begin 'kfi-capture: a pipe ends with the first log'
run sh -c "cat '$tmp/two.log' | kfi-capture -o '$tmp/one.raw' >/dev/null && cmp '$tmp/one.raw' '$DATA/raw32le_v3.raw'"
err 'whole'

begin 'kfi-capture: no escape sequence of a board reaches the terminal'
run sh -c "{ printf 'a\033[2Jb\r\n'; cat '$DATA/serial.log'; } | kfi-capture -o '$tmp/out.raw' | sed -n '1s/^[^]]*] //p'"
out <<E
a?[2Jb
E
err whole

begin 'kfi-capture: lines that are missing, and what to type'
sed 12d "$DATA/serial.log" >"$tmp/lost.log"
run kfi-capture -d "$tmp/lost.log" -o "$tmp/out.raw"
status 1
err 'out.raw: 1 of 6 lines are missing: 4'

begin 'kfi-capture: no lines'
run kfi-capture -d /dev/null -o "$tmp/none.raw"
status 2
err 'no lines of /proc/kfi_serial came'

begin 'kfi-capture: a device that there is not'
run sh -c 'kfi-capture -d "$0/missing" -o "$0/none.raw"; echo $?; ls "$0/none.raw"' "$tmp"
out <<'E'
2
E
status 2
err '/missing: No such file or directory'
err "cannot access '$tmp/none.raw'"

begin 'kfi-capture: a configuration that cannot be unpacked'
{ printf 'begin\nfilter mintime 500\nend\n' | gzip; echo more; } >"$tmp/conf.gz"
run kfi-capture --run "$tmp/conf.gz" -n -o "$tmp/none.raw" /dev/null
status 2
err 'conf.gz: cannot be unpacked: '

begin 'kfi-capture: where to'
run kfi-capture -d "$tmp/lost.log"
status 2
err 'give -o FILE'

begin 'kd: without the first line nothing can be made of the others'
sed 4,5d "$DATA/serial.log" >"$tmp/head.log"
run kd "$tmp/head.log"
status 2
err 'the first line of the log is missing: 5 lines cannot be read, 1 of 6 lines are missing: 0'

begin 'kd: a text log behind what looks like lines, and is none'
{ printf '~/bin/something_like_this|\r\n~0123456789012345678901|\n'; cat "$DATA/format3.log"; } >"$tmp/alike.log"
run sh -c "kd --map '$DATA/samples.map' -c -l -i '$tmp/alike.log'"
out <<E
$(kd -c -l -i "$DATA/format3.lst" 2>/dev/null)
E
err note

begin 'kd: a text log behind the lines is another run'
{ cat "$DATA/serial.log"; echo '12 monkeys'; cat "$DATA/format3.log"; } >"$tmp/both.log"
run sh -c "kd -c '$tmp/both.log'; kd -n 1 -R 2 -f Ftlpwi --map '$DATA/samples.map' '$tmp/both.log' 2>/dev/null; cat '$tmp/both.log' | kd -c -R 2 - 2>/dev/null"
out <<E
$(expected_tree)
$(kd -n 1 -f Ftlpwi --map "$DATA/samples.map" "$DATA/format3.log" 2>/dev/null)
$(kd -c "$DATA/format3.log" 2>/dev/null)
E
err 'kd: note: the log has 2 runs, the first is shown: -R NUM shows another'
err 'kd: note: run 1: ID 0, 11 calls'
err 'kd: note: run 2: ID 0, 14 calls'

begin 'kd: a text log among the lines, which is damaged'
awk -v text="$DATA/format3.log" '{ print } /^~P/ && !done++ { while ((getline line < text) > 0) {
	print (line ~ /^ *2100/ ? "nonsense" : line) } }' "$DATA/serial.log" >"$tmp/among.log"
run kd -c "$tmp/among.log"
status 1
out <<E
$(expected_tree)
E
err "among.log:$(grep -n '^nonsense' "$tmp/among.log" | cut -d: -f1): not a call: \"nonsense\""
err note

begin 'kd: lines behind a text log are another run'
{ cat "$DATA/format3.log"; echo 'done'; cat "$DATA/serial.log" "$DATA/format3.lst"; } >"$tmp/behind.log"
run sh -c "kd -c '$tmp/behind.log'; kd -c -R 2 '$tmp/behind.log' 2>/dev/null; cat '$tmp/behind.log' | kd -c -R 3 - 2>/dev/null"
out <<E
$(kd -c "$DATA/format3.log" 2>/dev/null)
$(expected_tree)
$(kd -c "$DATA/format3.lst" 2>/dev/null)
E
err 'kd: note: the log has 3 runs, the first is shown: -R NUM shows another'
err 'kd: note: run 1: ID 0, 14 calls'
err 'kd: note: run 2: ID 0, 11 calls'
err 'kd: note: run 3: ID 0, 14 calls'

begin 'kd: lines behind a text log that make no log'
{ cat "$DATA/format3.log"; grep -n '' "$DATA/serial.log" | sed -n 's/^[0-9]*:\(~P.*\)/\1/p'; } >"$tmp/nolog.log"
run sh -c "kd -n 0 -f F '$tmp/nolog.log' >/dev/null"
status 1
err 'nolog.log:'
err 'not a call: "~'
err note

begin 'addr2sym: a text log behind the lines is not read, and reported'
run sh -c "addr2sym -m '$DATA/samples.map' '$tmp/both.log' >/dev/null"
status 1
err 'both.log: has a text log, too, which is left out'
err addr2sym

begin 'kd: a long text log from a pipe, behind what looks like a line'
{ cat "$tmp/alike.log"; yes '# what follows the calls' | head -60000; } >"$tmp/long.log"
run sh -c "cat '$tmp/long.log' | kd --map '$DATA/samples.map' -c -l -i -"
out <<E
$(kd -c -l -i "$DATA/format3.lst" 2>/dev/null)
E
err note

begin 'addr2sym: the same'
addr2sym -m "$DATA/samples.map" "$tmp/long.log" >"$tmp/long.lst" 2>/dev/null
run sh -c "cat '$tmp/long.log' | addr2sym -m '$DATA/samples.map' - | cmp - '$tmp/long.lst' && test -s '$tmp/long.lst'"
out </dev/null
