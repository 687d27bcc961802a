package source

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
)

func TestParseLocation(t *testing.T) {
	tests := []struct {
		in   string
		want Location
	}{
		{"42", Location{Line: 42}},
		{" 42\n", Location{Line: 42}},
		{"12:3", Location{Line: 12, Column: 3}},
		{"main.go:7", Location{File: "main.go", Line: 7}},
		{"main.go:7:12", Location{File: "main.go", Line: 7, Column: 12}},
		{"./a/../b/main.go:7", Location{File: "./a/../b/main.go", Line: 7}},
		{"/tmp/my dir/größe.go:10", Location{File: "/tmp/my dir/größe.go", Line: 10}},
		{"日本/主.go:3:4", Location{File: "日本/主.go", Line: 3, Column: 4}},
		{`C:\Users\me\x.go:9`, Location{File: `C:\Users\me\x.go`, Line: 9}},
		{`C:\Users\me\x.go:9:2`, Location{File: `C:\Users\me\x.go`, Line: 9, Column: 2}},
		{"C:/x.go:9", Location{File: "C:/x.go", Line: 9}},
		{"/odd:name/a.go:5", Location{File: "/odd:name/a.go", Line: 5}},
		{"/odd:12/a.go:5", Location{File: "/odd:12/a.go", Line: 5}},
		{"Makefile:3", Location{File: "Makefile", Line: 3}},
		{"main.main", Location{Function: "main.main"}},
		{"main.main.func1", Location{Function: "main.main.func1"}},
		{"pkg.(*T).Method", Location{Function: "pkg.(*T).Method"}},
		{"example.com/a-b/pkg.Map[go.shape.int].Get", Location{Function: "example.com/a-b/pkg.Map[go.shape.int].Get"}},
		{"std::vec::new", Location{Function: "std::vec::new"}},
		{"<impl Foo for Bar>::baz", Location{Function: "<impl Foo for Bar>::baz"}},
		{"größe", Location{Function: "größe"}},
		{"-[Foo bar:baz]", Location{Function: "-[Foo bar:baz]"}},
	}
	for _, tt := range tests {
		got, err := ParseLocation(tt.in)
		if err != nil {
			t.Errorf("ParseLocation(%q): %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseLocation(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestParseLocationErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "empty"},
		{"  \t", "empty"},
		{"0", "count from 1"},
		{"-3", "count from 1"},
		{"main.go:0", "lines count from 1"},
		{"main.go:-2", "lines count from 1"},
		{"main.go:3:0", "columns count from 1"},
		{"main.go:99999999999999999999", "too large"},
		{"main.go:3000000000", "too large"},
		{"main.go", "no line"},
		{"pkg/main.go", "no line"},
		{"main.go:", "nothing follows"},
		{"main.go:12:", "nothing follows"},
		{"main.go:abc", `"abc" in "main.go:abc" is not a line number`},
		{"main.go:12-15", "not a line number"},
		{"main.go:12:x", "not a column number"},
		{":12", "no file"},
		{"main.go::12", "no file"},
		{"foo:", "ends in a colon"},
		{"main.go:1\n2", "control character"},
		{"a\x00b", "control character"},
		{"\xff:1", "UTF-8"},
		{strings.Repeat("x", 5000), "bytes long"},
	}
	for _, tt := range tests {
		got, err := ParseLocation(tt.in)
		if err == nil {
			t.Errorf("ParseLocation(%q) = %+v, want an error with %q", tt.in, got, tt.want)
			continue
		}
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidLocation || !strings.Contains(f.Hint, "file.go:42") {
			t.Errorf("ParseLocation(%q): %#v lacks the code or the example", tt.in, err)
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParseLocation(%q): %q, want it to say %q", tt.in, err, tt.want)
		}
	}
}

func FuzzParseLocation(f *testing.F) {
	for _, s := range []string{"42", "a.go:1", "a.go:1:2", `C:\x.go:3`, "std::vec::new", "pkg.(*T).M", ":1", "a::1", "a.go:", "12:3", "+4", "x:1:2:3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLocation(s)
		if err != nil {
			if l != (Location{}) {
				t.Fatalf("%q: error and location %+v", s, l)
			}
			return
		}
		if (l.Function == "") == (l.Line == 0) || l.Line < 0 || l.Column < 0 {
			t.Fatalf("%q: neither a line nor a function, or both: %+v", s, l)
		}
		again, err := ParseLocation(l.String())
		if err != nil || again != l {
			t.Fatalf("%q: %+v is written %q, which reads %+v, %v", s, l, l.String(), again, err)
		}
	})
}
