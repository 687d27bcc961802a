package daptest

import "encoding/json"

// envelope is any message of the client.
type envelope struct {
	Seq        int             `json:"seq"`
	Type       string          `json:"type"`
	Command    string          `json:"command"`
	Arguments  json.RawMessage `json:"arguments"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
}

// What the adapter sends.
type (
	event struct {
		Seq   int    `json:"seq"`
		Type  string `json:"type"`
		Event string `json:"event"`
		Body  any    `json:"body,omitempty"`
	}
	request struct {
		Seq       int    `json:"seq"`
		Type      string `json:"type"`
		Command   string `json:"command"`
		Arguments any    `json:"arguments,omitempty"`
	}
	reply struct {
		Seq        int    `json:"seq"`
		Type       string `json:"type"`
		RequestSeq int    `json:"request_seq"`
		Command    string `json:"command"`
		Success    bool   `json:"success"`
		Message    string `json:"message,omitempty"`
		Body       any    `json:"body,omitempty"`
	}
)
