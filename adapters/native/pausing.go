package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// How many hits a second a debugger is left in a program: more than half of what it can do, and
// above them the program would do little else.
const (
	gdbMost  = 1000
	lldbMost = 250
)

// pausing is how debuggers record in a program that runs on (scripts/aidb/record/live.py): gdb
// first, which is faster, as far as it is there.
func (a *adapter) pausing() attach.Pausing {
	names := []string{string(codeLLDB), string(lldbDAP), string(gdb)}
	if a.lookup(string(gdb)) != "" {
		names = []string{string(gdb), string(codeLLDB), string(lldbDAP)}
	}
	return attach.Pausing{
		Debuggers: names, Arm: a.armPausing,
		Cost: "each hit stops all its threads for about a millisecond, under LLDB two to three, and attaching stops it once for some tenths of a second, longer where its debug information is large",
	}
}

// pausingDebugger is the one that is asked for, or the first that is there and can record.
func (a *adapter) pausingDebugger(ctx context.Context, name string) (debugger, error) {
	names := a.pausing().Debuggers
	if name != "" {
		names = []string{name}
	}
	var problems []string
	for _, name := range names {
		d, err := a.find(ctx, debuggerKind(name))
		if err == nil && d.kind != gdb && !prepare.Exists(lldbPath(d)) {
			err = fmt.Errorf("%s has no lldb beside it", d)
		}
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, errNone) {
			problems = append(problems, err.Error())
		}
	}
	what := strings.Join(names, ", ") + " was not found"
	if len(problems) > 0 {
		what += ": " + strings.Join(problems, "; ")
	}
	return debugger{}, fault.New(fault.AdapterNotFound, "%s: it is what records in a program that may be paused", what).WithHint("%s", a.remedy(debuggerKind(names[0])))
}

// orderVariable names the file in which gdb finds what it is asked.
const orderVariable = "AIDB_LIVE_ORDER"

// armPausing has a debugger of its own enter the program, which leaves it at the end of its input
// as that of a session does.
func (a *adapter) armPausing(ctx context.Context, pid int, name string, w live.Spec) (adapters.Recorder, error) {
	d, err := a.pausingDebugger(ctx, name)
	if err != nil {
		return nil, err
	}
	dir, err := a.Root.Scratch("live-")
	if err != nil {
		return nil, err
	}
	r := &pausingRecorder{by: d.recordsAs(), hit: "about a millisecond"}
	if d.kind != gdb {
		r.hit = "two to three milliseconds"
	}
	if w.Most == 0 {
		w.Most = d.mostHits()
	}
	r.most = w.Most
	s := &start{job: &job{adapter: a, lang: a.lang, debugger: d}, program: program{pid: pid}, scripts: dir, library: a.scriptLibrary(dir)}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	link, armed, err := inside.Arm(ctx, dir, w, func(_ context.Context, o inside.Order) error {
		child, err := s.enter(o)
		if err != nil {
			return err
		}
		r.child = child
		go func() { // ends with the debugger; what it says to nobody is dropped
			_, _ = io.Copy(io.Discard, child.Stdout)
			<-child.Done()
			cancel(fmt.Errorf("%s has ended: %s", d.recordsAs(), child.StderrTail(500)))
		}()
		return nil
	})
	if err != nil {
		if r.child != nil {
			r.child.End()
		}
		return nil, attach.RefusedByDebugger(err, d.recordsAs(), "a global or static variable", w)
	}
	r.Link, r.places, r.stood = link, armed.Places, armed.Cost
	return r, nil
}

// recordsAs is what a debugger is called as one that records.
func (d debugger) recordsAs() string {
	if d.kind == gdb {
		return string(gdb)
	}
	return "LLDB"
}

func (d debugger) mostHits() int {
	if d.kind == gdb {
		return gdbMost
	}
	return lldbMost
}

// enter starts the debugger.
func (s *start) enter(o inside.Order) (*process.Child, error) {
	text, err := json.Marshal(struct {
		inside.Order
		PID int `json:"pid"`
	}{o, s.pid})
	if err != nil {
		return nil, err
	}
	order := filepath.Join(s.scripts, "order.json")
	env := map[string]string{orderVariable: order, "AIDB_RECORD_LANGUAGE": s.language(), "TMPDIR": s.scripts}
	path, args := s.debugger.path, s.gdbLive()
	if s.debugger.kind != gdb {
		path, args = lldbPath(s.debugger), s.lldbLive()
		relayed, err := s.relayEnv()
		if err != nil {
			return nil, err
		}
		maps.Copy(env, relayed)
	}
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", s.pid))
	if err != nil || !prepare.IsDir(dir) {
		dir = ""
	}
	return process.Start(process.Spec{
		Name: string(s.debugger.kind), Path: path, Args: args, Dir: dir,
		Env:    prepare.Overlay(adapterEnv(os.Environ()), env),
		Remove: s.scratchDirs(), Root: s.adapter.Root, Log: s.adapter.Log,
		Fill: func() error {
			if err := s.unpackScripts(); err != nil {
				return err
			}
			return os.WriteFile(order, text, 0o600)
		},
		Release: s.release(),
	})
}

func (s *start) gdbLive() []string {
	return []string{
		"-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off", "-iex", hostCharset,
		"-ex", s.gdbImport(), "-ex", "python import aidb.record.gdb.live; aidb.record.gdb.live.begin()",
	}
}

func (s *start) lldbLive() []string {
	args := []string{"-b", "-x"}
	for _, command := range append(s.lldbImports(), "script import aidb.record.lldb.live; aidb.record.lldb.live.begin()") {
		args = append(args, "-o", command)
	}
	return args
}

// pausingRecorder is a debugger that records. It is safe for concurrent use.
type pausingRecorder struct {
	*inside.Link
	by     string // which
	hit    string // how long the program stands at one
	child  *process.Child
	places int
	most   int
	stood  int64 // nanoseconds for which the program stood while it came
	once   sync.Once
}

// Read gives the rows since the last call.
func (r *pausingRecorder) Read(most int) ([]live.Row, live.State) {
	rows, state := r.Link.Read(most)
	state.How = r.how()
	return rows, state
}

// how says what it costs.
func (r *pausingRecorder) how() string {
	return fmt.Sprintf("by breakpoints of %s that go on by themselves, at %s: a hit stops all threads of the program for %s; that %[1]s came has stopped it once for %[4]d ms; above %[5]d hits a second it is taken out; processes that it forks are not followed",
		r.by, live.Places(r.places), r.hit, r.stood/1_000_000, r.most)
}

// Close takes the debugger out of the program.
func (r *pausingRecorder) Close() live.State {
	state := r.Link.Close()
	r.once.Do(r.child.End)
	state.How = r.how()
	return state
}
