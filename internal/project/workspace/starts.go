package workspace

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/text/pattern"
)

// Start is one way to start something of the project: all that a start needs, so
// that it works as it stands.
type Start struct {
	Language  string
	Framework string
	Test      bool   // what is started are tests
	Target    string // file or directory; empty where Module is run by itself
	Module    string // of Python a module to run, of the others which of the target's programs
	Name      string // of one test
	BuildArgs []string
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

// StartFilter says what is looked for; the zero value is anything.
type StartFilter struct {
	Language  func(string) bool
	Framework string // or a part of its name
}

// freshly is how much later than others a file must have been written to count as
// changed: those of a fresh checkout are written within moments.
const freshly = time.Minute

// aside are directories whose programs and tests are not what a project is for.
var aside = []string{
	"__fixtures__", "__mocks__", "bench", "benches", "benchmark", "benchmarks", "contrib", "demo", "demos", "doc", "docs", "e2e", "example", "examples",
	"fixtures", "fuzz", "fuzzing", "hack", "integration", "ossfuzz", "perf", "playground", "sample", "samples", "script", "scripts", "templates",
	"third_party", "tools",
}

// Starts are proposals, tests before programs, and of each kind the most useful
// first: one test for each language, and one program.
func (p *Project) Starts(w StartFilter) (tests, programs []Start) {
	tests, programs = p.main(p.testStarts(w)), p.main(p.programStarts(w))
	if len(tests) == 0 {
		return tests, programs
	}
	// A script that makes the documentation of a library says nothing of the library.
	return tests, slices.DeleteFunc(programs, func(s Start) bool {
		return p.isAside(s) && !slices.ContainsFunc(tests, func(t Start) bool { return t.Language == s.Language })
	})
}

// main leaves out what is not what the project is for, where anything is.
func (p *Project) main(starts []Start) []Start {
	if !slices.ContainsFunc(starts, func(s Start) bool { return !p.isAside(s) }) {
		return starts
	}
	return slices.DeleteFunc(starts, p.isAside)
}

// isAside says that a start is not of what the project is for.
func (p *Project) isAside(s Start) bool {
	at := cmp.Or(s.Target, s.Cwd)
	return s.Reason == Nearest && (p.known.offside(at) > 0 || !s.Test && p.known.testsRank(at) > 0)
}

func (w StartFilter) has(language, framework string) bool {
	return (w.Language == nil || w.Language(language)) &&
		(w.Framework == "" || strings.Contains(framework, w.Framework) || strings.Contains(w.Framework, framework) && framework != "")
}

func (p *Project) testStarts(w StartFilter) []Start {
	usual := p.medianChange()
	var list []Start
	for _, s := range p.rankSuites(w, usual) {
		if slices.ContainsFunc(list, func(t Start) bool { return t.Language == s.Language }) {
			continue
		}
		list = append(list, s.start(usual))
	}
	return list
}

// rankSuites sorts the suites that have tests, the most useful first.
func (p *Project) rankSuites(w StartFilter, usual time.Time) []Suite {
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
		return cmp.Or(CompareBool(a.Special, b.Special), cmp.Compare(p.suiteRank(a), p.suiteRank(b)), p.compareLanguages(a.Language, b.Language), cmp.Compare(a.commandRank(), b.commandRank()))
	})
	return suites
}

// medianChange is when the tests in the middle were written.
func (p *Project) medianChange() time.Time {
	var all []time.Time
	for _, s := range p.Tests {
		all = append(all, s.Changed)
	}
	return middle(all)
}

// middle is the time of which as many are before as after; the zero time of none.
func middle(all []time.Time) time.Time {
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

// suiteRank is lower for the tests of what a project is for.
func (p *Project) suiteRank(s Suite) int {
	rank := p.known.offside(s.Path)
	if s.Aside {
		rank = 1
	}
	if s.Library {
		rank++
	}
	return rank
}

// commandRank is 1 for the tests of commands, which test mostly what is around what the
// project is for.
func (s Suite) commandRank() int {
	if first, _, _ := strings.Cut(s.Path, "/"); first == "cmd" {
		return 1
	}
	return 0
}

func (s Suite) start(usual time.Time) Start {
	start := Start{
		Language: s.Language, Framework: s.Framework, Test: true, Target: cmp.Or(s.Target, s.Path), Module: s.Module,
		BuildArgs: s.BuildArgs, Args: s.Args, Env: s.Env, Cwd: s.Cwd, Reason: s.reason(usual),
	}
	switch {
	case s.Whole:
	case len(s.Failed) > 0:
		start.Name = s.Failed[0]
	default:
		start.Name = s.Names[0]
	}
	return start
}

// programStarts has one program of each language.
func (p *Project) programStarts(w StartFilter) []Start {
	programs := slices.DeleteFunc(slices.Clone(p.Programs), func(q Program) bool { return !w.has(q.Language, q.Framework) })
	usual := medianWritten(programs)
	slices.SortStableFunc(programs, func(a, b Program) int {
		return cmp.Or(p.compareLanguages(a.Language, b.Language), cmp.Compare(p.rank(a), p.rank(b)), compareScripts(a, b, usual))
	})
	var list []Start
	for _, q := range programs {
		if !slices.ContainsFunc(list, func(s Start) bool { return s.Language == q.Language }) {
			start := q.start()
			if q.Changed.After(usual) {
				start.Reason = Changed
			}
			list = append(list, start)
		}
	}
	return list
}

// medianWritten is until when scripts were written that have not been changed since.
func medianWritten(programs []Program) time.Time {
	var all []time.Time
	for _, q := range programs {
		if !q.Changed.IsZero() {
			all = append(all, q.Changed)
		}
	}
	return middle(all).Add(freshly)
}

// compareScripts puts what was changed last first, and then what says that it is a program.
func compareScripts(a, b Program, usual time.Time) int {
	if a.Changed.After(usual) || b.Changed.After(usual) {
		return b.Changed.Compare(a.Changed)
	}
	switch {
	case a.Loose == b.Loose:
		return 0
	case a.Loose:
		return 1
	}
	return -1
}

// rank is lower for what a project is more likely for: what it calls so itself and
// what a framework serves, then what is called like the project, then what is called
// as programs are, then all else, then examples and tools, at last programs that are tests.
func (p *Project) rank(q Program) int {
	rank := 4 * max(p.known.offside(q.Path), p.known.testsRank(q.Path))
	switch {
	case q.Usual || q.Serves || q.Framework != "" && !q.Plain:
	case slices.ContainsFunc(p.Names(), func(name string) bool { return strings.Contains("/"+strings.ToLower(q.Path)+"/", "/"+name+"/") }):
		rank++
	case !q.Unnamed:
		rank += 2
	default:
		rank += 3
	}
	if strings.HasPrefix(q.Doc, "Deprecated") {
		rank += 4
	}
	return rank + q.Later
}

// Names are what the project is called: by its directory, and by what it builds.
func (p *Project) Names() []string {
	all := []string{version.ReplaceAllString(filepath.Base(p.Root), "")}
	for _, b := range p.Builds {
		if b.Name != "" && path.Dir(b.Path) == "." {
			all = append(all, path.Base(version.ReplaceAllString(b.Name, "")))
		}
	}
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	return all
}

// version is how a release's directory or a module's path may end.
var version = pattern.New(`(?:[-@]v?\d[\w.-]*|/v\d+)$`)

func (q Program) start() Start {
	s := Start{
		Language: q.Language, Framework: q.Framework, Target: cmp.Or(q.Target, q.Path), Module: q.Module,
		BuildArgs: q.BuildArgs, Args: q.Args, Env: q.Env, Cwd: q.Cwd, Serves: q.Serves,
	}
	if q.Runner != "" {
		s.Target, s.Module = "", q.Runner
	}
	return s
}

// offside is 1 for a directory that is not what a project is for.
func (l Languages) offside(dir string) int {
	if _, above, found := l.packageRoot(dir); found {
		dir = above
	}
	for part := range strings.SplitSeq(path.Clean(dir), "/") {
		if part = strings.ToLower(part); slices.Contains(aside, part) || chore.MatchString(part) {
			return 1
		}
	}
	return 0
}

// chore is how the directories of programs are called that a build or a release needs.
var chore = pattern.New(`^(?:gen|import-|verify|update-|prune-)|(?:docs?|check|verifier|lint|fmt|imports|gen)$|[-_](?:examples?|samples?|demos?|benchmarks?)$`)

// testsRank is 1 for a directory of tests: what starts there serves them. Packages may be
// called so.
func (l Languages) testsRank(dir string) int {
	if root, _, found := l.packageRoot(dir); found {
		dir = root
	}
	for part := range strings.SplitSeq(dir, "/") {
		if part == "tests" || part == "test" {
			return 1
		}
	}
	return 0
}

// compareLanguages puts the language with most files first, those of its kin
// among them.
func (p *Project) compareLanguages(a, b string) int {
	return cmp.Or(cmp.Compare(p.filesOf(b), p.filesOf(a)), cmp.Compare(a, b))
}

func (p *Project) filesOf(language string) int {
	n, kin := 0, p.known.kin(language)
	for _, l := range p.Languages {
		if slices.Contains(kin, l.Name) {
			n += l.Files
		}
	}
	return n
}

// CompareBool puts what is not so before what is.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
