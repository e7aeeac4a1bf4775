# SPDX-License-Identifier: GPL-2.0
# prepare-tree, on small trees that have the lines beside each hook, and nothing else.
PREPARE=$here/../../scripts/prepare-tree
T=$tmp/linux
cat >"$tmp/make_tree" <<'E'
# usage: make_tree VERSION FOLDER: each hunk stands in a function of the name that it gives.
rm -rf "$2"
cat "${0%/*}"/kernel-patch/*.patch | awk -v top="$2" '
	/^---/ { next }
	/^\+\+\+/ {
		file = top "/" substr($2, 3)
		folder = file
		sub("/[^/]*$", "", folder)
		system("mkdir -p " folder)
		n = 0
		next
	}
	file == "" { next }
	/^@@/ {
		if (n) { print "}" >file }
		n = split($0, word, " ") > 4
		if (n && word[5] == "DATA_DATA") { print "#define " word[5] " \\" >file }
		else if (n) { print "int " word[5] "(void)\n{" >file }
		next
	}
	/^[- ]/ { print substr($0, 2) >file }
	/^$/ { print >file }'
printf 'VERSION = %s\nPATCHLEVEL = %s\n' "${1%.*}" "${1#*.}" >>"$2/Makefile"
E
ln -s "$here/../../kernel-patch" "$tmp/kernel-patch"
# tree VERSION: a new one, and a copy of it in "saved".
tree() {
	sh "$tmp/make_tree" "$1" "$T"
	rm -rf "$tmp/saved"
	cp -r "$T" "$tmp/saved"
}
cat >"$tmp/unchanged" <<'E'
diff -r -x .kfi "$1" "$2" && echo unchanged
E
# compiler NAME FOLDER [VERSION]: a gcc 12 whose headers for plugins are in FOLDER/include.
compiler() {
	cat >"$tmp/$1" <<E
case \$1 in
-print-file-name=plugin) echo "$2" ;;
-dumpversion) echo 12 ;;
-dumpmachine) echo \${MACHINE-aarch64-linux-gnu} ;;
*) echo "$1 (Debian) ${3-12.2.0}" ;;
esac
E
	chmod +x "$tmp/$1"
}
mkdir -p "$tmp/plugin/include" "$tmp/broken/include"
echo 'int plugin_is_GPL_compatible;' >"$tmp/plugin/include/gcc-plugin.h"
echo '#include <no-such-header.h>' >"$tmp/broken/include/gcc-plugin.h"
touch "$tmp/plugin/include/plugin-version.h" "$tmp/broken/include/plugin-version.h"
compiler kfi-test-gcc "$tmp/plugin"
compiler kfi-bare-gcc "$tmp"
compiler kfi-half-gcc "$tmp/broken"
compiler kfi-clang "$tmp" 'clang version 14'
PATH=$PATH:$tmp
CROSS_COMPILE=kfi-test-
unset CC
# The compiler of the plugin finds out whether a header is there.
cat >"$tmp/hostcxx" <<'E'
for word; do
	case $word in
	-I*) ! grep -q no-such-header "${word#-I}/gcc-plugin.h" ;;
	esac || exit 1
done
E
chmod +x "$tmp/hostcxx"
HOSTCXX=hostcxx
export PATH CROSS_COMPILE HOSTCXX
# A vendor's line between the lines where patch looks for the hook in context_switch(); and the hook there.
vendor_line() {
	sed -i 's/^\tprepare_lock_switch.*/&\n\tvendor_switch(prev);/' "$T/kernel/sched/core.c"
}
place_hook_by_hand() {
	sed -i 's/^\tvendor_switch.*/&\n    kfi_switch(prev,  next); /' "$T/kernel/sched/core.c"
}

begin 'prepare-tree: a tree, and the same once more'
tree 6.12
run sh -c "'$PREPARE' - '$T' && touch -d 2001-01-01 '$T/kernel/fork.c' && '$PREPARE' 6.12 '$T' && find '$T/kernel/fork.c' -newermt 2002-01-01 && '$PREPARE' --check '$T'"
out <<E
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
E

begin 'prepare-tree: an edit of a patched file stays'
run sh -c "echo '/* edit */' >>'$T/kernel/fork.c'; '$PREPARE' - '$T'; tail -n 1 '$T/kernel/fork.c'; grep -c kfi_task_init '$T/kernel/fork.c'; grep -c edit '$T/.kfi/orig/kernel/fork.c'; grep -c kfi '$T/.kfi/orig/kernel/fork.c'"
status 1
out <<E
$T: linux 6.12 with KFI
/* edit */
1
1
0
E

begin 'prepare-tree: a hunk that does not apply is shown, and the tree is not changed'
tree 6.1
vendor_line
cp "$T/kernel/sched/core.c" "$tmp/saved/kernel/sched/core.c"
run sh -c "'$PREPARE' - '$T'; echo status \$?; sh '$tmp/unchanged' '$T' '$tmp/saved'; '$PREPARE' --check '$T'"
status 2
out <<'E'
status 2
unchanged
E
err "prepare-tree: $T/kernel/sched/core.c: these hunks do not apply:
    @@ -5360,2 +5361,3 @@ context_switch
     	prepare_lock_switch(rq, next, rf);
    +	kfi_switch(prev, next);"
err "prepare-tree: $T: not changed"
err "prepare-tree: $T: holds no KFI"

begin 'prepare-tree --rejects: the others are placed, and that one is left'
run "$PREPARE" --rejects - "$T"
status 1
err "prepare-tree: $T: place these hooks by hand"
begin 'prepare-tree --check: a hook that was rejected'
run sh -c "'$PREPARE' --check '$T'; echo status \$?; grep '^+' '$T/kernel/sched/core.c.rej'"
out <<E
$T/kernel/sched/core.c: missing in context_switch: kfi_switch(prev, next);
status 1
+++ kernel/sched/core.c
+	kfi_switch(prev, next);
E
begin 'prepare-tree: a hook that was placed by hand stays there'
place_hook_by_hand
run sh -c "'$PREPARE' --check '$T' && '$PREPARE' - '$T' && '$PREPARE' - '$T' && '$PREPARE' --check '$T' && grep kfi_switch '$T/kernel/sched/core.c'"
out <<E
$T: linux 6.1 with KFI
$T: linux 6.1 with KFI
    kfi_switch(prev,  next); 
E

# As in a clone: the notes in .kfi are not in the repository.
begin 'prepare-tree --check: lines of an earlier version'
tree 6.12
"$PREPARE" - "$T" >/dev/null
rm -rf "$T/.kfi"
sed -i 's,scripts/Makefile\.kfi$,kernel/kfi/Makefile.flags,' "$T/Makefile"
sed -i 's,scripts/Makefile\.kfi_obj,kernel/kfi/Makefile.obj,' "$T/scripts/Makefile.lib"
run sh -c "'$PREPARE' --check '$T' | sed 's,.*$T/,,; s/:[0-9]*:.*:/:/'; '$PREPARE' --check '$T' >/dev/null"
status 1
out <<'E'
Makefile: missing: include-$(CONFIG_KFI) += scripts/Makefile.kfi
scripts/Makefile.lib: missing: include $(if $(CONFIG_KFI),$(srctree)/scripts/Makefile.kfi_obj)
Makefile: prepare-tree removes it
scripts/Makefile.lib: prepare-tree removes it
E
begin 'prepare-tree: removes lines of an earlier version'
run sh -c "'$PREPARE' - '$T' && '$PREPARE' --check '$T' && grep -h Makefile.kfi '$T/Makefile' '$T/scripts/Makefile.lib'; grep -rE 'Makefile\.(flags|obj)' '$T'"
status 1
out <<E
$T: linux 6.12 with KFI
include-\$(CONFIG_KFI)		+= scripts/Makefile.kfi
include \$(if \$(CONFIG_KFI),\$(srctree)/scripts/Makefile.kfi_obj)
E

begin 'prepare-tree: the program patch is missing'
mkdir "$tmp/few"
for program in sh readlink dirname sed awk sort; do
	ln -s "$(command -v $program)" "$tmp/few"
done
run env PATH="$tmp/few" "$PREPARE" - "$T"
status 2
err 'prepare-tree: needs the program patch: apt-get install patch'

begin 'prepare-tree: a hook that was placed before'
tree 6.1
vendor_line
place_hook_by_hand
run sh -c "'$PREPARE' - '$T' && '$PREPARE' --check '$T' && grep -c kfi_switch '$T/kernel/sched/core.c'"
out <<E
$T: linux 6.1 with KFI
1
E

begin 'prepare-tree: patch finds the lines in another function'
tree 6.1
sed -i 's/context_switch/vendor_switch/' "$T/kernel/sched/core.c" "$tmp/saved/kernel/sched/core.c"
run sh -c "'$PREPARE' - '$T'; echo status \$?; sh '$tmp/unchanged' '$T' '$tmp/saved'"
out <<'E'
status 2
unchanged
E
err "$T/kernel/sched/core.c:6: must not be here: kfi_switch(prev, next);
$T/kernel/sched/core.c: missing in context_switch: kfi_switch(prev, next);"

begin 'prepare-tree --check: a hook twice, one in another function, one that is missing'
tree 6.1
"$PREPARE" - "$T" >/dev/null
sed -i 's/^.kfi_switch.*/&\n&/' "$T/kernel/sched/core.c"
sed -i 's/int free_task/int exit_task/;/kfi_task_init/d' "$T/kernel/fork.c"
sed -i '/__start_kfi_sites/d' "$T/include/asm-generic/vmlinux.lds.h"
run "$PREPARE" --check "$T"
status 1
out <<E
$T/include/asm-generic/vmlinux.lds.h: missing in DATA_DATA: . = ALIGN(8); __start_kfi_sites = .; KEEP(*(__patchable_function_entries.kfi)) __stop_kfi_sites = .; \\
$T/kernel/fork.c:7: must not be here: kfi_task_free(tsk);
$T/kernel/fork.c: missing in free_task: kfi_task_free(tsk);
$T/kernel/fork.c: missing in dup_task_struct: kfi_task_init(tsk);
$T/kernel/sched/core.c:8: must not be here: kfi_switch(prev, next);
E

begin 'prepare-tree: a function that has moved to another file of the folder'
tree 6.12
sed '/syscall_trace_enter/,$!d' "$T/kernel/entry/common.c" >"$T/kernel/entry/syscall-common.c"
sed -i '/syscall_trace_enter/,$d' "$T/kernel/entry/common.c"
sed -i 's/^\tsyscall_enter_audit.*/\tkfi_syscall(syscall);\n&/;s/^\taudit_syscall_exit.*/&\n\tkfi_sysret(syscall_get_return_value(current, regs));/' "$T/kernel/entry/syscall-common.c"
run sh -c "'$PREPARE' - '$T' && '$PREPARE' - '$T' && '$PREPARE' --check '$T' && grep -c kfi '$T'/kernel/entry/*.c"
out <<E
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
$T/kernel/entry/common.c:1
$T/kernel/entry/syscall-common.c:2
E

begin 'prepare-tree: a tree without an architecture'
tree 6.12
rm -r "$T/arch/um"
run sh -c "'$PREPARE' - '$T' && '$PREPARE' --check '$T'"
out <<E
$T: linux 6.12 with KFI
E

begin 'prepare-tree: a relative path has the hooks of architectures, too'
tree 6.12
run sh -c "cd '$T' && '$PREPARE' - . && grep -c kfi_syscall arch/arm/kernel/ptrace.c && sed -i /kfi_syscall/d arch/arm/kernel/ptrace.c; '$PREPARE' --check ."
status 1
out <<'E'
.: linux 6.12 with KFI
1
./arch/arm/kernel/ptrace.c: missing in syscall_trace_enter: kfi_syscall(scno);
E

# That is patched in 6.12 only.
begin 'prepare-tree: a file that is not patched any more keeps what is new in it'
tree 6.12
"$PREPARE" - "$T" >/dev/null
cp "$T/mm/page_alloc.c" "$tmp/patched.c"
sed -i 's/^PATCHLEVEL.*/PATCHLEVEL = 1/' "$T/Makefile"
echo '/* of 6.1 */' >>"$T/mm/page_alloc.c"
run sh -c "'$PREPARE' - '$T'; '$PREPARE' - '$T'; grep -c 'static inline' '$tmp/patched.c' '$T/mm/page_alloc.c'; tail -n 1 '$T/mm/page_alloc.c'"
out <<E
$T: linux 6.1 with KFI
$T: linux 6.1 with KFI
$tmp/patched.c:1
$T/mm/page_alloc.c:0
/* of 6.1 */
E
begin 'prepare-tree: a file of another version stays as it is'
tree 6.12
"$PREPARE" - "$T" >/dev/null
sed -i 's/^PATCHLEVEL.*/PATCHLEVEL = 1/' "$T/Makefile"
echo '/* of 6.1 */' >"$T/mm/page_alloc.c"
rm -r "$T/arch/um"
run sh -c "'$PREPARE' - '$T'; cat '$T/mm/page_alloc.c'; test -e '$T/arch/um'"
status 1
out <<E
$T: linux 6.1 with KFI
/* of 6.1 */
E
begin 'prepare-tree: a file that is not patched any more, and was not edited'
tree 6.12
"$PREPARE" - "$T" >/dev/null
sed -i 's/^PATCHLEVEL.*/PATCHLEVEL = 1/' "$T/Makefile"
run sh -c "'$PREPARE' - '$T' && cmp '$T/mm/page_alloc.c' '$tmp/saved/mm/page_alloc.c'"
out <<E
$T: linux 6.1 with KFI
E

begin 'prepare-tree: a version that was never built'
tree 6.6
run "$PREPARE" - "$T"
out <<E
$T: linux 6.6 with KFI
E
err 'prepare-tree: linux 6.6 was never built with KFI: see Documentation/vendor-trees.rst'

# Root may write such files, too, but not without its capabilities.
unprivileged=
[ "$(id -u)" != 0 ] || unprivileged='setpriv --bounding-set -all'
begin 'prepare-tree: a tree with read-only files'
tree 6.12
find "$T" -type f -exec chmod a-w {} +
run sh -c "$unprivileged '$PREPARE' - '$T' && $unprivileged '$PREPARE' - '$T' && '$PREPARE' --check '$T' && find '$T' -type f -name fork.c -perm /222"
out <<E
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
E

begin 'prepare-tree: a folder that holds something else is not unpacked into'
rm -rf "$tmp/other"
mkdir "$tmp/other"
touch "$tmp/other/notes"
run sh -c "'$PREPARE' 6.12 '$tmp/other/'; echo status \$?; ls -A '$tmp/other'"
out <<'E'
status 2
notes
E
err "prepare-tree: $tmp/other: holds no Linux tree, and is not empty"

# build-kernel adds a test to its tree, and prepare-tree may have been interrupted.
begin 'make-patch: only files that prepare-tree places'
tree 6.12
mkdir "$tmp/work"
cp -r "$T" "$tmp/work/linux-6.12"
"$PREPARE" --copy - "$tmp/work/linux-6.12" >/dev/null
mkdir "$tmp/work/linux-6.12/kernel/kfi/test"
echo 'obj-y := kfi_probe.o' >"$tmp/work/linux-6.12/kernel/kfi/test/Makefile"
echo half >"$tmp/work/linux-6.12/kernel/kfi/Makefile.kfi-new"
run sh -c "KFI_WORK='$tmp/work' '$here/../../scripts/make-patch' 6.12 '$tmp/it.patch' >/dev/null 2>&1 && cd '$T' && patch -s -p1 <'$tmp/it.patch' && find kernel/kfi scripts -name 'Makefile.*' ! -name Makefile.lib -o -name test -o -name kfistatic.conf | sort"
out <<E
kernel/kfi/Makefile.folder
kernel/kfi/kfistatic.conf
scripts/Makefile.kfi
scripts/Makefile.kfi_obj
E

begin 'prepare-tree: an option that does not exist'
run "$PREPARE" --reject - "$T"
status 2
err 'usage: prepare-tree'

# What keeps a configuration from having KFI.
tree 6.12
"$PREPARE" - "$T" >/dev/null
mkdir "$T/kernel/trace"
printf 'config STACK_TRACER\n\tbool\n\tselect FUNCTION_TRACER\n\nconfig OTHER\n\tselect FUNCTION_TRACER if X86\n' \
	>"$T/kernel/trace/Kconfig"
mkdir "$tmp/folder"
ln -s "$T" "$tmp/folder/source"
# config OPTIONS: a configuration with these, in a folder for O=.
config() {
	printf 'CONFIG_%s=y\n' $1 >"$tmp/folder/.config"
}
begin 'prepare-tree --check: a configuration that has KFI'
config 'KFI ARM PROC_FS'
run "$PREPARE" --check "$tmp/folder"
out </dev/null
begin 'prepare-tree --check: an option that selects the function tracer'
config 'ARM PROC_FS STACK_TRACER FUNCTION_TRACER'
run "$PREPARE" --check "$tmp/folder"
status 1
out <<E
prepare-tree: $tmp/folder/.config: does not have KFI
prepare-tree: $tmp/folder/.config: KFI needs the function tracer off: $tmp/folder/source/scripts/config --file $tmp/folder/.config -d STACK_TRACER -d FUNCTION_TRACER
prepare-tree: then: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e KFI; make olddefconfig
E
begin 'prepare-tree --check: an option that selects branch profiling'
printf 'config PROFILE_ANNOTATED_BRANCHES\n\tbool\n\tselect TRACE_BRANCH_PROFILING\n' >>"$T/kernel/trace/Kconfig"
config 'ARM PROC_FS PROFILE_ANNOTATED_BRANCHES TRACE_BRANCH_PROFILING'
run "$PREPARE" --check "$tmp/folder"
status 1
out <<E
prepare-tree: $tmp/folder/.config: does not have KFI
prepare-tree: $tmp/folder/.config: KFI needs branch profiling off: $tmp/folder/source/scripts/config --file $tmp/folder/.config -d PROFILE_ANNOTATED_BRANCHES -d TRACE_BRANCH_PROFILING
prepare-tree: then: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e KFI; make olddefconfig
E
begin 'prepare-tree --check: an architecture without KFI'
config 'PPC PROC_FS'
run "$PREPARE" --check "$tmp/folder"
status 1
out_has "prepare-tree: $tmp/folder/.config: KFI does not run on this architecture"
begin 'prepare-tree --check: ARMv7-M'
config 'ARM CPU_V7M PROC_FS'
run "$PREPARE" --check "$tmp/folder"
status 1
out_has "prepare-tree: $tmp/folder/.config: KFI does not run on ARMv7-M"
begin 'prepare-tree --check: no /proc'
config 'ARM64'
run "$PREPARE" --check "$tmp/folder"
status 1
out_has "prepare-tree: $tmp/folder/.config: KFI needs /proc: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e PROC_FS"
for options in 'ARM64 SHADOW_CALL_STACK' 'X86 CFI_CLANG' 'X86 LTO_CLANG'; do
	begin "prepare-tree --check: what KFI was not tried with: $options"
	config "$options PROC_FS CC_IS_CLANG"
	run "$PREPARE" --check "$tmp/folder"
	status 1
	out <<E
prepare-tree: $tmp/folder/.config: does not have KFI
prepare-tree: $tmp/folder/.config: KFI was not tried with ${options#* }: $tmp/folder/source/scripts/config --file $tmp/folder/.config -d ${options#* }
prepare-tree: then: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e KFI; make olddefconfig
E
done
begin 'prepare-tree --check: gcc with SHADOW_CALL_STACK was tried'
config 'ARM64 SHADOW_CALL_STACK PROC_FS CC_IS_GCC'
run "$PREPARE" --check "$tmp/folder"
status 1
out <<E
prepare-tree: $tmp/folder/.config: does not have KFI
prepare-tree: then: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e KFI; make olddefconfig
E
begin 'prepare-tree --check: a hook is missing, and the configuration has KFI'
config 'KFI ARM PROC_FS'
sed -i '/kfi_crash/d' "$T/kernel/panic.c"
run "$PREPARE" --check "$tmp/folder"
status 1
out <<E
$tmp/folder/source/kernel/panic.c: missing in panic or vpanic: kfi_crash();
$tmp/folder/source/kernel/panic.c: missing in oops_enter: kfi_crash();
E

# What the compiler must have to instrument after inlining, the default.
tree 6.12
"$PREPARE" - "$T" >/dev/null
gcc_config() {
	config "KFI PROC_FS CC_IS_GCC HAVE_GCC_PLUGINS $2"
	echo "CONFIG_CC_VERSION_TEXT=\"$1 (Debian) 12.2.0\"" >>"$tmp/folder/.config"
}
only_before='so functions can only be instrumented before inlining: install g++ and gcc-12-plugin-dev'
begin 'prepare-tree --check: a plugin can be built'
gcc_config kfi-test-gcc 'X86_64 GCC_PLUGINS KFI_AFTER_INLINING'
run "$PREPARE" --check "$tmp/folder"
out </dev/null
begin 'prepare-tree --check: no headers for plugins'
gcc_config kfi-bare-gcc ARM64
run "$PREPARE" --check "$tmp/folder"
out <<E
prepare-tree: kfi-bare-gcc has no headers for plugins, $only_before-kfi-bare, then make olddefconfig
E
begin 'prepare-tree --check: a compiler that is not in PATH'
gcc_config kfi-far-gcc ARM64
mkdir "$tmp/far"
compiler far/kfi-far-gcc "$tmp"
run sh -c "'$PREPARE' --check '$tmp/folder'; CROSS_COMPILE='$tmp/far/kfi-far-' '$PREPARE' --check '$tmp/folder'"
out <<E
prepare-tree: $tmp/folder/.config: functions are instrumented before inlining; to see why, set CROSS_COMPILE as for make, since kfi-far-gcc is not in PATH
prepare-tree: $tmp/far/kfi-far-gcc has no headers for plugins, $only_before-kfi-far, then make olddefconfig
E
begin 'prepare-tree --check: the package for the compiler of the host, and for one with _ in its name'
host=$(uname -m)-linux-gnu
for prefix in "$host" kfi_far; do
	compiler "far/$prefix-gcc" "$tmp"
done
gcc_config "$host-gcc" X86_64
run sh -c "CROSS_COMPILE='$tmp/far/$host-' '$PREPARE' --check '$tmp/folder'; sed -i 's/$host/kfi_far/' '$tmp/folder/.config'; CROSS_COMPILE='$tmp/far/kfi_far-' '$PREPARE' --check '$tmp/folder'"
out <<E
prepare-tree: $tmp/far/$host-gcc has no headers for plugins, $only_before, then make olddefconfig
prepare-tree: $tmp/far/kfi_far-gcc has no headers for plugins, $only_before-kfi-far, then make olddefconfig
E
begin 'prepare-tree --check: they were taken away'
gcc_config kfi-bare-gcc 'ARM64 GCC_PLUGINS KFI_AFTER_INLINING'
run "$PREPARE" --check "$tmp/folder"
status 1
out_has "prepare-tree: kfi-bare-gcc has no headers for plugins, $only_before-kfi-bare, then make olddefconfig"
begin 'prepare-tree --check: no g++'
gcc_config kfi-test-gcc 'CPU_V7 GCC_PLUGINS KFI_AFTER_INLINING'
run env HOSTCXX=no-such-g++ "$PREPARE" --check "$tmp/folder"
status 1
out_has "prepare-tree: kfi-test-gcc has headers for plugins that no-such-g++ does not compile, $only_before-kfi-test, then make olddefconfig"
begin 'prepare-tree --check: plugins are off'
gcc_config kfi-test-gcc X86_64
echo '# CONFIG_GCC_PLUGINS is not set' >>"$tmp/folder/.config"
run "$PREPARE" --check "$tmp/folder"
out <<E
prepare-tree: $tmp/folder/.config: functions are instrumented before inlining, because GCC_PLUGINS is off: $tmp/folder/source/scripts/config --file $tmp/folder/.config -e GCC_PLUGINS -e KFI_AFTER_INLINING; make olddefconfig
E
for pair in CPU_V6:ARCH_MULTI_V6 CPU_V6K:ARCH_MULTI_V6 RUST:RUST; do
	begin "prepare-tree --check: ${pair%:*} keeps functions from being instrumented after inlining"
	gcc_config kfi-test-gcc "CPU_V7 GCC_PLUGINS ${pair%:*}"
	run "$PREPARE" --check "$tmp/folder"
	out <<-E
	prepare-tree: $tmp/folder/.config: functions are instrumented before inlining, because ${pair%:*} is on: $tmp/folder/source/scripts/config --file $tmp/folder/.config -d ${pair#*:} -e KFI_AFTER_INLINING; make olddefconfig
	E
done
begin 'prepare-tree --check: ARMv6 has nothing else'
gcc_config kfi-test-gcc 'ARM CPU_V6K GCC_PLUGINS'
run "$PREPARE" --check "$tmp/folder"
out </dev/null
begin 'prepare-tree --check: before inlining was chosen, or the architecture has nothing else'
gcc_config kfi-bare-gcc 'X86_64 GCC_PLUGINS'
echo '# CONFIG_KFI_AFTER_INLINING is not set' >>"$tmp/folder/.config"
run sh -c "'$PREPARE' --check '$tmp/folder' && sed -i '/X86_64/d;/PLUGINS=y/d;/INLINING/d' '$tmp/folder/.config' && '$PREPARE' --check '$tmp/folder'"
out </dev/null
begin 'prepare-tree: before there is a configuration, the compiler is that of the environment'
run sh -c "CROSS_COMPILE=kfi-bare- '$PREPARE' - '$T'; CC='env kfi-half-gcc' '$PREPARE' - '$T'; CC=kfi-clang '$PREPARE' - '$T'; MACHINE=i686-linux-gnu CC=kfi-bare-gcc '$PREPARE' - '$T'; CC=no-such-cc '$PREPARE' - '$T'"
out <<E
prepare-tree: kfi-bare-gcc has no headers for plugins, $only_before-kfi-bare, then make olddefconfig
$T: linux 6.12 with KFI
prepare-tree: env kfi-half-gcc has headers for plugins that hostcxx does not compile, $only_before-kfi-half, then make olddefconfig
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
$T: linux 6.12 with KFI
E

# flags OPTION...: what gcc is called with for a kernel with these options.
flags() {
	{
		printf 'CONFIG_%s := y\n' "$@"
		echo "SRCARCH := none"
		echo "include $here/../../kernel/Makefile.kfi"
		echo '$(info $(KBUILD_CFLAGS))'
		echo 'all:;@:'
	} | make -s -f - all 2>/dev/null
}
begin 'Makefile.kfi: what gcc warns of wrongly before inlining is no error with WERROR'
flags CC_IS_GCC KFI_PATCH_SITES WERROR >"$tmp/flags"
flags CC_IS_GCC KFI_PATCH_SITES WERROR KFI_AFTER_INLINING >"$tmp/after"
flags CC_IS_GCC KFI_PATCH_SITES >"$tmp/lenient"
run sh -c "cd '$tmp' && grep -o -e -Wno-error=restrict flags; grep -l Wno-error flags after lenient"
out <<'E'
-Wno-error=restrict
flags
E

# What kfi-make lists of the other way of instrumenting does not count.
skipped() {
	printf 'a.o\tbefore\t# mask\nb.o\tafter\t# mask\nc.o\t# by hand\n' >"$tmp/kfi.skip"
	{
		printf 'CONFIG_%s := y\n' "$@"
		printf 'objtree := %s\nSRCARCH := none\nKFI_SKIP_TRY := d.o\n' "$tmp"
		echo "include $here/../../kernel/Makefile.kfi"
		echo '$(info $(filter a.o b.o c.o d.o,$(KFI_SKIP)))'
		echo 'all:;@:'
	} | make -s -f - all 2>/dev/null
}
begin 'Makefile.kfi: what kfi-make has listed for this way of instrumenting, and what it tries'
{ skipped CC_IS_GCC && skipped CC_IS_GCC KFI_AFTER_INLINING; } >"$tmp/skipped"
run cat "$tmp/skipped"
out <<'E'
d.o a.o c.o
d.o b.o c.o
E

begin 'hooks.patch: a hunk that adds a line to a function names the function'
run awk '/^@@/ { named = NF > 4 } /^\+\t[a-z].*;$/ && !named { print }' "$here/../../kernel-patch/hooks.patch"
out </dev/null

# BitBake prepares the kernel again if one of the files has changed that the class names. These must be
# all that prepare-tree, and the script that it calls, take from the folder of KFI.
cat >"$tmp/unlisted" <<'E'
cd "$1" || exit
class=scripts/yocto/classes/kfi-kernel.bbclass
sed -n '/^do_kfi_prepare\[file-checksums\]/,/"$/p' "$class" | grep -o '{KFI_TOP}/[^:]*' |
	sed 's,^{KFI_TOP}/,,' | sort >"$2/listed"
{
	echo scripts/prepare-tree
	grep -ohE '"?\$top"?/[A-Za-z0-9_./-]+' scripts/prepare-tree scripts/check-hooks | sed 's,^.*top"*/,,'
} | sed 's,/$,,' | sort -u | while read -r file; do
	[ -e "$file" ] || echo "is not there: $file"
	found=
	while read -r entry; do
		case $file/ in "$entry"/*) found=y ;; esac
	done <"$2/listed"
	[ "$found" ] || echo "is not in $class: $file"
done
[ -s "$2/listed" ] || echo "$class lists nothing"
E
begin 'the class for Yocto names each file that prepare-tree takes'
run sh "$tmp/unlisted" "$here/../.." "$tmp"
out </dev/null
