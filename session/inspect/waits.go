package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
)

// Wait is one thing that waits, or several that wait for the same at the same place.
type Wait struct {
	Whos    []string // a sample
	Threads []int    // of these, as far as they are threads
	Count   int
	At      adapters.Location
	For     string
	On      string // empty where each waits on its own
	Holders []adapters.Holder
	Unknown string // why it is not known who holds it
	Made    adapters.Location
	InCycle bool
	Timed   bool // a time limit ends it
}

// Waits is who waits for what.
type Waits struct {
	Rows    []Wait
	Cycles  [][]Wait // each row waits for what the next one holds, the last for the first
	Total   int      // that wait
	System  int      // of the runtime, not among the rows
	LeftOut int      // not looked at
	Notes   []string
}

// mostCycles are told of.
const mostCycles = 10

// sampleWhos is how many of a row are named.
const sampleWhos = 4

// GroupWaits folds those that wait for the same at the same place into one row; those in a cycle come
// first, then those whose holder is known.
func GroupWaits(all adapters.Waits, filter string) Waits {
	out := Waits{LeftOut: all.LeftOut, Notes: all.Notes}
	cycles := cyclesOf(all.Waiters)
	inCycle := map[string]bool{}
	for _, cycle := range cycles {
		var rows []Wait
		for _, w := range cycle {
			inCycle[w.Key] = true
			row := newWait(w)
			row.InCycle = true
			rows = append(rows, row)
		}
		out.Cycles = append(out.Cycles, rows)
	}
	at := map[string]int{}
	for _, w := range all.Waiters {
		if w.System && filter != "system" {
			out.System++
			continue
		}
		if filter == "system" && !w.System || filter != "system" && !waitHas(w, filter) {
			continue
		}
		out.Total++
		key := waitKey(w, inCycle[w.Key])
		i, known := at[key]
		if !known {
			at[key] = len(out.Rows)
			row := newWait(w)
			row.InCycle = inCycle[w.Key]
			out.Rows = append(out.Rows, row)
			continue
		}
		out.Rows[i].add(w)
	}
	slices.SortStableFunc(out.Rows, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.Count, a.Count))
	})
	return out
}

// Deadlock is a ring of which no time limit lets any go on, nil when there is none.
func (w Waits) Deadlock() []Wait {
	for _, ring := range w.Cycles {
		if !slices.ContainsFunc(ring, func(r Wait) bool { return r.Timed }) {
			return ring
		}
	}
	return nil
}

func newWait(w adapters.Waiter) Wait {
	row := Wait{At: w.At, For: w.For, On: w.On, Holders: w.Holders, Unknown: w.Unknown, Made: w.Made, Timed: w.Timed}
	row.add(w)
	return row
}

func (r *Wait) add(w adapters.Waiter) {
	r.Count++
	if len(r.Whos) < sampleWhos {
		r.Whos = append(r.Whos, w.Who)
		if w.Thread != 0 {
			r.Threads = append(r.Threads, w.Thread)
		}
	}
	if r.On != w.On {
		r.On = ""
	}
}

// rank is what is told first.
func (r *Wait) rank() int {
	switch {
	case r.InCycle:
		return 0
	case len(r.Holders) > 0:
		return 1
	case r.At.Line > 0:
		return 2
	}
	return 3
}

// waitKey is what those of one row have in common. Of those that nobody is known to keep waiting each
// may wait on an object of its own.
func waitKey(w adapters.Waiter, inCycle bool) string {
	key := fmt.Sprintf("%s|%s:%d|%s:%d|%s|%v|%v", w.For, w.At.File, w.At.Line, w.Made.File, w.Made.Line, w.Unknown, inCycle, w.Timed)
	for _, h := range w.Holders {
		key += fmt.Sprintf("|%s@%s:%d", h.Key, h.Taken.File, h.Taken.Line)
	}
	if inCycle {
		key += "|" + w.Key // a cycle is made of each of them
	}
	if len(w.Holders) > 0 {
		key += "|" + w.On
	}
	return key
}

// cyclesOf are the rings of those that wait for what the next of them holds. One that waits for several
// goes on only when all of them let it.
func cyclesOf(waiters []adapters.Waiter) [][]adapters.Waiter {
	at := make(map[string]int, len(waiters))
	for i, w := range waiters {
		at[w.Key] = i
	}
	state := make([]int, len(waiters)) // 1 on the way, 2 done
	var way []int
	var found [][]adapters.Waiter
	var walk func(i int)
	walk = func(i int) {
		state[i] = 1
		way = append(way, i)
		for _, h := range waiters[i].Holders {
			next, waits := at[h.Key]
			switch {
			case !waits || len(found) >= mostCycles:
			case state[next] == 1:
				var ring []adapters.Waiter
				for _, n := range way[slices.Index(way, next):] {
					ring = append(ring, waiters[n])
				}
				found = append(found, ring)
			case state[next] == 0:
				walk(next)
			}
		}
		way = way[:len(way)-1]
		state[i] = 2
	}
	for i := range waiters {
		if state[i] == 0 {
			walk(i)
		}
	}
	return found
}

// WaitsOf is what the states of threads tell of waits, where nothing tells more.
func WaitsOf(states []adapters.ThreadState, location func(adapters.ThreadState) adapters.Location) adapters.Waits {
	var all adapters.Waits
	for _, t := range states {
		if t.Waiting == "" {
			continue
		}
		w := adapters.Waiter{
			Key: fmt.Sprint(t.ID), Who: threadWho(t), Thread: t.ID, At: location(t), For: t.Waiting, On: t.Object, System: t.System, Since: t.Since,
		}
		all.Waiters = append(all.Waiters, w)
	}
	return all
}

func threadWho(t adapters.ThreadState) string {
	if t.Name == "" {
		return fmt.Sprintf("thread %d", t.ID)
	}
	return fmt.Sprintf("thread %d (%s)", t.ID, t.Name)
}

// waitHas says that a text stands in what is told of a wait, in whatever case.
func waitHas(w adapters.Waiter, want string) bool {
	texts := []string{w.Who, w.For, w.On, w.At.Function, w.At.File, w.Made.Function}
	for _, h := range w.Holders {
		texts = append(texts, h.Who)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(want)) })
}
