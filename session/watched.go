package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/session/lifecycle"
)

// Hub is what happens in the session, for those who watch it.
func (s *Session) Hub() *hub.Hub { return s.hub }

// publishState tells who watches where the session stands, and has the picture of a stop
// made that nobody else asks for.
func (s *Session) publishState(m *lifecycle.Machine) {
	st := s.snapshot(m)
	epoch := m.Epoch()
	s.hub.SetState(hub.Program, hub.State{
		Epoch: epoch, Status: string(st.Status), Stopped: st.Status.Stopped(), Ended: st.Status == Terminated, Reason: st.Reason, Thread: st.ThreadID, Hit: st.Hit,
		ExitCode: st.ExitCode, Signal: st.Signal, Doing: st.Doing, Note: st.Note,
	})
	s.PublishBreakpoints(hub.Program)
	if l := s.currentRun(); st.Status.Stopped() && l != nil && s.hub.IsObserved() {
		// It owns nothing, and ends when the picture is made, or with the run.
		l.spawn("making the picture of a stop", func() { s.pictureLater(l.ctx, epoch) })
	}
}

// pictureAfter is how long an agent that has asked for the stop may take to look at it
// before it is looked at for those who watch: it asks for the same.
const pictureAfter = 40 * time.Millisecond

// pictureLimit bounds the making of a picture.
const pictureLimit = 10 * time.Second

func (s *Session) pictureLater(ctx context.Context, epoch int) {
	ctx, cancel := context.WithTimeout(ctx, pictureLimit)
	defer cancel()
	patience := time.NewTimer(pictureAfter)
	defer patience.Stop()
	select {
	case <-patience.C:
	case <-ctx.Done():
		return
	}
	if s.hub.HasView(epoch) {
		return
	}
	if err := s.Picture(ctx); err != nil {
		s.log.Debug("picture of a stop", "error", err)
	}
}

// Picture looks at the stop for those who watch, if nobody has done so yet: unlike View
// it takes nothing from the agent's next reply.
func (s *Session) Picture(ctx context.Context) error {
	epoch, status := s.Moment()
	if !status.Stopped() || s.hub.HasView(epoch) {
		return nil
	}
	p := s.Stopped()
	v := hub.View{Epoch: epoch, Thread: p.Thread()}
	frames, total, err := p.Stack(ctx, 0, 0, 0)
	if err != nil {
		v.Unread = "stack: " + err.Error()
		s.hub.SetView(v)
		return fmt.Errorf("read the stack: %w", err)
	}
	v.Stack, v.StackTotal = s.WatchedFrames(frames), total
	locals, count, err := p.Variables(ctx, Locals, 0, 0, Page{})
	if err != nil {
		v.Unread = "locals: " + err.Error()
	}
	v.Locals, v.LocalsTotal = WatchedValues(locals), count
	s.hub.SetView(v)
	return err
}

// publishView gives those who watch the picture that the agent has got.
func (s *Session) publishView(v *View) {
	if !v.State.Status.Stopped() {
		return
	}
	seen := hub.View{
		Epoch: v.Epoch, Thread: v.State.ThreadID, Stack: s.WatchedFrames(v.Stack), StackTotal: v.StackTotal,
		Locals: WatchedValues(v.Locals), LocalsTotal: v.LocalsTotal, Returned: WatchedValues(v.Returned), Warnings: slices.Clone(v.Warnings),
	}
	if v.Unread.What != "" {
		seen.Unread = v.Unread.What + ": " + v.Unread.Why
	}
	if v.Exception != nil {
		seen.Exception = lifecycle.JoinText(v.Exception.Type, v.Exception.Message)
	}
	for i, local := range seen.Locals {
		for _, c := range v.Changed {
			if c.Name == local.Name && v.SameFrame {
				seen.Locals[i].Changed, seen.Locals[i].Old = true, c.Old
			}
		}
	}
	s.hub.SetView(seen)
}

// WatchedFrames are frames as those who watch are shown them.
func (s *Session) WatchedFrames(frames []Frame) []hub.Frame {
	var list []hub.Frame
	for _, f := range frames {
		list = append(list, hub.Frame{Index: f.Index, Function: f.Function, File: f.File, Path: s.Rel(f.File), Line: f.Line, Internal: f.Internal})
	}
	return list
}

// WatchedValues are values as those who watch are shown them.
func WatchedValues(vars []Variable) []hub.Value {
	var list []hub.Value
	for _, v := range vars {
		list = append(list, hub.Value{Name: v.Name, Value: v.Untyped(), Type: v.Type, Ref: v.Ref, Count: v.Count})
	}
	return list
}

// PublishBreakpoints tells those who watch which breakpoints there are now, and whose doing
// what has changed is.
func (s *Session) PublishBreakpoints(by hub.Author) {
	var list []hub.Breakpoint
	for _, b := range s.Breakpoints() {
		path := b.File
		if path != "" {
			path = s.Rel(path)
		}
		list = append(list, hub.Breakpoint{
			ID: b.ID, Kind: string(b.Kind), File: b.File, Path: path, Line: b.Line, Function: b.Function, Expression: b.Expression,
			Condition: b.Condition.String(), HitCondition: b.HitCondition, LogMessage: b.LogMessage,
			Enabled: b.Enabled, Bound: b.Verified, Message: b.Message,
		})
	}
	s.hub.SetBreakpoints(by, list)
}
