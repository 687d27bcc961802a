//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"
)

// overview reads as much of a value as one line shows.
var overview = proc.LoadConfig{
	FollowPointers:     true,
	MaxVariableRecurse: 1,
	MaxStringLen:       512,
	MaxArrayValues:     64,
	MaxStructFields:    -1,
}

// row shows a value as Delve's session does. expr evaluates to it again.
func (t *target) row(v *proc.Variable, name, expr string) godap.Variable {
	shown := api.ConvertVar(v)
	t.correct(shown)
	return godap.Variable{
		Name:         name,
		Value:        pretty(shown),
		Type:         v.TypeString(),
		EvaluateName: expr,
	}
}

// notSet stands in place of a value that the program has not made yet.
const notSet = "(not set yet)"

// correct puts right what the session says of values, and follows its numbers.
func (f *front) correct(frame []byte) []byte {
	req, ok := f.tracks.matchReply(frame)
	if !ok {
		return frame
	}
	switch req.Command {
	case "stackTrace":
		f.tracks.stack(req, frame)
	case "scopes":
		f.tracks.scopes(req, frame)
	case "variables":
		return f.variables(req, frame)
	case "evaluate":
		return f.fixEvaluation(req, frame)
	}
	return frame
}

func (f *front) variables(req request, frame []byte) []byte {
	var args godap.VariablesArguments
	var reply godap.VariablesResponse
	if json.Unmarshal(req.Arguments, &args) != nil || json.Unmarshal(frame, &reply) != nil || !reply.Success {
		return frame
	}
	at, known := f.tracks.value(args.VariablesReference)
	if !known {
		return frame
	}
	vars := reply.Body.Variables
	_, err := f.ask(req, func(t *target, _ json.RawMessage) (any, error) {
		scope, err := t.scope(at.goroutine, at.frame)
		if err != nil {
			return nil, err
		}
		names, old := unset(t, scope), deadVariables(t, scope, at.frame)
		for i := range vars {
			v := &vars[i]
			if old[v.EvaluateName] {
				*v = godap.Variable{Name: v.Name, EvaluateName: v.EvaluateName, Type: v.Type, Value: outOfUse}
				continue
			}
			if names[v.EvaluateName] {
				*v = godap.Variable{Name: v.Name, EvaluateName: v.EvaluateName, Type: v.Type, Value: notSet}
				continue
			}
			v.Value = t.reread(at, v.EvaluateName, v.Value)
			f.tracks.keepValue(v.VariablesReference, at)
		}
		return nil, nil
	})
	return replyOr(frame, reply, err)
}

func (f *front) fixEvaluation(req request, frame []byte) []byte {
	var args godap.EvaluateArguments
	var reply godap.EvaluateResponse
	if json.Unmarshal(req.Arguments, &args) != nil || json.Unmarshal(frame, &reply) != nil || !reply.Success {
		return frame
	}
	at, known := f.tracks.frame(args.FrameId)
	if !known {
		return frame
	}
	f.tracks.keepValue(reply.Body.VariablesReference, at)
	_, err := f.ask(req, func(t *target, _ json.RawMessage) (any, error) {
		reply.Body.Result = t.reread(at, args.Expression, reply.Body.Result)
		if scope, err := t.scope(at.goroutine, at.frame); err == nil && deadVariables(t, scope, at.frame)[rootOf(args.Expression)] {
			reply.Body.Result, reply.Body.VariablesReference = outOfUse, 0
			reply.Body.NamedVariables, reply.Body.IndexedVariables = 0, 0
		}
		return nil, nil
	})
	return replyOr(frame, reply, err)
}

// replyOr is a reply that was changed, or the frame as it was where that failed.
func replyOr(frame []byte, reply any, err error) []byte {
	if err != nil {
		return frame
	}
	changed, err := json.Marshal(reply)
	if err != nil {
		return frame
	}
	return changed
}
