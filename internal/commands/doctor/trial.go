package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
)

// trial debugs the tiny program of a language up to its breakpoint. A language without one has no check.
func trial(ctx context.Context, sessions *session.Manager, info adapters.Info) []Check {
	if info.Sample.Target == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := Check{Name: "debugging a tiny " + info.LanguageTitle() + " program", State: OK}
	begun := time.Now()
	if err := fault.TrueCause(debug(ctx, sessions, info)); err != nil {
		c.State, c.Detail = Problem, err.Error()
		c.Remedy = remedy(err)
		return []Check{c}
	}
	c.Detail = fmt.Sprintf("built, started, stopped at a breakpoint and ended in %.1f s", time.Since(begun).Seconds())
	return []Check{c}
}

func debug(ctx context.Context, sessions *session.Manager, info adapters.Info) error {
	s := info.Sample
	dir, err := write(s)
	if err != nil {
		return fmt.Errorf("write the program: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	opened, err := sessions.Open(session.StartRequest{
		Program: adapters.Request{Language: info.Language, Target: s.Target, Cwd: dir, Workspace: dir},
		Break:   []session.BreakpointSpec{{Function: s.Function, File: s.Path(dir), Line: s.Line}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = sessions.Remove(context.WithoutCancel(ctx), opened.ID()) }()
	state, err := opened.Wait(ctx, limit)
	if err != nil {
		return err
	}
	if state.Status != session.StoppedBreakpoint {
		return fmt.Errorf("the program did not stop at its breakpoint: it is %s", state.Status)
	}
	_, err = opened.Stop(ctx, true)
	return err
}

// write puts the program into a directory of its own.
func write(s adapters.Sample) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "aidb-doctor-"); err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	for name, text := range s.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// remedy takes the hint of the error, if it has one.
func remedy(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Hint != "" {
		return f.Hint
	}
	return "mend the problems above first; with --log-level debug the server says more"
}
