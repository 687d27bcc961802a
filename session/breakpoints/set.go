package breakpoints

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Breakpoint is a spec with what became of it, as replies show it.
type Breakpoint struct {
	ID int // temporary ones have negative ids
	Spec
	Line      int    // where it is bound, else where it was asked
	At        string // of a function breakpoint: the file where it is bound, empty when unknown
	Enabled   bool
	Verified  bool
	Message   string   // why it is not bound, or a remark
	Text      string   // source text of its line, trimmed
	Nearest   []int    // lines that would bind, when it is not bound
	Similar   []string // functions with a like name, when it is not bound
	MovedFrom int      // asked line when the adapter or an edit moved it, else 0
	MovedWhy  string   // "edited" or "no code on the asked line"
	Hits      int
	Reached   int  // how often its place was reached, whatever its condition was; counted where the engine checks that
	Supplied  bool // the engine checks its condition and count and prints its message
	Judged    bool // but the adapter checks its condition
	Passable  bool // what is in its line may have run all the same
}

// Path is the file that the breakpoint is bound in, or was asked for in.
func (b Breakpoint) Path() string {
	if b.At != "" {
		return b.At
	}
	return b.File
}

// Binding is what became of a breakpoint in one connection.
type Binding struct {
	ID       int  // the adapter's
	HasID    bool // it gave one
	Shared   bool // it gave the same one to a breakpoint at another place
	Supplied bool // the adapter holds the bare place: the engine checks the condition and the count and prints the message
	Judged   bool // but the adapter checks the condition too
}

// entry is a breakpoint as the set keeps it.
type entry struct {
	Breakpoint
	bindings map[int]Binding // by connection
	anchor   anchor          // how its statement is found again after an edit
	lookedUp bool            // its function's definition has been looked for in the source
	several  string          // that there are other functions of its name
	asLine   bool            // the function is known by the line of its definition
	lost     bool            // its statement or variable is gone: it is not sent
	reason   string          // the adapter's own word on why it is not bound
	reported string          // what a reply has shown of it last
}

// isLine says whether an entry is sent as a breakpoint on a line.
func (e *entry) isLine() bool { return e.Kind == Line || e.asLine }

// isConfined says that an adapter, which knows the function by its name alone, may
// stop in other files too than the one that was asked for.
func (e *entry) isConfined() bool { return e.Kind == Function && e.File != "" && !e.asLine }

// requestedLine is the line that is sent.
func (e *entry) requestedLine() int { return e.Spec.Line }

func (e *entry) copy() Breakpoint {
	b := e.Breakpoint
	b.Nearest, b.Similar, b.Show = slices.Clone(b.Nearest), slices.Clone(b.Similar), slices.Clone(b.Show)
	return b
}

// Set is all breakpoints of a session: the truth, of which adapters are told
// whole requests.
type Set struct {
	mu      sync.Mutex // guards the fields below
	entries []*entry
	last    int            // id given out last
	lastTmp int            // negative id given out last
	placed  map[place]bool // where an adapter of this run was told to stop
}

// place is a line that an adapter was told to stop at.
type place struct {
	file string
	line int
}

func (s *Set) add(w Spec) *entry {
	e := &entry{Breakpoint: Breakpoint{Spec: w, Line: w.Line, Enabled: true}}
	if w.Temporary {
		s.lastTmp--
		e.ID = s.lastTmp
	} else {
		s.last++
		e.ID = s.last
	}
	s.entries = append(s.entries, e)
	return e
}

// Add adds a spec beside whatever is there and returns its id. One that asks for
// exactly the same is not doubled: its id is returned.
func (s *Set) Add(w Spec, src Source) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addOnce(w, src)
}

func (s *Set) addOnce(w Spec, src Source) int {
	for _, e := range s.entries {
		if !w.Temporary && !e.Temporary && e.samePlace(w) && e.sameExtras(w) {
			e.Enabled, e.lost = true, false
			return e.ID
		}
	}
	e := s.add(w)
	e.readText(src)
	return e.ID
}

// Former is what a breakpoint was before it was changed, for [Set.Undo].
type Former struct {
	ID      int
	Existed bool
	Changed bool // it asked for something else then, or was disabled
	entry   entry
}

// Put adds a spec or changes a breakpoint: the one with the id, when it is not 0;
// else one at the same place, when one of the two is plain: who sets a condition
// where a plain breakpoint stands means that one. Others stand side by side.
func (s *Set) Put(w Spec, id int, src Source) (int, Former) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(id)
	for _, x := range s.entries {
		if e == nil && !x.Temporary && s.isAt(x, w) && (x.sameExtras(w) || areAlternatives(x.Spec, w)) {
			e = x
		}
	}
	if e == nil {
		id := s.addOnce(w, src)
		return id, Former{ID: id}
	}
	former := Former{ID: e.ID, Existed: true, Changed: !e.Enabled || !e.sameExtras(w), entry: *e}
	former.entry.bindings = maps.Clone(e.bindings)
	if e.HitCondition != w.HitCondition {
		e.Hits = 0
	}
	if e.Condition != w.Condition {
		e.Reached = e.Hits
	}
	e.Condition, e.HitCondition, e.LogMessage, e.Show = w.Condition, w.HitCondition, w.LogMessage, w.Show
	if w.Access != "" {
		e.Access = w.Access
	}
	e.Enabled, e.lost = true, false
	return e.ID, former
}

// isAt says that an entry is at the place of a spec, as asked or as bound.
func (s *Set) isAt(e *entry, w Spec) bool {
	if e.samePlace(w) {
		return true
	}
	return e.Kind == Line && w.Kind == Line && e.File == w.File && e.Column == w.Column && e.Verified && e.Line == w.Line
}

// areAlternatives says whether only one of two specs at one place can be meant: one
// stops always, the other sometimes.
func areAlternatives(a, b Spec) bool {
	return a.LogMessage == "" && b.LogMessage == "" && (a.Plain() || b.Plain())
}

// Undo takes back what Put did.
func (s *Set) Undo(f Former) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(f.ID)
	switch {
	case e == nil:
	case f.Existed:
		bindings := e.bindings
		*e = f.entry
		e.bindings = bindings
	default:
		s.remove(f.ID)
	}
}

func (s *Set) find(id int) *entry {
	if id == 0 {
		return nil
	}
	for _, e := range s.entries {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// Get is a copy of a breakpoint.
func (s *Set) Get(id int) (Breakpoint, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		return e.copy(), true
	}
	return Breakpoint{}, false
}

// List copies the breakpoints in the order of their ids, without temporary ones.
func (s *Set) List() []Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Breakpoint
	for _, e := range s.entries {
		if !e.Temporary {
			list = append(list, e.copy())
		}
	}
	return list
}

// Find copies those that match, without temporary ones.
func (s *Set) Find(match func(Breakpoint) bool) []Breakpoint {
	return slices.DeleteFunc(s.List(), func(b Breakpoint) bool { return !match(b) })
}

// OthersAt names the other enabled breakpoints at the place of one.
func (s *Set) OthersAt(id int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(id)
	var ids []int
	for _, x := range s.entries {
		if e != nil && x != e && !x.Temporary && x.Enabled && s.isAt(x, e.Spec) {
			ids = append(ids, x.ID)
		}
	}
	return ids
}

// Temporary names the breakpoints of a run_until and of a stop on entry.
func (s *Set) Temporary() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []int
	for _, e := range s.entries {
		if e.Temporary {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Remove takes breakpoints out and returns where they were, so that adapters can
// be told with [Set.PlanOf].
func (s *Set) Remove(ids ...int) []Home {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remove(ids...)
}

func (s *Set) remove(ids ...int) []Home {
	var homes []Home
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool {
		if !slices.Contains(ids, e.ID) {
			return false
		}
		homes = appendHome(homes, e.home())
		return true
	})
	return homes
}

// Enable switches a breakpoint on or off.
func (s *Set) Enable(id int, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		e.Enabled = on
		if !on {
			e.bindings = nil
		}
	}
}

// Enabled names those of breakpoints that there are and that are switched on.
func (s *Set) Enabled(ids []int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var on []int
	for _, e := range s.findAll(ids) {
		if e.Enabled {
			on = append(on, e.ID)
		}
	}
	return on
}

// Active says that an enabled breakpoint is bound.
func (s *Set) Active() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.entries, func(e *entry) bool { return e.Enabled && e.Verified && !e.Temporary })
}

// Unbind forgets what the adapters of a run knew; temporary breakpoints go. The
// rest stays readable.
func (s *Set) Unbind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.placed = nil
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return e.Temporary })
	for _, e := range s.entries {
		e.bindings = nil
	}
}

// Unlink forgets what a connection that has ended knew.
func (s *Set) Unlink(connection int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		delete(e.bindings, connection)
	}
}

// Reset prepares the breakpoints for a new start. Watches die with their program.
func (s *Set) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return e.Kind == Watch })
	for _, e := range s.entries {
		e.Verified, e.Hits, e.Reached, e.Message, e.Nearest, e.Similar = false, 0, 0, "", nil, nil
		e.MovedFrom, e.MovedWhy, e.reported, e.reason = 0, "", "", ""
		e.lookedUp, e.asLine, e.bindings = false, false, nil
	}
}

// Clear removes all breakpoints.
func (s *Set) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = nil
}

// News copies the breakpoints that need attention, not bound or moved, and that
// no reply has shown as they are now. They count as shown from here on.
func (s *Set) News() []Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	var news []Breakpoint
	for _, e := range s.entries {
		if e.Temporary || (!e.Enabled || e.Verified) && e.MovedFrom == 0 {
			continue
		}
		before := e.reported
		if e.report(); e.reported != before {
			news = append(news, e.copy())
		}
	}
	return news
}

// Reported notes that a reply shows a breakpoint as it is.
func (s *Set) Reported(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		e.report()
	}
}

func (e *entry) report() {
	e.reported = fmt.Sprint(e.Verified, e.Line, e.MovedFrom, e.Message)
}
