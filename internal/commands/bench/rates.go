package bench

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

// rate is a recorder that is measured.
type rate struct{ debuggee.Rate }

// recordings measures the recorder of each language that is here.
func (b *bench) recordings(ctx context.Context) error {
	var list []rate
	for _, set := range b.Sets {
		for _, r := range set.Rates {
			list = append(list, rate{r})
		}
	}
	return forEach(ctx, b, list, func(r rate) string { return r.Name }, b.measureRecording)
}

func (b *bench) measureRecording(ctx context.Context, r rate) error {
	p, err := r.Ready(ctx, b.Binary)
	if err != nil {
		return err
	}
	defer p.Remove()
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	var hits, logged samples
	for n := range b.Runs + 1 {
		took, err := r.pair(func(n int) error { return r.trace(s, p, n) }, r.Few, r.Many)
		if err != nil {
			return s.fail(err)
		}
		hits.add(took)
		if n > 1 {
			continue // log messages are slow: they are measured twice
		}
		if took, err = r.pair(func(n int) error { return r.log(s, p, n) }, r.Logged/10, r.Logged); err != nil {
			return s.fail(err)
		}
		logged.add(took)
	}
	hits.dropFirst()
	logged.dropFirst()
	b.add(row{what: r.Name + ": values noted at a line (bare: log messages of a session)", unit: inASecond, ours: hits, bare: logged, least: r.Least})
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

func (r rate) start(p *debuggee.Program, passes int) debuggee.Object {
	args := debuggee.Object{"target": p.Target(), "args": []string{strconv.Itoa(passes)}, "timeout_ms": 300_000}
	maps.Copy(args, r.Args)
	return args
}

var hitCount = pattern.New(`"hits":(\d+)`)

// trace is one recorded run, which must have noted each pass.
func (r rate) trace(s *server, p *debuggee.Program, passes int) error {
	args := r.start(p, passes)
	args["what"], args["location"], args["expressions"] = "values", fmt.Sprintf("%s:%d", p.File, p.Line), []string{"i", "total"}
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
func (r rate) log(s *server, p *debuggee.Program, passes int) error {
	args := r.start(p, passes)
	if more, ok := args["start"].(debuggee.Object); ok {
		delete(args, "start")
		maps.Copy(args, more)
	}
	args["breakpoints"] = []debuggee.Object{{"file": p.File, "line": p.Line, "log_message": "i={i} total={total}"}}
	_, err := s.stop("session_start", args, "terminated")
	return err
}
