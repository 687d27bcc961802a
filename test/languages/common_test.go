//go:build linux

package languages

import (
	"cmp"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// commonDir makes the directory of the copies of the tour that tests share. A process of
// the tests that stands in for an adapter, and is killed, never asks for it.
func commonDir(t testing.TB) string {
	t.Helper()
	dir, err := makeCommonDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var makeCommonDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp(tmp, "languages")
	commonMade = dir
	return dir, err
})

// tmp is the directory for temporary files as it is outside of the tests, which set their own.
var tmp = os.TempDir()

var commonMade string

// withCommonDir runs the tests, and removes what they have shared.
func withCommonDir(run func() int) int {
	defer func() {
		if commonMade != "" {
			_ = os.RemoveAll(commonMade)
		}
	}()
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
	found, _ := commons.LoadOrStore(cmp.Or(l.Copy, l.Name), new(common))
	c, _ := found.(*common)
	c.once.Do(func() {
		dir := filepath.Join(commonDir(t), l.Name)
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
