package dapdoor

import (
	"fmt"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/hub"
)

// tell tells the editor what happens, until the connection ends. An editor that is slow
// holds up nobody else.
func (c *client) tell(o *hub.Observer, now hub.Snapshot) {
	t := &eventSender{client: c}
	for _, b := range now.Breakpoints {
		t.breakpoint(hub.BreakpointChange{What: hub.BreakpointSet, Breakpoint: b})
	}
	if now.Hold != nil {
		t.say("%s holds this session", now.Hold.Person)
	}
	for _, q := range now.Questions {
		t.question(q)
	}
	t.state(now.State)
	for {
		events, lost, err := o.Next(c.ctx)
		if err != nil {
			return
		}
		for _, e := range events {
			t.event(e)
		}
		if lost > 0 {
			t.say("%d events lost: this editor was too slow for them", lost)
			t.state(c.seat.Session.Hub().Snapshot().State)
		}
	}
}

// eventSender turns what happens into events of the protocol.
type eventSender struct {
	*client
	epoch  int
	known  bool // a state was told
	still  bool // it was a stop
	thread int  // of the last stop
	ended  bool
}

func (t *eventSender) event(e hub.Event) {
	switch {
	case e.State != nil:
		t.state(*e.State)
	case e.Output != nil:
		t.output(*e.Output)
	case e.Breakpoint != nil:
		t.breakpoint(*e.Breakpoint)
	case e.Call != nil:
		t.say("agent: %s %s", e.Call.What, e.Call.Args)
	case e.Reply != nil:
		t.say("agent: → %s (%s)", e.Reply.Summary, e.Reply.Took.Round(time.Millisecond))
	case e.Question != nil:
		t.question(*e.Question)
	case e.Answer != nil:
		t.say("%s answered: %s", e.Answer.Who, e.Answer.Text)
	case e.Did != nil && e.Did.Who != t.seat.Person.Name:
		t.say("%s", strings.TrimSuffix(e.Did.Who+" "+e.Did.Did+": "+e.Did.Text, ": "))
	case e.Hold != nil && e.Hold.Person != "" && e.Hold.EndsAt != nil:
		t.say("%s, who holds this session, has left", e.Hold.Person)
	}
}

func (t *eventSender) question(q hub.Question) {
	t.say("the agent asks: %s   (answer with  :answer your text)", q.Text)
}

// say writes a line into the editor's console.
func (t *eventSender) say(format string, args ...any) {
	_ = t.out.Event("output", godap.OutputEventBody{Category: "console", Output: fmt.Sprintf(format, args...) + "\n"})
}

func (t *eventSender) output(o hub.Output) {
	if o.Cut > 0 {
		t.say("%d bytes of output are left out here", o.Cut)
	}
	category := o.Stream
	if category == "log" {
		category = "console"
	}
	_ = t.out.Event("output", godap.OutputEventBody{Category: category, Output: o.Text})
}

// state tells where the program stands. What the editor itself has asked for is answered first.
func (t *eventSender) state(st hub.State) {
	if t.known && st.Epoch == t.epoch && st.Stopped == t.still {
		if !t.ended && st.Ended {
			t.end(st)
		}
		return
	}
	t.resuming.Lock()
	defer t.resuming.Unlock()
	began := !t.known
	t.epoch, t.known = st.Epoch, true
	wasStill := t.still
	t.still = st.Stopped
	switch {
	case st.Stopped:
		t.stopped(st)
	case st.Ended:
		t.end(st)
	case wasStill && !began:
		t.ended = false
		_ = t.out.Event("continued", godap.ContinuedEventBody{ThreadId: t.thread, AllThreadsContinued: true})
	}
}

func (t *eventSender) stopped(st hub.State) {
	t.frames.begin(st.Epoch)
	t.scopes.begin(st.Epoch)
	body := godap.StoppedEventBody{
		Reason: st.Reason, ThreadId: st.Thread, AllThreadsStopped: true, HitBreakpointIds: st.Hit, Text: st.Note,
	}
	if st.Thread <= 0 {
		body.ThreadId = t.seat.Session.Stopped().Thread()
	}
	t.thread = body.ThreadId
	_ = t.out.Event("stopped", body)
}

func (t *eventSender) end(st hub.State) {
	t.ended = true
	if st.ExitCode != nil {
		_ = t.out.Event("exited", godap.ExitedEventBody{ExitCode: *st.ExitCode})
	}
	_ = t.out.Event("terminated", struct{}{})
}

// breakpoint tells of one. What this editor has set it knows by the answer.
func (t *eventSender) breakpoint(change hub.BreakpointChange) {
	reason := map[string]string{hub.BreakpointSet: "new", hub.BreakpointChanged: "changed", hub.BreakpointRemoved: "removed"}[change.What]
	own := change.By == t.seat.Person.Author()
	if reason == "new" && own || change.Kind != "line" {
		return
	}
	_ = t.out.Event("breakpoint", godap.BreakpointEventBody{Reason: reason, Breakpoint: shownBreakpoint(change.Breakpoint)})
}

// shownBreakpoint is a breakpoint as an editor shows it, with who has set it.
func shownBreakpoint(b hub.Breakpoint) godap.Breakpoint {
	said := "set by " + authored(b.By)
	if b.Message != "" {
		said += "; " + b.Message
	}
	return godap.Breakpoint{
		Id: b.ID, Verified: b.Bound && b.Enabled, Line: b.Line, Message: said,
		Source: &godap.Source{Name: lastPart(b.File), Path: b.File},
	}
}

func lastPart(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
