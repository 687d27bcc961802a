package dap

import (
	"bytes"
	"testing"
)

// What a server says is numbered in the order in which it is said.
func TestServer(t *testing.T) {
	var sent bytes.Buffer
	s := NewServer(&sent)
	asked := Request{Seq: 7, Command: "threads"}
	for _, err := range []error{s.Event("initialized", nil), s.Reply(asked, struct{}{}), s.Refuse(asked, "no", nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	frames := newFrames(&sent)
	for _, want := range []string{
		`{"seq":1,"type":"event","event":"initialized"}`,
		`{"seq":2,"type":"response","request_seq":7,"success":true,"command":"threads","body":{}}`,
		`{"seq":3,"type":"response","request_seq":7,"success":false,"command":"threads","message":"no"}`,
	} {
		if got, err := frames.next(); err != nil || string(got) != want {
			t.Errorf("sent %s, %v, want %s", got, err, want)
		}
	}
}
