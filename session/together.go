package session

import (
	"context"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/session/lifecycle"
)

// Some adapters stop all threads and tell of one, where several have come to
// breakpoints in the same moment; others tell of each in an event of its own.
// Let go, all of them go on: what one stop has found is judged at that stop, and
// what of it is wanted is shown one after the other before anything runs again.

// collectStops follows a stop that other threads may share. The stops of one
// connection come here one after another, in the order of their events or not:
// each answer is that of the moment, and whoever comes second finds nothing new.
func (k *connection) collectStops(event godap.StoppedEventBody, stop adapters.Stop) {
	k.gathering.Lock()
	defer k.gathering.Unlock()
	ctx, cancel := context.WithTimeout(k.run.ctx, k.run.s.limits.Request)
	defer cancel()
	found, err := k.run.plan().Capabilities.Stops.Together(ctx, k, event)
	if err != nil {
		k.run.s.log.Debug("what the other threads have stopped for", "error", err)
	}
	if found.Known {
		return
	}
	stop.Resume = stop.Resume || found.Nothing
	if found.Event != nil {
		stop = k.run.plan().Dialect.Stopped(*found.Event)
	}
	others := make([]adapters.Stop, len(found.Others))
	for i, e := range found.Others {
		others[i] = k.run.plan().Dialect.Stopped(e)
	}
	if seq, undecided := k.decideOrPublish(&stop, others); undecided {
		judgement{k.run, k, seq}.decide(stop, others)
	}
}

// isStoppedAt says that the session stands at a connection's stop: one more is that
// of a call in an expression, whose failure must not be known before it.
func (k *connection) isStoppedAt() (so bool) {
	k.run.s.change(func(m *lifecycle.Machine) { so = m.StandsAt(k.number) })
	return so
}

// putStepFirst puts the stop that ends the current step first.
func putStepFirst(m *lifecycle.Machine, stop *adapters.Stop, others []adapters.Stop) {
	ended := func(stop adapters.Stop) bool { return stop.Reason == "step" }
	if i := slices.IndexFunc(others, ended); i >= 0 && m.Motion().IsStep() && stop.Reason == "breakpoint" {
		*stop, others[i] = others[i], *stop
	}
}

// otherStops judges what the other threads of a stop have stopped for, each by
// itself, and names those stops that somebody wants.
func (j judgement) otherStops(ctx context.Context, others []adapters.Stop) []lifecycle.Stop {
	var wanted []lifecycle.Stop
	for _, stop := range others {
		if stop.Reason == "step" || stop.Reason == "pause" {
			continue // of a step that is not under way any more; or it shows nothing
		}
		stop = j.completeStop(ctx, stop)
		if stop.Resume {
			continue
		}
		d, ok := j.interpretStop(ctx, &stop)
		if !ok {
			return nil
		}
		if stop.Resume || !d.Stop {
			continue
		}
		if at := j.connection.stopOf(stop, d); j.isWanted(&at) {
			wanted = append(wanted, at)
		}
	}
	return wanted
}

// isWanted says that a stop of another thread is somebody's: at a breakpoint of
// nobody's the adapter itself would not have stopped.
func (j judgement) isWanted(stop *lifecycle.Stop) bool {
	j.run.s.change(func(m *lifecycle.Machine) { j.creditLate(m, stop) })
	return len(stop.Decision.Hit) > 0 || stop.Decision.Reached != "" || stop.Event.Reason != "breakpoint"
}

// publishOrder is the stop to publish of those that are wanted, and the rest: what was
// run to comes first, and is not waited for twice.
func publishOrder(wanted []lifecycle.Stop) (first lifecycle.Stop, rest []lifecycle.Stop) {
	i := max(slices.IndexFunc(wanted, func(h lifecycle.Stop) bool { return h.Decision.Reached != "" }), 0)
	first = wanted[i]
	for j, h := range wanted {
		if j != i && (len(h.Decision.Hit) > 0 || h.Event.Reason != "breakpoint") {
			rest = append(rest, h)
		}
	}
	return first, rest
}
