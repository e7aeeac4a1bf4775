# SPDX-License-Identifier: GPL-2.0
# Compressed input: gzip, xz, zstd; from files and pipes; whole, cut, damaged, several in one.
MAP=$DATA/samples.map

for z in gz xz zst; do
P=$DATA/format3.log.$z

begin "addr2sym: a log compressed as $z"
run addr2sym -m "$MAP" "$P"
out <"$DATA/format3.lst"

begin "addr2sym: the same from a pipe, a byte at a time"
run sh -c "dd if='$P' bs=1 2>/dev/null | addr2sym -m '$MAP'"
out <"$DATA/format3.lst"

begin "addr2sym: two of them in one file"
run sh -c "cat '$P' '$P' | addr2sym -m '$MAP'"
out <<E
$(cat "$DATA/format3.lst" "$DATA/format3.lst")
E

begin "kd: a log compressed as $z"
run sh -c "kd -n 1 '$P' 2>/dev/null; kd -n 1 - <'$P' 2>/dev/null | tail -n 1"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
0xc0200300                              1     3400     3400      900
0xc0200300                              1     3400     3400      900
E

begin "addr2sym: a log compressed as $z that is cut off: what there is"
run sh -c "head -c 800 '$P' >'$tmp/cut'; addr2sym -m '$MAP' '$tmp/cut'"
status 1
err 'cut: ends behind line '
err ': the compressed data is cut off'

begin "addr2sym: a log compressed as $z, and something else behind it"
run sh -c "{ cat '$P'; echo 'and something else behind it'; } | addr2sym -m '$MAP'"
status 1
out <"$DATA/format3.lst"
err 'addr2sym: standard input: ends behind line 55: '

begin "addr2sym: a map compressed as $z that is cut off is rejected"
run sh -c "addr2sym -m '$tmp/cut' '$DATA/format3.log'"
status 2
out </dev/null
err 'cannot be unpacked: the compressed data is cut off'
done

begin 'addr2sym: a compressed map'
run sh -c "gzip -c '$MAP' >'$tmp/map.gz'; addr2sym -m '$tmp/map.gz' '$DATA/format3.log'"
out <"$DATA/format3.lst"

begin 'addr2sym: a compressed log that is damaged in the middle'
run sh -c "{ head -c 300 '$DATA/format3.log.gz'; printf 'XXXXXXXX'; tail -c +309 '$DATA/format3.log.gz'; } | addr2sym -m '$MAP' | head -n 2"
out <<'E'

Kernel Instrumentation Run ID 0
E
err 'addr2sym: standard input: ends behind line '

begin 'kd: a raw log, compressed'
run sh -c "gzip -c '$DATA/raw64le.raw' | kd -f Fct -n 1 -"
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
0xffffffff80ffff00                      1 900000000
E
err note

begin 'kd: cut off within a row, within packed data: missing rows are reported, too'
run sh -c "head -c 3000 '$DATA/format3.lst' | kd -n 0 -f F - 2>&1 | grep -o 'line left out.*'
	head -c 700 '$DATA/format3.log.gz' | kd -n 0 -f F - 2>&1 | grep -o 'the header says.*'
	sed 's/^ *7000 .*/7000 nonsense/' '$DATA/format3.lst' | kd -n 0 -f F - 2>&1 | grep -o 'line left out.*'"
out <<'E'
line left out; the header says 14 calls, 9 are there
the header says 14 calls, 5 are there
line left out
E

begin 'kd: noise of a serial line before a log that looks like the beginning of UTF-16'
run sh -c '{ printf "\\377\\376\\200x\\n"; cat "$0"; } | kd --csv - 2>/dev/null | sed "/^#/d" >"$1/noise"
	kd --csv "$0" 2>/dev/null | sed "/^#/d" | cmp - "$1/noise"; wc -l <"$1/noise"' "$DATA/format3.lst" "$tmp"
out <<'E'
14
E

begin 'kd, addr2sym: archives and encodings that are not read: the message has the command that helps'
run sh -c 'printf "BZh91AY&SY" >"$0/x.bz2"; printf "PK\\003\\004xxxx" >"$0/x.zip"; printf "7z\\274\\257\\047\\034x" >"$0/x.7z"
	printf "\\004\\042\\115\\030xxxx" >"$0/x.lz4"; printf "\\377\\376K\\000e\\000" >"$0/le"; printf "\\376\\377\\000K\\000e" >"$0/be"
	for f in x.bz2 x.zip x.7z x.lz4 le be; do kd "$0/$f"; echo $?; cat "$0/$f" | kd -; echo $?; done | uniq -c
	addr2sym "$0/x.bz2" </dev/null' "$tmp"
status 2
out <<'E'
     12 2
E
err 'x.bz2: compressed by bzip2, which is not read: convert it with bunzip2'
err 'kd: standard input: compressed by bzip2, which is not read: convert it with bunzip2'
err 'x.zip: a zip archive, which is not read: convert it with unzip'
err 'x.7z: a 7z archive, which is not read: convert it with 7z x'
err 'x.lz4: compressed by lz4, which is not read: convert it with lz4 -d'
err 'le: text in UTF-16, which is not read: convert it with iconv -f UTF-16 -t UTF-8'
err 'be: text in UTF-16, which is not read: convert it with iconv -f UTF-16 -t UTF-8'
