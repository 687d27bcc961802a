package handlers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/brief"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// Bounds of what is offered and named of processes.
const (
	mostChoices   = 10
	nearestNames  = 3
	longestChoice = 120 // bytes of a command line
)

// whichProcess finds the process that a start means which gives no number: the one
// that its target names. Where that names several, or nothing, the user is asked,
// if there is one; an error lists them. Said is which one it is, empty where that
// was not in question.
func (sr startResolver) whichProcess(ctx context.Context, c *Call, p *tools.SessionStartParams) (said string, err error) {
	if adapters.Mode(p.Mode) != adapters.Attach || p.PID != 0 || p.Host != "" || p.Port != 0 || sr.Policy.Attach("mode") != nil {
		return "", nil
	}
	if p.Language != "" && sr.Adapters.Get(p.Language) == nil {
		return "", nil // of which the start tells best
	}
	running := sr.attachable(p)
	found := matchTarget(running, p.Target, sr.root(p.WorkspaceRoot))
	if p.Target != "" && len(found) == 0 {
		return "", sr.noMatchError(p, running)
	}
	if p.Target == "" && !c.Client.Elicits() {
		return "", ambiguousError(p, found, "")
	}
	if p.Target == "" || len(found) > 1 {
		chosen, why, err := askWhich(ctx, c, found)
		if err != nil {
			return "", err
		}
		if chosen == nil {
			return "", ambiguousError(p, found, why)
		}
		found = []candidate{*chosen}
	}
	sr.attachTo(p, found[0])
	return fmt.Sprintf("attached to process %d, %s", found[0].PID, found[0].shown), nil
}

// attachTo has the start attach to a process.
func (sr startResolver) attachTo(p *tools.SessionStartParams, one candidate) {
	p.PID = one.PID
	program := p.Target
	if !filepath.IsAbs(program) {
		program = filepath.Join(sr.root(p.WorkspaceRoot), program)
	}
	if info, err := os.Stat(program); err != nil || !info.Mode().IsRegular() {
		p.Target = "" // it only says which process is meant
	}
}

// askWhich has the user choose; nil where there is none to ask, or none was chosen.
func askWhich(ctx context.Context, c *Call, found []candidate) (*candidate, string, error) {
	if !c.Client.Elicits() || len(found) == 0 {
		return nil, "", nil
	}
	q := client.Question{Key: "process", Message: "aidb: which process shall the debugger attach to?"}
	for _, one := range found[:min(len(found), mostChoices)] {
		q.Choices = append(q.Choices, one.choice())
	}
	if more := len(found) - len(q.Choices); more > 0 {
		q.Message += fmt.Sprintf(" (%d older ones are not listed)", more)
	}
	said, err := c.elicit(ctx, q)
	if err != nil || !said.given {
		return nil, said.why, err
	}
	i := slices.IndexFunc(found, func(one candidate) bool { return one.choice() == said.choice })
	if i < 0 {
		return nil, "the process that the user chose has ended", nil
	}
	return &found[i], "", nil
}

// processes are the candidates as an error lists them.
type processes struct {
	Processes []processRow `json:"processes"`
}

type processRow struct {
	PID      int    `json:"pid"`
	Language string `json:"language,omitempty"`
	Age      string `json:"age,omitempty"`
	Command  string `json:"command"`
}

func rowsOf(found []candidate) processes {
	var rows []processRow
	for _, one := range found[:min(len(found), mostChoices)] {
		row := processRow{PID: one.PID, Language: one.language, Command: one.shown}
		if !one.began.IsZero() {
			row.Age = brief.Duration(time.Since(one.began).Round(time.Second))
		}
		rows = append(rows, row)
	}
	return processes{rows}
}

// ambiguousError is the error of a start that means any of several processes, with the
// calls that mean one.
func ambiguousError(p *tools.SessionStartParams, found []candidate, why string) error {
	code, field, message := fault.InvalidTarget, "target", fmt.Sprintf("%d processes match %q", len(found), p.Target)
	if p.Target == "" {
		code, field, message = fault.MissingParam, "pid", "which process is to be debugged? Neither pid nor target says"
	}
	f := fault.New(code, "%s", message).WithField(field).
		WithHint("give pid, or as target the name of its script, program or main class, or another part of its command line")
	if len(found) == 0 {
		return withReason(f, why)
	}
	f.Details = rowsOf(found)
	if more := len(found) - mostChoices; more > 0 {
		f.Hint += fmt.Sprintf("; %d older ones are not listed", more)
	}
	advised := &responses.Advised{Err: withReason(f, why)}
	for _, one := range found[:min(len(found), nearestNames)] {
		call := responses.NewCall("session_start", "mode", string(adapters.Attach), "pid", one.PID).With("language", p.Language)
		advised.NextSteps = append(advised.NextSteps, call.Why(responses.Shorten(one.shown, 60)))
	}
	return advised
}

// noMatchError is the error of a start that means a process that does not run.
func (sr startResolver) noMatchError(p *tools.SessionStartParams, running []candidate) error {
	kind := "process"
	if p.Language != "" {
		kind = p.Language + " process"
	}
	f := fault.New(fault.InvalidTarget, "no %s of this user that can be attached to is called %q, or has it in its command line", kind, p.Target).
		WithField("target").WithHint("start the program, or give its pid")
	sure := slices.DeleteFunc(running, func(one candidate) bool { return !one.sure })
	var names []string
	of := map[string]candidate{}
	for _, one := range sure {
		for _, name := range one.names() {
			if _, known := of[name]; !known {
				names, of[name] = append(names, name), one
			}
		}
	}
	var near []string
	for _, name := range source.Closest(p.Target, names, nearestNames) {
		near = append(near, fmt.Sprintf("%s (process %d)", name, of[name].PID))
	}
	switch {
	case len(near) > 0:
		f.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	case len(sure) > 0:
		f.Hint += "; those that run and are certainly programs of a language that can be debugged are listed"
		f.Details = rowsOf(sure)
	}
	return f
}

// attachable are the processes that can be attached to: of the language, if the
// start names one, and allowed by the policy. Those of the workspace come first.
func (sr startResolver) attachable(p *tools.SessionStartParams) []candidate {
	var only adapters.Adapter
	if p.Language != "" {
		only = sr.Adapters.Get(p.Language)
	}
	root := sr.root(p.WorkspaceRoot)
	var list []candidate
	for _, other := range process.Mine() {
		dir, args := process.WorkOf(other.PID)
		one := candidate{
			Other: other, program: process.ProgramOf(other.PID), dir: dir, args: args, began: process.Began(other.PID),
			shown: responses.Shorten(strings.Join(strings.Fields(sr.Mask.Command(other.Command)), " "), longestChoice),
		}
		if sr.Policy.Process("pid", other.PID, policy.Process{Program: one.program, Dir: dir, Args: args}) != nil {
			continue
		}
		r := adapters.Request{Mode: adapters.Attach, PID: other.PID, Workspace: root}
		r.Debuggee = adapters.Debuggee{PID: other.PID, Program: one.program}
		adapter, sure := sr.Adapters.Surest(r)
		if only != nil {
			adapter, sure = only, only.Claims(r)
		}
		if adapter == nil || sure == 0 {
			continue
		}
		one.language, one.sure = adapter.Info().Language, sure >= adapters.Certain
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.distance(root) - b.distance(root) })
	return list
}
