# SPDX-License-Identifier: GPL-2.0
# Symbols from ELF files, vmlinux and modules, made here: build id, statics of one name, modules and
# their init text, another kernel, another build.
E=$tmp/elf
mkdir -p "$E/mods/deep" "$E/other" "$E/none"
ELF_ID=00112233445566778899aabbccddeeff00112233
# What the linker names at the ends of code it has from a script in a kernel; here all is one piece.
cat >"$E/main.c" <<'X'
__asm__(".globl _text, _stext\n_text:\n_stext:\n");
static __attribute__((noinline, aligned(64))) void create_dir(void) { __asm__(""); }
void __attribute__((aligned(64))) start_kernel(void) { create_dir(); __asm__(""); }
extern void alias_of_start(void) __attribute__((weak, alias("start_kernel")));
void __attribute__((weak, aligned(64))) arch_idle(void) { __asm__(""); }
int jiffies = 1;
X
cat >"$E/dir.c" <<'X'
static __attribute__((noinline, aligned(64))) void create_dir(void) { __asm__(""); }
void __attribute__((aligned(64))) sysfs_create(void) { create_dir();
	__asm__("nop"); }
X
cat >"$E/mod.c" <<'X'
__attribute__((section(".init.text"), used)) static int setup(void) { return 1; }
__attribute__((aligned(64))) int probe(void) { return 2; }
__attribute__((aligned(64))) int remove_it(void) { return 3; }
__attribute__((section(".exit.text"), used, aligned(32))) static int leave(void) { return 4; }
X
(
	cd "$E" || exit
	CC="${CC:-cc} -m64 -O1 -fno-pic -fno-pie -mcmodel=large -fno-stack-protector -fcf-protection=none"
	$CC -c main.c dir.c && $CC -c mod.c -o mods/deep/my-mod.ko &&
	$CC -nostdlib -static -no-pie -Wl,-e,start_kernel -Wl,-Ttext=0x10000000 \
		-Wl,--build-id=0x$ELF_ID -o vmlinux main.o dir.o
	objcopy --add-section .text.more=/dev/null mods/deep/my-mod.ko 2>/dev/null
	nm vmlinux | grep -v ' [aA] ' >map
	# The same with debug information, compiled in another folder than its sources are in.
	mkdir -p src/init src/fs/sysfs src/drv obj/mods && cp main.c src/init && cp dir.c src/fs/sysfs &&
	cp mod.c src/drv && cd obj &&
	$CC -g -c "$E/src/init/main.c" "$E/src/fs/sysfs/dir.c" &&
	$CC -g -c "$E/src/drv/mod.c" -o mods/my_mod.ko && gzip mods/my_mod.ko &&
	$CC -nostdlib -static -no-pie -Wl,-e,start_kernel -Wl,-Ttext=0x10000000 \
		-Wl,--build-id=0x$ELF_ID -o vmlinux main.o dir.o
) >"$E/log" 2>&1
if [ -s "$E/map" ]; then ELF=$E/vmlinux; else ELF=; fi
address_of() { printf '0x%016x' $((0x$(awk -v n="$1" '$3 == n && !done { print $1; done = 1 }' "$E/map") + ${2:-0})); }
# Address of the second of two of a name.
second_address_of() { printf '0x%016x' 0x$(awk -v n="$1" '$3 == n { a = $1 } END { print a }' "$E/map"); }
row() { echo "$1 1 1 $2 $3 ${1}000 1000 1000 0 1 t 1 -"; }
elf_log() {
	cat <<X
Kernel Instrumentation Run ID 0

Text = $(address_of _text)
KASLR offset = 0x0
Module = my_mod 0xffffffffa0000000 4096 0xffffffffa0010000 4096 0 100 200
Build id = ${1:-$ELF_ID}

 Entry    Delta    PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
X
}
begin_elf() {
	begin "$1"
	needs ELF
}
if [ -n "$ELF" ]; then
	elf_log >"$E/log"
	P=$(nm "$E/mods/deep/my-mod.ko" | awk '$3 == "remove_it" { print $1 }')
	T=$(objdump -h "$E/mods/deep/my-mod.ko" | awk '$2 == ".text" { print $3 }')
	T=$(printf '%x' $(((0x$T + 31) & ~31)))
	# Where the call in sysfs_create() returns to: another line begins there.
	R=$(objdump -d "$E/vmlinux" | awk '/<sysfs_create>:/ { on = 1 }
		on && ret { sub(":", "", $1); print $1; exit }
		on && /call/ { ret = 1 }')
	{
		row 1 "$(address_of start_kernel)" "$(address_of start_kernel 5)"
		row 2 "$(address_of create_dir)" "$(address_of start_kernel 5)"
		row 3 "$(second_address_of create_dir)" "$(printf '0x%016x' "0x$R")"
		row 4 "$(address_of arch_idle)" "$(second_address_of create_dir)"
		row 5 "$(printf '0xffffffffa%07x' "0x$P")" 0xffffffffa0010000
		row 6 "$(printf '0xffffffffa%07x' "0x$T")" "$(address_of start_kernel)"
	} >"$E/rows"
	cat "$E/log" "$E/rows" >"$E/elf.log"
	{
		cat "$E/elf.log"
		row 9 0xdead 0xdead
	} >"$E/elf9.log"
	# A profile of one function.
	{
		echo ' Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed'
		echo '-------- ----- -------- -------- ------ ------ ------ ------ -------'
		echo "$(address_of start_kernel) 2 5000 5000 1000 4000 0 0 0"
	} >"$E/profile"
fi

begin_elf 'addr2sym: --vmlinux and --modules: statics and modules are told apart'
run sh -c "addr2sym --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/elf.log' | tail -n 6 | sed 's/create+0x[0-9a-f]*/create+0xc/'"
out <<'X'
1 1 1 start_kernel       start_kernel+0x5   1000 1000 1000 0 1 t 1 -
2 1 1 create_dir@main.c  start_kernel+0x5   2000 1000 1000 0 1 t 1 -
3 1 1 create_dir@dir.c   sysfs_create+0xc   3000 1000 1000 0 1 t 1 -
4 1 1 arch_idle          create_dir@dir.c   4000 1000 1000 0 1 t 1 -
5 1 1 remove_it[my_mod]  setup[my_mod]      5000 1000 1000 0 1 t 1 -
6 1 1 leave[my_mod]      start_kernel       6000 1000 1000 0 1 t 1 -
X

begin_elf 'addr2sym: an ELF file is told by its beginning, also as a map'
run sh -c "addr2sym -m '$E/vmlinux' --modules '$E/mods' '$E/elf.log' | tail -n 6 | head -n 1"
out <<'X'
1 1 1 start_kernel       start_kernel+0x5   1000 1000 1000 0 1 t 1 -
X

begin_elf 'addr2sym: a compressed vmlinux'
run sh -c "gzip -c '$E/vmlinux' >'$E/vmlinux.gz'; addr2sym --vmlinux '$E/vmlinux.gz' --modules '$E/mods' '$E/elf.log' | tail -n 6 | head -n 1"
out <<'X'
1 1 1 start_kernel       start_kernel+0x5   1000 1000 1000 0 1 t 1 -
X

for compressor in gzip:gz xz:xz zstd:zst; do
	begin_elf "addr2sym: modules that ${compressor%:*} has compressed"
	cp -r "$E/mods" "$E/packed"
	find "$E/packed" -name '*.ko' -exec "${compressor%:*}" -q {} +
	run addr2sym --vmlinux "$E/vmlinux" --modules "$E/packed" "$E/elf.log"
	tail -n 2 "$tmp/out" >"$E/rows" && mv "$E/rows" "$tmp/out"
	rm -r "$E/packed"
	out <<-'X'
	5 1 1 remove_it[my_mod]  setup[my_mod]      5000 1000 1000 0 1 t 1 -
	6 1 1 leave[my_mod]      start_kernel       6000 1000 1000 0 1 t 1 -
	X
done

begin_elf 'addr2sym: without --modules what is in a module is so far into it'
run sh -c "addr2sym --vmlinux '$E/vmlinux' '$E/elf.log' | tail -n 2 | cut -c 1-40"
out <<X
5 1 1 [my_mod]+0x$(printf '%x' 0x$P)      [my_mod:init]  
6 1 1 [my_mod]+0x$(printf '%x' 0x$T)      start_kernel   
X

begin_elf 'addr2sym: the vmlinux of another kernel is told by its build id'
run sh -c "sed 's/^Build id.*/Build id = 99/' '$E/elf.log' >'$E/wrong'; addr2sym --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/wrong' >'$E/out'; echo \$?"
out <<'X'
1
X
err "vmlinux: belongs to another kernel than "
err ": its build id is $ELF_ID, the log says 99"

begin_elf 'kd: with a map alone statics of one name are one, and a note reports that'
run sh -c "kd --map '$E/map' --modules '$E/mods' -f Fc --func create_dir '$E/elf.log'
	sed '/^2 /d' '$E/elf.log' | kd --map '$E/map' --modules '$E/mods' -f Fc --func create_dir - 2>&1
	kd --vmlinux '$E/vmlinux' --modules '$E/mods' -f Fc --func create_dir '$E/elf.log' 2>&1"
out <<'X'
Function                            Count
----------------------------------- -----
create_dir                              2
Function                            Count
----------------------------------- -----
create_dir                              1
Function                            Count
----------------------------------- -----
create_dir@dir.c                        1
create_dir@main.c                       1
X
err 'kd: note: names that stand for several functions: 1, such as create_dir; --vmlinux tells the functions apart'

begin_elf 'kd --json: the vmlinux of another kernel: programs are told, too'
run sh -c "kd --json --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/wrong' 2>/dev/null | sed -n '/notes/,\$p' |
	sed 's/\"[^\" ]*vmlinux:/\"vmlinux:/;s/than [^ ]*:/than it:/;s/\"[^\" ]*wrong:/\"it:/'"
out <<X
],"notes":[
"vmlinux: belongs to another kernel than it: its build id is $ELF_ID, the log says 99",
"the log does not say how long calls were switched out, or interrupted",
"it: names may be wrong: see the messages above"],
"format":"kfi","kernel":null,"build_id":"99","clock":null,"filters":null,"sampled":null,"lost":0,"start_us":null,"stop_us":null,"total_us":null,
"status":1}
X

begin_elf 'addr2sym: a module of another build is not used'
run sh -c "sed 's/^\\(Module.*\\) 4096 \\(.*\\) 4096/\\1 81920 \\2 4096/' '$E/elf.log' >'$E/wrong'; addr2sym --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/wrong' | grep -c '\\[my_mod\\]+'"
out <<'X'
2
X
err 'my-mod.ko: a module of another build: its text takes '
err ' bytes, the log says 81920'

begin_elf 'addr2sym: a module of another machine is not used'
run sh -c "sed 's/^Module = my_mod 0xffffffff/Module = my_mod 0x/' '$E/elf.log' >'$E/wrong'; addr2sym --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/wrong' | wc -l"
err 'my-mod.ko: a module of another machine, of 64 bits'

begin_elf 'addr2sym: a module that is not in the folder'
run sh -c "sed 's/^Module = my_mod/Module = your_mod/' '$E/elf.log' | addr2sym --vmlinux '$E/vmlinux' --modules '$E/mods' | tail -n 1 | cut -c 1-14"
out <<'X'
6 1 1 [your_mo
X
err '/mods: no module your_mod in this folder'

begin_elf 'addr2sym: debug information has whole paths, and lines'
run sh -c "addr2sym --srcline --vmlinux '$E/obj/vmlinux' --modules '$E/obj/mods' '$E/elf.log' | tail -n 6 | sed 's/  *[1-9]000 .*#/ #/; s/create+0x[0-9a-f]*/create+0xc/'"
out <<'X'
1 1 1 start_kernel       start_kernel+0x5 # init/main.c:3 < init/main.c:3
2 1 1 create_dir@init/main.c start_kernel+0x5 # init/main.c:2 < init/main.c:3
3 1 1 create_dir@fs/sysfs/dir.c sysfs_create+0xc # fs/sysfs/dir.c:1 < fs/sysfs/dir.c:2
4 1 1 arch_idle          create_dir@fs/sysfs/dir.c # init/main.c:5 < fs/sysfs/dir.c:1
5 1 1 remove_it[my_mod]  setup[my_mod] # drv/mod.c:3 < drv/mod.c:1
6 1 1 leave[my_mod]      start_kernel # drv/mod.c:4 < init/main.c:3
X

begin_elf 'kd: a listing with lines'
run sh -c "addr2sym --srcline --vmlinux '$E/obj/vmlinux' --modules '$E/obj/mods' '$E/elf.log' | kd -f Fc -n 1 -s F -"
out <<'X'
Function                            Count
----------------------------------- -----
start_kernel                            1
X

begin_elf 'addr2sym: lines in a historic log, behind CR LF, behind arguments'
run sh -c "addr2sym --srcline --vmlinux '$E/obj/vmlinux' - >'$E/old.lst'; tr '\r' @ <'$E/old.lst'; kd -f F '$E/old.lst'" <<X
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 $(address_of start_kernel) $(address_of start_kernel 5)$(printf '\r')
X
out <<'X'
 Entry    Delta     PID        Function                        Caller
-------- -------- -------- ----------------                 ------------
       0      100        1 start_kernel       start_kernel+0x5  # init/main.c:3 < init/main.c:3@
Function                           
-----------------------------------
start_kernel                       
X

begin_elf 'addr2sym: --srcline without debug information'
run sh -c "addr2sym --srcline --vmlinux '$E/vmlinux' --modules '$E/mods' '$E/elf.log' | tail -n 1"
out <<'X'
6 1 1 leave[my_mod]      start_kernel       6000 1000 1000 0 1 t 1 -  # ? < ?
X
err 'addr2sym: no row has a source line: the symbols have no debug information'

LINES="--srcline --vmlinux $E/obj/vmlinux --modules $E/obj/mods"
begin_elf 'kd --srcline: the last column of a table'
run kd $LINES -f Fc -s +F "$E/elf.log"
out <<'X'
Function                            Count Source
----------------------------------- ----- --------
arch_idle                               1 init/main.c:5
create_dir@fs/sysfs/dir.c               1 fs/sysfs/dir.c:1
create_dir@init/main.c                  1 init/main.c:2
leave[my_mod]                           1 drv/mod.c:4
remove_it[my_mod]                       1 drv/mod.c:3
start_kernel                            1 init/main.c:3
X

begin_elf 'kd --srcline: behind the names of a trace, of a tree, in braces'
run sh -c "kd $LINES -c -f e '$E/elf.log' | tail -n 1
	kd $LINES -c -r '$E/elf.log' | tail -n 1
	kd $LINES --tree -f c '$E/elf.log' | tail -n 2
	sed '/^1 /s/^1 1 /1 2 /;/^1 /s/ 1000 1000 1000 / 1000 2500 500 /;/^2 /s/1 t/2 t/' '$E/elf.log' |
		kd $LINES --braces - | sed -n '3,6p'"
out <<'X'
         6 leave[my_mod]  # drv/mod.c:4
leave[my_mod]  # drv/mod.c:4
       1   remove_it[my_mod]  # drv/mod.c:3
       1   start_kernel  # init/main.c:3
start_kernel() { /* init/main.c:3 */
  create_dir@init/main.c(); /* init/main.c:2 */
} /* start_kernel */
create_dir@fs/sysfs/dir.c(); /* fs/sysfs/dir.c:1 */
X

begin_elf 'kd --srcline: for programs: a key of each row, null where it is not known'
run sh -c "for how in '' -c --tree --first --longest --gaps --diff; do
		[ \"\$how\" = --diff ] && set -- '$E/elf9.log'
		kd $LINES --json \$how \"\$@\" '$E/elf9.log' 2>/dev/null |
			grep -e 'start_kernel\"' -e '0xdead\"' | sed 's/.*,\"source\"/source/;s/,\$//' |
			sort | paste -sd ' '
	done
	kd $LINES --csv -f F -s +F '$E/elf9.log' 2>/dev/null | grep -v '^# ' | head -n 3"
out <<'X'
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
source:"init/main.c:3"} source:null}
function,source,unsure
0xdead,,
arch_idle,init/main.c:5,
X

begin_elf 'kd --srcline: a profile'
run sh -c "sed '/^ Entry/,\$d' '$E/elf.log' | sed '/^\$/d' | cat - '$E/profile' | kd $LINES -f Fc -"
out <<'X'
Function                            Count Source
----------------------------------- ----- --------
start_kernel                            2 init/main.c:3
X
err 'kd: note: a profile'

begin_elf 'kd --srcline: without debug information'
run kd --srcline --vmlinux "$E/vmlinux" --modules "$E/mods" -f F -n 1 "$E/elf.log"
status 1
out <<'X'
Function                            Source
----------------------------------- --------
arch_idle                           ?
X
err 'kd: no function has a source line: the symbols have no debug information, or the log has names instead of addresses'

begin_elf 'kd --srcline --diff: without debug information'
run sh -c "kd --srcline --vmlinux '$E/vmlinux' --modules '$E/mods' --diff '$E/elf.log' '$E/elf.log' >'$E/out'"
status 1
err 'kd: no function has a source line: the symbols have no debug information, or the log has names instead of addresses'
err 'kd: note: slower: 0'
err 'kd: note: too few logs to know what is noise'

begin 'kd --srcline: without symbols'
run kd --srcline "$DATA/format3.log"
status 2
err 'kd: --srcline needs --vmlinux, or other symbols'

begin_elf 'sym2addr: --vmlinux with debug information: candidates with their paths'
run sym2addr --vmlinux "$E/obj/vmlinux" - <<'X'
begin trigger start entry create_dir trigger stop time 1 end
X
status 1
err "	$(address_of create_dir) t create_dir@init/main.c"
err "	$(second_address_of create_dir) t create_dir@fs/sysfs/dir.c"

begin_elf 'sym2addr: --vmlinux: candidates with their files'
run sym2addr --vmlinux "$E/vmlinux" - <<'X'
begin
trigger start entry start_kernel
trigger stop entry create_dir
end
X
status 1
out </dev/null
err 'sym2addr: standard input:3:20: "create_dir" is ambiguous, give one of 2 by address:'
err "	$(address_of create_dir) t create_dir@main.c"
err "	$(second_address_of create_dir) t create_dir@dir.c"

begin_elf 'sym2addr: one of them by its file'
run sym2addr --vmlinux "$E/vmlinux" - <<'X'
# of create_dir@nowhere.c nothing is reported in a comment
begin trigger start entry create_dir@fs/sysfs/dir.c trigger stop entry create_dir@main.c
filter funclist create_dir@dir.c, start_kernel fend end
X
out <<X
# of create_dir@nowhere.c nothing is reported in a comment
begin trigger start entry $(second_address_of create_dir) trigger stop entry $(address_of create_dir)
filter funclist $(second_address_of create_dir), $(address_of start_kernel) fend end
X

begin_elf 'sym2addr: with debug information by the end of its path'
run sym2addr --vmlinux "$E/obj/vmlinux" - <<'X'
begin trigger start entry create_dir@sysfs/dir.c trigger stop entry start_kernel@init/main.c end
X
out <<X
begin trigger start entry $(second_address_of create_dir) trigger stop entry $(address_of start_kernel) end
X

begin_elf 'sym2addr: a file that it is not in, a path that is another one'
run sym2addr --vmlinux "$E/obj/vmlinux" - <<'X'
begin trigger start entry start_kernel@fs/sysfs/dir.c trigger stop entry create_dir@proc/dir.c end
X
status 1
out </dev/null
err 'sym2addr: standard input:1:27: no function "start_kernel" is known in fs/sysfs/dir.c'
err 'sym2addr: standard input:1:74: "create_dir" is ambiguous, give one of 2 by address:'

begin_elf 'sym2addr: a file behind what is no function'
run sym2addr --vmlinux "$E/vmlinux" - <<'X'
begin trigger start time 5@x end
X
status 1
out </dev/null
err "sym2addr: standard input:1:26: '5@x', where a time"

begin_elf 'sym2addr: --vmlinux: all aliases are known'
run sym2addr --vmlinux "$E/vmlinux" - <<'X'
begin trigger start entry alias_of_start trigger stop entry arch_idle end
X
out <<X
begin trigger start entry $(address_of start_kernel) trigger stop entry $(address_of arch_idle) end
X

begin_elf 'sym2addr: --kallsyms has modules'
run sh -c "echo '00000000bf001234 t probe [my_mod]' >'$E/kall'; sym2addr --vmlinux '$E/vmlinux' --kallsyms '$E/kall' -" <<'X'
begin trigger start entry start_kernel trigger stop entry probe end
X
out <<X
begin trigger start entry $(address_of start_kernel) trigger stop entry 0xbf001234 end
X
err 'kall: no _text or _stext that '
err '/vmlinux has, too: cannot check where the kernel was loaded'

# The same kernel, 0x5000000 higher, with a module that has a function of a name of the kernel's.
if [ -n "$ELF" ]; then
	awk '{ print "000000001" substr($1, 10) " " $2 " " $3 }' "$E/map" | sed 's/^0000000010/0000000015/' >"$E/moved"
	echo '00000000bf001234 t arch_idle [my_mod]' >>"$E/moved"
fi

begin_elf 'sym2addr: --kallsyms says where the kernel of --vmlinux ran'
run sym2addr --vmlinux "$E/vmlinux" --kallsyms "$E/moved" - <<'X'
begin trigger start entry create_dir@dir.c trigger stop entry arch_idle end
X
out <<X
begin trigger start entry $(second_address_of create_dir | sed s/0x0000000010/0x0000000015/) trigger stop entry $(address_of arch_idle | sed s/0x0000000010/0x0000000015/) end
X
err 'vmlinux: the kernel ran 0x5000000 higher, by '
err '/moved: addresses are shifted'

begin_elf 'sym2addr: --kallsyms says where the candidates ran'
run sym2addr --vmlinux "$E/vmlinux" --kallsyms "$E/moved" - <<'X'
begin trigger start entry create_dir trigger stop time 1 end
X
status 1
out </dev/null
err "	$(second_address_of create_dir | sed s/0x0000000010/0x0000000015/) t create_dir@dir.c"

begin_elf 'sym2addr: --map is where the kernel ran, --vmlinux is not'
run sym2addr --vmlinux "$E/vmlinux" --map "$E/moved" - <<'X'
begin trigger start entry start_kernel trigger stop time 1 end
X
status 1
out </dev/null
err "sym2addr: standard input:1:27: \"start_kernel\" is at $(address_of start_kernel | sed s/0x0*/0x/) by "
err "/vmlinux, but at $(address_of start_kernel | sed s/0x0*10/0x15/) by "

begin_elf 'sym2addr: --kallsyms is of another kernel than --vmlinux'
run sh -c "sed 's/...\( [tT] start_kernel\)/ff0\1/' '$E/moved' >'$E/other.sym'; sym2addr --vmlinux '$E/vmlinux' --kallsyms '$E/other.sym' -" <<'X'
begin trigger start entry start_kernel trigger stop entry arch_idle end
X
status 1
out </dev/null
err 'ff0 by '
err ': the files belong to different kernels'

begin_elf 'addr2sym: without Text in the header, --kallsyms says where the kernel of --vmlinux ran'
run sh -c "{ sed '/^Text/d; /^KASLR/d; /^Build id/d' '$E/elf.log' | sed '/^-----/q'; cat; } | addr2sym --vmlinux '$E/vmlinux' --kallsyms '$E/moved' | awk 'END { print \$4, \$5 }'" <<X
$(row 1 "$(second_address_of create_dir | sed s/0x0000000010/0x0000000015/)" "$(address_of start_kernel 8 | sed s/0x0000000010/0x0000000015/)")
X
out <<'X'
create_dir@dir.c start_kernel+0x8
X
err 'the kernel ran 0x5000000 higher than the map says: addresses are shifted'

begin 'sym2addr: modules have no addresses'
run sym2addr --map "$DATA/samples.map" --modules /nowhere -
status 2
err 'sym2addr: a module has no addresses until it is loaded: take --kallsyms, not --modules'

begin 'sym2addr: what the compiler has made of a function'
run sh -c "printf 'c0000000 T _text
c0000100 t foo.part.0
c0000200 t foo.isra.0
c0000300 t foo\$x
c0000400 t food
' >'$E/parts'; echo 'begin trigger start entry foo trigger stop time 1 end' | sym2addr - '$E/parts'"
status 1
err 'sym2addr: standard input:1:27: unknown function "foo"'
err 'sym2addr: what the compiler has made of it:'
err '	0xc0000200 t foo.isra.0'
err '	0xc0000100 t foo.part.0'

begin 'addr2sym: a folder without modules'
run addr2sym -m "$DATA/samples.map" --modules "$E/none" "$DATA/format3.log"
status 2
err '/none: no module (.ko) in this folder'

begin 'addr2sym: no such folder'
run addr2sym -m "$DATA/samples.map" --modules "$E/nowhere" "$DATA/format3.log"
status 2
err '/nowhere: No such file or directory'

begin 'addr2sym: --vmlinux is text'
run addr2sym --vmlinux "$DATA/samples.map" "$DATA/format3.log"
status 2
err 'samples.map: not an ELF file'

begin_elf 'addr2sym: --vmlinux is a module'
run addr2sym --vmlinux "$E/mods/deep/my-mod.ko" "$DATA/format3.log"
status 2
err 'my-mod.ko: a module, not a kernel: --modules takes a folder of them'

begin_elf 'addr2sym: --vmlinux is stripped'
run sh -c "strip -o '$E/stripped' '$E/vmlinux'; addr2sym --vmlinux '$E/stripped' '$E/elf.log'"
status 2
err 'stripped: an ELF file without symbols (stripped?)'

begin_elf 'addr2sym: --vmlinux is cut off'
run sh -c "head -c 3000 '$E/vmlinux' >'$E/cut'; addr2sym --vmlinux '$E/cut' '$E/elf.log'"
status 2
err 'cut: a'

begin 'addr2sym: the end of the text shows that a map is of another kernel'
run sh -c "sed -e 's/^Text.*/&\nKernel text = 0xc0100000 4096/' '$DATA/format3.log' >'$E/text'; addr2sym -m '$DATA/samples.map' '$E/text' | wc -l"
out <<'X'
56
X
err 'samples.map: belongs to another kernel than '
err ': _etext is at 0xc0100f00 and should be at 0xc0101000'
