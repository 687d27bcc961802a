package breakpoints

import (
	"fmt"
	"slices"
	"strings"
)

// Stop is what is known of a stop when its meaning is asked for.
type Stop struct {
	Connection int
	Reason     string // as DAP has it, or the dialect's plain word
	Hit        []int  // the adapter's ids
	File       string // where the program stands, empty when it has not been asked for
	Line       int
	Stepping   bool // a step is under way
	Vague      bool // the adapter gives this reason to the end of a step too
	Unjudged   bool // the adapter could not evaluate a condition, perhaps one of this place
}

// isAtBreakpoint says that the adapter itself calls the stop one of a breakpoint's.
func (p Stop) isAtBreakpoint() bool { return p.Unjudged || strings.Contains(p.Reason, "breakpoint") }

// Immediate says that no stop needs a question before it is published: nothing
// is left to the engine, and nothing has to be taken away.
func (s *Set) Immediate() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.entries, func(e *entry) bool {
		return e.Temporary || e.Enabled && (e.Kind == Watch || e.isSupplied() || e.isConfined())
	})
}

// isSupplied says whether some connection leaves the entry's condition, hit condition
// or log message to the engine.
func (e *entry) isSupplied() bool {
	for _, b := range e.bindings {
		if b.Supplied {
			return true
		}
	}
	return false
}

// judges says that the engine checks the condition of a breakpoint that is bound so.
func (b Binding) judges() bool { return b.Supplied && !b.Judged }

// isJudged says whether all connections that hold the entry have the adapter check its condition.
func (e *entry) isJudged() bool {
	for _, b := range e.bindings {
		if b.judges() {
			return false
		}
	}
	return true
}

// Checked says that an adapter checks a condition itself: of an enabled
// breakpoint, or when ids are given of one among them.
func (s *Set) Checked(ids ...int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.entries, func(e *entry) bool {
		return e.Enabled && e.Condition.Text != "" && e.isJudged() && (len(ids) == 0 || slices.Contains(ids, e.ID))
	})
}

// Candidates names the breakpoints that a stop may be about: by the adapter's
// ids, else, at a stop of a breakpoint, by the place where the program stands.
func (s *Set) Candidates(p Stop) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ids := s.byID(p); len(ids) > 0 {
		return ids
	}
	if !p.isAtBreakpoint() || len(p.Hit) > 0 || p.File == "" {
		return nil
	}
	return s.findAtLine(p.File, p.Line)
}

// NeedsPlace says that candidates can only be found, or judged, by the place of
// the stop.
func (s *Set) NeedsPlace(p Stop) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.File != "" {
		return false
	}
	ids := s.byID(p)
	if len(ids) == 0 {
		return p.isAtBreakpoint() && len(p.Hit) == 0
	}
	return slices.ContainsFunc(s.findAll(ids), (*entry).isConfined)
}

func (s *Set) byID(p Stop) []int {
	var ids, watches []int
	for _, e := range s.entries {
		if !e.Enabled || e.lost {
			continue
		}
		if b, held := e.bindings[p.Connection]; held && b.HasID && slices.Contains(p.Hit, b.ID) {
			ids = append(ids, e.ID)
		}
		if e.Kind == Watch {
			watches = append(watches, e.ID)
		}
	}
	// Data breakpoints come without an id in some adapters: plain when there is one.
	if len(ids) == 0 && p.Reason == "data breakpoint" && len(watches) == 1 {
		return watches
	}
	return ids
}

// findAtLine names the breakpoints bound to a line.
func (s *Set) findAtLine(file string, line int) []int {
	var ids []int
	for _, e := range s.entries {
		if e.Enabled && e.Verified && e.Kind != Watch && e.Path() == file && e.Line == line {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// MayHitMore says that a stop may be at more breakpoints than it names: there are others on the
// same line, or on functions that may lie at more places than the adapter has told.
func (s *Set) MayHitMore(p Stop) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.findAll(s.byID(p)), func(hit *entry) bool {
		return hit.Kind != Watch && slices.ContainsFunc(s.entries, func(e *entry) bool {
			b, held := e.bindings[p.Connection]
			return e != hit && e.Enabled && !e.lost && e.Kind != Watch && held && b.HasID && !slices.Contains(p.Hit, b.ID) && hit.mayShareLocation(e)
		})
	})
}

// mayShareLocation says that two breakpoints may be at the same instruction.
func (e *entry) mayShareLocation(o *entry) bool {
	return e.Path() == o.Path() && e.Line == o.Line || e.several != "" || o.several != ""
}

// Question is a condition that must be evaluated before [Set.Decide].
type Question struct {
	ID        int
	Condition Expression
	Checked   bool // the adapter has checked it: only whether it fails is asked
}

// Questions are the conditions of the candidates. Those that the adapter checks
// are among them when its silence about a failure is to be looked into.
func (s *Set) Questions(p Stop, candidates []int, failures bool) []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var questions []Question
	for _, e := range s.findAll(candidates) {
		if e.Condition.Text == "" {
			continue
		}
		if b := e.bindings[p.Connection]; b.judges() || failures || p.Unjudged {
			questions = append(questions, Question{e.ID, e.Condition, !b.Supplied && !p.Unjudged})
		}
	}
	return questions
}

func (s *Set) findAll(ids []int) []*entry {
	var entries []*entry
	for _, e := range s.entries {
		if slices.Contains(ids, e.ID) {
			entries = append(entries, e)
		}
	}
	return entries
}

// Answer is what the evaluation of a condition gave.
type Answer struct {
	True   bool
	Failed string // why it could not be evaluated; empty when it could
}

// Message is a log message that is to be written.
type Message struct {
	ID   int
	Text string
}

// Decision is what a stop means.
type Decision struct {
	Stop    bool      // somebody wants it
	Hit     []int     // the breakpoints that stopped the program, without temporary ones
	Reached string    // the location of run_until that was reached
	Entry   bool      // it is the stop on entry and nothing else
	Log     []Message // to write, whether it stops or not
	Note    string    // conditions that failed
	Placed  bool      // the place of the stop was known: nobody else's it can turn out to be
}

// Decide says whether a stop is wanted, by whom, and what is to be logged, from
// the candidates and the answers to their questions. It counts each hit once: a
// hit is a pass whose condition is true, or fails. A stop without candidates is
// about something else, and wanted.
func (s *Set) Decide(p Stop, candidates []int, answers map[int]Answer) Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := Decision{Stop: len(candidates) == 0, Placed: p.File != ""}
	var failed []string
	entry := false
	for _, e := range s.findAll(candidates) {
		answer, asked := answers[e.ID]
		if answer.Failed != "" {
			failed = append(failed, e.failureText(answer.Failed))
		}
		if !s.countHit(p, e, answer, asked) {
			continue
		}
		if e.LogMessage != "" && e.bindings[p.Connection].Supplied {
			d.Log = append(d.Log, Message{e.ID, e.LogMessage})
			continue
		}
		d.Stop = true
		switch {
		case e.Entry:
			entry = true
		case e.Temporary:
			d.Reached = e.Where
		default:
			d.Hit = append(d.Hit, e.ID)
		}
	}
	d.Entry = entry && len(d.Hit) == 0 && d.Reached == ""
	d.Note = strings.Join(failed, "; ")
	return d
}

// countHit counts a hit and says whether the entry has its way. One whose condition
// fails stops, so that this is seen.
func (s *Set) countHit(p Stop, e *entry, answer Answer, asked bool) bool {
	if e.isConfined() && p.File != "" {
		if p.File != e.File {
			return false
		}
		e.At, e.Line = p.File, p.Line
	}
	if !e.Verified { // not every adapter says so when it has bound one after all
		e.Verified, e.Message, e.reason, e.Nearest, e.Similar = true, "", "", nil, nil
	}
	b := e.bindings[p.Connection]
	if b.judges() {
		e.Reached++
	}
	if (b.judges() || b.Judged && asked || p.Unjudged) && e.Condition.Text != "" && !answer.True && answer.Failed == "" {
		return false
	}
	e.Hits++
	return !b.Supplied || answer.Failed != "" || isHitSatisfied(e.HitCondition, e.Hits)
}

func (e *entry) failureText(why string) string {
	name := fmt.Sprintf("breakpoint %d", e.ID)
	if e.Temporary {
		name = "run_until"
	}
	return fmt.Sprintf("the condition %q of %s failed: %s", e.Condition, name, why)
}

// Late names the breakpoints whose ids have come only after a stop was decided
// about as nobody's, and counts the hit: one that is set while the program runs
// may stop it before the adapter's answer is read.
func (s *Set) Late(p Stop) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(p.Hit) == 0 {
		return nil
	}
	var ids []int
	for _, e := range s.findAll(s.byID(p)) {
		if e.Temporary || e.bindings[p.Connection].Supplied {
			continue
		}
		e.Hits++
		ids = append(ids, e.ID)
	}
	return ids
}

// Attribute names the breakpoints of a stop that came without ids and that
// nothing else explains, by the place where the program stands, and counts the hit.
func (s *Set) Attribute(file string, line int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := s.findAtLine(file, line)
	for _, e := range s.findAll(ids) {
		e.Hits++
	}
	return ids
}

// Logged counts a hit of the logpoint that an adapter wrote a line for, and says
// whether there is one: such adapters report no stop.
func (s *Set) Logged(file string, line int) (logged bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.LogMessage != "" && !e.isSupplied() && e.Line == line && e.Path() == file {
			e.Hits++
			logged = true
		}
	}
	return logged
}

// Some adapters number no breakpoints, never forget one that was removed, or
// call the end of a step a breakpoint. What such a stop is about is seen from
// the place where the program stands.

// rememberStop remembers where an adapter was made to stop.
func (s *Set) rememberStop(e *entry) {
	if e.Kind == Watch || !e.Verified || e.Line == 0 {
		return
	}
	if s.placed == nil {
		s.placed = map[place]bool{}
	}
	s.placed[place{e.Path(), e.Line}] = true
}

// isLeftover says whether a line, at which an adapter was made to stop, has no
// breakpoint any more.
func (s *Set) isLeftover(file string, line int) bool {
	return s.placed[place{file, line}] && len(s.findAtLine(file, line)) == 0
}

// Doubtful says that a stop's reason may not be the true one.
func (s *Set) Doubtful(p Stop) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Reason != "breakpoint" || len(p.Hit) > 0 {
		return false
	}
	if p.Vague {
		return true
	}
	for at := range s.placed {
		if s.isLeftover(at.file, at.line) {
			return true
		}
	}
	return false
}

// Explained finds the true reason of a doubtful stop without candidates: the end
// of a step, or nothing at all. Wanted is false when it is about a breakpoint
// that is no more.
func (s *Set) Explained(p Stop) (reason string, wanted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := p.File != "" && s.isLeftover(p.File, p.Line)
	switch {
	case p.Stepping && (p.Vague || left):
		return "step", true
	case left:
		return p.Reason, false
	}
	return p.Reason, true
}
