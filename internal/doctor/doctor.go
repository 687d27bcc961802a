// Package doctor finds out whether this machine can debug, and says what to do
// where it cannot. It does not guess: each adapter debugs a tiny program.
//
// It uses the engine as the tools do, without MCP.
package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/session"
)

// State is how a check ended.
type State string

// The states of a check.
const (
	OK      State = "ok"
	Warning State = "warning" // works, but something will not
	Problem State = "problem"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"` // never empty for a problem
}

// Report is what was found.
type Report struct {
	Version  string  `json:"version"`  // of aidb-mcp
	Platform string  `json:"platform"` // "linux/amd64"
	Checks   []Check `json:"checks"`
}

// Healthy says whether there are no problems.
func (r Report) Healthy() bool {
	for _, c := range r.Checks {
		if c.State == Problem {
			return false
		}
	}
	return true
}

// Options say what to examine.
type Options struct {
	Version  string
	Adapters *adapters.Registry
	Sessions *session.Manager
}

// limit bounds the debugging of one tiny program; building the standard library
// for debugging, the first time, takes most of it.
const limit = 3 * time.Minute

// Examine runs all checks; ctx ends them early.
func Examine(ctx context.Context, o Options) Report {
	r := Report{Version: o.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	r.Checks = append(r.Checks, scratch())
	r.Checks = append(r.Checks, permissions(ctx)...)
	for _, a := range o.Adapters.All() {
		ready := readiness(ctx, a)
		r.Checks = append(r.Checks, ready)
		if ready.State != Problem {
			r.Checks = append(r.Checks, trial(ctx, o.Sessions, a.Info())...)
		}
	}
	return r
}

// scratch checks that programs can be built somewhere.
func scratch() Check {
	c := Check{Name: "scratch directory", State: OK, Detail: os.TempDir()}
	dir, err := os.MkdirTemp("", "aidb-doctor-")
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		c.State, c.Detail = Problem, err.Error()
		c.Remedy = "set TMPDIR (TMP on Windows) to a directory that you may write to"
	}
	return c
}

// readiness asks the adapter itself.
func readiness(ctx context.Context, a adapters.Adapter) Check {
	info := a.Info()
	ready := a.Check(ctx)
	c := Check{Name: fmt.Sprintf("%s with %s", title(info.Language), info.Name), State: OK, Remedy: ready.Remedy}
	c.Detail = ready.Version
	if ready.Path != "" {
		c.Detail += " (" + ready.Path + ")"
	}
	if ready.Problem == "" {
		return c
	}
	c.Detail = ready.Problem
	c.State = Warning
	if !ready.Ready {
		c.State = Problem
	}
	return c
}

// title writes a language's name as a name.
func title(language string) string { return strings.ToUpper(language[:1]) + language[1:] }
