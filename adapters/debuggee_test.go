package adapters

import (
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestFindDebuggee(t *testing.T) {
	t.Parallel()
	port := server(t, func(net.Conn) {})
	for name, r := range map[string]Request{"by pid": {PID: os.Getpid()}, "by port": {Port: port}} {
		if d := FindDebuggee(r); d.PID != os.Getpid() || !strings.HasSuffix(d.Program, ".test") || !r.Attaches() {
			if runtime.GOOS == "linux" {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
	if d := FindDebuggee(Request{Port: port, Host: "192.0.2.1"}); d.PID != 0 {
		t.Errorf("a port of another machine: %+v", d)
	}
	for program, runs := range map[string]bool{"/usr/bin/python3.11": true, "/usr/bin/python": true, "/usr/bin/pythonista": false, "": false} {
		if got := (Debuggee{Program: program}).Runs("python"); got != runs {
			t.Errorf("%s: %v", program, got)
		}
	}
}
