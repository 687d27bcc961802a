package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/session/inspect"
)

// Evaluate evaluates in the frame; p pages the children of the result, or the
// text when the result is a long one.
func (s *Session) Evaluate(ctx context.Context, expression string, thread, frame int, p Page) (Variable, error) {
	if err := s.checkEvaluate("expression", expression); err != nil {
		return Variable{}, err
	}
	still, err := s.stopFor(thread)
	if err != nil {
		return Variable{}, err
	}
	f, err := s.adapterFrame(ctx, thread, frame)
	if err != nil {
		return Variable{}, err
	}
	if thread == 0 {
		thread = s.currentThread(still)
	}
	in := origin{still: still, thread: thread, frame: f.Id}
	body, err := s.ask(ctx, in, expression)
	s.markEvaluated(still)
	if err != nil {
		return Variable{}, err
	}
	limit := cmp.Or(p.AskedBytes, s.limits.AskedBytes)
	x := inspect.Evaluated(expression, body)
	if tidy := s.dialect().Variables("", []godap.Variable{x}); len(tidy) == 1 {
		x = tidy[0]
	}
	v := s.variable(in, x, limit)
	paged := p.Start > 0 || p.Count > 0
	if x.VariablesReference == 0 {
		if v.Cut > 0 {
			return s.readPiece(ctx, in, v, x.Value, p)
		}
		return v, nil
	}
	depth := p.Depth
	if paged || p.Filter != "" {
		depth = max(depth, 1)
	}
	r, err := s.findReference(v.Ref)
	if err != nil || depth == 0 {
		return v, nil
	}
	budget := maxValues
	v.Children, v.ChildTotal, err = s.children(ctx, r, p, depth, &budget)
	return v, err
}

// evaluation is a question in a frame, whose id may be 0.
type evaluation struct {
	Expression string `json:"expression"`
	FrameID    int    `json:"frameId"`
	Context    string `json:"context,omitempty"`
}

// ask evaluates an expression and tells truthfully what became of the program
// when that ran it: a call may hit a breakpoint, end the program or never return.
func (s *Session) ask(ctx context.Context, in origin, expression string) (godap.EvaluateResponseBody, error) {
	stops := s.stopCount()
	text, kind, err := expressionIn(ctx, in.still.connection, s.capabilities().Values, in.frame, expression)
	if errors.Is(err, dap.ErrTimeout) {
		return godap.EvaluateResponseBody{}, s.stopEndlessCall(ctx, in.still, expression)
	}
	if err != nil {
		return godap.EvaluateResponseBody{}, s.refusalError(ctx, fault.Evaluation, "evaluate", err)
	}
	args := evaluation{Expression: text, FrameID: in.frame, Context: kind}
	var body godap.EvaluateResponseBody
	err = in.still.connection.Send("evaluate", args).Wait(ctx, &body)
	if err == nil {
		if err := s.failedResult(expression, body); err != nil {
			return body, err
		}
		return s.callResult(ctx, in, expression, text, body)
	}
	var refused *dap.RequestError
	if !errors.As(err, &refused) && !errors.Is(err, dap.ErrClosed) {
		return body, s.stopEndlessCall(ctx, in.still, expression)
	}
	if stops != s.stopCount() { // it may still be decided about
		deciding, cancel := context.WithTimeout(ctx, disconnectLimit)
		defer cancel()
		_ = s.waitFor(deciding, func() bool { return !in.still.isCurrent(s) })
	}
	if s.isAt(in.still) {
		return body, s.refusalError(ctx, fault.Evaluation, "evaluate", err)
	}
	return body, s.interruptedError(ctx, expression)
}

// expressionIn is what the adapter evaluates for an expression in a frame.
func expressionIn(ctx context.Context, c adapters.Caller, can adapters.Values, frame int, expression string) (text, kind string, err error) {
	if can.Expression == nil {
		return expression, "watch", nil
	}
	return can.Expression(ctx, c, frame, expression)
}

// failedResult is the error of an evaluation that the adapter reports as a
// success although it failed.
func (s *Session) failedResult(expression string, body godap.EvaluateResponseBody) error {
	judge := s.capabilities().Values.EvaluationFailed
	if judge == nil {
		return nil
	}
	if why, failed := judge(body); failed {
		return fault.New(fault.Evaluation, "%q failed: %s", expression, why).
			WithHint("inspect(target: locals) shows the names of this frame; the program stands where it stood")
	}
	return nil
}

// callResult looks at the results of a call where the adapter tells only there that
// it failed, and takes a single result for the value.
func (s *Session) callResult(ctx context.Context, in origin, expression, sent string, body godap.EvaluateResponseBody) (godap.EvaluateResponseBody, error) {
	judge := s.capabilities().Values.CallFailed
	if judge == nil || sent == expression || body.VariablesReference == 0 {
		return body, nil
	}
	results, err := askVariables(in.still.connection, godap.VariablesArguments{VariablesReference: body.VariablesReference}).wait(ctx)
	if err != nil {
		return body, nil // the value is there; it only cannot be opened
	}
	if why, failed := judge(results); failed {
		return body, fault.New(fault.Evaluation, "%q failed: %s", expression, why).
			WithHint("the program stands where it stood; evaluate the parts of the expression to see why")
	}
	if len(results) == 1 && body.Type == "" {
		one := results[0]
		body.Result, body.Type, body.VariablesReference = one.Value, one.Type, one.VariablesReference
		body.NamedVariables, body.IndexedVariables = one.NamedVariables, one.IndexedVariables
	}
	return body, nil
}

// stopCount counts the stopped events of this run.
func (s *Session) stopCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, k := range s.run.connections {
		n += k.stopSeq
	}
	return n
}

// interruptedError says what became of the program when an evaluation was cut short.
func (s *Session) interruptedError(ctx context.Context, expression string) error {
	if still, err := s.currentStop(); err == nil {
		if st, err := s.fetchStack(ctx, still, 0, 1); err == nil && len(st.Frames) > 0 {
			s.attributeStop(still, st)
		}
	}
	if crash := s.crashError(); crash != nil {
		return crash
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Status == Terminated {
		return fault.New(fault.Evaluation, "the program ended while %q was evaluated", expression).
			WithHint("run it again with session(action: restart)")
	}
	cause := "the program stopped inside the call: " + s.now.Reason
	if len(s.now.Hit) > 0 {
		cause = fmt.Sprintf("the call hit breakpoint %d", s.now.Hit[0])
	}
	return fault.New(fault.Evaluation, "%q did not finish: %s", expression, cause).
		WithHint("the program stands there now; step out or continue lets the call finish, or disable the breakpoint first")
}

// stopEndlessCall stops an evaluation that does not return, so that the session
// can be used again, and says so.
func (s *Session) stopEndlessCall(ctx context.Context, still *stopPoint, expression string) error {
	pausing, cancel := context.WithTimeout(context.WithoutCancel(ctx), disconnectLimit)
	defer cancel()
	s.mu.Lock()
	still.connection.pausing = true
	s.mu.Unlock()
	pause := still.connection.Send("pause", godap.PauseArguments{ThreadId: still.connection.adapterThread(max(s.currentThread(still), 0))})
	err := s.waitFor(pausing, func() bool { return !still.isCurrent(s) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && pause.Wait(pausing, nil) != nil {
		return fault.New(fault.AdapterTimeout, "%q did not finish within %s and could not be interrupted", expression, s.limits.Request).
			WithHint("the program is stuck in the evaluation; end it with session(action: restart) or session(action: stop)")
	}
	return fault.New(fault.Evaluation, "%q did not finish within %s and was interrupted", expression, s.limits.Request).
		WithHint("the program now stands inside the call; step out or continue lets it go on")
}

// adapterError turns a failed request into a fault: what the adapter said, that
// it gave no answer, or that it is gone.
func (s *Session) adapterError(ctx context.Context, op string, err error) error {
	return s.refusalError(ctx, fault.Internal, op, err)
}

// refusalError is adapterError with the code for a request that the adapter refused.
func (s *Session) refusalError(ctx context.Context, code fault.Code, op string, err error) error {
	var f *fault.Error
	var refused *dap.RequestError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		if s.NoticeEnd(ctx) {
			return s.lostError(ctx)
		}
		return s.refusedError(code, op, refused)
	case errors.Is(err, dap.ErrUnreadable):
		return unreadableError(fault.NotSupported, op, err)
	case errors.Is(err, dap.ErrTimeout):
		return fault.New(fault.AdapterTimeout, "the debug adapter did not answer %q within %s", op, s.limits.Request).
			WithHint("try again; when it stays silent, session(action: restart) or session(action: stop)")
	case errors.Is(err, dap.ErrClosed) || errors.Is(err, context.Canceled):
		return s.lostError(ctx)
	}
	if errors.Is(err, dap.ErrPanic) {
		return fault.New(fault.Internal, "%s: %w", op, err)
	}
	return unusableError(fault.NotSupported, op, err)
}

// unreadableError is the error of an answer that cannot be parsed.
func unreadableError(code fault.Code, op string, err error) error {
	_, why, _ := strings.Cut(err.Error(), dap.ErrUnreadable.Error()+": ")
	return fault.New(code, "the debug adapter answered %q with something that is no such answer: %s", op, why).WithHint(adaptersFault)
}

// unusableError says the same of an answer that a dialect has read.
func unusableError(code fault.Code, op string, err error) error {
	return fault.New(code, "the debug adapter's answer to %q cannot be used: %s", op, jsonwords.Why(err)).WithHint(adaptersFault)
}

const adaptersFault = "this is a fault of the adapter; other requests may work, session(action: restart) begins anew"

// refusedError puts the adapter's own refusal into words.
func (s *Session) refusedError(code fault.Code, op string, refused *dap.RequestError) error {
	message, hint := s.dialect().Fault(op, refused)
	if message == "" {
		message = refused.Message
	}
	if code == fault.Internal { // no code fits better: the adapter's word on a request of ours
		code = fault.NotSupported
	}
	if code == fault.NotSupported {
		message = fmt.Sprintf("the debug adapter refused %q: %s", op, message)
	}
	switch {
	case hint != "":
	case code == fault.Evaluation:
		hint = "inspect(target: locals) shows the names in this frame; frame: 1 is the caller's"
	default:
		hint = "the program stands where it stood; config(action: capabilities) says what this adapter can do"
	}
	return withHint(fault.New(code, "%s", message), hint)
}

// lostError is the error of a request whose connection broke; the state that
// explains it may follow.
func (s *Session) lostError(ctx context.Context) error {
	settling, cancel := context.WithTimeout(ctx, disconnectLimit)
	defer cancel()
	_ = s.waitFor(settling, func() bool { return s.now.Status == Terminated })
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.now.crash != nil:
		return s.now.crash
	case s.now.Status == Terminated:
		return s.endedError()
	}
	return fault.New(fault.AdapterCrashed, "the debug adapter has ended").
		WithHint("start again with session(action: restart)")
}

// adapterReason is what the adapter itself has said in an error, without what we
// wrapped it in.
func adapterReason(err error) string {
	var refused *dap.RequestError
	if errors.As(err, &refused) {
		return refused.Message
	}
	return err.Error()
}

// unsupportedError says that this adapter lacks a capability, and what it can do instead.
func (s *Session) unsupportedError(what, instead string) error {
	return fault.New(fault.NotSupported, "%s (%s) has no %s", s.adapter.Info().Name, s.Language(), what).
		WithHint("%s", instead)
}
