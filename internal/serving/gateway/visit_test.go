package gateway

import (
	"strings"
	"testing"

	"aidb-mcp/internal/mcp/frame"
)

func parsed(t *testing.T, text string) frame.Frame {
	t.Helper()
	f, err := frame.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhereAHandleStands(t *testing.T) {
	const id = "go-1.h1.m.w1.0123456789012345678901"
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"session_id":"` + id + `"}}}`:                  id,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"session_id":"go-1"}}}`:                        "go-1",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"text":"` + id + `"}}}`:                        "",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"session_id":7}}}`:                             "",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step"}}`:                                                          "",
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"hang","arguments":{"session_id":"` + id + `"}}}`:                 id,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"aidb://session/` + id + `/stack"}}`:                            id,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"aidb://session/` + strings.ReplaceAll(id, "-", "%2D") + `"}}`:  id,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"aidb://session/go-1/stack"}}`:                                  "",
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"aidb://session/%zz/` + id[:30] + `"}}`:                         id[:30],
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"argument":{"name":"session_id","value":"` + id + `"}}}`:         "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + id + `","arguments":{"session_id":"` + id + `"}}}`: "",
	} {
		if got := handleOf(parsed(t, text)); got != want {
			t.Errorf("%s names %q, want %q", text, got, want)
		}
	}
}

// What a visitor is told to say of itself, and nothing else is changed.
func TestIntroducing(t *testing.T) {
	v := visitor{[]byte(`{"name":"x","version":"1"}`)}
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"n":12345678901234567890}}}`: `"arguments":{"n":12345678901234567890}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":9007199254740993}}}`:           `"progressToken":9007199254740993`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":null}}`:                                         `"clientInfo":{"name":"x","version":"1"}`,
	} {
		got := string(v.introduce(parsed(t, text)).Bytes())
		for _, part := range []string{want, `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`} {
			if !strings.Contains(got, strings.TrimPrefix(part, `"clientInfo":`)) {
				t.Errorf("%s becomes %s, without %s", text, got, part)
			}
		}
	}
	if got := string(complete(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)).Bytes()); !strings.Contains(got, `"resultType":"complete"`) {
		t.Error(got)
	}
	if got := string(complete(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{}}}`)).Bytes()); !strings.Contains(got, `"resultType":"input_required"`) {
		t.Error(got)
	}
	if got := string(complete(parsed(t, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"other"}}`)).Bytes()); !strings.Contains(got, `"resultType":"other"`) {
		t.Error(got)
	}
	if got := string(nameSession(parsed(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step"}}`), "s").Bytes()); !strings.Contains(got, `"arguments":{"session_id":"s"}`) {
		t.Error(got)
	}
}
