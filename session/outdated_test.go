package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/adapters"
)

// A source that is newer than the program which runs is told of once, where that was there
// before the session.
func TestASourceThatIsNewerThanTheProgram(t *testing.T) {
	dir := t.TempDir()
	built := time.Now().Add(-time.Hour)
	file := func(name string, at time.Time) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := file("app", built)
	older, newer := Frame{File: file("older.c", built.Add(-time.Minute))}, Frame{File: file("newer.c", built.Add(time.Minute))}
	for name, c := range map[string]struct {
		program string
		stack   []Frame
		told    bool
	}{
		"all are older":             {program, []Frame{older, {}}, false},
		"a caller's is newer":       {program, []Frame{older, newer}, true},
		"it was built for this":     {"", []Frame{newer}, false},
		"the program is gone":       {filepath.Join(dir, "gone"), []Frame{newer}, false},
		"the source is not to find": {program, []Frame{{File: filepath.Join(dir, "gone.c")}}, false},
	} {
		s := &Session{}
		l := &run{s: s}
		l.planned.Store(&adapters.Plan{Program: c.program})
		s.current.Store(l)
		if first, again := s.outdatedSource(c.stack), s.outdatedSource(c.stack); (first != "") != c.told || again != "" || c.told && !strings.Contains(first, "newer.c is newer than the program") {
			t.Errorf("%s: it says %q, and then %q", name, first, again)
		}
	}
}
