package native

import (
	"encoding/json"
	"testing"

	godap "github.com/google/go-dap"
)

// TestFunctionReply: what the scripts found is read into one breakpoint a name.
func TestFunctionReply(t *testing.T) {
	c := &common{commands: "repl"}
	answer := "SIGHUP  true {pass}\nLoading formatters\n(lldb) aidb breakpoints 5b5d\n" + `{"answer":[` +
		`{"id":3,"ids":[3,4],"places":[{"file":"/w/b.rs","line":9,"count":1},{"file":"/w/a.rs","line":7,"count":2}]},` +
		`{"id":5,"places":[]},` +
		`{"id":6,"places":[{"file":"","line":0,"name":"malloc","count":1}]}]}` + "\nloaded\n"
	body, _ := json.Marshal(godap.EvaluateResponseBody{Result: answer})
	list, err := c.FunctionReply(body)
	if err != nil || len(list) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	if b := list[0]; !b.Verified || b.Line != 7 || b.Source.Path != "/w/a.rs" || b.Message != "3 places: a.rs:7 (2 times), b.rs:9" {
		t.Errorf("%+v", b)
	}
	if b := list[1]; b.Verified || b.Message != noFunction {
		t.Errorf("%+v", b)
	}
	if b := list[2]; !b.Verified || b.Message != "in malloc (without debug information)" {
		t.Errorf("%+v", b)
	}
	if hit := c.mergeParts([]int{4, 3, 9}); len(hit) != 2 || hit[0] != 3 || hit[1] != 9 {
		t.Errorf("hit %v", hit)
	}
	body, _ = json.Marshal(godap.EvaluateResponseBody{Result: `{"error": "it is gone"}`})
	if _, err := c.FunctionReply(body); err == nil || err.Error() != "it is gone" {
		t.Errorf("%v", err)
	}
}
