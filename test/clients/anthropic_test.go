//go:build linux

package clients

import (
	"encoding/json"
	"net/http"
)

// anthropic is the Messages API, as far as Claude Code uses it.
type anthropic struct{}

type anthropicRequest struct {
	Stream bool
	Tools  []struct {
		Name         string
		DeferLoading bool `json:"defer_loading"`
	}
	Messages []struct{ Content json.RawMessage }
}

func (anthropic) read(body []byte) (question, error) {
	var r anthropicRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return question{}, err
	}
	var q question
	for _, t := range r.Tools {
		if !t.DeferLoading { // else the model would have to search for it first
			q.Offered = append(q.Offered, tool{Name: t.Name})
		}
	}
	for _, m := range r.Messages {
		var blocks []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue // a plain text
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				q.Shown = append(q.Shown, plain(b.Content))
			}
		}
	}
	return q, nil
}

// J is a JSON object of a reply.
type J map[string]any

func (anthropic) write(w http.ResponseWriter, body []byte, a answer) {
	start, stop := J{"type": "text", "text": ""}, "end_turn"
	delta, whole := J{"type": "text_delta", "text": a.Text}, J{"type": "text", "text": a.Text}
	if a.Call != nil {
		start, stop = J{"type": "tool_use", "id": "toolu_1", "name": a.Call.Name, "input": J{}}, "tool_use"
		delta = J{"type": "input_json_delta", "partial_json": a.Arguments}
		whole = J{"type": "tool_use", "id": "toolu_1", "name": a.Call.Name, "input": json.RawMessage(a.Arguments)}
	}
	usage := J{"input_tokens": 1, "output_tokens": 1}
	message := J{"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []J{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	var r anthropicRequest
	if _ = json.Unmarshal(body, &r); !r.Stream { // it was read before
		message["content"], message["stop_reason"] = []J{whole}, stop
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	streaming(w)
	event(w, "message_start", J{"type": "message_start", "message": message})
	event(w, "content_block_start", J{"type": "content_block_start", "index": 0, "content_block": start})
	event(w, "content_block_delta", J{"type": "content_block_delta", "index": 0, "delta": delta})
	event(w, "content_block_stop", J{"type": "content_block_stop", "index": 0})
	event(w, "message_delta", J{"type": "message_delta", "delta": J{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	event(w, "message_stop", J{"type": "message_stop"})
}
