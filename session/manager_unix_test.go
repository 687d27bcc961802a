//go:build unix

package session

import (
	"cmp"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// Neither a compiler nor an interpreter is given a named pipe or a device, and no
// debugger a breakpoint in one, for which it would read it.
func TestAPipeIsNoProgramAndNoSource(t *testing.T) {
	dir := t.TempDir()
	boundedfiletest.Endless(t, filepath.Join(dir, "main.go"), filepath.Join(dir, "zero.go"))
	m := NewManager(Options{Registry: adapters.NewRegistry(&fakeAdapter{t: t})})
	for want, file := range map[string]string{"main.go is a named pipe": "main.go", "/dev/zero is a device": "/dev/zero"} {
		_, err := m.Open(StartRequest{Program: adapters.Request{Target: ".", Workspace: dir}, Break: []BreakpointSpec{{File: file, Line: 1}}})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidLocation || !strings.Contains(f.Message, want) {
			t.Errorf("a breakpoint in %s: %v", file, err)
		}
	}
	for want, r := range map[string]adapters.Request{
		"target main.go is a named pipe":                        {Target: "main.go"},
		"target /dev/zero is a device":                          {Target: "/dev/zero"},
		"core_file main.go is a named pipe":                     {Target: ".", CoreFile: "main.go"},
		"workspace_root " + dir + "/main.go is no directory":    {Target: "x.go", Workspace: filepath.Join(dir, "main.go")},
		"workspace_root there is no directory " + dir + "/none": {Target: "x.go", Workspace: filepath.Join(dir, "none")},
	} {
		r.Workspace = cmp.Or(r.Workspace, dir)
		_, err := m.Open(StartRequest{Program: r})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidTarget || !strings.Contains(f.Field+" "+f.Message, want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
