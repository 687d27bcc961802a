package handle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestSpelling(t *testing.T) {
	seen := map[string]bool{}
	for i := range 1000 {
		h := Mint(fmt.Sprintf("go-%d", i), "x7Qa2k", "w7")
		text := h.String()
		if seen[h.Secret] || len(h.Secret) != secretSize {
			t.Fatalf("the secret %q", h.Secret)
		}
		seen[h.Secret] = true
		again, err := Parse(text)
		if err != nil || again != h || !again.Same(h) {
			t.Fatalf("%s is parsed as %+v, %v", text, again, err)
		}
	}
	if h, err := Parse(Mint("my.own.h1.name", "m-1", "w_2").String()); err != nil || h.Name != "my.own.h1.name" {
		t.Errorf("a name with dots: %+v, %v", h, err)
	}
	if a, b := Mint("go-1", "m", "w1"), Mint("go-1", "m", "w1"); a.Same(b) {
		t.Error("two handles are one")
	}
}

func TestWhatIsNoHandle(t *testing.T) {
	good := Mint("go-1", "m", "w1").String()
	for text, want := range map[string]error{
		"":                                       ErrNone,
		"go-1":                                   ErrNone,
		"my.own.name":                            ErrNone,
		"h1":                                     ErrNone,
		"h1.m.w1." + good[len(good)-22:]:         ErrNone, // it has no name
		good[:len(good)-1]:                       ErrMangled,
		good + "x":                               ErrMangled,
		good + ".x":                              ErrMangled,
		"go-1.h1.m.w1":                           ErrMangled,
		"go-1.h1":                                ErrMangled,
		"go-1.h1.m.w/1." + good[len(good)-22:]:   ErrMangled,
		"go-1.h1..w1." + good[len(good)-22:]:     ErrMangled,
		strings.Replace(good, ".h1.", ".h2.", 1): ErrVersion,
		strings.Replace(good, ".h1.", ".h12.a.", 1): ErrVersion,
		strings.Repeat("a", 100) + good:             ErrMangled,
		strings.Repeat("a.", 1e5):                   ErrNone,
		good[:len(good)-1] + "é":                    ErrMangled,
	} {
		if h, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("%.60q is %+v, %v, want %v", text, h, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"w1": true, "build-host_2": true, "-": true, "": false, "a.b": false, "a b": false, "ä": false, "*": false, ">": false, strings.Repeat("a", 33): false} {
		if IsName(name) != want {
			t.Errorf("%q is a name: %v", name, !want)
		}
	}
	if m := NewMachine(); !IsName(m) || m == NewMachine() {
		t.Errorf("a machine is called %q", m)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("go-1.h1.m.w1.0123456789012345678901")
	f.Add("..h1....")
	f.Fuzz(func(t *testing.T, text string) {
		if h, err := Parse(text); err == nil && h.String() != text {
			t.Errorf("%q comes back as %q", text, h)
		}
	})
}

func TestBook(t *testing.T) {
	b := NewBook()
	one, two := Session{ID: "one", Language: "go"}, Session{ID: "two", Language: "python"}
	b.Tell("ada", "w1", []Session{one, two})
	b.Tell("bob", "w2", []Session{{ID: "three"}})
	is := func(principal, id string, want Fate) {
		t.Helper()
		if e, ok := b.Find(principal, id); ok != (want != 0) || e.Fate != want {
			t.Errorf("%s of %s is %+v, %v", id, principal, e, ok)
		}
	}
	is("ada", "one", Live)
	is("bob", "one", 0)
	is("eve", "one", 0)
	if live := b.Live("ada"); len(live) != 2 || live[0].ID != "one" || live[0].Worker != "w1" {
		t.Errorf("ada has %+v", live)
	}
	b.Tell("ada", "w1", []Session{two})
	is("ada", "one", Ended)
	b.Tell("ada", "w1", []Session{one, two})
	is("ada", "one", Live)
	b.Close("ada", "w1", Lost, "killed")
	is("ada", "one", Lost)
	is("ada", "two", Lost)
	is("bob", "three", Live)
	if len(b.Live("ada")) != 0 {
		t.Error("ada has sessions still")
	}
}

func TestBookForgets(t *testing.T) {
	b := NewBook()
	for p := range 150 {
		principal := fmt.Sprint("p", p)
		for i := range 2 * maxGone {
			b.Tell(principal, "w", []Session{{ID: fmt.Sprint(i)}})
		}
		b.Close(principal, "w", Ended, "")
		if s := b.of[principal]; len(s.gone) != maxGone || len(s.old) != maxGone {
			t.Fatalf("%d and %d are kept", len(s.gone), len(s.old))
		}
	}
	if len(b.gone) != maxGoneOfAll || len(b.of) != maxGoneOfAll/maxGone {
		t.Errorf("%d of %d principals are kept", len(b.gone), len(b.of))
	}
}
