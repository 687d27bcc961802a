package weave

import (
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

const unknownProgram = `package main

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
)

type own struct{}

func (own) Read(b []byte) (int, error) {
	b[0] = 5 // 14: of the interface
	return 1, nil
}

func set(list []int) {
	list[0] = 6 // 19: of the variable
}

func main() {
	list := []int{3, 1}
	change := sort.Ints
	change(list) // 25: the library's
	change = set
	change(list)
	b := make([]byte, 1)
	var from io.Reader = strings.NewReader("x")
	_, _ = from.Read(b) // 30: the library's
	from = own{}
	_, _ = from.Read(b)
	sort.Slice(list, func(i, j int) bool {
		list[1] = 7 // 34: called by the library
		return false
	})
	var s struct {
		sync.Mutex
		n int
	}
	s.n = 1
	s.Lock()
	list[0] = 8
	fmt.Println(list, b, s.n) // 44
}
`

// What a call changes whose function is known only as it runs is noted once: where that
// is one of the program's own, by its own statement.
func TestWhatIsChangedByAFunctionKnownOnlyAsItRuns(t *testing.T) {
	log, _ := run(t, "main.go", unknownProgram, recording.Spec{Writes: &recording.Writes{All: true}})
	var got []string
	for _, e := range log.Events {
		_, line := recording.FileLine(e.At)
		if e.Kind == recording.Write && line > 13 && strings.ContainsAny(e.Values[0].Text, "0123456789") && !strings.Contains(e.Values[0].Text, "len") {
			got = append(got, e.At[strings.LastIndexByte(e.At, ':')+1:]+" "+e.Values[0].Text+" "+e.Values[1].Text)
		}
	}
	got = slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "{") || strings.HasPrefix(s, "41 ") }) // of the readers, and s.n
	want := []string{"25 3 1", "25 1 3", "19 1 6", "30 0 120", "14 120 5", "34 3 7", "43 6 8"}
	if !slices.Equal(got, want) {
		t.Errorf("the writes are %q, not %q", got, want)
	}
}

// A value that was asked about is told with its parts that were written to last, as they
// are now; its memory has another sum only where it was written to.
func TestTheMemoryOfAValueTellsThatItWasWrittenTo(t *testing.T) {
	spec := recording.Spec{
		Values: []recording.Values{{Line: 44, Expressions: []string{"list"}, Places: true}}, Writes: &recording.Writes{All: true},
	}
	log, _ := run(t, "main.go", unknownProgram, spec)
	var sums []string
	var parts []string
	for _, e := range log.Events {
		_, line := recording.FileLine(e.At)
		for i, name := range e.Names {
			if e.Kind == recording.Use && name == "list" && (line == 25 || line == 27 || line == 44) {
				sums = append(sums, e.Values[i].Memory())
			}
		}
		if e.Kind == recording.Hit {
			for _, p := range e.Values[0].Parts() {
				parts = append(parts, p.Text)
			}
		}
	}
	if len(sums) != 3 || sums[0] == "" || sums[0] == sums[1] || sums[1] == sums[2] {
		t.Errorf("the sums of what was written to in between are %q", sums)
	}
	if !slices.Equal(parts, []string{"8", "7"}) {
		t.Errorf("the parts that were written to are %q", parts)
	}
}
