package pool

import (
	"encoding/json"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// maxBrief is how much of a request is kept until it is answered, in bytes.
const maxBrief = 4 << 10

// brief is what must be known of a request until it is answered: the request
// itself, or an outline of one that is long (cut).
func brief(f frame.Frame) (kept frame.Frame, cut bool) {
	if len(f.Bytes()) <= maxBrief {
		return f, false
	}
	type meta struct {
		Revision string `json:"io.modelcontextprotocol/protocolVersion"`
	}
	type params struct {
		Name string `json:"name,omitempty"`
		Meta *meta  `json:"_meta,omitempty"`
	}
	outline := struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  params          `json:"params"`
	}{"2.0", f.ID(), f.Method(), params{Name: shorten([]byte(f.Text("params", "name")))}}
	if revision := answer.Revision(f); revision != "" {
		outline.Params.Meta = &meta{shorten([]byte(revision))}
	}
	text, err := json.Marshal(outline)
	if err == nil {
		kept, err = frame.Parse(text)
	}
	if err != nil { // it is made of parts of a frame
		return f, false
	}
	return kept, true
}
