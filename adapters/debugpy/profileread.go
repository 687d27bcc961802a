package debugpy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	godap "github.com/google/go-dap"
	"github.com/google/pprof/profile"

	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/boundedfile"
)

// profiled is what a profiler has written down.
type profiled struct {
	Why       string           `json:"why"` // running, time, ended, failed
	Error     string           `json:"error"`
	Version   string           `json:"version"`
	Unit      string           `json:"unit"` // processor, time
	Codes     []profiledCode   `json:"codes"`
	Samples   []profiledSample `json:"samples"`
	Lost      int64            `json:"lost"`
	Rests     map[string]int64 `json:"rests"`
	Unweighed int              `json:"unweighed"`
	States    bool             `json:"states"`

	Wall     int64 `json:"wall_ns"`
	Longest  int64 `json:"longest_ns"`
	Own      int64 `json:"own_ns"`
	Process  int64 `json:"process_ns"`
	Children int64 `json:"children_ns"`
	Ticks    int64 `json:"ticks"`

	Types    []profiledType   `json:"types"`
	Holders  []profiledHolder `json:"holder"`
	Seen     int64            `json:"seen"`
	Cut      bool             `json:"cut"`
	Traced   int64            `json:"traced"`
	Peak     int64            `json:"peak"`
	Tracing  bool             `json:"tracing"`
	Resident [2]int64         `json:"resident"`
}

// profiledCode is a function: in JSON a list.
type profiledCode struct {
	Name, File string
	Line       int
}

func (c *profiledCode) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.Name, &c.File, &c.Line})
}

// profiledSample is a stack, innermost frame first: in JSON a list.
type profiledSample struct {
	Thread string
	Count  int64
	Weight int64    // nanoseconds, or bytes
	Frames [][2]int // the number of a function, and the line
}

func (s *profiledSample) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.Thread, &s.Count, &s.Weight, &s.Frames})
}

// profiledType is what there is of a type, at the end and at the beginning: in JSON a list.
type profiledType struct {
	Name          string
	Count, Bytes  int64
	Count0, Size0 int64
}

func (t *profiledType) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&t.Name, &t.Count, &t.Bytes, &t.Count0, &t.Size0})
}

type profiledHolder struct {
	Type  string   `json:"type"`
	Root  string   `json:"root"`
	Way   []string `json:"way"`
	Why   string   `json:"why"` // why there is no root
	Alike int      `json:"alike"`
}

// profileOf is how a profile was made.
type profileOf struct {
	what   profiling.What
	inside bool // of a program with a debugger in it
	look   bool // of memory: one look at it
}

// mostProfile bounds what is read of a profiler, in bytes.
const mostProfile = 64 << 20

// readProfile reads what a profiler has written.
func readProfile(dir string, of profileOf) (*profiling.Profile, error) {
	file := filepath.Join(dir, profilerResult)
	if info, err := os.Stat(file); err == nil && info.Size() > mostProfile {
		return nil, fault.New(fault.Internal, "the profile has %d bytes, which is too much", info.Size())
	}
	text, err := os.ReadFile(file)
	var p profiled
	if err == nil {
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("reading the profile: %w", err)
		}
	}
	if errors.Is(err, os.ErrNotExist) || err == nil && p.Why == "running" && p.Wall == 0 {
		hint := "give seconds, so that the profile ends before the program does"
		if of.what != profiling.Memory {
			hint = "it ended within its first two seconds by os._exit, a signal, or before it began: run it with session_start"
		}
		return nil, fault.New(fault.SessionStart, "the program left no profile: it was ended before one could be written").WithHint("%s", hint)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	if p.Why == "failed" {
		return nil, fault.New(fault.Internal, "the profiler in the program failed: %s", p.Error)
	}
	made := &profiling.Profile{Lasted: time.Duration(p.Wall), Ended: p.Why == "ended", Library: isOthers}
	switch of.what {
	case profiling.CPU:
		p.processor(made, of)
	case profiling.Waits:
		p.waits(made, of)
	default:
		p.memory(made, of)
	}
	if p.Children > int64(10*time.Millisecond) {
		made.Notes = append(made.Notes, fmt.Sprintf("child processes that have ended used %s of processor time, which is not in it", profiling.Brief(p.Children)))
	}
	if p.Why == "running" {
		made.Notes = append(made.Notes, fmt.Sprintf("the program was killed: what it did after %s of the run is not in it", profiling.Brief(p.Wall)))
	}
	return made, nil
}

// isOthers says of a function of a profile that it is not of the user's code.
func isOthers(f *profile.Function) bool {
	return !filepath.IsAbs(f.Filename) || (*dialect)(nil).Internal(godap.StackFrame{Name: f.Name, Source: &godap.Source{Path: f.Filename}})
}

// frames are those of a sample, innermost first.
func (p *profiled) frames(s profiledSample) []profiling.Frame {
	list := make([]profiling.Frame, 0, len(s.Frames))
	for _, f := range s.Frames {
		if f[0] < 0 || f[0] >= len(p.Codes) {
			list = append(list, profiling.Frame{Function: "(frames left out)"})
			continue
		}
		code := p.Codes[f[0]]
		list = append(list, profiling.Frame{Function: code.Name, File: code.File, Line: f[1]})
	}
	return list
}

// processor makes a profile of processor time. What threads have used while they were not seen
// is given out as what was seen of them is.
func (p *profiled) processor(made *profiling.Profile, of profileOf) {
	b := profiling.NewBuilder(profiling.CPU)
	seen := map[string]int64{}
	for _, s := range p.Samples {
		seen[s.Thread] += s.Weight
	}
	var all, rest int64
	for _, s := range p.Samples {
		weight := s.Weight
		if r := p.Rests[s.Thread]; r > 0 && seen[s.Thread] > 0 {
			weight += int64(float64(r) * float64(s.Weight) / float64(seen[s.Thread]))
		}
		all += weight
		b.Add(p.frames(s), map[string]string{profiling.ThreadLabel: s.Thread}, s.Count, weight)
	}
	for thread, r := range p.Rests {
		rest += r
		if seen[thread] == 0 {
			all += r
			b.Add([]profiling.Frame{{Function: "(never seen running)"}}, map[string]string{profiling.ThreadLabel: thread}, 1, r)
		}
	}
	made.Data = b.Profile()
	made.How = fmt.Sprintf("a thread that samples in the program (Python %s), each 5 ms, weighed by each thread's processor time; "+
		"a function is exact, a line may be that of its loop, of the call before or of what comes next; child processes are not seen", p.Version)
	if p.Unit != "processor" {
		made.How = fmt.Sprintf("a thread that samples in the program (Python %s), each 5 ms, by time and not by processor time, which is not known of threads here", p.Version)
	}
	made.Cost = fmt.Sprintf("the sampler used %s of processor time in %s (%s of it), beside the program's %s", profiling.Brief(p.Own), profiling.Brief(p.Wall), profiling.Percent(p.Own, p.Wall), profiling.Brief(p.Process-p.Own))
	if of.inside {
		made.Cost += "; the debugger in the program has its own cost"
	}
	if rest*5 > all*2 {
		made.Notes = append(made.Notes, fmt.Sprintf("%s of the time fell into moments too short to be seen (under 0.2 ms between two waits); it is given out as the rest is", profiling.Percent(rest, all)))
	}
	if other := p.Process - p.Own - all; other*10 > p.Process && other > int64(50*time.Millisecond) {
		made.Notes = append(made.Notes, fmt.Sprintf("%s more of processor time is not in it: threads that are not Python's, starting and ending", profiling.Brief(other)))
	}
	if p.Unweighed > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("%d threads that threading does not know are not in it", p.Unweighed))
	}
	if p.Lost > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("%d samples have no stack: there were too many different ones", p.Lost))
	}
}

// waits makes a profile of where threads and tasks stood.
func (p *profiled) waits(made *profiling.Profile, of profileOf) {
	b := profiling.NewBuilder(profiling.Waits)
	base := plainBase()
	for _, s := range p.Samples {
		frames := p.frames(s)
		var stack []godap.StackFrame
		for _, f := range frames {
			stack = append(stack, godap.StackFrame{Name: f.Function, Line: f.Line, Source: &godap.Source{Name: filepath.Base(f.File), Path: f.File}})
		}
		labels := map[string]string{profiling.ThreadLabel: s.Thread, profiling.WaitsLabel: base.Wait(stack)}
		if strings.HasPrefix(s.Thread, "task ") {
			labels[profiling.WaitsLabel] = cmp.Or(labels[profiling.WaitsLabel], "await")
		}
		b.Add(frames, labels, s.Count)
	}
	made.Data = b.Profile()
	made.How = fmt.Sprintf("a thread that samples in the program (Python %s), each 20 ms: all threads, and the tasks of asyncio that rest", p.Version)
	made.Cost = fmt.Sprintf("the sampler used %s of processor time in %s (%s of it)", profiling.Brief(p.Own), profiling.Brief(p.Wall), profiling.Percent(p.Own, p.Wall))
	if of.inside {
		made.Cost += "; the debugger in the program has its own cost"
	}
}

// memory makes a profile of what was allocated and is held.
func (p *profiled) memory(made *profiling.Profile, of profileOf) {
	b, before := profiling.NewBuilder(profiling.Memory), profiling.NewBuilder(profiling.Memory)
	sources := map[string][]*pysrc.Def{}
	for _, s := range p.Samples {
		frames := p.frames(s)
		for i := range frames {
			frames[i].Function = functionAt(sources, frames[i])
		}
		b.Add(frames, nil, s.Count, s.Weight)
	}
	for _, t := range p.Types {
		labels := map[string]string{profiling.TypeLabel: t.Name}
		b.Add(nil, labels, t.Count, t.Bytes)
		before.Add(nil, labels, t.Count0, t.Size0)
	}
	made.Data = b.Profile()
	if !of.look {
		made.Before = before.Profile()
	}
	for _, h := range p.Holders {
		way := []string{h.Root}
		if h.Root == "" {
			way[0] = "(" + h.Why + ")"
		}
		made.Holders = append(made.Holders, profiling.Holder{Type: h.Type, Way: append(way, h.Way...)})
	}
	made.Notes = append(made.Notes, fmt.Sprintf("resident memory %s, at the beginning %s", profiling.Size(p.Resident[1]), profiling.Size(p.Resident[0])))
	made.How = fmt.Sprintf("in the program (Python %s): objects by type from gc at two moments, lines by tracemalloc between them; what C code allocates outside of Python's memory is not seen", p.Version)
	made.Cost = fmt.Sprintf("the two looks took %s of processor time; between them tracemalloc noted each allocation: what allocates much runs 2 to 40 times as slow meanwhile", profiling.Brief(p.Own))
	switch {
	case of.look:
		made.Notes = made.Notes[:0]
		made.How = fmt.Sprintf("in the program (Python %s): objects by type from gc; which lines allocate is told with seconds", p.Version)
		made.Cost = fmt.Sprintf("the look took %s of processor time", profiling.Brief(p.Own))
	case p.Tracing:
		made.Notes = append(made.Notes, fmt.Sprintf("traced at the end %s, at most %s", profiling.Size(p.Traced), profiling.Size(p.Peak)))
	default:
		made.Notes = append(made.Notes, "the program has stopped tracemalloc: the lines that allocate are not known")
	}
	if p.Cut {
		made.Notes = append(made.Notes, "not all objects were counted: there are more than 3,000,000")
	}
	if n := p.alike(); n > 1 {
		made.Notes = append(made.Notes, fmt.Sprintf("%d objects of %s were looked at, each of a different part of them: they are held alike", n, p.Holders[0].Type))
	}
	if p.Lost > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("%s were allocated at further lines", profiling.Size(p.Lost)))
	}
}

// alike is how many objects are held in the one way that was found, 0 where there are several.
func (p *profiled) alike() int {
	if len(p.Holders) != 1 {
		return 0
	}
	return p.Holders[0].Alike
}

// functionAt is the function of a line, which tracemalloc does not tell.
func functionAt(sources map[string][]*pysrc.Def, f profiling.Frame) string {
	defs, known := sources[f.File]
	if !known {
		if text, err := boundedfile.ReadText(f.File); err == nil {
			defs = pysrc.Scan(string(text))
		}
		sources[f.File] = defs
	}
	if def := pysrc.At(defs, f.Line); def != nil {
		return def.Path
	}
	return "<module>"
}
