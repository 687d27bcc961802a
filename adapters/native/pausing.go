package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// pausingMost is how many hits a second gdb is left in a program: about so many it can do, and
// above them the program would do little else.
const pausingMost = 1000

// pausing is how gdb records in a program that runs on (scripts/aidb/record/gdb/live.py).
func (a *adapter) pausing() attach.Pausing {
	return attach.Pausing{
		Debugger: string(gdb), Arm: a.armPausing,
		Cost: "each hit stops all its threads for about a millisecond, and attaching stops it once for some tenths of a second, longer where its debug information is large",
	}
}

// orderVariable names the file in which gdb finds what it is asked.
const orderVariable = "AIDB_LIVE_ORDER"

// armPausing has a gdb of its own enter the program, which leaves it at the end of its input
// as that of a session does.
func (a *adapter) armPausing(ctx context.Context, pid int, w live.Spec) (adapters.Recorder, error) {
	d, err := a.find(ctx, gdb)
	if err != nil {
		if errors.Is(err, errNone) {
			err = errors.New("gdb was not found")
		}
		return nil, fault.New(fault.AdapterNotFound, "%w: it is what records in a program that may be paused", err).WithHint("%s", a.remedy(gdb))
	}
	dir, err := a.Root.Scratch("live-")
	if err != nil {
		return nil, err
	}
	if w.Most == 0 {
		w.Most = pausingMost
	}
	s := &start{job: &job{adapter: a, lang: a.lang, debugger: d}, program: program{pid: pid}, scripts: dir, library: a.scriptLibrary(dir)}
	r := &pausingRecorder{most: w.Most}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	link, armed, err := inside.Arm(ctx, dir, w, func(_ context.Context, o inside.Order) error {
		child, err := s.enter(o)
		if err != nil {
			return err
		}
		r.child = child
		go func() { // ends with gdb; what it says to nobody is dropped
			_, _ = io.Copy(io.Discard, child.Stdout)
			<-child.Done()
			cancel(fmt.Errorf("gdb has ended: %s", child.StderrTail(500)))
		}()
		return nil
	})
	if err != nil {
		if r.child != nil {
			r.child.End()
		}
		return nil, pausingRefusal(err, w)
	}
	r.Link, r.places, r.stood = link, armed.Places, armed.Cost
	return r, nil
}

// enter starts gdb.
func (s *start) enter(o inside.Order) (*process.Child, error) {
	text, err := json.Marshal(struct {
		inside.Order
		PID int `json:"pid"`
	}{o, s.pid})
	if err != nil {
		return nil, err
	}
	order := filepath.Join(s.scripts, "order.json")
	args := []string{
		"-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off", "-iex", hostCharset,
		"-ex", s.gdbImport(), "-ex", "python import aidb.record.gdb.live; aidb.record.gdb.live.begin()",
	}
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", s.pid))
	if err != nil || !prepare.IsDir(dir) {
		dir = ""
	}
	return process.Start(process.Spec{
		Name: string(gdb), Path: s.debugger.path, Args: args, Dir: dir,
		Env: prepare.Overlay(adapterEnv(os.Environ()), map[string]string{
			orderVariable: order, "AIDB_RECORD_LANGUAGE": s.language(), "TMPDIR": s.scripts,
		}),
		Remove: s.scratchDirs(), Root: s.adapter.Root, Log: s.adapter.Log,
		Fill: func() error {
			if err := s.unpackScripts(); err != nil {
				return err
			}
			return os.WriteFile(order, text, 0o600)
		},
		Release: &process.Release{PID: s.pid, Traces: true},
	})
}

// pausingRefusal is why gdb recorded nothing.
func pausingRefusal(err error, w live.Spec) error {
	refused := new(inside.RefusedError)
	if !errors.As(err, &refused) {
		return fault.New(fault.NotSupported, "gdb cannot record in the program: %w", err).
			WithHint("look whether the program lives, and whether this user may trace it (kernel.yama.ptrace_scope)")
	}
	e := fault.New(fault.InvalidParam, "nothing was armed: %w", err).
		WithHint("name what the source has: functions for calls; for values a line with code, and expressions that call nothing; for writes a global or static variable")
	switch {
	case w.Written != "":
		e = e.WithField("expression")
	case w.File == "":
		e = e.WithField("functions")
	}
	return e
}

// pausingRecorder is a gdb that records. It is safe for concurrent use.
type pausingRecorder struct {
	*inside.Link
	child  *process.Child
	places int
	most   int
	stood  int64 // nanoseconds for which the program stood while gdb came
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
	return fmt.Sprintf("by breakpoints of gdb that go on by themselves, at %s: a hit stops all threads of the program for about a millisecond; that gdb came has stopped it once for %d ms; above %d hits a second it is taken out; processes that it forks are not followed",
		live.Places(r.places), r.stood/1_000_000, r.most)
}

// Close takes gdb out of the program.
func (r *pausingRecorder) Close() live.State {
	state := r.Link.Close()
	r.once.Do(r.child.End)
	state.How = r.how()
	return state
}
