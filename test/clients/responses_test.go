//go:build linux

package clients

import (
	"encoding/json"
	"net/http"
)

// openAI is the Responses API, as far as Codex uses it.
type openAI struct{}

type openAITool struct {
	Type, Name string
	Tools      []openAITool // of a namespace
}

func (openAI) read(body []byte) (question, error) {
	var r struct {
		Tools []openAITool
		Input []struct {
			Type   string
			Output json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return question{}, err
	}
	var q question
	for _, t := range r.Tools {
		if t.Type == "function" {
			q.Offered = append(q.Offered, tool{Name: t.Name})
		}
		for _, inner := range t.Tools {
			q.Offered = append(q.Offered, tool{Namespace: t.Name, Name: inner.Name})
		}
	}
	for _, item := range r.Input {
		if item.Type == "function_call_output" {
			q.Shown = append(q.Shown, plain(item.Output))
		}
	}
	return q, nil
}

func (openAI) write(w http.ResponseWriter, _ []byte, a answer) {
	item := J{"type": "message", "id": "msg_1", "role": "assistant", "content": []J{{"type": "output_text", "text": a.Text}}}
	if a.Call != nil {
		item = J{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": a.Call.Name, "arguments": a.Arguments}
		if a.Call.Namespace != "" {
			item["namespace"] = a.Call.Namespace
		}
	}
	usage := J{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
	streaming(w)
	event(w, "response.created", J{"type": "response.created", "response": J{"id": "resp_1"}})
	event(w, "response.output_item.done", J{"type": "response.output_item.done", "item": item})
	event(w, "response.completed", J{"type": "response.completed", "response": J{"id": "resp_1", "usage": usage}})
}
