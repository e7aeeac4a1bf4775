# SPDX-License-Identifier: GPL-2.0
# addr2sym: the header's table of modules and the times they were loaded, KASLR.
cat >"$tmp/kallsyms" <<'E'
c0008000 T _text
c0100000 T _stext
c0100100 T caller
c0300000 T _etext
c0400000 T _sinittext
c0400100 t probe_early
c0401000 T _einittext
bf000000 t old_fn [old]
bf000000 t new_fn [new]
bf000080 t new_other [new]
bf000100 t fresh_fn [fresh]
bf001ff0 t stale [new]
bf100010 t extra [unlisted]
E
cat >"$tmp/mod.log" <<'E'
Kernel Instrumentation Run ID 0

Logging started at 0 usec by entry to function 0xbf000000

Text = 0xc0008000
KASLR offset = 0x0
Kernel text = 0xc0100000 2097152
Kernel init text = 0xc0400000 4096 100
Module = old 0xbf000000 4096 0xbf010000 256 -50 -20 200
Module = fresh 0xbf000000 8192 0xc0400000 512 300 400 -
Module = new 0xbf002000 4096 0xbf020000 256 300 - -

 Entry    Delta    PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
E
row() { echo "$1 1 1 $2 $3 ${1}000 1000 1000 0 1 t 1 -"; }

begin 'addr2sym: each address belongs to what was there at that time'
run sh -c "cat '$tmp/mod.log' - | addr2sym -m '$tmp/kallsyms' | tail -n +15" <<E
$(row 1 0xc0400100 0xc0100104)
$(row 100 0xc0400100 0xc0100104)
$(row 101 0xc0400100 0xc0100104)
$(row 200 0xbf000000 0xbf000010)
$(row 201 0xbf000000 0xbf000010)
$(row 300 0xbf000000 0xbf000110)
$(row 310 0xc0400100 0xc0400000)
$(row 401 0xc0400100 0xc0400000)
$(row 500 0xbf002000 0xbf020004)
$(row 600 0xbf100010 0xc0100104)
E
out <<'E'
1 1 1 probe_early caller+0x4 1000 1000 1000 0 1 t 1 -
100 1 1 probe_early caller+0x4 100000 1000 1000 0 1 t 1 -
101 1 1 0xc0400100 caller+0x4 101000 1000 1000 0 1 t 1 -
200 1 1 [old]      [old]+0x10 200000 1000 1000 0 1 t 1 -
201 1 1 0xbf000000 0xbf000010 201000 1000 1000 0 1 t 1 -
300 1 1 [fresh]    fresh_fn[fresh]+0x10 300000 1000 1000 0 1 t 1 -
310 1 1 [fresh:init]+0x100 [fresh:init] 310000 1000 1000 0 1 t 1 -
401 1 1 0xc0400100 0xc0400000 401000 1000 1000 0 1 t 1 -
500 1 1 [new]      [new:init]+0x4 500000 1000 1000 0 1 t 1 -
600 1 1 0xbf100010 caller+0x4 600000 1000 1000 0 1 t 1 -
E
err 'addr2sym: standard input:17: 0xc0400100 is in no symbol'
err '6 such addresses left as they are'

begin 'addr2sym: a table that has forgotten modules leaves them open'
run sh -c "{ sed 's/^Module = new.*/Modules forgotten = 3/' '$tmp/mod.log'; cat; } | addr2sym -m '$tmp/kallsyms' | tail -n 1" <<E
$(row 600 0xbf100010 0xc0100104)
E
out <<'E'
600 1 1 extra[unlisted] caller+0x4 600000 1000 1000 0 1 t 1 -
E

begin 'addr2sym: the modules of one run are not those of the next'
run sh -c "cat '$tmp/mod.log' - | addr2sym -m '$tmp/kallsyms' | tail -n 1" <<E
Kernel Instrumentation Run ID 1
 Entry    Delta    PID     Function   Caller   Entry-ns
-------- -------- -------- ---------- -------- ----------
$(row 1 0xbf000000 0xc0100104)
E
out <<'E'
1 1 1 new_fn[new] caller+0x4 1000 1000 1000 0 1 t 1 -
E

begin 'addr2sym: a map of another kernel is told by where it was linked to'
run sh -c "sed -e 's/^Text = .*/Text = 0xc1008000/; s/^KASLR.*/KASLR offset = 0x2000000/' '$tmp/mod.log' | addr2sym -m '$tmp/kallsyms' | grep -c ."
out <<'E'
11
E
err 'the kernel ran 0x1000000 higher than the map says: addresses are shifted'
err 'kallsyms: belongs to another kernel than standard input: _text is at 0xc0008000 and should be at 0xbf008000'

begin 'addr2sym: a map without _text is shifted by what the header says'
run sh -c "{ sed -e 's/^Text = .*/Text = 0xc1008000/; s/^KASLR.*/KASLR offset = 0x1000000/; /^Kernel text/d' '$tmp/mod.log'; cat; } | { grep -v '_s*text' '$tmp/kallsyms' >'$tmp/no_text'; addr2sym -m '$tmp/no_text'; } | tail -n 1" <<E
$(row 1 0xc1100100 0xc1100108)
E
out <<'E'
1 1 1 caller     caller+0x8 1000 1000 1000 0 1 t 1 -
E
err 'addr2sym: standard input: the kernel ran 0x1000000 higher than the map says: addresses are shifted'

begin 'addr2sym: a map without _text has _stext'
run sh -c "{ cat '$tmp/mod.log' -; } | { grep -v ' _text' '$tmp/kallsyms' >'$tmp/stext'; addr2sym -m '$tmp/stext'; } | tail -n 1" <<E
$(row 1 0xc0100100 0xc0100108)
E
out <<'E'
1 1 1 caller     caller+0x8 1000 1000 1000 0 1 t 1 -
E

begin 'addr2sym: the same, of a kernel that was moved'
run sh -c "{ sed -e 's/^Text = .*/Text = 0xc1008000/; s/^Kernel text = 0xc0/Kernel text = 0xc1/' '$tmp/mod.log'; cat; } | addr2sym -m '$tmp/stext' | tail -n 1" <<E
$(row 1 0xc1100100 0xc1100108)
E
out <<'E'
1 1 1 caller     caller+0x8 1000 1000 1000 0 1 t 1 -
E
err 'addr2sym: standard input: the kernel ran 0x1000000 higher than the map says: addresses are shifted'

begin 'addr2sym: a copy of kallsyms of a kernel that was moved is where it ran'
run sh -c "{ sed -e 's/^Text = .*/Text = 0xc1008000/; s/^KASLR.*/KASLR offset = 0x1000000/; s/^Kernel text = 0xc0/Kernel text = 0xc1/; s/^Kernel init text = 0xc0/Kernel init text = 0xc1/' '$tmp/mod.log'; cat; } | { sed 's/^c0/c1/' '$tmp/kallsyms' >'$tmp/moved'; addr2sym --kallsyms '$tmp/moved'; } | tail -n 1" <<E
$(row 1 0xc1100100 0xc1100108)
E
out <<'E'
1 1 1 caller     caller+0x8 1000 1000 1000 0 1 t 1 -
E
