package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// envelope is a message as it came, of which only what it is has been read.
type envelope struct {
	Version, ID, Method, Params, Result, Error json.RawMessage
}

// open reads a message. Names count as they are written: a struct would take
// "Method" for "method", and who has passed the message on would not.
func open(line []byte) (envelope, error) {
	var m map[string]json.RawMessage
	err := json.Unmarshal(line, &m)
	return envelope{m["jsonrpc"], m["id"], m["method"], m["params"], m["result"], m["error"]}, err
}

// hasID says that the message wants an answer or is one. JSON-RPC's null is no id.
func (e *envelope) hasID() bool { return len(e.ID) > 0 && !bytes.Equal(e.ID, []byte("null")) }

// invalid is what is wrong with a message that has an id, empty when nothing is.
func (e *envelope) invalid() string {
	switch {
	case string(e.Version) != `"2.0"`:
		return `jsonrpc must be "2.0"`
	case len(e.Method) == 0 && len(e.Result) == 0 && len(e.Error) == 0:
		return "it has no method"
	}
	return ""
}

// answer returns the id that an error can be answered with: null for one that
// is no id.
func (e *envelope) answerID() json.RawMessage {
	if len(e.ID) > 0 && (e.ID[0] == '"' || e.ID[0] == '-' || '0' <= e.ID[0] && e.ID[0] <= '9') {
		return e.ID
	}
	return nil
}

// largest integer that survives the SDK's way of reading ids, as float64.
const largestID = 1 << 53

// wireID is an id as the SDK can carry it unchanged. One that it would round is
// replaced for its sake, and put back where it leaves us.
func wireID(raw json.RawMessage) (id jsonrpc.ID, replaced string, err error) {
	if raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return id, "", err
		}
		id, err = jsonrpc.MakeID(text)
		return id, "", err
	}
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return id, "", fmt.Errorf("an id is a string or a number")
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err == nil && -largestID <= n && n <= largestID && strconv.FormatInt(n, 10) == string(raw) {
		id, err = jsonrpc.MakeID(float64(n))
		return id, "", err
	}
	replaced = "aidb-" + rand.Text()
	id, err = jsonrpc.MakeID(replaced)
	return id, replaced, err
}

// restore puts the id of a request back into the encoded answer to it, which
// holds the stand-in in quotes before anything else that could look like it.
func restore(line []byte, replaced string, raw json.RawMessage) []byte {
	if replaced == "" {
		return line
	}
	return bytes.Replace(line, []byte(`"`+replaced+`"`), raw, 1)
}

// cancelled is the id of the request that a notification cancels.
func cancelledID(params json.RawMessage) (id json.RawMessage, rest map[string]json.RawMessage) {
	if json.Unmarshal(params, &rest) != nil {
		return nil, nil
	}
	return rest["requestId"], rest
}

// shorten keeps what a client wrote to what an error needs of it.
func shorten(text string) string {
	const longest = 100
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}
