package prompts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/responses"
)

// Suites that are listed where no test is named, and tests of each.
const (
	listedSuites = 8
	listedTests  = 6
)

// failingTest is debug_failing_test.
func (b *Book) failingTest(ctx context.Context, a arguments) (string, error) {
	p := b.project()
	found := findSuite(p, a["test"], a["language"], b.languageMatcher(a["language"]))
	language := a["language"]
	call := responses.NewCall("diagnose", "mode", "test")
	target, test := a["target"], a["test"]
	if found != nil {
		language = cmp.Or(language, b.languageName(found.Language))
		target = cmp.Or(target, relativeTarget(cmp.Or(found.Target, found.Path)))
		if test == "" && len(found.Names) == 1 {
			test = found.Names[0]
		}
	}
	call = call.With("target", target).With("test", test).With("language", language)

	s := &script{}
	s.para("%s Use the debugger of the MCP server aidb: look at the values where it fails instead of guessing from the code.", b.taskText(a["test"]))
	b.writeStart(ctx, s, cmp.Or(language, b.onlyLanguage(p)))
	lead := "Ask what goes wrong. The reply shows message, line, the value of each part of that line with the first bad one marked, the callers' arguments and the calls that the test made. The session stays there:"
	if test == "" {
		lead = "Ask what goes wrong, of all tests or better only of the failing one (add \"test\"; \"repeat\":20 for one that fails now and then). The reply shows message, line, the value of each part of that line with the first bad one marked, and the calls that led there. The session stays there:"
	}
	s.step(lead, call)
	s.step("Follow the bad value to the statement that made it (the reply names this call where it can), or see what each call took and gave:",
		responses.NewCall("why", "expression", "NAME"),
		responses.NewCall("trace", "what", "calls", "functions", []string{"NAME"}))
	s.step("If that does not explain it, stop earlier on a new run (the condition may be left out), look, and go on line by line. Frame 1 is the caller:",
		responses.NewCall("breakpoint", "action", "set", "location", "FILE:LINE", "condition", "CONDITION"),
		responses.NewCall("session", "action", "restart"),
		responses.NewCall("inspect", "expression", "NAME", "frame", 1),
		responses.NewCall("step", "action", "over"))
	s.step("Prove the remedy before you write it, several ideas at once if you have them; the reply names the call that writes the one that passes:",
		attemptCall())
	s.step("End with this, and report the line at fault, the value that was there, the one that should have been, and why.",
		responses.NewCall("session", "action", "stop"))
	if found == nil || test == "" {
		b.listTests(s, p, a["language"])
	}
	return s.String(), nil
}

func (b *Book) taskText(test string) string {
	if test == "" {
		return "A test fails in this workspace. Find out why."
	}
	return fmt.Sprintf("The test %s fails. Find out why.", test)
}

// listTests lists what there is to choose from.
func (b *Book) listTests(s *script, p *workspace.Project, language string) {
	speaks := b.languageMatcher(language)
	var lines []string
	more := 0
	for _, x := range p.Tests {
		if language != "" && !speaks(x.Language) {
			continue
		}
		if len(lines) == listedSuites {
			more++
			continue
		}
		names := strings.Join(x.Names[:min(len(x.Names), listedTests)], ", ")
		if total := max(x.Total, len(x.Names)); total > listedTests {
			names += fmt.Sprintf(" and %d more", total-listedTests)
		}
		lines = append(lines, fmt.Sprintf("- target %s (%s): %s", relativeTarget(cmp.Or(x.Target, x.Path)), x.Framework, cmp.Or(names, "no names found")))
	}
	switch {
	case len(lines) == 0:
		s.para("No tests were found below %s; give \"target\" and \"test\" yourself, or \"workspace_root\".", p.Root)
		return
	case more > 0:
		lines = append(lines, fmt.Sprintf("- and %s: %s", responses.Plural(more, "suite"), callText(responses.NewCall("init", "verbose", true))))
	}
	s.para("Tests of this workspace:\n%s", strings.Join(lines, "\n"))
}

// languageMatcher returns what compares a language with this one, by any of their
// names.
func (b *Book) languageMatcher(language string) func(string) bool {
	return func(other string) bool { return b.languageName(other) == b.languageName(language) }
}

// languageName is the name of a language's adapter; the language as it is given where
// it has none.
func (b *Book) languageName(language string) string {
	if a := b.o.Adapters.Get(language); a != nil {
		return a.Info().Language
	}
	return language
}

// onlyLanguage is the language of a workspace that has only one of those that can be
// debugged.
func (b *Book) onlyLanguage(p *workspace.Project) string {
	only := ""
	for _, l := range p.Languages {
		a := b.o.Adapters.Get(l.Name)
		switch {
		case a == nil:
		case only == "" || only == a.Info().Language:
			only = a.Info().Language
		default:
			return ""
		}
	}
	return only
}
