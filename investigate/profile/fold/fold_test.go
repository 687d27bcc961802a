package fold

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"aidb-mcp/internal/profiling"
)

// stack reads "leaf:1 caller:2 …", the innermost first; a name that begins with lib is of a
// library.
func stack(text string) []profiling.Frame {
	var list []profiling.Frame
	for part := range strings.FieldsSeq(text) {
		name, line, _ := strings.Cut(part, ":")
		n := 0
		for _, c := range line {
			n = n*10 + int(c-'0')
		}
		list = append(list, profiling.Frame{Function: name, File: name + ".go", Line: n})
	}
	return list
}

func isLib(f *profile.Function) bool { return strings.HasPrefix(f.Name, "lib") }

// shown is a row as the tests compare it.
type shown struct {
	At          string
	Self, Total int64
	Called      string
}

func show(rows []Row) []shown {
	var list []shown
	for _, r := range rows {
		s := shown{At: r.Function, Self: r.Self, Total: r.Total}
		if r.Line > 0 {
			s.At += ":" + string(rune('0'+r.Line))
		}
		for _, part := range r.Called {
			s.Called += part.Name + " "
		}
		list = append(list, s)
	}
	return list
}

func TestFold(t *testing.T) {
	b := profiling.NewBuilder(profiling.CPU)
	b.Add(stack("work:1 main:5"), nil, 7, 700)
	b.Add(stack("libcopy:1 libmove:2 work:2 main:5"), nil, 2, 200)
	b.Add(stack("fib:3 fib:3 fib:3 main:6"), nil, 4, 400) // it calls itself: counted once
	b.Add(stack("libgc:9 libstart:1"), nil, 1, 100)       // none of the user's
	f := Fold(b.Profile(), isLib)
	if f.Samples != 14 || f.Sum != 1400 || !f.Timed {
		t.Errorf("%d samples of %d, timed %v", f.Samples, f.Sum, f.Timed)
	}
	want := []shown{
		{"work:1", 700, 700, ""}, {"fib:3", 400, 400, ""}, {"work:2", 200, 200, "libmove "}, {"libstart", 100, 100, "libgc "},
		{"main:5", 0, 900, ""}, {"main:6", 0, 400, ""},
	}
	if diff := cmp.Diff(want, show(f.Lines)); diff != "" {
		t.Error(diff)
	}
	want = []shown{{"work:1", 900, 900, "libmove "}, {"fib:3", 400, 400, ""}, {"libstart", 100, 100, "libgc "}, {"main", 0, 1300, ""}}
	if diff := cmp.Diff(want, show(f.Functions)); diff != "" {
		t.Error(diff)
	}
	want = []shown{{"main:5", 0, 1300, ""}, {"work:1", 900, 900, ""}}
	if diff := cmp.Diff(want, show(f.Way)); diff != "" {
		t.Error(diff)
	}
}

// Of two functions that call each other no value is counted twice.
func TestFoldMutualRecursion(t *testing.T) {
	b := profiling.NewBuilder(profiling.CPU)
	b.Add(stack("odd:1 even:2 odd:1 even:2 main:3"), nil, 1, 10)
	f := Fold(b.Profile(), isLib)
	for _, r := range append(f.Lines, f.Functions...) {
		if r.Total != 10 {
			t.Errorf("%s has %d of 10", r.Function, r.Total)
		}
	}
}

func TestFoldWithoutSamples(t *testing.T) {
	f := Fold(profiling.NewBuilder(profiling.CPU).Profile(), isLib)
	if f.Samples != 0 || len(f.Lines) != 0 || len(f.Way) != 0 {
		t.Errorf("%+v", f)
	}
}

func TestFoldWaits(t *testing.T) {
	b := profiling.NewBuilder(profiling.Waits)
	b.Add(stack("liblock:1 take:2"), map[string]string{profiling.WaitsLabel: "a lock"}, 3)
	b.Add(stack("liblock:1 take:2"), map[string]string{profiling.WaitsLabel: "a read"}, 1)
	f := Fold(b.Profile(), isLib)
	if f.Timed || len(f.Lines) != 2 || f.Lines[0].WaitsFor != "a lock" || f.Lines[0].Self != 3 || f.Lines[1].Self != 1 {
		t.Errorf("%+v", f.Lines)
	}
}

func TestFoldMemory(t *testing.T) {
	before, now := profiling.NewBuilder(profiling.Memory), profiling.NewBuilder(profiling.Memory)
	before.Add(stack("libnew:1 keep:2 main:3"), nil, 2, 200)
	before.Add(stack("libnew:1 lose:4 main:3"), nil, 5, 500)
	before.Add(nil, map[string]string{profiling.TypeLabel: "Order"}, 2, 200)
	now.Add(stack("lose:4 main:3"), nil, 1, 100)
	now.Add(stack("libnew:1 keep:2 main:3"), nil, 9, 900)
	now.Add(nil, map[string]string{profiling.TypeLabel: "Order"}, 9, 900)
	now.Add(nil, map[string]string{profiling.TypeLabel: "Map"}, 1, 50)
	m := FoldMemory(now.Profile(), before.Profile(), isLib)
	want := []Held{{Type: "Order", Count: 9, Bytes: 900, GrownCount: 7, GrownBytes: 700}, {Type: "Map", Count: 1, Bytes: 50, GrownCount: 1, GrownBytes: 50}}
	if diff := cmp.Diff(want, m.Types); diff != "" {
		t.Error(diff)
	}
	want = []Held{
		{Frame: Frame{Function: "keep", File: "keep.go", Line: 2}, Called: "libnew", Count: 9, Bytes: 900, GrownCount: 7, GrownBytes: 700},
		{Frame: Frame{Function: "lose", File: "lose.go", Line: 4}, Count: 1, Bytes: 100, GrownCount: -4, GrownBytes: -400},
	}
	if diff := cmp.Diff(want, m.Lines); diff != "" {
		t.Error(diff)
	}
	if m.Bytes != 950 || m.GrownBytes != 750 || m.Count != 10 {
		t.Errorf("%d objects of %d bytes, %d more", m.Count, m.Bytes, m.GrownBytes)
	}
	if all := FoldMemory(now.Profile(), nil, isLib); all.GrownBytes != all.Bytes {
		t.Errorf("of a run of its own %d of %d bytes have grown", all.GrownBytes, all.Bytes)
	}
	types := profiling.NewBuilder(profiling.Memory)
	types.Add(nil, map[string]string{profiling.TypeLabel: "Order"}, 3, 300)
	if m := FoldMemory(types.Profile(), before.Profile(), isLib); len(m.Lines) > 0 || m.GrownBytes != 100 {
		t.Errorf("a look by type alone has lines %+v, and %d bytes have grown", m.Lines, m.GrownBytes)
	}
}
