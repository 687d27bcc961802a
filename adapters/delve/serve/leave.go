//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"sync"

	godap "github.com/google/go-dap"
)

// release lets an attached program go, once, whoever asks for it first.
type release struct {
	once sync.Once
	left bool
	err  error // what of the debugger is left in it
}

// disconnect lets an attached program go by itself; all else is the session's.
func (f *front) disconnect(req request, frame []byte) {
	var args godap.DisconnectArguments
	if len(req.Arguments) > 0 && json.Unmarshal(req.Arguments, &args) != nil || args.TerminateDebuggee || !f.leave() {
		f.pass(req, frame)
		return
	}
	if f.leaving.err != nil {
		f.fail(req, f.leaving.err)
	} else {
		f.succeed(req, nil)
	}
	f.sendMessage(godap.TerminatedEvent{Event: event("terminated")})
	f.end()
}

// leave lets an attached program go. False: there is none, or it has ended.
func (f *front) leave() bool {
	if !f.attached || f.inner == nil {
		return false
	}
	f.leaving.once.Do(func() { f.leaving.left, f.leaving.err = f.detach() })
	return f.leaving.left
}
