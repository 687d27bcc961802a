package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// asking answers a call with what became of a question in it.
func asking(choices ...string) callerFunc {
	return func(ctx context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
		choice, err := by.Elicit(ctx, client.Question{Key: "k", Message: "Which?", Choices: choices})
		if errors.Is(err, client.ErrAsked) {
			return responses.Reply{Asked: true}
		}
		said := "chosen: " + choice
		if err != nil {
			said = err.Error()
		}
		return responses.Reply{JSON: fmt.Appendf(nil, "%q", said)}
	}
}

func (p *peer) initializeWith(capabilities string) {
	p.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.receive()
}

// What a client answers to a question while its call waits.
func TestElicit(t *testing.T) {
	for _, c := range []struct {
		name, capabilities, answer, want string
		choices                          []string
	}{
		{"nothing to ask with", `{}`, "", "the client cannot ask", nil},
		{"only pages", `{"elicitation":{"url":{}}}`, "", "the client cannot ask", nil},
		{"yes", `{"elicitation":{}}`, `"result":{"action":"accept","content":{}}`, "chosen: ", nil},
		{"yes without content", `{"elicitation":{"form":{}}}`, `"result":{"action":"accept"}`, "chosen: ", nil},
		{"no", `{"elicitation":{}}`, `"result":{"action":"decline"}`, "declined", nil},
		{"gone away", `{"elicitation":{}}`, `"result":{"action":"cancel"}`, "declined", nil},
		{"the second", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"choice":"b"}}`, "chosen: b", []string{"a", "b"}},
		{"none of them", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"choice":"c"}}`, "the client cannot ask", []string{"a", "b"}},
		{"a client that fails", `{"elicitation":{}}`, `"error":{"code":-32603,"message":"oh"}`, "the client cannot ask", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, Options{Calls: asking(c.choices...)}, func(p *peer) {
				p.initializeWith(c.capabilities)
				p.send(call(1, "step", "{}"))
				if c.answer != "" {
					m := p.receive()
					if m.Method != "elicitation/create" || !strings.Contains(m.raw, `"mode":"form"`) || !strings.Contains(m.raw, `"type":"object"`) {
						t.Fatalf("asked was %s", m.raw)
					}
					p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, c.answer))
				}
				if m := p.receive(); string(m.ID) != "1" || !strings.Contains(m.raw, `"structuredContent":"`+c.want+`"`) {
					t.Errorf("answered %s, want %q", m.raw, c.want)
				}
			})
		})
	}
}

// A text that a person writes may be empty.
func TestElicitAText(t *testing.T) {
	ask := callerFunc(func(ctx context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
		text, err := by.Elicit(ctx, client.Question{Key: "k", Message: "Who?", Text: true})
		said := "written: " + text
		if err != nil {
			said = err.Error()
		}
		return responses.Reply{JSON: fmt.Appendf(nil, "%q", said)}
	})
	for answer, want := range map[string]string{
		`{"action":"accept","content":{"choice":"me"}}`: "written: me",
		`{"action":"accept","content":{"choice":""}}`:   "written: ",
		`{"action":"accept","content":{}}`:              "the client cannot ask",
		`{"action":"decline"}`:                          "declined",
	} {
		bubble(t, Options{Calls: ask}, func(p *peer) {
			p.initializeWith(`{"elicitation":{}}`)
			p.send(call(1, "step", "{}"))
			m := p.receive()
			if strings.Contains(m.raw, "enum") || !strings.Contains(m.raw, `"choice":{"type":"string"}`) {
				t.Fatalf("asked was %s", m.raw)
			}
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer))
			if m := p.receive(); !strings.Contains(m.raw, `"structuredContent":"`+want+`"`) {
				t.Errorf("answered %s, want %q", m.raw, want)
			}
		})
	}
}

// A person who does not come back holds up a call for two minutes, a cancelled
// call not at all.
func TestElicitIsBounded(t *testing.T) {
	bubble(t, Options{Calls: asking()}, func(p *peer) {
		p.initializeWith(`{"elicitation":{}}`)
		begun := time.Now()
		p.send(call(1, "step", "{}"))
		p.receive()
		both := p.receive().raw + p.receive().raw // in any order
		if !strings.Contains(both, "notifications/cancelled") || !strings.Contains(both, "nobody answered in time") || time.Since(begun) != elicitLimit {
			t.Errorf("after %s: %s", time.Since(begun), both)
		}
		begun = time.Now()
		p.send(call(2, "step", "{}"))
		p.receive()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		if m := p.receive(); m.Method != "notifications/cancelled" || time.Since(begun) != 0 {
			t.Errorf("after %s came %s", time.Since(begun), m.raw)
		}
	})
}

// round makes a call of the revision in which questions go out as replies.
func (p *peer) round(id int, args, more string) message {
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"step","arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{}}}%s}}`, id, args, more))
	return p.receive()
}

// Answers count for the call that they were asked for, and for no other.
func TestAnswersBelongToTheirCall(t *testing.T) {
	bubble(t, Options{Calls: asking()}, func(p *peer) {
		var asked struct {
			Result struct {
				ResultType    string
				RequestState  string
				InputRequests map[string]struct{ Method string }
			}
		}
		m := p.round(1, `{"a":1,"b":2}`, "")
		if err := json.Unmarshal([]byte(m.raw), &asked); err != nil || asked.Result.ResultType != "input_required" || asked.Result.InputRequests["k"].Method != "elicitation/create" || strings.Contains(m.raw, "null") {
			t.Fatalf("asked was %s", m.raw)
		}
		answer := func(state string) string {
			return fmt.Sprintf(`,"inputResponses":{"k":{"action":"accept","content":{}}},"requestState":%q`, state)
		}
		state := asked.Result.RequestState
		if m := p.round(2, `{"b":2, "a":1}`, answer(state)); !strings.Contains(m.raw, `"chosen: "`) {
			t.Errorf("with the answer: %s", m.raw)
		}
		for i, wrong := range []string{`{"a":2,"b":2}|` + state, `{"a":1,"b":2}|`, `{"a":1,"b":2}|1` + state, `{"a":1,"b":2}|` + state[:len(state)-1]} {
			args, bad, _ := strings.Cut(wrong, "|")
			if m := p.round(3+i, args, answer(bad)); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, "requestState") {
				t.Errorf("%s: %s", wrong, m.raw)
			}
		}
		time.Sleep(answerLimit + 2*time.Second)
		if m := p.round(9, `{"a":1,"b":2}`, answer(state)); m.Error == nil || !strings.Contains(m.Error.Message, "too late") {
			t.Errorf("late: %s", m.raw)
		}
	})
}

func TestSample(t *testing.T) {
	asks := callerFunc(func(ctx context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
		said, err := by.Sample(ctx, client.Prompt{Key: "k", System: "be short", Text: "why?", Tokens: 7})
		if errors.Is(err, client.ErrAsked) {
			return responses.Reply{Asked: true}
		}
		return responses.Reply{JSON: fmt.Appendf(nil, "%q", fmt.Sprint(said, err))}
	})
	for _, c := range []struct{ name, answer, want string }{
		{"text", `"result":{"role":"assistant","model":"m","content":{"type":"text","text":"because"}}`, "{because m} \\u003cnil\\u003e"},
		{"texts", `"result":{"role":"assistant","model":"m","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "{a\\nb m} \\u003cnil\\u003e"},
		{"a picture", `"result":{"role":"assistant","model":"m","content":{"type":"image","data":"","mimeType":"image/png"}}`, "{ } declined"},
		{"a refusal", `"error":{"code":-1,"message":"User rejected sampling request"}`, "{ } declined"},
		{"silence", "", "{ } nobody answered in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, Options{Calls: asks}, func(p *peer) {
				p.initializeWith(`{"sampling":{}}`)
				p.send(call(1, "step", "{}"))
				m := p.receive()
				if m.Method != "sampling/createMessage" || !strings.Contains(m.raw, `"content":{"type":"text","text":"why?"}`) || !strings.Contains(m.raw, `"maxTokens":7`) {
					t.Fatalf("asked was %s", m.raw)
				}
				if c.answer != "" {
					p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, c.answer))
				}
				m = p.receive()
				if c.answer == "" && m.Method != "" { // the question is taken back
					m = p.receive()
				}
				if !strings.Contains(m.raw, `"structuredContent":"`+c.want+`"`) {
					t.Errorf("answered %s, want %s", m.raw, c.want)
				}
			})
		})
	}
	bubble(t, Options{Calls: asks}, func(p *peer) {
		if m := p.round(1, `{}`, ""); !strings.Contains(m.raw, `"method":"sampling/createMessage"`) || !strings.Contains(m.raw, `"resultType":"input_required"`) {
			t.Errorf("asked was %s", m.raw)
		}
	})
}
