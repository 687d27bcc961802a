package build

import (
	"encoding/json"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// rustcMessage is one message of the Rust compiler in its JSON form.
type rustcMessage struct {
	Message string `json:"message"`
	Level   string `json:"level"`
	Code    *struct {
		Code string `json:"code"`
	} `json:"code"`
	Spans []struct {
		File    string `json:"file_name"`
		Line    int    `json:"line_start"`
		Column  int    `json:"column_start"`
		Primary bool   `json:"is_primary"`
		Label   string `json:"label"`
		Macro   *struct {
			Span struct {
				File   string `json:"file_name"`
				Line   int    `json:"line_start"`
				Column int    `json:"column_start"`
			} `json:"span"`
		} `json:"expansion"`
	} `json:"spans"`
	Children []struct {
		Level   string `json:"level"`
		Message string `json:"message"`
	} `json:"children"`
	Rendered string `json:"rendered"`
}

// compileError is the message as an error of ours; false when it is a warning,
// or a count of errors that says nothing new.
func (m rustcMessage) compileError(show func(string) string) (prepare.CompileError, bool) {
	if m.Level != "error" && m.Level != "error: internal compiler error" || strings.HasPrefix(m.Message, "aborting due to") {
		return prepare.CompileError{}, false
	}
	e := prepare.CompileError{Message: m.Message}
	if m.Code != nil && m.Code.Code != "" {
		e.Message += " [" + m.Code.Code + "]"
	}
	for _, span := range m.Spans {
		if !span.Primary {
			continue
		}
		e.File, e.Line, e.Column = span.File, span.Line, span.Column
		if span.Macro != nil && strings.HasPrefix(span.File, "/rustc/") {
			e.File, e.Line, e.Column = span.Macro.Span.File, span.Macro.Span.Line, span.Macro.Span.Column
		}
		if span.Label != "" {
			e.Message += ": " + span.Label
		}
		break
	}
	if e.File == "" {
		return e, false
	}
	e.File = show(e.File)
	for _, child := range m.Children {
		if child.Level == "help" && len(child.Message) < 200 {
			e.Message += " (help: " + child.Message + ")"
			break
		}
	}
	return e, true
}

// rustcFailure explains what rustc wrote, one JSON object a line.
func (j *job) rustcFailure(text, dir string) error {
	var found []prepare.CompileError
	var plain strings.Builder
	for line := range strings.Lines(text) {
		var m rustcMessage
		if json.Unmarshal([]byte(line), &m) != nil {
			plain.WriteString(line)
			continue
		}
		if e, ok := m.compileError(j.resolveIn(dir)); ok {
			found = append(found, e)
		} else if m.Level == "error" {
			plain.WriteString(m.Rendered)
		}
	}
	f := prepare.BuildFailure(found, plain.String())
	if strings.Contains(text, "E0432") || strings.Contains(text, "E0433") {
		return f.WithHint("mend the source; if it uses crates, give the package's directory (with Cargo.toml) as target")
	}
	if isLinkerMissing(text) {
		return f.WithHint("rustc links with the C compiler: install gcc or clang (on Debian: apt install gcc)")
	}
	return f
}

func isLinkerMissing(text string) bool {
	return strings.Contains(text, "linker `") && strings.Contains(text, "not found")
}

// crateName is how Rust writes the name of a package or file in paths.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }
