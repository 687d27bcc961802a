package handlers

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// maxSteps is how many next steps a reply has at most.
const maxSteps = 3

// look is one look at one or more roots.
type look struct {
	h        *Handlers
	p        *tools.InitParams
	language string // looked for; empty: any

	data     *responses.Workspace
	builds   []string
	programs []string
	tests    []responses.TestTarget
	found    []string // languages
	launches []string
	mains    []proposal // one program of each language
	trials   []proposal // one test of each language
	config   *responses.Call
}

// isStartable says whether a launch configuration may be proposed.
func (l *look) isStartable(name string) bool {
	return l.p.LaunchConfigName == "" || l.p.LaunchConfigName == name
}

// isWanted says whether a language, by any of its names, is looked for.
func (l *look) isWanted(language string) bool {
	if l.language == "" || language == l.language {
		return true
	}
	a := l.h.Adapters.Get(language)
	return a != nil && a.Info().Language == l.language
}

// take adds what one root holds. Paths of further roots are absolute.
func (l *look) take(p *workspace.Project, further bool) {
	show := func(rel string) string { return rel }
	if further {
		show = func(rel string) string { return path.Join(p.Root, rel) }
		l.data.MoreRoots = append(l.data.MoreRoots, p.Root)
	} else {
		l.data.Root = p.Root
	}
	l.build(p, show)
	l.launch(p)
	l.targets(p, show)
	l.data.Notes = append(l.data.Notes, p.Notes...)
	l.addOmissions(p, show)
}

// addOmissions adds what was not looked at.
func (l *look) addOmissions(p *workspace.Project, show func(string) string) {
	named := func(list []string) string {
		shown := make([]string, len(list))
		for i, rel := range list {
			shown[i] = show(rel)
		}
		return strings.Join(shown, ", ")
	}
	if p.Truncated {
		note := "the workspace is large, not all of it was looked at"
		if len(p.LeftOut) > 0 {
			note += ": something is left out of " + named(p.LeftOut)
		}
		if more := p.Left - len(p.LeftOut); more > 0 {
			note += fmt.Sprintf(" and of %d more directories", more)
		}
		l.data.Notes = append(l.data.Notes, note+"; workspace_root names a part of it")
	}
	if len(p.Closed) > 0 {
		l.data.Notes = append(l.data.Notes, "may not be read by this server: "+named(p.Closed))
	}
}

// build adds languages, build files, test frameworks and environments.
func (l *look) build(p *workspace.Project, show func(string) string) {
	for _, lang := range p.Languages {
		l.found = append(l.found, lang.Name)
		if l.isWanted(lang.Name) {
			l.data.Languages = append(l.data.Languages, fmt.Sprintf("%s (%s)", lang.Name, responses.Plural(lang.Files, "file")))
		}
	}
	for _, b := range p.Builds {
		text := show(b.Path)
		if b.Name != "" {
			text += " (" + b.Name + ")"
		}
		l.builds = append(l.builds, text)
	}
	for _, f := range p.Frameworks {
		if l.isWanted(f.Language) && !slices.Contains(l.data.TestFrameworks, f.Name) {
			l.data.TestFrameworks = append(l.data.TestFrameworks, f.Name)
		}
	}
	for _, e := range p.Environments {
		text := e.Path
		if !filepath.IsAbs(text) {
			text = show(text)
		}
		if e.Name != "" {
			text += " (" + e.Name + ")"
		}
		l.data.Environments = append(l.data.Environments, text)
	}
}

// launch adds the launch configurations, and keeps the first that can be started.
func (l *look) launch(p *workspace.Project) {
	set := launch.Read(p.Root, l.h.Policy.Allows)
	keep := func(name string) {
		if l.config == nil && l.isStartable(name) {
			call := l.withRoot(responses.NewCall("session_start", "launch_config_name", name))
			l.config = &call
		}
	}
	for _, e := range set.Entries {
		if l.h.Adapters.ForLaunch(e.Type, adapters.Request{}) != nil {
			keep(e.Name)
		}
		l.launches = append(l.launches, fmt.Sprintf("%s (%s, %s)", e.Name, e.Type, e.Request))
	}
	for _, c := range set.Compounds {
		if l.p.LaunchConfigName != "" {
			keep(c.Name)
		}
		l.launches = append(l.launches, fmt.Sprintf("%s (compound of %d)", c.Name, len(c.Members)))
	}
	for _, problem := range set.Problems {
		l.data.Notes = append(l.data.Notes, problem.Err.Message)
	}
}

// targets adds programs and tests, and what of them is worth starting.
func (l *look) targets(p *workspace.Project, show func(string) string) {
	for _, program := range p.Programs {
		if !l.isWanted(program.Language) {
			continue
		}
		text := relativeTarget(show(cmp.Or(program.Target, program.Path)))
		if program.Module != "" {
			text += " (module " + program.Module + ")"
		}
		if program.Framework != "" {
			text += " (" + program.Framework + ")"
		}
		if program.Doc != "" {
			text += ": " + responses.Shorten(program.Doc, 100)
		}
		l.programs = append(l.programs, text)
	}
	for _, suite := range p.Tests {
		if l.isWanted(suite.Language) && isLike(suite.Framework, l.p.Framework) {
			l.tests = append(l.tests, responses.TestTarget{
				Target: relativeTarget(show(cmp.Or(suite.Target, suite.Path))), Tests: suite.Names, Total: suite.Total,
			})
		}
	}
	tests, programs := p.Starts(workspace.StartFilter{Language: l.isWanted, Framework: l.p.Framework})
	for _, t := range tests {
		l.trials = append(l.trials, l.propose(t, show))
	}
	for _, s := range programs {
		l.mains = append(l.mains, l.propose(s, show))
	}
}

// propose makes a call of a start.
func (l *look) propose(s workspace.Start, show func(string) string) proposal {
	at := ""
	if s.Target != "" {
		at = relativeTarget(show(s.Target))
	}
	r := adapters.Request{Target: at, Module: s.Module, Test: s.Name}
	call := responses.NewCall("session_start").With("target", at)
	if s.Test {
		r.Mode = adapters.Test
		call = call.With("mode", "test")
	}
	call = call.With("test", s.Name).With("module", s.Module)
	if len(s.BuildArgs) > 0 {
		call = call.With("build_args", s.BuildArgs)
	}
	if len(s.Args) > 0 {
		call = call.With("args", s.Args)
	}
	if len(s.Env) > 0 {
		call = call.With("env", s.Env)
	}
	if s.Cwd != "" {
		call = call.With("cwd", relativeTarget(show(s.Cwd)))
	}
	return proposal{l.withRoot(l.withLanguage(s.Language, call, r)), s}
}

// proposal is a start that is proposed.
type proposal struct {
	call  responses.Call
	start workspace.Start
}

// withLanguage names the language where it would not be inferred from the call.
func (l *look) withLanguage(language string, call responses.Call, r adapters.Request) responses.Call {
	r.Workspace = cmp.Or(l.data.Root, l.h.Workspace)
	a := l.h.Adapters.Infer(r)
	if own := l.h.Adapters.Get(language); own != nil && (a == nil || a.Info().Language != own.Info().Language) {
		call = call.With("language", own.Info().Language)
	}
	return call
}

// isLike says whether a framework is the one asked for, by a part of its name.
func isLike(framework, asked string) bool {
	return strings.Contains(framework, asked) || strings.Contains(asked, framework)
}

// relativeTarget writes a directory the way build tools want it: "./cmd/app".
func relativeTarget(dir string) string {
	if dir == "." || path.IsAbs(dir) || strings.HasPrefix(dir, "./") {
		return dir
	}
	return "./" + dir
}

// withRoot names the workspace where a call does not work without it.
func (l *look) withRoot(call responses.Call) responses.Call {
	if l.data.Root != "" && l.data.Root != l.h.Workspace {
		call = call.With("workspace_root", l.data.Root)
	}
	return call
}

func (l *look) envelope() (*responses.Envelope, error) {
	if list, _, err := l.h.capabilitiesOf(nil, l.capabilityLanguage()); err == nil && l.capabilityLanguage() != "" {
		l.data.Capabilities = bySupport(list)
	}
	l.nameTests()
	l.data.BuildFiles = firstOf(l, l.builds, "build files")
	l.data.Programs = firstOf(l, l.programs, "programs")
	l.data.Tests = firstOf(l, l.tests, "test packages")
	l.data.LaunchConfigs = firstOf(l, l.launches, "launch configurations")
	env := &responses.Envelope{Success: true, Summary: l.summary(), Data: l.data}
	servers := l.containers()
	if l.h.Policy.ReadOnly { // a start would be refused
		l.data.Notes = append(l.data.Notes, l.h.Policy.String())
		env.NextSteps = servers
		return env, nil
	}
	env.NextSteps = l.nextSteps(servers)
	return env, nil
}

// Tests that are named of each suite, where the suites are few and where they are many.
const (
	fewSuites  = 5
	namesOfFew = 20
	namesOfOne = 4
)

// nameTests names fewer tests of each suite where there are many: their names say
// how to name one, and session_start finds the others.
func (l *look) nameTests() {
	most := namesOfFew
	if len(l.tests) > fewSuites && !l.p.Verbose {
		most = namesOfOne
	}
	for i := range l.tests {
		t := &l.tests[i]
		if t.Tests = t.Tests[:min(len(t.Tests), most)]; t.Total <= len(t.Tests) {
			t.Total = 0
		}
	}
}

// capabilityLanguage is the language whose capabilities are told: the one asked for, else
// the only one of the workspace that can be debugged: of several, it would not
// be plain whose they are.
func (l *look) capabilityLanguage() string {
	if l.language != "" {
		return l.language
	}
	only := ""
	for _, found := range l.found {
		a := l.h.Adapters.Get(found)
		if a == nil {
			continue
		}
		if language := a.Info().Language; only == "" || only == language {
			only = language
		} else {
			return ""
		}
	}
	return only
}

// firstOf is the beginning of a list, all of it in a verbose reply; nil when
// it is empty.
func firstOf[T any](l *look, list []T, what string) *responses.List[T] {
	if len(list) == 0 {
		return nil
	}
	shown := min(len(list), initList)
	if l.p.Verbose {
		shown = len(list)
	}
	return responses.NewList(list[:shown], responses.Page{What: what, Total: len(list), More: func(int) responses.Call {
		return responses.NewCall("init", "verbose", true, "max_bytes", maxBudget).
			With("workspace_root", l.p.WorkspaceRoot).With("language", l.p.Language)
	}})
}

// testPackages are the packages and files that have tests, of whatever kind.
func (l *look) testPackages() int {
	targets := map[string]bool{}
	for _, t := range l.tests {
		targets[t.Target] = true
	}
	return len(targets)
}

func (l *look) summary() string {
	if len(l.programs)+len(l.tests)+len(l.found) == 0 {
		return fmt.Sprintf("no source file of a known language is in %s; workspace_root names another directory", l.data.Root)
	}
	said := fmt.Sprintf("%s and %s to debug in %s",
		responses.Plural(len(l.programs), "program"), responses.Plural(l.testPackages(), "test package"), l.data.Root)
	for _, a := range l.data.Adapters {
		if !a.Ready {
			said += fmt.Sprintf("; %s is not ready", a.Name)
		}
	}
	return said
}

// nextSteps are complete starts: a test before a program, what the call asks for
// before both.
func (l *look) nextSteps(servers []responses.NextStep) []responses.NextStep {
	var tests, programs []responses.NextStep
	for _, t := range l.trials {
		tests = append(tests, t.call.Why(t.why()))
	}
	for _, m := range l.mains {
		why := m.why()
		if len(l.mains) > 1 {
			why = "the " + m.start.Language + " part: " + why
		}
		programs = append(programs, m.call.Why(why))
	}
	var config []responses.NextStep
	if l.config != nil {
		config = append(config, l.config.Why("start as the launch configuration says"))
	}
	order := [][]responses.NextStep{tests, programs, servers, config}
	switch {
	case l.p.LaunchConfigName != "":
		order = [][]responses.NextStep{config, tests, programs, servers}
	case l.p.Mode == "attach" || l.p.Mode == "remote_attach":
		order = [][]responses.NextStep{servers, config, tests, programs}
	case l.p.Mode == "launch":
		order = [][]responses.NextStep{programs, config, servers, tests}
	}
	return takeInTurn(order, maxSteps)
}

// takeInTurn takes the first of each list, then the second of each, until there are
// enough; those of one list stay together.
func takeInTurn(lists [][]responses.NextStep, most int) []responses.NextStep {
	take := make([]int, len(lists))
	for left, more := most, true; more; {
		more = false
		for i, list := range lists {
			if left > 0 && take[i] < len(list) {
				take[i]++
				left--
				more = true
			}
		}
	}
	var steps []responses.NextStep
	for i, list := range lists {
		steps = append(steps, list[:take[i]]...)
	}
	return steps
}

// why says what a start is good for.
func (p proposal) why() string {
	switch s := p.start; {
	case s.Test && s.Reason == workspace.Failed && s.Name == "":
		return "debug the file whose tests failed when they were last run"
	case s.Test && s.Reason == workspace.Failed:
		return "debug the test that failed when it was last run"
	case s.Test && s.Reason == workspace.Changed:
		return "debug a test of those that were changed last"
	case s.Test && s.Name == "":
		return "debug the tests of a file"
	case s.Test:
		return "debug one test"
	case s.Serves:
		return "start the server; add breakpoints, and send it a request once it listens"
	case s.Reason == workspace.Changed:
		return "run the script that was changed last until it fails or ends; add breakpoints to stop earlier"
	}
	return "run the program until it fails or ends; add breakpoints to stop earlier"
}
