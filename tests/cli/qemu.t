# SPDX-License-Identifier: GPL-2.0
# Traces of QEMU's blocks, of a small kernel made here: calls, jumps, exceptions, switches, stages of the
# boot, and all texts and the binary that blocks come in.
Q=$tmp/qemu
mkdir -p "$Q"
cat >"$Q/k.S" <<'X'
	.macro	at name
	.balign	256
	.globl	\name
	.type	\name, @function
\name:
	.endm
	.text
	at start_kernel
	call	setup
	call	*%rax
	call	tailer
	call	schedule
	hlt
	jmp	. - 1
	at setup
	ret
	at indirect
	nop
	ret
	at tailer
	jmp	tailed
	at tailed
	ret
	at asm_sysvec_timer
	call	handler
	iretq
	at __switch_to_asm
	jmp	__switch_to
	at __switch_to
	ret
	at ret_from_fork_asm
	call	thread
	ud2
	at thread
	call	schedule
	call	schedule
	ret
	at schedule
	call	__switch_to_asm
	ret
	at entry_SYSCALL_64
	call	do_syscall
	sysretq
	at do_syscall
	ret
	at handler
	ret
	at other
	call	schedule
	ret
X
(
	cd "$Q" && ${CC:-cc} -m64 -c k.S && ${CC:-cc} -m64 -nostdlib -static -no-pie -Wl,-e,start_kernel \
		-Wl,-Ttext=0xffffffff81000000 -Wl,--build-id=none -o k k.o &&
	objcopy --change-section-lma .text=0x1000000 k vmlinux
) >"$Q/log" 2>&1 || sed 's/^/# /' "$Q/log"

# Blocks: firmware, boot loader, decompressor, entry, then offsets in the text; u: user space.
blocks='fffffff0 fe05b 7c00 100000 1000000
	+000 +100 +005 +200 +201 +007 +300 +400 +00c
	+500 +d00 +505 +00c
	+a00 +600 +700 +800 +900 +a00 +600 +700 +a05 +011
	400000 400010 +b00 +c00 +b05 400020'
pcs() {
	for b in $blocks; do
		case $b in
		+*) echo "ffffffff81000${b#+}" ;;
		*) echo "$b" ;;
		esac
	done
}
pcs | sed 's/.*/exec_tb tb:0x7f5a1c000100 pc=0x&/' >"$Q/plain"

begin "kd: blocks of QEMU become calls, returns, jumps, exceptions, switches and stages"
run kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/plain"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0                             0 # stage [firmware]
         0          2          2       0 [firmware]
         2                             0 # stage [boot loader]
         2          1          1       0 [boot loader]
         3                             0 # stage [decompressor]
         3          1          1       0 [decompressor]
         4                             0 # stage [kernel entry]
         4          1          1       0 [kernel entry]
         5                             0 |  # stage [kernel]
         5         23          6       0 start_kernel
         6          1          1       0 |  setup
         8          2          2       0 |  indirect
        11          2          1       0 |  tailer
        12          1          1       0 |  |  tailed
----------- !!!! start --------------
        14          3          2      -1 asm_sysvec_timer
        15          1          1      -1 !  handler
----------- !!!! end ----------------
        18          9          2       0 |  schedule
        19          7          1       0 |  |  __switch_to_asm
        20          1          1       0 |  |  |  __switch_to
        21                             0 |  |  |  # switch 1
----------- @@@@ start --------------
        21          ?          ?       1 ret_from_fork_asm
        22          ?          ?       1 @  thread
        23          ?          ?       1 @  @  schedule
        24          ?          ?       1 @  @  @  __switch_to_asm
        25          1          1       1 @  @  @  @  __switch_to
        26                             1 @  @  @  @  # switch 0
----------- @@@@ end ----------------
        28          2          2       0 [user space]
        30          3          2       0 entry_SYSCALL_64
        31          1          1       0 |  do_syscall
        33          ?          ?       0 [user space]
E
err "3 calls are jumps at the end of a function"
err "of 2 switches 0 could have gone to several tasks"
err "a microsecond stands for one block"

begin "kd: when the stages of a boot begin, by QEMU's blocks"
run kd --vmlinux "$Q/vmlinux" -k -n 5 "$Q/plain"
out_has "         2   0       0 swapper           t stage [boot loader]"
out_has "         5   0       0 swapper           t stage [kernel]"
err "a microsecond stands for one block"

# The same blocks in all other forms have the same calls.
kd --vmlinux "$Q/vmlinux" -c "$Q/plain" >"$Q/want" 2>"$Q/log"
pcs | awk '{ printf "44@1400000000.%06d:exec_tb tb:0x7f pc=0x%s\n44@1400000000.%06d:exec_tb_exit tb:0x7f flags=0x0\n",
	   NR, $1, NR }' >"$Q/stamped"
pcs | awk '{ printf "%s %.3f pid=44 tb=0x7f pc=0x%s\nexec_tb_exit 0.5 pid=44 next_tb=0x0 flags=0x0\n",
	   (NR % 9) ? "exec_tb" : "exec_tb_nocache      ", (NR > 1) ? 0.5 : 0, $1 }' >"$Q/simple"
pcs | awk '{ printf "Trace 0: 0x7f [0000000000000000/%s/00000121/ff000200] name\n", $1 }' >"$Q/exec"
pcs | awk '{ printf "Trace 0x7f [%s] name\n", $1 }' >"$Q/old"
# A clock among them, the first block of which stands there twice, and a block that did not run.
pcs | awk '{ if (NR % 5 == 1) printf "44@1400000000.%06d:exec_tb tb:0x7f pc=0x%s\n", NR, $1
	   printf "Trace 0: 0x7f [0/%s/0/0] name\n", $1
	   if (NR == 7) {
		print "Trace 0: 0x7f [0/ffffffff81000200/0/0] indirect"
		print "Stopped execution of TB chain before 0x7f [ffffffff81000200] indirect"
	   } }' >"$Q/clock"
pcs | awk '{ printf "%d.%d5 %s\n", 11409434 + NR, NR % 10, $1 }' >"$Q/bare"
sed -e 's/ffffffff81000000/start_kernel in section .text/' \
	-e 's/ffffffff8100000c/start_kernel + 12 in section .text/' \
	-e 's/ffffffff81000d00/handler in section .text/' "$Q/bare" >"$Q/named"
for form in stamped simple exec old clock bare named; do
begin "kd: the same blocks, $form, are the same calls"
run kd --vmlinux "$Q/vmlinux" -c "$Q/$form"
out <"$Q/want"
err "3 calls are jumps"
done

# Lines "SIZE HEX..." or "text WORD" of standard input as binary, the lowest byte first.
binary() {
	# shellcheck disable=SC2059 # the bytes are the format
	printf "$(awk '
		function digit(c) { return index("0123456789abcdef", c) - 1 }
		$1 == "text" { printf "%s", $2; next }
		{
			for (n = 2; n <= NF; n++) {
				hex = sprintf("%16s", $n)
				gsub(/ /, "0", hex)
				for (i = 15; i > 15 - 2 * $1; i -= 2) {
					high = digit(substr(hex, i, 1))
					printf "\\%03o", high * 16 + digit(substr(hex, i + 1, 1))
				}
			}
		}')"
}
pcs | awk '
	BEGIN {
		print "8 ffffffffffffffff f2b177cb0aa429b4 4"
		print "8 0 5"; print "4 7"; print "text exec_tb"
		print "8 0 6"; print "4 c"; print "text exec_tb_exit"
	}
	{
		t = sprintf("%x", 1000 + 1000 * NR)
		print "8 1 5 " t; print "4 28 2c"; print "8 7f " $1
		print "8 1 6 " t; print "4 28 2c"; print "8 0 0"
	}' | binary >"$Q/binary"
begin "kd: the same blocks in simpletrace's binary are the same calls"
run kd --vmlinux "$Q/vmlinux" -c "$Q/binary"
out <"$Q/want"
err "3 calls are jumps"

begin "kd: simpletrace's binary, cut in a record"
head -c -20 "$Q/binary" >"$Q/cut"
run kd --vmlinux "$Q/vmlinux" -c "$Q/cut"
status 1
err "the trace ends in the middle of a record: copy it again"

begin "kd: simpletrace's binary of another version"
echo 8 ffffffffffffffff f2b177cb0aa429b4 3 | binary >"$Q/version"
run kd --vmlinux "$Q/vmlinux" "$Q/version"
status 2
err "version: kd reads version 4 of simpletrace only; convert the trace to text"

# A program that loads the plugin as QEMU does. A plugin with sanitizers needs a program with them.
grep -q __asan_init "$BIN/kfi-qemu.so" && sanitize=-fsanitize=address,undefined || sanitize=
# shellcheck disable=SC2086 # no sanitizers are no argument
${CC:-cc} $sanitize -rdynamic -I"$here/../../tools" -o "$Q/fake-qemu" "$here/fake-qemu.c" ||
	rm -f "$Q/fake-qemu"
# fake TARGET CPUS FILE: blocks of standard input, through the plugin.
fake() {
	"$Q/fake-qemu" "$1" "$2" "$BIN/kfi-qemu.so" "out=$3"
}

begin "kd: the same blocks by the plugin are the same calls"
pcs | awk '{ print 0, $1, "3e8" }' | fake x86_64 1 "$Q/blocks"
run kd --vmlinux "$Q/vmlinux" -c "$Q/blocks"
out <"$Q/want"
err "a microsecond stands for 1000 of them"

begin "kd: blocks of the plugin, compressed, through a pipe"
gzip -c "$Q/blocks" >"$Q/blocks.gz"
run sh -c 'cat "$1/blocks.gz" | kd --vmlinux "$1/vmlinux" -c -' sh "$Q"
out <"$Q/want"
err "a microsecond stands for 1000 of them"

# Any order of blocks of two processors, so that most are not predicted, and loops that are.
pcs | sort -u | awk '
	{ pc[n++] = $1 }
	END {
		srand(1)
		for (i = 0; i < 30000; i++) {
			cpu = int(i / 100) % 2
			if (i % 2000 < 1500) { at = int(rand() * n) } else { at = (at + 1) % 5 }
			print cpu, pc[at], "3e8"
		}
	}' >"$Q/any"
begin "kd: blocks of the plugin in any order, of two processors"
fake x86_64 2 "$Q/any.blocks" <"$Q/any"
awk '{ printf "Trace %d: 0x7f [0/%s/0/0] name\n", $1, $2 }' "$Q/any" >"$Q/any.exec"
kd --vmlinux "$Q/vmlinux" -c "$Q/any.exec" >"$Q/any.want" 2>"$Q/log"
run kd --vmlinux "$Q/vmlinux" -c "$Q/any.blocks"
out <"$Q/any.want"
err "a microsecond stands for 1000 of them"

begin "plugin: many runs of the same blocks take few bytes"
awk 'BEGIN { for (i = 0; i < 60000; i++) { printf "0 ffffffff81000%s 5\n", i % 3 "00" } }' |
	fake x86_64 1 "$Q/loop"
run sh -c 'test "$(wc -c <"$1")" -lt 150 && kd --vmlinux "$2" -f Fc "$1"' sh "$Q/loop" "$Q/vmlinux"
out_has "setup                               20000"
err "a microsecond stands for 1000 of them"

begin "kd: blocks of the plugin, cut in a record"
head -c -1 "$Q/any.blocks" >"$Q/any.cut"
run kd --vmlinux "$Q/vmlinux" "$Q/any.cut"
status 1
err "the trace ends in the middle of a record: copy it again"

begin "kd: blocks of the plugin with a number of no block, and with a prediction of none"
{ cat "$Q/blocks"; printf '\000\177'; } >"$Q/number"
{ printf 'KFI blocks 1 x86_64\n\004\001\000\001'; } >"$Q/predicted"
run sh -c 'kd --vmlinux "$1/vmlinux" -f Fc -n 1 "$1/number"; kd --vmlinux "$1/vmlinux" "$1/predicted"' sh "$Q"
status 2
err "the record has an impossible value: the trace is damaged"
err "the record predicts a block that has not run: the trace is damaged"

begin "plugin: what it cannot do"
run sh -c '
	"$1/fake-qemu" x86_64 1 "$2" in=x
	"$1/fake-qemu" x86_64 1 "$2"
	"$1/fake-qemu" x86_64 1 "$2" out=/nonexistent/x
	"$1/fake-qemu" x86_64 2000 "$2" "out=$1/x"
	"$1/fake-qemu" x86_64 1 "$2" out=/dev/full <"$1/any"' sh "$Q" "$BIN/kfi-qemu.so"
err "kfi-qemu: in=x: only out=FILE is known"
err "kfi-qemu: give the file: -plugin kfi-qemu.so,out=FILE"
err "kfi-qemu: /nonexistent/x: No such file or directory"
err "kfi-qemu: only whole systems are traced"
err "kfi-qemu: /dev/full: No space left on device; the rest of the trace is missing"

begin "kd: times of QEMU's log are those of the calls"
run kd --vmlinux "$Q/vmlinux" --func "start_kernel,schedule,tailer" "$Q/stamped"
out <<'E'
Function                            Count Time     Average  Local   
----------------------------------- ----- -------- -------- --------
start_kernel                            1       23       23        6
schedule                                2        9        9        2
tailer                                  1        2        2        1
E
err "5 of 23 calls had not returned"

begin "kd: a task that is interrupted right after a switch is found all the same"
blocks='+00c +a00 +600 +700 +800 +900 +a00 +600 +700 +500 +d00 +505 +a05 +011 +012'
pcs | sed 's/.*/exec_tb tb:0x7f pc=0x&/' >"$Q/interrupted"
run kd --vmlinux "$Q/vmlinux" -k "$Q/interrupted"
out_has "         4   0       0 swapper           t switch 1"
err "of 2 switches 0 could"

begin "kd: an interrupt after a return, before the block that it returns to"
blocks='+000 +100 +500 +d00 +505 +005 +200 +500 +d00 +505 +201 +007 +008'
pcs | sed 's/.*/exec_tb tb:0x7f pc=0x&/' >"$Q/after"
run kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/after"
out <<'E'
 Entry      Duration   Local       Pid    Trace 
---------- ---------- ---------- ------- ---------------------------------
         0                             0 # stage [kernel]
         0          ?          ?       0 start_kernel
         1          4          1       0 |  setup
----------- !!!! start --------------
         2          3          2      -1 asm_sysvec_timer
         3          1          1      -1 !  handler
----------- !!!! end ----------------
         6          5          2       0 |  indirect
         7          3          2      -1 asm_sysvec_timer
         8          1          1      -1 !  handler
E
err "a microsecond stands for one block"

begin "kd: code that goes on where nothing explains it: what is open stays open"
blocks='+000 +100 +201 +005 +200 +201 +007'
pcs | sed 's/.*/exec_tb tb:0x7f pc=0x&/' >"$Q/unexplained"
run kd --vmlinux "$Q/vmlinux" -f Fc "$Q/unexplained"
out <<'E'
Function                            Count
----------------------------------- -----
indirect                                2
setup                                   1
start_kernel                            1
E
err "1 blocks follow from no call, return or exception: kd closed or opened calls there"

begin "kd: two tasks with the same calls are told apart by what they return to"
# Task 1 waits below thread(), task 0 below start_kernel(); 2 lets task 1 go on, then task 0.
blocks='+00c +a00 +600 +700 +800 +900 +a00 +600 +700 +800 +e00 +a00 +600 +700
	+a05 +905 +a00 +600 +700 +a05 +011 +012'
pcs | sed 's/.*/exec_tb tb:0x7f pc=0x&/' >"$Q/two"
run kd --vmlinux "$Q/vmlinux" -k "$Q/two"
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
         0   0       0 swapper           t stage [kernel]
         4   0       0 swapper           t switch 1
         9   0       1 -                 t switch 2
        14   0       2 -                 t switch 1
        19   0       1 -                 t switch 0
E
err "of 4 switches 0 could"

# Three tasks sleep at the same place of the code, and the one that goes on is not the one that has waited
# longest. A return from another stack says so: the one of the function that switches, or a later one.
tasks='+00c:0 +a00 +600 +700:1 +800 +900 +a00:1 +600 +700:2 +800 +900 +a00:2 +600 +700:0 +a05:0 +011
	+00c +a00:0 +600 +700:1 +a05:1 +905 +a00 +600 +700:0 +a05 +011'
late_tasks='+00c:0 +a00 +600 +700 +800:1 +900 +a00 +600 +700 +800:2 +900 +a00 +600 +700 +a05:0 +011
	+00c +a00 +600 +700 +a05:1 +905 +a00 +600 +700 +a05:0 +011'
# Blocks of standard input for the plugin, with the instruction $1 where a stack is.
stacks() {
	tr -s '\t ' '\n' | awk -F: -v code="$1" '
		BEGIN {
			stack[0] = "ffffc90000003f00"
			stack[1] = "ffffc9000000be00"
			stack[2] = "ffffc90000013e80"
		}
		{ print 0, "ffffffff81000" substr($1, 2), 3, $2 == "" ? "" : stack[$2] " " code }'
}
printf 'switch %s\n' 1 2 0 1 0 >"$Q/switches"
for code in c3 c21000 f3c3; do
begin "kd: the stack says to which task a switch goes: ret $code"
echo "$tasks" | stacks $code | fake x86_64 1 "$Q/tasks"
run sh -c 'kd --vmlinux "$1/vmlinux" -k "$1/tasks" | grep -o "switch .*"' sh "$Q"
out <"$Q/switches"
err "by their stacks; of 5 switches 0 could"
done
begin "kd: what QEMU's helpers access is not the stack"
echo "$tasks" | stacks c3 | awk '{ print } NF == 3 { print "! 0 ffff8880001" NR + 10 "000" }' | fake x86_64 1 "$Q/helpers"
# shellcheck disable=SC2016 # another shell has the arguments
run sh -c 'kd --vmlinux "$1/vmlinux" -k "$1/helpers" | grep -o "switch .*"' sh "$Q"
out <"$Q/switches"
err "by their stacks; of 5 switches 0 could"
for code in aarch64:fd7bc1a8 aarch64:fd7b42a9 arm:f081bde8 arm:00a89de8; do
begin "kd: the stack says soon after a switch to which task it has gone: $code"
echo "$late_tasks" | stacks ${code#*:} | fake ${code%:*} 1 "$Q/late"
run sh -c 'kd --vmlinux "$1/vmlinux" -k "$1/late" | grep -o "switch .*"' sh "$Q"
out <"$Q/switches"
err "by their stacks; of 5 switches 0 could"
done
begin "kd: without stacks the task is taken that has waited longest"
echo "${late_tasks% +011}" | stacks 90 | fake x86_64 1 "$Q/none"
run sh -c 'kd --vmlinux "$1/vmlinux" -k "$1/none" | grep -o "switch .*"' sh "$Q"
sed '$s/0/2/' "$Q/switches" >"$Q/guessed"
out <"$Q/guessed"
err "of 5 switches 2 could"

begin "kd: events that QEMU has dropped are reported"
{ cat "$Q/simple"; echo "Dropped_Event 7.215 pid=44 dropped=0x1f"; cat "$Q/simple"; } >"$Q/dropped"
run kd --vmlinux "$Q/vmlinux" --func start_kernel -f Fc "$Q/dropped"
out <<'E'
Function                            Count
----------------------------------- -----
start_kernel                            2
E
err "QEMU has dropped 31 events"

begin "kd: lines of a trace that are damaged are reported, with their place"
{ head -n 8 "$Q/plain"; echo "exec_tb tb:0x7f5a1c000100 p"; echo what; tail -n +9 "$Q/plain"; } >"$Q/bad"
run kd --vmlinux "$Q/vmlinux" -c "$Q/bad"
out <"$Q/want"
status 1
err 'bad:9:28: no address after pc=: the line is damaged: "exec_tb tb:0x7f5a1c000100 p"; 2 such lines left out'

begin "kd: a symbol that vmlinux does not have"
echo "1.5 no_such_function + 8 in section .text" >"$Q/unknown"
run kd --vmlinux "$Q/vmlinux" "$Q/unknown"
status 2
err 'unknown:1:5: not a trace of QEMU: vmlinux has no such symbol: give the vmlinux of the traced kernel'

begin "kd: lines that are damaged: each message names what was expected"
for damaged in '4491@14.5:exec_tb tb:0x7f pc=0x1' '1.5' '1.5 name' '1.5 a + x in section .text' 'exec_tb x' \
	'Trace 0: 0x7f' 'exec_tb 1 pid=1 tb=0x7f pc=0x1
exec_tb 4611686018427387 pid=1 tb=0x7f pc=0x1'; do
	echo "$damaged" >"$Q/one"
	kd --input qemu --vmlinux "$Q/vmlinux" -f F -n 0 "$Q/one" 2>&1 >"$Q/log" | grep one: | sed 's|^kd: .*/one:||'
done >"$Q/messages"
run cat "$Q/messages"
out <<'E'
1:9: not a trace of QEMU: no time: expected PID@SECONDS.MICROSECONDS: "4491@14.5:exec_tb tb:0x7f pc=0x1"
1:4: not a trace of QEMU: no time: expected MICROSECONDS and a blank: "1.5"
1:5: not a trace of QEMU: expected SYMBOL in section NAME, or an address in hex: "1.5 name"
1:9: not a trace of QEMU: no decimal offset after +: "1.5 a + x in section .text"
1:1: not a trace of QEMU: no time after the event: the line is damaged: "exec_tb x"
1:14: not a trace of QEMU: no [ADDRESS] after the block: the line is damaged: "Trace 0: 0x7f"
2:1: the time is too large to count in nanoseconds: the line is damaged: "exec_tb 4611686018427387 pid=1 tb=0x7f pc=0x1"; 1 such line left out
E

begin "kd: records of simpletrace that are damaged: each message names what was expected"
{ cat "$Q/binary"; echo 8 2 | binary; } >"$Q/kind"
{ cat "$Q/binary"; printf '8 1 5 9\n4 17 0\n' | binary; } >"$Q/short"
head -c -20 "$Q/binary" >"$Q/cut"
head -c 70 "$Q/binary" >"$Q/first"
run sh -c 'cd "$1" && for i in kind short cut first; do
	kd --vmlinux vmlinux -f F -n 1 $i 2>&1 >/dev/null | grep byte; done' sh "$Q"
out <<'E'
kd: kind: byte 3355: the record is neither a mapping nor an event: the trace is damaged; the rest is left out
kd: short: byte 3355: the record is shorter than its header: the trace is damaged; the rest is left out
kd: cut: byte 3307: the trace ends in the middle of a record: copy it again; the rest is left out
kd: first: not a trace of QEMU: byte 59: the trace ends in the middle of a record: copy it again
E

begin "kd: a trace of QEMU without vmlinux"
run kd "$Q/plain"
status 2
err "plain: a trace of QEMU has only the addresses of blocks; give the vmlinux of the traced kernel: --vmlinux FILE"

begin "kd: a trace of QEMU with what is no vmlinux"
echo text >"$Q/no"
run kd --vmlinux "$Q/no" "$Q/plain"
status 2
err "$Q/no"

# A trace of a small kernel by QEMU 7.2. Its source says how often it calls what, and in which order it
# switches between its tasks.
S=$DATA/foreign/small
{
	printf '%s,%s\n' '[kernel entry]' 1 __switch_to 16 cpu_switch_to 16 do_initcalls 3 do_svc 5 \
		el1h_64_sync 5 first_init 3 jumped 7 jumps 7 leaf 103 power_off 1 recursive 10 \
		ret_from_fork 2 run_first 4 run_second 4 run_threads 1 schedule 8 schedule_tail 2 \
		second_init 3 start_kernel 1 thread 2 turn 8 vectors 5
	printf 'switch %s\n' 1 0 2 0 2 0 1 0 2 0 1 0 2 0 1 0
} >"$Q/small.want"
# shellcheck disable=SC2016 # another shell has the arguments
show_small='kd --vmlinux "$1.vmlinux" --csv -f Fc "$2" 2>/dev/null |
		sed -n "/^#/d; /^function,/d; s/,\$//p" | sort
	kd --vmlinux "$1.vmlinux" -k "$2" | grep -o "switch .*"'
begin "kd: calls and switches of a small kernel that QEMU has run"
run sh -c "$show_small" sh "$S" "$S.blocks"
out <"$Q/small.want"
err "of 16 switches 0 could"

# make_small FOLDER: builds and traces it.
make_small() {
	aarch64-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--build-id=none,-z,max-page-size=4096 \
		-Wl,-Ttext=0xffffff8040080000 -o "$1/small" "$S.S" &&
		aarch64-linux-gnu-objcopy --change-section-lma .text=0x40080000 "$1/small" "$1/small.vmlinux" &&
		timeout 100 qemu-system-aarch64 -M virt -cpu cortex-a57 -display none -serial none \
			-monitor none -kernel "$1/small.vmlinux" \
			-plugin "$BIN/kfi-qemu.so,out=$1/small.blocks"
}
begin "kd: the same, traced now"
needs_command aarch64-linux-gnu-gcc
needs_command qemu-system-aarch64
grep -q __asan_init "$BIN/kfi-qemu.so" && skip="QEMU cannot load a plugin with sanitizers"
[ -n "$skip" ] || make_small "$Q"
run sh -c "$show_small" sh "$Q/small" "$Q/small.blocks"
out <"$Q/small.want"
err "of 16 switches 0 could"

begin "kd: the trace of the page is of this kernel"
run kd --vmlinux "$DATA/foreign/qemu.vmlinux" -c "$DATA/foreign/qemu.txt"
out <"$Q/want"
err "3 calls are jumps"

begin "kd: --input qemu forces the format"
{ echo "a line before"; cat "$Q/plain"; } >"$Q/forced"
run kd --input qemu --vmlinux "$Q/vmlinux" -c "$Q/forced"
out <"$Q/want"
status 1
err "forced:1:1: neither a block nor an event of QEMU"

begin "addr2sym: QEMU's blocks, line by line"
for form in plain stamped simple exec old bare named; do
	sed -n '/^[^ ]*exec_tb_exit/d; /ffffffff81000005$/p; /ffffffff81000005[^0]/p; / fe05b$/p; /fe05b\//p' "$Q/$form" | head -n 2
done >"$Q/some"
printf 'Stopped execution of TB chain before 0x7f [ffffffff81000200] indirect\n' >>"$Q/some"
run addr2sym --vmlinux "$Q/vmlinux" "$Q/some"
out <<'E'
exec_tb tb:0x7f5a1c000100 pc=start_kernel+0x5
44@1400000000.000008:exec_tb tb:0x7f pc=start_kernel+0x5
exec_tb 0.500 pid=44 tb=0x7f pc=start_kernel+0x5
Trace 0: 0x7f [0000000000000000/fe05b/00000121/ff000200] name
Trace 0: 0x7f [0000000000000000/start_kernel+0x5/00000121/ff000200] name
Trace 0x7f [start_kernel+0x5] name
11409436.25 fe05b
11409442.85 start_kernel+0x5
11409436.25 fe05b
11409442.85 start_kernel+0x5
Stopped execution of TB chain before 0x7f [indirect] indirect
E
err "blocks are in no symbol of $Q/vmlinux: left as they are"

begin "kd: ranges that the user names: when they ran first and last, and for how long"
run kd --vmlinux "$Q/vmlinux" --range shim=0x7c00-0x7dff,init=0x400000-0x40000f,libs=400010-7fffffff \
	--func 're:^\[|start_kernel' -s +first -f function,count,first,last,total "$Q/plain"
out <<'E'
Function                            Count First      Last       Time    
----------------------------------- ----- ---------- ---------- --------
[firmware]                              1          0          2        2
[shim]                                  1          2          3        1
[decompressor]                          1          3          4        1
[libs]                                  3          4         33        2
start_kernel                            1          5         28       23
[init]                                  1         28         29        1
E
err "3 calls are jumps"

begin "kd: stages are those of ranges in a file"
printf '# of this board\nshim=0x7c00-0x7dff\r\n\nbios=0xfe000-0xfffff\n' >"$Q/ranges"
run kd --vmlinux "$Q/vmlinux" --range "@$Q/ranges" -k -n 5 "$Q/plain"
out <<'E'
 Entry     Cpu  Task   Name            Ctx Mark
---------- --- ------- --------------- --- --------
         0   0       0 swapper           t stage [firmware]
         1   0       0 swapper           t stage [bios]
         2   0       0 swapper           t stage [shim]
         3   0       0 swapper           t stage [decompressor]
         4   0       0 swapper           t stage [kernel entry]
E
err "3 calls are jumps"

# A module at 0xffffffffc0000000, a program that has an address, and one without symbols that has none.
cat >"$Q/my-mod.S" <<'X'
	.text
	.globl	mod_call
	.type	mod_call, @function
mod_call:
	call	setup
	call	mod_local
	jmp	tailer
	.balign	64
	.type	mod_local, @function
mod_local:
	ret
	.section .init.text, "ax"
	.type	mod_init, @function
mod_init:
	ret
	.section .text.late, "ax"
	.balign	256
	.type	mod_late, @function
mod_late:
	ret
X
cat >"$Q/prog.S" <<'X'
	.text
	.globl	_start
	.type	_start, @function
_start:
	call	work
	hlt
	.balign	16
	.type	work, @function
work:
	ret
X
(
	cd "$Q" && ${CC:-cc} -m64 -c my-mod.S && mv my-mod.o my-mod.ko && ${CC:-cc} -m64 -c prog.S &&
	ld -m elf_x86_64 --build-id=none -Ttext=0x401000 -e _start -o prog prog.o &&
	ld -m elf_x86_64 --build-id=none -pie -no-dynamic-linker -Ttext=0x1000 -e _start -o lib prog.o && strip lib
) >"$Q/log" 2>&1 || sed 's/^/# /' "$Q/log"
{
	for b in +000 +005 c0000000 +100 c0000005 c0000040 c000000a +300 +400 +007 c0000100 +007; do
		case $b in
		+*) echo "ffffffff81000${b#+}" ;;
		*) echo "ffffffff$b" ;;
		esac
	done
	printf '%s\n' 401000 401010 401005 7f0000001000 7f0000001010 401005 500000
} | sed 's/.*/exec_tb tb:0x7f5a1c000100 pc=0x&/' >"$Q/elf"
begin "kd: modules and programs by their symbols"
run kd --vmlinux "$Q/vmlinux" --elf "$Q/my-mod.ko=0xffffffffc0000000,$Q/prog,$Q/lib=7f0000000000" -c "$Q/elf"
out <<'E'
 Trace 
---------------------------------
# stage [kernel]
start_kernel
|  mod_call[my_mod]
|  |  setup
|  |  mod_local[my_mod]
|  |  tailer
|  |  |  tailed
|  mod_late[my_mod]
_start[prog]
work[prog]
_start[prog]
[lib]
_start[prog]
[user space]
E
err "2 calls are jumps"

begin "kd: modules and programs from a file, and what is none"
printf '# at boot\n%s=ffffffffc0000000\r\n' "$Q/my-mod.ko" >"$Q/elves"
# shellcheck disable=SC2016 # another shell has the arguments
run sh -c 'kd --vmlinux "$1/vmlinux" --elf "@$1/elves" --csv -f Fc --func "re:mod_" "$1/elf" 2>/dev/null |
		grep mod_.*,
	for e in "" =1 "$1/my-mod.ko" "$1/lib" "$1/prog=" "$1/prog=x" "$1/k.S=1" "$1/my-mod.o=1"; do
		kd --vmlinux "$1/vmlinux" --elf "$e" "$1/elf" 2>&1 | sed "s|$1/||g"
	done' sh "$Q"
out <<'E'
mod_call[my_mod],1,
mod_late[my_mod],1,
mod_local[my_mod],1,
kd: --elf : expected FILE=ADDRESS
kd: --elf =1: expected FILE=ADDRESS
kd: my-mod.ko: the file can be loaded anywhere; give its address: --elf my-mod.ko=ADDRESS
kd: lib: the file can be loaded anywhere; give its address: --elf lib=ADDRESS
kd: --elf prog=: expected FILE=ADDRESS
kd: --elf prog=x: expected an address in hex
kd: k.S: not an ELF file: unpack it if it is compressed
kd: Problem opening file: my-mod.o: No such file or directory
E

# The kernel calls the same functions again and again, where it was linked to and 2 MiB above.
for i in 1 2 3 4 5 6 7 8; do
	[ $i = 1 ] && printf '%s\n' 7c00
	for b in 000 100 005 200 201 007 300 400; do
		echo "ffffffff81000$b"
	done
done | sed 's/.*/exec_tb tb:0x7f5a1c000100 pc=0x&/' >"$Q/linked"
sed 's/=0xffffffff810/=0xffffffff812/' "$Q/linked" >"$Q/moved"
kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/linked" >"$Q/linked.want" 2>"$Q/log"
begin "kd: a trace shows how far KASLR has moved the kernel"
run kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/moved"
out <"$Q/linked.want"
err "the kernel was 0x200000 above the addresses of vmlinux"

# As a kernel begins: an instruction with a rep prefix is a block each time, and the stack pointer goes to
# another stack.
early() {
	awk -v moved="$1" 'BEGIN {
		n = split("000 100 005 200 201 007 300 400", block, " ")
		stack[1] = "ffffc90000003f00"
		stack[3] = "ffffc9000000be00"
		for (i = 1; i <= 8; i++)
			for (b = 1; b <= n; b++)
				for (k = i == 1 && b == 5 ? 600 : 1; k; k--)
					print 0, "ffffffff81" moved block[b], 3, i == 1 && b in stack ? stack[b] " c3" : ""
	}'
}
early 000 | fake x86_64 1 "$Q/early"
early 200 | fake x86_64 1 "$Q/early-moved"
kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/early" >"$Q/early.want" 2>"$Q/log"
begin "kd: a moved kernel that clears memory and changes its stack early"
run kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/early-moved"
out <"$Q/early.want"
err "the kernel was 0x200000 above the addresses of vmlinux"

begin "kd: the user says how far KASLR has moved the kernel"
head -n 10 "$Q/moved" >"$Q/moved.short"
head -n 10 "$Q/linked" >"$Q/linked.short"
kd --vmlinux "$Q/vmlinux" -c -i -f etlp "$Q/linked.short" >"$Q/linked.want" 2>"$Q/log"
run kd --vmlinux "$Q/vmlinux" --kaslr 0x200000 -c -i -f etlp "$Q/moved.short"
out <"$Q/linked.want"
err "the kernel was 0x200000 above the addresses of vmlinux"

begin "kd: too few blocks to see how far the kernel was moved, and what is no offset"
# shellcheck disable=SC2016 # another shell has the arguments
run sh -c 'kd --vmlinux "$1/vmlinux" --csv -f Fc "$1/moved.short" 2>&1 | grep "^.kernel code"
	kd --vmlinux "$1/vmlinux" --kaslr 2M "$1/moved.short"' sh "$Q"
status 2
out <<'E'
[kernel code without symbols],1,
E
err "--kaslr 2M: expected an offset in hex"

begin "kd: a range in which no block ran"
run kd --vmlinux "$Q/vmlinux" --range none=1-2,shim=0x7c00-0x7dff,kernel=0xffffffff81000000-0xffffffff81000fff \
	--func start_kernel -f Fc "$Q/plain"
err "--range: no block outside vmlinux ran in [none] [kernel]"

begin "kd: a function that an unknown one has called is first called by none"
run kd --vmlinux "$Q/vmlinux" --first --csv "$Q/plain"
out_has "5000,23000,6000,0,swapper,0,t,start_kernel,-,"
out_has "6000,1000,1000,0,swapper,0,t,setup,start_kernel,"
out_has "30000,3000,2000,0,swapper,0,t,entry_SYSCALL_64,-,"
err "3 calls are jumps"

begin "kd: what is no range"
run sh -c 'for r in a a= a=1 a=1- a=2-1 =1-2 a=1-2, a=0x1-g @/nonexistent; do kd --vmlinux "$1/vmlinux" --range "$r" "$1/plain"; done 2>&1 | sed "s/: expected NAME=FROM-TO with .*//"' sh "$Q"
out <<'E'
kd: --range a
kd: --range a=
kd: --range a=1
kd: --range a=1-
kd: --range a=2-1
kd: --range =1-2
kd: --range 
kd: --range a=0x1-g
kd: Problem opening file: /nonexistent: No such file or directory
E

begin "kd: --range and --event of another format"
run sh -c 'kd --range a=1-2 "$1"; kd --elf a=1 "$1"; kd --kaslr 1 "$1"; kd --event x "$1"' sh "$DATA/format3.lst"
status 2
err "--range is for traces of QEMU"
err "--elf is for traces of QEMU"
err "--kaslr is for traces of QEMU"
err "--event is for output of perf script"
