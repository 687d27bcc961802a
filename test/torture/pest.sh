#!/bin/sh
# pest.sh TOKEN KIND...: starts what a debugger does not like to find below a
# program, and ends. Nothing of it ends by itself. The token is the name of each
# shell, so that it can be told whose it is.
token=$1
shift
idle='while :; do sleep 1000; done'
for kind; do
	case $kind in
	fork) sh -c "$idle" "$token" & ;;                            # holds the program's streams
	ignore) sh -c "trap '' TERM INT HUP QUIT; $idle" "$token" & ;; # wants SIGKILL
	daemon) (setsid sh -c "trap '' TERM HUP; (setsid sh -c '$idle' '$token' &) ; $idle" "$token" </dev/null >/dev/null 2>&1 &) ;;
	scrub) (env -i PATH="$PATH" setsid sh -c "$idle" "$token" </dev/null >/dev/null 2>&1 &) ;; # a daemon without our mark
	spawn) (setsid sh -c 'while :; do sleep 0.3 & sleep 0.1; done' "$token" </dev/null >/dev/null 2>&1 &) ;; # one new process after another
	esac
done
