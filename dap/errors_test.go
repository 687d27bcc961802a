package dap

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheAdaptersOwnWordsAreFound(t *testing.T) {
	cases := map[string]struct{ reply, want string }{
		"the format": {
			`{"message":"short","body":{"error":{"id":7,"format":"no {what} at {where}","variables":{"what":"code","where":"a.go:3"}}}}`,
			"no code at a.go:3"},
		"a format alone":           {`{"body":{"error":{"id":7,"format":"just so"}}}`, "just so"},
		"unknown names stay":       {`{"body":{"error":{"id":7,"format":"{a} {b}","variables":{"a":"1"}}}}`, "1 {b}"},
		"values are not read":      {`{"body":{"error":{"id":7,"format":"{a}{b}","variables":{"a":"{b}","b":"{a}"}}}}`, "{b}{a}"},
		"a number as value":        {`{"body":{"error":{"id":7,"format":"exit {code}","variables":{"code":3}}}}`, "exit 3"},
		"the message":              {`{"message":"cannot","body":{}}`, "cannot"},
		"an empty format":          {`{"message":"cannot","body":{"error":{"id":7,"format":" "}}}`, "cannot"},
		"a null error":             {`{"message":"cannot","body":{"error":null}}`, "cannot"},
		"an error that is text":    {`{"message":"cannot","body":{"error":"oops"}}`, "cannot"},
		"a body that is text":      {`{"message":"cannot","body":"oops"}`, "cannot"},
		"variables of wrong type":  {`{"body":{"error":{"id":7,"format":"{a}","variables":["a"]}}}`, "{a}"},
		"an id of the wrong type":  {`{"body":{"error":{"id":"E7","format":"still"}}}`, "still"},
		"nothing at all":           {`{}`, "the debug adapter gave no reason"},
		"a message of wrong type":  {`{"message":{"a":1}}`, "the debug adapter gave no reason"},
		"a null body and no words": {`{"message":null,"body":null}`, "the debug adapter gave no reason"},
	}
	for name, c := range cases {
		m, err := parse([]byte(c.reply))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := requestError("evaluate", m)
		if got.Message != c.want || got.Error() != c.want || got.Command != "evaluate" {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
		if strings.Contains(c.reply, `"id":7`) && got.ID != 7 {
			t.Errorf("%s: id is %d", name, got.ID)
		}
	}
}

func FuzzRefusal(f *testing.F) {
	f.Add("no {what}", "what", `"code"`)
	f.Add("{}{{a}}", "{a", `{"b":1}`)
	f.Fuzz(func(t *testing.T, format, name, value string) {
		got := fillTemplate(format, map[string]json.RawMessage{name: json.RawMessage(value)})
		if !strings.Contains(format, "{"+name+"}") && got != strings.TrimSpace(format) {
			t.Errorf("%q without that name became %q", format, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"response","request_seq":null,"success":true}`))
	f.Add([]byte(`{"type":5,"seq":"x","event":[],"body":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := parse(body)
		if err == nil && !json.Valid(body) {
			t.Errorf("%q is taken as %+v", body, m)
		}
		requestError("x", m)
	})
}

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext é": "plain\n\ttext é",
		"\x1b[31merror:\x1b[0m no \x1b]0;title\x07name\r": "error: no name",
		"\x1b[1;31;40mbold\x1b[K\x1bMup\x00":              "boldup",
		"lone \x1b":                                       "lone ",
	} {
		if got := PlainText(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
