package debugpy

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// omittedDetails is what debugpy leaves out of an exception, as raising.py describes it.
type omittedDetails struct {
	Parts []struct { // of an exception group
		Type     string `json:"type"`
		Message  string `json:"message"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Function string `json:"function"`
	} `json:"parts"`
	More  int `json:"more"` // parts that are not listed
	Cause *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"cause"` // from another process
	Unread *struct {
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"unread"` // where a file could not be read
}

// readOmitted asks the program about the exception that a thread stands at.
func (d *dialect) readOmitted(ctx context.Context, c adapters.Caller, thread int) (more omittedDetails, err error) {
	err = d.askAboutException(ctx, c, thread, "aidb_describe", &more)
	return more, err
}

// listExceptions names the exceptions of a group, one a line.
func (l omittedDetails) listExceptions() string {
	var b strings.Builder
	for i, part := range l.Parts {
		fmt.Fprintf(&b, "\n%d: %s", i+1, part.Type)
		if part.Message != "" {
			fmt.Fprintf(&b, ": %s", part.Message)
		}
		if part.Line > 0 {
			fmt.Fprintf(&b, ", at %s:%d in %s", filepath.Base(part.File), part.Line, part.Function)
		}
	}
	if l.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", l.More)
	}
	return b.String()
}

// remoteCause is the cause that another process has sent as the text of its traceback.
func (l omittedDetails) remoteCause() []godap.ExceptionDetails {
	if l.Cause == nil {
		return nil
	}
	text := strings.Trim(l.Cause.Message, "\n\"")
	return []godap.ExceptionDetails{{
		TypeName: l.Cause.Type, FullTypeName: l.Cause.Type, Message: lastLine(text), StackTrace: foldLibraries(text),
	}}
}

// place is that of a file which could not be read, as Python has it below the traceback.
func (l omittedDetails) place() string {
	if l.Unread == nil {
		return ""
	}
	return fmt.Sprintf("  File \"%s\", line %d\n", l.Unread.File, l.Unread.Line)
}
