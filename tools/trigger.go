package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"aidb-mcp/internal/fault"
)

// Trigger is what is sent to the program once the breakpoints, or the recorders, stand: one
// of the three.
type Trigger struct {
	HTTP    *HTTPTrigger `json:"http"`
	Command []string     `json:"command"`
	Stdin   *string      `json:"stdin"`
}

// HTTPTrigger is a request over HTTP. A text stands for its url, or for its method and url.
type HTTPTrigger struct {
	Method  string            `json:"method"`
	URL     string            `json:"url" required:"true"`
	Headers map[string]string `json:"headers"`
	Body    *Body             `json:"body"`
}

// UnmarshalText reads "GET http://…" or a url alone.
func (t *HTTPTrigger) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	switch len(words) {
	case 1:
		t.URL = words[0]
	case 2:
		t.Method, t.URL = words[0], words[1]
	default:
		return fault.New(fault.InvalidParam, "%q is no url", text).WithHint("%s", triggerExample)
	}
	return nil
}

// Body is the body of a request, as a text. Any other JSON stands for its own text.
type Body string

var bodyType = reflect.TypeFor[Body]()

// body decodes a text, or JSON as it is.
func body(v value, into reflect.Value) {
	if s, ok := v.text(); ok {
		into.SetString(s)
		return
	}
	var compact bytes.Buffer
	if json.Compact(&compact, v.raw) != nil {
		compact.Write(v.raw)
	}
	into.SetString(compact.String())
}

const triggerExample = `for example {"trigger":{"http":{"url":"http://127.0.0.1:8080/orders","method":"POST","headers":{},"body":"…"}}}, ` +
	`{"trigger":{"command":["curl","-s","http://127.0.0.1:8080/"]}} or {"trigger":{"stdin":"a line\n"}}`

// Check says what is wrong with a trigger beyond the types of its members; one that is not
// there is good.
func (t *Trigger) Check() error {
	if t == nil {
		return nil
	}
	given := 0
	for _, is := range []bool{t.HTTP != nil, t.Command != nil, t.Stdin != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return fault.New(fault.InvalidParam, "trigger has %d of http, command and stdin, want exactly one", given).
			WithField("trigger").WithHint("%s", triggerExample)
	case t.Stdin != nil && *t.Stdin == "":
		return fault.New(fault.InvalidParam, "trigger.stdin is empty").WithField("trigger.stdin").WithHint("%s", triggerExample)
	case t.Command != nil && (len(t.Command) == 0 || t.Command[0] == ""):
		return fault.New(fault.InvalidParam, "trigger.command names no program").WithField("trigger.command").WithHint("%s", triggerExample)
	case len(t.Command) == 1 && strings.ContainsAny(t.Command[0], " \t"):
		return fault.New(fault.InvalidParam, "trigger.command is one text: it is a list of words, and no shell reads it").WithField("trigger.command").
			WithHint(`give the words, for example ["curl","-s","http://127.0.0.1:8080/"], or a shell: ["sh","-c","…"]`)
	}
	return nil
}
