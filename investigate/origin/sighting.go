package origin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// observation is where and how a value was seen, so that the same pass of that place is
// found again in another run.
type observation struct {
	file       string
	line       int
	expression string
	condition  string

	stood   bool     // a session stands there
	value   string   // as the debugger shows it; empty when no session stands there
	whole   bool     // that text is all of the value
	beside  []beside // plain variables of the same frame
	nth     int      // which pass it was, as breakpoints count; 0: unknown
	taken   bool     // the condition is that of the breakpoint at which the session stands
	narrow  string   // why of all writes only those to the expression are noted; empty: all are
	sparse  *recording.Sparse
	widened bool          // more of the last events are noted than at first
	last    bool          // the last pass is meant: the program ended or failed there, or nothing says which
	failed  judge.Failing // as what the session stands there; no message: as none
	ends    bool          // the session stops at what nobody handles, so that a run in which it fails does not end well
}

// beside is a variable that stood beside the value in question.
type beside struct{ name, text string }

// pass is the pass of a place that a question is about, as a run has noted it.
type pass struct {
	hit     *recording.Event
	differs string // why it cannot be that one
	narrow  string // of its run, as of the observation
	note    string
}

// newSpec says what is to be noted in order to find the observation again.
func (s *observation) newSpec() recording.Spec {
	expressions := []string{s.expression}
	for _, b := range s.beside {
		expressions = append(expressions, b.name)
	}
	return recording.Spec{
		Text:   recorded.LongestText,
		Values: []recording.Values{{File: s.file, Line: s.line, Condition: s.condition, Expressions: expressions, Places: true}},
		Writes: s.newWrites(),
	}
}

func (s *observation) newWrites() *recording.Writes {
	w := &recording.Writes{Expression: s.expression, File: s.file, Line: s.line, All: s.narrow == ""}
	if w.All {
		w.Sparse = s.sparse
	}
	return w
}

// observe says where the value in question was seen: at the place that is given, else
// where the session stands.
func (q Question) observe(ctx context.Context) (observation, error) {
	seen := observation{expression: q.Expression, condition: q.Condition, last: true}
	if q.Location != "" {
		var err error
		seen.file, seen.line, err = q.Subject.LineAt(q.Location)
		return seen, err
	}
	if !q.Stands || !q.Subject.State().Status.Stopped() {
		return seen, fault.New(fault.MissingParam, "location is missing: where is the value of %s seen?", q.Expression).WithField("location").
			WithHint(`for example {"expression":"order.total","location":"shop.py:40"}; it can be left out where a session stands at the place`)
	}
	return seen, seen.readValue(ctx, q.Subject, q.Frame)
}

// readValue reads the value, and what stands beside it, from a session that is stopped
// there.
func (s *observation) readValue(ctx context.Context, in *session.Session, frame int) error {
	frames, _, err := in.Stopped().Stack(ctx, 0, 0, frame+1)
	if err != nil {
		return err
	}
	if frame >= len(frames) || frames[frame].File == "" {
		return fault.New(fault.InvalidParam, "there is no frame %d with source", frame).WithField("frame")
	}
	s.file, s.line = frames[frame].File, frames[frame].Line
	v, err := in.Stopped().Evaluate(ctx, s.expression, 0, frame, session.Page{})
	if err != nil {
		return err
	}
	s.stood, s.value, s.whole = true, v.Untyped(), v.Ref == 0
	state := in.State()
	if s.last = state.Status == session.StoppedException; s.last {
		s.readFailure(ctx, in, frames[frame])
		s.ends = len(in.StartRequest().Exceptions) == 0
	}
	if frame == 0 && s.condition == "" {
		s.nth, s.condition = countedPass(in.Breakpoints(), state.Hit)
		s.taken = s.condition != ""
	}
	locals, _, err := in.Stopped().Variables(ctx, session.Locals, 0, frame, session.Page{})
	if err != nil {
		return nil // the value alone has to do
	}
	s.addBeside(locals)
	return nil
}

// readFailure reads the failure at which a session is stopped in a frame.
func (s *observation) readFailure(ctx context.Context, in *session.Session, f session.Frame) {
	e, err := in.Stopped().Exception(ctx)
	if err != nil || e == nil {
		return // the last pass of all has to do
	}
	s.failed = judge.Failing{Type: e.Type, Message: judge.Flat(in.Failures(), e.Message), Syntax: in.Failures(), File: f.File, Line: f.Line, Function: f.Function}
}

// unfailed says why a run is not one that has failed as the session shows it: it has ended well, and
// tells of no such failure. Empty: it may have, as where only a thread fails; a debugger that records
// tells of no failure.
func (s *observation) unfailed(run *session.Recording, runs int) string {
	if s.failed.Message == "" || !s.ends || run.Watches || !recorded.EndingOf(run).Plain() {
		return ""
	}
	if _, found := judge.MomentOf(run.Log.Events, s.failed); found {
		return ""
	}
	return fmt.Sprintf("the session stands at a failure, and %s did not fail: what led there may be something else", runsText(runs))
}

// beforeFailure are the passes until a run fails as the session has shown it, in the process or worker
// thread that fails: a test may go on after it has failed. All of them, where the run tells of no
// such failure.
func (s *observation) beforeFailure(log recording.Log) []*recording.Event {
	list := recorded.Passes(log)
	if s.failed.Message == "" {
		return list
	}
	moment, found := judge.MomentOf(log.Events, s.failed)
	if !found || moment.Event == nil {
		return list
	}
	return slices.DeleteFunc(list, func(e *recording.Event) bool {
		return e.Child != moment.Event.Child || e.Seq > moment.Event.Seq
	})
}

// mostBeside bounds what is compared of a frame.
const mostBeside = 6

var plainName = pattern.New(`^[\pL_][\pL\pN_]*$`)

func (s *observation) addBeside(locals []session.Variable) {
	for _, v := range locals {
		if len(s.beside) < mostBeside && v.Ref == 0 && v.Text && v.Cut == 0 && v.Value != "" && v.Name != s.expression && plainName.MatchString(v.Name) {
			s.beside = append(s.beside, beside{v.Name, v.Untyped()})
		}
	}
}

// countedPass is at which pass of its line a breakpoint has stopped, of those that it
// counts: all, or those at which its condition held.
func countedPass(all []session.Breakpoint, hit []int) (n int, condition string) {
	if len(hit) != 1 {
		return 0, ""
	}
	for _, b := range all {
		if b.ID == hit[0] && b.HitCondition == "" && b.Condition.Frame == 0 {
			return b.Hits, b.Condition.Text
		}
	}
	return 0, ""
}

// dropCondition forgets the breakpoint's condition: whichever pass looks alike is
// meant.
func (s *observation) dropCondition() { s.condition, s.nth, s.taken = "", 0, false }

// findPass picks the pass that the question is about: that which has most in common with
// what was seen. Run is how many runs were made until now, and all says that no pass was
// left out. Not ok: there was no pass.
func (s *observation) findPass(list []*recording.Event, run int, all bool) (p pass, ok bool) {
	if len(list) == 0 {
		return pass{}, false
	}
	if s.value == "" && s.nth == 0 {
		return lastOfOne(list), true
	}
	best, ties, at := -1, 0, 0
	for i, e := range list {
		score := s.score(e)
		if s.nth > 0 && s.nth == passNumber(e, i, all) {
			score++ // of several that look alike
		}
		switch {
		case score > best:
			best, ties, at = score, 1, i
		case score == best:
			ties++
			if s.last {
				at = i
			}
		}
	}
	p = pass{hit: list[at]}
	switch s.compare(list[at].Values[0]) {
	case recording.Different:
		p.differs = fmt.Sprintf("the session shows %s; in %s, with %d passes of this line, it never had that value", s.value, runsText(run), len(list))
		if !all {
			p.differs = fmt.Sprintf("the session shows %s; no pass of this line that was kept of %s has that value", s.value, runsText(run))
		}
	case recording.NotCompared:
		p.note = fmt.Sprintf("the value in the session and that of %s were not compared in full: another run may have had another one", runsText(run))
		if ties > 1 && !s.last {
			p.note += fmt.Sprintf("; %d passes of this line look like the one where the session stands, and the first is taken", ties)
		}
		if shown := list[at].Values[0]; !recording.Alike(shown.Text, s.value) {
			p.note += fmt.Sprintf("; the session shows %s", s.value)
		}
		if other := s.differenceText(list[at]); other != "" {
			p.differs, p.note = fmt.Sprintf("%s: %s, so it may have another value in it", runsText(run), other), ""
		}
	case recording.Equal:
		if ties > 1 && !s.last {
			p.note = fmt.Sprintf("%d passes of this line look like the one where the session stands; the first is taken", ties)
		}
	}
	return p, true
}

// lastOfOne is the last pass of the process or thread that comes first, where several came there: which of
// all was the last is not known.
func lastOfOne(list []*recording.Event) pass {
	own := slices.DeleteFunc(slices.Clone(list), func(e *recording.Event) bool { return e.Child != list[0].Child })
	last := lastWithValue(own)
	if len(own) < len(list) {
		of := cmp.Or(last.hit.Thread, "the program itself")
		last.note = strings.TrimPrefix(last.note+"; several threads and processes came there: this is the last pass of "+of, "; ")
	}
	return last
}

// lastWithValue is the last pass at which the value was there, as it is not yet in what
// else runs at the line; the last of all where there is none.
func lastWithValue(list []*recording.Event) pass {
	last := list[len(list)-1]
	for _, hit := range slices.Backward(list) {
		switch v := hit.Values[0]; {
		case v.Error != "":
		case hit == last:
			return pass{hit: last}
		default:
			return pass{hit: hit, note: fmt.Sprintf("a later pass of the line has no value of it (%s): the last is taken that has", last.Values[0].Error)}
		}
	}
	return pass{hit: last}
}

// differenceText says what stood beside the value and is different in a pass; empty
// where all of it is the same.
func (s *observation) differenceText(e *recording.Event) string {
	for i, b := range s.beside {
		if i+1 < len(e.Values) && e.Values[i+1].Error == "" && compareText(e.Values[i+1], b.text) == recording.Different {
			return fmt.Sprintf("beside it %s is %s, and in the session %s", b.name, e.Values[i+1].Text, b.text)
		}
	}
	return ""
}

// passNumber is which pass of its line a hit was, from 1; 0 where that is not known.
func passNumber(e *recording.Event, i int, all bool) int {
	if e.Hit > 0 {
		return int(e.Hit)
	}
	if all {
		return i + 1
	}
	return 0
}

// score is how much a pass has in common with what was seen. The value itself counts
// more than all that stands beside it.
func (s *observation) score(e *recording.Event) int {
	score := 0
	switch s.compare(e.Values[0]) {
	case recording.Equal, recording.NotCompared:
		score += 2 * (mostBeside + 1)
	}
	for i, b := range s.beside {
		if i+1 < len(e.Values) && compareText(e.Values[i+1], b.text) == recording.Equal {
			score += 2
		}
	}
	return score
}

// compare compares a recorded value with that in the session.
func (s *observation) compare(v recording.Value) recording.Equality {
	if s.whole || v.Error != "" {
		return compareText(v, s.value)
	}
	return compareOutside(v.Text, s.value)
}

// lengthBefore matches how many parts a value has, before these.
var lengthBefore = pattern.New(`^(?:(?:size=|len: )\d+\b|\(\d+\) )`)

// compareOutside compares a recorded value that has parts with what a debugger shows of it, which is
// only its outside, and may be in other words: another length is a difference, and so are other
// numbers and texts between the same signs. What stands in braces may have no order.
func compareOutside(recorded, shown string) recording.Equality {
	a, b := lengthBefore.FindString(recorded), lengthBefore.FindString(shown)
	if a != "" && b != "" && a != b {
		return recording.Different
	}
	if (recorded == "[]") != (shown == "[]") && strings.HasPrefix(recorded, "[") && strings.HasPrefix(shown, "[") {
		return recording.Different // one is empty, and the other is not
	}
	signsA, literalsA := taken(recorded)
	signsB, literalsB := taken(shown)
	if signsA == "" || signsA != signsB || slices.Equal(literalsA, literalsB) {
		return recording.NotCompared
	}
	return recording.Different
}

// literal matches a whole number or a text, and cutOrPlace what is left out of a value, tells where it
// lies, or is a number that may be written in several ways.
var (
	literal    = pattern.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\b\d+\b`)
	cutOrPlace = pattern.New(`…|\.\.\.|\d[.e]|0x[0-9a-f]|@|<|cap: |#`)
)

// taken parts a list of plain numbers and texts into these, and the signs around them: each once, for
// how many parts there are shows in these. No signs: it is none that is shown whole.
func taken(text string) (signs string, literals []string) {
	if !strings.ContainsAny(text, "[{(") || cutOrPlace.MatchString(text) {
		return "", nil
	}
	rest := literal.ReplaceAllStringFunc(text, func(one string) string {
		literals = append(literals, one)
		return ""
	})
	if strings.Contains(text, "{") {
		slices.Sort(literals)
	}
	kinds := strings.Split(rest, "")
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), ""), literals
}

// compareText compares a recorded value with the text that a debugger shows for it: either
// may be cut, and addresses differ from run to run.
func compareText(v recording.Value, text string) recording.Equality {
	if v.Error != "" {
		return recording.Different
	}
	a, cutA := strings.CutSuffix(v.Text, "…")
	b, cutB := strings.CutSuffix(strings.TrimSuffix(text, "..."), "…")
	if tellsLess(a, b) || tellsLess(b, a) || isNumbered(a, b) {
		return recording.NotCompared
	}
	if cutA || cutB || v.Cut {
		n := min(len(a), len(b))
		if recording.Alike(a[:n], b[:n]) {
			return recording.NotCompared
		}
		return recording.Different
	}
	named := strings.HasSuffix(b, " ("+a+")")           // a constant's name, and its value
	typed := a == "nil" && strings.HasSuffix(b, " nil") // a pointer's type, and that it is none
	if recording.Alike(a, b) || named || typed {
		return recording.Equal
	}
	return recording.Different
}

// tellsLess says that one text tells only of what type an object is of which the other shows more.
func tellsLess(a, b string) bool {
	head, closed := strings.CutSuffix(a, ">")
	rest, more := strings.CutPrefix(b, head)
	return closed && more && strings.HasPrefix(a, "#<") && rest != "" && strings.Contains(": ", rest[:1])
}

// objectNumber matches what tells an object from others of its type in one run alone.
var objectNumber = pattern.New(`@[0-9a-f]+$`)

// isNumbered says that two texts tell of an object its type and such a number.
func isNumbered(a, b string) bool {
	nameA, nameB := objectNumber.ReplaceAllString(a, ""), objectNumber.ReplaceAllString(b, "")
	return nameA == nameB && nameA != a && nameB != b && !strings.ContainsAny(nameA, "\"' ")
}

func runsText(n int) string {
	if n == 1 {
		return "the new run"
	}
	return fmt.Sprintf("%d new runs", n)
}
