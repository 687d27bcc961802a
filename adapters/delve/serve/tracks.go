//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"sync"

	godap "github.com/google/go-dap"
)

// frameRef is a frame of a goroutine, 0 being the top.
type frameRef struct{ goroutine, frame int }

// frameTracks knows which frames the session's numbers stand for: it reads them off
// the requests and replies that pass. mu guards it.
type frameTracks struct {
	mu     sync.Mutex
	asked  map[int]request  // by seq
	frames map[int]frameRef // by the id of the frame
	values map[int]frameRef // by variablesReference
}

// followed are the requests whose replies number frames or values.
var followed = map[string]bool{"stackTrace": true, "scopes": true, "variables": true, "evaluate": true}

// noteRequest notes a request whose reply is wanted. The numbers of a stop are worth
// nothing after it; the session begins again with the same ones.
func (t *frameTracks) noteRequest(req request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if followed[req.Command] {
		if t.asked == nil {
			t.asked, t.frames, t.values = map[int]request{}, map[int]frameRef{}, map[int]frameRef{}
		}
		t.asked[req.Seq] = req
	} else if req.Command == "continue" || req.Command == "next" || req.Command == "stepIn" || req.Command == "stepOut" {
		clear(t.frames)
		clear(t.values)
	}
}

// matchReply returns the request that a message answers, when it is a followed one.
func (t *frameTracks) matchReply(frame []byte) (req request, ok bool) {
	h := peek(frame)
	if h.Type != "response" {
		return request{}, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	req, ok = t.asked[h.RequestSeq]
	delete(t.asked, h.RequestSeq)
	return req, ok
}

// frame finds a frame by the session's id.
func (t *frameTracks) frame(id int) (at frameRef, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, known = t.frames[id]
	return at, known
}

// value finds the frame of a scope or value; scope and value ids are the session's.
func (t *frameTracks) value(reference int) (at frameRef, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, known = t.values[reference]
	return at, known
}

func (t *frameTracks) keepValue(reference int, at frameRef) {
	if reference == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.values[reference] = at
}

// stack notes the ids of the frames of a goroutine.
func (t *frameTracks) stack(req request, frame []byte) {
	var args godap.StackTraceArguments
	var reply godap.StackTraceResponse
	if json.Unmarshal(req.Arguments, &args) != nil || json.Unmarshal(frame, &reply) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, f := range reply.Body.StackFrames {
		t.frames[f.Id] = frameRef{args.ThreadId, max(args.StartFrame, 0) + i}
	}
}

// scopes notes the references of a frame's scopes.
func (t *frameTracks) scopes(req request, frame []byte) {
	var args godap.ScopesArguments
	var reply godap.ScopesResponse
	if json.Unmarshal(req.Arguments, &args) != nil || json.Unmarshal(frame, &reply) != nil {
		return
	}
	at, known := t.frame(args.FrameId)
	for _, scope := range reply.Body.Scopes {
		if known {
			t.keepValue(scope.VariablesReference, at)
		}
	}
}
