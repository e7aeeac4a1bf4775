# SPDX-License-Identifier: GPL-2.0
# Check lines: what is lost or changed on a serial line is found, whatever it is.
LOG=$DATA/format4.log
MAP=$DATA/format3.map
unset PAGER NO_COLOR LESS

begin 'kd: check lines that agree'
run kd -n 0 -f F "$LOG"
out <<'E'
Function                           
-----------------------------------
E
err note

# Each digit, one at a time: it is taken away from each third row or mark, and from the check lines, or,
# with header=1, it is changed in the header, but not in the Run ID, nor in functions that addr2sym names.
cat >"$tmp/alter" <<'E'
# The last column of a line whose digits are altered; 0: there is none.
function last_column(text, i, at) {
	if (!header)
		return i % 3 && text !~ /check/ ? 0 : length(text)
	at = index(text, " function ")
	return text !~ / = |^Logging / ? 0 : at ? at : length(text)
}
{ line[NR] = $0 }
/^---/ { rule = NR }
END {
	for (i = header ? 1 : rule + 1; i <= (header ? rule - 1 : NR); i++) {
		last = last_column(line[i], i)
		for (c = 1; c <= last; c++) {
			digit = substr(line[i], c, 1)
			if (digit !~ /[0-9]/)
				continue
			new = header ? (digit + 1) % 10 : ""
			out = tmp "." ++n
			for (k = 1; k <= NR; k++)
				print (k == i ? substr(line[i], 1, c - 1) new substr(line[i], c + 1) : line[k]) >out
			close(out)
		}
	}
	print n
}
E
# alter LOG HEADER N: kd finds each of more than N such changes.
alter() {
	run env PATH="$KFI_FAST_TOOLS:$PATH" sh -c "n=\$(awk -v tmp='$tmp/digit' -v header=$2 -f '$tmp/alter' '$1')
		[ \$n -gt $3 ] || echo only \$n
		for log in '$tmp'/digit.*; do
			kd -n 0 \"\$log\" >/dev/null 2>&1
			[ \$? = 1 ] || diff '$1' \"\$log\"
			rm \"\$log\"
		done"
	out </dev/null
}
begin 'kd: no digit can be lost unseen'
alter "$LOG" 0 240

begin 'kd: a row is missing: where'
run sh -c "sed '/0xc0100400 /d' '$LOG' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete: lines 53 to 60 do not agree with their check line; 1 such place; the header says 14 calls, 13 are there'

begin 'kd: a check line is missing'
run sh -c "sed '/^# check 8 5b/d' '$LOG' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete: lines 44 to 60'

begin 'kd: the last check line is missing'
run sh -c "sed '\$s/check/chuck/; s/ 50500 / 20500 /2' '$LOG' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete: the last 8 lines have no check line'

begin 'kd, addr2sym: a header that agrees with its check line'
run sh -c "kd -n 0 -f F '$DATA/format6.log'; sed 's/\$/\r/; s/^\(Calls\|Clock\)/  &/' '$DATA/format6.log' | kd -n 0 -f F -
	addr2sym -m '$MAP' '$DATA/format6.log' | kd -n 0 -f F -"
out <<'E'
Function                           
-----------------------------------
Function                           
-----------------------------------
Function                           
-----------------------------------
E
err note

begin 'kd: no digit of a header can change unseen'
alter "$DATA/format6.log" 1 80

begin 'kd: the check line of a header is missing, or was never there'
run sh -c "sed '/^Header check/d' '$DATA/format6.log' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete: a header does not agree with its check line, so counters may be wrong'

begin 'kd: the format in the header is damaged'
run sh -c "sed 's/^Log format = 4/Log format = 3/; s/ 900000 / 100000 /' '$LOG' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete: lines 44 to 52'

begin 'kd: dots where rows were left out by hand'
run sh -c "sed 's/^.*0xc0100400 .*/.../' '$LOG' | kd -n 0 -f F -"
out <<'E'
Function                           
-----------------------------------
E
err 'the log has gaps'

begin 'addr2sym: check lines say that addresses are gone'
run sh -c "addr2sym -m '$MAP' '$LOG' | grep check"
out <<'E'
# check 8 5b82d39f 4516cced names
# check 8 62f21966 569cb2a5 names
E

begin 'addr2sym: names pass the check; damage is found, and stays to be found'
run sh -c "addr2sym -m '$MAP' '$LOG' | kd -n 0 -f F - >/dev/null; echo \$?
	sed 's/ 999   0 / 998   0 /' '$LOG' | addr2sym -m '$MAP' >'$tmp/damaged.lst'; echo \$?
	kd -n 0 -f F '$tmp/damaged.lst' >/dev/null; echo \$?"
out <<'E'
0
1
1
E
err 'addr2sym: standard input: damaged or incomplete: lines 44 to 52'
err 'damaged.lst: damaged or incomplete: lines 44 to 52'

begin 'kd: the address of a function is checked before it has a name'
run sh -c "sed 's/0xc0100400 /0xc0100410 /' '$LOG' | kd -n 0 -f F -"
status 1
err 'damaged or incomplete'

begin 'kd: on a console, among other lines'
run sh -c "sed -e 's/^/[    1.250000] /;s/\$/\r/' -e '/c0100900/i [    2.0] usb 1-1: new device' '$LOG' | kd -n 0 -f F -"
out <<'E'
Function                           
-----------------------------------
E
err note
