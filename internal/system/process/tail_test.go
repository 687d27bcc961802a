package process

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLastLines(t *testing.T) {
	cases := []struct {
		text string
		n    int
		want string
	}{
		{"", 10, ""},
		{"one\n", 10, "one"},
		{"one\ntwo\n", 7, "one\ntwo"},
		{"one\ntwo\n", 6, "two"},
		{"one\ntwo\n", 4, "two"},
		{"one\ntwo\n", 3, "two"}, // cut exactly at the line's start
		{"one\ntwo\r\n\n", 2, "wo"},
		{"one", 0, ""},
		{"one", -5, ""},
		{"aé", 1, "�"},
	}
	for _, c := range cases {
		if got := lastLines([]byte(c.text), c.n); got != c.want {
			t.Errorf("lastLines(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestTailKeepsTheEndHoweverItIsWritten(t *testing.T) {
	var all bytes.Buffer
	var kept tail
	for all.Len() < 5*tailSize {
		part := bytes.Repeat([]byte{byte('a' + all.Len()%26)}, 1+rand.IntN(tailSize/3))
		all.Write(part)
		kept.Write(part)
		want := all.Bytes()[max(0, all.Len()-tailSize):]
		if got := kept.lastBytes(2 * tailSize); got != string(want) {
			t.Fatalf("after %d bytes the tail differs", all.Len())
		}
		if len(kept.buf) > 2*tailSize {
			t.Fatalf("the tail has grown to %d bytes", len(kept.buf))
		}
	}
	kept.Write(bytes.Repeat([]byte("z"), 3*tailSize))
	if got := kept.lastBytes(tailSize); got != strings.Repeat("z", tailSize) {
		t.Error("one large write is not kept as its end")
	}
}

func TestHeadKeepsTheBeginning(t *testing.T) {
	var h head
	h.Write([]byte("start"))
	h.Write(make([]byte, headSize))
	h.Write([]byte("end"))
	got := h.bytes()
	if !bytes.HasPrefix(got, []byte("start")) || !bytes.HasSuffix(got, []byte("\n[truncated: 8 more bytes]\n")) {
		t.Errorf("kept %q … %q", got[:10], got[len(got)-40:])
	}
}

func FuzzLastLines(f *testing.F) {
	f.Add([]byte("one\ntwo\n"), 5)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		got := lastLines(text, n)
		if !utf8.ValidString(got) {
			t.Errorf("%q is not valid", got)
		}
		if utf8.Valid(text) && !strings.Contains(got, "�") && len(got) > max(n, 0) {
			t.Errorf("%q is longer than %d", got, n)
		}
	})
}
