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

// debug is the whole conversation, three calls: what goes wrong, why, and a remedy that
// is proven.
func (a *agent) debug(ctx context.Context) error {
	begun := time.Now()
	a.show.line("%s", a.show.paint(bold, "A Go program panics. An agent finds out why and proves the remedy, through aidb-mcp."))
	a.show.line("The program is real, so are the server, the calls and the replies.")
	for _, step := range []func(context.Context) error{a.failure, a.cause, a.remedy} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	a.show.says("Found and proven; no file has changed yet. apply would write it.")
	a.show.line("\n%d calls, %.1f s, %.1f KB of replies. To use it in your agent: aidb-mcp --help, README.md",
		a.client.calls, time.Since(begun).Seconds(), float64(a.client.bytes)/1000)
	return nil
}

// patience is how long a call may take where the standard library has to be built first,
// in milliseconds.
const patience = 240_000

// failure asks what goes wrong.
func (a *agent) failure(ctx context.Context) error {
	a.show.says("It crashes, I do not know where. What goes wrong?")
	r, err := a.call(ctx, "diagnose", params{"target": ".", "timeout_ms": patience})
	if err != nil {
		return err
	}
	return expect(r,
		r.Data.Verdict == "panic",
		r.Data.Function == "main.total",
		r.Data.Culprit.Expression == "product" && r.Data.Culprit.Value == "nil",
		strings.Contains(r.Data.Locals["item"].Value, "Tea"))
}

// cause asks where the bad value came from.
func (a *agent) cause(ctx context.Context) error {
	a.show.says("product is nil. Where did that come from?")
	r, err := a.call(ctx, "why", params{"expression": "product", "timeout_ms": patience})
	if err != nil {
		return err
	}
	return expect(r, len(r.Data.Chain) > 0 && r.Data.Chain[0].Code == "product := menu[item]")
}

// remedy tries a change in a copy of the workspace.
func (a *agent) remedy(ctx context.Context) error {
	a.show.says(`The menu has "tea", the order says "Tea". Is case all that is wrong? Try it, in a copy.`)
	r, err := a.call(ctx, "attempt", params{"check": params{"target": "."}, "timeout_ms": patience, "candidates": []params{{
		"hypothesis": "orders are written in any case, the menu in lower case",
		"edits": []params{
			{"file": "main.go", "old": `import "fmt"`, "new": "import (\n\t\"fmt\"\n\t\"strings\"\n)"},
			{"file": "main.go", "old": "menu[item]", "new": "menu[strings.ToLower(item)]"},
		},
	}}})
	if err != nil {
		return err
	}
	return expect(r, r.Data.Winner == 1, r.Data.Before.Verdict == "panic")
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

// expect fails when a reply does not bear out what the agent says about it.
func expect(r reply, facts ...bool) error {
	for i, fact := range facts {
		if !fact {
			return fmt.Errorf("the reply is not what the demonstration shows (check %d): %s %+v", i+1, r.Text, r.Data)
		}
	}
	return nil
}
