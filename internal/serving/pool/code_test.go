package pool

import (
	"testing"

	"aidb-mcp/internal/mcp/frame"
)

// The account knows why a call failed in whatever form its server replies.
func TestTheCodeOfAFailureIsReadInEveryForm(t *testing.T) {
	for result, want := range map[string]string{
		`{"isError":false,"content":[{"type":"text","text":"AIDB_BUILD_FAILED: no"}]}`:                         "",
		`{"isError":true,"content":[{"type":"text","text":"AIDB_BUILD_FAILED: no\nhint: mend it"}]}`:           "AIDB_BUILD_FAILED",
		`{"isError":true,"content":[],"structuredContent":{"error":{"code":"AIDB_BUILD_FAILED"}}}`:             "AIDB_BUILD_FAILED",
		`{"isError":true,"content":[{"type":"text","text":"it failed: AIDB_BUILD_FAILED: no"}]}`:               "error",
		`{"isError":true,"content":[{"type":"text","text":"AIDB_ is no code of: ours"}]}`:                      "error",
		`{"isError":true,"content":[{"type":"text","text":"{\"error\":{}}"}],"structuredContent":{"error":1}}`: "error",
		`{"isError":true}`: "error",
	} {
		request, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step"}}`))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := calledOf(&call{request: request}, reply).Code; got != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
}
