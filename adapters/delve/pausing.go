package delve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// pausingMost is how many hits a second Delve is left in a program: more than half of what it can
// do, and above them the program would do little else.
const pausingMost = 1000

// pausing is how Delve records in a program that runs on (serve/live.go).
func (a *adapter) pausing() attach.Pausing {
	if !serve.Supported {
		return attach.Pausing{}
	}
	return attach.Pausing{
		Debuggers: []string{"delve"}, Arm: a.armPausing,
		Cost: "each hit stops all its threads for about a millisecond, and attaching stops it once for some tenths of a second, longer where its debug information is large",
	}
}

// armPausing has a process of our own enter the program, which lets it go at the end of its input,
// and of the connection.
func (a *adapter) armPausing(ctx context.Context, pid int, _ string, w live.Spec) (adapters.Recorder, error) {
	dir, err := a.Root.Scratch("live-")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a private directory for the recorder: %w", err)
	}
	if w.Most == 0 {
		w.Most = pausingMost
	}
	r := &pausingRecorder{most: w.Most}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	link, armed, err := inside.Arm(ctx, dir, w, func(_ context.Context, o inside.Order) error {
		child, err := a.startLive(dir, wire.LiveOrder{Order: o, PID: pid})
		if err != nil {
			return err
		}
		r.child = child
		go func() { // ends with the child, which prints nothing
			_, _ = io.Copy(io.Discard, child.Stdout)
			<-child.Done()
			cancel(fmt.Errorf("the debugger has ended: %s", child.StderrTail(500)))
		}()
		return nil
	})
	if err != nil {
		if r.child != nil {
			r.child.End()
		}
		return nil, attach.RefusedByDebugger(err, "Delve", "a package's variable, as main.total", w)
	}
	r.Link, r.places, r.stood = link, armed.Places, armed.Cost
	return r, nil
}

// startLive starts the process that records, and gives it its order.
func (a *adapter) startLive(dir string, o wire.LiveOrder) (*process.Child, error) {
	executable := a.Executable
	if executable == "" {
		var err error
		if executable, err = process.Executable(); err != nil {
			return nil, err
		}
	}
	child, err := process.Start(process.Spec{
		Name: "delve", Path: executable, Args: []string{command, serve.Live}, Log: a.Log, Remove: []string{dir}, Root: a.Root,
		Release: &process.Release{PID: o.PID, Signal: syscall.SIGTERM},
	})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(o)
	if err == nil {
		_, err = child.Stdin.Write(append(text, '\n'))
	}
	if err != nil {
		child.End()
		return nil, fmt.Errorf("telling the debugger what to record: %w", err)
	}
	return child, nil
}

// pausingRecorder is a Delve that records. It is safe for concurrent use.
type pausingRecorder struct {
	*inside.Link
	child  *process.Child
	places int
	most   int
	stood  int64 // nanoseconds for which the program stood while it came
	once   sync.Once
}

// Read gives the rows since the last call.
func (r *pausingRecorder) Read(most int) ([]live.Row, live.State) {
	rows, state := r.Link.Read(most)
	for i := range rows {
		for k := range rows[i].Values {
			rows[i].Values[k].Text = tidyValue(rows[i].Values[k].Text)
		}
	}
	state.How = r.how()
	return rows, state
}

// how says what it costs.
func (r *pausingRecorder) how() string {
	return fmt.Sprintf("by breakpoints of Delve that go on by themselves, at %s: a hit stops all threads of the program for about a millisecond; that Delve came has stopped it once for %d ms; above %d hits a second it is taken out; processes that it forks are not followed",
		live.Places(r.places), r.stood/1_000_000, r.most)
}

// Close takes Delve out of the program.
func (r *pausingRecorder) Close() live.State {
	state := r.Link.Close()
	r.once.Do(r.child.End)
	state.How = r.how()
	return state
}
