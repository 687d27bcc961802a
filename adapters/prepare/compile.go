package prepare

import (
	"cmp"
	"fmt"
	"strings"

	"aidb-mcp/internal/fault"
)

// CompileError is one message of a compiler or a build tool about the user's source.
type CompileError = fault.SourceError

// BuildDetails go with BUILD_FAILED, in every language.
type BuildDetails struct {
	Errors []CompileError `json:"errors,omitempty"`
	Total  int            `json:"total,omitempty"`  // when there are more than errors has
	Output string         `json:"output,omitempty"` // of the build tool, when no error has a position
}

// SourceErrors are the errors that have a place.
func (d BuildDetails) SourceErrors() []fault.SourceError { return d.Errors }

// Rewritten are the details with another text of the build tool, which may quote files.
func (d BuildDetails) Rewritten(rewrite func(string) string) any {
	d.Output = rewrite(d.Output)
	return d
}

const (
	maxCompileErrors = 10
	maxBuildOutput   = 2000 // bytes
)

// BuildFailure is the error of a build that failed: with the errors that were
// found in what it wrote, else with the end of that.
func BuildFailure(found []CompileError, output string) *fault.Error {
	if len(found) == 0 {
		text := lastBytes(strings.TrimSpace(output), maxBuildOutput)
		return fault.New(fault.BuildFailed, "the build failed: %s", cmp.Or(reason(text), "the build tool said nothing")).
			WithDetails(BuildDetails{Output: text})
	}
	details := BuildDetails{Errors: found}
	if len(found) > maxCompileErrors {
		details.Errors, details.Total = found[:maxCompileErrors], len(found)
	}
	return fault.New(fault.BuildFailed, "the build failed: %s", summarize(found)).
		WithHint("mend the source, then start again").WithDetails(details)
}

// summarize tells the first few errors.
func summarize(found []CompileError) string {
	const most = 3
	var first []string
	for _, e := range found[:min(len(found), most)] {
		first = append(first, e.String())
	}
	text := strings.Join(first, "; ")
	if more := len(found) - most; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// reason is the line that says most: the first that speaks of an error, else the last.
func reason(text string) string {
	var last string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.Contains(strings.ToLower(line), "error") {
			return line
		}
		last = line
	}
	return last
}

// lastBytes is the end of a text, cut at a line's start.
func lastBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest
	}
	return "…\n" + strings.ToValidUTF8(text, "�")
}
