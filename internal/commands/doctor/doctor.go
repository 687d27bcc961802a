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
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/setup"
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
	Setup    *setup.Setup
}

// limit bounds the debugging of one tiny program; building the standard library
// for debugging, the first time, takes most of it.
const limit = 3 * time.Minute

// Examine runs all checks; ctx ends them early.
func Examine(ctx context.Context, o Options) Report {
	r := Report{Version: o.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	r.Checks = append(r.Checks, scratch())
	r.Checks = append(r.Checks, permissions(ctx)...)
	r.Checks = append(r.Checks, checkInstalled(ctx, o.Setup)...)
	r.Checks = append(r.Checks, languages(ctx, o)...)
	return r
}

// languages asks every adapter, and tries those that are ready. That a language
// cannot be debugged, or not be built, is a problem only where none can: nobody
// uses them all.
func languages(ctx context.Context, o Options) []Check {
	list := o.Adapters.All()
	found := make([]adapters.Readiness, len(list))
	var asked sync.WaitGroup
	for i, a := range list {
		asked.Go(func() { found[i] = a.Check(ctx).TrueCause() })
	}
	asked.Wait()
	whole := func(r adapters.Readiness) bool { return r.Ready && !r.Unbuilt }
	able := slices.ContainsFunc(found, whole)
	var checks []Check
	for i, a := range list {
		c := readiness(a.Info(), found[i])
		switch {
		case whole(found[i]):
			tried := trial(ctx, o.Sessions, a.Info())
			if len(tried) == 0 {
				c.Detail += "; not tried, since there is no tiny program in a language of the settings file"
			}
			checks = append(append(checks, c), tried...)
			continue
		case able:
			c.State = Warning
		default:
			c.State = Problem
		}
		checks = append(checks, c)
	}
	return checks
}

// checkInstalled reads the files of the installed adapters.
func checkInstalled(ctx context.Context, s *setup.Setup) []Check {
	found, err := s.Verify(ctx, nil)
	if err != nil {
		return []Check{{Name: "installed adapters", State: Problem, Detail: err.Error(), Remedy: remedy(err)}}
	}
	var checks []Check
	var whole []string
	for _, h := range found {
		switch {
		case len(h.Files) > 0:
			checks = append(checks, Check{
				Name: h.Component.Name, State: Problem, Detail: fmt.Sprintf("damaged: %d files are missing or changed, first %s", len(h.Files), h.Files[0]),
				Remedy: "aidb-mcp adapters install --force " + h.Component.Name,
			})
		case h.Condition == install.Outdated:
			checks = append(checks, Check{
				Name: h.Component.Name, State: Warning, Detail: fmt.Sprintf("%s is not the build that is pinned now (%s)", h.Version, h.Component.Version),
				Remedy: "aidb-mcp adapters install " + h.Component.Name,
			})
		case h.Condition == install.Whole:
			whole = append(whole, h.Component.Name+" "+h.Version)
		}
	}
	if len(whole) > 0 {
		checks = append(checks, Check{Name: "installed adapters", State: OK, Detail: strings.Join(whole, ", ") + " in " + s.Store.Root()})
	}
	return checks
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

// readiness says what an adapter has said of itself.
func readiness(info adapters.Info, ready adapters.Readiness) Check {
	c := Check{Name: fmt.Sprintf("%s with %s", info.LanguageTitle(), info.Name), State: OK, Remedy: ready.Remedy, Detail: ready.Version}
	if ready.Path != "" {
		c.Detail = strings.TrimSpace(c.Detail + " (" + ready.Path + ")")
	}
	if ready.Problem != "" {
		c.State, c.Detail = Warning, ready.Problem
	}
	return c
}
