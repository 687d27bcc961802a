package handlers

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/responses"
)

// watched tells those who watch the session that the agent asks something, and refuses what
// drives the program while a person holds it.
func (ch *callChain) watched(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		if c.Session == nil || c.isLook {
			return next(ctx, c)
		}
		if !c.request.rule.quiet {
			c.asked = ch.tellAsked(c)
		}
		if c.request.drives {
			if err := c.Session.Hub().CheckAgent(); err != nil {
				return Result{}, err
			}
		}
		defer func() {
			if c.Session != nil {
				c.Session.PublishBreakpoints(hub.Agent)
			}
		}()
		return next(ctx, c)
	}
}

func (ch *callChain) tellAsked(c *Call) (n int64) {
	return c.Session.Hub().AddCall(hub.Call{Tool: c.Tool, What: c.what(), Args: historyArgs(ch.Mask, c.Args)})
}

// replied tells them what it was answered. What is no part of the session's story is not told.
func (ch *callChain) replied(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		start := time.Now()
		res, err := next(ctx, c)
		isUnderstood := c.request != nil
		if c.isLook || res.Envelope == nil || !isUnderstood || c.request.rule.quiet {
			return res, err
		}
		if c.Session == nil {
			ch.tellBeside(c, res, time.Since(start))
			return res, err
		}
		if c.asked == 0 { // the call has opened the session
			c.asked = ch.tellAsked(c)
			c.Session.PublishBreakpoints(hub.Agent)
		}
		c.Session.Hub().AddReply(watchedReply(c, res, time.Since(start)))
		return res, err
	}
}

// tellBeside tells those who watch the current session of a call that belongs to none, such as
// one that runs the program anew.
func (ch *callChain) tellBeside(c *Call, res Result, took time.Duration) {
	s := ch.Sessions.Current()
	if s == nil {
		return
	}
	c.asked = s.Hub().AddCall(hub.Call{Tool: c.Tool, What: c.what(), Args: historyArgs(ch.Mask, c.Args)})
	s.Hub().AddReply(watchedReply(c, res, took))
}

// drawn are the tools whose data a window can draw.
var drawn = []string{"why", "trace", "profile", "attempt"}

func watchedReply(c *Call, res Result, took time.Duration) hub.Reply {
	r := hub.Reply{
		Call: c.asked, Tool: c.Tool, OK: res.Envelope.Success, Summary: res.Envelope.Summary, Text: string(res.Reply.Read()), Took: took,
	}
	if _, isLink := res.Envelope.Data.(*responses.Shown); isLink {
		r.Text = "" // who watches need not see how others come in
	}
	if slices.Contains(drawn, c.Tool) {
		if data, err := json.Marshal(res.Envelope.Data); err == nil {
			r.Data = data
		}
	}
	return r
}

// personPatience bounds the wait for an act of a person that has ended a wait of the agent's.
const personPatience = 3 * time.Second

// addPersons adds to a reply what persons did in its session since the last one. A reply
// that nobody will read takes nothing.
func addPersons(ctx context.Context, c *Call, env *responses.Envelope) {
	if c.Session == nil || c.isLook || ctx.Err() != nil {
		return
	}
	waiting, cancel := context.WithTimeout(ctx, personPatience)
	defer cancel()
	did, forgotten := c.Session.Hub().TakeDid(waiting)
	for _, d := range did {
		env.Person = append(env.Person, responses.PersonAct{Who: d.Who, Did: d.Did, At: d.At.UTC().Format(time.RFC3339), Text: d.Text})
	}
	if forgotten > 0 {
		env.Omitted = append(env.Omitted, responses.Omission{What: "acts of persons", Shown: len(did), Total: len(did) + forgotten})
	}
}
