# SPDX-License-Identifier: GPL-2.0
# kfi-capture and the servers of a serial line: ser2net with TELNET and without, and socat. The line
# is a terminal of socat, and the board behind it is a shell script.
S=$tmp/server
mkdir -p "$S"
LINE=$DATA/serial.log
PATH=$PATH:/usr/sbin
servers=
ff=$(printf '\377')

# The board: the first log that it shows has a damaged line. What is noise on a real line looks
# like TELNET, and must not be answered.
cat >"$S/board" <<'E'
printf 'boot\377\373\001\377\375\003\377\372\030 of a board\r\n# '
shown=
while read -r line; do
	printf '%s\n' "$line" >>"$1/typed"
	printf '%s\r\n' "$line"
	case $line in
	*'cat /proc/kfi_serial'*)
		sed "${shown:-12s/^~../~!!/};s/\$/\r/" "$2"
		shown=s/^//
		printf '\r\0\377\376\003\377\377'
		;;
	esac
	# What ends a command prints its status, and the product of two numbers.
	case $line in
	*'; echo kfi-capture:'*) printf 'kfi-capture:0:42\r\n' ;;
	esac
	printf '# '
done
E

# wait_for COMMAND...: until it succeeds, for 10 s.
wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return 1
		sleep 0.1
	done
}

# listens: something listens at $port.
listens() {
	grep -q ": 0100007F:$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp
}

# free_port: sets port to one at which nothing listens.
free_port() {
	port=$((20000 + $$ % 10000))
	while listens; do
		port=$((port + 1))
	done
}

# connect_board: a new board on the line $S/tty.
connect_board() {
	rm -f "$S/tty" "$S/out.raw"
	: >"$S/typed"
	socat "PTY,link=$S/tty,raw,echo=0" EXEC:"sh $S/board $S $LINE" 2>"$S/board.err" &
	servers="$servers $!"
	wait_for test -e "$S/tty"
}

# start_server COMMAND...: serves the line at $port.
start_server() {
	"$@" >"$S/server.err" 2>&1 &
	servers="$servers $!"
	wait_for listens
}

# start_ser2net ACCEPTER: TCP with what is put on top of it.
start_ser2net() {
	free_port
	cat >"$S/ser2net.yaml" <<-END
		connection: &board
		  accepter: $1tcp,127.0.0.1,$port
		  connector: serialdev,$S/tty,115200n81,local
	END
	start_server ser2net -n -d -c "$S/ser2net.yaml"
}

start_socat() {
	free_port
	start_server socat "TCP-LISTEN:$port,bind=127.0.0.1,reuseaddr" "FILE:$S/tty,b115200,raw,echo=0"
}

end_servers() {
	for pid in $servers; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	servers=
}

# typed_is: the board has got these lines and no others. On a busy host an empty line may be among
# them, and a request may come twice.
typed_is() {
	[ -z "$skip" ] || return 0
	sed '/^$/d' "$S/typed" | uniq >"$S/lines"
	diff -u - "$S/lines" >"$tmp/diff" && return 0
	complain "the board has got something else"
	sed 's/^/# /' "$tmp/diff"
}

# fetches: one capture, in which one line is asked for again.
fetches() {
	run sh -c "kfi-capture -d tcp:127.0.0.1:$port -w 60 -f -i 1000 -o '$S/out.raw' >'$S/shown' &&
		cmp '$S/out.raw' '$DATA/raw32le_v3.raw'"
	end_servers
	out </dev/null
	err 'kfi-capture: types: echo 4 >/proc/kfi_serial'
	err 'of 6 lines, whole'
	typed_is <<-END
		cat /proc/kfi_serial
		echo 4 >/proc/kfi_serial; cat /proc/kfi_serial
	END
}

for accepter in 'telnet,' 'telnet(rfc2217=true),' ''; do
	begin "kfi-capture: a log from ser2net: ${accepter}tcp"
	needs_command ser2net
	needs_command socat
	[ -n "$skip" ] || { connect_board && start_ser2net "$accepter"; } || complain "no server"
	fetches
done

begin 'kfi-capture: a log from socat'
needs_command socat
[ -n "$skip" ] || { connect_board && start_socat; } || complain "no server"
fetches

# A command with the byte that begins a command of TELNET.
printf 'begin trigger start entry f end\n' >"$S/conf"
for accepter in 'telnet,' ''; do
	begin "kfi-capture: a session by ser2net, with any bytes: ${accepter}tcp"
	needs_command ser2net
	needs_command socat
	[ -n "$skip" ] || { connect_board && start_ser2net "$accepter"; } || complain "no server"
	run sh -c "kfi-capture -d tcp:127.0.0.1:$port -w 60 -r '$S/conf' -i 1000 -o '$S/out.raw' -- ls '$ff' >'$S/shown' &&
		cmp '$S/out.raw' '$DATA/raw32le_v3.raw' && grep -a '^ls' '$S/typed'"
	end_servers
	out <<-END
		ls $ff; echo kfi-capture:\$?:\$((6*7))
	END
	err 'of 6 lines, whole'
done
