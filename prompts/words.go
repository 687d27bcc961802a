package prompts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/responses"
)

// callText writes a call as an agent makes it: the tool and its arguments.
func callText(c responses.Call) string {
	params, err := json.Marshal(c.Params)
	if err != nil || len(c.Params) == 0 {
		params = []byte("{}")
	}
	return c.Tool + " " + string(params)
}

// script is a text of paragraphs and numbered steps.
type script struct {
	b     strings.Builder
	steps int
}

func (s *script) para(format string, args ...any) {
	if s.b.Len() > 0 {
		s.b.WriteString("\n")
	}
	fmt.Fprintf(&s.b, format+"\n", args...)
}

// step is a numbered step with the calls that it takes.
func (s *script) step(text string, calls ...responses.Call) {
	if s.steps == 0 {
		s.b.WriteString("\n")
	}
	s.steps++
	fmt.Fprintf(&s.b, "%d. %s\n", s.steps, text)
	for _, c := range calls {
		s.b.WriteString("   " + callText(c) + "\n")
	}
}

func (s *script) String() string { return s.b.String() }

// relativeTarget is the folder of a suite or program as build tools want it: "./app".
func relativeTarget(dir string) string {
	if dir == "" || dir == "." || strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "./") {
		return cmp.Or(dir, ".")
	}
	return "./" + dir
}

// missingText says what is missing before a language can be debugged; empty when nothing is.
func (b *Book) missingText(ctx context.Context, language string) string {
	if language == "" {
		return ""
	}
	env, _ := b.o.Calls.Look(ctx, responses.NewCall("config", "action", "adapters", "language", language))
	data, ok := env.Data.(*responses.Config)
	if !ok || len(data.Adapters) == 0 || data.Adapters[0].Ready {
		return ""
	}
	a := data.Adapters[0]
	return strings.TrimSpace(fmt.Sprintf("First: %s for %s is not ready: %s. %s", a.Name, language, strings.TrimSuffix(a.Problem, "."), a.Remedy))
}

// writeStart writes what stands before the steps: what is missing, and what is not allowed.
func (b *Book) writeStart(ctx context.Context, s *script, language string) {
	if missing := b.missingText(ctx, language); missing != "" {
		s.para("%s", missing)
	}
	if said := b.o.Policy.String(); said != "" {
		s.para("Of this server: %s", said)
	}
}

// findSuite finds where a test is: in the suite that names it, else in the only one.
func findSuite(p *workspace.Project, test, language string, same func(string) bool) *workspace.Suite {
	var fitting []*workspace.Suite
	for i := range p.Tests {
		s := &p.Tests[i]
		if language != "" && !same(s.Language) {
			continue
		}
		for _, name := range s.Names {
			if test != "" && (name == test || strings.HasPrefix(test, name+"/") || strings.HasSuffix(test, "::"+name) || strings.HasSuffix(test, "."+name) || strings.HasSuffix(test, "#"+name)) {
				return s
			}
		}
		fitting = append(fitting, s)
	}
	if len(fitting) == 1 {
		return fitting[0]
	}
	return nil
}
