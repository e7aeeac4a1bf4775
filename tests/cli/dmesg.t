# SPDX-License-Identifier: GPL-2.0
# kd --boot --dmesg: lines of printk at their place on the path.
. "$here/boot-log"

# clocks: pairs of the log's clock and printk's. That is a millisecond behind up to 8 ms, changes its rate
# then, and is 3 % slower from 10 ms on.
clocks() {
	cat <<'E'
head Kernel = 6.12.0-test
head Printk clock = -1000 0
head Printk clock = 2000000 1000000
head Printk clock = 2500000 1000000
head Printk clock = 6000000 5000000
head Printk clock = 8000000 7000000
head Printk clock = 10000000 9400000
head Printk clock = 12000000 11340000
head Printk clock = 14000000 13280000
E
}

{ clocks; start; echo 'call 2000 4000 1 0 3 slow_init'; } | log >"$tmp/boot.log"

# path: a line of the path, or of printk, as "PART FROM UNSURE TEXT".
cat >"$tmp/path" <<'E'
kd --boot --csv -t 3ms --dmesg "$@" >"$tmp/path.csv" || exit
awk -F, '$1 == "path" || $1 == "printk" {
	print $1, ($2 == "" ? "-" : $2 / 1000), ($18 == "" ? "-" : $18), $15 }' "$tmp/path.csv"
E
path() {
	tmp="$tmp" sh "$tmp/path" "$@" 2>"$tmp/notes"
}

begin 'kd --dmesg: stamps of all kinds, and lines that have none'
printf '%b' '\r[    0.000000] Linux version 6.12.0-test (gcc)\r\n' \
	'<6>[    0.000000][    T0] before the clock\n' \
	'[    0.000500] guessed: before the first pair\n' \
	'no time\n  12   34   1 a b\n[drm] no time either\n[    0.1x0000] nor here\n[12345] nor here\n[0.0015 0.1] nor here\n' \
	'[    0.002000] at 3 ms\r\n' \
	'<4>[    0.003000][   C1] at 4 ms\n' \
	'[    0.001998] at 2.998 ms; behind a later one\n' \
	'[    0.005000] \0033[31mred\t\02339\0303\0244\n' \
	'[    0.008200] guessed: the rate changed here\n' \
	'[    0.009401] after the boot\n[    0.020000] guessed, but after it\n' >"$tmp/dmesg"
run path "$tmp/dmesg" "$tmp/boot.log"
out <<'E'
printk - - Linux version 6.12.0-test (gcc)
printk - - before the clock
path 0 irq_ns do_basic_setup
printk 1500 entry_ns guessed: before the first pair
path 2000 - slow_init
printk 2998 - at 2.998 ms; behind a later one
printk 3000 - at 3 ms
printk 4000 - at 4 ms
path 6000 irq_ns do_basic_setup
printk 6000 - ?[31mred ?9??
printk 9000 entry_ns guessed: the rate changed here
E

begin 'kd --dmesg: for people; a guess is marked'
run sh -c "kd --boot -t 3ms --dmesg '$tmp/dmesg' '$tmp/boot.log' | sed -n '/^The critical path/,/^\$/s/ *\$//p'"
out <<'E'
The critical path (calls of 3000 us and longer by name; shorter ones added up)
 Entry      Length      %      Pid   Task          What              Function                     Called by
---------- ---------- ------ ------- ------------- ----------------- ---------------------------- --------
         ?                                         printk            Linux version 6.12.0-test (gcc)
         ?                                         printk            before the clock
         0       2000  20.00       - (several)     ran 96 %          do_basic_setup               kernel_init
     1500?                                         printk            guessed: before the first pair
      2000       4000  40.00       1 kernel_init   ran               slow_init                    do_basic_setup < kernel_init
      2998                                         printk            at 2.998 ms; behind a later one
      3000                                         printk            at 3 ms
      4000                                         printk            at 4 ms
      6000       4000  40.00       1 kernel_init   ran               do_basic_setup               kernel_init
      6000                                         printk            ?[31mred ?9??
     9000?                                         printk            guessed: the rate changed here

E
err 'kd: note: lines of printk from before its clock ran: 2: they come first'
err 'kd: note: lines of printk whose time is a guess (?), because the rate of its clock is not known there: 2'

begin 'kd --dmesg: a clock that goes at half the rate, as evenly as that may be, leaps'
{
	for pair in '2000000 500000' '4000000 1500000' '5000000 2000000' '6000000 5000000' '8000000 7000000' '10000000 9000000'; do
		echo "head Printk clock = $pair"
	done
	start
} | log >"$tmp/half.log"
printf '%s\n' '[    0.001000] guessed: half the rate' '[    0.006000] at 7 ms' >"$tmp/leaps"
run path "$tmp/leaps" "$tmp/half.log"
out <<'E'
path 0 - start_kernel
path 1010 irq_ns do_basic_setup
printk 3000 entry_ns guessed: half the rate
printk 7000 - at 7 ms
E

begin 'kd --dmesg: JSON; a file that is packed, or standard input'
run sh -c "
	gzip -c '$tmp/dmesg' >'$tmp/dmesg.gz'
	for file in '$tmp/dmesg.gz' -; do
		kd --boot --json --dmesg \"\$file\" '$tmp/boot.log' <'$tmp/dmesg' 2>/dev/null | grep '\"at 3 ms\"'
	done"
out <<'E'
{"part":"printk","entry_ns":3000000,"length_ns":null,"percent":null,"pid":null,"task":null,"kind":null,"kind_ns":null,"irq_ns":null,"off_cpu_ns":null,"recording_ns":null,"count":null,"level":null,"result":null,"function":"at 3 ms","callers":null,"woken_by":null},
{"part":"printk","entry_ns":3000000,"length_ns":null,"percent":null,"pid":null,"task":null,"kind":null,"kind_ns":null,"irq_ns":null,"off_cpu_ns":null,"recording_ns":null,"count":null,"level":null,"result":null,"function":"at 3 ms","callers":null,"woken_by":null},
E

begin 'kd --dmesg: a log that does not know what the clock of printk was'
start | log >"$tmp/none.log"
run kd --boot --dmesg "$tmp/dmesg" "$tmp/none.log"
status 2
err 'none.log: --dmesg needs two lines "Printk clock" in the header of the log'

begin 'kd --dmesg: pairs out of order'
{ clocks | sed 's/13280000/9399999/'; start; } | log >"$tmp/order.log"
run kd --boot --dmesg "$tmp/dmesg" "$tmp/order.log"
status 2
err 'order.log: --dmesg: the lines "Printk clock" are not in order'

begin 'kd --dmesg: another kernel, several boots, no line of printk, no file'
run sh -c "
	echo '[    0.000000] Linux version 6.12.0-tes' >'$tmp/other'
	cat '$tmp/dmesg' '$tmp/dmesg' >'$tmp/two'
	echo hello >'$tmp/words'
	for file in other two words missing; do
		kd --boot --dmesg '$tmp'/\$file '$tmp/boot.log' >/dev/null; echo \$?
	done"
out <<'E'
2
2
2
2
E
err 'other: lines of another kernel than that of the log, 6.12.0-test'
err 'two: lines of several boots ("Linux version"): keep those of one'
err 'words: has no line of printk with a time: [    1.234567] ...'
err 'missing: No such file or directory'

begin 'kd --dmesg: pairs that are no numbers, or too large, do not count; one before the start does'
{ clocks | sed -e '/ 2500000 /d' -e '/ -1000 0/s/.*/head Printk clock = -3000000 500/' -e '/ 2000000 /s/.*/head Printk clock = 9999999999999999999 1/' \
	-e '/ 6000000 /s/.*/head Printk clock = x 1/' -e '/ 8000000 /s/.*/head Printk clock = 5/' \
	-e '/ 10000000 /s/.*/head Printk clock = 1 99999999999999999999/'
  start; echo 'call 2000 4000 1 0 3 slow_init'; } | log >"$tmp/odd.log"
run sh -c "kd --boot --csv --dmesg '$tmp/dmesg' '$tmp/odd.log' 2>/dev/null | grep '^printk.*at 4 ms'"
out <<'E'
printk,967767,,,,,,,,,,,,,at 4 ms,,,entry_ns
E
