package responses

import (
	"bytes"
	"encoding/json"
)

// Call is a tool call that works when it is sent as it stands.
type Call struct {
	Tool   string `json:"tool"`
	Params Object `json:"params,omitempty"`
}

// NewCall takes the parameters as names and values in turn.
func NewCall(tool string, params ...any) Call {
	c := Call{Tool: tool}
	for i := 0; i+1 < len(params); i += 2 {
		c.Params = append(c.Params, Member{params[i].(string), params[i+1]})
	}
	return c
}

// With is the call with one more parameter; an empty value adds nothing.
func (c Call) With(name string, value any) Call {
	if value == "" || value == 0 {
		return c
	}
	c.Params = append(c.Params[:len(c.Params):len(c.Params)], Member{name, value})
	return c
}

// Why makes a next step of the call.
func (c Call) Why(why string) NextStep { return NextStep{Call: c, Why: why} }

// NextStep is a call worth making next.
type NextStep struct {
	Call
	Why string `json:"why,omitempty"`
}

// Repeat is the call that a client has made, with one parameter changed or
// added. Args are its arguments as they came; anything but an object gives no call.
func Repeat(tool string, args json.RawMessage, name string, value any) Call {
	if args = bytes.TrimSpace(args); len(args) == 0 || string(args) == "null" {
		args = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return Call{}
	}
	call := Call{Tool: tool}
	for d.More() {
		key, err := d.Token()
		var arg json.RawMessage
		if err != nil || d.Decode(&arg) != nil {
			return Call{}
		}
		if key != name {
			call.Params = append(call.Params, Member{key.(string), arg})
		}
	}
	call.Params = append(call.Params, Member{name, value})
	return call
}
