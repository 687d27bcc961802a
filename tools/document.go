package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSON writes the definitions the way tools/list answers them, indented.
func JSON(list []*Definition) ([]byte, error) {
	type annotations struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
		Idempotent  bool `json:"idempotentHint"`
		OpenWorld   bool `json:"openWorldHint"`
	}
	type tool struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		Annotations annotations     `json:"annotations"`
		Schema      json.RawMessage `json:"inputSchema"`
	}
	var out []tool
	for _, d := range list {
		out = append(out, tool{d.Name, d.Title, d.Description, annotations(d.Annotations), d.Schema})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return nil, fmt.Errorf("writing the definitions: %w", err)
	}
	return text.Bytes(), nil
}

// Markdown writes the tool reference for people.
func Markdown(list []*Definition) []byte {
	var w bytes.Buffer
	w.WriteString("# Tools\n\nEvery tool and its parameters. `aidb-mcp tools` writes this page; do not edit it.\n\n")
	w.WriteString("Arguments may be loose if their meaning is clear: `\"42\"` for 42, a string for a list with one string, " +
		"JSON text for an object, upper or lower case and common synonyms for the words of an enum. `session_id` defaults to the current session, " +
		"`timeout_ms` (0 answers at once) limits the wait for the program, `max_bytes` the size of the reply.\n\n" +
		"Replies are plain text. With `--replies json` the server sends compact JSON (also as `structuredContent`), with `--replies both` the text, and the JSON as " +
		"`structuredContent`. The facts are the same ([replies](replies.md)).\n")
	for _, d := range list {
		fmt.Fprintf(&w, "\n## %s\n\n**%s.** %s\n\n", d.Name, d.Title, d.Description)
		fmt.Fprintf(&w, "Hints: %s.\n\n", d.Annotations)
		w.WriteString("| parameter | type | default | meaning |\n|---|---|---|---|\n")
		for _, f := range d.fields {
			fmt.Fprintf(&w, "| `%s`%s | %s | %s | %s |\n", f.name, mark(f.required, " (required)"), f.typeText(), inCode(f.def), cell(f.doc))
		}
	}
	return w.Bytes()
}

// String lists the hints that hold.
func (a Annotations) String() string {
	hints := []string{mark(a.ReadOnly, "read-only"), mark(a.Destructive, "destructive"), mark(a.Idempotent, "idempotent"), mark(a.OpenWorld, "open world")}
	var held []string
	for _, hint := range hints {
		if hint != "" {
			held = append(held, hint)
		}
	}
	if held == nil {
		return "none"
	}
	return strings.Join(held, ", ")
}

// typeText is a parameter's type with its words or range.
func (f *field) typeText() string {
	text := kind(f.typ)
	if text == "array" {
		text = "list of " + kind(f.typ.Elem()) + "s"
	}
	switch {
	case f.enum != nil:
		text += ": `" + strings.Join(f.enum, "`, `") + "`"
	case f.min != nil && f.max != nil:
		text += fmt.Sprintf(", %d to %d", *f.min, *f.max)
	case f.min != nil:
		text += fmt.Sprintf(", at least %d", *f.min)
	}
	return text
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

func inCode(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// cell keeps a text from ending its table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
