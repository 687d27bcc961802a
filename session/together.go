package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/session/breakpoints"
)

// Some adapters stop all threads and tell of one, where several have come to
// breakpoints in the same moment; others tell of each in an event of its own.
// Let go, all of them go on: what one stop has found is judged at that stop, and
// what of it is wanted is shown one after the other before anything runs again.

// collectStops follows a stop that other threads may share. The stops of one
// connection come here one after another, in the order of their events or not:
// each answer is that of the moment, and whoever comes second finds nothing new.
func (l *run) collectStops(k *connection, event godap.StoppedEventBody, stop adapters.Stop) {
	k.gathering.Lock()
	defer k.gathering.Unlock()
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.Request)
	defer cancel()
	found, err := l.plan().Capabilities.Stops.Together(ctx, k, event)
	if err != nil {
		l.s.log.Debug("what the other threads have stopped for", "error", err)
	}
	if found.Told {
		return
	}
	stop.Resume = stop.Resume || found.Nothing
	if found.Event != nil {
		stop = l.plan().Dialect.Stopped(*found.Event)
	}
	others := make([]adapters.Stop, len(found.Others))
	for i, e := range found.Others {
		others[i] = l.plan().Dialect.Stopped(e)
	}
	if seq, undecided := l.decideOrPublish(k, &stop, others); undecided {
		l.decide(k, stop, others, seq)
	}
}

// isStoppedAt says that the session stands at a connection's stop: one more is that
// of a call in an expression, whose failure must not be known before it.
func (l *run) isStoppedAt(k *connection) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.still != nil && l.s.still.connection == k
}

// putStepFirst puts the stop that ends the current step first; mu is held.
func (s *Session) putStepFirst(stop *adapters.Stop, others []adapters.Stop) {
	ended := func(stop adapters.Stop) bool { return stop.Reason == "step" }
	if i := slices.IndexFunc(others, ended); i >= 0 && s.now.motion.isStep() && stop.Reason == "breakpoint" {
		*stop, others[i] = others[i], *stop
	}
}

// otherStops judges what the other threads of a stop have stopped for, each by
// itself, and names those stops that somebody wants.
func (l *run) otherStops(ctx context.Context, k *connection, others []adapters.Stop, seq int) []heldStop {
	var wanted []heldStop
	for _, stop := range others {
		if stop.Reason == "step" || stop.Reason == "pause" {
			continue // of a step that is not under way any more; or it shows nothing
		}
		stop = l.completeStop(ctx, k, stop)
		if stop.Resume {
			continue
		}
		d, ok := l.interpretStop(ctx, k, &stop, seq)
		if !ok {
			return nil
		}
		if stop.Resume || !d.Stop {
			continue
		}
		if l.isWanted(k, stop, &d) {
			wanted = append(wanted, heldStop{k, stop, d})
		}
	}
	return wanted
}

// isWanted says that a stop of another thread is somebody's: at a breakpoint of
// nobody's the adapter itself would not have stopped.
func (l *run) isWanted(k *connection, stop adapters.Stop, d *breakpoints.Decision) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if len(d.Hit) == 0 && d.Reached == "" && !d.Entry {
		d.Hit = l.s.breakpoints.Late(k.breakpointStop(stop))
	}
	return len(d.Hit) > 0 || d.Reached != "" || stop.Reason != "breakpoint"
}

// publishOrder is the stop to publish of those that are wanted, and the rest: what was
// run to comes first, and is not waited for twice.
func publishOrder(wanted []heldStop) (first heldStop, rest []heldStop) {
	i := max(slices.IndexFunc(wanted, func(h heldStop) bool { return h.decision.Reached != "" }), 0)
	first = wanted[i]
	for j, h := range wanted {
		if j != i && (len(h.decision.Hit) > 0 || h.stop.Reason != "breakpoint") {
			rest = append(rest, h)
		}
	}
	return first, rest
}

// publishNext publishes the next stop that a connection's threads have made together
// with the last one, and says whether there is one: the program stands still
// meanwhile. Breakpoints that are gone have stopped nobody. mu is held.
func (l *run) publishNext(k *connection) bool {
	for {
		i := slices.IndexFunc(l.held, func(h heldStop) bool { return h.connection == k })
		if i < 0 {
			return false
		}
		next := l.held[i]
		l.held = slices.Delete(l.held, i, i+1)
		if hit := next.decision.Hit; len(hit) > 0 {
			if next.decision.Hit = l.s.breakpoints.Enabled(hit); len(next.decision.Hit) == 0 {
				continue
			}
		}
		l.s.setRunning(moveContinue)
		l.s.publish(k, next.stop, next.decision)
		return true
	}
}

// mostNamed is how many threads are named that have stopped for the same.
const mostNamed = 4

// otherStopsText says where the other threads stand that have stopped with the one that
// is shown, empty when none have; mu is held.
func (k *connection) otherStopsText(shown breakpoints.Decision) string {
	var whys []string
	threads := map[string][]string{}
	for _, h := range k.run.held {
		if h.connection != k {
			continue
		}
		why := h.reasonText(shown)
		if threads[why] == nil {
			whys = append(whys, why)
		}
		threads[why] = append(threads[why], strconv.Itoa(h.stop.ThreadID))
	}
	if len(whys) == 0 {
		return ""
	}
	for i, why := range whys {
		whys[i] = someThreads(threads[why]) + why
	}
	return strings.Join(whys, ", ") + " (continue shows each)"
}

// reasonText is what a stop that is held back is for.
func (h heldStop) reasonText(shown breakpoints.Decision) string {
	switch hit := h.decision.Hit; {
	case len(hit) == 0:
		return " stopped too by " + strings.TrimSpace(h.stop.Reason+" "+h.stop.Description)
	case slices.Equal(hit, shown.Hit):
		return fmt.Sprintf(" at breakpoint %d too", hit[0])
	default:
		return fmt.Sprintf(" at breakpoint %d", hit[0])
	}
}

// someThreads names threads, not more than a reader wants.
func someThreads(ids []string) string {
	switch rest := len(ids) - mostNamed; {
	case len(ids) == 1:
		return "thread " + ids[0] + " is"
	case rest > 0:
		return fmt.Sprintf("threads %s and %d more are", strings.Join(ids[:mostNamed], ", "), rest)
	default:
		last := len(ids) - 1
		return fmt.Sprintf("threads %s and %s are", strings.Join(ids[:last], ", "), ids[last])
	}
}
