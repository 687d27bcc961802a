package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"aidb-mcp/internal/pattern"
)

// A wide program has so many functions, in so many modules, of each of which its start
// calls some.
const (
	wideModules = 100
	wideEach    = 100
	wideCalled  = 10
	wideNoted   = wideModules * (wideCalled + 1) // with the function that calls them
)

// wideRatio is what a trace of every call may take of the program by itself.
const wideRatio = 2

// wide is a language whose program of 10,000 functions is run by itself and with a
// trace of every call, in turns.
type wide struct {
	name     string
	module   func(n int) (file, text string)
	main     func() (file, text string)
	pattern  string // of the trace
	noted    int    // calls that it notes
	target   string // of the trace; empty: the main file
	start    object
	build    func(ctx context.Context, dir string) error
	plain    func(ctx context.Context, dir string) *exec.Cmd
	compiled bool // the run by itself and the first trace build everything; the second trace finds that
}

var wides = []wide{
	{
		name: "Go, wide", module: wideGo, main: wideGoMain, pattern: "bench/wide/*", target: ".", noted: wideNoted, compiled: true,
		plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "go", "run", ".") },
	},
	{
		name: "Python, wide", module: widePython, main: widePythonMain, pattern: "m*", noted: wideNoted,
		plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "python3", "main.py") },
	},
	{
		name: "JavaScript, wide", module: wideJS, main: wideJSMain, pattern: "m*.*", noted: wideNoted,
		plain: func(ctx context.Context, _ string) *exec.Cmd { return exec.CommandContext(ctx, "node", "main.js") },
	},
	{
		name: "Java, wide", module: wideJava, main: wideJavaMain, pattern: "M*", target: "Main", noted: wideNoted + 1,
		start: object{"language": "java", "adapter_options": object{"classPath": []string{"."}}},
		build: builds("javac", "-g", "Main.java"),
		plain: func(ctx context.Context, _ string) *exec.Cmd {
			return exec.CommandContext(ctx, "java", "-cp", ".", "Main")
		},
	},
}

// wides measures how long a program of 10,000 functions takes with a trace of all its
// calls, beside the program by itself.
func (b *bench) wides(ctx context.Context) error {
	_ = os.Unsetenv("PYTHONDONTWRITEBYTECODE") // a program starts from what Python has compiled before
	return each(ctx, b, wides, func(w wide) string { return w.name }, b.wide)
}

func (b *bench) wide(ctx context.Context, w wide) error {
	root, err := directory()
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
	what := w.name + ": a trace of all calls of 10,000 functions"
	b.add(row{what: what + " (bare: the program by itself)", unit: inMS, ours: traced, bare: plain, ratio: wideRatio})
	b.add(row{what: what + ", again", unit: inMS, ours: again, bare: plain, ratio: wideRatio})
	return nil
}

// turn runs the program by itself and with two traces.
func (w wide) turn(ctx context.Context, binary, dir string, traced, plain, again *samples) error {
	if !w.compiled { // what an interpreter keeps of sources is there, as it is when a program starts
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
	for n := range wideModules {
		if err := put(w.module(n)); err != nil {
			return err
		}
	}
	if err := put(w.main()); err != nil {
		return err
	}
	if w.compiled { // it is Go
		if err := put("go.mod", "module bench/wide\n\ngo 1.25\n"); err != nil {
			return err
		}
	}
	if w.build == nil {
		return nil
	}
	return w.build(ctx, dir)
}

// alone is how long the program takes by itself, in milliseconds.
func (w wide) alone(ctx context.Context, dir string) (float64, error) {
	cmd := w.plain(ctx, dir)
	begun := time.Now()
	err := quietly(cmd, dir)
	var took samples
	took.since(begun)
	return took[0], err
}

func quietly(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, out)
	}
	return nil
}

var callCount = pattern.New(`"hits":(\d+)`)

// trace is how long a trace of all calls takes.
func (w wide) trace(s *server, dir string) (float64, error) {
	file, _ := w.main()
	args := object{"what": "calls", "functions": []string{w.pattern}, "limit": 4, "target": filepath.Join(dir, file), "cwd": dir, "timeout_ms": 300_000}
	if w.target != "" {
		args["target"] = w.target
	}
	if w.start != nil {
		args["start"] = w.start
	}
	begun := time.Now()
	reply, err := s.call("trace", args)
	if err != nil {
		return 0, err
	}
	var took samples
	took.since(begun)
	if m := callCount.FindStringSubmatch(reply.facts); m == nil || m[1] != strconv.Itoa(w.noted) {
		return 0, fmt.Errorf("%d calls were to be noted: %s", w.noted, reply.text)
	}
	return took[0], nil
}
