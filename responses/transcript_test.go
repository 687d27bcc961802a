package responses

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func story(steps int) *Transcript {
	at := time.Date(2026, 11, 22, 14, 3, 11, 0, time.UTC)
	t := &Transcript{
		Session: "go-1", Program: "./cmd/shop", Kind: "go, launch", Made: "aidb-mcp 1.2.0 on linux/amd64", Started: at,
		Standing: "stopped at exception at order.go:31 in (*Order).total",
		Steps: []TranscriptStep{
			{N: 1, At: at, Tool: "session_start", Args: `{"target":"./cmd/shop","breakpoints":[{"file":"order.go","line":28}]}`,
				Outcome: "stopped at breakpoint 1, order.go:28 in (*Order).total", Took: 1240 * time.Millisecond, Found: []string{"→ for _, i := range o.items {"}},
			{N: 2, At: at.Add(4 * time.Second), Tool: "inspect", Args: `{"expression":"o.itmes"}`, Outcome: "AIDB_EVALUATION_FAILED: o has no field itmes", Failed: true},
		},
		Where: &Context{
			Location: "order.go:31", Function: "(*Order).total", Exception: &Exception{Type: "panic", Message: "index out of range [3] with length 3"},
			Snapshot: &Snapshot{First: 30, Current: 31, Lines: []string{"\tfor n := 0; n <= len(o.items); n++ {", "\t\tsum += o.items[n].price", "\t}"}},
			Locals:   NewVariables([]Variable{{Name: "n", Value: "3", Type: "int"}, {Name: "sum", Value: "42", Type: "int"}}, Page{What: "locals", Total: 9}),
			Stack:    &Stack{Frames: []Frame{{Function: "(*Order).total", Location: "order.go:31"}, {Function: "main.main", Location: "main.go:12"}}, Page: Page{What: "stack frames", Total: 2}},
			Breakpoints: NewList([]Breakpoint{
				{ID: 1, Location: "order.go:28", Verified: true, Hits: 1, Condition: "len(`x`) > 1"},
				{ID: 2, Function: "main.nope", Message: "there is no function <nope>", HitCondition: "%5"},
			}, Page{}),
			Values: NewList([]ValueTrail{{Name: "n", Seen: []string{"order.go:28: 0", "order.go:31: 3"}}}, Page{}),
		},
		Printed: []TranscriptOutput{{Stream: "stdout", Lines: []string{"begin", "```", "\x1b[31mred"}, Total: 40}, {Stream: "stderr"}},
	}
	for n := 3; n <= steps; n++ {
		t.Steps = append(t.Steps, TranscriptStep{
			N: n, At: at.Add(time.Duration(n) * time.Second), Tool: "step", Outcome: fmt.Sprintf("stepped to order.go:%d in __init__", n),
			Found: []string{"→ " + strings.Repeat("x", 100), "n: 1 → 2"},
		})
	}
	return t
}

// The transcript as people read it.
func TestTranscriptGolden(t *testing.T) {
	for name, text := range map[string]string{"transcript": story(3).Markdown(20_000), "transcript_long": story(60).Markdown(4000)} {
		path := filepath.Join("testdata", name+".md")
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("run go test ./responses -update if this is meant (-want +got):\n%s", diff)
		}
	}
}

// However much was done, a transcript keeps its length, its first and its last step.
func TestTranscriptIsBounded(t *testing.T) {
	for _, steps := range []int{2, 10, 30, 100} {
		for _, max := range []int{3000, 8000, 20_000} {
			text := story(steps).Markdown(max)
			if len(text) > max+300 {
				t.Errorf("%d steps take %d bytes of %d", steps, len(text), max)
			}
			if !strings.Contains(text, "\n1. ") || !strings.Contains(text, fmt.Sprintf("\n%d. ", steps)) {
				t.Errorf("%d steps in %d bytes: the first or the last is missing", steps, max)
			}
		}
	}
	same := &Transcript{Steps: []TranscriptStep{{N: 1, Tool: "step"}, {N: 2, Tool: "execute", Outcome: "running"}, {N: 3, Tool: "execute", Outcome: "running"}, {N: 4, Tool: "execute", Outcome: "running"}}}
	if text := same.Markdown(1000); !strings.Contains(text, "running – and the same again, up to step 4") || strings.Contains(text, "\n3. ") {
		t.Error(text)
	}
	if text := (&Transcript{Session: "go-1"}).Markdown(1000); !strings.Contains(text, "Nothing was asked of it yet") {
		t.Error(text)
	}
	if text := (&Transcript{Earlier: 7, Steps: []TranscriptStep{{N: 8}}}).Markdown(1000); !strings.Contains(text, "7 steps before these") {
		t.Error(text)
	}
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"Foo.<init>":           `Foo.\<init>`,
		"__init__ of my_name":  `\_\_init\_\_ of my_name`,
		"a*b* `c` | d":         "a\\*b\\* \\`c\\` \\| d",
		"values = [1,2]":       "values = [1,2]",
		"see [here](http://x)": `see \[here](http://x)`,
		"two\n lines":          "two lines",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := code("a ` b"); got != "`` a ` b ``" {
		t.Error(got)
	}
	if got := Plain("a\x1b[0m\r\nb\u202ec\xff"); got != "a\\x1b[0m\nb\\u202ec\uFFFD" {
		t.Errorf("%q", got)
	}
}

func TestGist(t *testing.T) {
	nine := []Variable{}
	for n := range 9 {
		nine = append(nine, Variable{Name: fmt.Sprintf("v%d", n), Value: strings.Repeat("x", n*40)})
	}
	stop := &StopView{
		Snapshot: &Snapshot{First: 6, Current: 7, Lines: []string{"a", "\tb := 1", "c"}}, Changed: Changes{{"x", "1", "2"}},
		Exception: &Exception{Message: "boom"}, Stack: &Stack{Frames: []Frame{{Function: "f", Location: "a.go:7"}}},
		Returned: NewVariables([]Variable{{Name: "f", Value: "3\n4"}}, Page{}),
	}
	if diff := cmp.Diff([]string{"→ b := 1", "x: 1 → 2", "returned f = 3 …", "f a.go:7"}, Gist(stop)); diff != "" {
		t.Error(diff)
	}
	lines := Gist(&Inspection{Locals: NewVariables(nine, Page{})})
	if len(lines) != 9 || lines[8] != "… and 1 more" || len(lines[7]) > 170 {
		t.Errorf("%q", lines)
	}
	threads := NewList([]Thread{{ID: 1, Waiting: "chan receive", Stack: &Stack{Frames: []Frame{{Function: "main.f"}}}}, {ID: 2, Count: 3}}, Page{})
	if diff := cmp.Diff([]string{"thread 1, chan receive: main.f", "3 threads"}, Gist(&Inspection{Threads: threads})); diff != "" {
		t.Error(diff)
	}
	if Gist(nil) != nil || Gist(&StopView{}) != nil {
		t.Error("nothing has a gist")
	}
}
