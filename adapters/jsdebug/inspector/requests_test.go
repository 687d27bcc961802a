package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// answering makes requests that are answered as is said, and then heard: the end is an empty answer.
func answering(event func(string, json.RawMessage), answer func(sent string) string) (r *requests, says chan string) {
	says = make(chan string, 2)
	r = newRequests(func(text []byte) error {
		says <- answer(string(text))
		return nil
	}, event)
	go r.hear(func() ([]byte, error) {
		text := <-says
		if text == "" {
			return nil, io.EOF
		}
		return []byte(text), nil
	})
	return r, says
}

func TestRequestsAreMatchedWithAnswers(t *testing.T) {
	events := make(chan string, 1)
	answers := map[string]string{
		`{"id":1,"method":"Runtime.evaluate","params":{}}`: `{"id":1,"result":{"value":7}}`,
		`{"id":2,"method":"Runtime.evaluate"}`:             `{"id":2,"error":{"message":"no such thing"}}`,
	}
	r, says := answering(func(method string, params json.RawMessage) { events <- method + string(params) }, func(sent string) string { return answers[sent] })
	says <- `{"method":"Debugger.resumed","params":{}}`
	if e := <-events; e != "Debugger.resumed{}" {
		t.Errorf("an event is %q", e)
	}
	var got struct{ Value int }
	if err := r.Call(t.Context(), "Runtime.evaluate", struct{}{}, &got); err != nil || got.Value != 7 {
		t.Errorf("the answer is %v, %v", got, err)
	}
	if err := r.Call(t.Context(), "Runtime.evaluate", nil, nil); err == nil || err.Error() != "Runtime.evaluate: no such thing" {
		t.Errorf("the refusal is %v", err)
	}
}

func TestRequestsEndWithTheirProgram(t *testing.T) {
	r, says := answering(nil, func(string) string { return `{"id":1,"result":{}}` })
	says <- "" // it may go before it is asked
	<-r.Over()
	if err := r.Call(t.Context(), "Runtime.evaluate", nil, nil); !errors.Is(err, ErrHungUp) {
		t.Errorf("after the end it is %v", err)
	}
	if len(r.waiting) != 0 {
		t.Error("somebody is waited for still")
	}
}

// What was answered counts, also when the program has gone meanwhile.
func TestTheLastAnswerIsRead(t *testing.T) {
	for range 100 {
		r, says := answering(nil, func(string) string { return `{"id":1,"result":{}}` })
		send := r.send
		r.send = func(text []byte) error {
			err := send(text)
			says <- ""
			<-r.Over()
			return err
		}
		if err := r.Call(t.Context(), "Runtime.evaluate", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRequestsEndWithTheirTime(t *testing.T) {
	r, _ := answering(func(string, json.RawMessage) {}, func(string) string { return `{"method":"Runtime.consoleAPICalled"}` })
	late, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("it took too long"))
	if err := r.Call(late, "Runtime.evaluate", nil, nil); err == nil || err.Error() != "it took too long" {
		t.Errorf("it ends with %v", err)
	}
	given, cancelled := context.WithCancel(t.Context())
	cancelled()
	if err := r.Call(given, "Runtime.evaluate", nil, nil); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "Runtime.evaluate: ") {
		t.Errorf("it ends with %v", err)
	}
}
