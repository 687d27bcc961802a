package java

import (
	"cmp"
	"context"
	"fmt"

	"aidb-mcp/adapters"
	attaching "aidb-mcp/adapters/observe/attach"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// planObserve plans a session that only observes a running JVM: it wants no debug port.
func (a *adapter) planObserve(ctx context.Context, r adapters.Request) (*adapters.Plan, error) {
	if err := attaching.Check(r); err != nil {
		return nil, err
	}
	if err := reachable(r.PID); err != nil {
		return nil, err
	}
	r.Options = nil
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if j.javas, err = a.javas(ctx, r, j.env); err != nil {
		return nil, err
	}
	roots, err := j.allSources(nil, "")
	if err != nil {
		return nil, err
	}
	all := &recorders{jvm: jvm{adapter: a, pid: r.PID, tools: j.tools, roots: roots}}
	plan := attaching.PlanWith(r.PID, fmt.Sprintf("process %d", r.PID), all.arm, all.Close)
	plan.Modules = modules(j, roots, "")
	plan.Capabilities.Observing.Cost = hitCost
	plan.Capabilities.Profiling.Take = all.jvm.takeProfile
	return plan, nil
}

// hitCost is what a hit of a recorder costs.
const hitCost = "some µs, without a stop"

// recorders are those that are in the program: they end with the session.
type recorders struct {
	attaching.ArmedRecorders
	jvm   jvm
	javas javas // of a program that is started here
}

func (a *recorders) arm(ctx context.Context, w live.Spec) (adapters.Recorder, error) {
	if isDebugged(a.jvm.pid) {
		return nil, fault.New(fault.InvalidTarget, "a debugger is in process %d: it would lose its breakpoints in the classes that are changed", a.jvm.pid).
			WithHint("arm in that debugger's own session, or end it first")
	}
	r, err := a.jvm.arm(ctx, w, nil)
	if err != nil {
		return nil, err
	}
	return a.Keep(r, nil)
}

// Enter arms in a program that has the debugger in it. The debugger's breakpoints are lost in
// classes that are changed, and are set anew.
func (d *dialect) Enter(ctx context.Context, p adapters.Entered, w live.Spec) (adapters.Recorder, error) {
	if d.recorders == nil {
		return nil, fault.New(fault.NotSupported, "the program is elsewhere: nothing can be put into it from here").
			WithHint("run the server where the program runs")
	}
	var is struct {
		PID    int  `json:"pid"`
		Stands bool `json:"stands"`
	}
	if err := p.Caller.Call(ctx, "aidb/process", struct{}{}, &is); err != nil {
		return nil, fmt.Errorf("asking for the program's process: %w", err)
	}
	if is.Stands {
		return nil, fault.New(fault.NotRunning, "the program is stopped, and takes no recorder while it is").
			WithHint(`let it go on, then arm: execute {"action":"continue","timeout_ms":0}`)
	}
	v := d.recorders.jvm
	v.pid = cmp.Or(v.pid, p.PID, is.PID)
	if v.pid == 0 {
		return nil, fault.New(fault.NotSupported, "the process of the program is not known: nothing can be put into it").
			WithHint("attach by its pid in place of its port")
	}
	if err := reachable(v.pid); err != nil {
		return nil, err
	}
	replaced := func(classes []string) error {
		ctx, cancel := context.WithTimeout(context.Background(), replacedLimit) // it is owed whatever became of the call
		defer cancel()
		return p.Caller.Call(ctx, "aidb/replaced", replacedArguments{classes}, nil)
	}
	r, err := v.arm(ctx, w, replaced)
	if err != nil {
		if asked := p.Caller.Call(ctx, "aidb/process", struct{}{}, &is); asked == nil && is.Stands {
			return nil, fault.New(fault.NotRunning, "the program stopped while a recorder was to come into it: %w", err).
				WithHint("let it go on, then arm; disable what it stops at")
		}
		return nil, err
	}
	if err := replaced(r.classes); err != nil {
		r.Close()
		return nil, fault.New(fault.Internal, "the debugger's breakpoints could not be set anew in the classes that were changed: %w", err)
	}
	r.rows.Add(nil, func(st *live.State) {
		st.How += "; the debugger's breakpoints in these classes are set anew when it comes and when it goes, and may be passed unseen in the milliseconds between"
	})
	return d.recorders.Keep(r, nil)
}

type replacedArguments struct {
	Classes []string `json:"classes"`
}
