package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"aidb-mcp/internal/pattern"
)

// rate is a language whose recorder is measured: how often a second it notes two
// values at a line. A short run and a long one are compared, so that what a start
// takes does not count; beside them stand log messages in a session.
type rate struct {
	debuggee
	few, many int     // passes of the line
	logged    int     // passes with a log message
	least     float64 // wanted, a second
}

var rates = []rate{
	{debuggee{name: "Go, woven", file: "rate.go", build: moduleOf, args: object{"target": "."}}, 20_000, 420_000, 4_000, 100_000},
	{debuggee{name: "Python, in the interpreter", file: "rate.py"}, 5_000, 105_000, 8_000, 20_000},
	{debuggee{name: "JavaScript, rewritten", file: "rate.js"}, 5_000, 205_000, 400, 20_000},
	{debuggee{name: "C++, gdb", file: "rate.cpp", args: gdbOptions, build: compile("g++", "-g", "-O0")}, 1_000, 9_000, 400, 2_000},
	{debuggee{name: "C++, LLDB", file: "rate.cpp", args: lldbOptions, build: compile("g++", "-g", "-O0")}, 500, 3_500, 400, 900},
	{debuggee{name: "Rust, gdb", file: "rate.rs", args: gdbOptions, build: compile("rustc", "-g")}, 1_000, 9_000, 400, 2_000},
	{debuggee{name: "Rust, LLDB", file: "rate.rs", args: lldbOptions, build: compile("rustc", "-g")}, 500, 3_500, 400, 900},
	{debuggee{name: "Java, by an agent", file: "Rate.java", build: compileJava, args: object{"target": "Rate", "language": "java", "start": object{"adapter_options": object{"classPath": []string{"."}}}}}, 5_000, 205_000, 6_000, 20_000},
}

var (
	gdbOptions  = object{"start": object{"adapter_options": object{"debugger": "gdb"}}}
	lldbOptions = object{"start": object{"adapter_options": object{"debugger": "codelldb"}}}
)

// counted is the line whose passes are counted.
const counted = "total += i"

// moduleOf makes a Go module of one file, which is built by the server.
func moduleOf(_ context.Context, p *program) error {
	return os.WriteFile(filepath.Join(p.dir, "go.mod"), []byte("module example.com/bench\n\ngo 1.25\n"), 0o600)
}

// recordings measures the recorder of each language that is here.
func (b *bench) recordings(ctx context.Context) error {
	return each(ctx, b, rates, func(r rate) string { return r.name }, b.recording)
}

func (b *bench) recording(ctx context.Context, r rate) error {
	r.first = counted
	p, err := r.ready(ctx, b.Binary)
	if p != nil {
		defer func() { _ = os.RemoveAll(p.dir) }()
	}
	if err != nil {
		return err
	}
	s, err := startServer(ctx, b.Binary, p.dir)
	if err != nil {
		return err
	}
	var hits, logged samples
	for n := range b.Runs + 1 {
		took, err := r.pair(func(n int) error { return r.trace(s, p, n) }, r.few, r.many)
		if err != nil {
			return s.fail(err)
		}
		hits.add(took)
		if n > 1 {
			continue // log messages are slow: they are measured twice
		}
		if took, err = r.pair(func(n int) error { return r.log(s, p, n) }, r.logged/10, r.logged); err != nil {
			return s.fail(err)
		}
		logged.add(took)
	}
	hits.dropFirst()
	logged.dropFirst()
	b.add(row{what: r.name + ": values noted at a line (bare: log messages of a session)", unit: inASecond, ours: hits, bare: logged, least: r.least})
	return s.close()
}

// pair is how many passes a second a longer run has more than a short one.
func (r rate) pair(run func(passes int) error, few, many int) (float64, error) {
	var took [2]time.Duration
	for i, passes := range []int{few, many} {
		begun := time.Now()
		if err := run(passes); err != nil {
			return 0, err
		}
		took[i] = time.Since(begun)
	}
	return float64(many-few) / max(took[1]-took[0], time.Millisecond).Seconds(), nil
}

func (r rate) start(p *program, passes int) object {
	args := object{"target": p.target(), "args": []string{strconv.Itoa(passes)}, "timeout_ms": 300_000}
	for key, value := range r.args {
		args[key] = value
	}
	return args
}

var hitCount = pattern.New(`"hits":(\d+)`)

// trace is one recorded run, which must have noted each pass.
func (r rate) trace(s *server, p *program, passes int) error {
	args := r.start(p, passes)
	args["what"], args["location"], args["expressions"] = "values", fmt.Sprintf("%s:%d", p.file, p.line), []string{"i", "total"}
	args["limit"] = 4
	reply, err := s.call("trace", args)
	if err != nil {
		return err
	}
	if m := hitCount.FindStringSubmatch(reply.facts); m == nil || m[1] != strconv.Itoa(passes) {
		return fmt.Errorf("%d passes were to be noted: %s", passes, reply.text)
	}
	return nil
}

// log is the same by log messages of a session.
func (r rate) log(s *server, p *program, passes int) error {
	args := r.start(p, passes)
	if more, ok := args["start"].(object); ok {
		delete(args, "start")
		for key, value := range more {
			args[key] = value
		}
	}
	args["breakpoints"] = []object{{"file": p.file, "line": p.line, "log_message": "i={i} total={total}"}}
	_, err := s.stop("session_start", args, "terminated")
	return err
}
