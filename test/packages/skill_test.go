//go:build linux

package packages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What the skill and Gemini's context tell a model to call can be called: the tools
// are there, with these parameters and these words.
func TestSkillNamesRealCalls(t *testing.T) {
	t.Parallel()
	tools := schemas(t)
	for file, least := range map[string]int{"SKILL.md": 20, "GEMINI.md": 2} {
		text, err := os.ReadFile(filepath.Join(testkit.Root(), "packaging", "files", file))
		if err != nil {
			t.Fatal(err)
		}
		calls := calls(string(text))
		if len(calls) < least {
			t.Errorf("%s has %d calls, want %d or more: %q", file, len(calls), least, calls)
		}
		for _, c := range calls {
			schema, there := tools[c.tool]
			if !there {
				t.Errorf("%s: there is no tool %s for %s", file, c.tool, c.arguments)
			}
			var arguments map[string]any
			if err := json.Unmarshal([]byte(c.arguments), &arguments); err != nil {
				t.Errorf("%s: %s %s: %v", file, c.tool, c.arguments, err)
			}
			for name, value := range arguments {
				parameter, there := schema.Properties[name]
				if word, isWord := value.(string); !there || isWord && len(parameter.Enum) > 0 && !strings.Contains(" "+strings.Join(parameter.Enum, " ")+" ", " "+word+" ") {
					t.Errorf("%s: %s takes no %q: %v", file, c.tool, name, value)
				}
			}
		}
	}
}

// A skill costs a model its length, and is found by its description.
func TestSkillIsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testkit.Root(), "packaging", "files", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`^---\nname: debug\ndescription: (.+)\n---\n`).FindSubmatch(text)
	if head == nil || len(head[1]) > 1024 {
		t.Errorf("the skill begins with %.300s", text)
	}
	if lines := strings.Count(string(text), "\n"); lines < 60 || lines > 100 {
		t.Errorf("the skill has %d lines", lines)
	}
}

type schema struct {
	Properties map[string]struct{ Enum []string }
}

// schemas are the parameters of the tools, as the server lists them.
func schemas(t *testing.T) map[string]schema {
	t.Helper()
	list, err := testkit.Start(t, testkit.Options{}).Client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]schema{}
	for _, tool := range list.Tools {
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var s schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		found[tool.Name] = s
	}
	return found
}

type call struct{ tool, arguments string }

// spans are what stands in backquotes or alone on a line between fences: a call, or
// arguments only.
var spans = regexp.MustCompile("`(?:([a-z_]+) )?(\\{[^`]*\\})`|(?m:^([a-z_]+) (\\{.*\\})$)|`([a-z_]+)`")

// calls are the calls in a text; arguments alone are those of the tool that was
// named last.
func calls(text string) []call {
	var found []call
	last := ""
	for _, m := range spans.FindAllStringSubmatch(text, -1) {
		switch {
		case m[5] != "": // a word: a tool, perhaps
			if strings.Contains(" diagnose why trace attempt step ", " "+m[5]+" ") {
				last = m[5]
			}
			continue
		case m[3] != "":
			last = m[3]
			found = append(found, call{m[3], m[4]})
			continue
		case m[1] != "":
			last = m[1]
		}
		found = append(found, call{last, m[2]})
	}
	return found
}
