// Package bench measures the server as its clients see it, over real stdio,
// beside a bare DAP client that drives the same adapter directly, for each
// language. Both take turns in the same run, so that they share the machine's
// moods.
//
// It knows the tools as any client does, and no language: each says itself what its
// programs are, and how a bare client starts its adapter.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// Options say how to measure.
type Options struct {
	Binary string // of aidb-mcp
	Runs   int    // of each measurement, at least 7
	Only   string // part of the name of a language: nothing else is measured
	Out    io.Writer
	Sets   []debuggee.Set // of the languages
}

// MinRuns is the least number of runs whose median is told.
const MinRuns = 7

// limit bounds the whole benchmark.
const limit = 60 * time.Minute

// Run measures everything and prints the table.
func Run(ctx context.Context, o Options) error {
	if o.Runs < MinRuns {
		return fmt.Errorf("at least %d runs are needed, not %d", MinRuns, o.Runs)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	b := &bench{Options: o}
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
		chooses bool // among languages, by what only is wanted
	}{
		{name: "the server", measure: b.server},
		{name: "a session with Go", measure: b.measureEmbedded},
		{name: "many clients", measure: b.measureMany},
		{name: "each language", measure: b.languages, chooses: true},
		{name: "each recorder", measure: b.recordings, chooses: true},
		{name: "each wide program", measure: b.wides, chooses: true},
		{name: "each program at work", measure: b.paces, chooses: true},
		{name: "each question about a program at work", measure: b.asked, chooses: true},
		{name: "each big collection", measure: b.holdings, chooses: true},
		{name: "each running program", measure: b.armings, chooses: true},
	} {
		if o.Only != "" && !part.chooses && part.name != o.Only {
			continue
		}
		_, _ = fmt.Fprintf(o.Out, "measuring %s…\n", part.name)
		if err := part.measure(ctx); err != nil {
			b.failedRow(part.name, err)
		}
	}
	return errors.Join(append(append(b.failures, b.table.check()...), b.table.print(o.Out, o.Runs))...)
}

// bench is one benchmark in progress.
type bench struct {
	Options
	table    table
	failures []error
}

// add takes a row and tells it at once: what follows may fail, or take long.
func (b *bench) add(r row) {
	b.table.add(r)
	_, _ = fmt.Fprintf(b.Out, "  %s\n", r)
}

// one measures something of its own, after which the rest is measured whatever came of
// it. What is not on this machine is a row that says so, anything else a failure.
func (b *bench) one(name string, measure func() error) {
	_, _ = fmt.Fprintf(b.Out, "  %s…\n", name)
	switch err := measure(); {
	case err == nil:
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, errMissing) || strings.Contains(err.Error(), "AIDB_ADAPTER_NOT_FOUND"):
		b.add(row{what: name + ": left out, " + oneLine(err)})
	default:
		b.failedRow(name, err)
	}
}

// forEach measures those of a list whose names contain what only is wanted.
func forEach[T any](ctx context.Context, b *bench, list []T, name func(T) string, measure func(context.Context, T) error) error {
	for _, one := range list {
		if strings.Contains(strings.ToLower(name(one)), strings.ToLower(b.Only)) {
			b.one(name(one), func() error { return measure(ctx, one) })
		}
	}
	return ctx.Err()
}

// failedRow is a row that says so, and the end's error.
func (b *bench) failedRow(name string, err error) {
	b.failures = append(b.failures, fmt.Errorf("measure %s: %w", name, err))
	b.add(row{what: name + ": failed, " + oneLine(err)})
}

// errMissing is in the errors for what is not installed.
var errMissing = errors.New("the debug adapter is missing")

// longestReason is how much of an error stands in a row.
const longestReason = 200

// oneLine puts an error in a line: of a reply of the server's, what it says first.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if _, said, ok := strings.Cut(text, "AIDB_ADAPTER_NOT_FOUND: "); ok {
		text, _, _ = strings.Cut(said, `\n`)
	}
	if len(text) > longestReason {
		text = strings.ToValidUTF8(text[:longestReason], "") + "…"
	}
	return text
}

// server measures the way from process start to the initialize reply, and what
// an idle server costs.
func (b *bench) server(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "aidb-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var took, memory samples
	var listed int
	for range b.Runs + 1 { // the first warms the page cache
		begun := time.Now()
		s, err := startServer(ctx, b.Binary, dir)
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
	b.add(row{what: "initialize reply after process start", unit: inMS, ours: took, target: 30, gate: startGate})
	b.add(row{what: "idle server, resident", unit: inMB, ours: memory, target: 30, gate: memoryGate})
	size, known, err := strippedSize(b.Binary)
	if err != nil {
		return err
	}
	if known {
		b.add(row{what: "binary without what debuggers read", unit: inMB, ours: samples{size}, target: sizeGate, gate: sizeGate})
	}
	b.add(row{what: "tools/list answer", unit: inBytes, ours: samples{float64(listed)}, target: 18_500})
	return nil
}
