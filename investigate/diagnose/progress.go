package diagnose

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// A program that computes when its time is over may be slow, or never come to an end. It
// never does where a loop comes back to the same values of all that decides how it goes
// on, with nobody beside it who could change them: what it did once it will do again. To
// see that it is run on a little, line by line.
const (
	mostSteps    = 60
	mostState    = 60 // variables of a function that has more are not compared
	stepLimit    = 400 * time.Millisecond
	mostVain     = 3 // steps that a pause has ended
	progressTime = 6 * time.Second
	mostReturns  = 6 // to a value of one variable, where the others differ
)

// Stall is that a loop makes no progress.
type Stall struct {
	First, Last int               // its lines
	Same        map[string]string // what decides how it goes on, and was the same again
	Counts      []string          // what changes, and decides nothing
}

// String is the values that were the same again.
func (s Stall) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.Same)) {
		list = append(list, name+" = "+s.Same[name])
	}
	return strings.Join(list, ", ")
}

// sentence says in words how the program stands still.
func (s Stall) sentence() string {
	lines := fmt.Sprintf("it makes no progress at line %d", s.First)
	if s.Last > s.First {
		lines = fmt.Sprintf("it makes no progress in lines %d to %d", s.First, s.Last)
	}
	if len(s.Same) > 0 {
		lines += ", and comes back to the same values: " + brief.Text(s.String(), longestState)
	}
	if len(s.Counts) > 0 {
		lines += "; only " + strings.Join(s.Counts, ", ") + " counts on"
	}
	return lines
}

// longestState is how long the values are shown.
const longestState = 200

// loop follows one loop of the program by single steps.
type loop struct {
	run         *run
	thread      int
	over        time.Time
	alone       bool // no other thread can change what it reads
	function    string
	file        string
	line        int  // at which it began
	column      int  // 0: the debugger does not tell
	moved       bool // it has been at another line since
	first, last int  // of its lines, as far as it is known
	states      []state
}

// state is what decides how a loop goes on, at one moment.
type state map[string]string

// findStall looks whether a program with a thread that computes makes no progress.
// It finds nothing where that cannot be told, nor in a program that was attached to:
// that has work to do, and is not stepped line by line.
func (n *run) findStall(ctx context.Context, t judge.Thread) (found evidence.Finding[Stall]) {
	if len(t.IDs) == 0 || n.s.State().Status != session.Paused || n.request.Program.Attaches() {
		return found
	}
	l := &loop{run: n, thread: t.IDs[0], over: n.progressDeadline(), alone: n.hang.isAlone(t)}
	if !l.begin(ctx) {
		return found
	}
	s, why := l.stepRound(ctx)
	if why != "" {
		n.log.Debug("no standstill is seen", "why", why, "function", l.function, "lines", fmt.Sprint(l.first, "-", l.last))
		return found
	}
	place := placeText(l.file, l.first)
	return evidence.On(s, evidence.Observation{Run: n.number, At: place, What: "what decides how the loop goes on, twice", Value: s.String()})
}

// progressDeadline is until when the search for progress may last.
func (n *run) progressDeadline() time.Time {
	if over := time.Now().Add(progressTime); over.Before(n.over.Add(-time.Second)) {
		return over
	}
	return n.over.Add(-time.Second)
}

// begin takes the place at which the thread stands.
func (l *loop) begin(ctx context.Context) bool {
	f, ok := l.innermostFrame(ctx)
	if !ok {
		return false
	}
	l.function, l.file, l.line, l.column = f.Function, f.File, f.Line, f.Column
	l.first, l.last, l.states, l.moved = f.Line, f.Line, nil, false
	return true
}

// innermostFrame is the innermost frame, if it is of the user's code.
func (l *loop) innermostFrame(ctx context.Context) (session.Frame, bool) {
	frames, _, err := l.run.s.Stopped().Stack(ctx, l.thread, 0, 1)
	if err != nil || len(frames) == 0 || frames[0].Internal || frames[0].File == "" {
		return session.Frame{}, false
	}
	return frames[0], true
}

// stepRound steps until the loop comes back to a state; why is what keeps that from being known.
func (l *loop) stepRound(ctx context.Context) (s Stall, why string) {
	if why := l.restart(ctx); why != "" { // a pause may end where no step does
		return s, why
	}
	vain := 0
	for range mostSteps {
		if len(l.states) == 0 {
			if why := l.addState(ctx); why != "" {
				return s, why
			}
		}
		stepped, why := l.step(ctx)
		if why != "" {
			return s, why
		}
		if !stepped {
			vain++
		}
		f, ok := l.innermostFrame(ctx)
		switch {
		case vain > mostVain:
			return s, "it cannot be stepped"
		case !ok:
			return s, "it is in code of others"
		case f.Function != l.function || !stepped:
			if !l.begin(ctx) {
				return s, "its place is not known"
			}
			continue
		}
		l.first, l.last = min(l.first, f.Line), max(l.last, f.Line)
		l.moved = l.moved || f.Line != l.line
		if f.Line != l.line || f.Column != l.column || !l.moved && f.Column == 0 {
			continue // it is elsewhere, or perhaps elsewhere in the line
		}
		if why := l.addState(ctx); why != "" {
			return s, why
		}
		if s, again := l.findRepeat(); again {
			return s, ""
		}
		if len(l.states) == 2 && l.line == l.first && l.last > l.first {
			if why := l.restart(ctx); why != "" {
				return s, why
			}
		}
	}
	if len(l.states) < 2 {
		return s, "no round of it was over soon"
	}
	return l.runToRepeat(ctx)
}

// restart begins again at the next line. The head of a loop is a bad place to return
// to: a breakpoint there may lie where the program comes only once.
func (l *loop) restart(ctx context.Context) (why string) {
	if _, why := l.step(ctx); why != "" {
		return why
	}
	if !l.begin(ctx) {
		return "its place is not known"
	}
	return ""
}

// step makes one over a line; stepped says that it has come to its end. A debugger may
// still have to tell of the pause before.
func (l *loop) step(ctx context.Context) (stepped bool, why string) {
	if time.Until(l.over) <= 0 {
		return false, "the time is over"
	}
	st, err := l.run.s.Step(ctx, session.StepOptions{Action: "over", Thread: l.thread}, min(stepLimit, time.Until(l.over)))
	switch {
	case err != nil:
		return false, err.Error()
	case isRunning(st.Status):
		l.pause(ctx)
		return false, "a step does not end"
	case st.Status == session.Paused:
		return false, ""
	case st.Status != session.StoppedStep || st.ThreadID != l.thread && st.ThreadID != 0:
		return false, fmt.Sprintf("something else stopped it: %s (%s) of thread %d", st.Status, st.Reason, st.ThreadID)
	}
	return true, ""
}

// pause stops the program again.
func (l *loop) pause(ctx context.Context) {
	if err := l.run.pause(ctx); err != nil {
		l.run.log.Debug("pause after a step", "error", err)
	}
}

// sourceLines are the lines of a round without comments, and those of its function
// before them.
func (l *loop) sourceLines() (above, lines []string) {
	from := max(1, l.first-linesAbove)
	all, err := l.run.s.SourceLines(l.file, from, l.last+linesAbove)
	if err != nil || l.last-from >= len(all) {
		return nil, nil
	}
	for i := range all {
		all[i] = judge.Uncommented(all[i], l.run.s.Comment())
	}
	end := l.last - from + 1
	for end < len(all) && strings.TrimSpace(all[end]) != "" && judge.Indented(all[end]) > judge.Indented(all[l.first-from]) {
		end++ // a branch that was not taken
	}
	return all[:l.first-from], all[l.first-from : end]
}

// addState adds the current state of the loop. It consists of all lines seen so far, so
// that it may hold more than the states before.
func (l *loop) addState(ctx context.Context) (why string) {
	above, lines := l.sourceLines()
	if len(lines) == 0 {
		return "its source is not there"
	}
	locals, total, err := l.run.s.Stopped().Variables(ctx, session.Locals, l.thread, 0, session.Page{Count: mostState})
	if err != nil || total > len(locals) {
		return "its variables cannot be read"
	}
	values, names := map[string]session.Variable{}, map[string]bool{}
	for _, v := range locals {
		values[v.Name], names[v.Name] = v, true
	}
	r, hidden := judge.RoundOf(lines, names, l.run.syntax.PlainMembers, l.run.s.IsReserved)
	switch {
	case hidden != "":
		return "it has " + hidden
	case !l.alone && (len(r.Outer) > 0 || judge.Shared(above, lines[0], r.Decides)):
		return "others may change what it reads"
	}
	now := state{}
	for _, name := range r.Outer {
		if !l.run.s.OnlyReads(name) {
			return name + " cannot be read"
		}
		v, err := l.run.s.Stopped().Evaluate(ctx, name, l.thread, 0, session.Page{})
		if err != nil {
			return name + " cannot be read"
		}
		values[name] = v
	}
	for _, name := range slices.Concat(r.Decides, r.Outer) {
		v := values[name]
		if plain := l.run.syntax.PlainMembers; plain && rounded.MatchString(v.Value) {
			return name + " may be shown rounded"
		}
		if v.Cut > 0 || v.Opaque || v.Value == "" || elided.MatchString(v.Value) {
			return name + " cannot be read in full"
		}
		now[name] = v.Value
	}
	for _, name := range r.Counts {
		now[counter+name] = ""
	}
	l.states, l.last = append(l.states, now), l.first+len(lines)-1
	return ""
}

// counter marks the names of what only counts.
const counter = "\x00"

// elided matches values of which something is left out, or only the address is shown.
var elided = pattern.New(`…|\.\.\.|\b0x[0-9a-fA-F]{5,}| object at `)

// findRepeat says that the last state is one of those before.
func (l *loop) findRepeat() (Stall, bool) {
	now := l.states[len(l.states)-1]
	for _, before := range l.states[:len(l.states)-1] {
		if maps.Equal(before, now) {
			return l.stallAt(now), true
		}
	}
	return Stall{}, false
}

func (l *loop) stallAt(now state) Stall {
	s := Stall{First: l.first, Last: l.last, Same: map[string]string{}}
	for name, value := range now {
		if rest, counts := strings.CutPrefix(name, counter); counts {
			s.Counts = append(s.Counts, rest)
		} else {
			s.Same[name] = value
		}
	}
	slices.Sort(s.Counts)
	return s
}

// runToRepeat lets the loop run until it comes back to the state in which it is, or its
// function is left.
func (l *loop) runToRepeat(ctx context.Context) (s Stall, why string) {
	above, lines := l.sourceLines()
	if len(lines) == 0 || judge.EnclosedByLoop(above, lines[0]) {
		return s, "there is a loop around it"
	}
	want, name := l.states[len(l.states)-1], ""
	for _, one := range slices.Sorted(maps.Keys(want)) {
		if number.MatchString(want[one]) && l.states[len(l.states)-2][one] != want[one] {
			name = one
		}
	}
	if name == "" {
		return s, "no number decides it"
	}
	point, err := l.run.s.SetBreakpoint(ctx, session.BreakpointSpec{File: l.file, Line: l.line, Condition: name + " == " + want[name]})
	if err != nil {
		return s, err.Error()
	}
	defer func() {
		if err := l.run.s.RemoveBreakpoints(ctx, []int{point.ID}); err != nil {
			l.run.log.Debug("remove the breakpoint in a loop", "error", err)
		}
	}()
	for range mostReturns {
		st, err := l.run.s.Step(ctx, session.StepOptions{Action: "out", Thread: l.thread}, time.Until(l.over))
		switch {
		case err != nil:
			return s, err.Error()
		case isRunning(st.Status):
			l.pause(ctx)
			return s, "it did not come back to its values in time"
		case st.Status != session.StoppedBreakpoint || st.ThreadID != l.thread && st.ThreadID != 0:
			return s, "it was left"
		}
		f, ok := l.innermostFrame(ctx)
		if !ok || f.Function != l.function || f.Line != l.line {
			return s, "it was left"
		}
		if why := l.addState(ctx); why != "" {
			return s, why
		}
		if f.Column != l.column { // the breakpoint is elsewhere in the line
			want, l.column = l.states[len(l.states)-1], f.Column
			continue
		}
		if now := l.states[len(l.states)-1]; maps.Equal(now, want) {
			return l.stallAt(now), ""
		}
	}
	return s, "it did not come back to its values"
}

// rounded matches numbers of which debuggers may show fewer digits than there are.
var rounded = pattern.New(`\d\.\d{5,}|\de[-+]?\d`)

var number = pattern.New(`^-?\d+$`)
