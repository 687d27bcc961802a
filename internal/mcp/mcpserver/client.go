package mcpserver

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
)

// caller is the client that makes one call.
type caller struct {
	ctx context.Context // of the call
	req *mcp.CallToolRequest
	far progress

	views   bool            // this server has pages to draw with
	gateway *conn           // that has other machines; nil: none
	part    json.RawMessage // what another worker is answered, of whose call this is a part

	mu    sync.Mutex // guards the field below
	asked mcp.InputRequestMap
}

func newClient(ctx context.Context, req *mcp.CallToolRequest) *caller {
	return &caller{ctx: ctx, req: req}
}

// Name is what the client says of itself, with its first request or with each.
func (c *caller) Name() string {
	if info := c.req.ClientInfo(); info != nil {
		return info.Name
	}
	return ""
}

// Elsewhere are the debug sessions of which the gateway has told with the call.
func (c *caller) Elsewhere() []client.Session { return elsewhere(c.req.Params.GetMeta()) }

func elsewhere(meta map[string]any) []client.Session {
	value, ok := meta[client.ElsewhereKey]
	if !ok {
		return nil
	}
	var sessions []client.Session
	text, err := json.Marshal(value)
	if err != nil || json.Unmarshal(text, &sessions) != nil { // a client's own, perhaps
		return nil
	}
	const most = 50
	return sessions[:min(len(sessions), most)]
}

// Progress sends a notification, if the client has asked for them.
func (c *caller) Progress(message string, done, total float64) {
	token := c.req.Params.GetProgressToken()
	if token == nil {
		return
	}
	c.far.mu.Lock() // until it is sent, so that they arrive in order
	defer c.far.mu.Unlock()
	now, of := c.far.next(done, total)
	// A client that cannot be told loses nothing but the news.
	_ = c.req.Session.NotifyProgress(c.ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: now, Total: of, Message: message})
}

// progress makes one row of numbers out of the parts of a call, for the
// protocol wants them to grow from each notification to the next.
type progress struct {
	mu   sync.Mutex // guards all
	last float64
	base float64 // what the parts before this one have come to
	of   float64 // the total of this part, 0 where nothing can be counted
}

// inch is the step of a notification that tells of no more done than the last.
const inch = 0.001

// next are the number and the total to tell; mu is held.
func (p *progress) next(done, total float64) (now, of float64) {
	switch {
	case total > 0 && total != p.of:
		p.of, p.base = total, p.last
		fallthrough
	case total > 0:
		p.last = max(p.base+done, p.last+inch)
	case p.last+inch < p.base+p.of: // meanwhile, of the part that is counted
		p.last += inch
	default:
		p.of = 0
		p.last++
	}
	if p.of == 0 {
		return p.last, 0
	}
	return p.last, max(p.base+p.of, p.last)
}
