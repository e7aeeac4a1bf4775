# SPDX-License-Identifier: GPL-2.0
# Arguments and return values (record in the configuration): kd --args, kd --errors.
A=$tmp/args
ARGS_ID=00112233445566778899aabbccddeeff44556677
mkdir -p "$A"
cat >"$A/probe.c" <<'X'
__asm__(".globl _text, _stext\n_text:\n_stext:\n");
struct device { int id; };
typedef unsigned int u32;
enum state { OFF = -1, ON };
struct pair { long a; long b; };
void start_kernel(void) { }
int probe(struct device *dev, const char *name, u32 flags, _Bool again)
{ return dev->id + *name + (int)flags + again; }
struct device *find(short index, enum state state) { return (void *)(long)(index + state); }
unsigned long map(unsigned long addr, long long size) { return addr + size; }
_Bool ready(int i) { return i; }
void quiet(int i) { i++; }
long many(long a, long b, long c, long d, long e, int f, void *g, long h, _Bool i, long j)
{ return a + b + c + d + e + f + (long)g + h + i + j; }
int pass(struct pair p, int i) { return p.a + i; }
u32 sum(u32 a) { return a; }
struct big { long a[4]; };
struct big make(int i) { struct big b = { { i } }; return b; }
__attribute__((cold, noinline)) void report(int i) { __asm__("" : : "r" (i)); }
__attribute__((optimize("O2"), aligned(64))) int split(int n)
{ if (__builtin_expect(n > 5, 0)) { report(n); report(n + 1); return -5; } return n; }
X
# A short enum may have other types than int.
${CC:-cc} -m64 -g -O0 -fno-pic -fno-pie -mcmodel=large -fno-stack-protector -nostdlib -static -no-pie \
	-Wl,-e,start_kernel -Wl,-Ttext=0x10000000 -Wl,--build-id=0x$ARGS_ID \
	-o "$A/vmlinux" "$A/probe.c" 2>"$A/cc"
if [ -s "$A/vmlinux" ]; then TYPED=$A/vmlinux; else TYPED=; fi
nm "$A/vmlinux" 2>/dev/null | grep -v " [aA] " >"$A/map"
# BTF is made of DWARF by pahole. Without DWARF: with symbols, without symbols, and BTF alone.
pahole -J --btf_encode_detached="$A/btf" "$A/vmlinux" 2>/dev/null
if [ -s "$A/btf" ]; then BTF=$A/btf; else BTF=; fi
objcopy --strip-debug --add-section .BTF="$A/btf" "$A/vmlinux" "$A/bare" 2>/dev/null
objcopy --strip-all --add-section .BTF="$A/btf" "$A/vmlinux" "$A/stripped" 2>/dev/null
value_of() { nm "$A/vmlinux" 2>/dev/null | sed -n "s/^\([0-9a-f]*\) T $1\$/0x\1/p"; }
cat >"$A/log" <<X
Kernel Instrumentation Run ID 0

Number of entries after filters = 3
Marks kept = 24
Log format = 3
Word size = 64
Text = $(value_of _text)
KASLR offset = 0x0
Build id = $ARGS_ID

 Entry    Delta    PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
       0      900        1 $(value_of start_kernel) $(value_of start_kernel) 0 900000 300000 0 1 t 1 - 0 0
      10       50        1 $(value_of probe) $(value_of start_kernel) 10000 50000 10000 0 2 t 1 - 0 0
# 10 10000 0 1 t args $(value_of probe) 2 0xffff888000001000 0x10000000 0xffffffff00000003 0x1
# 20 20000 0 1 t args $(value_of find) 3 0xfffe 0xffffffff 0x5 0x6
# 30 30000 0 1 t ret $(value_of find) 3 -2
# 55 55000 0 1 t ret $(value_of probe) 2 4294966779
# 100 100000 0 1 t args $(value_of map) 2 0x1000 0x2000 0x7 0x8
# 110 110000 0 1 t ret $(value_of map) 2 -12
# 200 200000 0 1 t args $(value_of ready) 2 0x0 0x0 0x0 0x0
# 210 210000 0 1 t ret $(value_of ready) 2 -256
# 300 300000 0 1 t ret $(value_of quiet) 2 -5
     400       20        1 $(value_of pass) $(value_of start_kernel) 400000 20000 20000 0 2 t 1 - 0 0
# 410 410000 0 1 t ret $(value_of pass) 2 7
# 500 500000 0 1 t args $(value_of pass) 2 0x1 0x2 0x3 0x4
# 600 600000 1 2 t args $(value_of sum) 1 0x1 0x2 0x3 0x4
# 610 610000 0 1 t ret $(value_of pass) 2 4294967295
# 620 620000 1 2 t ret $(value_of sum) 1 -1
# 700 700000 0 1 t args $(value_of find) 2 0x1 0x0 0x0 0x0
# 800 800000 0 1 t ret $(value_of find) 2 0
# 810 810000 0 0 h args $(value_of sum) 1 0x1
# 811 811000 1 0 h args $(value_of sum) 1 0x2
# 812 812000 0 0 h ret $(value_of sum) 1 3
# 813 813000 1 0 h ret $(value_of sum) 1 4
# 820 820000 0 1 t args $(value_of make) 2 0xffff888000002000 0x7
# 821 821000 0 1 t ret $(value_of make) 2 -5
# 830 830000 0 1 t args $(value_of split) 2 0x7
# 831 831000 0 1 t ret $(value_of split) 2 4294967291
X
begin_typed() {
	begin "$1"
	needs TYPED
}

begin_btf() {
	begin_typed "$1"
	needs BTF
}
cat >"$A/typed" <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
        10         50       1 start_kernel              probe(dev=0xffff888000001000, name=0x10000000, flags=0x3, again=true) = -517 EPROBE_DEFER
        20        10?       1 ?                         find(index=-2, state=-1) = -2 ENOENT
       100        10?       1 ?                         map(addr=0x1000, size=8192) = -12 ENOMEM
       200        10?       1 ?                         ready(i=0) = false
       300          ?       1 ?                         quiet
       400         20       1 start_kernel              pass = 7
       500       110?       1 ?                         pass(0x1, 0x2, 0x3, 0x4) = -1 EPERM
       600        20?       2 ?                         sum(a=0x1) = 0xffffffff
       700       100?       1 ?                         find(index=1, state=0) = NULL
       810         2?       0 ?                         sum(a=0x1) = 0x3
       811         2?       0 ?                         sum(a=0x2) = 0x4
       820         1?       1 ?                         make(0xffff888000002000, 0x7) = 0xfffffffffffffffb
       830         1?       1 ?                         split(n=7) = -5 EIO
X

begin_typed 'kd --args: names and values by their types, durations from rows or from return values'
run kd --args --vmlinux "$A/vmlinux" "$A/log"
out <"$A/typed"
err note

begin_typed 'kd --args: ten arguments, those on the stack by their types, too'
{
	sed -e '/^Number of entries/d' -e '/^Marks kept/d' -e '/^-----/q' "$A/log"
	echo "# 1 1000 0 1 t args $(value_of many) 2 0x1 0x2 0x3 0x4 0x5 0xffffffff 0x0 0x8 0x701 0xa"
} >"$A/many"
run kd --args --vmlinux "$A/vmlinux" "$A/many"
out <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
         1          ?       1 ?                         many(a=1, b=2, c=3, d=4, e=5, f=-1, g=NULL, h=8, i=true, j=10)
X
err note

begin_typed 'kd --errors: what failed, the first first'
run kd --errors --vmlinux "$A/vmlinux" "$A/log"
out <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
        20        10?       1 ?                         find(index=-2, state=-1) = -2 ENOENT
        10         50       1 start_kernel              probe(dev=0xffff888000001000, name=0x10000000, flags=0x3, again=true) = -517 EPROBE_DEFER
       100        10?       1 ?                         map(addr=0x1000, size=8192) = -12 ENOMEM
       500       110?       1 ?                         pass(0x1, 0x2, 0x3, 0x4) = -1 EPERM
       830         1?       1 ?                         split(n=7) = -5 EIO
X
err note

begin_typed 'kd --errors: without types'
run kd --errors --map "$A/map" "$A/log"
out <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
        20        10?       1 ?                         find(0xfffe, 0xffffffff, 0x5, 0x6) = -2 ENOENT
        10         50       1 start_kernel              probe(0xffff888000001000, 0x10000000, 0xffffffff00000003, 0x1) = -517 EPROBE_DEFER
       100        10?       1 ?                         map(0x1000, 0x2000, 0x7, 0x8) = -12 ENOMEM
       300          ?       1 ?                         quiet = -5 EIO
       500       110?       1 ?                         pass(0x1, 0x2, 0x3, 0x4) = -1 EPERM
       600        20?       2 ?                         sum(0x1, 0x2, 0x3, 0x4) = -1 EPERM
       820         1?       1 ?                         make(0xffff888000002000, 0x7) = -5 EIO
       830         1?       1 ?                         split(0x7) = -5 EIO
X
err note
err 'types are unknown'

begin_typed 'kd --args: for programs'
run_csv kd --args --csv --vmlinux "$A/vmlinux" --func find,probe "$A/log"
out <<'X'
entry_ns,duration_ns,task,comm,cpu,ctx,depth,caller,function,args,ret,error,unsure
10000,50000,1,,0,t,2,start_kernel,probe,"dev=0xffff888000001000, name=0x10000000, flags=0x3, again=true",-517,EPROBE_DEFER,
20000,10000,1,,0,t,3,,find,"index=-2, state=-1",-2,ENOENT,duration_ns
700000,100000,1,,0,t,2,,find,"index=1, state=0",NULL,,duration_ns
X
err note

# The return of an inner call comes before that of the outer one. Here it does not: the log is mixed up.
begin 'kd --args: in order of entry'
run sh -c "{ sed '/^#/d' '$DATA/format3.log'; echo '# 1900 1900000 0 1 t ret 0xc0200300 9 7'; echo '# 1800 1800000 0 1 t ret 0xc0200300 8 6'; } | kd --args -"
status 1
out_has '      1800          ?       1 ?                         0xc0200300 = 0x6'
err 'kd: standard input: mixed up: 2 of 2 marks are not between the calls and marks of their time'

begin 'kd --args: a log without any'
run kd --args "$DATA/format3.log"
out_has '---------- ---------- ------- ------------------------- --------'
err 'the log has no arguments or return values: record args 4 ret FUNC'

begin_typed 'kd --errors: -n, and as JSON'
run sh -c "kd --errors -n 1 --json --vmlinux '$A/vmlinux' '$A/log' 2>/dev/null | grep -c -e '\"function\":\"find\".*\"ENOENT\"' -e EPROBE_DEFER"
out <<'X'
1
X

begin_typed 'addr2sym: the function, and no argument'
run sh -c "addr2sym -m '$A/map' '$A/log' | grep -e '^# 500 ' -e '^# 10 '"
out <<'X'
# 10 10000 0 1 t args probe 2 0xffff888000001000 0x10000000 0xffffffff00000003 0x1
# 500 500000 0 1 t args pass 2 0x1 0x2 0x3 0x4
X

begin_typed 'kd --args: a listing of addr2sym, whose names are looked up'
run sh -c "addr2sym -m '$A/map' '$A/log' | kd --args --func find,probe --vmlinux '$A/vmlinux' -"
out <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
        10         50       1 start_kernel              probe(dev=0xffff888000001000, name=0x10000000, flags=0x3, again=true) = -517 EPROBE_DEFER
        20        10?       1 ?                         find(index=-2, state=-1) = -2 ENOENT
       700       100?       1 ?                         find(index=1, state=0) = NULL
X
err note

begin_btf 'kd --args: types from BTF, in a file with symbols'
run kd --args --vmlinux "$A/bare" "$A/log"
out <"$A/typed"
err 'note: types are from BTF'

begin_btf 'kd --args: types from BTF, in a file without symbols'
run kd --args --vmlinux "$A/stripped" --map "$A/map" "$A/log"
out <"$A/typed"
err 'note: types are from BTF'

begin_btf 'kd --args: types from BTF alone, with the symbols of kallsyms'
run kd --args --vmlinux "$A/btf" --kallsyms "$A/map" "$A/log"
out <"$A/typed"
err 'note: types are from BTF'

begin_btf 'kd --args: types from BTF alone, compressed'
run sh -c "gzip -c '$A/btf' >'$A/btf.gz'; kd --args --vmlinux '$A/btf.gz' --map '$A/map' '$A/log'"
out <"$A/typed"
err 'note: types are from BTF'

begin_btf 'kd --args: types from BTF alone, with bytes that look like a symbol'
run sh -c "{ cat '$A/btf'; printf '\n10000000 T start\n'; } >'$A/btf.text'; kd --args --vmlinux '$A/btf.text' --map '$A/map' '$A/log'"
out <"$A/typed"
err 'note: types are from BTF'

begin_btf 'kd --args: types from BTF for a listing of addr2sym'
run sh -c "addr2sym -m '$A/map' '$A/log' | kd --args --vmlinux '$A/stripped' --map '$A/map' - | cut -d' ' -f4-"
out <<X
$(cut -d' ' -f4- "$A/typed")
X
err note

begin_btf 'kd --args: types from BTF: a module and a copy by the compiler have none'
{
	cat "$A/map"
	echo '0000000020000000 t sum	[my_mod]'
	echo '000000001f000000 t sum.constprop.0'
} >"$A/kallsyms"
{
	sed -e '/^Number of entries/d' -e '/^Marks kept/d' -e '/^-----/q' "$A/log"
	echo "# 1 1000 0 1 t args 0x20000000 2 0x1"
	echo "# 2 2000 0 1 t args 0x1f000000 2 0x1"
	echo "# 3 3000 0 1 t args $(value_of sum) 2 0x1"
} >"$A/sums"
run sh -c "kd --args --vmlinux '$A/btf' --kallsyms '$A/kallsyms' '$A/sums' | sed 's/.* ?  *//'"
out <<'X'
 Entry      Duration    Task  Called by                 Call
---------- ---------- ------- ------------------------- --------
sum[my_mod](0x1)
sum.constprop.0(0x1)
sum(a=0x1)
X
err note

# A name has one prototype or two in BTF. If two functions have it, one is not enough: it may be that
# of the other function.
cat >"$A/one.c" <<'X'
__asm__(".globl _text, _stext\n_text:\n_stext:\n");
#define KEEP __attribute__((used, noinline)) static
KEEP int differ(int a) { return a; }
KEEP int agree(int a) { return a; }
void start_kernel(void) { }
int single(int a) { return a; }
__asm__(".globl odd\n.type odd, @function\nodd: ret\n.size odd, .-odd\n");
X
cat >"$A/two.c" <<'X'
#define KEEP __attribute__((used, noinline)) static
KEEP int differ(char *text, int a) { return a + *text; }
KEEP int agree(int a) { return -a; }
__attribute__((always_inline)) static inline int odd(char *text, int a) { return a + *text; }
int use(char *text) { return odd(text, 3); }
X
${CC:-cc} -m64 -g -O0 -fno-pic -fno-pie -mcmodel=large -fno-stack-protector -nostdlib -static -no-pie \
	-Wl,-e,start_kernel -Wl,-Ttext=0x10000000 -o "$A/names" "$A/one.c" "$A/two.c" 2>"$A/cc"
pahole -J --btf_encode_detached="$A/names.btf" "$A/names" 2>/dev/null
objcopy --strip-debug --add-section .BTF="$A/names.btf" "$A/names" "$A/names.bare" 2>/dev/null
objcopy --add-section .BTF="$A/names.btf" "$A/names" "$A/names.both" 2>/dev/null
{
	sed -e '/^Number of entries/d' -e '/^Marks kept/d' -e '/^Build id/d' -e '/^Text/d' \
		-e '/^-----/q' "$A/log"
	nm "$A/names" 2>/dev/null | grep -E ' (differ|agree|single|odd)$' | sort |
		awk '{ print "# " NR " " NR "000 0 1 t args 0x" $1 " 2 0x1 0x2" }'
} >"$A/names.log"

# DWARF has no odd() in assembly; BTF has that of two.c, which is inlined.
begin_btf 'kd --args: types from DWARF and not from BTF: functions of one name are told apart'
run sh -c "kd --args --vmlinux '$A/names.both' '$A/names.log' | grep -o '[a-z]*@.*\|single.*\|odd.*' | sort"
out <<X
agree@$A/one.c(a=1)
agree@$A/two.c(a=1)
differ@$A/one.c(a=1)
differ@$A/two.c(text=0x1, a=2)
odd(0x1, 0x2)
single(a=1)
X
err note

begin_btf 'kd --args: types from BTF: functions of one name have none'
run sh -c "kd --args --vmlinux '$A/names.bare' '$A/names.log' | grep -o '[a-z]*(.*' | grep -v odd | sort"
out <<'X'
agree(0x1, 0x2)
agree(0x1, 0x2)
differ(0x1, 0x2)
differ(0x1, 0x2)
single(a=1)
X
err 'names that stand for several functions: 2, such as differ'

begin_btf 'kd --args: damaged BTF: a message, and registers'
run sh -c "head -c 500 '$A/btf' >'$A/half'; objcopy --strip-debug --add-section .BTF='$A/half' '$A/vmlinux' '$A/damaged'
	kd --args --vmlinux '$A/damaged' --func find '$A/log' | tail -n 1
	kd --args --vmlinux '$A/half' --map '$A/map' --func find '$A/log' | tail -n 1"
out <<'X'
       700       100?       1 ?                         find(0x1, 0x0, 0x0, 0x0) = 0x0
       700       100?       1 ?                         find(0x1, 0x0, 0x0, 0x0) = 0x0
X
err '/damaged: damaged BTF: types are unknown'
err '/half: damaged BTF: types are unknown'

begin_btf 'kd --args: BTF of another kernel, by the build id of its file'
run sh -c "sed 's/^Build id.*/Build id = 99/' '$A/log' >'$A/other'; kd --args --vmlinux '$A/stripped' --map '$A/map' '$A/other' >'$A/out'"
status 1
err 'stripped: belongs to another kernel than '

begin_btf 'kd --args: types without symbols'
run kd --args --vmlinux "$A/btf" "$A/log"
status 2
err 'btf: has types (BTF), but no symbols: give --map, too'

begin_btf 'addr2sym: --vmlinux has only types: the names are those of the map'
run sh -c "addr2sym --vmlinux '$A/stripped' --map '$A/map' '$A/log' | grep '^# 500 '"
out <<'X'
# 500 500000 0 1 t args pass 2 0x1 0x2 0x3 0x4
X

# The second call returns on another CPU.
cat >"$A/parts" <<'X'
Number of entries after filters = 2
Marks kept = 4
Log format = 3
Word size = 64

 Entry    Delta    PID         Function  Caller Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks Off-ns Irq-ns
-------- -------- -------- ------------- ------ -------- -------- -------- --- ----- --- ---- ----- ------ ------
      10       50        1 probe         main+0x4 10000 50000 50000 0 1 t 1 - 0 0
# 10 10000 0 1 t args probe 1 0x1
# 60 60000 0 1 t ret probe 1 -5
     100       50        1 probe         main+0x4 100000 50000 50000 1 1 t 1 - 0 0
# 100 100000 0 1 t args probe 1 0x2
# 150 150000 1 1 t ret probe 1 -12
X

begin 'kd --args, --errors: filters look at the entry of a call, not at its return'
run sh -c "for o in '--to 50' '--from 20' '--cpu 0' '--cpu 1'; do
		kd --errors \$o '$A/parts' 2>'$A/said' | sed -n 's/.*main */'\"\$o: \"'/p'
	done"
out <<'X'
--to 50: probe(0x1) = -5 EIO
--from 20: probe(0x2) = -12 ENOMEM
--cpu 0: probe(0x1) = -5 EIO
--cpu 0: probe(0x2) = -12 ENOMEM
X
