# SPDX-License-Identifier: GPL-2.0
# What kd writes for programs is what formats.rst says, key by key, and -N is what it says, function
# by function: see schema.
cat >"$tmp/schema.log" <<'E'
Kernel Instrumentation Run ID 7

Number of entries after filters = 17
Calls filtered = 3
Calls open = 2
Marks kept = 9
Watch rows = 1
Callout cost = 300 ns kept, 40 ns filtered
Log format = 3

 Entry    Delta     PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
0 -1 1 early start_kernel 0 -1 -1 0 1 t 1 notime -1 -1
# 0 100 0 1 t level core
0 -1 1 start_kernel x 200 -1 -1 0 1 t 1 open -1 -1
1 90 1 do_one_initcall start_kernel+0x4 1000 90000 10000 0 2 t 1 - 0 0
2 80 1 net_init do_one_initcall+0x44 2000 80000 20000 0 3 t 1 - 20000 4300
3 -2 1 deep net_init 3000 -1 -1 0 4 t 1 stack -1 -1
4 30 1 walk net_init 4000 30000 7000 0 4 t 1 - 0 4300
5 20 1 walk walk+0x8 5000 20700 8300 0 5 t 1 - 0 4300
6 5 1 leaf walk 6000 5100 5100 0 6 t 1 - 0 0
12 4 -1 irq vec 12000 4300 2100 0 6 h 1 - 0 0
13 1 -1 leaf irq+0x8 13000 1200 1200 0 7 h 1 - 0 0
15 1 -1 __do_softirq irq 15000 1000 1000 0 7 s 1 - 0 0
20 3 1 leaf walk 20000 3000 3000 0 6 t 1 - 0 0
28 5 1 leaf walk 28000 5000 5000 0 5 t 1 - 0 0
40 -1 1 lost net_init 40000 -1 -1 0 4 t 1 unwound -1 -1
# 60 60000 0 1 t switch 0 swapper/0
# 70 70000 0 0 h wakeup 1 complete net_irq
# 72 72000 0 0 t switch 1 swapper/0
# 85 85000 0 1 t initcall net_init -19
# 86 86000 0 1 t level device
# 87 87000 0 1 t initcall quick_init 0
95 2 9 other y 95000 2000 900 1 1 t 9 - 1100 0
96 0 9 tiny other 96000 150 150 1 2 t 9 - 0 0
# 97 97500 1 9 t mark "a, mark"
# 97 97900 1 9 t exec /sbin/init
# 98 98000 1 9 t initcall late_init 0
99 9 9 other y 99000 9000 9000 1 1 t 9 - 0 0
E
cat >"$tmp/schema.old" <<'E'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
0 -1 0 start_kernel L6
0 100 1 do_one_initcall do_initcalls+0x4
0 90 1 first,init do_one_initcall+0x44
20 -1 1 sub first,init+0x10
200 200 1 second_init do_one_initcall+0x44
210 -1 -1 irq vec
E

sed '/^28 /s/ 5000 .*/ 50/' "$tmp/schema.log" >"$tmp/schema.torn"

# What kd --boot can tell of a boot only where nothing was filtered, and there are no switches.
sed -e '/^Calls filtered/d' -e '/ switch /d' -e 's/^Marks kept = 9/Marks kept = 7/' "$tmp/schema.log" >"$tmp/schema.boot"

cat >"$tmp/schema.untimed" <<'E'
calling  foo_init+0x0/0x40 @ 1
initcall foo_init+0x0/0x40 returned 0 after 50 usecs
E

# A kernel whose one function has a line, and a log of that function and of an address that is none.
cat >"$tmp/one.c" <<'E'
__asm__(".globl _text, _stext\n_text:\n_stext:\n");
void start_kernel(void) { }
E
${CC:-cc} -g -O1 -fno-pic -nostdlib -static -no-pie -Wl,-e,start_kernel -Wl,-Ttext=0x10000000 \
	-o "$tmp/one" "$tmp/one.c" >"$tmp/one.err" 2>&1 || cat "$tmp/one.err"
sed '/^--------/q' "$tmp/schema.log" >"$tmp/schema.one"
for address in 0x$(nm "$tmp/one" | sed -n 's/ T start_kernel$//p') 0xdead; do
	echo "1 1 1 $address $address 1000 1000 1000 0 1 t 1 - 0 0"
done >>"$tmp/schema.one"

begin 'kd --json, --csv: keys, their order and types are those of the page; -N as documented'
run "$here/schema" "$here/../../Documentation/formats.rst" "$tmp/schema.log" "$tmp/schema.old" "$tmp/schema.torn" "$tmp/schema.boot" \
	"$tmp/schema.untimed" --vmlinux "$tmp/one" "$tmp/schema.one"
out </dev/null

begin 'kd -N: not of what has no sums'
run kd -N -c "$tmp/schema.log"
status 2
err 'kd: -N cannot be used with -c'
