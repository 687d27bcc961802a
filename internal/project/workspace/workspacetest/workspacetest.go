// Package workspacetest lays out workspaces for the tests of how projects are detected.
package workspacetest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/testkit/filetree"
)

// Age makes files of a tree look as if they had been written some time ago.
func Age(t *testing.T, root string, by time.Duration, names ...string) {
	t.Helper()
	at := time.Now().Add(-by)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// Detect is what a tree holds, without the times at which that was written.
func Detect(t *testing.T, known workspace.Languages, root string) *workspace.Project {
	t.Helper()
	p, err := known.Detect(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tests {
		p.Tests[i].Changed = time.Time{} // is now
	}
	for i := range p.Programs {
		p.Programs[i].Changed = time.Time{}
	}
	return p
}

// Starts are the proposals for a tree.
func Starts(t *testing.T, known workspace.Languages, root string) (tests, programs []workspace.Start) {
	t.Helper()
	p, err := known.Detect(root)
	if err != nil {
		t.Fatal(err)
	}
	return p.Starts(workspace.StartFilter{})
}

// Layout is a tree of files and what is started first in it.
type Layout struct {
	Files         map[string]string
	Test, Program workspace.Start // the zero value: none
}

// Check compares what is started first.
func (l Layout) Check(t *testing.T, known workspace.Languages) {
	t.Helper()
	tests, programs := Starts(t, known, filetree.New(t, l.Files))
	first := func(list []workspace.Start) (s workspace.Start) {
		if len(list) > 0 {
			s = list[0]
			s.Framework, s.Test, s.Language = "", false, ""
		}
		return s
	}
	if diff := cmp.Diff([]workspace.Start{l.Test, l.Program}, []workspace.Start{first(tests), first(programs)}, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Found is what is compared of a project.
type Found struct {
	Programs   []workspace.Program
	Tests      []workspace.Suite
	Frameworks []workspace.Framework
}

// Project is a tree of files and all that is found in it.
type Project struct {
	Files map[string]string
	Want  Found
}

// Check compares what is found.
func (c Project) Check(t *testing.T, known workspace.Languages) {
	t.Helper()
	p := Detect(t, known, filetree.New(t, c.Files))
	if diff := cmp.Diff(c.Want, Found{p.Programs, p.Tests, p.Frameworks}, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
