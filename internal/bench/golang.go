package bench

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// golang measures what is only measured with the embedded debugger: memory, the
// start with the build in it, and the bytes of a whole session.
func (b *bench) golang(ctx context.Context) error {
	d := debuggees[0]
	p, err := d.ready(ctx, b.Binary)
	if p != nil {
		defer func() { _ = os.RemoveAll(p.dir) }()
	}
	if err != nil {
		return err
	}
	for _, measure := range []func(context.Context, debuggee, *program) error{b.memory, b.startWithBuild, b.session} {
		if err := measure(ctx, d, p); err != nil {
			return err
		}
	}
	return nil
}

// memory measures what the processes of a session cost when they are there.
func (b *bench) memory(ctx context.Context, d debuggee, p *program) error {
	s, err := startServer(ctx, b.Binary, p.dir)
	if err != nil {
		return err
	}
	var two, three, shared samples
	for range b.Runs {
		if _, err := s.stop("session_start", d.startArgs(p), "stopped_at_breakpoint"); err != nil {
			return s.fail(err)
		}
		if used, err := residentTree(s.pid(), p.binary); err == nil {
			two.add(used.rss - used.supervisors)
			three.add(used.rss)
			shared.add(used.pss)
		}
		if _, err := s.call("session", object{"action": "stop"}); err != nil {
			return s.fail(err)
		}
	}
	b.add(row{what: "server and Delve at a stop, resident", unit: inMB, ours: two, target: 60})
	b.add(row{what: "  with the supervisor between them", unit: inMB, ours: three})
	b.add(row{what: "  all three, shared pages counted once", unit: inMB, ours: shared})
	return s.close()
}

// startWithBuild measures a start of the package, with the build that the bare
// client does by running the same go build.
func (b *bench) startWithBuild(ctx context.Context, d debuggee, p *program) error {
	args := d.startArgs(p)
	args["target"], args["mode"] = ".", "launch"
	s, err := startServer(ctx, b.Binary, p.dir)
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
		if _, err := s.call("session", object{"action": "stop"}); err != nil {
			return s.fail(err)
		}
		if err := os.Remove(p.binary); err != nil { // go build links nothing that is there already
			return s.fail(err)
		}
		begun = time.Now()
		if err := buildGo(ctx, p); err != nil {
			return s.fail(err)
		}
		c, err := startBare(ctx, d, p)
		if err != nil {
			return s.fail(err)
		}
		bare.since(begun)
		c.close()
	}
	ours.dropFirst()
	bare.dropFirst()
	b.add(row{what: "Go: start of a package, with go build", unit: inMS, ours: ours, bare: bare, ratio: startRatio})
	return s.close()
}

// session counts the bytes of a whole small session in five calls.
func (b *bench) session(ctx context.Context, d debuggee, p *program) error {
	s, err := startServer(ctx, b.Binary, p.dir)
	if err != nil {
		return err
	}
	total := 0
	for _, c := range []struct {
		tool    string
		args    object
		outcome string // that the reply must show
	}{
		{"session_start", d.startArgs(p), "stopped_at_breakpoint"},
		{"inspect", object{"expression": "marks[1] * rounds"}, `"200"`},
		{"step", object{}, "stopped_after_step"},
		{"execute", object{}, "stopped_at_exception"},
		{"session", object{"action": "stop"}, "terminated"},
	} {
		reply, err := s.call(c.tool, c.args)
		if err == nil && !strings.Contains(reply.facts, c.outcome) {
			err = fmt.Errorf("%s does not show %s: %s", c.tool, c.outcome, reply.facts)
		}
		if err != nil {
			return s.fail(err)
		}
		total += len(reply.text)
	}
	b.add(row{what: "Go: start, evaluate, step, continue into a panic, stop: 5 replies", unit: inBytes, ours: samples{float64(total)}, target: 3_000})
	return s.close()
}
