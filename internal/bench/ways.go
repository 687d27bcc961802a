package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"aidb-mcp/internal/pattern"
)

// way is one in which a program comes to be debugged, where a language has more
// than one that differ in what stands between the program and the debugger.
type way struct {
	name string
	file string // of _program, in which the breakpoint is
	// begin gets ready what a session is started with; end undoes it.
	begin func(ctx context.Context, p *program) (args object, end func(), err error)
}

// What a session may take in each of its ways, in milliseconds: from its start to
// a breakpoint, five steps, and the end; and a step of it with its stop view.
const (
	wholeTarget = 900
	stepTarget  = 15
	wholeSteps  = 5
)

var javascriptWays = []way{
	{"launched", "average.js", func(_ context.Context, p *program) (object, func(), error) {
		return object{"target": p.file}, func() {}, nil
	}},
	{"a child process", "average.js", func(_ context.Context, p *program) (object, func(), error) {
		target, _, err := p.put("forking.js", "fork")
		return object{"target": target}, func() {}, err
	}},
	{"attached", "attached.js", attachable},
}

// inspectorPort finds the port in what node says of its inspector.
var inspectorPort = pattern.New(`ws://127\.0\.0\.1:(\d+)/`)

// attachable starts a node that listens to debuggers.
func attachable(ctx context.Context, p *program) (object, func(), error) {
	node := exec.CommandContext(ctx, "node", "--inspect=127.0.0.1:0", filepath.Join(p.dir, "attached.js"))
	said, err := node.StderrPipe()
	if err == nil {
		err = node.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = node.Process.Kill(); _ = node.Wait() }
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	m := inspectorPort.FindStringSubmatch(line)
	if err != nil || m == nil {
		end()
		return nil, nil, fmt.Errorf("node says no port: %q, %w", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	port, _ := strconv.Atoi(m[1])
	return object{"port": port}, end, nil
}

// eachWay times sessions in each of the ways of a language.
func (b *bench) eachWay(ctx context.Context, d debuggee, p *program) error {
	for _, w := range d.ways {
		if err := b.sessions(ctx, d, w, p); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

func (b *bench) sessions(ctx context.Context, d debuggee, w way, p *program) error {
	s, err := startServer(ctx, b.Binary, p.dir)
	if err != nil {
		return err
	}
	file, line, err := p.put(w.file, d.first)
	if err != nil {
		return s.fail(err)
	}
	var whole, steps samples
	for range b.Runs + 1 {
		args, end, err := w.begin(ctx, p)
		if err != nil {
			return s.fail(err)
		}
		args["cwd"], args["timeout_ms"] = p.dir, 60_000
		args["breakpoints"] = []object{{"file": file, "line": line}}
		err = s.session(args, &whole, &steps)
		end()
		if err != nil {
			return s.fail(err)
		}
	}
	whole.dropFirst()
	steps = steps[wholeSteps:]
	name := d.name + ", " + w.name
	b.add(row{what: name + ": the whole session, " + strconv.Itoa(wholeSteps) + " steps", unit: inMS, ours: whole, target: wholeTarget})
	b.add(row{what: name + ": step with the whole stop view", unit: inMS, ours: steps, target: stepTarget})
	return s.close()
}

// session goes through one session and adds what it and its steps took.
func (s *server) session(args object, whole, steps *samples) error {
	begun := time.Now()
	if _, err := s.stop("session_start", args, "stopped_at_breakpoint"); err != nil {
		return err
	}
	for range wholeSteps {
		step := time.Now()
		if _, err := s.stop("step", object{"action": "over"}, "stopped_after_step"); err != nil {
			return err
		}
		steps.since(step)
	}
	if _, err := s.call("session", object{"action": "stop"}); err != nil {
		return err
	}
	whole.since(begun)
	return nil
}
