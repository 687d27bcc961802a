package handlers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/client"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/process"
	"aidb-mcp/internal/setup"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// answer is what a person said, or in words for the error that the call has
// without an answer why there is none.
type answer struct {
	given  bool
	choice string
	why    string
}

// elicit asks the person at the client, if there is one. The error ends the call.
func (c *Call) elicit(ctx context.Context, q client.Question) (answer, error) {
	c.tell("waiting for the user's answer", 0, 0)
	choice, err := c.Client.Elicit(ctx, q)
	switch {
	case err == nil:
		return answer{given: true, choice: choice}, nil
	case errors.Is(err, client.ErrUnsupported):
		return answer{}, nil
	case errors.Is(err, client.ErrDeclined):
		return answer{why: "the client was asked and declined"}, nil
	case errors.Is(err, client.ErrSilent):
		return answer{why: "the client was asked and did not answer"}, nil
	}
	return answer{}, err
}

// because adds to an error what became of a question.
func because(err error, why string) error {
	var f *fault.Error
	if why == "" || !errors.As(err, &f) {
		return err
	}
	told := *f
	told.Message += " (" + why + ")"
	return &told
}

// install asks whether the component that a start lacked is to be installed, and
// does it. The error is the start's own where it is not.
func (h *Handlers) install(ctx context.Context, c *Call, failed error) error {
	var lacking *setup.Lacking
	if !errors.As(failed, &lacking) || !c.Client.Elicits() || h.Policy.Change("changing what is installed", "action") != nil || h.Setup.Store.Homeless() != nil {
		return failed
	}
	offer := setup.Offer(lacking.Component)
	if offer == "" {
		return failed
	}
	said, err := c.elicit(ctx, client.Question{
		Key:     "install " + lacking.Component,
		Message: fmt.Sprintf("aidb: %s. Install it now? (%s, kept in %s)", failed, offer, h.Setup.Store.Dir(lacking.Component)),
	})
	switch {
	case err != nil:
		return err
	case !said.given:
		return because(failed, said.why)
	}
	steps, err := h.Setup.Install(ctx, []string{lacking.Component}, setup.Options{}, installProgress(c))
	if err != nil {
		return err
	}
	h.noteSteps(steps)
	for _, step := range steps { // one that others can do without was asked for here
		if step.Err != nil {
			return step.Err
		}
	}
	return nil
}

// mostChoices is how many processes are offered.
const mostChoices = 10

// whichProcess asks which process a start that names none is to attach to. Why is
// why it still names none.
func (h *Handlers) whichProcess(ctx context.Context, c *Call, p *tools.SessionStartParams) (why string, err error) {
	if adapters.Mode(p.Mode) != adapters.Attach || p.PID != 0 || p.Host != "" || p.Port != 0 || !c.Client.Elicits() || h.Policy.Attach("mode") != nil {
		return "", nil
	}
	found := h.attachable(p)
	if len(found) == 0 {
		return "", nil
	}
	q := client.Question{Key: "process", Message: "aidb: which process shall the debugger attach to?"}
	for _, other := range found[:min(len(found), mostChoices)] {
		q.Choices = append(q.Choices, h.named(other))
	}
	if more := len(found) - len(q.Choices); more > 0 {
		q.Message += fmt.Sprintf(" (%d older ones are not listed)", more)
	}
	said, err := c.elicit(ctx, q)
	if err != nil || !said.given {
		return said.why, err
	}
	i := slices.IndexFunc(found, func(other process.Other) bool { return h.named(other) == said.choice })
	if i < 0 {
		return "the process that the user chose has ended", nil
	}
	p.PID = found[i].PID
	program := p.Target
	if !filepath.IsAbs(program) {
		program = filepath.Join(h.root(p.WorkspaceRoot), program)
	}
	if info, err := os.Stat(program); err != nil || !info.Mode().IsRegular() {
		p.Target = "" // it only says which process is meant
	}
	return "", nil
}

// longestChoice bounds how a process is named, in bytes.
const longestChoice = 120

func (h *Handlers) named(other process.Other) string {
	command := strings.Join(strings.Fields(h.Mask.Command(other.Command)), " ")
	return fmt.Sprintf("%d %s", other.PID, responses.Shorten(command, longestChoice))
}

// attachable are the processes that the start may mean: of the language, if it
// names one, with the target in their command line; else those that an adapter
// knows for certain.
func (h *Handlers) attachable(p *tools.SessionStartParams) []process.Other {
	var only adapters.Adapter
	if p.Language != "" {
		if only = h.Adapters.Get(p.Language); only == nil {
			return nil
		}
	}
	return slices.DeleteFunc(process.Mine(), func(other process.Other) bool {
		r := adapters.Request{Mode: adapters.Attach, PID: other.PID, Workspace: h.root(p.WorkspaceRoot)}
		dir, args := process.WorkOf(other.PID)
		r.Debuggee = adapters.Debuggee{PID: other.PID, Program: process.ProgramOf(other.PID)}
		if h.Policy.Process("pid", other.PID, policy.Process{Program: r.Debuggee.Program, Dir: dir, Args: args}) != nil {
			return true
		}
		if !strings.Contains(strings.ToLower(other.Command), strings.ToLower(p.Target)) {
			return true
		}
		switch _, sure := h.Adapters.Surest(r); {
		case only != nil:
			return only.Claims(r) == 0
		default:
			return p.Target == "" && sure < adapters.Certain
		}
	})
}
