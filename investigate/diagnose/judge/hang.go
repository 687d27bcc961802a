package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Sample is what the threads of a program that does not end were at, at one moment.
type Sample []Thread

// Users are those of them that are somewhere in the user's code.
func (s Sample) Users() Sample {
	return slices.DeleteFunc(slices.Clone(s), func(t Thread) bool { return t.At == "" })
}

// Thread is one of them, or several that look the same.
type Thread struct {
	Name    string
	Count   int
	Waiting string // for what; empty where it runs, or nobody knows
	Object  string // what it waits on, and who holds that
	Tasks   string // where those rest that its event loop runs
	At      string // the user's place in it, file:line; empty where it has none
	File    string // of At, as the debugger names it
	Line    int
	In      string // and its function
	Endless bool   // only another thread of the program can let it go on
	IDs     []int  // a sample of them, as the debugger numbers them; those of the system where it does
	Frame   int    // of At, among those of the thread
}

// Load is how much of the time a program computed, or would have with a core of its own,
// while it was watched: 0.5 is half of it.
type Load struct {
	Share float64
	Known bool
	// Idle says that for a while the program's own scheduler let none of its threads go
	// on: what computed then is the runtime itself, with its timers.
	Idle bool
}

// From which share on a program is Busy, and how little shows that one of them does which waits for nothing: a debugger wakes one that
// waits now and then.
const (
	busy   = 0.4
	little = 0.2
)

// HangOf is the verdict on a program that was still running, by three samples or so.
// It is cut where it computes: whether it would ever end they do not tell.
// It computes where it takes time of the processor; where that is not known, where a
// thread of the user's code waits for nothing. Else it stands: for what comes from
// outside of the program, or with the time, it is blocked, and where all wait for each other
// it is a deadlock. KnowsEndless says that the debugger tells which waits are endless; else
// their names must do.
func HangOf(samples []Sample, load Load, knowsEndless bool) Verdict {
	runs := Runs(samples)
	if runs && (!load.Known || load.Works()) || load.Busy() && (runs || !load.Idle) {
		return Cut
	}
	if len(samples) == 0 {
		return Blocked
	}
	last := samples[len(samples)-1]
	if endless := knowsEndless && Endless(last) || !knowsEndless && Inner(slices.Concat(samples...)); endless || len(Circle(last)) > 0 {
		return Deadlock
	}
	return Blocked
}

// Busy says that a program computes, whatever its threads seem to do.
func (l Load) Busy() bool { return l.Share >= busy }

// Works says that it computes enough for one of its threads to do so that waits for nothing.
func (l Load) Works() bool { return l.Share >= little }

// Runs says that a thread of the user's code waited for nothing at one of the looks.
func Runs(samples []Sample) bool {
	works := func(t Thread) bool { return t.Waiting == "" }
	return slices.ContainsFunc(slices.Concat(samples...).Users(), works)
}

// Inner says that all of the user's threads wait for what the program itself gives,
// though perhaps when a time has come.
func Inner(s Sample) bool {
	users := s.Users()
	if len(users) == 0 {
		users = s
	}
	return len(users) > 0 && !slices.ContainsFunc(users, func(t Thread) bool { return !isWithin(t.Waiting) })
}

// Endless says that nothing can let any thread of a program go on: each waits until
// another does. It takes no more time to know that.
func Endless(s Sample) bool {
	return len(s) > 0 && !slices.ContainsFunc(s, func(t Thread) bool { return !t.Endless })
}

// Locks counts the locks that threads wait for.
func Locks(s Sample) int {
	objects := map[string]bool{}
	for _, t := range s {
		if t.Object != "" && lock.MatchString(t.Waiting) {
			objects[t.Object] = true
		}
	}
	return len(objects)
}

var lock = pattern.New(`(?i)\b(lock|mutex|rwmutex)\b`)

// WaitsFor says that what a thread waits on names another by its number: it holds that, or
// is to end.
func (t Thread) WaitsFor(id int) bool {
	return strings.HasSuffix(" "+t.Object, " thread "+strconv.Itoa(id))
}

// Circle are the threads that wait for locks which others of them hold; none where the
// debugger does not know who holds what, or one of those who do may go on.
func Circle(s Sample) []Thread {
	holder := func(t Thread) int {
		if t.Object == "" {
			return -1
		}
		if at := slices.IndexFunc(s, func(o Thread) bool { return slices.ContainsFunc(o.IDs, t.WaitsFor) }); at >= 0 {
			return at
		}
		holds := func(o Thread) bool { return o.Name != "" && strings.HasSuffix(t.Object, " "+o.Name) }
		at := slices.IndexFunc(s, holds)
		if at < 0 || slices.ContainsFunc(s[at+1:], holds) || s[at].Count > 1 { // several have that name
			return -1
		}
		return at
	}
	for i := range s {
		var seen []int
		for at := i; at >= 0 && !slices.Contains(seen, at); at = holder(s[at]) {
			seen = append(seen, at)
			if holder(s[at]) == i {
				var circle []Thread
				for _, n := range seen {
					circle = append(circle, s[n])
				}
				return circle
			}
		}
	}
	return nil
}

// Computing is the thread of the user's code that computes in a program which takes time
// of the processor: by that time where the debugger numbers threads as the system does,
// else the one that waited for nothing at the most looks. Found is false where that may
// be several, or none.
func Computing(samples []Sample, ticks map[int]int64) (at Thread, found bool) {
	looks, last := map[string]int64{}, map[string]Thread{}
	for _, sample := range samples {
		for _, t := range sample.Users() {
			if t.Waiting != "" {
				continue
			}
			looks[t.key()]++
			last[t.key()] = t
		}
	}
	if took := timesOf(samples, ticks); len(took) > 0 {
		looks, last = took, lastOf(samples)
	}
	if users := samples[max(len(samples)-1, 0):]; len(looks) == 0 && len(users) == 1 && len(users[0].Users()) == 1 {
		only := users[0].Users()[0] // a debugger may see its own pause in it
		return only, only.Count <= 1
	}
	best := ""
	for key, n := range looks {
		switch {
		case n > looks[best]:
			best, found = key, true
		case n == looks[best]:
			found = false
		}
	}
	t := last[best]
	return t, found && t.Count <= 1
}

// key tells threads apart.
func (t Thread) key() string {
	if len(t.IDs) == 0 {
		return t.Name
	}
	return fmt.Sprint(t.IDs[0])
}

// timesOf is what each thread of the user's code took of the processor, where the
// numbers of all of them are those of the system.
func timesOf(samples []Sample, ticks map[int]int64) map[string]int64 {
	if len(samples) == 0 || len(ticks) == 0 {
		return nil
	}
	took, most := map[string]int64{}, int64(0)
	for _, t := range samples[len(samples)-1].Users() {
		if len(t.IDs) == 0 {
			return nil
		}
		n, known := ticks[t.IDs[0]]
		if !known {
			return nil
		}
		took[t.key()], most = n, max(most, n)
	}
	if most == 0 {
		return nil
	}
	return took
}

func lastOf(samples []Sample) map[string]Thread {
	last := map[string]Thread{}
	for _, t := range samples[len(samples)-1] {
		last[t.key()] = t
	}
	return last
}

// Functions are those in which the thread was seen that computes.
func Functions(samples []Sample, computing Thread) []string {
	var names []string
	for _, t := range slices.Concat(samples...) {
		if t.key() == computing.key() && t.In != "" && !slices.Contains(names, t.In) {
			names = append(names, t.In)
		}
	}
	return names
}

// FromOutside says that all of the user's threads wait for what comes from outside of
// the program, or with the time.
func FromOutside(s Sample) bool {
	users := s.Users()
	if len(users) == 0 {
		users = s
	}
	return len(users) > 0 && !slices.ContainsFunc(users, func(t Thread) bool { return isWithin(t.Waiting) || !outsides.MatchString(t.Waiting) })
}

// outsides are waits that something beside the program ends.
var outsides = pattern.New(`(?i)\b(?:connection|network|socket|input|io wait|poll|epoll|accept|time|timer|sleep|select|process|child|signal|file|pipe|read|write)\b`)

// inner are waits that only the program itself can end.
var inner = pattern.New(`(?i)\b(lock|mutex|synchronized|rwmutex|semaphore|channel|chan|monitor|condition|cond|join|end of a thread|waitgroup|latch|barrier|queue|future|asyncio|select \(no cases\))`)

func isWithin(waiting string) bool { return inner.MatchString(waiting) }
