package bridge

import (
	"encoding/json"
	"log/slog"
	"testing"

	"aidb-mcp/internal/mcp/frame"
)

// What a client that draws was told of tools is not told to the next client, which may be another.
func TestViewsAreNotKept(t *testing.T) {
	read := func(text string) frame.Frame {
		f, err := frame.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	ask := read(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	for result, isKept := range map[string]bool{
		`{"tools":[{"name":"a"}]}`: true,
		`{"tools":[{"name":"a","_meta":{"ui":{"resourceUri":"ui://aidb/stop"}}}]}`:  false,
		`{"tools":[{"name":"a","_meta":{"ui":{"resourceUri":"ui://other/page"}}}]}`: true,
	} {
		c := openCache(&Options{Log: slog.New(slog.DiscardHandler)})
		c.keep(ask, read(`{"jsonrpc":"2.0","id":1,"result":`+result+`}`))
		if got := c.get(ask); (got != nil) != isKept {
			t.Errorf("of %s is kept %s", result, got)
		}
	}
}

// Arguments are repeated in headers whatever else a list of tools holds.
func TestWhichArgumentsAreRepeated(t *testing.T) {
	c := openCache(&Options{})
	c.learn(json.RawMessage(`{"tools":[{"name":"a","inputSchema":{"properties":{"x":true,"y":{"x-mcp-header":7},"z":{"x-mcp-header":"Z"}}}}]}`))
	if got := c.headers["a"]; len(got) != 1 || got[0].header != "Mcp-Param-Z" {
		t.Errorf("%v", got)
	}
}
