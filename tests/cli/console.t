# SPDX-License-Identifier: GPL-2.0
# Logs among the lines of a console, as a serial line has them, and logs that are mixed up.
MAP=$DATA/samples.map
LOG=$DATA/format3.log
LST=$DATA/format3.lst
expected_tree() { kd -c -l -i "$LST" 2>/dev/null; }
# What printk makes of a text.
stamp() { awk '{ printf("[%5d.%06d] %s\r\n", NR / 100, NR * 137, $0) }'; }
boot() {
	printf '[    0.000000] Booting Linux on physical CPU 0x0\r\n'
	printf '[    0.100000] ------------[ cut here ]------------\r\n'
	printf '[    0.150000] ----------------------------------------\r\n'
	printf '[    0.200000] Text = 12 34\r\nStarting: OK\r\n/ # cat /proc/kfi_trace\r\n'
}

begin 'kd: printed by printk, lines of others between'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(boot; { sed -n 1,50p "$LOG"; echo 'usb 1-1: new device'; echo; sed 1,50d "$LOG"; } | stamp; echo 'init: crash'; boot)
E
out <<E
$(expected_tree)
E
err note

begin 'kd: shown by cat, printk lines between, text behind'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(boot; sed -e 's/$/\r/' -e '50a [   12.345678] usb 1-1: new device\r' "$LOG"; echo '/ # '; echo '12 o clock'; boot)
E
out <<E
$(expected_tree)
E
err note

# A program was interrupted in the middle of a line, and never wrote the rest.
interrupted() { printf 'init: crash[    3.343928] Kernel panic - not syncing\r\n'; }

begin 'kd: printed by printk, after half a line of a program that has died'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(interrupted; stamp <"$LOG"; boot; echo 'init: crash'; boot)
E
out <<E
$(expected_tree)
E
err note

begin 'kd: shown by cat, after half a line of a program that has died'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(interrupted; cat "$LOG")
E
out <<E
$(expected_tree)
E
err note

begin 'addr2sym: half a line of a program that has died, and its next line'
run sh -c "addr2sym -m '$MAP' - | tr -d '\\r' | grep -e crash -e panic" <<E
$(interrupted; stamp <"$LOG"; echo 'init: crash, again')
E
out <<E
[    3.343928] Kernel panic - not syncing
init: crash
init: crash, again
E

begin 'kd: printed by printk, half a line of a program behind it'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(stamp <"$LOG"; interrupted; boot; echo 'init: crash')
E
out <<E
$(expected_tree)
E
err note

begin 'kd: a line of the header cut in two, too long to be put together'
run sh -c "kd --map '$MAP' -n 0 -" <<E
$(sed -n 1,2p "$LOG"; printf 'Note = %0400d[    1.000000] usb 1-1: new device\n%0400d\n' 0 0; sed 1,2d "$LOG")
E
status 1
err 'not a call: "Note = 0'

# Lines cut in two by printk, at each place of a row.
pieces() {
	awk -v at="$1" -v nr="$2" 'NR == nr {
			printf("%s[   12.345678] usb 1-1: new device\r\n", substr($0, 1, at))
			print "<6>[   12.345700][    T1] usb 1-1: it has gone\r"
			print substr($0, at + 1)
			next
		}
		{ print }' "$LOG"
}
for at in 1 8 9 17 30 40 70 90 126 130 148 180; do
begin "kd: a row cut in two by printk at column $at"
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(pieces $at 50)
E
out <<E
$(expected_tree)
E
err note

begin "addr2sym: the same is put together"
run sh -c "addr2sym -m '$MAP' - | grep -v '\\[ *12' | sed 's/ *\$//'" <<E
$(pieces $at 50)
E
out <<E
$(sed 's/ *$//' "$LST")
E
done

begin 'kd: a row cut twice'
run sh -c "kd --map '$MAP' -c -l -i -" <<E
$(pieces 40 50 | sed 's/^ *0xc0008.*0 *1 *1/&/; s/^\([^\[]*2200000\)/\1[   13.000000] again\r\n/')
E
out <<E
$(expected_tree)
E
err 'note'

begin 'kd: a line of the header cut in two'
run sh -c "sed 's/^Text = 0xc0/&[   12.345678] usb 1-1: new device\n/' '$LOG' | kd --map '$MAP' -c -l -i -"
out <<E
$(expected_tree)
E
err note

begin 'kd: half of a row is lost'
run sh -c "sed '50s/^.\\{60\\}/&[   12.345678] usb 1-1: new device\n/; 50s/\\(\n\\).*/\\1/' '$LOG' | kd -f F -n 0 -"
status 1
err 'not a call: "    6000       -1        1 0xc0100300'

begin 'addr2sym: half of a row is lost, and shown'
run sh -c "sed '50s/^.\\{60\\}/&[   12.345678] usb 1-1: new device\nrubbish/; 50s/rubbish.*/rubbish/' '$LOG' | addr2sym -m '$MAP' - | sed -n 50,52p"
out <<'E'
[   12.345678] usb 1-1: new device
    6000       -1        1 0xc0100300                       
rubbish
E
err 'not a call: '

begin 'addr2sym: stamps stay'
run sh -c "addr2sym -m '$MAP' -" <<E
$(stamp <"$LOG")
E
out <<E
$(stamp <"$LST")
E

begin 'addr2sym, kd: stamps, names'
run sh -c "addr2sym -m '$MAP' - | kd -c -l -i -" <<E
$(stamp <"$LOG")
E
out <<E
$(expected_tree)
E
err note

begin 'kd: a stamped log that is cut off'
run sh -c "kd -n 0 -f F -" <<E
$(sed '$d' "$LOG" | stamp; printf '[   99.000000] and so on\r\n')
E
status 1
err 'truncated: the header says 14 calls, 13 are there'

begin 'kd: a stamped row that is damaged'
run sh -c "kd -n 0 -f F -" <<E
$(sed '50s/0xc0100300/ /' "$LOG" | stamp)
E
status 1
err 'not a call: "6000       -1        1'

begin 'kd: several traces on one console'
run sh -c "kd -R 2 -c - | tail -n 1" <<E
$(boot; stamp <"$LOG"; boot; cat "$LST"; boot)
E
out <<'E'
|  schedule
E
err note

begin 'kd: KFT on a console'
run sh -c "kd -c -f et -" <<E
$(boot; { cat "$DATA/v2.log"; echo 'Power down.'; } | stamp)
E
out <<E
$(kd -c -f et "$DATA/v2.log" 2>/dev/null)
E
err note

begin 'kd: KFI v1, dumped by printk(KERN_EMERG)'
run sh -c "kd -c -f et -" <<E
$(boot; stamp <"$DATA/v1.log" | sed 's/^/<0>/')
E
out <<E
$(kd -c -f et "$DATA/v1.log" 2>/dev/null)
E
err note

begin 'kd: a profile on a console'
run sh -c "kd -f Fct -" <<'E'
[    1.000000] Kernel Instrumentation Run ID 0
[    1.000000] Number of entries after filters = 3
[    1.000000] Log format = 3
[    1.000000]  Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed
[    1.000000] -------- ----- -------- -------- ------ ------ ------ ------ -------
[    1.000000] 0xc0000000          2  5000  5000  1000 4000 0 0 0
[    1.000001] usb 1-1: new device
[    1.000000] 0xc0000100          1  3000  3000  3000 3000 0 0 0
E
out <<'E'
Function                            Count Time    
----------------------------------- ----- --------
0xc0000000                              2        5
0xc0000100                              1        3
E
err note

begin 'kd: every row twice'
run sh -c "kd -f F -n 0 -" <<E
$(awk '/^ +[0-9]/ { print } { print }' "$LOG")
E
status 1
err 'doubled or mixed: the header says 14 calls, 28 are there'

begin 'kd: rows in another order'
run sh -c "kd -f Fct -n 1 -" <<E
$(grep -v '^ *[0-9]' "$LST"; grep '^ *[0-9]' "$LST" | sort -k4)
E
status 1
err note

begin 'kd: two logs, line by line'
run sh -c "kd -f F -n 0 -" <<E
$(paste -d '\n' "$LOG" "$LST")
E
status 1
err 'calls'

begin 'addr2sym: two logs, line by line'
run sh -c "addr2sym -m '$MAP' - | wc -l" <<E
$(paste -d '\n' "$LOG" "$LST")
E
out <<'E'
110
E
err 'addr2sym: standard input: '

# Puts the stamp of a host before each line.
host() { awk -v stamp="$1" '{ printf("%s %s\r\n", stamp, $0) }'; }

for stamp in '[2024-01-01 12:00:01]' '[2024-01-01T12:00:01.123Z]' '2024-01-01 12:00:01' \
	'2024-01-01T12:00:01.123456+01:00' '2024-01-01T12:00:01+0100' 'Jan 01 12:00:01' 'Jan  1 12:00:01' \
	'[Dec 31 23:59:59]' '[Mon Jan  1 12:00:01 2024]' '12:00:01.123' '12:00:01,123' '12:00:01' '[12:00:01]' 'Jan 01 12:00:01 board kernel:'; do
	begin "kd, addr2sym: lines behind the stamp of a host: $stamp"
	run sh -c "cat >'$tmp/host'; kd --map '$MAP' -c -l -i '$tmp/host'; addr2sym -m '$MAP' '$tmp/host' 2>/dev/null | kd -c -l -i -" <<E
$({ echo 'board login: root'; cat "$LOG"; echo; echo '# '; } | host "$stamp")
E
	out <<E
$(expected_tree; expected_tree)
E
	err 'kd: note: '
	begin "kd: printk's stamps behind the stamp of a host: $stamp"
	run sh -c "kd --map '$MAP' -c -l -i -" <<E
$({ boot; stamp <"$LOG"; boot; } | host "$stamp")
E
	out <<E
$(expected_tree)
E
	err 'kd: note: '
done

begin 'kd: times, dates and numbers of a log are no stamp of a host'
run sh -c 'sed "s/^ *[0-9].*/12:00:1 &/; s/^/2024-1-01 /" "$0" | kd - 2>&1 | grep -c "not a KFI log"' "$LOG"
out <<'E'
1
E

begin 'kd: initcall_debug behind the stamps of a host'
run sh -c 'for s in "[2024-01-01 12:00:01]" "Jan 01 12:00:01" "12:00:01.123"; do
	printf "$s %s\n" "[    0.100000] calling  foo_init+0x0/0x40 @ 1" "[    0.124000] initcall foo_init+0x0/0x40 returned 0 after 50 usecs" |
		kd --csv --initcalls - | tail -n 1; done'
out <<'E'
100000000,50000,50000,1,,,0,foo_init,
100000000,50000,50000,1,,,0,foo_init,
100000000,50000,50000,1,,,0,foo_init,
E
