package bench

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// paceRuns is how often each size is run in each way: what takes seconds spreads little.
const paceRuns = 3

// paceSizes are what the work of the smallest size is multiplied with.
var paceSizes = []int{1, 4, 16}

// What a run may take beside the program by itself, of which the debugger's own start is
// a part only at the smallest size: there it has no target.
const (
	sessionRatio = 1.3
	unhitRatio   = 1.5
	diagnoseOver = 1500 // milliseconds, beyond what is told in multiples of the program by itself
)

// pace is a program at work that is measured.
type pace struct{ debuggee.Pace }

// paces measures each language that is here.
func (b *bench) paces(ctx context.Context) error {
	return b.forEachPace(ctx, b.pace)
}

func (b *bench) forEachPace(ctx context.Context, measure func(context.Context, pace) error) error {
	var list []pace
	for _, set := range b.Sets {
		for _, p := range set.Paces {
			list = append(list, pace{p})
		}
	}
	return forEach(ctx, b, list, func(p pace) string { return p.Name }, measure)
}

// atWork lays a program out in a directory of its own, and measures it by a server there.
func (b *bench) atWork(ctx context.Context, p pace, measure func(s *server, dir string) error) error {
	dir, err := debuggee.Directory()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := p.write(ctx, dir); err != nil {
		return err
	}
	s, err := startServer(ctx, b.Binary, dir)
	if err != nil {
		return err
	}
	if err := measure(s, dir); err != nil {
		return s.fail(err)
	}
	return s.close()
}

func (b *bench) pace(ctx context.Context, p pace) error {
	return b.atWork(ctx, p, func(s *server, dir string) error {
		if _, err := p.turn(ctx, s, dir, "1"); err != nil { // builds what is built, and keeps it
			return err
		}
		for _, size := range paceSizes {
			var all durations
			for range paceRuns {
				took, err := p.turn(ctx, s, dir, strconv.Itoa(size*p.Rounds))
				if err != nil {
					return err
				}
				all.add(took)
			}
			b.addPace(p, size, all)
		}
		return nil
	})
}

// durations is how long a program took in each way, in milliseconds.
type durations struct{ plain, session, unhit, diagnosed samples }

func (t *durations) add(other durations) {
	t.plain = append(t.plain, other.plain...)
	t.session = append(t.session, other.session...)
	t.unhit = append(t.unhit, other.unhit...)
	t.diagnosed = append(t.diagnosed, other.diagnosed...)
}

func (b *bench) addPace(p pace, size int, t durations) {
	session, unhit := sessionRatio, unhitRatio
	if size == paceSizes[0] {
		session, unhit = 0, 0
	}
	what := fmt.Sprintf("%s, %d × %d rounds: ", p.Name, size, p.Rounds)
	b.add(row{what: what + "in a session (bare: by itself)", unit: inMS, ours: t.session, bare: t.plain, ratio: session})
	b.add(row{what: what + "with a breakpoint in its loop that is not hit", unit: inMS, ours: t.unhit, bare: t.plain, ratio: unhit})
	b.add(row{what: what + "diagnose", unit: inMS, ours: t.diagnosed, bare: t.plain, target: p.Diagnose*t.plain.median() + diagnoseOver})
}

// turn runs the program in each way.
func (p pace) turn(ctx context.Context, s *server, dir, rounds string) (durations, error) {
	var t durations
	alone, err := p.alone(ctx, dir, rounds)
	if err != nil {
		return t, err
	}
	t.plain.add(alone)
	begun := time.Now()
	if err := p.session(s, rounds, nil); err != nil {
		return t, err
	}
	t.session.since(begun)
	begun = time.Now()
	if err := p.session(s, rounds, []debuggee.Object{{"file": p.File, "line": p.never()}}); err != nil {
		return t, err
	}
	t.unhit.since(begun)
	begun = time.Now()
	if err := p.ask(s, rounds); err != nil {
		return t, err
	}
	t.diagnosed.since(begun)
	_, err = s.call("session", debuggee.Object{"action": "stop"})
	return t, err
}

// ask is a diagnose, which must find where the program fails.
func (p pace) ask(s *server, rounds string) error {
	args := p.arguments(rounds)
	if p.Start != nil {
		args["start"] = p.Start
	}
	reply, err := s.call("diagnose", args)
	if err == nil && !strings.Contains(reply.facts, `"location":"`+p.File+`:`) {
		err = fmt.Errorf("diagnose: the failure was to be in %s: %s", p.File, reply.facts)
	}
	return err
}

// session runs the program up to its failure, and ends the session.
func (p pace) session(s *server, rounds string, breakpoints []debuggee.Object) error {
	args := p.arguments(rounds)
	maps.Copy(args, p.Start)
	if breakpoints != nil {
		args["breakpoints"] = breakpoints
	}
	if _, err := s.stop("session_start", args, "stopped_at_exception"); err != nil {
		return err
	}
	_, err := s.call("session", debuggee.Object{"action": "stop"})
	return err
}

// arguments is what session_start and diagnose are told alike.
func (p pace) arguments(rounds string) debuggee.Object {
	args := debuggee.Object{"target": p.File, "args": []string{rounds}, "timeout_ms": 120_000}
	if p.Target != "" {
		args["target"] = p.Target
	}
	return args
}

// never is the line that is not reached, from 1.
func (p pace) never() int {
	before, _, _ := strings.Cut(p.Text, "never")
	return 1 + strings.Count(before, "\n")
}

// write lays the program out in a directory and builds it.
func (p pace) write(ctx context.Context, dir string) error {
	files := map[string]string{p.File: p.Text}
	maps.Copy(files, p.More)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if p.Build == nil {
		return nil
	}
	return p.Build(ctx, dir)
}
