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
	// Edits: the program is changed, so that it needs a copy of its own.
	Edits bool
	// Without proves what happens where the behaviour cannot be had: mostly that
	// a call is refused with this code (see refusal).
	Without func(s *subject, code string)
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
			shared := l.program(t)
			if l.Share != nil {
				l.Share(t, shared)
			}
			for _, g := range groups() {
				for _, b := range g.Behaviours {
					t.Run(b.Name, func(t *testing.T) {
						t.Parallel()
						l.suits(t, b.Name)
						l.run(t, b, shared)
					})
				}
			}
		})
	}
}

// run proves that the behaviour is there, or that its lack is said.
func (l *language) run(t *testing.T, b behaviour, p *testkit.Program) {
	if b.Edits {
		p = l.program(t)
	}
	s := l.subject(t, p.For(t))
	s.table = groups()
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
		b.Without(s, code)
	}
}

// refusal is a Without: the program is stopped at a mark of a part, and the call
// that would have the behaviour is refused in words, with what to do instead.
func refusal(part, mark, tool string, args func(s *subject) A) func(*subject, string) {
	return func(s *subject, code string) {
		s.t.Helper()
		s.stop(part, mark)
		s.Fail(code, tool, args(s))
		s.OK("session", nil).Want(s.at(mark), "data", "location") // and nothing is lost
	}
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
			refusable[b.Name] = b.Without != nil
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
