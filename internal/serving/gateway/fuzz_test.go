package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aidb-mcp/internal/mcp/frame"
)

// Whatever stands in a header, it is read or refused.
func FuzzHeaders(f *testing.F) {
	f.Add("2026-07-28", "tools/call", "=?base64?ZWNobw==?=", "1-2", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1e3},`+meta+`}}`)
	f.Add("", "", "=?base64?", "-1--2", `{"jsonrpc":"2.0","method":"x"}`)
	f.Fuzz(func(_ *testing.T, revision, method, name, last, message string) {
		frame, err := frame.Parse([]byte(message))
		if err != nil {
			return
		}
		r := httptest.NewRequest(http.MethodPost, Path, nil)
		r.Header = http.Header{"Mcp-Protocol-Version": {revision}, "Mcp-Method": {method}, "Mcp-Name": {name}, "Mcp-Param-A": {name}, "Accept": {name}}
		checkHeaders(r, frame)
		tools := &toolHeaders{of: map[string][]paramHeader{"echo": {{[]string{"a"}, "Mcp-Param-A"}}}}
		tools.check(r, frame)
		readToolHeaders(frame.Get("params"))
		accepts(r, "text/event-stream")
		isJSON(name)
		parseEventID(last)
		(&Access{Loopback: true}).isOurs(name)
		(&Access{}).welcome(name, last)
		statusOf(frame)
	})
}

// Whatever a file of tokens holds, it is read or refused, and no token is short.
func FuzzTokens(f *testing.F) {
	f.Add("# name token\nada 0123456789abcdef\n")
	f.Add("ada 0123456789abcdef\nada 0123456789abcdef # twice")
	f.Fuzz(func(t *testing.T, text string) {
		tokens, err := ParseTokens("x", strings.NewReader(text))
		for _, token := range tokens {
			if token.Name == "" || len(token.Secret) < leastToken {
				t.Errorf("%q of %q", token, text)
			}
		}
		if err == nil && len(tokens) == 0 {
			t.Error("no tokens, and no error")
		}
	})
}
