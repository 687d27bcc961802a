package jsdebug

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/v8"
	"aidb-mcp/internal/profiling"
)

const (
	mostPendingHeap = 200 << 20 // of a larger heap no snapshot is taken
	mostPending     = 300       // of those that wait are told
	pendingLimit    = 20 * time.Second
	pendingGroup    = "aidb-pending" // of what V8 keeps for our questions
	longestAwaited  = 60
)

// pending tells who waits for a promise, by a snapshot of the heap: an async function at its await, a
// function that was given to then. It runs no code of the program.
func (l *liveProfiler) pending(ctx context.Context) (list []adapters.Waiter, notes []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pendingLimit)
	defer cancel()
	var heap struct {
		Used int64 `json:"usedSize"`
	}
	if err := l.c.Call(ctx, "Runtime.getHeapUsage", nil, &heap); err != nil {
		return nil, nil, err
	}
	if heap.Used > mostPendingHeap {
		return nil, []string{fmt.Sprintf("who waits for promises: the heap holds %s, and to look through it would hold the program up for too long", profiling.Size(heap.Used))}, nil
	}
	if err := l.hearsHeap(ctx); err != nil {
		return nil, nil, err
	}
	began := time.Now()
	text, err := l.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	stood := time.Since(began)
	s, err := v8.ReadSnapshot(bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	p := &pendingReader{liveProfiler: l, places: v8.Places{Said: map[string]string{}}, sources: map[string][]string{}}
	list = p.read(ctx, s.Suspended())
	_ = l.c.Call(ctx, "Runtime.releaseObjectGroup", objectGroup{pendingGroup}, nil) // they go with the program otherwise
	notes = []string{
		fmt.Sprintf("who would settle a promise that no async function makes (a timer, a connection, a function that keeps its resolve); async generators; what nothing holds any more: V8 collects it. The program stood still for %s while its heap was looked through", profiling.Brief(int64(stood))),
	}
	if p.more > 0 {
		notes = append(notes, fmt.Sprintf("%d more that wait for promises", p.more))
	}
	return list, notes, nil
}

type objectGroup struct {
	Group string `json:"objectGroup"`
}

// pendingReader finds the places of those that wait.
type pendingReader struct {
	*liveProfiler
	places  v8.Places
	sources map[string][]string // the lines of scripts, by V8's numbers of them
	more    int
}

// location is a place as V8 has it: line and column count from 0.
type location struct {
	Script string `json:"scriptId"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
}

func (p *pendingReader) read(ctx context.Context, all []v8.Suspended) []adapters.Waiter {
	names, numbers := map[uint32]string{}, map[string]int{}
	for _, one := range all {
		what := "async function "
		if one.IsCallback {
			what = "callback "
		}
		who := what + cmp.Or(one.Function, "(anonymous)")
		if numbers[who]++; numbers[who] > 1 {
			who += fmt.Sprintf(" (%d)", numbers[who])
		}
		names[one.ID] = who
	}
	var list []adapters.Waiter
	for _, one := range all {
		if one.Script == "" || strings.HasPrefix(one.Script, "node:") {
			continue // node's own
		}
		if len(list) == mostPending {
			p.more++
			continue
		}
		w := adapters.Waiter{Key: pendingKey(one.ID), Who: names[one.ID], For: "a promise"}
		at, known := p.location(ctx, one)
		if !known {
			continue // it went on meanwhile
		}
		lines := p.source(ctx, one.Script, at.Script)
		w.At.File, w.At.Line = p.places.At(one.Script, at.Line, at.Column)
		w.At.Function = cmp.Or(one.Function, "(anonymous)")
		if awaited := awaitedAt(lines, at); awaited != "" && !one.IsCallback {
			w.For += ": " + awaited
		}
		for _, id := range one.After {
			if names[id] != "" {
				w.Holders = append(w.Holders, adapters.Holder{Key: pendingKey(id), Who: names[id], Does: "has not ended"})
			}
		}
		list = append(list, w)
	}
	return list
}

func pendingKey(id uint32) string { return fmt.Sprintf("promise%d", id) }

// location is where one stands, or where the function begins that is called.
func (p *pendingReader) location(ctx context.Context, one v8.Suspended) (at location, known bool) {
	var object struct {
		Result struct {
			ID string `json:"objectId"`
		} `json:"result"`
	}
	asked := struct {
		objectGroup
		ID string `json:"objectId"`
	}{objectGroup{pendingGroup}, strconv.FormatUint(uint64(one.ID), 10)}
	if p.c.Call(ctx, "HeapProfiler.getObjectByHeapObjectId", asked, &object) != nil {
		return at, false
	}
	var body struct {
		Internal []struct {
			Name  string `json:"name"`
			Value struct {
				Value json.RawMessage `json:"value"`
			} `json:"value"`
		} `json:"internalProperties"`
	}
	properties := struct {
		ID  string `json:"objectId"`
		Own bool   `json:"ownProperties"`
	}{object.Result.ID, true}
	if p.c.Call(ctx, "Runtime.getProperties", properties, &body) != nil {
		return at, false
	}
	for _, x := range body.Internal {
		switch x.Name {
		case "[[GeneratorLocation]]", "[[FunctionLocation]]":
			known = json.Unmarshal(x.Value.Value, &at) == nil
		case "[[GeneratorState]]":
			var state string
			if json.Unmarshal(x.Value.Value, &state) == nil && state != "suspended" {
				return at, false
			}
		}
	}
	return at, known
}

// source are the lines of a script; where it was made of another, that is noted.
func (p *pendingReader) source(ctx context.Context, path, script string) []string {
	if lines, known := p.sources[script]; known {
		return lines
	}
	var body struct {
		Source string `json:"scriptSource"`
	}
	asked := struct {
		ID string `json:"scriptId"`
	}{script}
	_ = p.c.Call(ctx, "Debugger.getScriptSource", asked, &body) // without it the place is that of the script
	if i := strings.LastIndex(body.Source, mapMark); i >= 0 {
		said, _, _ := strings.Cut(body.Source[i+len(mapMark):], "\n")
		p.places.Said[path] = strings.TrimSpace(said)
	}
	p.sources[script] = strings.Split(body.Source, "\n")
	return p.sources[script]
}

// awaitedAt is the expression that is awaited at a place; empty where none is seen there.
func awaitedAt(lines []string, at location) string {
	if at.Line >= len(lines) || at.Column > len(lines[at.Line]) {
		return ""
	}
	text, is := strings.CutPrefix(lines[at.Line][at.Column:], "await ")
	if !is {
		return ""
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 || depth == 0 && (c == ';' || c == ',') {
			text = text[:i]
			break
		}
	}
	if text = strings.TrimSpace(text); len(text) > longestAwaited {
		text = strings.ToValidUTF8(text[:longestAwaited], "") + "…"
	}
	return text
}
