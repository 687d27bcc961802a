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
	s.Frames = []Frame{{"json.decode", "decode.go:1", true}, {"json.read", "decode.go:2", true}, {"json.Read", "decode.go:3", true}, {"main.main", "main.go:9", false}}
	want = []string{"json.decode decode.go:1", "(2 library frames: 1 to 2)", "main.main main.go:9"}
	if got := s.lines(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("of a stop in a library got %q, want %q", got, want)
	}
}

// A line that is cut says so, and going on with it comes to its end.
func TestPrintedLinesAreCut(t *testing.T) {
	const text = "é\x1b[1mabcdefghij"
	whole, from := "", 0
	for range 20 {
		p := &Printed{
			Stream: "stdout", Lines: []Line{NewLine(text, from, 8)}, Start: 7, Total: 9,
			Rest: func(line, from int) Call { return NewCall("inspect", "start", line, "address", from) },
		}
		line := p.Lines[0]
		whole, from = whole+line.Text, line.From+len(line.Text)
		shown := line.String()
		if strings.HasSuffix(shown, "…") != (from < len(text)) || strings.HasPrefix(shown, "…") != (line.From > 0) {
			t.Errorf("shown %q", shown)
		}
		left := p.omissions()
		if len(left) == 0 {
			break
		}
		if o := left[0]; o.What != "stdout line 7 (bytes)" || o.Shown != from || o.Total != len(text) || o.Get == nil {
			t.Fatalf("omitted %+v", o)
		}
	}
	if whole != text {
		t.Errorf("read %q", whole)
	}
	if l := NewLine(text, 1, 8); l.From != 0 {
		t.Errorf("begins within a character: %+v", l)
	}
}

// Of the last lines the newest stay; of a page that was asked for, the first.
func TestPrintedLinesAreTrimmed(t *testing.T) {
	for _, tail := range []bool{false, true} {
		p := &Printed{Stream: "log", Start: 3, Total: 8, Tail: tail}
		p.Page = func(start, count int) Call { return NewCall("inspect", "start", start, "count", count) }
		for _, text := range []string{"a", "b", "c", "d"} {
			p.Lines = append(p.Lines, NewLine(text, 0, 9))
		}
		if !p.trim(2)(1000) || p.trim(2)(1000) {
			t.Fatal("not trimmed once")
		}
		got := p.Lines[0].Text + p.Lines[1].Text
		left := p.omissions()
		switch {
		case len(left) != 2:
			t.Errorf("omitted %+v", left)
		case tail && (got != "cd" || p.Start != 5 || left[0].Total != 1 || left[1].Total != 5):
			t.Errorf("of the tail %q stay, omitted %+v", got, left)
		case !tail && (got != "ab" || p.Start != 3 || left[0].Total != 3 || left[1].Total != 3):
			t.Errorf("of the page %q stay, omitted %+v", got, left)
		}
	}
}
