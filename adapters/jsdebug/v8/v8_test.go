package v8

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/profiling"
)

// Places of what was compiled are those where it was written, by a map in the file or beside it.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	// Line 0: column 0 is line 2 of app.ts, column 10 line 4; line 1: column 4 is line 6.
	const text = `{"version":3,"sources":["app.ts"],"mappings":"AACA,UAEA;IAEA"}`
	if err := os.WriteFile(filepath.Join(dir, "app.js.map"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	script := "file://" + filepath.ToSlash(filepath.Join(dir, "app.js"))
	for name, said := range map[string]string{
		"beside":   "app.js.map",
		"in it":    "data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImFwcC50cyJdLCJtYXBwaW5ncyI6IkFBQ0EsVUFFQTtJQUVBIn0=",
		"as it is": "data:application/json," + text,
	} {
		p := &Places{Said: map[string]string{script: said}}
		for _, c := range []struct{ line, column, want int }{{0, 0, 2}, {0, 9, 2}, {0, 10, 4}, {0, 99, 4}, {1, 0, 6}, {1, 5, 6}} {
			if file, line := p.At(script, c.line, c.column); file != filepath.Join(dir, "app.ts") || line != c.want {
				t.Errorf("%s: %d:%d is %s:%d, want line %d", name, c.line, c.column, file, line, c.want)
			}
		}
		if file, line := p.At(script, 7, 0); file != filepath.Join(dir, "app.js") || line != 8 {
			t.Errorf("%s: what the map does not know is %s:%d", name, file, line)
		}
	}
	p := &Places{Said: map[string]string{script: "data:application/json,nonsense"}}
	if file, line := p.At(script, 1, 0); file != filepath.Join(dir, "app.js") || line != 2 {
		t.Errorf("without a map it is %s:%d", file, line)
	}
	if file, line := p.At("node:fs", 3, 0); file != "node:fs" || line != 4 {
		t.Errorf("node's own is %s:%d", file, line)
	}
}

const cpu = `{"nodes":[
 {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,5,6]},
 {"id":2,"callFrame":{"functionName":"main","url":"file:///w/app.js","lineNumber":0,"columnNumber":0},"children":[3,4]},
 {"id":3,"callFrame":{"functionName":"hot","url":"file:///w/app.js","lineNumber":9,"columnNumber":0},"positionTicks":[{"line":11,"ticks":3},{"line":12,"ticks":1}]},
 {"id":4,"callFrame":{"functionName":"ours","url":"file:///tmp/profiler/hook.cjs","lineNumber":0,"columnNumber":0}},
 {"id":5,"callFrame":{"functionName":"(idle)","url":"","lineNumber":-1,"columnNumber":-1}},
 {"id":6,"callFrame":{"functionName":"(garbage collector)","url":"","lineNumber":-1,"columnNumber":-1}}],
 "samples":[3,3,3,3,4,5,6],"timeDeltas":[1000,1000,1000,1000,500,9000,2000],"startTime":1,"endTime":2}`

// Samples are given to lines and their callers; neither the event loop's wait nor what is the
// profiler's own is in a profile of processor time.
func TestCPU(t *testing.T) {
	c := NewCPU(profiling.CPU, &Places{})
	c.Ours = func(url string) bool { return strings.HasSuffix(url, "hook.cjs") }
	if err := c.Add([]byte(cpu), ""); err != nil {
		t.Fatal(err)
	}
	if c.Idle != 9_000_000 || c.Time != 15_500_000 {
		t.Errorf("%d of %d ns idle", c.Idle, c.Time)
	}
	p := c.Profile(0)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	times := map[int64]int64{}
	var all int64
	for _, s := range p.Sample {
		all += s.Value[1]
		times[s.Location[0].Line[0].Line] += s.Value[1]
		if s.Location[0].Line[0].Function.Name == "hot" && s.Location[1].Line[0].Function.Name != "main" {
			t.Errorf("hot is called by %v", s.Location[1])
		}
	}
	if all != 6_000_000 || times[11] != 3_000_000 || times[12] != 1_000_000 {
		t.Errorf("%d ns in all, by lines %v", all, times)
	}
	scaled := NewCPU(profiling.CPU, &Places{})
	if err := scaled.Add([]byte(cpu), ""); err != nil {
		t.Fatal(err)
	}
	all = 0
	for _, s := range scaled.Profile(3_250_000).Sample {
		all += s.Value[1]
	}
	if all != 3_250_000 {
		t.Errorf("%d ns, where the process used 3,250,000", all)
	}
	joined, err := Join([][]byte{[]byte(cpu), []byte(cpu)})
	if err != nil {
		t.Fatal(err)
	}
	twice := NewCPU(profiling.CPU, &Places{})
	if err := twice.Add(joined, ""); err != nil || twice.Time != 2*15_500_000 {
		t.Errorf("two parts last %d ns: %v", twice.Time, err)
	}
	if err := c.Add([]byte("{"), ""); err == nil {
		t.Error("what is no profile is read")
	}
}

// root -property kept-> Map -internal table-> array -element-> two of Item, of which one is new;
// and weakly a third.
const heap = `{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
 "node_types":[["hidden","array","string","object","synthetic"],"string","number","number","number"],
 "edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","weak"],"string_or_number","node"]}},
 "nodes":[4,0,1,0,2, 3,1,3,16,1, 1,2,5,32,2, 3,3,7,40,0, 3,3,9,48,0, 3,3,11,8,0],
 "edges":[2,4,5, 4,4,25, 3,5,10, 1,0,15, 1,1,20],
 "strings":["(root)","Map","(array)","Item","kept","table"]}`

// What there is of each type is counted, and what is new is found by a way that holds it.
func TestSnapshot(t *testing.T) {
	s, err := ReadSnapshot(strings.NewReader(heap))
	if err != nil {
		t.Fatal(err)
	}
	types := s.Types()
	if types["Item"] != (Count{3, 96}) || types["Map"] != (Count{1, 16}) || types["(array)"] != (Count{1, 32}) {
		t.Errorf("%v", types)
	}
	if s.Newest() != 11 {
		t.Errorf("the newest is %d", s.Newest())
	}
	holders, alike := s.Holders("Item", 8)
	if len(holders) != 1 || !slices.Equal(holders[0].Way, []string{".kept  (Map)", "[1]  (Item)"}) || alike[0] != 1 {
		t.Errorf("%v, %v", holders, alike)
	}
	if holders, _ := s.Holders("Item", 11); len(holders) != 0 {
		t.Errorf("nothing is as new as that: %v", holders)
	}
	for _, bad := range []string{``, `{"snapshot":{}}`, strings.Replace(heap, "1,1,20", "1,1,21", 1), strings.Replace(heap, "1,1,20", "1,1", 1)} {
		if _, err := ReadSnapshot(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40s is read", bad)
		}
	}
}

// A snapshot whose numbers do not fit together is refused.
func TestBrokenSnapshots(t *testing.T) {
	const head = `{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],"node_types":[["synthetic","object"]],` +
		`"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context"]]}},"strings":["a"],`
	for numbers, good := range map[string]bool{
		`"nodes":[0,0,1,8,1, 1,0,3,8,0],"edges":[0,0,5]}`:          true,
		`"nodes":[0,0,1,8,1, 1,0,3,8,0],"edges":[7,0,5]}`:          false, // a type that there is not
		`"nodes":[0,0,1,8,4294967295, 1,0,3,8,2],"edges":[0,0,5]}`: false, // more edges than there are
		`"nodes":[0,0,1,8,1, 1,0,3,8,0],"edges":[0,0,10]}`:         false, // a node that there is not
		`"nodes":[0,0,1,8,0, 1,0,3,8,0],"edges":[0,0,5]}`:          false,
		`"nodes":[],"edges":[]}`:                                   false,
	} {
		s, err := ReadSnapshot(strings.NewReader(head + numbers))
		if (err == nil) != good {
			t.Errorf("%s: %v", numbers, err)
		}
		if err == nil {
			s.Holders("a", 0)
		}
	}
}
