//go:build linux

package clients

import (
	"encoding/json"
	"net/http"
)

// gemini is streamGenerateContent, as far as Gemini CLI uses it, and
// generateContent, which answers with the whole at once.
type gemini struct{ whole bool }

func (gemini) read(body []byte) (question, error) {
	var r struct {
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
		Contents []struct {
			Parts []struct {
				FunctionResponse *struct {
					Response map[string]json.RawMessage // output or error, and a text in it
				}
			}
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return question{}, err
	}
	var q question
	for _, t := range r.Tools {
		for _, f := range t.FunctionDeclarations {
			q.Offered = append(q.Offered, tool{Name: f.Name})
		}
	}
	for _, c := range r.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse == nil {
				continue
			}
			for _, text := range p.FunctionResponse.Response {
				q.Shown = append(q.Shown, plain(text))
			}
		}
	}
	return q, nil
}

func (g gemini) write(w http.ResponseWriter, _ []byte, a answer) {
	part := J{"text": a.Text}
	if a.Call != nil {
		part = J{"functionCall": J{"name": a.Call.Name, "args": json.RawMessage(a.Arguments)}}
	}
	reply := J{
		"candidates":    []J{{"content": J{"role": "model", "parts": []J{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": J{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "scripted",
	}
	if g.whole {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reply)
		return
	}
	streaming(w)
	event(w, "", reply)
}
