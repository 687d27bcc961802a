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

type openAIItem struct {
	Type   string
	Output json.RawMessage // of a call
	Tools  []openAITool    // found by a search, or added by the client
}

func (openAI) read(body []byte) (question, error) {
	var r struct {
		Tools []openAITool
		Input []openAIItem
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return question{}, err
	}
	var q question
	q.offer("", r.Tools)
	for _, item := range r.Input {
		q.offer("", item.Tools)
		if item.Type == "function_call_output" || item.Type == "custom_tool_call_output" {
			q.Shown = append(q.Shown, plain(item.Output))
		}
	}
	return q, nil
}

func (q *question) offer(namespace string, tools []openAITool) {
	for _, t := range tools {
		switch {
		case t.Type == "function":
			q.Offered = append(q.Offered, tool{Namespace: namespace, Name: t.Name})
		case t.Type == "namespace":
			q.offer(t.Name, t.Tools)
		case t.Type == "tool_search":
			q.Hidden = true
		case t.Type == "custom" && t.Name == "exec":
			q.Coding = true
		}
	}
}

func (openAI) write(w http.ResponseWriter, _ []byte, a answer) {
	item := J{"type": "message", "id": "msg_1", "role": "assistant", "content": []J{{"type": "output_text", "text": a.Text}}}
	switch {
	case a.Call != nil:
		item = J{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": a.Call.Name, "arguments": a.Arguments}
		if a.Call.Namespace != "" {
			item["namespace"] = a.Call.Namespace
		}
	case a.Search != "":
		item = J{"type": "tool_search_call", "call_id": "search_1", "execution": "client", "arguments": J{"query": a.Search}}
	case a.Program != "":
		item = J{"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "namespace": "functions", "name": "exec", "input": a.Program}
	}
	usage := J{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
	streaming(w)
	event(w, "response.created", J{"type": "response.created", "response": J{"id": "resp_1"}})
	event(w, "response.output_item.done", J{"type": "response.output_item.done", "item": item})
	event(w, "response.completed", J{"type": "response.completed", "response": J{"id": "resp_1", "usage": usage}})
}
