package dap

import (
	"encoding/json"
	"errors"
)

// message is the envelope of everything that comes in. Adapters leave fields
// out and send null for numbers; both leave the zero value.
type message struct {
	Seq  int    `json:"seq"`
	Type string `json:"type"`

	Event     string          `json:"event"`     // events
	Command   string          `json:"command"`   // requests, and most replies
	Arguments json.RawMessage `json:"arguments"` // requests

	RequestSeq int    `json:"request_seq"` // replies
	Success    bool   `json:"success"`
	Message    string `json:"message"`

	Body json.RawMessage `json:"body"` // events and replies
}

// parse decodes an envelope. A field of the wrong type is taken as missing.
func parse(body []byte) (message, error) {
	var m message
	err := json.Unmarshal(body, &m)
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) && wrong.Field != "" {
		err = nil
	}
	return m, err
}

// reply is the answer to a reverse request as it goes out.
type reply struct {
	Seq        int             `json:"seq"`
	Type       string          `json:"type"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Command    string          `json:"command"`
	Message    string          `json:"message,omitempty"`
	Body       json.RawMessage `json:"body,omitempty"`
}
