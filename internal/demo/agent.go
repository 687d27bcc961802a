package demo

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// params are the arguments of a call.
type params map[string]any

// agent plays the part of a coding agent.
type agent struct {
	client *client
	show   printer
}

// debug is the whole conversation: find the cause of a crash, then prove it.
func (a *agent) debug(ctx context.Context) error {
	begun := time.Now()
	a.show.line("%s", a.show.paint(bold, "A Go program panics. An agent finds out why, through aidb-mcp."))
	a.show.line("The program is real, so are the server, the calls and the replies.")

	at, err := a.crash(ctx)
	if err != nil {
		return err
	}
	if err := a.cause(ctx); err != nil {
		return err
	}
	if err := a.proof(ctx); err != nil {
		return err
	}
	a.show.says("Cause found and proven without an edit: look items up in lower case before " + at + ".")
	if _, err := a.call(ctx, "session", params{"action": "stop"}); err != nil {
		return err
	}
	a.show.line("\n%d calls, %.1f s, %.1f KB of replies. To use it in your agent: aidb-mcp --help, README.md",
		a.client.calls, time.Since(begun).Seconds(), float64(a.client.bytes)/1000)
	return nil
}

// crash runs into the panic and says where it was.
func (a *agent) crash(ctx context.Context) (location string, err error) {
	a.show.says("It crashes, I do not know where. Run it.")
	r, err := a.stop(ctx, "session_start", params{"target": ".", "timeout_ms": 240_000})
	if err != nil {
		return "", err
	}
	return r.Data.Location, expect(r,
		r.Data.State.Status == "stopped_at_exception",
		r.Data.Function == "main.total",
		strings.Contains(r.Data.Exception.Message, "nil pointer"),
		strings.Contains(r.Data.Locals["item"].Value, "Tea"))
}

// cause compares what was looked up with what is there.
func (a *agent) cause(ctx context.Context) error {
	a.show.says(`product is nil: the menu has no "Tea". What does it have?`)
	r, err := a.call(ctx, "inspect", params{"expression": "menu", "depth": 1})
	if err != nil {
		return err
	}
	return expect(r, strings.Contains(r.Data.Result.Value, `"tea"`))
}

// proof runs the program again with the suspected value put right.
func (a *agent) proof(ctx context.Context) error {
	a.show.says(`It has "tea", the order says "Tea". If case is all that is wrong, this run ends well with "tea" in its place.`)
	if _, err := a.call(ctx, "breakpoint", params{"location": "main.total", "condition": "order.Table == 3"}); err != nil {
		return err
	}
	r, err := a.stop(ctx, "session", params{"action": "restart"})
	if err == nil {
		err = expect(r, r.Data.State.Status == "stopped_at_breakpoint")
	}
	if err != nil {
		return err
	}
	if _, err := a.call(ctx, "variable", params{"action": "set", "name": "order.Items[1]", "value": `"tea"`}); err != nil {
		return err
	}
	r, err = a.stop(ctx, "step", params{"action": "out"})
	if err == nil {
		err = expect(r, len(r.Data.Returned) == 1, r.Data.Function == "main.main")
	}
	if err != nil {
		return err
	}
	a.show.says("total returns now. On to the end.")
	r, err = a.stop(ctx, "execute", params{"action": "continue"})
	if err != nil {
		return err
	}
	return expect(r,
		r.Data.State.Status == "terminated",
		r.Data.State.ExitCode != nil && *r.Data.State.ExitCode == 0,
		strings.Contains(r.Data.Output.Stdout, "table 3 pays 670 cents"))
}

// call makes a call and prints it with its reply.
func (a *agent) call(ctx context.Context, tool string, p params) (reply, error) {
	a.show.call(tool, p)
	r, err := a.client.call(ctx, tool, p)
	if err == nil {
		a.show.reply(r)
	}
	return r, err
}

// stop is call for what runs the program: on a slow machine the first wait can
// end while it is still being built, and is then gone on with.
func (a *agent) stop(ctx context.Context, tool string, p params) (reply, error) {
	r, err := a.call(ctx, tool, p)
	for err == nil && (r.Data.State.Status == "starting" || r.Data.State.Status == "running") {
		r, err = a.call(ctx, "execute", params{"action": "wait", "timeout_ms": 60_000})
	}
	return r, err
}

// expect fails when a reply does not bear out what the agent says about it.
func expect(r reply, facts ...bool) error {
	for i, fact := range facts {
		if !fact {
			return fmt.Errorf("the reply is not what the demonstration shows (check %d): %s %+v", i+1, r.Text, r.Data)
		}
	}
	return nil
}
