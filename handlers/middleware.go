package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Middleware wraps a handler with one concern.
type Middleware func(Handler) Handler

// namedMiddleware is a middleware with its name, by which a test holds the order.
type namedMiddleware struct {
	name string
	wrap Middleware
}

// callChain is what every call goes through before its tool's handler, and its reply after it.
type callChain struct {
	Deps
	queue       *queue
	subscribers *subscribers
	journal     *journal
}

func (h *Handlers) callChain() *callChain {
	return &callChain{Deps: h.Deps, queue: &h.queue, subscribers: &h.subscribers, journal: &h.journal}
}

// links are the one order in which every call is handled, outermost first.
func (ch *callChain) links() []namedMiddleware {
	return []namedMiddleware{
		{"account", ch.account}, // what was used
		{"recover", ch.recover}, // a bug costs one call
		{"timing", ch.timing},   // how long, how many bytes
		{"replied", ch.replied}, // for those who watch
		{"respond", ch.respond}, // whatever comes up becomes a reply
		{"news", ch.news},       // of other sessions
		{"decode", decode},      // arguments to parameters
		{"permit", ch.permit},   // what the policy forbids in any state
		{"progress", progress},  // a waiting client hears of us
		{"lock", ch.lock},       // which session, and its turn
		{"watched", ch.watched}, // those who watch, and who drives
		{"session", checkState}, // in a state to work with
		{"capture", ch.capture}, // for the history
	}
}

// handle is the end of the chain, where the tool's own handler stands.
func handle(ctx context.Context, c *Call) (Result, error) {
	env, err := c.request.handle(ctx, c)
	return Result{Envelope: env}, err
}

func chain(links []namedMiddleware, handler Handler) Handler {
	for _, link := range slices.Backward(links) {
		handler = link.wrap(handler)
	}
	return handler
}

// recover turns a panic into an answer; its stack goes to the log.
func (ch *callChain) recover(next Handler) Handler {
	return func(ctx context.Context, c *Call) (res Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				ch.Log.ErrorContext(ctx, "tool call panicked", "tool", c.Tool, "panic", p, "stack", string(debug.Stack()))
				env := responses.Failure(fault.New(fault.Internal, "%s failed inside aidb-mcp: %v", c.Tool, p).
					WithHint("this is a bug of ours, the server goes on; session(status) tells where the program stands"))
				hide(ch.Mask, env)
				res, err = Result{Envelope: env, Reply: responses.Fit(env, defaultBudget, ch.Settings.formOf(c))}, nil
			}
		}()
		return next(ctx, c)
	}
}

// slow is how long a call may take beyond what it was told to wait.
const slow = 2 * time.Second

// timing logs each call and completes its entry in the history.
func (ch *callChain) timing(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		start := time.Now()
		res, err := next(ctx, c)
		took, bytes := time.Since(start), len(res.Reply.Read())
		if op := res.operation; op != nil {
			op.Duration, op.Bytes = took, bytes
			c.Session.Record(*op)
		}
		level := slog.LevelDebug
		if took > slow+c.timeout() {
			level = slog.LevelWarn
		}
		ch.Log.Log(ctx, level, "tool call", "what", c.what(), "duration", took.Round(time.Microsecond),
			"bytes", bytes, "tokens", bytes/bytesPerToken, "failed", res.Reply.IsError)
		return res, err
	}
}

// bytesPerToken is the usual estimate for JSON and code.
const bytesPerToken = 4

// respond turns whatever comes up into the reply.
func (ch *callChain) respond(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		res, err := next(ctx, c)
		if errors.Is(err, client.ErrAsked) {
			return Result{Reply: responses.Reply{Asked: true}}, nil
		}
		if err != nil {
			res.Envelope = responses.Failure(explain(ctx, err))
		}
		env := res.Envelope
		hide(ch.Mask, env)
		addPersons(ctx, c, env)
		if env.SessionID == "" && c.Session != nil {
			env.SessionID = c.Session.ID()
		}
		if env.Error != nil || c.tool.definition().Annotations.ReadOnly { // may be asked again for what does not fit
			env.Again = wider(ch.Mask, c)
		}
		res.Reply = ch.fit(c, env)
		return res, nil
	}
}

// fit writes the reply. A client that draws it gets its data beside the text, which is not for
// its model.
func (ch *callChain) fit(c *Call, env *responses.Envelope) responses.Reply {
	max, form := ch.Settings.budget(c.budget()), ch.Settings.formOf(c)
	if form != responses.Text || c.tool.definition().View() == "" || !c.Client.Draws() {
		return responses.Fit(env, max, form)
	}
	return responses.FitDrawn(env, max)
}

// wider is the call once more, with as much room for its reply as there may be; empty
// where its arguments must not be repeated.
func wider(mask *secret.Masker, c *Call) responses.Call {
	if !bytes.Equal(mask.JSON(c.Args), c.Args) {
		return responses.Call{}
	}
	return responses.Repeat(c.Tool, c.Args, "max_bytes", maxBudget)
}

// hide masks the secrets that an error repeats: command lines, what an adapter
// says of its request.
func hide(mask *secret.Masker, env *responses.Envelope) {
	p := env.Error
	if p == nil {
		return
	}
	p.Message, p.Hint = mask.Text(p.Message), mask.Text(p.Hint)
	if p.Details == nil || mask == nil {
		return
	}
	if details, err := json.Marshal(p.Details); err == nil {
		if masked := mask.JSON(details); !bytes.Equal(masked, details) {
			p.Details = json.RawMessage(masked)
		}
	}
}

// explain says why a call was cancelled, where the canceller told.
func explain(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(cause, context.Canceled) || !errors.Is(err, context.Canceled) && !errors.Is(err, cause) {
		return err
	}
	return fault.New(fault.Cancelled, "the call was cut short: %w", cause).
		WithHint("every session ends with the server, so a new connection starts with session_start")
}

// decode reads what the arguments ask for.
func decode(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		r, err := c.tool.read(c.Args)
		if err != nil {
			return Result{}, err
		}
		if c.isLook {
			r.rule.passes, r.rule.quiet = true, true
		}
		c.request = r
		return next(ctx, c)
	}
}

// checkState checks, under the lock, that the session can do what is asked.
func checkState(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		if c.Session != nil {
			c.Session.NoticeEnd(ctx)
			if err := c.request.rule.state.check(c.what(), c.Session.State()); err != nil {
				return Result{}, err
			}
		}
		return next(ctx, c)
	}
}

// check says why a session in state st cannot be worked with, and what to do.
func (want requiredState) check(what string, st session.State) error {
	switch {
	case want == anyState || want == stopped && st.Status.Stopped():
		return nil
	case st.Status == session.Terminated:
		return fault.New(fault.SessionTerminated, "%s needs a live program, but it has ended%s", what, endText(st)).
			WithHint("session(restart) runs it again with the same breakpoints; inspect(output) shows what it printed")
	case want == alive:
		return nil
	case st.Status == session.Starting:
		return fault.New(fault.NotPaused, "%s needs a stopped program, but it is still starting%s", what, doingText(st)).
			WithHint("execute(wait) waits for the first stop")
	}
	return fault.New(fault.NotPaused, "%s needs a stopped program, but it has been running for %s", what, st.Running.Round(100*time.Millisecond)).
		WithHint("execute(pause) stops it where it is; execute(wait) waits for the next stop")
}

func endText(st session.State) string {
	switch {
	case st.Signal != "":
		return " with signal " + st.Signal
	case st.ExitCode != nil:
		return fmt.Sprintf(" with exit code %d", *st.ExitCode)
	case st.Note != "":
		return ": " + responses.Shorten(st.Note, longestNote)
	}
	return ""
}

// longestNote is how much of the reason for an end stands in an error, in bytes.
const longestNote = 300

func doingText(st session.State) string {
	if st.Doing == "" {
		return ""
	}
	return fmt.Sprintf(" (%s, %s)", st.Doing, st.Running.Round(100*time.Millisecond))
}

// capture notes what the call did and what came of it.
func (ch *callChain) capture(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		began := time.Now()
		res, err := next(ctx, c)
		if c.Session == nil || c.request.rule.quiet || errors.Is(err, client.ErrAsked) {
			return res, err
		}
		op := &session.Operation{
			Tool: c.Tool, What: c.what(), OK: err == nil && res.Envelope.Success, At: began,
			Args: historyArgs(ch.Mask, c.Args), Looked: c.tool.definition().Annotations.ReadOnly,
		}
		shown := res.Envelope
		if err != nil {
			shown = responses.Failure(explain(ctx, err))
		}
		if problem := shown.Error; problem != nil {
			op.Outcome, op.Found = problem.Code, []string{responses.Shorten(ch.Mask.Text(problem.Message), recordedBytes)}
		} else {
			op.Outcome, op.Found = shown.Summary, responses.Gist(shown.Data)
		}
		res.operation = op
		return res, err
	}
}

// recordedBytes is how much of a call's arguments, or of why it failed, is kept.
const recordedBytes = 500

// historyArgs is how the history keeps the arguments of a call.
func historyArgs(mask *secret.Masker, args json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		return ""
	}
	if text := string(mask.JSON(compact.Bytes())); text != "{}" {
		return responses.Shorten(text, recordedBytes)
	}
	return ""
}
