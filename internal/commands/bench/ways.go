package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// What a session may take in each of its ways, in milliseconds: from its start to
// a breakpoint, five steps, and the end; and a step of it with its stop view.
const (
	wholeTarget = 900
	stepTarget  = 15
	wholeSteps  = 5
)

// eachWay times sessions in each of the ways of a language.
func (b *bench) eachWay(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	for _, w := range d.Ways {
		if err := b.sessions(ctx, d, w, p); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

func (b *bench) sessions(ctx context.Context, d debuggee.Session, w debuggee.Way, p *debuggee.Program) error {
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	file, line, err := p.Put(w.File, d.First)
	if err != nil {
		return s.fail(err)
	}
	var whole, steps samples
	for range b.Runs + 1 {
		args, end, err := w.Begin(ctx, p)
		if err != nil {
			return s.fail(err)
		}
		args["cwd"], args["timeout_ms"] = p.Dir, 60_000
		args["breakpoints"] = []debuggee.Object{{"file": file, "line": line}}
		err = s.session(args, &whole, &steps)
		end()
		if err != nil {
			return s.fail(err)
		}
	}
	whole.dropFirst()
	steps = steps[wholeSteps:]
	name := d.Name + ", " + w.Name
	b.add(row{what: name + ": the whole session, " + strconv.Itoa(wholeSteps) + " steps", unit: inMS, ours: whole, target: wholeTarget})
	b.add(row{what: name + ": step with the whole stop view", unit: inMS, ours: steps, target: stepTarget})
	return s.close()
}

// session goes through one session and adds what it and its steps took.
func (s *server) session(args debuggee.Object, whole, steps *samples) error {
	begun := time.Now()
	if _, err := s.stop("session_start", args, "stopped_at_breakpoint"); err != nil {
		return err
	}
	for range wholeSteps {
		step := time.Now()
		if _, err := s.stop("step", debuggee.Object{"action": "over"}, "stopped_after_step"); err != nil {
			return err
		}
		steps.since(step)
	}
	if _, err := s.call("session", debuggee.Object{"action": "stop"}); err != nil {
		return err
	}
	whole.since(begun)
	return nil
}
