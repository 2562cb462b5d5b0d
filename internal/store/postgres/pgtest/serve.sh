# Keeps one PostgreSQL server, as an ordinary user: serve.sh BIN DIR OPTIONS.
#
# It obeys the lines of its standard input and answers each with one line, its exit code. When the
# input ends, because the tests are over or their process was killed, it stops the server and
# removes the folder: nothing stays behind whatever happens to the tests.
bin=$1 dir=$2 options=$3
trap '' INT HUP TERM # an interrupted test run ends the input too

while read -r verb argument; do
	case $verb in
	init) "$bin/initdb" -D "$dir/data" -A trust -U brenner -E UTF8 --locale=C -N ;;
	start) "$bin/pg_ctl" start -w -t 60 -D "$dir/data" -l "$dir/server.log" -o "$options -p $argument" ;;
	copy) "$bin/pg_basebackup" -D "$dir/data" -h 127.0.0.1 -p "$argument" -U brenner -R -X stream -c fast ;;
	standby) touch "$dir/data/standby.signal" ;;
	promote) "$bin/pg_ctl" promote -w -t 60 -D "$dir/data" ;;
	stop) "$bin/pg_ctl" stop -w -t 60 -D "$dir/data" -m "$argument" ;;
	esac >>"$dir/control.log" 2>&1 </dev/null
	echo $?
done

"$bin/pg_ctl" stop -w -t 60 -D "$dir/data" -m immediate >/dev/null 2>&1 </dev/null
rm -rf "$dir"
