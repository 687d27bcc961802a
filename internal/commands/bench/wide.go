package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

// wideRatio is what a trace of every call may take of the program by itself.
const wideRatio = 2

// wide is a wide program that is measured.
type wide struct{ debuggee.Wide }

// wides measures how long a program of 10,000 functions takes with a trace of all its
// calls, beside the program by itself.
func (b *bench) wides(ctx context.Context) error {
	_ = os.Unsetenv("PYTHONDONTWRITEBYTECODE") // a program starts from what Python has compiled before
	var list []wide
	for _, set := range b.Sets {
		for _, w := range set.Wides {
			list = append(list, wide{w})
		}
	}
	return forEach(ctx, b, list, func(w wide) string { return w.Name }, b.wide)
}

func (b *bench) wide(ctx context.Context, w wide) error {
	root, err := debuggee.Directory()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(root) }()
	var traced, plain, again samples
	for n := range b.Runs + 1 {
		dir := filepath.Join(root, strconv.Itoa(n)) // a fresh tree, of which nothing is built or cached
		if err := w.write(ctx, dir); err != nil {
			return err
		}
		if err := w.turn(ctx, b.Binary, dir, &traced, &plain, &again); err != nil {
			return err
		}
		_ = os.RemoveAll(dir)
	}
	for _, s := range []*samples{&traced, &plain, &again} {
		s.dropFirst()
	}
	what := w.Name + ": a trace of all calls of 10,000 functions"
	b.add(row{what: what + " (bare: the program by itself)", unit: inMS, ours: traced, bare: plain, ratio: wideRatio})
	b.add(row{what: what + ", again", unit: inMS, ours: again, bare: plain, ratio: wideRatio})
	return nil
}

// turn runs the program by itself and with two traces.
func (w wide) turn(ctx context.Context, binary, dir string, traced, plain, again *samples) error {
	if !w.Compiled { // what an interpreter keeps of sources is there, as it is when a program starts
		if _, err := w.alone(ctx, dir); err != nil {
			return err
		}
	}
	took, err := w.alone(ctx, dir)
	if err != nil {
		return err
	}
	plain.add(took)
	s, err := startServer(ctx, binary, dir)
	if err != nil {
		return err
	}
	for _, to := range []*samples{traced, again} {
		if took, err = w.trace(s, dir); err != nil {
			return s.fail(err)
		}
		to.add(took)
	}
	return s.close()
}

// write lays the program out in a directory, and compiles it where neither the server
// nor the run by itself does.
func (w wide) write(ctx context.Context, dir string) error {
	put := func(file, text string) error {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o600)
	}
	for n := range debuggee.WideModules {
		if err := put(w.Module(n)); err != nil {
			return err
		}
	}
	if err := put(w.Main()); err != nil {
		return err
	}
	for file, text := range w.More {
		if err := put(file, text); err != nil {
			return err
		}
	}
	if w.Build == nil {
		return nil
	}
	return w.Build(ctx, dir)
}

// alone is how long the program takes by itself, in milliseconds.
func (w wide) alone(ctx context.Context, dir string) (float64, error) {
	cmd := w.Plain(ctx, dir)
	begun := time.Now()
	err := debuggee.Quietly(cmd, dir)
	var took samples
	took.since(begun)
	return took[0], err
}

var callCount = pattern.New(`"hits":(\d+)`)

// trace is how long a trace of all calls takes.
func (w wide) trace(s *server, dir string) (float64, error) {
	file, _ := w.Main()
	args := debuggee.Object{"what": "calls", "functions": []string{w.Pattern}, "limit": 4, "target": filepath.Join(dir, file), "cwd": dir, "timeout_ms": 300_000}
	if w.Target != "" {
		args["target"] = w.Target
	}
	if w.Start != nil {
		args["start"] = w.Start
	}
	begun := time.Now()
	reply, err := s.call("trace", args)
	if err != nil {
		return 0, err
	}
	var took samples
	took.since(begun)
	if m := callCount.FindStringSubmatch(reply.facts); m == nil || m[1] != strconv.Itoa(w.Noted) {
		return 0, fmt.Errorf("%d calls were to be noted: %s", w.Noted, reply.text)
	}
	return took[0], nil
}
