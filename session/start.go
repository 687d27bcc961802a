package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/output"
)

// errStopped is the cause that ends a start which was stopped on request.
var errStopped = errors.New("the session was stopped")

// start runs on the run's own goroutine from plan to a running program.
func (l *run) start() {
	defer l.s.wake()
	defer close(l.started)
	if err := l.launch(); err != nil {
		l.fail(err)
	}
}

func (l *run) launch() error {
	line := l.s.request.Program.Debuggee.Line
	defer line.Close()
	if err := l.runBefore(); err != nil {
		return err
	}
	plan, err := l.makePlan()
	if err != nil {
		return err
	}
	l.observeProcess(plan)
	l.watchEnds(plan)
	l.s.remoteAddresses(l.ctx) // as they are while the debugger looks for them, too
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.AdapterStart)
	defer cancel()
	l.noteOwnSockets()
	l.setStep("starting the debug adapter")
	peer, err := plan.Open(ctx)
	if err != nil {
		return l.startError(ctx, "start the debug adapter", err)
	}
	line.Close() // unless the peer is on it
	l.opened.Store(peer)
	root := l.newConnection(peer, "", plan.Request, plan.Arguments)
	root.broker = plan.Broker
	if !root.begin() {
		return errStopped
	}
	if plan.Streams != nil {
		l.s.out.Attach(plan.Streams.Stdout, plan.Streams.Stderr)
		l.s.feedInput(plan.Streams)
	}
	if peer.Program != nil && !l.adoptProgram(peer.Program) {
		closeStreams(peer.Program)
		return errStopped
	}
	// It owns the end of a run whose adapter dies, and ends with the connection or the adapter.
	l.spawn("following the debug adapter", func() { l.watchAdapter(root) })
	// It owns nothing, and ends when it has seen one, or with the run.
	l.spawn("looking for processes that came and went", l.watchWaited)
	return root.handshake(ctx)
}

func (l *run) makePlan() (*adapters.Plan, error) {
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.Build)
	defer cancel()
	plan, err := l.planWithin(ctx)
	if err != nil {
		var f *fault.Error
		if !errors.As(err, &f) && ctx.Err() != nil && l.ctx.Err() == nil {
			return nil, fault.New(fault.BuildFailed, "preparing the program took longer than %s", l.s.limits.Build).
				WithHint("build it yourself and debug the binary with mode exec")
		}
		return nil, l.s.manager.withholdSource(err, l.s.Workspace())
	}
	if err := l.s.manager.checkPlan(plan); err != nil {
		if plan.Close != nil {
			plan.Close()
		}
		return nil, err
	}
	l.planned.Store(plan)
	l.learnSecrets(plan.Arguments)
	l.s.subject.Store(&subject{l.s.manager.mask.Command(plan.Target), plan.Mode})
	l.notices.add(plan.Warnings...)
	l.s.out.Mute(plan.Capabilities.Output.Noise, plan.Capabilities.Output.Planted)
	if l.s.request.hasInput() && (isAttached(plan) || plan.Capabilities.Start.NoInput != "") {
		return nil, noInputError(plan, l.s.adapter.Info().Name).WithField("stdin")
	}
	for _, b := range l.s.Breakpoints() {
		if err := l.s.checkObserved(plan.Capabilities.Observing, b.Spec); err != nil {
			return nil, err
		}
	}
	return plan, l.ctx.Err()
}

// learnSecrets remembers which secrets the program is given, those of its files of
// variables too, so that no reply and no log repeats them.
func (l *run) learnSecrets(arguments any) {
	if text, err := json.Marshal(arguments); err == nil {
		l.s.manager.mask.LearnJSON(text)
	}
}

// setStep notes what the start is busy with.
func (l *run) setStep(what string) {
	l.change(func(m *lifecycle.Machine) { m.Doing(what) })
}

// setProgress notes how far the current step of the start is.
func (l *run) setProgress(done, total int) {
	l.change(func(m *lifecycle.Machine) { m.Progress(done, total) })
}

// handshake suits all adapters: launch is sent without waiting for its reply,
// which some give only after configurationDone; the breakpoints go out at the
// initialized event, which some send before launch. A failed launch, a dying
// adapter or the deadline end it at once.
func (k *connection) handshake(ctx context.Context) error {
	if err := k.initialize(ctx); err != nil {
		return err
	}
	if err := k.checkFilters(); err != nil {
		return err
	}
	launched := make(chan error, 1)
	reply := k.Send(k.request, k.arguments)
	// It owns the reply, and ends with that, the limit of the start, or the connection.
	go func() {
		err := reply.WaitOpen(ctx, nil)
		k.answered.Store(err == nil)
		launched <- err
	}()
	k.run.setStep("launching")

	answered, err := k.awaitInitialized(ctx, launched)
	if err != nil {
		return err
	}
	if err := k.configure(ctx); err != nil {
		return err
	}
	if k.broker {
		return k.runBroker(ctx, launched)
	}
	return k.configureAndRun(ctx, launched, answered)
}

func (k *connection) initialize(ctx context.Context) error {
	args := godap.InitializeRequestArguments{
		ClientID:                      "aidb",
		ClientName:                    "AI Debugger",
		Locale:                        "en-US",
		LinesStartAt1:                 true,
		ColumnsStartAt1:               true,
		PathFormat:                    "path",
		SupportsVariableType:          true,
		SupportsVariablePaging:        true,
		SupportsMemoryReferences:      true,
		SupportsStartDebuggingRequest: k.run.plan().Child != nil,
	}
	k.run.plan().Dialect.Initialize(&args)
	var caps godap.Capabilities
	if err := k.Send("initialize", args).WaitOpen(ctx, &caps); err != nil {
		return k.run.startError(ctx, "initialize", err)
	}
	k.setCapabilities(caps)
	return nil
}

// setCapabilities takes in what the adapter says of itself, without what it claims and
// does badly.
func (k *connection) setCapabilities(caps godap.Capabilities) {
	if correct := k.run.plan().Capabilities.Start.Correct; correct != nil {
		correct(&caps)
	}
	k.caps.Store(&caps)
}

// awaitInitialized tells whether the launch was already answered meanwhile.
func (k *connection) awaitInitialized(ctx context.Context, launched <-chan error) (answered bool, err error) {
	for {
		select {
		case <-k.initialized:
			return answered, nil
		case err := <-launched:
			if err != nil {
				return false, k.run.startError(ctx, k.request, err)
			}
			answered, launched = true, nil
		case <-k.conn.Done():
			return false, k.run.startError(ctx, k.request, dap.ErrClosed)
		case <-ctx.Done():
			return false, k.run.startError(ctx, k.request, context.Cause(ctx))
		}
	}
}

// configure sends breakpoints and exception filters in one go. A broker has no
// use for them.
func (k *connection) configure(ctx context.Context) error {
	s := k.run.s
	if k.broker {
		return nil
	}
	release, err := acquire(ctx, s.sending)
	if err != nil {
		return k.run.startError(ctx, "set breakpoints", err)
	}
	defer release()
	filters, err := k.run.exceptionFilters()
	if err != nil {
		return err
	}
	if entry := k.run.plan().Dialect.Entry(); entry != "" && k == k.run.connections.main() && s.request.Program.StopOnEntry && (k.run.plan().Request == "launch" || k.run.plan().Mode == adapters.RemoteAttach) {
		s.breakpoints.Add(breakpoints.Spec{Kind: FunctionBreakpoint, Function: entry, Temporary: true, Entry: true}, s.files)
	}
	s.locateFunctions(ctx)
	s.placeFunctions(ctx, k.run, k)
	plan := s.breakpoints.Plan(k.breakpointConnection())
	k.configured.Store(true)
	under := make([]pendingRequest, len(plan))
	for i, r := range plan {
		under[i] = k.sendBreakpoints(r)
	}
	exceptions := k.sendFilters(filters)
	for _, r := range under {
		if err := s.awaitReplies(ctx, k, r); err != nil {
			return k.run.startError(ctx, "set breakpoints", err)
		}
	}
	if exceptions != nil {
		if err := exceptions.Wait(ctx, nil); err != nil {
			return k.run.startError(ctx, "set exception breakpoints", err)
		}
	}
	s.explainUnbound(ctx, k.run, k)
	return nil
}

// configureAndRun lets the program go: the state is running before the adapter can tell of
// a stop. A child session that is not the program's own changes no state.
func (k *connection) configureAndRun(ctx context.Context, launched <-chan error, answered bool) error {
	s := k.run.s
	defer k.warnUngivenInput()
	k.run.change((*lifecycle.Machine).Launched)
	if err := k.configurationDone(ctx); err != nil && !k.run.hasAdvanced() {
		return err
	}
	k.run.failPendingStart(nil)
	if answered {
		k.run.awaitProcess(ctx)
		return nil
	}
	settled := make(chan struct{})
	// It owns nothing, and ends when the program has come to something, or with the limit of the start.
	go func() {
		defer close(settled)
		_ = s.waitFor(ctx, func(m *lifecycle.Machine) bool { return m.Status() != Running || !m.IsRun(k.run.number) })
	}()
	select {
	case err := <-launched:
		if err != nil && !k.run.hasAdvanced() {
			return k.run.startError(ctx, k.request, err)
		}
		k.run.awaitProcess(ctx)
	case <-settled:
	case <-k.done:
	}
	return nil
}

// awaitProcess waits a while until the adapter has come to the program.
func (l *run) awaitProcess(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, l.s.limits.Request)
	defer cancel()
	_ = l.s.waitFor(ctx, func(m *lifecycle.Machine) bool {
		return !m.IsRun(l.number) || m.Status() != Running || !l.isStillComing(m)
	})
}

// isStillComing says that the adapter, which was told to go on, has not come to the program yet, as
// far as it tells: until then the program does not run, or runs without a debugger.
func (l *run) isStillComing(m *lifecycle.Machine) bool {
	k := l.connections.main()
	return k != nil && !k.begun.Load() && !k.over.Load() && l.plan().Capabilities.Start.IgnoresRequestsUntilProcess && m.Motion() == lifecycle.ByStart &&
		time.Since(m.Since()) < l.s.limits.Request
}

// runBroker lets a broker go and waits for the program that it asks for.
func (k *connection) runBroker(ctx context.Context, launched <-chan error) error {
	if err := k.configurationDone(ctx); err != nil {
		return err
	}
	for {
		select {
		case err := <-launched:
			if err != nil {
				return k.run.startError(ctx, k.request, err)
			}
			launched = nil
		case err := <-k.run.adopted:
			if err != nil {
				return k.run.startError(ctx, k.request, err)
			}
			return nil
		case <-k.done:
			return nil // it has ended before there was anything to see
		case <-k.conn.Done():
			return k.run.startError(ctx, k.request, dap.ErrClosed)
		case <-ctx.Done():
			return k.run.startError(ctx, k.request, context.Cause(ctx))
		}
	}
}

func (k *connection) configurationDone(ctx context.Context) error {
	k.ignoreListening()
	if !k.Capabilities().SupportsConfigurationDoneRequest {
		return nil
	}
	if err := k.Send("configurationDone", struct{}{}).WaitOpen(ctx, nil); err != nil {
		return k.run.startError(ctx, "configurationDone", err)
	}
	return nil
}

// hasAdvanced says whether the program has run, so that a late failure of the handshake
// is no longer the whole story.
func (l *run) hasAdvanced() bool {
	st := l.s.status()
	return l.s.currentRun() != l || st.Stopped() || st == Terminated
}

// startError turns what went wrong during the start into a fault.
func (l *run) startError(ctx context.Context, op string, err error) error {
	var f *fault.Error
	var refused *dap.RequestError
	switch {
	case errors.As(err, &f):
		return f
	case l.ctx.Err() != nil:
		return errStopped
	case errors.As(err, &refused):
		message, hint := l.plan().Dialect.Fault(op, err)
		if message == "" {
			message = refused.Message
		}
		if hint == "" {
			hint = "change what the debug adapter objects to: target, args, cwd, env or adapter_options of session_start"
		}
		return withHint(fault.New(fault.SessionStart, "%s failed: %s%s", op, message, l.lastWords()), hint)
	case errors.Is(err, dap.ErrUnreadable):
		return unreadableError(fault.SessionStart, op, err)
	case errors.Is(err, dap.ErrClosed):
		return l.crashError("during the start")
	case ctx.Err() != nil || errors.Is(err, dap.ErrTimeout):
		return fault.New(fault.AdapterTimeout, "the debug adapter did not finish %q within %s%s", op, l.s.limits.AdapterStart, l.lastWords()).
			WithHint("try again; adapter(action: verify) checks the adapter")
	}
	return fault.New(fault.SessionStart, "%s: %s", op, jsonwords.Why(err)).
		WithHint("look at the adapter with adapter(action: verify), then start again")
}

func withHint(f *fault.Error, hint string) *fault.Error {
	if hint != "" {
		f.Hint = hint
	}
	return f
}

// programOutput is the last output of a program that we have started for the adapter:
// it may have failed before the adapter had hold of it.
func (l *run) programOutput() string {
	const kept = 1000
	if l.programs.first() == nil || l.s.status() != Starting { // later it is output, and no explanation of anything
		return ""
	}
	l.s.out.Drain()
	return l.s.out.Take(output.Stderr, kept).Text + l.s.out.Take(output.Stdout, kept).Text
}

// lastWords is what the adapter printed before it gave up, in brackets.
func (l *run) lastWords() string {
	text := l.words.String()
	if text == "" && l.peer() != nil {
		text = l.peer().Stderr()
	}
	if root := l.connections.root(); root != nil && text == "" {
		if odd := root.conn.Nonsense(); odd != "" {
			return fmt.Sprintf(" (what it wrote is no DAP message: %s)", tidyText(odd, 200))
		}
	}
	if text == "" {
		text = l.programOutput()
	}
	if text = tidyText(l.s.manager.mask.Text(text), 1000); text == "" {
		return ""
	}
	return fmt.Sprintf(" (it said: %s)", text)
}
