package output

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/text/pattern"
)

func TestRing(t *testing.T) {
	r := ring{limit: 10}
	for i := range 25 {
		r.write([]byte{byte('a' + i)})
	}
	if first, b := r.from(0); string(b) != "pqrstuvwxy" || first != 15 {
		t.Errorf("%d %q", first, b)
	}
	r.write([]byte("0123456789ABCDEF"))
	if first, b := r.from(0); string(b) != "6789ABCDEF" || first != 31 {
		t.Errorf("%d %q", first, b)
	}
	if _, b := r.from(39); string(b) != "EF" {
		t.Errorf("%q", b)
	}
	if len(r.buf) != 10 {
		t.Errorf("holds %d bytes", len(r.buf))
	}
}

func TestTakeKeepsWholeLines(t *testing.T) {
	b := New(100, nil)
	for _, c := range []struct {
		printed string
		limit   int
		want    Tail
	}{
		{"first line\nsecond line\nthird\n", 20, Tail{Text: "second line\nthird\n", Cut: 11}},
		{"", 20, Tail{}}, // never shown twice
		{"é\xc3", 20, Tail{Text: "é"}},
		{"\xa9\xff!", 20, Tail{Text: "é\uFFFD!"}},
		{strings.Repeat("é", 40), 5, Tail{Text: "éé", Cut: 76, Partial: true}},
		{strings.Repeat("é", 200), 5, Tail{Text: "éé", Cut: 96, Lost: 300, Partial: true}},
	} {
		b.Write(Stdout, c.printed)
		if got := b.Take(Stdout, c.limit); got != c.want {
			t.Errorf("%.20q: took %+v, want %+v", c.printed, got, c.want)
		}
	}
}

// Colours say nothing to a reader of text; any other sequence is kept.
func TestColoursAreLeftOut(t *testing.T) {
	b := New(1000, nil)
	b.Write(Stdout, "\x1b[1;31mFAIL\x1b[0m \x1b[38:5:208mtest\x1b[m\n\x1b[2Kdone\n")
	if got := b.Read(Stdout, Page{Count: 9}).Lines; !slices.Equal(got, []string{"FAIL test", "\x1b[2Kdone"}) {
		t.Errorf("read %q", got)
	}
	if got := b.Take(Stdout, 100).Text; got != "FAIL test\n\x1b[2Kdone\n" {
		t.Errorf("took %q", got)
	}
}

func TestRead(t *testing.T) {
	b := New(1000, nil)
	for i := range 50 {
		b.Write(Stderr, fmt.Sprintf("line %d\r\n", i))
	}
	for _, c := range []struct {
		page  Page
		lines []string
		start int
		total int
	}{
		{Page{Start: -2, Count: 10}, []string{"line 48", "line 49"}, 48, 50},
		{Page{Start: 0, Count: 1, Filter: "line 3"}, []string{"line 3"}, 0, 11},
		{Page{Start: 60, Count: 1}, nil, 50, 50},
		{Page{Start: -60, Count: 1}, []string{"line 0"}, 0, 50},
	} {
		got := b.Read(Stderr, c.page)
		if !slices.Equal(got.Lines, c.lines) || got.Start != c.start || got.Total != c.total || got.Lost != 0 {
			t.Errorf("%+v: %+v", c.page, got)
		}
	}
	if got := b.Read(Stdout, Page{Count: 9}); got.Total != 0 {
		t.Errorf("the streams are mixed: %+v", got)
	}
	b.Write(Stderr, strings.Repeat("x", 999)+"\n")
	if got := b.Read(Stderr, Page{Count: 9}); got.Total != 1 || got.Lost != 440 {
		t.Errorf("%d lines, lost %d", got.Total, got.Lost)
	}
}

func TestNoiseIsLeftOut(t *testing.T) {
	b := New(1000, nil)
	b.Mute(func(stream, line string) bool { return stream == Stderr && line == "noise" }, pattern.New(`;ours\d`))
	b.Write(Stderr, "a;ours1\nnoise\nb\n")
	b.Write(Stdout, "noise\n")
	if got := b.Read(Stderr, Page{Count: 9}).Lines; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("read %q", got)
	}
	if out, err := b.Take(Stdout, 99).Text, b.Take(Stderr, 99).Text; out != "noise\n" || err != "a\nb\n" {
		t.Errorf("took %q and %q", out, err)
	}
}

// What logpoints write again and again takes one line; a program's own lines stay as they are.
func TestEqualLogLinesAreFolded(t *testing.T) {
	const printed = "i=1\nsame\nsame\nsame\ni=2\nsame\n"
	b := New(1000, nil)
	for _, stream := range []string{Log, Stdout} {
		b.Write(stream, printed)
	}
	if got := b.Take(Log, 99).Text; got != "i=1\nsame (3 times)\ni=2\nsame\n" {
		t.Errorf("log %q", got)
	}
	if got := b.Read(Log, Page{Start: 1, Count: 1}); got.Total != 4 || got.Lines[0] != "same (3 times)" {
		t.Errorf("log %+v", got)
	}
	if got := b.Take(Stdout, 99).Text; got != printed {
		t.Errorf("stdout %q", got)
	}
}

// TestStreamsAreSyncedAtAStop uses real pipes: what was written before a stop
// is there at once, and a flood never waits for a reader.
func TestStreamsAreSyncedAtAStop(t *testing.T) {
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer outR.Close()
	defer errR.Close()
	o := New(1<<20, nil)
	o.Attach(outR, errR)
	for i := range 200 {
		text := fmt.Sprintf("%d\n", i)
		fmt.Fprint(outW, text)
		fmt.Fprint(errW, text)
		o.Drain()
		for _, stream := range []string{Stdout, Stderr} {
			if got := o.Take(stream, 100).Text; got != text {
				t.Fatalf("%s %q, wanted %q", stream, got, text)
			}
		}
	}
	line := []byte(strings.Repeat("x", 1023) + "\n")
	for range 100 << 10 {
		if _, err := outW.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprint(outW, "the end\n")
	outW.Close()
	errW.Close()
	o.Drain()
	tail := o.Take(Stdout, 2000)
	if !strings.HasSuffix(tail.Text, "the end\n") || tail.Lost+tail.Cut+len(tail.Text) != 100<<20+8 {
		t.Errorf("tail %q, lost %d, cut %d", tail.Text[max(0, len(tail.Text)-20):], tail.Lost, tail.Cut)
	}
	if n := len(o.stdout.ring.buf); n != 1<<20 {
		t.Errorf("the ring holds %d bytes", n)
	}
}
