package bench

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

const (
	heldOver  = 300 // milliseconds that a stop with a big collection may take more
	heldFew   = 10  // elements of a small one
	heldSteps = 5
)

// holding is a program that holds a big collection in a local.
type holding struct{ debuggee.Holding }

// holdings measures what a big collection as a local costs a stop, in each language.
func (b *bench) holdings(ctx context.Context) error {
	var list []holding
	for _, set := range b.Sets {
		for _, h := range set.Holdings {
			list = append(list, holding{h})
		}
	}
	return forEach(ctx, b, list, func(h holding) string { return h.Name }, b.hold)
}

func (b *bench) hold(ctx context.Context, h holding) error {
	p := pace{debuggee.Pace{File: h.File, Text: h.Text, Target: h.Target, Start: h.Start, More: h.More, Build: h.Build}}
	return b.atWork(ctx, p, func(s *server, dir string) error {
		var big, small samples
		for range paceRuns {
			for count, to := range map[int]*samples{h.Count: &big, heldFew: &small} {
				if err := h.steps(s, p, dir, count, to); err != nil {
					return err
				}
			}
		}
		b.add(row{
			what: fmt.Sprintf("%s: step with the whole stop view (bare: of %d elements)", h.Name, heldFew), unit: inMS,
			ours: big, bare: small, target: small.median() + heldOver,
		})
		return nil
	})
}

// steps goes to the line that holds the collection, and on from there.
func (h holding) steps(s *server, p pace, dir string, count int, took *samples) error {
	before, _, _ := strings.Cut(h.Text, "held")
	args := p.arguments(strconv.Itoa(count))
	maps.Copy(args, p.Start)
	args["breakpoints"] = []debuggee.Object{{"file": filepath.Join(dir, h.File), "line": 1 + strings.Count(before, "\n")}}
	if _, err := s.stop("session_start", args, "stopped_at_breakpoint"); err != nil {
		return err
	}
	for range heldSteps {
		begun := time.Now()
		if _, err := s.stop("step", debuggee.Object{"action": "over"}, "stopped_after_step"); err != nil {
			return err
		}
		took.since(begun)
	}
	_, err := s.call("session", debuggee.Object{"action": "stop"})
	return err
}
