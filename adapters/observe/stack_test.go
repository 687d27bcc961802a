//go:build linux && amd64

package observe

import (
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording/live"
)

// stackText are the functions of a row's stack, the innermost first, and what is said of the rest.
func stackText(r live.Row) string {
	var list []string
	for _, f := range r.Stack {
		list = append(list, f.Function)
	}
	text := strings.Join(append(list, r.Rest), " ")
	return strings.Replace(text, strings.Repeat(" down", 22)+" down", strings.Repeat(" down", 22), 1) // one more where the function has no frame
}

// The callers of a hit are those that the source has, in the languages whose code keeps frame
// pointers; in others it is said where they end.
func TestStacks(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			pid := p.run(t)
			want := map[string]string{
				"c": "total serve main ", "cpp": "shop::Order::total shop::Order::serve main ",
				"rs": "Order::total Order::serve Order::serve keeps no frame pointer", "go": "main.total main.(*order).serve main.main runtime.main runtime.goexit ",
			}[p.language]
			for _, spec := range []live.Spec{
				{Functions: []string{p.total}, Stack: true},
				{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{p.sum}, Stack: true},
			} {
				r, may := arm(t, pid, spec)
				if !may {
					return
				}
				seen := 0
				for _, row := range rows(t, r, 5) {
					if row.Kind == live.Leave {
						continue
					}
					seen++
					if got := strings.ReplaceAll(stackText(row), "orders::", ""); got != want {
						t.Fatalf("got %q, want %q", got, want)
					}
				}
				if seen == 0 {
					t.Fatal("no row has a stack")
				}
			}
		})
	}
}

// deep is a program whose stacks are known.
func deep(name string, flags ...string) program {
	return program{source: "deep", name: name, language: "c", build: append([]string{"gcc", "-g"}, append(flags, "-o", "OUT", "FILE")...)}
}

// What is optimized has the callers as far as frame pointers lead, what is deeper is said to be, and
// of who is called by a library it is not known who has called that.
func TestStacksThatEnd(t *testing.T) {
	for name, c := range map[string]struct {
		flags []string
		want  []string
	}{
		"with frame pointers": {[]string{"-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"}, []string{
			"leaf middle main ", "leaf middle" + strings.Repeat(" down", 22) + " it is deeper than 24 calls", "leaf compare libc.so.6 who has called that is not known",
		}},
		"without": {[]string{"-O1", "-fomit-frame-pointer", "-fno-optimize-sibling-calls"}, []string{
			"leaf middle middle keeps no frame pointer", "leaf compare compare keeps no frame pointer",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := deep(strings.ReplaceAll(name, " ", "-"), c.flags...)
			r, may := arm(t, p.run(t), live.Spec{Functions: []string{"leaf"}, Stack: true})
			if !may {
				return
			}
			got := map[string]bool{}
			list := rows(t, r, 40)
			r.Close() // rows that are read afterwards have their callers too
			for more := []live.Row{{}}; len(more) > 0; {
				more, _ = r.Read(1000)
				list = append(list, more...)
			}
			for _, row := range list {
				if row.Kind == live.Enter {
					got[stackText(row)] = true
				}
			}
			for _, want := range c.want {
				if !got[want] {
					t.Errorf("there is no %q among %v", want, got)
				}
				delete(got, want)
			}
			for other := range got {
				t.Errorf("there is %q", other)
			}
		})
	}
}

// Writes have the callers, too.
func TestStacksOfWrites(t *testing.T) {
	t.Parallel()
	r, may := arm(t, deep("plain", "-O0").run(t), live.Spec{Written: "hits", Stack: true})
	if !may {
		return
	}
	known := map[string]bool{"leaf middle main ": true, "leaf compare libc.so.6 who has called that is not known": true}
	known["leaf middle"+strings.Repeat(" down", 22)+" it is deeper than 24 calls"] = true
	for _, row := range rows(t, r, 20) {
		if got := stackText(row); !known[got] {
			t.Errorf("there is %q", got)
		}
	}
}

// A global that a header declares is found at a line, too.
func TestDeclaredGlobals(t *testing.T) {
	t.Parallel()
	p := deep("plain", "-O0")
	p.mark = "return n * 3"
	r, may := arm(t, p.run(t), live.Spec{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{"hits", "n"}})
	if !may {
		return
	}
	last := 0
	for _, row := range rows(t, r, 20) {
		v := values(t, row)
		if len(v) != 2 || last != 0 && v["hits"] != last+v["n"] {
			t.Fatalf("after %d: %+v", last, row)
		}
		last = v["hits"]
	}
}
