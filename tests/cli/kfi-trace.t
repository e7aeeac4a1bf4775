# SPDX-License-Identifier: GPL-2.0
# kfi-trace, with a folder in the place of /proc.
TRACE=$here/../../scripts/kfi-trace

begin 'kfi-trace --help'
run sh "$TRACE" --help
out_has 'status: 0 traced, 1 FUNCTION was not called, 2 could not run'

begin 'kfi-trace: interrupted, nothing stays armed'
mkdir "$tmp/proc"
: >"$tmp/proc/kfi"
cat >"$tmp/interrupt" <<'E'
# The recorder says that it waits; then the user loses patience.
KFI_PROC=$1/proc sh "$2" some_function sh -c "echo 'primed, not triggered, not complete' >'$1/proc/kfi'" &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
echo "status $?"
cat "$1/proc/kfi"
E
run sh "$tmp/interrupt" "$tmp" "$TRACE"
out <<'E'
status 130
new begin
end
E

begin 'kfi-trace -o: a file that cannot be written is reported before anything is traced'
run sh -c ": >'$tmp/proc/kfi'; KFI_PROC='$tmp/proc' sh '$TRACE' -o /nowhere/file some_function; echo status \$?; cat '$tmp/proc/kfi'"
out <<'E'
status 2
E
err 'kfi-trace: cannot write /nowhere/file'

begin 'kfi-trace: a trace that cannot be written is not a function that was not called'
run sh -c "echo 'primed, triggered, complete' >'$tmp/proc/kfi'; echo row >'$tmp/proc/kfi_trace'
	KFI_PROC='$tmp/proc' sh '$TRACE' some_function >/dev/full"
status 2
err 'kfi-trace: cannot write the trace'

begin 'kfi-trace: a reader that ends before the trace is no error'
run sh -c "echo 'primed, triggered, complete' >'$tmp/proc/kfi'; seq 100000 >'$tmp/proc/kfi_trace'
	{ KFI_PROC='$tmp/proc' env --default-signal=PIPE sh '$TRACE' some_function; echo status \$? >'$tmp/ended'; } | head -n 1; cat '$tmp/ended'
	echo row >'$tmp/proc/kfi_trace'"
out <<'E'
1
status 0
E

begin 'kfi-trace -w: 08 is a number of seconds'
cat >"$tmp/waits" <<'E'
KFI_PROC=$1/proc sh "$2" -w 0001 some_function sh -c "echo 'primed, not triggered, not complete' >'$1/proc/kfi'"
echo "status $?"
KFI_PROC=$1/proc sh "$2" -w 08 some_function sh -c "
	echo 'primed, not triggered, not complete' >'$1/proc/kfi'
	(sleep 2; echo 'primed, triggered, complete' >'$1/proc/kfi') &"
echo "status $?"
E
run sh "$tmp/waits" "$tmp" "$TRACE"
out <<'E'
status 1
row
status 0
E
err 'kfi-trace: some_function was not called within 1 s'
