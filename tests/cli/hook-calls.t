# SPDX-License-Identifier: GPL-2.0
# check-hook-calls, on small programs in which functions of the recorder's names call others.
CHECK=$here/../../scripts/check-hook-calls
H=$tmp/hook-calls
mkdir -p "$H"
# What must reach no instrumented function.
roots='__cyg_profile_func_enter __cyg_profile_func_exit kfi_interrupt_enter kfi_interrupt_exit kfi_int3
	kfi_switch kfi_waking kfi_new_task kfi_exec kfi_crash stand_still change_sites'
# link NAME ATTRIBUTE [LINE]: a program in which each root calls a function that calls one with this attribute.
link() {
	{
		echo '#define PLAIN __attribute__((noinline, no_instrument_function))'
		echo '#define CALLED __attribute__((noinline))'
		echo 'volatile int n;'
		for root in $roots; do
			echo "$2 void last_$root(void) { n++; }"
			echo "PLAIN void by_$root(void) { last_$root(); n++; }"
			echo "PLAIN void $root(void) { by_$root(); n++; }"
		done
		echo "${3-}"
	} >"$H/$1.c"
	${CC:-cc} -m64 -O1 -fno-ipa-icf -finstrument-functions -fno-pic -fno-pie -fcf-protection=none \
		-fno-stack-protector -nostdlib -static -no-pie -Wl,-e,kfi_switch -w \
		-o "$H/$1" "$H/$1.c" >"$H/log" 2>&1 && eval "$1=\$H/$1"
}
# printing CALLER: a line in which CALLER, and a function of the recorder that calls it, are.
printing() {
	echo "CALLED void _printk(void) { n++; } PLAIN void $1(void) { _printk(); n++; }" \
		"PLAIN void kfi_exit(void) { $1(); n++; }"
}
plain=
reaching=
refused=
printed=
link plain PLAIN
link reaching CALLED
link refused PLAIN "$(printing sdei_mask_local_cpu)"
link printed PLAIN "$(printing other)"

begin 'check-hook-calls: nothing instrumented is reached'
needs plain
run "$CHECK" "$plain"
out <<'E'
36 functions reached, 0 bad, 0 calls through pointers
E

begin 'check-hook-calls: each function that must reach nothing instrumented does'
needs reaching
run "$CHECK" "$reaching"
status 1
for root in $roots; do
	out_has "check-hook-calls: $root > by_$root > last_$root"
done

begin 'check-hook-calls: a call that is allowed for one caller is for no other'
needs refused
needs printed
run "$CHECK" "$refused"
out_has '38 functions reached, 0 bad, 0 calls through pointers'
run "$CHECK" "$printed"
status 1
out_has 'check-hook-calls: kfi_exit > other > _printk'
