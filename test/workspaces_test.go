//go:build linux

package test

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// held makes the superuser a user like others, to whom a directory can be closed.
func held() []string {
	if os.Getuid() != 0 {
		return nil
	}
	return []string{"setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"}
}

// A workspace of no use is refused with what is wrong with it, and what cannot be looked
// at in one of use is named.
func TestWorkspacesOfNoUse(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "nilderef")
	in := func(name string) string { return filepath.Join(p.Dir, name) }
	for _, dir := range []string{"closed", "names", "part"} {
		if err := os.Mkdir(in(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.Write("names/main.go", "package main\n\nfunc main() {}\n")
	for dir, mode := range map[string]os.FileMode{"closed": 0, "names": 0o444, "part": 0} {
		t.Cleanup(func() { _ = os.Chmod(in(dir), 0o755) })
		if err := os.Chmod(in(dir), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("circle", in("circle")); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Through: held()})
	for dir, says := range map[string]string{
		"closed": "may not be read by this server", "names": "may not be read by this server",
		"none": "there is no directory", "circle": "leads back to itself", "main.go": "is no directory",
	} {
		for tool, args := range map[string]A{"init": {}, "session_start": {"target": "main.go"}} {
			args["workspace_root"] = in(dir)
			s.Fail("VALIDATION_INVALID_TARGET", tool, args).Has(says).Want("workspace_root", "error", "field")
		}
	}
	empty := t.TempDir()
	s.OK("init", A{"workspace_root": empty}).Has("no source file of a known language")
	s.Fail("VALIDATION_MISSING_PARAM", "session_start", A{"workspace_root": empty}).Has("no program and no test was found")
	s.OK("init", nil).Has("may not be read by this server: closed, part")
}
