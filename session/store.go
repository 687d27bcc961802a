package session

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/source"
)

// entry is a breakpoint as the store keeps it: what the user asked for, what
// became of it, and what is needed to find it again.
type entry struct {
	Breakpoint
	asked    int    // line as asked, or as found again after an edit
	where    string // location as written, of run_until
	before   string // text of the line before, to tell equal lines apart
	after    string
	dataID   string        // of a watch
	ids      map[*link]int // the adapter's, by connection
	entry    bool          // stands in for a stop on entry
	soughtBy *life         // that has looked for the function's definition
	asLine   bool          // the function is known by the line of its definition
	supplied bool          // we check its condition and count and print its message
	trial    bool          // being sent without its condition, to learn whether that is at fault
	hidden   bool          // being kept back, so that the adapter forgets what it made of it
	said     string        // the adapter's own word on why it is not bound
	lost     bool          // its statement is gone from the file: not sent
	told     string        // what a reply has said of it last, so that no other repeats it
}

// news says that the entry needs attention which no reply has called for yet.
func (e *entry) news() bool {
	if e.Temporary || (!e.Enabled || e.Verified) && e.MovedFrom == 0 {
		return false
	}
	before := e.told
	e.tell()
	return e.told != before
}

// tell notes that a reply shows the entry as it is.
func (e *entry) tell() { e.told = fmt.Sprint(e.Verified, e.Line, e.MovedFrom, e.Message) }

// plainly says that nothing but the place is asked for.
func (e *entry) plainly() bool {
	return e.Condition == "" && e.HitCondition == "" && e.LogMessage == ""
}

// store is the truth about breakpoints; the adapter is told whole sets of it.
// The session's mu guards it.
type store struct {
	entries []*entry
	next    int            // last id given out
	placed  map[place]bool // where the adapter of this life was told to stop
}

func (t *store) add(e *entry) {
	t.next++
	e.ID = t.next
	t.entries = append(t.entries, e)
}

func (t *store) remove(e *entry) {
	t.entries = slices.DeleteFunc(t.entries, func(x *entry) bool { return x == e })
}

func (t *store) byID(id int) *entry {
	for _, e := range t.entries {
		if e.ID == id && !e.Temporary {
			return e
		}
	}
	return nil
}

// same finds the entry that stands where a new one is asked for.
func (t *store) same(n *entry) *entry {
	for _, e := range t.entries {
		if e.Kind != n.Kind || e.Temporary != n.Temporary {
			continue
		}
		switch e.Kind {
		case LineBreakpoint:
			if e.File == n.File && e.Column == n.Column && (e.asked == n.asked || e.Verified && e.Line == n.asked) {
				return e
			}
		case FunctionBreakpoint:
			if e.Function == n.Function {
				return e
			}
		case WatchBreakpoint:
			if e.dataID == n.dataID {
				return e
			}
		}
	}
	return nil
}

// active says that an enabled breakpoint is bound.
func (t *store) active() bool {
	return slices.ContainsFunc(t.entries, func(e *entry) bool { return e.Enabled && e.Verified && !e.Temporary })
}

// simple says that every stop can be told without asking anything.
func (t *store) simple() bool {
	return !slices.ContainsFunc(t.entries, func(e *entry) bool { return e.Temporary || e.Enabled && (e.supplied || e.Kind == WatchBreakpoint) })
}

// hitLate names those whose ids have come while the stop was looked at: one that
// is set while the program runs may stop it before the adapter's answer is read.
func (t *store) hitLate(k *link, stop adapters.Stop) []*entry {
	if len(stop.Hit) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.hit(k, stop), func(e *entry) bool { return e.Temporary || e.supplied })
}

// hit names the entries that a stop is about.
func (t *store) hit(k *link, stop adapters.Stop) []*entry {
	var hit []*entry
	for _, e := range t.entries {
		if id, known := e.ids[k]; known && e.Enabled && slices.Contains(stop.Hit, id) {
			if !e.Verified { // not every adapter says so when it has bound one after all
				e.Verified, e.Message, e.said, e.Nearest, e.Similar = true, "", "", nil, nil
			}
			hit = append(hit, e)
		}
	}
	if len(hit) > 0 || stop.Reason != "data breakpoint" {
		return hit
	}
	for _, e := range t.entries { // data breakpoints are told without an id: plain when there is one
		if e.Kind == WatchBreakpoint && e.Enabled && !e.lost {
			hit = append(hit, e)
		}
	}
	if len(hit) > 1 {
		return nil
	}
	return hit
}

// at names the entries bound to a line.
func (t *store) at(path string, line int) []*entry {
	var found []*entry
	for _, e := range t.entries {
		if e.Enabled && e.Verified && e.Kind != WatchBreakpoint && e.File == path && e.Line == line {
			found = append(found, e)
		}
	}
	return found
}

// unbind forgets what a dead adapter knew; temporary entries go. The rest stays readable.
func (t *store) unbind() {
	t.placed = nil
	t.entries = slices.DeleteFunc(t.entries, func(e *entry) bool { return e.Temporary })
	for _, e := range t.entries {
		e.ids = nil
	}
}

// unlink forgets what a connection that has ended knew.
func (t *store) unlink(k *link) {
	for _, e := range t.entries {
		delete(e.ids, k)
	}
}

// reset prepares the entries for a new start. Watches die with their program.
func (t *store) reset() {
	t.entries = slices.DeleteFunc(t.entries, func(e *entry) bool { return e.Kind == WatchBreakpoint })
	for _, e := range t.entries {
		e.Verified, e.Hits, e.Message, e.Nearest, e.Similar = false, 0, "", nil, nil
		e.MovedFrom, e.MovedWhy, e.told = 0, "", ""
	}
}

func (t *store) clear() { t.entries = nil }

// addEntry adds the breakpoint that stands in for a stop on entry.
func (t *store) addEntry(l *life) {
	name := l.plan.Dialect.Entry()
	if name == "" || !l.s.request.Program.StopOnEntry || l.plan.Request != "launch" {
		return
	}
	t.add(&entry{entry: true, Breakpoint: Breakpoint{
		Kind: FunctionBreakpoint, Function: name, Enabled: true, Temporary: true,
	}})
}

// update follows a breakpoint event; main says that it is the word of the
// program's own connection.
func (t *store) update(k *link, main bool, body godap.BreakpointEventBody, files *source.Files) {
	if body.Reason == "new" {
		return
	}
	for _, e := range t.entries {
		if id, known := e.ids[k]; !known || id != body.Breakpoint.Id {
			continue
		}
		if body.Reason == "removed" {
			delete(e.ids, k)
			if main {
				e.Verified, e.Message = false, "the adapter has removed it"
			}
			continue
		}
		e.bound(k, main, body.Breakpoint, files)
	}
}

// bound takes in what the adapter says about an entry. Of connections other
// than the program's own only good news counts: what a part of the program does
// not have loaded may be bound in another.
func (e *entry) bound(k *link, main bool, b godap.Breakpoint, files *source.Files) {
	if e.ids == nil {
		e.ids = map[*link]int{}
	}
	e.ids[k] = b.Id
	if b.Id == 0 && !k.life.plan.Quirks.BreakpointIDsFromZero { // it has none
		delete(e.ids, k)
	}
	if !main && (e.Verified || !b.Verified) {
		return
	}
	b.Message = k.plainReason(b.Message)
	if known := !e.Verified && !b.Verified && e.said == b.Message && e.Message != ""; !known {
		e.Message, e.Nearest, e.Similar = b.Message, nil, nil
	}
	e.Verified, e.said = b.Verified, b.Message
	if b.Source != nil && b.Source.Path != "" && e.Kind == FunctionBreakpoint {
		e.File = b.Source.Path
	}
	if !b.Verified {
		return
	}
	e.Message, e.said = "", ""
	switch {
	case e.Kind == FunctionBreakpoint && e.asLine && b.Line == 0: // as found in the source
	case e.Kind == FunctionBreakpoint:
		e.Line = b.Line
	case e.Kind == LineBreakpoint && b.Line > 0 && b.Line != e.asked:
		e.Line, e.MovedFrom, e.MovedWhy = b.Line, e.asked, "no code on the asked line"
	}
	if n, err := files.Count(e.File); err == nil && e.asked > n && e.Kind == LineBreakpoint {
		e.Verified = false // some adapters bind anything
	}
	if text, err := files.Text(e.File, e.asked); err == nil && e.Kind == LineBreakpoint && e.MovedFrom == 0 && strings.TrimSpace(text) == "" {
		e.Verified = false
	}
	e.readText(files)
}

// readText remembers the text of the entry's line and of its neighbours.
func (e *entry) readText(files *source.Files) {
	if e.Kind == WatchBreakpoint || e.Line == 0 || e.lost {
		return
	}
	text := func(n int) string {
		line, err := files.Text(e.File, n)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(line)
	}
	e.Text, e.before, e.after = text(e.Line), text(e.Line-1), text(e.Line+1)
}

var hitGrammar = regexp.MustCompile(`^\s*(==|>=|<=|>|<|%)?\s*([0-9]{1,9})\s*$`)

// parseHit reads a hit condition: an operator and a count from 1. A plain
// number means exactly that hit.
func parseHit(s string) (op string, n int, ok bool) {
	m := hitGrammar.FindStringSubmatch(s)
	if m == nil {
		return "", 0, false
	}
	n, err := strconv.Atoi(m[2])
	if op = m[1]; op == "" {
		op = "=="
	}
	return op, n, err == nil && n > 0
}

// hitsNow says whether the n-th hit satisfies a hit condition.
func hitsNow(condition string, n int) bool {
	op, want, ok := parseHit(condition)
	switch {
	case !ok:
		return true
	case op == "==":
		return n == want
	case op == ">":
		return n > want
	case op == ">=":
		return n >= want
	case op == "<":
		return n < want
	case op == "<=":
		return n <= want
	}
	return n%want == 0
}
