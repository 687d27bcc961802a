package inspector

import (
	"bytes"
	"encoding/json"
)

// V8 stops for an error without a word to the program, and js-debug asks the hook in the
// program only about some. So the hook is handed each error at which V8 has stopped, before
// the debugger hears of the stop: it then knows what the error itself has to tell.

var (
	pausedWord = []byte(`{"method":"Debugger.paused"`)
	reasons    = [][]byte{[]byte(`"reason":"exception"`), []byte(`"reason":"promiseRejection"`)}
)

// hand gives the error to the hook at which node has stopped, if it has.
func (p *previews) hand(text []byte) {
	if !bytes.HasPrefix(text, pausedWord) || !bytes.Contains(text, reasons[0]) && !bytes.Contains(text, reasons[1]) {
		return
	}
	var stop struct {
		Params struct {
			Data object `json:"data"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &stop) != nil || stop.Params.Data.text("objectId") == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	ask, err := json.Marshal(message{ID: p.last, Method: "Runtime.callFunctionOn", Params: showing{ObjectID: stop.Params.Data.text("objectId"), Function: handed, Silent: true}})
	if err == nil && p.send(ask) == nil {
		p.ours[p.last] = 0 // nobody waits for its answer
	}
}

// handed is called with the error as this.
const handed = "function() { globalThis.__aidb?.raised(this) }"
