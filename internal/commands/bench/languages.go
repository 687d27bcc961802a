package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

// What the server may take of the bare client's time for a start, and for a second
// session of what the first took, which is the same but for the noise.
const (
	startRatio  = 1.15
	secondRatio = 1.1
)

// languages measures each language whose adapter is here: the way to the first
// stop, a step with its stop view, and a second session beside the first.
func (b *bench) languages(ctx context.Context) error {
	var list []debuggee.Session
	for _, set := range b.Sets {
		list = append(list, set.Sessions...)
	}
	return forEach(ctx, b, list, func(d debuggee.Session) string { return d.Name }, b.language)
}

func (b *bench) language(ctx context.Context, d debuggee.Session) error {
	p, err := d.Ready(ctx, b.Binary)
	if err != nil {
		return err
	}
	defer p.Remove()
	if _, err := d.Adapter(p); err != nil {
		return fmt.Errorf("%w: %w", errMissing, err)
	}
	if err := b.starts(ctx, d, p); err != nil {
		return err
	}
	if err := b.steps(ctx, d, p); err != nil {
		return err
	}
	return b.eachWay(ctx, d, p)
}

// starts times session_start, and again for a second session while the first
// stands at its breakpoint, against the bare client, in turns.
func (b *bench) starts(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	var first, second, bare samples
	for range b.Runs + 1 {
		var open []string
		for _, took := range []*samples{&first, &second} {
			begun := time.Now()
			reply, err := s.stop("session_start", d.StartArgs(p), "stopped_at_breakpoint")
			if err != nil {
				return s.fail(err)
			}
			took.since(begun)
			open = append(open, sessionOf(reply.facts))
		}
		for _, id := range open {
			if _, err := s.call("session", debuggee.Object{"action": "stop", "session_id": id}); err != nil {
				return s.fail(err)
			}
		}
		begun := time.Now()
		c, err := startBare(ctx, d, p)
		if err != nil {
			return s.fail(err)
		}
		bare.since(begun)
		c.close()
	}
	first.dropFirst()
	second.dropFirst()
	bare.dropFirst()
	b.add(row{what: d.Name + ": start to the first stop", unit: inMS, ours: first, bare: bare, ratio: startRatio})
	b.add(row{what: d.Name + ": start of a second session (bare: of the first)", unit: inMS, ours: second, bare: first, ratio: secondRatio})
	return s.close()
}

// sessionID finds the session that a reply is about.
var sessionID = pattern.New(`"session_id":"([^"]+)"`)

func sessionOf(reply string) string {
	if m := sessionID.FindStringSubmatch(strings.ReplaceAll(reply, `\"`, `"`)); m != nil {
		return m[1]
	}
	return ""
}

// steps times a step with its whole stop view against the bare client's next,
// stackTrace, scopes and variables.
func (b *bench) steps(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	if _, err := s.stop("session_start", d.StartArgs(p), "stopped_at_breakpoint"); err != nil {
		return s.fail(err)
	}
	c, err := startBare(ctx, d, p)
	if err != nil {
		return s.fail(err)
	}
	defer c.close()
	var ours, bare, size samples
	for range 5 * b.Runs {
		begun := time.Now()
		reply, err := s.stop("step", debuggee.Object{"action": "over"}, "stopped_after_step")
		if err != nil {
			return s.fail(err)
		}
		ours.since(begun)
		size.add(float64(len(reply.text)))
		begun = time.Now()
		if err := c.step(ctx); err != nil {
			return s.fail(err)
		}
		bare.since(begun)
	}
	b.add(row{what: d.Name + ": step with the whole stop view", unit: inMS, ours: ours, bare: bare, ratio: d.Ratio})
	b.add(row{what: d.Name + ": reply of a plain step", unit: inBytes, ours: size, target: d.Reply, about: d.Reply > 0})
	return s.close()
}
