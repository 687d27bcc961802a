package mcpserver

import "testing"

// Who passes a message on, and perhaps judges it, must see the same in it.
func TestNamesCountAsTheyAreWritten(t *testing.T) {
	e, err := open([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"ID":2,"Method":"tools/call","PARAMS":[]}`))
	if err != nil || string(e.ID) != "1" || string(e.Method) != `"ping"` || string(e.Params) != "{}" {
		t.Errorf("%s %s %s, %v", e.ID, e.Method, e.Params, err)
	}
}
