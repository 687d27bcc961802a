package brief

import (
	"testing"
	"time"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"short", 5, "short"}, {"longer", 5, "lo…"}, {"ééé", 5, "é…"}, {"abcd", 2, ""},
	} {
		if got := Text(c.in, c.most); got != c.want {
			t.Errorf("Text(%q, %d) = %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		850*time.Millisecond + 300*time.Microsecond: "850ms", 2540 * time.Millisecond: "2.5s", 200400 * time.Millisecond: "3m20s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %s, want %s", d, got, want)
		}
	}
}
