package fault

import "fmt"

// SourceError is one message of a compiler, a build tool or an interpreter about the
// user's source.
type SourceError struct {
	File    string `json:"file"` // relative to the workspace when inside it
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

func (e SourceError) String() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// SourceErrors are those that the details hold; none where no error has a place.
func (e *Error) SourceErrors() []SourceError {
	if d, ok := e.Details.(interface{ SourceErrors() []SourceError }); ok {
		return d.SourceErrors()
	}
	return nil
}
