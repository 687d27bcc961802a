package mcpserver

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
)

// gatewayQuestions are what we have asked the gateway whose worker we are, past the SDK: MCP has no
// word for it. The zero value is ready.
type gatewayQuestions struct {
	mu      sync.Mutex // guards the fields below
	last    int
	waiting map[string]chan envelope // by id, each with room for its answer
}

// add is the id of a new question, and where its answer comes.
func (q *gatewayQuestions) add() (id string, answer chan envelope) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last++
	id, answer = client.PeerPrefix+strconv.Itoa(q.last), make(chan envelope, 1)
	if q.waiting == nil {
		q.waiting = map[string]chan envelope{}
	}
	q.waiting[id] = answer
	return id, answer
}

func (q *gatewayQuestions) drop(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, id)
}

// take takes the answer to a question, also to one for which nobody waits any more. False: it is
// none.
func (q *gatewayQuestions) take(e envelope) bool {
	var id string
	if len(e.Method) > 0 || json.Unmarshal(e.ID, &id) != nil || !strings.HasPrefix(id, client.PeerPrefix) {
		return false
	}
	q.mu.Lock()
	answer := q.waiting[id]
	delete(q.waiting, id)
	q.mu.Unlock()
	if answer != nil {
		answer <- e
	}
	return true
}

// askGateway asks the gateway, and reads its answer.
func (c *conn) askGateway(ctx context.Context, method string, params, answer any) error {
	id, answered := c.questions.add()
	defer c.questions.drop(id)
	line, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", id, method, params})
	if err == nil {
		err = c.writeLine(line)
	}
	if err != nil {
		return fault.New(fault.WorkerGone, "asking the gateway: %w", err)
	}
	select {
	case e := <-answered:
		if len(e.Error) > 0 {
			return fault.New(fault.WorkerGone, "the gateway refuses: %s", e.Error)
		}
		if err := json.Unmarshal(e.Result, answer); err != nil {
			return fault.New(fault.Internal, "reading the gateway's answer: %w", err)
		}
		return nil
	case <-ctx.Done():
		c.notify("notifications/cancelled", struct {
			RequestID string `json:"requestId"`
		}{id})
		return context.Cause(ctx)
	case <-c.closed:
		return fault.New(fault.WorkerGone, "the gateway is gone")
	}
}

// Peers asks the gateway which other machines have the workspace.
func (c *caller) Peers(ctx context.Context) ([]client.Peer, error) {
	if c.gateway == nil {
		return nil, nil
	}
	var answer client.PeersAnswer
	err := c.gateway.askGateway(ctx, client.PeersMethod, struct{}{}, &answer)
	return answer.Peers, err
}

// Ask has another machine do a part of the call.
func (c *caller) Ask(ctx context.Context, p client.Part) (json.RawMessage, error) {
	if c.gateway == nil {
		return nil, fault.New(fault.Internal, "there is no gateway to ask")
	}
	var answer client.PartAnswer
	if err := c.gateway.askGateway(ctx, client.PartMethod, p, &answer); err != nil {
		return nil, err
	}
	if r := answer.Refused; r != nil {
		return nil, fault.New(fault.Code(r.Code), "%s", r.Message).WithHint("%s", r.Hint)
	}
	return answer.Answer, nil
}

// Question is what another worker asks with the call.
func (c *caller) Question() json.RawMessage {
	if c.gateway == nil {
		return nil
	}
	part, _ := c.req.Params.GetMeta()[client.PartKey].(string)
	return json.RawMessage(part)
}

// Answer goes back with the reply.
func (c *caller) Answer(answer json.RawMessage) { c.part = answer }
