# SPDX-License-Identifier: GPL-2.0
# kd --gate: alarms that are none are as rare as it states, changes are found, budgets are kept or not.
simulate() {
	awk -f "$here/../fleet/simulate" -v builds=1 -v functions=12 "$@"
}
simulate -v boots=10 >"$tmp/old"
simulate -v boots=10 -v seed=2 >"$tmp/same"
simulate -v boots=10 -v seed=3 -v change=20 >"$tmp/new"

begin 'kd --gate: nothing has changed'
run kd --gate -n 0 "$tmp/old" : "$tmp/same"
out_has 'Name                                Old        New        Change     Change %  Noise    Limit    Verdict    '
err 'kd: note: alarms: 0; boots: 10 old, 10 new; tested: 7; false alarms, of all together: at most 1 in 100 comparisons'

begin 'kd --gate: a function is slower'
run kd --gate -n 1 "$tmp/old" : "$tmp/new"
status 3
out <<'E'
Name                                Old        New        Change     Change %  Noise    Limit    Verdict    
----------------------------------- ---------- ---------- ---------- --------- -------- -------- -----------
f0003                                     3339       4054        715     21.43      155          slower     
E
err 'kd: note: alarms: 1;'

begin 'kd --gate: medians are those of the records'
needs_command python3
run python3 -c '
import csv, json, statistics, subprocess, sys
out = subprocess.run(["kd", "--gate", "--csv", "-n", "99", sys.argv[1], ":", sys.argv[2]],
                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
rows = {r["name"]: r for r in csv.DictReader(l for l in out.splitlines() if l[:2] != "# ")}
for column, path in ("old_ns", sys.argv[1]), ("new_ns", sys.argv[2]):
    want = {}
    for line in open(path):
        b = json.loads(line)
        want.setdefault("total", []).append(b["total_ns"])
        for kind, values in ("phase", "phase.length_ns"), ("function", "function.total_ns"):
            for name, v in zip(b[kind + ".name"], b[values]):
                name = "phase:" + name if kind == "phase" else name
                want.setdefault(name, []).append(v)
    for name, v in want.items():
        if abs(float(rows[name][column]) - statistics.median(v)) > 0.5:
            print(column, name, rows[name], statistics.median(v))
    print(len(rows) == len(want))
' "$tmp/old" "$tmp/new"
out <<'E'
True
True
E

begin 'kd --gate: a function is faster'
run kd --gate -n 0 "$tmp/new" : "$tmp/old"
err 'kd: note: alarms: 0;'

begin 'kd --gate --threshold: less is no alarm'
run kd --gate --threshold 30 -n 0 "$tmp/old" : "$tmp/new"
err 'kd: note: alarms: 0;'

begin 'kd --gate: the same boot counts once'
run kd --gate -n 0 "$tmp/old" : "$tmp/old"
status 2
err 'kd: note: boots that were given before, and do not count again: 10'
err 'kd: no boot behind the colon: there is nothing to compare'

begin 'kd --gate: too few boots'
run sh -c "head -n 2 '$tmp/old' >'$tmp/two'; head -n 2 '$tmp/new' | kd --gate -n 0 '$tmp/two' : -"
status 1
err 'kd: too few boots to know what is noise'
err note

begin 'kd --gate: how many boots are needed'
simulate -v boots=100 -v functions=3 >"$tmp/hundred"
run sh -c "for sides in '4 4' '3 6' '2 12' '1 98' '4 5' '3 7' '2 13' '1 99' '5 4'; do
		head -n \${sides% *} '$tmp/hundred' >'$tmp/few'
		tail -n \${sides#* } '$tmp/hundred' | kd --gate -n 0 '$tmp/few' : - 2>&1 |
			sed -n \"s/^kd: \(too few.*\)/\$sides: \1/p; s/.*\(tested: [1-9]\).*/\$sides: \1/p\"
	done"
out <<'E'
4 4: too few boots to know what is noise: --gate needs 4 and 5, 3 and 7, 2 and 13, or 1 and 99
3 6: too few boots to know what is noise: --gate needs 4 and 5, 3 and 7, 2 and 13, or 1 and 99
2 12: too few boots to know what is noise: --gate needs 4 and 5, 3 and 7, 2 and 13, or 1 and 99
1 98: too few boots to know what is noise: --gate needs 4 and 5, 3 and 7, 2 and 13, or 1 and 99
4 5: tested: 6
3 7: tested: 6
2 13: tested: 6
1 99: tested: 6
5 4: tested: 6
E

begin 'kd --gate: words without a colon'
run kd --gate "$tmp/old" "$tmp/new"
status 2
err 'kd: --gate needs BASELINE... : NEW...'

begin 'kd --gate: a new boot that is not over does not count, and is no pass'
run sh -c "{ cat '$tmp/same'; sed 's/\"complete\":1/\"complete\":0/; s/\"boot\":\"/&x/' '$tmp/new'; } | kd --gate -n 0 '$tmp/old' : -"
status 1
err 'kd: note: boots that were not over when their log ended: 0 old, 10 new, left out'
err 'kd: some new boots did not finish: the gate has neither passed nor failed'
err 'boots: 10 old, 10 new'

begin 'kd --gate: an old boot that is not over does not count'
run sh -c "{ cat '$tmp/old'; sed 's/\"complete\":1/\"complete\":0/; s/\"boot\":\"/&x/' '$tmp/old'; } | kd --gate -n 0 - : '$tmp/same'"
err 'kd: note: boots that were not over when their log ended: 10 old, 0 new, left out'

# In the last three boots no call of f0004 returned.
sed -E '8,$s/(function\.(total|self|max)_ns":\[([0-9]+,){3})[0-9]+/\1null/g' "$tmp/same" >"$tmp/hangs"

begin 'kd --gate: a function that no longer returns is no pass'
run sh -c "grep -c ',null,' '$tmp/hangs'; kd --gate --csv -n 100 '$tmp/old' : '$tmp/hangs' | grep f0004 | cut -d, -f 1,4-6,8"
out <<'E'
3
f0004,,,,unknown
E
err 'kd: 3 of 10 new boots do not say how long f0004 took'

begin 'kd --gate --budget: the limit of a function that no longer returns'
printf 'f0004 < 1s\n' >"$tmp/budget"
run kd --gate -n 0 --budget "$tmp/budget" --junit "$tmp/junit.xml" "$tmp/old" : "$tmp/hangs"
status 1
err 'budget:1: 3 of 10 new boots do not say how long f0004 took'

# Six of the ten boots have no call of f0004.
sed -E '5,$s/"f0004"/"other"/g' "$tmp/same" >"$tmp/rare"

begin 'kd --gate --budget: a function that some new boots lack, by its name and by a glob'
run sh -c "echo 'f0004 < 1us' >'$tmp/budget'; kd --gate -n 0 --budget '$tmp/budget' '$tmp/old' : '$tmp/rare' >/dev/null; echo \$?
	echo 'f000[4] < 1us' >'$tmp/budget'; kd --gate --csv -n 1 --budget '$tmp/budget' '$tmp/old' : '$tmp/rare' | tail -n 1 | cut -d, -f 1,8; echo \$?"
out <<'E'
1
f0004,over budget
0
E
err 'budget:1: 6 of 10 new boots do not say how long f0004 took'
err 'kd: note: alarms: 1;'

begin 'kd --gate --budget: a function of a module'
for f in old new; do sed 's/"f0004"/"f0004[mod]"/g' "$tmp/$f" >"$tmp/$f.mod"; done
printf 'f0004[mod] < 1ms\n' >"$tmp/budget"
run kd --gate -n 0 --budget "$tmp/budget" "$tmp/old.mod" : "$tmp/new.mod"
status 3
err 'kd: note: alarms: 1;'

begin 'kd --gate --budget: a file without a limit'
printf '# total < 1us\n' >"$tmp/budget"
run kd --gate -n 0 --budget "$tmp/budget" "$tmp/old" : "$tmp/new"
status 2
err 'budget: no line has a limit: a budget has lines as "time_init < 50ms"; leave out --budget'

begin 'kd --gate --budget: kept'
printf '# limits\ntotal < 200ms\nphase:initcalls: device < 100ms\nlevel:device < 100ms\nf0003 < +25%%\nf0001 < +5%%\n' >"$tmp/budget"
run kd --gate -n 0 --budget "$tmp/budget" "$tmp/old" : "$tmp/new"
err 'kd: note: alarms: 0;'

begin 'kd --gate --budget: noise is that of changes that would be reported, with limits as without'
simulate -v boots=5 >"$tmp/old5"
simulate -v boots=5 -v seed=3 -v change=20 >"$tmp/new5"
run sh -c "for limits in none 'total < 2s' 'f0001 < +5%' 'f0003 < +25%' '* < +0%'; do
		echo \"\$limits\" >'$tmp/limits'
		case \$limits in none) budget= ;; *) budget='--budget /dev/stdin' ;; esac
		kd --gate --csv -n 99 \$budget '$tmp/old5' : '$tmp/new5' <'$tmp/limits' |
			grep ^f0003, | cut -d, -f6
	done >'$tmp/noise'; uniq -c '$tmp/noise' | awk '{ print \$1, (\$2 > last); last = \$2 }'"
out <<'E'
4 1
1 1
E
err note

begin 'kd --gate --budget: not kept'
printf 'f* < +5%%\nf0001 < 1ms\n' >"$tmp/budget"
run sh -c "kd --gate --csv -n 3 --budget '$tmp/budget' --junit '$tmp/junit.xml' --markdown '$tmp/result.md' '$tmp/old' : '$tmp/new' >'$tmp/table'; status=\$?; grep -c 'over budget' '$tmp/table'; grep -c 'over budget' '$tmp/result.md'; head -n 1 '$tmp/result.md'; exit \$status"
status 3
out <<'E'
2
2
### Boot time: slower
E
err 'kd: note: alarms: 2;'

begin 'kd --gate --junit: what is written is XML'
needs_command python3
run python3 -c '
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
cases = suite.findall("testcase")
print(suite.get("name"), suite.get("failures"), int(suite.get("tests")) == len(cases),
      int(suite.get("skipped")) == len(suite.findall("testcase/skipped")))
for name in sorted(c.get("name") for c in cases if c.find("failure") is not None):
    print(name)
' "$tmp/junit.xml"
out <<'E'
kd --gate 2 True True
f0001
f0003
E

begin 'kd --gate: names that mean something to XML and Markdown'
sed 's/f0003/a<\&|`b/g' "$tmp/old" >"$tmp/odd_old"
sed 's/f0003/a<\&|`b/g' "$tmp/new" >"$tmp/odd_new"
run sh -c "kd --gate -n 0 --junit '$tmp/odd.xml' --markdown '$tmp/odd.md' '$tmp/odd_old' : '$tmp/odd_new' >/dev/null; grep -o 'name=\"a[^\"]*' '$tmp/odd.xml'; grep -o '^| a[^ ]*' '$tmp/odd.md'"
out <<'E'
name="a&#60;&#38;|`b
| a\<\&\|\`b
E
err 'kd: note: alarms: 1;'

begin 'kd --gate --budget: what the boots do not have'
run sh -c "echo 'nothing < 1ms' >'$tmp/budget'; kd --gate -n 0 --budget '$tmp/budget' '$tmp/old' : '$tmp/new'"
status 1
err 'budget:1: the new boots do not say how long nothing took'
err note

begin 'kd --gate --budget: what is too short to be tested'
run sh -c "echo 'f0012 < +5%' >'$tmp/budget'; kd --gate -n 0 --budget '$tmp/budget' '$tmp/old' : '$tmp/new'"
status 1
err 'budget:1: f0012 cannot be tested: too few boots, or it is too short'
err note

begin 'kd --gate --budget: a line that is none'
run sh -c "echo 'f < 5%' >'$tmp/budget'; kd --gate -n 0 --budget '$tmp/budget' '$tmp/old' : '$tmp/new'"
status 2
err 'budget:1: a budget has lines as'

begin 'kd --diff --budget: a growth'
run sh -c "echo 'f < +5%' >'$tmp/budget'; kd --diff -n 0 --budget '$tmp/budget' '$DATA/format3.lst' '$DATA/format3.lst'"
status 2
err 'budget:1: a growth is a limit of --gate'

begin 'kd --gate --junit, --markdown: one file for both, of which there is none, and there is one'
run sh -c "cd '$tmp'; kd --gate --junit both --markdown ./both old : new; echo \$?; ls both; echo old >both
	kd --gate --junit both --markdown ./both old : new; echo \$?; cat both
	kd --gate -n 0 --junit /dev/null --markdown /dev/null old : same | wc -l"
out <<'E'
2
2
old
2
E
err 'kd: --junit and --markdown need a file each'
err "ls: cannot access 'both'"
err 'kd: note: alarms: 0;'

begin 'kd --gate --junit, --markdown: a file that is read, by its name, in a list, in a folder'
mkdir "$tmp/side"
cp "$tmp/old" "$tmp/side/old"
echo side/old >"$tmp/old-list"
echo "total < 9s" >"$tmp/limits"
cp "$tmp/new" "$tmp/new2"
run sh -c "cd '$tmp'; for o in '--junit side/old side/old : new' '--markdown new2 old : new2' \\
		'--junit side/old @old-list : new' '--junit old-list @old-list : new' '--markdown ./side/old side : new' \\
		'--junit side/old - : new'; do
		kd --gate \$o <side/old || echo \$?
	done; cmp side/old old; cmp new2 new; cat old-list; kd --gate -n 0 --budget limits --markdown limits old : new; cat limits"
out <<'E'
2
2
2
2
2
2
side/old
total < 9s
E
err 'kd: --junit side/old: this file is read, too'
err 'kd: --markdown new2: this file is read, too'
err 'kd: --junit old-list: this file is read, too'
err 'kd: --markdown ./side/old: this file is read, too'
err 'kd: --markdown limits: this file is read, too'

begin 'kd --gate --junit: a file that cannot be written'
run kd --gate -n 0 --junit /dev/full "$tmp/old" : "$tmp/same"
status 2
err 'kd: --junit /dev/full: cannot write: No space left on device'
err note

# Of 1,000 comparisons of equal boots at most 10 are to have an alarm, however small changes may be that
# count. The boots are the same each time.
begin 'kd --gate: 1,000 comparisons without a change, and 100 with one'
simulate -v boots=10000 -v functions=5 -v seed=7 | split -a 4 -d -l 5 - "$tmp/part."
simulate -v boots=500 -v functions=5 -v seed=8 -v change=20 | split -a 4 -d -l 5 - "$tmp/slow."
cat >"$tmp/gate-many" <<'E'
cd "$1" || exit
alarms=0 found=0
for i in $(seq 1000 1999); do
	kd --gate --threshold 0 -t 1us -n 0 part.0${i#1} : part.$i >gate.out 2>gate.err
	case $? in 3) alarms=$((alarms + 1)) ;; 0) ;; *) cat gate.err ;; esac
done
for i in $(seq 1000 1099); do
	kd --gate -n 1 part.$i : slow.00${i#10} >gate.out 2>gate.err
	tail -n 1 gate.out | grep -q '^f0003.*slower' && found=$((found + 1))
done
echo "alarms: $alarms, found: $found" >&2
[ $alarms -le 10 ] && [ $found -ge 95 ]
E
run env PATH="$KFI_FAST_TOOLS:$PATH" sh "$tmp/gate-many" "$tmp"
out </dev/null
err 'alarms: '
