package v8

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/profiling"
)

// callFrame is a function, as V8 names it: the place is where its code begins.
type callFrame struct {
	FunctionName string `json:"functionName"`
	URL          string `json:"url"`
	LineNumber   int    `json:"lineNumber"`
	ColumnNumber int    `json:"columnNumber"`
}

// cpuProfile is a profile of V8's Profiler.
type cpuProfile struct {
	Nodes []struct {
		ID        int       `json:"id"`
		CallFrame callFrame `json:"callFrame"`
		HitCount  int64     `json:"hitCount"`
		Children  []int     `json:"children"`
		Ticks     []struct {
			Line  int   `json:"line"`
			Ticks int64 `json:"ticks"`
		} `json:"positionTicks"`
	} `json:"nodes"`
	Samples    []int   `json:"samples"`
	TimeDeltas []int64 `json:"timeDeltas"` // µs
}

// What V8 calls samples in which none of the program's functions ran.
const (
	idle    = "(idle)"    // the event loop waits
	program = "(program)" // code that is not JavaScript, outside of any function of it
	root    = "(root)"
)

// CPU is what is made of profiles of V8's Profiler.
type CPU struct {
	Places *Places
	// Waits counts the samples, those too at which the event loop waited; else these are left out.
	Waits bool
	// Ours says of a script's address that it is the profiler's own; nil: none is.
	Ours func(url string) bool
	b    *profiling.Builder
	// Time is that of all samples, Idle of those at which the event loop waited, in ns.
	Time, Idle int64
}

// NewCPU begins a profile of a kind.
func NewCPU(w profiling.What, places *Places) *CPU {
	return &CPU{Places: places, Waits: w == profiling.Waits, b: profiling.NewBuilder(w)}
}

// Profile is what was added. V8 samples by time: where the program's processes used less of
// the processor than they were seen to run, as on a machine that is busy, its times are made
// shorter. Used is what they used; 0 where it is not known.
func (c *CPU) Profile(used int64) *profile.Profile {
	p := c.b.Profile()
	if ran := c.Time - c.Idle; used > 0 && used < ran && len(p.SampleType) > 1 {
		for _, s := range p.Sample {
			s.Value[1] = int64(float64(s.Value[1]) * float64(used) / float64(ran))
		}
	}
	return p
}

// Add adds a profile of one thread, which is named where there are several.
func (c *CPU) Add(text []byte, thread string) error {
	var p cpuProfile
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("reading a profile of V8: %w", err)
	}
	at := map[int]int{}
	parent := make([]int, len(p.Nodes))
	for i, n := range p.Nodes {
		at[n.ID], parent[i] = i, -1
	}
	for i, n := range p.Nodes {
		for _, child := range n.Children {
			if k, known := at[child]; known && k != i {
				parent[k] = i
			}
		}
	}
	counts, times := make([]int64, len(p.Nodes)), make([]int64, len(p.Nodes))
	for i, id := range p.Samples {
		k, known := at[id]
		if !known || i >= len(p.TimeDeltas) {
			continue
		}
		counts[k]++
		// A difference is the time since the sample before.
		times[k] += max(p.TimeDeltas[i], 0) * 1000
	}
	labels := map[string]string{profiling.ThreadLabel: thread}
	for i, n := range p.Nodes {
		c.Time += times[i]
		if n.CallFrame.FunctionName == idle && n.CallFrame.URL == "" {
			c.Idle += times[i]
			if !c.Waits {
				continue
			}
			labels = map[string]string{profiling.ThreadLabel: thread, profiling.WaitsLabel: "its event loop has nothing to do"}
		}
		if counts[i] > 0 {
			c.addNode(&p, parent, i, counts[i], times[i], labels)
		}
		delete(labels, profiling.WaitsLabel)
	}
	return nil
}

// addNode adds what was seen in one function, called as it was, by its lines.
func (c *CPU) addNode(p *cpuProfile, parent []int, i int, count, time int64, labels map[string]string) {
	var callers []profiling.Frame
	for k, depth := i, 0; k >= 0 && depth < 1000; k, depth = parent[k], depth+1 {
		if c.Ours != nil && c.Ours(p.Nodes[k].CallFrame.URL) {
			return
		}
		if k == i {
			continue
		}
		if f := p.Nodes[k].CallFrame; f.FunctionName != root {
			callers = append(callers, c.frame(f))
		}
	}
	n := p.Nodes[i]
	own := c.frame(n.CallFrame)
	var ticks int64
	for _, t := range n.Ticks {
		ticks += t.Ticks
	}
	if ticks == 0 || n.CallFrame.URL == "" {
		c.b.Add(append([]profiling.Frame{own}, callers...), labels, count, time)
		return
	}
	for _, t := range n.Ticks {
		line := own
		// A tick's line is the script's, without a column. One that is the whole script, as
		// bundlers write it, says nothing.
		file, at := c.Places.At(n.CallFrame.URL, t.Line-1, 0)
		if t.Line-1 == n.CallFrame.LineNumber {
			file, at = c.Places.At(n.CallFrame.URL, n.CallFrame.LineNumber, n.CallFrame.ColumnNumber)
		}
		if file == own.File {
			line.Line = at
		}
		c.b.Add(slices.Concat([]profiling.Frame{line}, callers), labels, max(count*t.Ticks/ticks, 1), time*t.Ticks/ticks)
	}
}

func (c *CPU) frame(f callFrame) profiling.Frame { return frameOf(c.Places, f) }

func frameOf(places *Places, f callFrame) profiling.Frame {
	name := f.FunctionName
	if f.URL == "" {
		switch name {
		case idle:
			return profiling.Frame{Function: "(event loop waits)"}
		case program:
			return profiling.Frame{Function: "(code that is not JavaScript)"}
		case "":
			return profiling.Frame{Function: "(anonymous)"}
		}
		return profiling.Frame{Function: name}
	}
	file, line := places.At(f.URL, f.LineNumber, f.ColumnNumber)
	if name == "" {
		name = "(anonymous)"
		if f.LineNumber == 0 && f.ColumnNumber == 0 {
			name = "(module)"
		}
	}
	return profiling.Frame{Function: name, File: file, Line: line}
}

// Script is one that V8 knows.
type Script struct {
	ID  string `json:"scriptId"`
	URL string `json:"url"`
}

// Scripts are those that a profile names, of processor time or of the heap.
func Scripts(text []byte) []Script {
	type node struct {
		CallFrame Script `json:"callFrame"`
	}
	type heap struct {
		node
		Children []json.RawMessage `json:"children"`
	}
	var p struct {
		Nodes []node          `json:"nodes"`
		Head  json.RawMessage `json:"head"`
	}
	if json.Unmarshal(text, &p) != nil {
		return nil
	}
	var list []Script
	for _, n := range p.Nodes {
		list = append(list, n.CallFrame)
	}
	for open := []json.RawMessage{p.Head}; len(open) > 0 && len(list) < 1<<20; {
		var h heap
		if json.Unmarshal(open[0], &h) == nil {
			list = append(list, h.CallFrame)
		}
		open = append(open[1:], h.Children...)
	}
	return list
}
