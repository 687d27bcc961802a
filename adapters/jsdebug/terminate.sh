#!/bin/sh
# terminateProcess.sh PID SIGNAL: ends a process and all its descendants.
children() { cat "/proc/$1/task/"*/children 2>/dev/null || pgrep -P "$1"; }
end() {
    pid=$1
    set -- $(children "$pid")
    kill "-$signal" "$pid" 2>/dev/null
    for child; do
        end "$child"
    done
}
signal=${2:-15}
end "$1"
exit 0
