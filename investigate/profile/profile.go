// Package profile measures a program, in a run of its own or while it runs in a session, and
// says of the user's own lines where time goes, what grows, and where threads stand.
package profile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/investigate/profile/fold"
	"aidb-mcp/session"
)

// Question is what is to be measured.
type Question struct {
	Subject *session.Session // that runs, or whose start is made again
	Running bool             // the program of the session, as it runs
	What    profiling.What
	For     time.Duration // 0: not said
	Save    bool
	Against *session.Against // what differs in a second run; nil: there is none
	Timeout time.Duration
}

// Result is what came of it.
type Result struct {
	First, Second *Side // Second of Against
}

// Side is what one run has shown.
type Side struct {
	Run    *session.ProfileRun
	Folded *fold.Folded // of time, and of what threads wait for
	Memory *fold.Memory
	File   string // where the profile was kept
	// Place is a place of the program as the workspace has it; of a line that only a patch has made,
	// isMade, the number is that of the patched file.
	Place func(file string, line int) (at string, number int, isMade bool)
	Code  func(file string, line int) string // the line's text
}

// Defaults of how long is measured.
const (
	usualTime = 5 * time.Second // in a running program
	spare     = 2 * time.Second // of the call's time, for reading what was measured
)

// Ask measures and answers the question. Tell says what is being done, for who waits. Errors
// are *fault.Error.
func Ask(ctx context.Context, sessions *session.Manager, tell func(string), q Question) (*Result, error) {
	if q.Running {
		return q.askRunning(ctx, tell)
	}
	over := time.Now().Add(q.measurable())
	if q.Against != nil {
		over = time.Now().Add(q.measurable() / 2)
	}
	r := q.Subject.StartRequest()
	spec, err := q.spec(q.For, r.Program.Workspace)
	if err != nil {
		return nil, err
	}
	first, err := sessions.Profile(ctx, r, spec, over, tell)
	if err != nil {
		return nil, err
	}
	out := &Result{}
	if out.First, err = q.side(first, spec, q.unchanged()); err != nil || q.Against == nil {
		return out, err
	}
	spec.Save = ""
	out.Second, err = q.second(ctx, sessions, tell, spec)
	if err != nil {
		return nil, fmt.Errorf("the second run: %w", err)
	}
	return out, nil
}

// measurable is how much of the call's time there is to measure.
func (q Question) measurable() time.Duration { return q.Timeout - min(spare, q.Timeout/5) }

// second makes the run that differs, in a copy of the workspace when it is the program that
// does.
func (q Question) second(ctx context.Context, sessions *session.Manager, tell func(string), spec profiling.Spec) (*Side, error) {
	over := time.Now().Add(q.measurable() / 2)
	r := q.Against.Request(q.Subject.StartRequest())
	if q.Against.Patch == "" {
		run, err := sessions.Profile(ctx, r, spec, over, tell)
		if err != nil {
			return nil, err
		}
		return q.side(run, spec, q.unchanged())
	}
	tell("copying the workspace")
	changed, err := sessions.Change(ctx, r, q.Against.Patch)
	if err != nil {
		return nil, err
	}
	defer changed.Close()
	run, err := sessions.Profile(ctx, changed.Request, spec, over, tell)
	if err != nil {
		return nil, changed.Explain(err)
	}
	return q.side(run, spec, inCopy(changed, run.Profile.Data))
}

// askRunning measures the session's program while it runs.
func (q Question) askRunning(ctx context.Context, tell func(string)) (*Result, error) {
	if q.Against != nil {
		return nil, fault.New(fault.InvalidParam, "against compares two runs of their own, and this is of a program that runs").WithField("against").
			WithHint("give target or test; or profile before and after what is to be compared")
	}
	d := q.For
	if d == 0 && (q.What != profiling.Memory || !q.Subject.HasMemory()) {
		d = usualTime
	}
	d = min(d, q.measurable())
	spec, err := q.spec(d, q.Subject.Workspace())
	if err != nil {
		return nil, err
	}
	tell("profiling " + q.Subject.Target())
	run, err := q.Subject.Profile(ctx, spec)
	if err != nil {
		return nil, err
	}
	out := &Result{}
	out.First, err = q.side(run, spec, q.placesBy(q.Subject.LocalFile))
	return out, err
}

// folder is where profiles are kept, in the workspace.
const folder = ".aidb"

// spec is what the profiler is asked.
func (q Question) spec(d time.Duration, workspace string) (profiling.Spec, error) {
	w := profiling.Spec{What: q.What, For: d}
	if !q.Save {
		return w, nil
	}
	dir := filepath.Join(workspace, folder)
	if workspace == "" {
		return w, fault.New(fault.InvalidParam, "there is no workspace to keep the profile in").WithField("save").WithHint("give workspace_root under start")
	}
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() { // a link would lead out of the workspace
		return w, fault.New(fault.InvalidParam, "the profile cannot be kept: %s is no folder", dir).WithField("save").WithHint("move it away, or call without save")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return w, fault.New(fault.InvalidParam, "the profile cannot be kept: %w", err).WithField("save")
	}
	// What is kept here is not for the project's history. A file or a link that is there stays as it is.
	if f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err == nil {
		_, _ = f.WriteString("*\n")
		_ = f.Close() // of no harm where it fails
	}
	w.Save = filepath.Join(dir, fmt.Sprintf("%s-%s", q.What, time.Now().Format("20060102-150405.000")))
	return w, nil
}

// side folds what a run has shown.
func (q Question) side(run *session.ProfileRun, w profiling.Spec, of places) (*Side, error) {
	p := run.Profile
	s := &Side{Run: run, File: p.File, Place: of.at, Code: of.code}
	library := p.Library
	if library == nil {
		workspace := q.Subject.Workspace()
		library = func(f *profile.Function) bool {
			file, _, _ := of.at(f.Filename, 0)
			return !isOwn(workspace, file)
		}
	}
	if q.What == profiling.Memory {
		s.Memory = fold.FoldMemory(p.Data, p.Before, library)
	} else {
		s.Folded = fold.Fold(p.Data, library)
	}
	if w.Save != "" && s.File == "" {
		var err error
		if s.File, err = keep(p, w.Save); err != nil {
			return nil, fault.New(fault.InvalidParam, "the profile cannot be kept: %w", err).WithField("save")
		}
	}
	return s, nil
}

// keep writes a profile as pprof's tools read it; growth is what lies between two of them.
func keep(p *profiling.Profile, stem string) (path string, err error) {
	path = stem + ".pb.gz"
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	data := p.Data.Copy()
	data.DurationNanos = p.Lasted.Nanoseconds()
	if err = data.Write(file); err != nil {
		_ = file.Close() // the error of writing says more
		return "", err
	}
	return path, file.Close()
}

// foreign are folders of what others wrote, wherever they lie; hidden ones are too.
var foreign = []string{"node_modules", "site-packages", "dist-packages", "vendor", "venv"}

// isOwn says that a file is of the user's code.
func isOwn(workspace, file string) bool {
	rel, err := filepath.Rel(workspace, file)
	if err != nil || file == "" || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return !slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") || slices.Contains(foreign, part) })
}
