package stopped

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
	"aidb-mcp/session/inspect"
)

// Assign sets a variable or expression and answers with the value before and
// the value read back.
func (p *Program) Assign(ctx context.Context, name, value string, thread, frame int) (old, now Variable, err error) {
	p, err = p.at(thread)
	if err != nil {
		return old, now, err
	}
	ways := p.waysToAssign(name, value)
	if len(ways) == 0 {
		return old, now, p.unsupportedError("setting of variables", "evaluate an assignment, if the language has one")
	}
	if old, err = p.Evaluate(ctx, name, thread, frame, Page{}); err != nil {
		return old, now, err
	}
	f, err := p.Frame(ctx, thread, frame)
	if err != nil {
		return old, now, err
	}
	at := adapters.FrameRef{Thread: p.connection.AdapterThread(cmp.Or(thread, p.Thread())), Rank: p.adapterIndex(thread, frame), Frame: f.Id}
	for _, assign := range ways {
		if err = assign(ctx, at, name, value); !isNotListed(err) {
			break
		}
	}
	if err != nil {
		if !p.session.IsCurrent() {
			return old, now, p.session.Interruption(ctx, name+" = "+value)
		}
		return old, now, p.session.Refusal(ctx, fault.VariableSet, "setVariable", err)
	}
	if now, err = p.Evaluate(ctx, name, thread, frame, Page{}); err != nil || now.Value != old.Value || value == old.Value {
		return old, now, err
	}
	return old, now, p.unassignedError(ctx, name, value, thread, frame, now)
}

// assigner is one way to give a variable a value; unlisted leaves it to the next.
type assigner func(ctx context.Context, at adapters.FrameRef, name, value string) error

// waysToAssign are those that the adapter has, in the order in which they are to
// be tried.
func (p *Program) waysToAssign(name, value string) (ways []assigner) {
	caps := p.session.Protocol()
	if set := p.facts.Can.Values.Set; set != nil {
		ways = append(ways, func(ctx context.Context, at adapters.FrameRef, name, value string) error {
			if done, err := set(ctx, p.connection, at, name, value); done || err != nil {
				return err
			}
			return notListedError(name)
		})
	}
	if caps.SupportsSetExpression {
		ways = append(ways, p.setExpression)
	} else if caps.SupportsSetVariable {
		ways = append(ways, p.setVariable)
	}
	if assign := p.facts.Can.Values.Assignment; assign != nil {
		if assignment := assign(name, value); assignment != "" {
			ways = append(ways, func(ctx context.Context, at adapters.FrameRef, _, _ string) error {
				return p.evaluateAssignment(ctx, at, assignment)
			})
		}
	}
	return ways
}

func (p *Program) setExpression(ctx context.Context, at adapters.FrameRef, name, value string) error {
	return p.connection.Call(ctx, "setExpression", setExpressionArguments{Expression: name, Value: value, FrameID: at.Frame}, nil)
}

func (p *Program) evaluateAssignment(ctx context.Context, at adapters.FrameRef, assignment string) error {
	_, err := p.evaluate(ctx, at.Frame, assignment)
	if fault.Is(err, fault.Evaluation) {
		err = fault.New(fault.VariableSet, "%w", err).WithHint("give the value as the language writes it")
	}
	return err
}

// notListedError is the error of a name of which the adapter lists no variable.
type notListedError string

func (u notListedError) Error() string { return string(u) }

func isNotListed(err error) bool {
	_, is := errors.AsType[notListedError](err)
	return is
}

// unassignedError is the error of a value that the adapter took and that is not there,
// as happens in code that was optimised; nil when it is the one wanted.
func (p *Program) unassignedError(ctx context.Context, name, value string, thread, frame int, now Variable) error {
	wanted, err := p.Evaluate(ctx, value, thread, frame, Page{})
	if err != nil || wanted.Value == now.Value {
		return nil // nothing can be said of it, or it was that value all along
	}
	return fault.New(fault.VariableSet, "the debug adapter took the value, and yet %s is still %s", name, now.Value).
		WithHint("the code may be optimised: step once and set it again")
}

// setVariable finds the container that a name is a child of and sets it there.
func (p *Program) setVariable(ctx context.Context, at adapters.FrameRef, name, value string) error {
	container, child, err := p.findContainer(ctx, at.Frame, name)
	if err != nil {
		return err
	}
	args := godap.SetVariableArguments{VariablesReference: container, Name: child, Value: value}
	return p.connection.Call(ctx, "setVariable", args, nil)
}

// findContainer looks a name up in the scopes, then opens what stands before its
// last part ("a.b[2]": the value a.b holds a child that is [2]).
func (p *Program) findContainer(ctx context.Context, frame int, name string) (ref int, child string, err error) {
	ref, child, err = p.findListing(ctx, frame, name)
	if ref != 0 || err != nil {
		return ref, child, err
	}
	parent := parentOf(name)
	if parent == "" {
		none := notListedError(fmt.Sprintf("there is no variable %q in this frame that can be set", name))
		return 0, "", fault.New(fault.VariableSet, "%w", none).WithHint("inspect(target: locals) lists them")
	}
	body, err := p.evaluate(ctx, frame, parent)
	if _, refused := errors.AsType[*dap.RequestError](err); refused {
		err = fault.New(fault.VariableSet, "%w", notListedError(fmt.Sprintf("%s has no value of its own, so that nothing in it can be set", parent)))
	}
	if err != nil {
		return 0, "", err
	}
	return p.childOf(ctx, body.VariablesReference, parent, name)
}

// findListing finds the scope that lists a name: the locals, then the others, where
// a name may stand behind that of what it belongs to.
func (p *Program) findListing(ctx context.Context, frame int, name string) (ref int, child string, err error) {
	scopes, err := p.scopes(ctx, frame)
	if err != nil {
		return 0, "", err
	}
	for _, kind := range []Scope{Locals, Globals} {
		for _, sc := range scopes {
			if !inspect.Holds(sc, kind) {
				continue
			}
			list, err := askVariables(p.connection, godap.VariablesArguments{VariablesReference: sc.VariablesReference}).wait(ctx)
			if err != nil {
				return 0, "", err
			}
			for _, x := range list {
				if x.Name == name || kind == Globals && endsWithName(x.Name, name) {
					return sc.VariablesReference, x.Name, nil
				}
			}
		}
	}
	return 0, "", nil
}

// endsWithName says whether the last part of a long name is the short one: "app::limit"
// ends with "limit".
func endsWithName(long, short string) bool {
	before, ok := strings.CutSuffix(long, short)
	return ok && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, "."))
}

// childOf finds a child by its expression or its name, also behind a pointer.
func (p *Program) childOf(ctx context.Context, ref int, parent, name string) (int, string, error) {
	own := strings.Trim(strings.TrimPrefix(name, parent), ".")
	for range maxDepth {
		if ref == 0 {
			break
		}
		list, err := askVariables(p.connection, godap.VariablesArguments{VariablesReference: ref}).wait(ctx)
		if err != nil {
			return 0, "", err
		}
		for _, x := range list {
			if x.EvaluateName == name || x.Name == own || x.Name == strings.Trim(own, "[]") {
				return ref, x.Name, nil
			}
		}
		if len(list) != 1 {
			break
		}
		ref = list[0].VariablesReference
	}
	none := notListedError(fmt.Sprintf("%s has no part %q that can be set", parent, own))
	return 0, "", fault.New(fault.VariableSet, "%w", none).
		WithHint("inspect(target: expression, expression: %q) shows its parts", parent)
}

// parentOf cuts the last part off an expression: "a.b[2]" gives "a.b", "*p" gives "p".
func parentOf(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasSuffix(name, "]") {
		depth := 0
		for i := len(name) - 1; i >= 0; i-- {
			switch name[i] {
			case ']':
				depth++
			case '[':
				if depth--; depth == 0 {
					return name[:i]
				}
			}
		}
		return ""
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	if pointer, ok := strings.CutPrefix(name, "*"); ok {
		return strings.TrimSpace(pointer)
	}
	return ""
}

// setExpressionArguments is a setExpression request, whose frame's id may be 0.
type setExpressionArguments struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
	FrameID    int    `json:"frameId"`
}
