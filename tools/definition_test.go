package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file, or writes the file.
func golden(t *testing.T, name string, text []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; go test ./tools -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("%s differs (go test ./tools -update, if this is meant): -want +got:\n%s", name, diff)
	}
}

// What agents see changes only on purpose.
func TestDefinitionsAreGolden(t *testing.T) {
	for _, d := range all {
		text, err := JSON([]*Definition{d})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", d.Name+".json"), text)
	}
}

func TestReferenceIsUpToDate(t *testing.T) {
	golden(t, filepath.Join("..", "docs", "tools.md"), Markdown(all))
}

func TestDefinitionsAreComplete(t *testing.T) {
	want := []string{"init", "session_start", "execute", "step", "run_until", "breakpoint", "inspect", "variable", "diagnose", "trace", "why", "profile", "attempt", "session", "config", "context", "adapter"}
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
		if !regexp.MustCompile(`^[a-z_]+$`).MatchString(d.Name) || d.Title == "" || len(d.Description) < 40 {
			t.Errorf("%q: name, title or description is not fit", d.Name)
		}
		if d.Annotations.ReadOnly && d.Annotations.Destructive {
			t.Errorf("%s cannot be read-only and destructive", d.Name)
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// Only the plainest words of JSON Schema: what clients do not understand, they
// refuse, or send broken arguments for.
func TestSchemasArePlain(t *testing.T) {
	allowed := []string{"type", "properties", "required", "additionalProperties", "items", "enum", "default", "minimum", "maximum", "description"}
	var walk func(path string, s map[string]any)
	walk = func(path string, s map[string]any) {
		for word := range s {
			if !slices.Contains(allowed, word) {
				t.Errorf("%s uses %q", path, word)
			}
		}
		typ, ok := s["type"].(string)
		if !ok {
			t.Errorf("%s: type is %v, want one word", path, s["type"])
		}
		properties, _ := s["properties"].(map[string]any)
		if typ == "object" && properties != nil && s["additionalProperties"] != nil {
			t.Errorf("%s: additionalProperties is %v, want none: google-genai refuses a tool with it", path, s["additionalProperties"])
		}
		for name, p := range properties {
			walk(path+"."+name, p.(map[string]any))
		}
		if items, ok := s["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
	}
	for _, d := range all {
		var s map[string]any
		if err := json.Unmarshal(d.Schema, &s); err != nil {
			t.Fatal(err)
		}
		if s["type"] != "object" {
			t.Errorf("%s: the arguments are no object", d.Name)
		}
		walk(d.Name, s)
	}
}

// Every default must be a value that the decoder accepts.
func TestDefaultsDecode(t *testing.T) {
	for _, d := range all {
		for _, f := range d.fields {
			if f.def == "" {
				continue
			}
			args, _ := json.Marshal(map[string]json.RawMessage{f.name: f.defaultJSON()})
			if err := d.Validate(args); err != nil && !f.required && !strings.Contains(err.Error(), "needs") {
				t.Errorf("%s.%s: %v", d.Name, f.name, err)
			}
		}
	}
}

// A synonym that leads nowhere is a slip of ours.
func TestSynonymsLeadSomewhere(t *testing.T) {
	known, names := map[string]bool{}, map[string]bool{}
	for _, d := range all {
		for _, f := range d.fields {
			names[f.name] = true
			for _, word := range f.enum {
				known[word] = true
			}
		}
	}
	later := []string{"start", "install", "remove_adapter"} // words of tools to come
	for said, meant := range synonyms {
		if fold(said) != said {
			t.Errorf("%q is not folded", said)
		}
		if !slices.ContainsFunc(meant, func(w string) bool { return known[w] || slices.Contains(later, w) }) {
			t.Errorf("%q means %v, which no tool knows", said, meant)
		}
	}
	for said, meant := range otherNames {
		if fold(said) != said {
			t.Errorf("%q is not folded", said)
		}
		if !slices.ContainsFunc(meant, func(n string) bool { return names[n] }) {
			t.Errorf("%q means %v, which no tool takes", said, meant)
		}
	}
}

func TestContractAliases(t *testing.T) {
	for _, c := range []struct{ tool, field, said, meant string }{
		{"breakpoint", "action", "add", "set"}, {"breakpoint", "action", "rm", "remove"}, {"breakpoint", "action", "delete", "remove"},
		{"breakpoint", "action", "ls", "list"}, {"session", "action", "kill", "stop"}, {"session", "action", "end", "stop"},
		{"session", "action", "terminate", "stop"}, {"variable", "action", "read", "get"}, {"variable", "action", "write", "set"},
		{"step", "action", "next", "over"}, {"step", "action", "in", "into"}, {"step", "action", "finish", "out"},
		{"execute", "action", "begin", "run"}, {"inspect", "target", "goroutines", "threads"}, {"inspect", "target", "STACK", "stack"},
		{"breakpoint", "access_type", "readwrite", "readWrite"}, {"session_start", "mode", "remote-attach", "remote_attach"},
	} {
		d := definition(t, c.tool)
		i := slices.IndexFunc(d.fields, func(f *field) bool { return f.name == c.field })
		if got, ok := resolve(c.said, d.fields[i].enum); !ok || got != c.meant {
			t.Errorf("%s.%s %q means %q, want %q", c.tool, c.field, c.said, got, c.meant)
		}
	}
}

// A client that keeps tools back until its model looks for them tells of a server
// what it says of itself, and of that the beginning: Codex 250 bytes.
func TestInstructionsBeginWithWhenAndHow(t *testing.T) {
	begin := Instructions[:245]
	for _, part := range []string{"debugger", "crash, hang, wrong result or failing test", "diagnose", "where and why"} {
		if !strings.Contains(begin, part) {
			t.Errorf("the instructions begin without %q: %q", part, begin)
		}
	}
}

func TestInstructionsFit(t *testing.T) {
	if len(Instructions) >= 2000 || len(Instructions) < 500 {
		t.Errorf("instructions are %d bytes, want fewer than 2,000", len(Instructions))
	}
	for _, d := range all {
		if slices.Contains([]string{"diagnose", "why", "attempt", "session_start"}, d.Name) && !strings.Contains(Instructions, d.Name) {
			t.Errorf("instructions do not name %s", d.Name)
		}
	}
	for line := range bytes.SplitSeq([]byte(Instructions), []byte("\n")) {
		example := bytes.TrimSpace(line)
		if bytes.HasPrefix(example, []byte("{")) {
			if err := definition(t, "session_start").Validate(example); err != nil {
				t.Errorf("the example %s fails: %v", example, err)
			}
		}
	}
}
