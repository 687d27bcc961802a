package responses

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"short", 5, "short"},
		{"longer", 5, "lo…"},
		{"ééé", 5, "é…"}, // never half a character
		{"abcd", 2, ""},
	} {
		if got := Shorten(c.in, c.max); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"one\ntwo\n", 20, "one\ntwo\n"},
		{"one\ntwo\n", 6, "two\n"}, // whole lines
		{"one\ntwo\n", 4, "two\n"},
		{"one\ntwo", 3, "two"},
		{"abcdefgh", 3, "fgh"}, // a line longer than the limit
		{"xéé", 3, "é"},
		{"abc", 0, ""},
	} {
		if got := Tail(c.in, c.max); got != c.want {
			t.Errorf("Tail(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestSnapshotFormat(t *testing.T) {
	s := &Snapshot{First: 9, Current: 10, Lines: []string{"a := 1", "\tb := 2  ", ""}}
	const want = " 9  a := 1\n10→ \tb := 2\n11"
	if got := s.Format(); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// A minified line is shown round its column, other lines from their beginning.
func TestSnapshotWindowsLongLines(t *testing.T) {
	long := strings.Repeat("a", 1000) + "HERE" + strings.Repeat("b", 1000)
	s := &Snapshot{First: 1, Current: 2, Column: 1002, Lines: []string{long, long}}
	lines := strings.Split(s.Format(), "\n")
	if strings.Contains(lines[0], "HERE") || !strings.HasSuffix(lines[0], "…") {
		t.Errorf("the other line: %q", lines[0])
	}
	if !strings.Contains(lines[1], "HERE") || !strings.HasPrefix(lines[1], "2→ …") {
		t.Errorf("the current line: %q", lines[1])
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > lineWidth+6 {
			t.Errorf("%d characters", n)
		}
	}
}

func TestStackFoldsLibraryFrames(t *testing.T) {
	s := &Stack{Frames: []Frame{
		{"main.less", "main.go:3", false}, {"sort.insertion", "sort.go:1", true}, {"sort.Sort", "sort.go:2", true},
		{"main.main", "main.go:9", false}, {"runtime.main", "proc.go:283", true},
	}}
	want := []string{"main.less main.go:3", "(2 library frames: 1 to 2)", "main.main main.go:9", "runtime.main proc.go:283"}
	if got := s.lines(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}
