package debugpy

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// digestFrames are fetched of each thread beyond those that are shown: the
// library's on top tell what it waits for.
const digestFrames = 30

// Digest evaluates digest.py.
func (d *dialect) Digest(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error) {
	var threads []struct {
		ID     int                  `json:"id"`
		Name   string               `json:"name"`
		Frames [][3]json.RawMessage `json:"frames"`
		// Waiting is for what, where the thread has called what waits from a line of its own.
		Waiting string `json:"waiting"`
		On      string `json:"on"`
		Holder  string `json:"holder"` // a thread's name
		Endless bool   `json:"endless"`
		Tasks   string `json:"tasks"` // where those rest that an event loop runs in it
	}
	call := fmt.Sprintf(`(lambda n: (exec(%s, n), n["digest"](%d))[1])({})`, literalOf(digestScript), depth+digestFrames)
	if err := evaluateJSON(ctx, c, call, &threads); err != nil {
		return adapters.Digest{}, err
	}
	states := make([]adapters.ThreadState, len(threads))
	for i, t := range threads {
		frames := make([]godap.StackFrame, len(t.Frames))
		for n, f := range t.Frames {
			var path string
			if err := errors.Join(json.Unmarshal(f[0], &frames[n].Name), json.Unmarshal(f[1], &path), json.Unmarshal(f[2], &frames[n].Line)); err != nil {
				return adapters.Digest{}, fmt.Errorf("reading the stack of %s: %w", t.Name, err)
			}
			frames[n].Source = &godap.Source{Name: filepath.Base(path), Path: path}
		}
		user := slices.IndexFunc(frames, func(f godap.StackFrame) bool { return !d.Internal(f) })
		states[i] = adapters.ThreadState{ID: t.ID, Name: t.Name, Waiting: d.Wait(frames), Endless: t.Endless, Tasks: t.Tasks, Frames: frames[max(user, 0):]}
		if t.Tasks != "" && t.Endless {
			states[i].Waiting = "what only other tasks can give (asyncio)"
		}
		if user == 0 && t.Waiting != "" {
			states[i].Waiting, states[i].Object = t.Waiting, t.On
		}
		if user == 0 && t.Holder != "" {
			states[i].Object, states[i].Held = t.On+", held by "+t.Holder, true
		}
	}
	return adapters.Digest{Threads: states}, nil
}

// evaluateJSON evaluates a call of ours, which gives JSON in hexadecimal, apart
// from any frame: that works in whatever state the threads are.
func evaluateJSON(ctx context.Context, c adapters.Caller, expression string, into any) error {
	var body godap.EvaluateResponseBody
	if err := c.Call(ctx, "evaluate", godap.EvaluateArguments{Expression: expression, Context: "watch"}, &body); err != nil {
		return err
	}
	text, err := hex.DecodeString(strings.Trim(body.Result, `'"`))
	if err != nil {
		return fmt.Errorf("what was evaluated for the debugger gave %.200s", body.Result)
	}
	return json.Unmarshal(text, into)
}
