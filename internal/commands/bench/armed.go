package bench

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

const (
	armedRate    = 3300 // hits a second, as often as the program comes to its line
	armedLeast   = 3000 // that are to be borne
	armedGap     = 50   // milliseconds that the program may stand still while it is armed
	armedWindows = 3    // half seconds of the program, before it is armed and behind that
	armedRuns    = 3
)

// armed is a program that runs while it is recorded.
type armed struct{ debuggee.Armed }

// armings measures what it costs a running program of each language to be recorded.
func (b *bench) armings(ctx context.Context) error {
	var list []armed
	for _, set := range b.Sets {
		for _, a := range set.Armed {
			list = append(list, armed{a})
		}
	}
	return forEach(ctx, b, list, func(a armed) string { return a.Name }, b.armAll)
}

func (b *bench) armAll(ctx context.Context, a armed) error {
	p := pace{debuggee.Pace{File: a.File, Text: a.Text, Build: a.Build}}
	return b.atWork(ctx, p, func(s *server, dir string) error {
		var rate, bare, gap, still samples
		for range armedRuns {
			m, err := a.measure(ctx, s, dir)
			if err != nil {
				return err
			}
			rate.add(m.rate)
			bare.add(m.before)
			gap.add(m.gap)
			still.add(m.still)
		}
		b.add(row{what: a.Name + ": values noted at a line (bare: the line without that)", unit: inASecond, ours: rate, bare: bare, least: armedLeast})
		b.add(row{what: a.Name + ": the longest time it stands still while that begins (bare: before)", unit: inMS, ours: gap, bare: still, target: armedGap})
		return nil
	})
}

// armedFigures is what a program has told of itself, before it was armed and then.
type armedFigures struct{ rate, before, gap, still float64 }

// measure runs the program, arms a trace in it, and ends both.
func (a armed) measure(ctx context.Context, s *server, dir string) (m armedFigures, err error) {
	cmd := a.Plain(ctx, dir, strconv.Itoa(armedRate))
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return m, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	windows := make(chan window, 1000)
	go follow(bufio.NewScanner(out), windows)
	if _, _, err := some(ctx, windows, 0); err != nil { // it has begun
		return m, err
	}
	start := debuggee.Object{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": 60_000}
	maps.Copy(start, a.Start)
	if _, err := s.stop("session_start", start, "running"); err != nil {
		return m, err
	}
	if _, _, err = some(ctx, windows, len(windows)); err != nil { // in which it was attached to
		return m, err
	}
	if m.before, m.still, err = some(ctx, windows, armedWindows); err != nil {
		return m, err
	}
	before, _, _ := strings.Cut(a.Text, "armed")
	args := debuggee.Object{"action": "arm", "what": "values", "location": fmt.Sprintf("%s:%d", filepath.Join(dir, a.File), 1+strings.Count(before, "\n")), "expressions": []string{a.Value}}
	if _, err := s.call("trace", args); err != nil {
		return m, err
	}
	if _, m.gap, err = some(ctx, windows, len(windows)); err != nil { // the windows in which it was armed, and the one that goes on
		return m, err
	}
	if m.rate, _, err = some(ctx, windows, armedWindows); err != nil {
		return m, err
	}
	return m, a.ended(s, m)
}

// ended takes the trace out, which must have noted what the program came to.
func (a armed) ended(s *server, m armedFigures) error {
	r, err := s.call("trace", debuggee.Object{"action": "disarm"})
	if err != nil {
		return err
	}
	const least = armedWindows / 2.0 / 2 // seconds of hits: as many at least are there
	if hits, err := strconv.ParseFloat(numberIn(r.facts, "hits"), 64); err != nil || hits < least*m.rate {
		return fmt.Errorf("hits of %.0f a second were to be noted: %s", m.rate, r.facts)
	}
	_, err = s.call("session", debuggee.Object{"action": "stop"})
	return err
}

// window is what the program has told at one time.
type window struct {
	calls, gap float64
	at         time.Time
}

var windowLine = pattern.New(`^calls (\d+) gap ([\d.]+)`)

// follow reads what the program tells, until it ends.
func follow(lines *bufio.Scanner, to chan<- window) {
	defer close(to)
	for lines.Scan() {
		m := windowLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		calls, _ := strconv.ParseFloat(m[1], 64)
		gap, _ := strconv.ParseFloat(m[2], 64)
		to <- window{calls, gap, time.Now()}
	}
}

// some waits for a window and so many more, and answers with the calls a second from the first to
// the last of them, and the longest gap.
func some(ctx context.Context, windows <-chan window, count int) (rate, gap float64, err error) {
	var first, last window
	for i := range count + 1 {
		select {
		case w, ok := <-windows:
			if !ok {
				return 0, 0, fmt.Errorf("the program has ended")
			}
			if i == 0 {
				first = w
			}
			last, gap = w, max(gap, w.gap)
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		}
	}
	return (last.calls - first.calls) / max(last.at.Sub(first.at).Seconds(), 0.001), gap, nil
}
