package responses

import (
	"encoding/json"
	"testing"
)

// A repeated call keeps what the client sent, digit by digit and in its order.
func TestRepeat(t *testing.T) {
	call := Repeat("inspect", json.RawMessage(`{"thread_id":9007199254740993,"max_bytes":1000,"target":"<all>"}`), "max_bytes", 40000)
	got, err := encode(call)
	const want = `{"tool":"inspect","params":{"thread_id":9007199254740993,"target":"<all>","max_bytes":40000}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s %v, want %s", got, err, want)
	}
	if call := Repeat("init", nil, "max_bytes", 40000); len(call.Params) != 1 {
		t.Errorf("no arguments give %v", call)
	}
	for _, bad := range []string{"[1]", "7", `{"a":`} {
		if call := Repeat("step", json.RawMessage(bad), "x", 1); call.Tool != "" {
			t.Errorf("%q gives the call %v", bad, call)
		}
	}
}
