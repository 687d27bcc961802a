package session

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"aidb-mcp/internal/trigger"
)

// An answer that goes on ends with the run, also when a reply has told of it; of many, the
// oldest is given up.
func TestAnswersThatGoOn(t *testing.T) {
	var open sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "event 1\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		open.Done()
	}))
	defer server.Close()
	var list triggers
	var sent []*Trigger
	for range mostTriggers + 2 {
		open.Add(1)
		one := &Trigger{sent: trigger.Send(t.Context(), trigger.Request{HTTP: &trigger.HTTP{URL: server.URL}},
			trigger.Options{Allowed: func(netip.AddrPort) bool { return true }})}
		if !list.add(one) {
			t.Fatal("it was not taken")
		}
		<-one.sent.Done()
		if now, earlier := list.take(one); now == nil || !now.Unended || len(earlier) > 0 {
			t.Errorf("got %+v and %+v", now, earlier)
		}
		sent = append(sent, one)
	}
	if !sent[0].sent.IsOver() || !errors.Is(sent[0].Outcome().Err, errTooMany) || sent[1].sent.IsOver() {
		t.Errorf("the oldest of them is to be given up, and no other: %+v, %+v", sent[0].Outcome(), sent[1].Outcome())
	}
	if now, earlier := list.take(nil); now != nil || len(earlier) > 0 {
		t.Errorf("told again: %+v and %+v", now, earlier)
	}
	list.end()
	open.Wait()
}
