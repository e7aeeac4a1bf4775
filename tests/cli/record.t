# SPDX-License-Identifier: GPL-2.0
# kd --record: a line of JSON for each boot, with the numbers that kd prints otherwise.
# shellcheck source=tests/cli/boot-log
. "$here/boot-log"
DEMO=$DATA/demo
TUTORIAL=$DATA/tutorial

# boot_lst FACTOR SUFFIX: a boot with calls of FACTOR microseconds; the compiler added SUFFIX.
boot_lst() {
	log <<E
head Logging started at 0 usec by entry to function start_kernel
head Logging stopped at 9000 usec by user action
head Kernel = 6.12
head Build id = 00aa$1
head Clock = test
call 0 - 0 0 1 start_kernel
call 10 $((100 * $1)) 0 0 2 init_IRQ$2 $((100 * $1))
call 2000 $((200 * $1)) 0 0 2 walk$2 $((150 * $1))
call 2010 $((50 * $1)) 0 0 3 walk.part.0 $((50 * $1))
call 8000 - 0 0 2 rest_init
call 8010 - 1 0 1 kernel_init
call 8020 - 1 0 2 to_userspace
E
}

begin 'kd --record: the numbers of kd and kd --boot'
needs_command python3
run python3 "$here/records" "$DEMO/System.map" "$DEMO/kfi.log"
out </dev/null

begin 'kd --fleet: what is stored of a boot does not depend on what is shown'
needs_command python3
run sh -c "for t in 1ns 1s; do
		kd --fleet '$tmp/'\$t.db --ask changes -n 0 -t \$t --map '$DEMO/System.map' '$DEMO/kfi.log' >/dev/null 2>&1 || echo \$?
	done
	python3 -c 'import sqlite3, sys
one, two = [list(sqlite3.connect(p).execute(\"select * from path\")) for p in sys.argv[1:]]
print(len(one) > 2, one == two)' '$tmp/1ns.db' '$tmp/1s.db'"
out <<'E'
True True
E

begin 'kd --record: of other logs, too'
needs_command python3
run python3 "$here/records" "$TUTORIAL/System.map" "$TUTORIAL/old.1.log.gz" "$TUTORIAL/new.1.log.gz" \
	"$TUTORIAL/before.log.gz" "$TUTORIAL/after.log.gz"
out </dev/null

boot_lst 1 .isra.0 >"$tmp/boot1.lst"
boot_lst 2 .constprop.0.cold >"$tmp/boot2.lst"

begin 'kd --record: and where the compiler changed names'
needs_command python3
run python3 "$here/records" '' "$tmp/boot1.lst" "$tmp/boot2.lst"
out </dev/null

begin 'kd --record: one name for all that the compiler made of a function, time is not counted twice'
run sh -c "kd --record --label board=b,time=7 '$tmp/boot1.lst' | sed 's/.*function.name/function.name/'"
out <<'E'
function.name":["start_kernel","init_IRQ","walk","rest_init","kernel_init","to_userspace"],"function.count":[1,1,2,1,1,1],"function.total_ns":[null,100000,200000,null,null,null],"function.self_ns":[null,100000,200000,null,null,null],"function.max_ns":[null,100000,200000,null,null,null]}
E

begin 'kd --record: labels, from the options and the path'
mkdir -p "$tmp/lab/v2/board+7"
cp "$tmp/boot1.lst" "$tmp/lab/v2/board+7/1.lst"
run sh -c "kd --record --label board=b,arch=arm,time=2026-01-31,config=small --path 'lab/{build}/{board}/*.lst' '$tmp/lab/v2/board+7/1.lst' |
	sed -E 's/.*(\"board\":.*),\"log.*(\"time\":[0-9]*).*/\\1 \\2/; s/\"boot\":\"[0-9a-f]{32}\"/BOOT/'"
out <<'E'
"board":"board+7",BOOT,"build":"v2","arch":"arm","config":"small" "time":1769817600
E

begin 'kd --record: a path that does not match is skipped'
run kd --record --path '{build}/{board}/x*.lst' "$tmp/lab/v2/board+7/1.lst"
status 1
out </dev/null
err '1.lst: the path does not end as --path {build}/{board}/x*.lst; skipped'
err 'kd: note: skipped: 1; read: 0'

begin 'kd --record: a label that is none'
run kd --record --label board,build=1 "$tmp/boot1.lst"
status 2
err 'kd: --label board: not KEY=VALUE; keys are board, build, arch, config and time'

begin 'kd --record: a label that is given twice'
run kd --record --label board=a,build=1,board=b "$tmp/boot1.lst"
status 2
out </dev/null
err 'kd: --label board=b: board has a value already'

begin 'kd --record: a label of a path that is none'
run kd --record --path '{bord}/*' "$tmp/boot1.lst"
status 2
err 'kd: --path: {bord}: labels are board, build, arch, config and time'

begin 'kd --record: a time that is none'
run kd --record --label board=b,time=noon "$tmp/boot1.lst"
status 1
err 'time noon: neither seconds since 1970 nor a date as 2026-01-31; skipped'
err note

begin 'kd --record: the same boot, compressed and with other names, has the same identity'
gzip -c "$tmp/boot1.lst" >"$tmp/packed.gz"
sed 's/walk/went/' "$tmp/boot1.lst" >"$tmp/named.lst"
run sh -c "kd --record --label board=b '$tmp/boot1.lst' '$tmp/packed.gz' '$tmp/named.lst' '$tmp/boot2.lst' |
	sed 's/.*\"boot\":\"\\([0-9a-f]*\\).*/\\1/' | uniq -c | awk '{ print \$1 }'"
out <<'E'
3
1
E

begin 'kd --record: folders and lists; a log that is broken is skipped'
mkdir -p "$tmp/many/sub"
cp "$tmp/boot1.lst" "$tmp/many/a.lst"
cp "$tmp/boot2.lst" "$tmp/many/sub/b.lst"
sed '$d' "$tmp/boot2.lst" >"$tmp/many/c.lst"
echo nonsense >>"$tmp/many/c.lst"
: >"$tmp/many/empty"
: >"$tmp/many/.hidden"
: >"$tmp/many/fleet.db"
printf '%s\n\n%s\n' "$tmp/many" "$tmp/nowhere" >"$tmp/list"
run sh -c "kd --record --label board=b '@$tmp/list'  >'$tmp/records'; echo \$? \$(wc -l <'$tmp/records')"
out <<'E'
1 2
E
err 'c.lst:19: not a call: '
err 'many/empty: empty; skipped'
err 'nowhere: No such file or directory; skipped'
err 'kd: note: skipped: 3; read: 2'

begin 'kd --record: what is no boot'
run kd --record "$DATA/noexit.lst"
status 1
err 'noexit.lst: --boot needs the log of a boot: start_kernel is not in it; skipped'
err note

begin 'kd --record: a pipe'
run sh -c "cat '$tmp/boot1.lst' | kd --record -"
status 1
err '-: No such file or directory; skipped'
err note

begin 'kd --record: symbols of each build are found by its build id'
old_id=$(zcat "$TUTORIAL/old.1.log.gz" | sed -n 's/^Build id = //p')
demo_id=$(sed -n 's/^Build id = //p' "$DEMO/kfi.log")
mkdir -p "$tmp/symbols/$old_id" "$tmp/symbols/$demo_id"
cp "$TUTORIAL/System.map" "$tmp/symbols/$old_id/"
cp "$DEMO/System.map" "$tmp/symbols/$demo_id/"
run sh -c "kd --record --label board=b,time=1 --symbols '$tmp/symbols' '$DEMO/kfi.log' '$TUTORIAL/old.1.log.gz' '$DEMO/kfi.log' >'$tmp/by_id' &&
	{ kd --record --label board=b,time=1 --map '$DEMO/System.map' '$DEMO/kfi.log' &&
	kd --record --label board=b,time=1 --map '$TUTORIAL/System.map' '$TUTORIAL/old.1.log.gz' &&
	kd --record --label board=b,time=1 --map '$DEMO/System.map' '$DEMO/kfi.log'; } | cmp - '$tmp/by_id' && test -s '$tmp/by_id'"

begin 'kd --record: a vmlinux without symbols beside a System.map'
needs_command strip
echo 'void f(void) { }' | ${CC:-cc} -c -x c - -o "$tmp/symbols/$old_id/vmlinux"
strip "$tmp/symbols/$old_id/vmlinux"
run sh -c "kd --record --label board=b,time=1 --symbols '$tmp/symbols' '$DEMO/kfi.log' '$TUTORIAL/old.1.log.gz' '$DEMO/kfi.log' | cmp - '$tmp/by_id'"

begin 'kd --record: a vmlinux without symbols alone'
needs_command strip
run sh -c "rm '$tmp/symbols/$old_id/System.map'; kd --record --label board=b,time=1 --symbols '$tmp/symbols' '$TUTORIAL/old.1.log.gz'"
status 1
out </dev/null
err 'vmlinux: an ELF file without symbols (stripped?); skipped'
err note

begin 'kd --record: a System.map that was cut: no record gets its names'
run sh -c "head -c 20000 '$DEMO/System.map' >'$tmp/symbols/$demo_id/System.map'; kd --record --label board=b,time=1 --symbols '$tmp/symbols' '$DEMO/kfi.log'
	kd --record --label board=b,time=1 --map '$tmp/symbols/$demo_id/System.map' '$DEMO/kfi.log'"
status 1
out </dev/null
err "/System.map:$(head -c 20000 "$DEMO/System.map" | grep -c ''): "
err note

begin 'kd --record: no symbols of the build, or no folder of symbols'
run sh -c "mkdir '$tmp/none'; sed '/^Build id/d' '$DEMO/kfi.log' >'$tmp/nameless.log'
	kd --record --symbols '$tmp/none' '$DEMO/kfi.log' '$tmp/nameless.log'; echo \$?
	kd --record --symbols '$tmp/nowhere' '$DEMO/kfi.log'; echo \$?
	kd --gate --symbols '$tmp/list' '$DEMO/kfi.log' : '$DEMO/kfi.log'"
out <<'E'
1
2
E
status 2
err "kfi.log: --boot needs the names of functions: --symbols: there is no $tmp/none/$demo_id/vmlinux, and no System.map in its place; skipped"
err 'nameless.log: --boot needs the names of functions: the log has no build id, which --symbols needs: use --map, --vmlinux or addr2sym; skipped'
err "kd: --symbols $tmp/nowhere: No such file or directory"
err "kd: --symbols $tmp/list: Not a directory"
err 'kd: note: skipped: 2; read: 0'

begin 'kd --record: symbols of another kernel'
run kd --record --label board=b --map "$DEMO/System.map" "$TUTORIAL/old.1.log.gz"
status 1
out </dev/null
err 'belongs to another kernel than'
err note

begin 'kd --record: records are read, and written as they were'
run sh -c "kd --record --label board=b,time=1 '$tmp/boot1.lst' '$tmp/boot2.lst' >'$tmp/one' && kd --record '$tmp/one' | cmp - '$tmp/one' &&
	kd --record - <'$tmp/one' | cmp - '$tmp/one' && test -s '$tmp/one'"

begin 'kd --record: lines that are no records are skipped'
run sh -c "{ head -n 1 '$tmp/one'; echo '{\"kfi\":'; echo '{\"kfi\":\"record\",\"version\":2}'; sed 's/\"total_ns\":[0-9]*/\"total_ns\":-5/;q' '$tmp/one'; tail -n 1 '$tmp/one'; } >'$tmp/lines'
	kd --record '$tmp/lines' | cmp - '$tmp/one'; kd --record '$tmp/lines' 2>/dev/null >/dev/null; echo \$?"
out <<'E'
1
E
err 'lines:2:7: not JSON: '
err 'lines:3: a record of another version: this kd knows version 1; record the log again; skipped'
err 'lines:4: total_ns is not a whole number of 0 or more; skipped'

begin 'kd --record -o: a file'
run sh -c "kd --record -o '$tmp/file' '$tmp/one' && cmp '$tmp/file' '$tmp/one'"

begin 'kd --record -o: the file is among those that are read, by its name, in a list, in a folder'
mkdir "$tmp/add" "$tmp/add/logs"
cp "$tmp/boot1.lst" "$tmp/add/logs/"
run sh -c "cd '$tmp/add' && echo one.jsonl >list && label='--label board=b,time=1'
	kd --record \$label -o one.jsonl '$tmp/boot1.lst' && kd --record \$label -o one.jsonl one.jsonl '$tmp/boot2.lst' &&
	cmp one.jsonl ../one && kd --record \$label -o one.jsonl @list && cmp one.jsonl ../one &&
	kd --record \$label -o logs/new.jsonl logs && cp ../boot2.lst logs/boot1.lst &&
	kd --record \$label -o logs/new.jsonl logs && grep -o '\"build\":\"[0-9a-f]*' logs/new.jsonl
	ls -A . logs"
out <<'E'
"build":"00aa2
"build":"00aa1
.:
list
logs
one.jsonl

logs:
boot1.lst
new.jsonl
E

begin 'kd --record -o: no record, so the old file stays; a log that is read does not become records'
run sh -c "cd '$tmp/add' && rm -r ./* && mkdir none && echo old >old && cp ../boot1.lst log && echo damage >damage
	for o in '-o old none' '-o new none' '-o old damage' 'none' '-o log log' '-o log ../one log'; do kd --record \$o >out; echo \$?; wc -c <out; done
	cat old; cmp log ../boot1.lst; ls -A"
out <<'E'
1
0
1
0
1
0
1
0
2
0
2
0
old
damage
log
none
old
out
E
err 'kd: no file has a boot: no record was made, and -o is as it was'
err 'kd: no file has a boot: no record was made'
err 'kd: -o log: this file is read, too: name another one'

begin 'kd --record -o: a failure keeps the old file, or makes none'
run sh -c "cd '$tmp/add' && rm -r ./* && echo old >old && kd --record -o old ../one @nowhere; echo \$?
	kd --record -o new ../one @nowhere; echo \$?; cat old; ls -A"
out <<'E'
2
2
old
old
E
err 'kd: nowhere: No such file or directory'

begin 'kd --record -o: mode and links stay, also a link to nothing; a new file has the usual mode'
run sh -c "cd '$tmp/add' && rm ./* && echo >file && chmod 640 file && ln -s file link && ln -s none dangling && umask 027 &&
	kd --record -o link ../one && kd --record -o dangling ../one && kd --record -o new ../one &&
	cmp file ../one && cmp none ../one && cmp new ../one && stat -c '%a %F %N' *"
out <<'E'
777 symbolic link 'dangling' -> 'none'
640 regular file 'file'
777 symbolic link 'link' -> 'file'
640 regular file 'new'
640 regular file 'none'
E

begin 'kd --record -o: a pipe, standard output to a pipe and to a file'
run sh -c "cd '$tmp/add' && rm ./* && mkfifo pipe && { cat pipe >from & } && kd --record -o pipe ../one && wait &&
	kd --record -o /dev/stdout ../one | cmp - ../one && { kd --record -o /dev/stdout ../one; } >file &&
	cmp from ../one && cmp file ../one && kd --record -o /dev/null ../one && ls -A && test -c /dev/null"
out <<'E'
file
from
pipe
E

begin 'kd --record -o: a file that cannot be written'
run kd --record -o /dev/full "$tmp/one"
status 2
err 'kd: -o /dev/full: cannot write: No space left on device'

begin 'kd --record: as JSON it always is'
run kd --record --csv "$tmp/one"
status 2
err 'kd: --csv cannot be used with --record'
