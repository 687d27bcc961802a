package session

import (
	"context"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Assign sets a variable or expression and answers with the value before and
// the value read back.
func (s *Session) Assign(ctx context.Context, name, value string, thread, frame int) (old, now Variable, err error) {
	still, err := s.standingFor(thread)
	if err != nil {
		return old, now, err
	}
	caps := s.caps()
	assignment := ""
	if a, ok := s.dialect().(adapters.Assigner); ok {
		assignment = a.Assignment(name, value)
	}
	if !caps.SupportsSetVariable && !caps.SupportsSetExpression && assignment == "" {
		return old, now, s.unsupported("setting of variables", "evaluate an assignment, if the language has one")
	}
	if old, err = s.Evaluate(ctx, name, thread, frame, Page{}); err != nil {
		return old, now, err
	}
	f, err := s.adapterFrame(ctx, thread, frame)
	if err != nil {
		return old, now, err
	}
	if assignment != "" {
		if _, err = still.link.life.evaluate(ctx, still.link, f.Id, assignment); fault.Is(err, fault.Evaluation) {
			err = fault.New(fault.VariableSet, "%w", err).WithHint("give the value as the language writes it")
		}
	} else if caps.SupportsSetExpression {
		args := assigning{Expression: name, Value: value, FrameID: f.Id}
		err = still.link.Call(ctx, "setExpression", args, nil)
	} else {
		err = s.setVariable(ctx, still, f, name, value)
	}
	if err != nil {
		if !s.stands(still) {
			return old, now, s.interrupted(ctx, name+" = "+value)
		}
		return old, now, s.refusal(ctx, fault.VariableSet, "setVariable", err)
	}
	if now, err = s.Evaluate(ctx, name, thread, frame, Page{}); err != nil || now.Value != old.Value || value == old.Value {
		return old, now, err
	}
	return old, now, s.unmoved(ctx, name, value, thread, frame, now)
}

// unmoved is the error of a value that the adapter took and that is not there,
// as happens in code that was optimised; nil when it is the one wanted.
func (s *Session) unmoved(ctx context.Context, name, value string, thread, frame int, now Variable) error {
	wanted, err := s.Evaluate(ctx, value, thread, frame, Page{})
	if err != nil || wanted.Value == now.Value {
		return nil // nothing can be said of it, or it was that value all along
	}
	return fault.New(fault.VariableSet, "the debug adapter took the value, and yet %s is still %s", name, now.Value).
		WithHint("the code may be optimised: step once and set it again")
}

// setVariable finds the container that a name is a child of and sets it there.
func (s *Session) setVariable(ctx context.Context, still *standstill, f godap.StackFrame, name, value string) error {
	container, child, err := s.container(ctx, still, f, name)
	if err != nil {
		return err
	}
	args := godap.SetVariableArguments{VariablesReference: container, Name: child, Value: value}
	return still.link.Call(ctx, "setVariable", args, nil)
}

// container looks a name up among the locals, then opens what stands before
// its last part ("a.b[2]": the value a.b holds a child that is [2]).
func (s *Session) container(ctx context.Context, still *standstill, f godap.StackFrame, name string) (ref int, child string, err error) {
	scopes, err := s.scopes(ctx, still, f)
	if err != nil {
		return 0, "", err
	}
	for _, sc := range scopes {
		if sc.Expensive {
			continue
		}
		list, err := askVariables(still.link, godap.VariablesArguments{VariablesReference: sc.VariablesReference}).wait(ctx)
		if err != nil {
			return 0, "", err
		}
		for _, x := range list {
			if x.Name == name {
				return sc.VariablesReference, x.Name, nil
			}
		}
	}
	parent := parentOf(name)
	if parent == "" {
		return 0, "", fault.New(fault.VariableSet, "there is no variable %q in this frame that can be set", name).
			WithHint("inspect(target: locals) lists them")
	}
	body, err := still.link.life.evaluate(ctx, still.link, f.Id, parent)
	if err != nil {
		return 0, "", err
	}
	return s.childOf(ctx, still, body.VariablesReference, parent, name)
}

// childOf finds a child by its expression or its name, also behind a pointer.
func (s *Session) childOf(ctx context.Context, still *standstill, ref int, parent, name string) (int, string, error) {
	own := strings.Trim(strings.TrimPrefix(name, parent), ".")
	for range maxDepth {
		if ref == 0 {
			break
		}
		list, err := askVariables(still.link, godap.VariablesArguments{VariablesReference: ref}).wait(ctx)
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
	return 0, "", fault.New(fault.VariableSet, "%s has no part %q that can be set", parent, own).
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

// assigning is a setExpression request, whose frame's id may be 0.
type assigning struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
	FrameID    int    `json:"frameId"`
}
