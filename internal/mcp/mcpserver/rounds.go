package mcpserver

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
)

// The newer revisions let a server ask nothing while it works on a call: the
// call is answered with the question, and made again with the answer.

// stateless says that the call is of such a revision.
func (c *caller) stateless() bool {
	revision, _ := c.req.Params.GetMeta()[mcp.MetaKeyProtocolVersion].(string)
	return revision >= "2026-07-28"
}

// askInRounds returns the answer that came with the call, or notes the question as
// its reply.
func (c *caller) askInRounds(key string, question mcp.InputRequest) (mcp.InputResponse, error) {
	if answer, ok := c.req.Params.InputResponses[key]; ok {
		return answer, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked == nil {
		c.asked = mcp.InputRequestMap{}
	}
	c.asked[key] = question
	return nil, client.ErrAsked
}

// Answered says whether the answer to a question came with the call.
func (c *caller) Answered(key string) bool {
	_, came := c.req.Params.InputResponses[key]
	return came
}

// questions are those that go out as the reply of the call.
func (c *caller) questions() mcp.InputRequestMap {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.asked)
}

// seal proves that answers are those to questions of ours, and to those of this
// call: a client that keeps them must not say yes to something else with them.
type seal struct{ key []byte }

func newSeal() *seal {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return &seal{key}
}

// answerLimit is how old a question may be when its answer comes.
const answerLimit = 10 * time.Minute

// sealState makes the state that the client sends back with the answers to a call.
func (s *seal) sealState(call *mcp.CallToolParamsRaw) string {
	now := strconv.FormatInt(time.Now().Unix(), 10)
	return now + "." + s.sum(now, call)
}

// check refuses answers whose state is not ours, not this call's, or too old.
func (s *seal) check(call *mcp.CallToolParamsRaw) error {
	if len(call.InputResponses) == 0 && call.RequestState == "" {
		return nil
	}
	at, sum, _ := strings.Cut(call.RequestState, ".")
	if !hmac.Equal([]byte(sum), []byte(s.sum(at, call))) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not what this server has given out for this call: make the call again without inputResponses and requestState"}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)) > answerLimit {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the answer comes too late: make the call again without inputResponses and requestState"}
	}
	return nil
}

func (s *seal) sum(at string, call *mcp.CallToolParamsRaw) string {
	mac := hmac.New(sha256.New, s.key)
	for _, part := range [][]byte{[]byte(at), []byte(call.Name), canonical(call.Arguments)} {
		mac.Write(part)
		mac.Write([]byte{0})
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// canonical writes JSON in one way, for clients that do not send again the very
// bytes.
func canonical(raw json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return raw
	}
	text, err := json.Marshal(value)
	if err != nil {
		return raw
	}
	return text
}
