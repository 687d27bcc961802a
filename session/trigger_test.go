package session

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"aidb-mcp/adapters"
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

// A name that leads elsewhere later leads no trigger there: it is looked up once, after a look-up
// that failed again.
func TestTheHostIsLookedUpOnce(t *testing.T) {
	answers := []string{"", "10.1.1.1", "10.2.2.2"}
	lookUp := func(_ context.Context, _, host string) ([]netip.Addr, error) {
		answer := answers[0]
		answers = answers[1:]
		if answer == "" {
			return nil, errors.New("nobody knows " + host)
		}
		return []netip.Addr{netip.MustParseAddr("::ffff:" + answer)}, nil
	}
	var one far
	if list, err := one.addresses(t.Context(), "shop.test", lookUp); err == nil || len(list) > 0 {
		t.Errorf("got %v", list)
	}
	for range 3 {
		if list, err := one.addresses(t.Context(), "shop.test", lookUp); err != nil || len(list) != 1 || list[0].String() != "10.1.1.1" {
			t.Errorf("got %v, %v", list, err)
		}
	}
	if len(answers) != 1 {
		t.Errorf("%d answers are left, want 1", len(answers))
	}
}

// A url with the host of remote_attach leads to where the session has attached.
func TestTheHostOfARemoteProgram(t *testing.T) {
	var s Session
	s.request.Program.Host = "nowhere.invalid" // of which no resolver knows
	s.subject.Store(&subject{mode: adapters.RemoteAttach})
	s.far.known = []netip.Addr{netip.MustParseAddr("192.0.2.7")}
	list, err := s.urlAddresses(t.Context(), trigger.HTTP{URL: "http://NOWHERE.invalid:81/x"})
	if err != nil || len(list) != 1 || list[0].String() != "192.0.2.7:81" {
		t.Errorf("got %v, %v", list, err)
	}
}
