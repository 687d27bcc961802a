// Package bench measures the server as its clients see it, over real stdio,
// beside a bare DAP client that drives the same embedded debugger directly.
// Both take turns in the same run, so that they share the machine's moods.
//
// It knows the tools as any client does, the command line of the dap-go
// process, and nothing of what is between the two.
package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Options say how to measure.
type Options struct {
	Binary string // of aidb-mcp
	Runs   int    // of each measurement, at least 7
	Out    io.Writer
}

// MinRuns is the least number of runs whose median is told.
const MinRuns = 7

// limit bounds the whole benchmark.
const limit = 20 * time.Minute

// Run measures everything and prints the table.
func Run(ctx context.Context, o Options) error {
	if o.Runs < MinRuns {
		return fmt.Errorf("at least %d runs are needed, not %d", MinRuns, o.Runs)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	program, err := buildProgram(ctx)
	if err != nil {
		return fmt.Errorf("build the program to debug: %w", err)
	}
	defer func() { _ = os.RemoveAll(program.dir) }()

	b := &bench{Options: o, program: program}
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
	}{
		{"initialize", b.initialize},
		{"start of a ready binary", b.startExec},
		{"start of a package", b.startLaunch},
		{"steps", b.steps},
		{"a session's bytes", b.session},
	} {
		_, _ = fmt.Fprintf(o.Out, "measuring %s…\n", part.name)
		if err := part.measure(ctx); err != nil {
			return fmt.Errorf("measure %s: %w", part.name, err)
		}
	}
	return b.table.print(o.Out, o.Runs)
}

// builder makes the binary for one start of the bare client; done removes it.
type builder func(context.Context) (binary string, done func(), err error)

// bench is one benchmark in progress.
type bench struct {
	Options
	program *program
	table   table
}

// initialize measures the way from process start to the initialize reply, and
// what an idle server costs.
func (b *bench) initialize(ctx context.Context) error {
	var took, memory samples
	var listed int
	for range b.Runs + 1 { // the first warms the page cache
		begun := time.Now()
		s, err := startServer(ctx, b.Binary, b.program.dir)
		if err != nil {
			return err
		}
		took.since(begun)
		list, err := s.request("tools/list", struct{}{})
		if err != nil {
			return s.fail(err)
		}
		listed = len(list)
		if used, err := residentOf(s.pid()); err == nil {
			memory.add(used.rss)
		}
		if err := s.close(); err != nil {
			return err
		}
	}
	took.dropFirst()
	memory.dropFirst()
	b.table.add(row{what: "initialize reply after process start", unit: inMS, ours: took, target: 30})
	b.table.add(row{what: "idle server, resident", unit: inMB, ours: memory, target: 30})
	b.table.add(row{what: "tools/list answer", unit: inBytes, ours: samples{float64(listed)}, target: 14_000})
	return nil
}

// startExec measures the way to a breakpoint in a ready binary, and what the
// processes of a session cost when they are there.
func (b *bench) startExec(ctx context.Context) error {
	args := object{"target": b.program.binary, "mode": "exec"}
	bare := func(context.Context) (string, func(), error) { return b.program.binary, func() {}, nil }
	var two, three, shared samples
	measure := func(server int) {
		used, err := residentTree(server, b.program.binary)
		if err != nil {
			return
		}
		two.add(used.rss - used.supervisors)
		three.add(used.rss)
		shared.add(used.pss)
	}
	if err := b.start(ctx, "session_start to a breakpoint, ready binary", args, bare, measure); err != nil {
		return err
	}
	b.table.add(row{what: "server and adapter at a stop, resident", unit: inMB, ours: two, target: 60})
	b.table.add(row{what: "  with the supervisor between them", unit: inMB, ours: three})
	b.table.add(row{what: "  all three, shared pages counted once", unit: inMB, ours: shared})
	return nil
}

// startLaunch measures the same with the build in it, which the bare client
// does by running the same go build.
func (b *bench) startLaunch(ctx context.Context) error {
	args := object{"target": ".", "mode": "launch"}
	return b.start(ctx, "session_start to a breakpoint, with go build", args, b.program.build, func(int) {})
}

// start times the server's session_start against the bare client, in turns.
// Stopped is called at each stop with the server's process id.
func (b *bench) start(ctx context.Context, what string, args object, build builder, stopped func(int)) error {
	args["breakpoints"] = []object{{"file": "main.go", "line": b.program.line}}
	args["cwd"] = b.program.dir
	s, err := startServer(ctx, b.Binary, b.program.dir)
	if err != nil {
		return err
	}
	var ours, bare samples
	for range b.Runs + 1 {
		begun := time.Now()
		if _, err := s.stop("session_start", args, "stopped_at_breakpoint"); err != nil {
			return s.fail(err)
		}
		ours.since(begun)
		stopped(s.pid())
		if _, err := s.call("session", object{"action": "stop"}); err != nil {
			return s.fail(err)
		}
		begun = time.Now()
		if err := b.bareStart(ctx, build, func() { bare.since(begun) }); err != nil {
			return s.fail(err)
		}
	}
	ours.dropFirst()
	bare.dropFirst()
	b.table.add(row{what: what, unit: inMS, ours: ours, bare: bare, ratio: 1.15})
	return s.close()
}

// bareStart goes to the breakpoint with the bare client and ends it.
func (b *bench) bareStart(ctx context.Context, build builder, stopped func()) error {
	binary, done, err := build(ctx)
	if err != nil {
		return err
	}
	defer done()
	d, err := startBare(ctx, b.Binary, binary, b.program)
	if err != nil {
		return err
	}
	stopped()
	d.close()
	return nil
}

// steps times a step with its whole stop view against the bare client's next,
// stackTrace, scopes and variables.
func (b *bench) steps(ctx context.Context) error {
	s, err := startServer(ctx, b.Binary, b.program.dir)
	if err != nil {
		return err
	}
	if _, err := s.stop("session_start", b.startArgs(), "stopped_at_breakpoint"); err != nil {
		return s.fail(err)
	}
	d, err := startBare(ctx, b.Binary, b.program.binary, b.program)
	if err != nil {
		return s.fail(err)
	}
	defer d.close()
	var ours, bare, size samples
	for range 5 * b.Runs {
		begun := time.Now()
		reply, err := s.stop("step", object{"action": "over"}, "stopped_after_step")
		if err != nil {
			return s.fail(err)
		}
		ours.since(begun)
		size.add(float64(len(reply)))
		begun = time.Now()
		if err := d.step(ctx); err != nil {
			return s.fail(err)
		}
		bare.since(begun)
	}
	b.table.add(row{what: "step with the whole stop view", unit: inMS, ours: ours, bare: bare, ratio: 1.3})
	b.table.add(row{what: "reply of a plain step", unit: inBytes, ours: size, target: 600, about: true})
	return s.close()
}

func (b *bench) startArgs() object {
	return object{
		"target": b.program.binary, "mode": "exec", "cwd": b.program.dir,
		"breakpoints": []object{{"file": "main.go", "line": b.program.line}},
	}
}

// session counts the bytes of a whole small session in five calls.
func (b *bench) session(ctx context.Context) error {
	s, err := startServer(ctx, b.Binary, b.program.dir)
	if err != nil {
		return err
	}
	total := 0
	for _, c := range []struct {
		tool    string
		args    object
		outcome string // that the reply must show
	}{
		{"session_start", b.startArgs(), "stopped_at_breakpoint"},
		{"inspect", object{"expression": "marks[1] * rounds"}, `"200"`},
		{"step", object{}, "stopped_after_step"},
		{"execute", object{}, "stopped_at_exception"},
		{"session", object{"action": "stop"}, "terminated"},
	} {
		reply, err := s.call(c.tool, c.args)
		if err == nil && !strings.Contains(reply, c.outcome) {
			err = fmt.Errorf("%s does not show %s: %s", c.tool, c.outcome, reply)
		}
		if err != nil {
			return s.fail(err)
		}
		total += len(reply)
	}
	b.table.add(row{what: "start, evaluate, step, continue into a panic, stop: 5 replies", unit: inBytes, ours: samples{float64(total)}, target: 3_000})
	return s.close()
}
