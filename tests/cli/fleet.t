# SPDX-License-Identifier: GPL-2.0
# kd --fleet: records in a file, and questions to them. records_ask computes the answers another way.
SIMULATE=$here/../fleet/simulate
awk -f "$SIMULATE" -v change=20 -v bad=1 >"$tmp/boots.jsonl"
db=$tmp/boots.db

begin 'kd --fleet: records are added, and none twice'
run sh -c "kd --fleet '$db' --ask boots -n 0 '$tmp/boots.jsonl' && head -n 30 '$tmp/boots.jsonl' | kd --fleet '$db' --ask boots --csv - '$tmp/boots.jsonl' | grep -c board"
out <<'E'
Boot                             Board                    Build                    First boot Total      Whole Log
-------------------------------- ------------------------ ------------------------ ---------- ---------- ----- --------
101
E
err 'kd: note: boots added: 100, known before: 0'
err 'kd: note: boots added: 0, known before: 130'

begin 'kd --fleet: the trend of the total'
run_csv kd --fleet "$db" --csv -n 2
out <<'E'
build,date,boots,boards,median_ns,deviation_ns,p95_ns,change_ns,change_percent,bar,unsure
v1,2026-01-01,10,10,36056964,419310,76559408,,,,
v2,2026-01-08,10,10,36202653,691854,75895889,145689,0.40,,
E

begin 'kd --fleet: the answers are those that Python gives'
needs_command python3
run python3 "$here/records_ask" "$db" "$tmp/boots.jsonl"
out </dev/null

begin 'kd --fleet: a change has its build, and nothing else has one'
run_csv kd --fleet "$db" --ask changes --csv
out_has 'function,f0003,v6,3352210,4009694,657484,19.61,1.8e-15,10,'
err 'kd: note: changes: 1, of 23 series in 10 builds and 100 boots'

begin 'kd --fleet: that a function no longer returns makes no build faster'
awk -f "$SIMULATE" -v boots=100 |
	sed -E '/"build":"v(6|7|8|9|10)"/s/(function\.(total|self|max)_ns":\[([0-9]+,){3})[0-9]+/\1null/g' >"$tmp/hangs.jsonl"
run sh -c "grep -c ',null,' '$tmp/hangs.jsonl'; kd --fleet '$tmp/hangs.db' --ask changes --csv '$tmp/hangs.jsonl' | grep -c f0004"
status 1
out <<'E'
50
0
E
err 'kd: note: times of boots in which no call of a function returned: 50: the median of the other boots stands for each'

begin 'kd --fleet: a build that slow boards boot more often has no change, and a change is found all the same'
awk -f "$SIMULATE" -v bad=3 -v mix=1 >"$tmp/mix.jsonl"
awk -f "$SIMULATE" -v bad=3 -v mix=1 -v change=20 >"$tmp/both.jsonl"
run sh -c "for name in mix both; do kd --fleet '$tmp/'\$name.db --ask changes --csv '$tmp/'\$name.jsonl 2>/dev/null | grep -v '^#' | cut -d , -f 1-3,9; done"
out <<'E'
kind,name,build,boards
kind,name,build,boards
function,f0003,v6,6
E

begin 'kd --fleet: builds and boards that cannot be compared'
sed 's/"board":"[^"]*",\("boot":[^,]*,"build":"v1"\)/"board":"first",\1/' "$tmp/both.jsonl" >"$tmp/first.jsonl"
run sh -c "kd --fleet '$tmp/first.db' --ask changes --csv '$tmp/first.jsonl' 2>&1 >'$tmp/first' | grep compared; grep -c ^f '$tmp/first'"
out <<'E'
kd: note: boots of boards that booted one build only: 10 of 100: they are compared with none
kd: note: builds that cannot be compared: 1, such as v2: no board has booted both an earlier build and it or a later one
1
E

# 1000 functions, of which 200 change by 3 percent; the rest is noise on boards of two kinds.
begin 'kd --fleet: of the changes that are listed, 1 in 20 is by chance at most'
for seed in 1 2 3 4 5 6 7 8 9 10; do
	awk -f "$SIMULATE" -v seed=$seed -v boots=60 -v builds=6 -v boards=5 -v functions=100 -v bad=2 \
		-v mix=1 -v change=3 -v changes=5 >"$tmp/rate.$seed"
done
run sh -c "for seed in 1 2 3 4 5 6 7 8 9 10; do
	kd --fleet '$tmp/rate'\$seed.db --ask changes --csv -t 1ns --threshold 0 -n 100000 '$tmp/rate.'\$seed 2>/dev/null | grep ^function,
	done | awk -F , '{ wrong += substr(\$2, 2) % 5 != 0; right += substr(\$2, 2) % 5 == 0 }
	END { if (wrong * 20 > wrong + right || right < 100) { print \"wrong: \" wrong + 0 \" right: \" right + 0 } }'"
out </dev/null

begin 'kd --fleet: boards that are slow in all builds'
run_csv kd --fleet "$db" --ask outliers --csv
out_has 'board01,10,10920218,29.82,86.9,'
err 'kd: note: outliers: 1 of 10 boards'

begin 'kd --fleet: functions with two modes'
run kd --fleet "$db" --ask bimodal -n 1
out_has 'boot     (the boot)                               36537      76572   20.00     12.2'

begin 'kd --fleet: what the slow boots do more'
run_csv kd --fleet "$db" --ask worst -n 1 --csv
out_has 'f0002,11103357,45499977,34396620,92.54,'
err 'slow: 6 of 100 boots'

begin 'kd --fleet: functions by name, phases, and blocks for medians'
run sh -c "kd --fleet '$db' --ask functions --func f0003; kd --fleet '$db' --ask phases"
out_has 'f0003                                     3345       4017        671     20.08 ▁▁▁▁▁█████'
out_has '(the boot)                               36056      36775        718      1.99 ▁▂▄▁▁██▇██'

begin 'kd --fleet: a page with all answers, as a person sees them'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
kd --fleet "$db" --html "$tmp/fleet.html" 2>/dev/null
run "$here/browser-fleet" "$tmp/fleet.html" "$db"
out </dev/null

begin 'kd --fleet: a page of names that must not become markup'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
EVIL='</script><img src=x onerror=alert(1)>"&amp;'
python3 -c 'import json, sys
for line in sys.stdin:
    r = json.loads(line)
    for key in "build", "board":
        r[key] += sys.argv[1]
    for key in "function.name", "path.function", "phase.name":
        r[key] = [x and x + sys.argv[1] for x in r[key]]
    print(json.dumps(r))' "$EVIL" <"$tmp/boots.jsonl" >"$tmp/evil.jsonl"
kd --fleet "$tmp/evil.db" --html "$tmp/evil.html" "$tmp/evil.jsonl" 2>/dev/null
run "$here/browser-fleet" "$tmp/evil.html" "$tmp/evil.db"
out </dev/null

begin 'kd --fleet: the page of many boots has a bar for each build, and the rows of -n'
needs_command python3
needs_command "${CHROMIUM:-chromium}"
awk -f "$SIMULATE" -v boots=4000 -v functions=3 >"$tmp/many.jsonl"
kd --fleet "$tmp/many.db" --html "$tmp/many.html" -n 2 "$tmp/many.jsonl" 2>/dev/null
run "$here/browser" --eval "[kfi.facts().dots, kfi.facts().median.length, document.querySelectorAll('rect.dot').length,
	document.querySelectorAll('#functions tbody tr').length,
	document.querySelector('#functions p').textContent]" "$tmp/many.html"
out <<'E'
[0, 10, 10, 2, "The page has 2 of 3 rows: kd -n chooses how many."]
E

begin 'kd --fleet: the page answers all questions, and is not the fleet'
run sh -c "kd --fleet '$db' --html '$tmp/x.html' --ask trend; kd --fleet '$db' --html '$tmp/x.html' --json; ls '$tmp/x.html'; kd --fleet '$db' --html '$db'"
err 'kd: --fleet --html answers all questions: leave out --ask, --csv and --json'
err 'this file is read, too'
status 2

begin 'kd --fleet: an option without effect on the question'
run sh -c 'for o in "--func f0003" "-s t" "-t 1s" "--threshold 7" "--ask phases --func f0003" "--ask worst -t 1s" \
	"--ask outliers -s t" "--ask functions --threshold 7" "--ask boots -t 1"; do kd --fleet "$0" $o || echo $?; done | uniq -c' "$db"
out <<'E'
      9 2
E
err 'kd: --func has no effect on --ask trend: ask functions, changes or bimodal'
err 'kd: -s has no effect on --ask trend: ask functions, changes or bimodal'
err 'kd: -t has no effect on --ask trend: ask changes, outliers or bimodal'
err 'kd: --threshold has no effect on --ask trend: ask changes, outliers or bimodal'
err 'kd: --func has no effect on --ask phases'
err 'kd: -t has no effect on --ask worst'
err 'kd: -s has no effect on --ask outliers'
err 'kd: --threshold has no effect on --ask functions'
err 'kd: -t has no effect on --ask boots'

begin 'kd --fleet: functions that there are not'
run kd --fleet "$db" --ask functions --func nothing
status 1
out_has 'Name                                First      Last       Change     Change %  Trend'
err 'kd: note: no function of the fleet matches'

begin 'kd --fleet: noise alone has no change, no outlier and no modes'
awk -f "$SIMULATE" -v seed=5 | sed 's/"f0002"/"g"/g' | awk 'NR % 5' | grep -v '"total_ns":[6-9]' >"$tmp/noise.jsonl"
run sh -c "for question in changes 'outliers -t 1us --threshold 0' 'bimodal -t 1us --threshold 0'; do kd --fleet '$tmp/noise.db' --ask \$question --csv '$tmp/noise.jsonl' 2>/dev/null | grep -v ^#; done"
out <<'E'
kind,name,build,before_ns,after_ns,change_ns,change_percent,chance,boards,unsure
board,boots,change_ns,change_percent,deviations,unsure
kind,name,low_ns,high_ns,high_percent,distance,unsure
E

begin 'kd --fleet: logs, and a folder of records'
mkdir -p "$tmp/folder"
kd --record --label board=b1,build=old,time=1800000000 --map "$DATA/tutorial/System.map" "$DATA/tutorial/old.1.log.gz" >"$tmp/folder/old.jsonl"
run sh -c "kd --fleet '$tmp/folder' --label board=b2,build=new,time=1900000000 --map '$DATA/tutorial/System.map' '$DATA/tutorial/new.1.log.gz' | cut -c 1-34
	kd --fleet '$tmp/folder' --ask boots --csv | grep -c '^[0-9a-f]*,b[12],'"
out <<'E'
Build                    First boo
------------------------ ---------
old                      2027-01-1
new                      2030-03-1
2
E
err 'kd: note: boots added: 2, known before: 0'
err 'kd: note: boots added: 0, known before: 1'

begin 'kd --fleet: boots that were not over are kept, and not looked at'
sed 's/"complete":1/"complete":0/' "$tmp/boots.jsonl" >"$tmp/open.jsonl"
run kd --fleet "$tmp/open.db" "$tmp/open.jsonl"
status 2
out </dev/null
err 'open.db: no boot that is complete: add records or logs'
err note

begin 'kd --fleet: a file that is none of its own'
run sh -c "echo 'this is a text and no database at all, by its length and its first bytes' >'$tmp/text'; kd --fleet '$tmp/text' '$tmp/boots.jsonl'"
status 2
err 'text: file is not a database: give a file that --fleet has made, or a new one'

begin 'kd --fleet: a database of another program'
needs_command sqlite3
run sh -c "sqlite3 '$tmp/other.db' 'CREATE TABLE t (x)'; kd --fleet '$tmp/other.db' '$tmp/boots.jsonl'"
status 2
err 'other.db: a database of another program: give a file that --fleet has made, or a new one'

begin 'kd --fleet: a database of another version'
needs_command sqlite3
run sh -c "cp '$db' '$tmp/later.db'; sqlite3 '$tmp/later.db' 'PRAGMA user_version = 99'; kd --fleet '$tmp/later.db'"
status 2
err 'later.db: another kd has made it: it has version 99'

begin 'kd --fleet: a file that is damaged'
run sh -c "head -c 20000 '$db' >'$tmp/torn.db'; kd --fleet '$tmp/torn.db' --ask functions"
status 2
err 'torn.db: database disk image is malformed'

begin 'kd --fleet: a file that is not there'
run kd --fleet "$tmp/nowhere.db"
status 2
err 'nowhere.db: No such file or directory'

begin 'kd --fleet: a question that is none'
run kd --fleet "$db" --ask why
status 2
err 'kd: --ask why: no such question: trend, phases, functions, changes, outliers, bimodal, worst or boots'

begin 'kd --fleet: killed in the middle of a load, a boot is whole or not there, and the rest is added'
needs_command sqlite3
awk -f "$SIMULATE" -v boots=3000 -v functions=100 >"$tmp/large.jsonl"
run sh -c "kd --fleet '$tmp/large.db' --ask boots -n 0 '$tmp/large.jsonl' >/dev/null 2>&1 & sleep 0.4; kill -9 \$! 2>/dev/null; wait \$! 2>/dev/null
	sqlite3 '$tmp/large.db' 'SELECT count(*) FROM (SELECT boot, count(*) AS n FROM function GROUP BY boot) WHERE n != 100' 2>/dev/null || echo 0
	kd --fleet '$tmp/large.db' --ask boots -n 0 '$tmp/large.jsonl' >/dev/null 2>&1
	sqlite3 '$tmp/large.db' 'SELECT count(*), sum(total_ns) FROM boot' >'$tmp/sum'
	sed 's/.*\"total_ns\":\\([0-9]*\\).*/\\1/' '$tmp/large.jsonl' | awk '{ sum += \$1 } END { printf \"%d|%.0f\\n\", NR, sum }' | diff - '$tmp/sum'
	sqlite3 '$tmp/large.db' 'SELECT count(*) FROM function'"
out <<'E'
0
300000
E

# The fleet of another engine, from standard input: the same boots, each twice, and the same answers.
awk -f "$SIMULATE" -v change=20 -v changes=4 -v boots=200 >"$tmp/stream.jsonl"
TWICE=1 python3 "$here/stream_fleet" <"$tmp/stream.jsonl" >"$tmp/stream.bin"
begin 'kd --fleet -: the answers are those of the file'
needs_command python3
run sh -c "kd --fleet '$tmp/stream.db' --ask changes '$tmp/stream.jsonl' >'$tmp/answers' 2>/dev/null && kd --fleet '$tmp/stream.db' --ask bimodal >>'$tmp/answers' &&
	for q in changes bimodal; do kd --fleet - --ask \$q <'$tmp/stream.bin' 2>/dev/null; done | diff '$tmp/answers' - && grep -c -e '^function f0004 .* v6 ' -e '^function f0002 ' '$tmp/answers'"
out <<'E'
2
E

begin 'kd --fleet -: times that are not known count as they do with a file'
needs_command python3
run sh -c "kd --fleet '$tmp/hangs.db' --ask changes >'$tmp/answers' 2>/dev/null; python3 '$here/stream_fleet' <'$tmp/hangs.jsonl' | kd --fleet - --ask changes | diff '$tmp/answers' - && test -s '$tmp/answers'"
out </dev/null
err 'kd: note: times of boots in which no call of a function returned: 50: the median of the other boots stands for each'

begin 'kfi-fleet config: servers that are no HOST:PORT are in no configuration'
run sh -c 'for server in db1 "a<b:9000" db1: :9000 db1:http db1:0 db1:65536 "a:b:9000" "db1:9000 db2"; do
	"$0" config db2:9000 $server; echo $?; done | uniq -c; "$0" config db1:9000 db-2.lan:65535' "$here/../../scripts/kfi-fleet"
out <<'E'
      9 2
<yandex><remote_servers><kfi>
<shard><replica><host>db1</host><port>9000</port></replica></shard>
<shard><replica><host>db-2.lan</host><port>65535</port></replica></shard>
</kfi></remote_servers></yandex>
E
err 'kfi-fleet: config wants HOST:PORT, such as db1:9000, not "db1"'
err 'not "a<b:9000"'

begin 'kfi-fleet: an unknown time of a function is not loaded as 0'
needs_command perl
mkdir -p "$tmp/client"
printf '#!/bin/sh\ncat >>"$LOADED"\n' >"$tmp/client/clickhouse-client"
chmod +x "$tmp/client/clickhouse-client"
grep -m 1 ',null,' "$tmp/hangs.jsonl" | sed 's/"path.function":\["f0001"/"path.function":[null/' >"$tmp/one.jsonl"
run sh -c "PATH='$tmp/client':\$PATH LOADED='$tmp/loaded' '$here/../../scripts/kfi-fleet' --no-update load '$tmp/one.jsonl' && grep -o -e '\"config[^,]*' -e '\"path.function[^,]*' -e '[a-z_]*\":[[][0-9,]*,18446744073709551615,' '$tmp/loaded' | sed 's/:.*,1/ 1/'"
out <<'E'
"path.function":[""
total_ns" 18446744073709551615,
self_ns" 18446744073709551615,
max_ns" 18446744073709551615,
E

begin 'kd --fleet -: an input that ends early is no answer'
needs_command python3
run sh -c "head -c 30000 '$tmp/stream.bin' | kd --fleet - --ask changes"
status 2
out </dev/null
err 'the input ends in the middle; kd --fleet - reads what kfi-fleet update prints'

begin 'kd --fleet -: nor is one without its last row'
needs_command python3
run sh -c "head -c -7 '$tmp/stream.bin' | kd --fleet - --ask bimodal"
status 2
out </dev/null
err 'the input ends in the middle'

begin 'kd --fleet -: other questions'
run sh -c "kd --fleet - <'$tmp/stream.bin'"
status 2
err 'kd: --fleet - answers --ask changes and --ask bimodal only'

begin 'kd --fleet -: logs beside it'
run sh -c "kd --fleet - --ask changes '$tmp/stream.jsonl' <'$tmp/stream.bin'"
status 2
err 'kd: --fleet - takes neither logs nor --html, -s or --func: the fleet is kept elsewhere'
