//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// commonDir holds the copies of the tour that tests share; TestMain makes and removes it.
var commonDir string

// withCommonDir runs the tests with a directory for what they share.
func withCommonDir(run func() int) int {
	dir, err := os.MkdirTemp("", "languages")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	commonDir = dir
	return run()
}

// common is a copy of the tour, built once, for all tests that do not change it.
type common struct {
	once    sync.Once
	program *testkit.Program
}

// commons are the copies, by the names of the languages.
var commons sync.Map

// common is the copy that tests share.
func (l *language) common(t testing.TB) *testkit.Program {
	t.Helper()
	found, _ := commons.LoadOrStore(l.Name, new(common))
	c, _ := found.(*common)
	c.once.Do(func() {
		dir := filepath.Join(commonDir, l.Name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		p := testkit.NewProgramBelow(t, dir, l.folder(), "tour")
		if l.Prepare != nil {
			l.Prepare(t, p)
		}
		if l.Share != nil {
			l.Share(t, p)
		}
		c.program = p
	})
	if c.program == nil {
		t.Fatal("the program could not be built, as another test says")
	}
	return c.program.For(t)
}
