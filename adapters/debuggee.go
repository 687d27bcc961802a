package adapters

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
)

// Debuggee is what could be found out about a program that runs already, before
// anything is attached to it. What is empty is not known.
type Debuggee struct {
	PID      int      // of the program, or of what listens at the port on this machine
	Program  string   // that process's executable
	Protocol Protocol // that is spoken at the port
	Sources  []string // files in which breakpoints were asked for
	Line     *Line    // on which a server has told its protocol, for the one who attaches
}

// Attaches says that the request is for a program that runs already.
func (r Request) Attaches() bool { return r.PID != 0 || r.Host != "" || r.Port != 0 }

// Runs says that the program's executable has one of these names, whatever
// version follows: python3.11 is python.
func (d Debuggee) Runs(names ...string) bool {
	base := strings.ToLower(filepath.Base(d.Program))
	return d.Program != "" && slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutPrefix(base, name)
		return ok && strings.Trim(rest, "0123456789.-") == ""
	})
}

// String names what is attached to, for people.
func (d Debuggee) String() string {
	switch {
	case d.PID == 0:
		return "an unknown program"
	case d.Program == "":
		return fmt.Sprintf("process %d", d.PID)
	}
	return fmt.Sprintf("process %d, %s", d.PID, d.Program)
}

// FindDebuggee looks at the process that the request names, or at the one that
// listens at its port on this machine. It connects to nothing.
func FindDebuggee(r Request) Debuggee {
	d := Debuggee{PID: r.PID}
	if d.PID == 0 && r.Port != 0 && Local(r.Host) {
		d.PID = netstat.Listener(r.Port)
	}
	if d.PID != 0 {
		d.Program = process.ProgramOf(d.PID)
	}
	return d
}

// Local says that a host is this machine, as far as its name tells.
func Local(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
}
