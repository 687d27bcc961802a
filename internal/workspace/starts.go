package workspace

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
)

// Start is one way to start something of the project: all that a start needs, so
// that it works as it stands.
type Start struct {
	Language  string
	Framework string
	Test      bool     // what is started are tests
	Target    string   // file or directory; empty where Module is run by itself
	Module    string   // of Python a module to run, of the others which of the target's programs
	Name      string   // of one test
	Args      []string // of the program
	Env       map[string]string
	Cwd       string // empty: the default
	Serves    bool   // it listens and waits for requests
	Reason    Reason
}

// Reason is why a start is proposed before others of its kind.
type Reason int

// Reasons, the most useful last.
const (
	Nearest Reason = iota // to the root
	Changed               // it was written after most of the others
	Failed                // it failed when it was last run
)

// Wanted says what is looked for; the zero value is anything.
type Wanted struct {
	Language  func(string) bool
	Framework string // or a part of its name
}

// freshly is how much later than others a file must have been written to count as
// changed: those of a fresh checkout are written within moments.
const freshly = time.Minute

// aside are directories whose programs and tests are not what a project is for.
var aside = []string{
	"bench", "benches", "benchmark", "benchmarks", "demo", "demos", "doc", "docs", "e2e", "example", "examples",
	"fixtures", "hack", "integration", "perf", "playground", "sample", "samples", "script", "scripts", "tools",
}

// Starts are proposals, tests before programs, and of each kind the most useful
// first: one test for each language, and one program.
func (p *Project) Starts(w Wanted) (tests, programs []Start) {
	return p.testStarts(w), p.programStarts(w)
}

func (w Wanted) has(language, framework string) bool {
	return (w.Language == nil || w.Language(language)) &&
		(w.Framework == "" || strings.Contains(framework, w.Framework) || strings.Contains(w.Framework, framework) && framework != "")
}

func (p *Project) testStarts(w Wanted) []Start {
	usual := p.usuallyChanged()
	var list []Start
	for _, s := range p.ranked(w, usual) {
		if slices.ContainsFunc(list, func(t Start) bool { return t.Language == s.Language }) {
			continue
		}
		list = append(list, s.start(usual))
	}
	return list
}

// ranked are the suites that have tests, the most useful first.
func (p *Project) ranked(w Wanted, usual time.Time) []Suite {
	suites := slices.DeleteFunc(slices.Clone(p.Tests), func(s Suite) bool { return len(s.Names) == 0 || !w.has(s.Language, s.Framework) })
	slices.SortStableFunc(suites, func(a, b Suite) int {
		ra, rb := a.reason(usual), b.reason(usual)
		if ra != rb {
			return cmp.Compare(rb, ra)
		}
		switch ra {
		case Failed:
			return b.Ran.Compare(a.Ran)
		case Changed:
			return b.Changed.Compare(a.Changed)
		}
		return cmp.Or(cmp.Compare(a.special(), b.special()), cmp.Compare(offside(a.Path), offside(b.Path)), p.compareLanguages(a.Language, b.Language))
	})
	return suites
}

// usuallyChanged is when the tests in the middle were written.
func (p *Project) usuallyChanged() time.Time {
	var all []time.Time
	for _, s := range p.Tests {
		all = append(all, s.Changed)
	}
	if len(all) == 0 {
		return time.Time{}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all[(len(all)-1)/2]
}

func (s Suite) reason(usual time.Time) Reason {
	switch {
	case len(s.Failed) > 0:
		return Failed
	case s.Changed.After(usual.Add(freshly)):
		return Changed
	}
	return Nearest
}

// special is 1 for what is run on purpose only, after the tests.
func (s Suite) special() int {
	if s.Framework == "go fuzz" || s.Framework == "go benchmark" {
		return 1
	}
	return 0
}

func (s Suite) start(usual time.Time) Start {
	start := Start{
		Language: s.Language, Framework: s.Framework, Test: true, Target: cmp.Or(s.Target, s.Path), Module: s.Module,
		Name: s.Names[0], Args: s.Args, Env: s.Env, Cwd: s.Cwd, Reason: s.reason(usual),
	}
	if len(s.Failed) > 0 {
		start.Name = s.Failed[0]
	}
	return start
}

// programStarts has one program of each language.
func (p *Project) programStarts(w Wanted) []Start {
	programs := slices.DeleteFunc(slices.Clone(p.Programs), func(q Program) bool { return !w.has(q.Language, q.Framework) })
	slices.SortStableFunc(programs, func(a, b Program) int {
		return cmp.Or(p.compareLanguages(a.Language, b.Language), cmp.Compare(a.rank(), b.rank()))
	})
	var list []Start
	for _, q := range programs {
		if !slices.ContainsFunc(list, func(s Start) bool { return s.Language == q.Language }) {
			list = append(list, q.start())
		}
	}
	return list
}

// rank is lower for what a project is more likely for: what a framework serves,
// then all else, then examples and tools.
func (q Program) rank() int {
	rank := offside(q.Path) * 2
	if q.Framework == "" && !q.Serves {
		rank++
	}
	return rank
}

func (q Program) start() Start {
	s := Start{
		Language: q.Language, Framework: q.Framework, Target: cmp.Or(q.Target, q.Path), Module: q.Module,
		Args: q.Args, Env: q.Env, Cwd: q.Cwd, Serves: q.Serves,
	}
	if q.Runner != "" {
		s.Target, s.Module = "", q.Runner
	}
	return s
}

// offside is 1 for a directory that is not what a project is for.
func offside(dir string) int {
	for _, part := range strings.Split(path.Clean(dir), "/") {
		if slices.Contains(aside, strings.ToLower(part)) {
			return 1
		}
	}
	return 0
}

// compareLanguages puts the language with most files first. JavaScript and
// TypeScript are one, C and C++ another.
func (p *Project) compareLanguages(a, b string) int {
	return cmp.Or(cmp.Compare(p.filesOf(b), p.filesOf(a)), cmp.Compare(a, b))
}

func (p *Project) filesOf(language string) int {
	n := 0
	for _, l := range p.Languages {
		if l.Name == language || slices.Contains(kin[language], l.Name) {
			n += l.Files
		}
	}
	return n
}

var kin = map[string][]string{"javascript": {"typescript"}, "cpp": {"c"}}
