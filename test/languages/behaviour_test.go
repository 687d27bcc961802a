//go:build linux

package languages

import (
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// behaviour is one thing that an agent relies on, whatever the language.
type behaviour struct {
	Name     string // short, unique
	Sentence string // for people
	Run      func(s *subject)

	// Capability is the line of config(capabilities) that must agree with whether
	// the behaviour can be had.
	Capability string
	// Engine: what is seen is done by what all adapters share, and by no code of one of
	// them. In the short run one of them tries it; see language.engine.
	Engine bool
	// Among are the rows that try it in the short run, where what the others have of their
	// own for it is tried by another test; empty: all.
	Among []string
	// Edits: the program is changed, so that it needs a copy of its own.
	Edits bool
	// At is the stop at which it begins, where others begin, too. Looks says that it
	// leaves the session standing there.
	At    stopAt
	Looks bool
	// Without proves what happens where the behaviour cannot be had: mostly that
	// a call is refused with this code (see refusal).
	Without without
}

// stopAt is a mark in a part of the tour.
type stopAt struct{ Part, Mark string }

// without is the proof that a behaviour cannot be had.
type without struct {
	Run   func(s *subject, code string)
	Looks bool // see behaviour
}

// group is what belongs together.
type group struct {
	Title      string
	Behaviours []behaviour
}

// groups is the table of behaviours.
func groups() []group {
	return []group{
		{"Start", starting},
		{"Breakpoints", breakpoints},
		{"Stepping", stepping},
		{"The stop view", viewing},
		{"Values", looking},
		{"Big values", bigness},
		{"Exceptions", exceptions},
		{"Output and input", streaming},
		{"Running programs", running},
		{"Sessions", sessions},
		{"The end", ending},
		{"Mistakes", mistakes},
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			for _, visit := range l.visits() {
				if len(visit) == 1 {
					t.Run(visit[0].Name, func(t *testing.T) {
						t.Parallel()
						l.suits(t, visit[0])
						l.run(l.subjectFor(t, visit[0]), visit[0])
					})
					continue
				}
				t.Run("at "+visit[0].At.Mark, func(t *testing.T) {
					t.Parallel()
					l.together(t, visit)
				})
			}
		})
	}
}

// visits are the behaviours, those together that share a session: all that look at the
// same stop, and one that goes on from it. Where one of them fails, those behind it may
// fail with it.
func (l *language) visits() [][]behaviour {
	var all [][]behaviour
	shared := map[stopAt]int{}
	left := map[stopAt]bool{} // by one that goes on
	for _, g := range groups() {
		for _, b := range g.Behaviours {
			i, begun := shared[b.At]
			switch looks := l.looks(b); {
			case b.At == stopAt{} || b.Edits || !l.does(b) || begun && !looks && left[b.At]:
				all = append(all, []behaviour{b})
			case !begun:
				shared[b.At], left[b.At] = len(all), !looks
				all = append(all, []behaviour{b})
			case looks:
				all[i] = slices.Insert(all[i], 0, b)
			default:
				all[i], left[b.At] = append(all[i], b), true
			}
		}
	}
	return all
}

// looks says that what is done about a behaviour leaves the stop as it is.
func (l *language) looks(b behaviour) bool {
	lack, lacks := l.Cannot[b.Name]
	if lacks {
		return lack.Check == nil && b.Without.Looks
	}
	return b.Looks
}

// together has one session for all behaviours of a visit.
func (l *language) together(t *testing.T, visit []behaviour) {
	whole := l.subjectFor(t, visit[0])
	for _, b := range visit {
		s := *whole
		passed := t.Run(b.Name, func(t *testing.T) {
			s.Server, s.Program, s.t = whole.Server.For(t), whole.Program.For(t), t
			l.run(&s, b)
		})
		whole.came, whole.stopped, whole.standing = s.came, s.stopped, passed && l.looks(b)
	}
}

// subjectFor is a server for a behaviour.
func (l *language) subjectFor(t *testing.T, b behaviour) *subject {
	p := l.common(t)
	if b.Edits {
		p = l.program(t)
	}
	s := l.subject(t, p)
	s.table = groups()
	return s
}

// run proves that the behaviour is there, or that its lack is said.
func (l *language) run(s *subject, b behaviour) {
	lack, lacks := l.Cannot[b.Name]
	switch {
	case !lacks:
		b.Run(s)
	case lack.Check != nil:
		lack.Check(s)
	default:
		code := lack.Code
		if code == "" {
			code = "CAPABILITY_NOT_SUPPORTED"
		}
		b.Without.Run(s, code)
	}
}

// refusal is a Without: the program is stopped at a mark of a part, and the call
// that would have the behaviour is refused in words, with what to do instead.
func refusal(part, mark, tool string, args func(s *subject) A) without {
	return without{Looks: true, Run: func(s *subject, code string) {
		s.t.Helper()
		s.stop(part, mark)
		s.Fail(code, tool, args(s))
		s.OK("session", nil).Want(s.at(mark), "data", "location") // and nothing is lost
	}}
}

// The table holds together: names are unique, and what languages say of it is of it.
func TestTable(t *testing.T) {
	t.Parallel()
	var names []string
	refusable := map[string]bool{}
	for _, g := range groups() {
		for _, b := range g.Behaviours {
			if slices.Contains(names, b.Name) {
				t.Errorf("two behaviours are named %q", b.Name)
			}
			names = append(names, b.Name)
			refusable[b.Name] = b.Without.Run != nil
		}
	}
	for _, name := range essential {
		if !slices.Contains(names, name) {
			t.Errorf("%q is essential, and no behaviour", name)
		}
	}
	for _, l := range languages {
		again := func(other *language) bool { return other.Name == l.Again && other.Again == "" }
		if l.Again != "" && !slices.ContainsFunc(languages, again) {
			t.Errorf("%s does the suite again of %q, which does not run whole", l.Name, l.Again)
		}
		for name, lack := range l.Cannot {
			if !slices.Contains(names, name) {
				t.Errorf("%s cannot have %q, which is no behaviour", l.Name, name)
			} else if lack.Check == nil && !refusable[name] {
				t.Errorf("%s: nothing proves that %q is refused: give it a Check", l.Name, name)
			}
			if lack.Why == "" {
				t.Errorf("%s: no reason why it cannot have %q", l.Name, name)
			}
		}
		for purpose := range l.Phrases {
			if _, known := phrases[purpose]; !known {
				t.Errorf("%s: no behaviour asks for a phrase %q", l.Name, purpose)
			}
		}
	}
}
