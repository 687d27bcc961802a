package bridge

import (
	"encoding/json"
	"testing"
)

// Arguments are repeated in headers whatever else a list of tools holds.
func TestWhichArgumentsAreRepeated(t *testing.T) {
	c := openCache(&Options{})
	c.learn(json.RawMessage(`{"tools":[{"name":"a","inputSchema":{"properties":{"x":true,"y":{"x-mcp-header":7},"z":{"x-mcp-header":"Z"}}}}]}`))
	if got := c.headers["a"]; len(got) != 1 || got[0].header != "Mcp-Param-Z" {
		t.Errorf("%v", got)
	}
}
