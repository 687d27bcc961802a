package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/session/output"
)

// Recording is what came of a run under a recorder.
type Recording struct {
	Log      recording.Log
	Target   string              // what ran, for people
	How      string              // where the recorder was
	Exit     *process.ExitStatus // nil: it was ended by us when its time was over
	Lasted   time.Duration
	Queued   time.Duration // of that, it has waited for a processor; as Longest was counted
	Stdout   output.Tail
	Stderr   output.Tail
	Warnings []string
	Watches  bool // only writes to places that are given were noted
	Parent   bool // it has started other processes, in which nothing was noted
	Stops    bool // what has stopped the program is noted too, if it is this process that stands
	// Rounds is why not all rounds of a loop were passes of its line; empty where they were.
	Rounds string
}

// Record runs a program once under its language's recorder and answers with what
// that has noted until the program ended, or until the time is over: it is ended
// then. No session has to do with it. Progress may be nil. Errors are *fault.Error.
func (m *Manager) Record(ctx context.Context, r StartRequest, w recording.Spec, over time.Time, progress func(string)) (*Recording, error) {
	adapter, err := m.admit(&r)
	if err != nil {
		return nil, err
	}
	defer r.Program.Debuggee.Line.Close()
	if adapter.Services().Record == nil {
		return m.recordByLog(ctx, adapter, r, w, over)
	}
	after, err := m.beforeAlone(ctx, r, over, progress)
	if err != nil {
		return nil, err
	}
	defer after()
	recorded, err := m.planRecorded(ctx, adapter, r, w, over, progress)
	if err != nil {
		return nil, m.withholdSource(err, r.Program.Workspace)
	}
	defer recorded.Close()
	result := &Recording{Target: m.mask.Command(recorded.Target), How: recorded.How, Warnings: recorded.Warnings, Watches: recorded.Watches}
	if !recorded.EachRound {
		result.warnOneLineLoops(r.Program.Workspace, w)
	}
	if err := m.admitAlone(r, recorded.Spec); err != nil {
		return nil, err
	}
	if progress != nil {
		progress("running " + result.Target)
	}
	if recorded.Watches && w.Leads() {
		over = time.Now().Add(time.Until(over) / 2) // a program that does not end leaves time for the run that this one leads to
	}
	limit := until{over: over}
	switch {
	case w.Longest > 0 && w.Unqueued:
		limit.longest = w.Longest
	case w.Longest > 0:
		limit.over = time.Now().Add(min(w.Longest, time.Until(over)))
	}
	if err := result.run(ctx, recorded, r, limit, m.Limits()); err != nil {
		return nil, err
	}
	if recorded.Begins && result.Exit != nil && !recording.HasBegun(recorded.Records) {
		return nil, fault.New(fault.SessionStart, "nothing was recorded: the recorder itself has failed before the program ran (%s)", recorded.How).
			WithHint("aidb-mcp doctor looks at the debugger; trace and why can be asked of another one (adapter_options: {debugger})")
	}
	if result.Log, err = recording.Read(recorded.Records); err != nil {
		return nil, fault.New(fault.Internal, "reading what was recorded: %w", err)
	}
	return result, nil
}

// Ahead has a language's recorder begin with what Record needs to note what the request is to note in
// the debugger, beside the session that it is about to open. Done ends that, and must be called.
func (m *Manager) Ahead(ctx context.Context, r StartRequest) (done func()) {
	adapter, err := m.admit(&r)
	r.Program.Debuggee.Line.Close()
	if err != nil || r.Program.Record == nil || adapter.Services().Ahead == nil {
		return func() {}
	}
	return adapter.Services().Ahead(ctx, r.Program)
}

// warnOneLineLoops says of lines that hold a whole loop that their recorder may see only where it
// begins.
func (rec *Recording) warnOneLineLoops(workspace string, w recording.Spec) {
	files := source.NewFiles(nil)
	for _, v := range w.Values {
		if text, err := files.Text(v.File, v.Line); err == nil && exprsyntax.LoopInLine(text) {
			rec.Rounds = fmt.Sprintf("a whole loop stands in %s:%d, and it may be looked at only once, before the first round", source.Rel(workspace, v.File), v.Line)
			rec.Warnings = append(rec.Warnings, rec.Rounds)
		}
	}
}

// planRecorded asks a language's recorder how to run the program under it.
func (m *Manager) planRecorded(ctx context.Context, adapter adapters.Adapter, r StartRequest, w recording.Spec, over time.Time, progress func(string)) (*adapters.Recorded, error) {
	info, services := adapter.Info(), adapter.Services()
	can := services.Recordable
	if w.First != nil && !can.Moments {
		return nil, fault.New(fault.NotSupported, "a recorder of %s judges no condition after each statement", info.Language).WithField("what").
			WithHint("trace(writes) of what the condition reads shows each change of it; breakpoint with the condition stops at one line")
	}
	if w.First != nil && w.First.Each != "" && !can.Each {
		return nil, fault.New(fault.NotSupported, "a recorder of %s does not know the instances of a type", info.Language).WithField("condition").
			WithHint("give the methods of %s as scope, and a condition over their receiver: it is judged for the instance whose method runs", w.First.Each)
	}
	if w.Framed() && !can.Frames {
		return nil, fault.New(fault.NotSupported, "a recorder of %s reads the values of the function itself only, not of its callers", info.Language).WithField("expressions").
			WithHint("trace(values) at the caller's line, or breakpoint with show: [\"@1 expression\"] in a session")
	}
	if err := checkEffects(info, w); err != nil {
		return nil, err
	}
	return planAlone(ctx, m, over, func(ctx context.Context) (*adapters.Recorded, error) {
		return services.Record(ctx, r.Program, w, progress)
	}, func(r *adapters.Recorded) { r.Close() })
}

// checkEffects is why a spec would change what it is about. What calls a function is only
// said ([Session.Effects]): it may read.
func checkEffects(info adapters.Info, w recording.Spec) error {
	for _, x := range w.Texts() {
		if info.Reads == nil {
			return nil
		}
		if errors.Is(info.Reads(x.Text), exprsyntax.ErrAssigns) {
			return fault.New(fault.InvalidParam, "%s would change the run that it is to show: it assigns", x.Text).WithField(x.Field).
				WithHint("variable(set) in a session changes a value; trace(against: {patch}) shows what a change of the program does")
		}
	}
	return nil
}

// didNothing says that an expression at a line had an error at each pass, or that it was no
// more than looked at: what may be a call or an attribute, and has a place, is read where it lies.
func didNothing(w recording.Spec, log recording.Log, text string, effect error) bool {
	if len(w.Values) == 0 {
		return false
	}
	i := slices.Index(w.Values[0].Expressions, text)
	return i >= 0 && !slices.ContainsFunc(log.Events, func(e recording.Event) bool {
		return e.Kind == recording.Hit && i < len(e.Values) && e.Values[i].Error == "" &&
			(e.Values[i].Place == "" || !errors.Is(effect, exprsyntax.ErrMayCall))
	})
}

// run starts the program and waits for its end.
func (rec *Recording) run(ctx context.Context, recorded *adapters.Recorded, r StartRequest, end until, limits Limits) error {
	run, err := runAlone(ctx, recorded.Spec, r.Program.Stdin, end, limits, beside{})
	if err != nil {
		return err
	}
	rec.Exit, rec.Lasted, rec.Queued = run.exit, run.lasted, run.queued
	rec.Parent = run.wasParent && !recorded.Debugger
	run.out.Mute(recorded.Output.Noise, recorded.Output.Planted)
	rec.Stdout, rec.Stderr = run.out.Take("stdout", recordedOutput), run.out.Take("stderr", recordedOutput)
	return nil
}

// recordedOutput is how much is kept of what the program printed last, in bytes.
const recordedOutput = 500

// environmentMap maps the names of environment variables to their values.
func environmentMap(env []string) map[string]string {
	set := map[string]string{}
	for _, pair := range env {
		if name, value, ok := strings.Cut(pair, "="); ok {
			set[name] = value
		}
	}
	return set
}

// StartRequest is the request by which a session was started, for a run of its own.
func (s *Session) StartRequest() StartRequest {
	r := s.request
	r.Program.Record = nil
	return r
}

// Prospect is a session for a request that is never started: it knows where files
// and lines are that the request's words mean.
func (m *Manager) Prospect(r StartRequest) (*Session, error) {
	if err := m.checkStart(r.Program); err != nil {
		return nil, err
	}
	adapter, err := m.adapterFor(&r)
	if err != nil {
		return nil, err
	}
	r.Program.Debuggee.Line.Close()
	r.Program.Seed = cmp.Or(r.Program.Seed, 1) // rows of two calls are compared
	return newSession(m, adapter, r), nil
}

// NewSeed draws a seed for [adapters.Request].
func NewSeed() uint16 { return uint16(1 + rand.N(math.MaxUint16)) }
