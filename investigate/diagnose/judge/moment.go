package judge

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
)

// Failing is a failure as the run that was stopped has shown it.
type Failing struct {
	Type     string
	Message  string
	File     string // of its place; empty where that is not known
	Line     int
	Function string
	ExitCode *int
	// Made is where its own stack says that it was made, which need not be where it was
	// thrown; empty where it says nothing of that.
	Made Place
	// Through are the places of the user's code that it came up through, the innermost first.
	Through []Place
	// Values are those that the statement read, by their expressions.
	Values map[string]string
	// Syntax is how the language writes failures.
	Syntax adapters.FailureSyntax
}

// Moment is when a recorded run failed.
type Moment struct {
	At    int              // index of the event, or of the first one after it
	Event *recording.Event // nil where the run's calls alone show it

	threads []string // and tasks through which the failure went, that in which it was told among them

	// Of what is raised: its words, and the function in which it came up; empty otherwise.
	failure, function string
}

// MomentOf finds a failure in a recorded run. The first event that is like it is it: a
// debugger stops at the first one too. What a worker thread has failed with comes to who has started it,
// too: it is that of the worker. A program may ask for an exit code, then for another,
// and for the first again: the last of these is it. Like is what failed at the same place, with the
// same words as far as both have some, in the test that the words begin with. Where a
// recorder tells of no failures, the call through which it went shows it; found is false
// where neither does, and the run is another one then.
func MomentOf(events []recording.Event, f Failing) (m Moment, found bool) {
	failed, other, at := false, false, -1
	for i := range events {
		if e := &events[i]; e.Kind == recording.Failed {
			failed = true
			switch {
			case f.isLike(e) && f.isOfTest(events, e):
				if at < 0 || other || events[at].Child == 0 && e.Child > 0 {
					at, other = i, false
				}
			case f.ExitCode != nil && e.Text == recording.Exited:
				other = true // what it asks for after that is asked anew
			}
		}
	}
	switch {
	case at >= 0:
		return momentAt(events, at), true
	case failed:
		return Moment{}, false
	}
	for i := range slices.Backward(events) {
		if e := events[i]; e.Kind == recording.Leave && e.Raised && f.hasWords(raisedText(e)) && lastName(e.Function) == lastName(f.Function) {
			return Moment{At: i + 1, threads: threadsThrough(events[:i], &events[i])}, true
		}
	}
	return Moment{}, false
}

// momentAt is that of a failure which an event tells of.
func momentAt(events []recording.Event, at int) Moment {
	e := &events[at]
	m := Moment{At: at, Event: e, threads: threadsThrough(events[:at], e)}
	if e.Text == recording.Uncaught {
		m.failure, m.function = raisedText(*e), e.Function
	}
	return m
}

// Standing is the moment at which a run stands that a failure has stopped, after all that it
// has noted: in the thread of the call that stands there, where that is known.
func Standing(events []recording.Event, f Failing) Moment {
	m := Moment{At: len(events), failure: f.Message, function: f.Function}
	if e := Entered(events, f.Function, f.Message, 0, ""); e != nil {
		m.threads = []string{e.Thread}
	}
	return m
}

// threadsThrough are the threads and tasks through whose calls a failure went until it was told:
// a task's comes to whoever waits for the task, by itself or as a part of another. What fails in
// the main thread, outside of tasks, comes after those that it has run.
func threadsThrough(before []recording.Event, failure *recording.Event) []string {
	threads := []string{failure.Thread}
	seen := map[string]bool{failure.Thread: true}
	for _, e := range before {
		task := e.Kind == recording.Enter && e.Rests && failure.Thread == "" && !seen[e.Thread]
		seen[e.Thread] = true
		if slices.Contains(threads, e.Thread) {
			continue
		}
		if task || e.Kind == recording.Leave && e.Raised && isPartOf(raisedText(e), failure) {
			threads = append(threads, e.Thread)
		}
	}
	return threads
}

// isPartOf says that what was raised is what a failure tells, or something of which that consists.
func isPartOf(raised string, failure *recording.Event) bool {
	if failure.Text == recording.Exited || failure.Text == recording.Died { // its names are those of what decided it
		return false
	}
	return SameFailure(raised, raisedText(*failure)) || slices.ContainsFunc(failure.Names, func(part string) bool { return SameFailure(raised, part) })
}

func (f Failing) isLike(e *recording.Event) bool {
	if f.ExitCode != nil {
		return e.Text == recording.Exited && isCode(raisedText(*e), *f.ExitCode)
	}
	if f.File != "" && e.At != "" && (!f.isAt(e) || f.readOtherwise(e)) {
		return false
	}
	said := raisedText(*e)
	if text, err := strconv.Unquote(said); err == nil { // a recorder may show words as the value of a text
		said = text
	}
	said = Flat(f.Syntax, said)
	return said == "" || f.Message == "" || f.hasWords(said) || strings.Contains(said, "Goexit")
}

var number = pattern.New(`^-?\d+$`)

// readOtherwise says that the statement read another number in the run of an event: the two write
// numbers alike.
func (f Failing) readOtherwise(e *recording.Event) bool {
	for i, name := range e.Names {
		was, known := f.Values[name]
		if known && i+1 < len(e.Values) && number.MatchString(was) && number.MatchString(e.Values[i+1].Text) && was != e.Values[i+1].Text {
			return true
		}
	}
	return false
}

// isCode says that a program which asked to end with a code has ended with it, as far as
// the code is a number: what runs at the end may ask for another. Systems keep its last byte.
func isCode(asked string, code int) bool {
	n, err := strconv.Atoi(asked)
	return err != nil || byte(n) == byte(code)
}

// hasWords that its words are those that a recorder has noted, which may know another name of
// the type, or none.
func (f Failing) hasWords(noted string) bool {
	words, typed := strings.CutPrefix(f.Message, f.Type+": ")
	return SameFailure(noted, f.Message) || typed && (noted == words || strings.HasSuffix(noted, ": "+words))
}

// isAt compares the places: debugger and recorder may name a file by different ways, and
// may disagree on which of the frames is the first of the user's.
func (f Failing) isAt(e *recording.Event) bool {
	if file, line := recording.FileLine(e.At); f.Made.Line > 0 && line == f.Made.Line && filepath.Base(file) == filepath.Base(f.Made.File) {
		return true
	}
	return slices.ContainsFunc(append([]string{e.At}, e.Stack...), func(at string) bool {
		_, at = recording.Caller(at)
		file, line := recording.FileLine(at)
		return line == f.Line && filepath.Base(file) == filepath.Base(f.File)
	})
}

// isOfTest says that an event is of the test that a failure's words name, or of the one whose
// code it came up through, where several tests fail alike.
func (f Failing) isOfTest(events []recording.Event, e *recording.Event) bool {
	if e.Test() == "" || strings.HasPrefix(f.Message, e.Test()+":") {
		return true
	}
	through := f.isThrough(e)
	return !slices.ContainsFunc(events, func(o recording.Event) bool {
		return o.Kind == recording.Failed && o.Test() != e.Test() && f.isLike(&o) && (!through || f.isThrough(&o))
	})
}

// isThrough says that an event's stack has each place that the failure came up through.
func (f Failing) isThrough(e *recording.Event) bool {
	passed := map[string]bool{}
	for _, at := range append([]string{e.At}, e.Stack...) {
		_, at = recording.Caller(at)
		file, line := recording.FileLine(at)
		passed[filepath.Base(file)+":"+strconv.Itoa(line)] = true
	}
	for _, p := range f.Through {
		if !passed[filepath.Base(p.File)+":"+strconv.Itoa(p.Line)] {
			return false
		}
	}
	return len(f.Through) > 0
}

// Tells says that the recorder of a run tells of failures.
func Tells(events []recording.Event) bool {
	return slices.ContainsFunc(events, func(e recording.Event) bool { return e.Kind == recording.Failed })
}

// EndsElsewhere says that a recorded run with an exit code was ended by something other than a
// failure: the last thing in the recording is an exit with that code or an exception that nobody
// caught; the failure itself is not in it, or came before in another thread. What the program itself has
// done comes after what those did that it has started: that they fail ends it by what it makes of that.
func EndsElsewhere(events []recording.Event, f Failing, code int) bool {
	last := -1
	for i, e := range events {
		if e.Kind == recording.Failed && (e.Text == recording.Uncaught || e.Text == recording.Exited) && (e.Child == 0 || last < 0 || events[last].Child > 0) {
			last = i
		}
	}
	if code == 0 || last < 0 || events[last].Text == recording.Exited && !isCode(raisedText(events[last]), code) {
		return false
	}
	m, found := MomentOf(events, f)
	if !found || m.Event == nil {
		return !found
	}
	if m.Event.Child > 0 && events[last].Child == 0 {
		return !isPartOf(raisedText(*m.Event), &events[last])
	}
	return m.At < last && m.Event.Thread != events[last].Thread
}

// InThreadOfItsOwn says that the failure is in a thread other than the main one, and not in a task
// that shares a thread: what nobody catches there may end that thread alone.
func (m Moment) InThreadOfItsOwn(events []recording.Event) bool {
	if len(m.threads) == 0 || m.threads[0] == "" {
		return false
	}
	first := slices.IndexFunc(events, func(e recording.Event) bool { return e.Kind == recording.Enter && e.Thread == m.threads[0] })
	return first >= 0 && !events[first].Rests
}

// OnlyExits says that all that a recorder has told of is that the program asked to end. It
// may have ended with another code than it asked for.
func OnlyExits(events []recording.Event) bool {
	return !slices.ContainsFunc(events, func(e recording.Event) bool { return e.Kind == recording.Failed && e.Text != recording.Exited })
}

// MayHandle says that a program which ended well may have handled a failure: neither the
// recorder nor the runtime has told of it. A thread that dies of it ends no program.
func MayHandle(events []recording.Event, f Failing, stderr string) bool {
	if _, found := MomentOf(events, f); found && Tells(events) {
		return false
	}
	return f.Type == "" || !strings.Contains(stderr, f.Type)
}

// Until are the events before a moment, of the threads through which it came where these
// have any: what others do beside them has not led there, nor has what came after.
func (m Moment) Until(events []recording.Event) []recording.Event {
	if m.Event == nil && m.threads == nil {
		return m.withoutUnwinding(events, slices.Clone(events[:min(m.At+1, len(events))]))
	}
	before := m.withoutUnwinding(events, slices.Clone(events[:m.At]))
	own := slices.DeleteFunc(slices.Clone(before), func(e recording.Event) bool { return !slices.Contains(m.threads, e.Thread) })
	if slices.ContainsFunc(own, func(e recording.Event) bool { return e.Kind == recording.Enter }) {
		return own
	}
	return before
}

// Entered is a call of a function that stood when a run failed, and was made from a place,
// "file:line", where that is known: the last one, or that before so many of them. Events are
// those until then. A call that the failure has gone through stood.
func Entered(events []recording.Event, function, failure string, before int, from string) *recording.Event {
	left := map[int64]bool{}
	for _, e := range events {
		if e.Kind == recording.Leave && (!e.Raised || !SameFailure(raisedText(e), failure)) {
			left[e.Call] = true
		}
	}
	for i := range slices.Backward(events) {
		e := &events[i]
		switch {
		case e.Kind != recording.Enter || e.Function != function || left[e.Call]:
		case before > 0:
			before--
		case from != "" && len(e.Stack) > 0 && !CalledFrom(*e, from):
			return nil
		default:
			return e
		}
	}
	return nil
}
