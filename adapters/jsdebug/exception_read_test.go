package jsdebug

import (
	"reflect"
	"testing"

	godap "github.com/google/go-dap"
)

// An error's text has its type in front, of a SyntaxError behind its place.
func TestReadOfAnError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]thrown{
		"TypeError: x is not a function":                                                              {Type: "TypeError", Message: "x is not a function"},
		"/w/a.js:1\nfunction (\n         ^\n\nSyntaxError: Unexpected token '('":                      {Type: "SyntaxError", Message: "Unexpected token '('"},
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n210 !== 21\n":       {Type: "AssertionError", Message: "Expected values to be strictly equal:\n\n210 !== 21"},
		"Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 21\nReceived: 210": {Type: "Error", Message: "expect(received).toBe(expected) // Object.is equality\n\nExpected: 21\nReceived: 210"},
		"just a text": {Type: "just a text"},
	} {
		if got := parseThrown(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// A function's name is that of the source, whatever V8 has put before it.
func TestFrameNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Object.run": "run",
		"DateTime.":  "DateTime.",
		"DateTime { ts: 2024-02-28T22:30:15.250Z, zone: UTC, locale: en-U….get weekNumber": "get weekNumber",
		"DateTime { ts: 1, zone: UTC }.get weekNumber":                                     "get weekNumber",
		"": "(anonymous)",
	} {
		if got := (&dialect{}).Frame(godap.StackFrame{Name: name}).Name; got != want {
			t.Errorf("%q is called %q, not %q", name, got, want)
		}
	}
}
