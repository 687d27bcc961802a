package fault_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/fault"
)

func TestTrueCause(t *testing.T) {
	type details struct{ Output string }
	cases := map[string]struct {
		err  *fault.Error
		want string // what the message begins with; empty: as it was
	}{
		"an error number": {
			fault.New(fault.SessionStart, "starting: %w", &os.PathError{Op: "mkdir", Path: "/tmp/x", Err: syscall.ENOSPC}), "the disk is full: ",
		},
		"a compiler's words, in the details": {
			fault.New(fault.BuildFailed, "the build failed").WithDetails(details{"as: pest.o: No space left on device"}), "the disk is full: ",
		},
		"descriptors":                           {fault.New(fault.SessionStart, "%w", fmt.Errorf("pipe: %w", syscall.EMFILE)), "too many files are open: "},
		"memory":                                {fault.New(fault.AdapterCrashed, "java ended: There is insufficient memory for the Java Runtime"), "there is not enough memory: "},
		"a killed compiler":                     {fault.New(fault.BuildFailed, "go: compile: signal: killed"), "a process was killed"},
		"a killed adapter":                      {fault.New(fault.AdapterCrashed, "signal: killed"), ""},
		"no home":                               {fault.New(fault.BuildFailed, "GOCACHE is not defined and neither $XDG_CACHE_HOME nor $HOME are defined"), "there is no home"},
		"a program's words":                     {fault.New(fault.Evaluation, "OSError: No space left on device"), ""},
		"a mistake beside the name of an error": {fault.New(fault.BuildFailed, "a.py:3: invalid syntax: except MemoryError"), ""},
		"an interpreter's error":                {fault.New(fault.SessionStart, "python: MemoryError"), "there is not enough memory: "},
		"an ordinary failure":                   {fault.New(fault.BuildFailed, "undefined: x"), ""},
	}
	for name, c := range cases {
		hint := "mend the source"
		got := c.err.WithHint("%s", hint).TrueCause()
		if c.want == "" {
			if got.Message != c.err.Message || got.Hint != hint {
				t.Errorf("%s: %q, %q", name, got.Message, got.Hint)
			}
			continue
		}
		if !strings.HasPrefix(got.Message, c.want) || got.Hint == hint {
			t.Errorf("%s: %q, %q", name, got.Message, got.Hint)
		}
		if again := got.TrueCause(); again.Message != got.Message {
			t.Errorf("%s: said twice: %q", name, again.Message)
		}
	}
}
