package link

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// A worker may have parts of a call done by workers on other machines that have the same workspace:
// it asks its gateway, past its client. Each machine has one more seat for that, of the same
// principal, which ends with the client's call; so what the principal may do holds there as for a
// client of its own, and a part is begun at most once and never late.

const (
	mostPeers = 16  // machines for one client
	mostParts = 256 // under way for one client
)

// takePeers takes what a worker asks its gateway. False: it is for the client.
func (s *seat) takePeers(f frame.Frame) bool {
	method := f.Method()
	switch {
	case s.visits:
		return false
	case s.peer && f.Kind() == frame.Request: // there is no client behind it
		s.Tell(answer.Error(f.ID(), answer.CodeServer, "nobody can be asked during a part of a call", nil))
		return true
	case s.peer && f.Kind() == frame.Notification:
		return true
	case method == client.PeersMethod:
		s.Tell(answer.Result(f, client.PeersAnswer{Peers: s.l.peersOf(s)}))
		return true
	case method == client.PartMethod:
		s.beginPart(f)
		return true
	case method == "notifications/cancelled":
		return s.cancelPart(string(f.Name("params", "requestId")))
	}
	return false
}

// canHelp says that a machine does parts for a seat on another one: it has the workspace, it is the
// same program, and nobody else's work is on it or waits for it. room is how many calls are ours.
// The link's mutex is held.
func (at *machine) canHelp(own *machine, room int) bool {
	is := at.is
	return at != own && at.lives() && is.Parts && own != nil && own.is.Parts && is.Version == own.is.Version && is.Waiting == 0 && is.Working <= room
}

// peersOf are the machines that can do parts of a seat's call now: a principal that has as many
// workers as it may gets none, as nobody's are ended for it.
func (l *Link) peersOf(s *seat) []client.Peer {
	s.mu.Lock()
	at, place, isCalled, ours := s.at, s.place, s.isCalled(), maps.Clone(s.peers)
	s.mu.Unlock()
	peers := []client.Peer{}
	if !isCalled { // the call is another client's, of whom we know nothing
		return peers
	}
	left := mostPeers
	if most := l.o.Grants.Of(s.who.Principal).Workers; most > 0 {
		left = min(left, most-l.Uses(s.who.Principal)+len(ours))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.offers(s.who.Principal) {
		hasRoom := ours[o.at] != nil || o.at.is.Running+o.at.placing < o.at.is.Workers // a seat of ours there has its worker
		if o.workspace == place && o.fits(s.who) && o.at.canHelp(at, 0) && hasRoom {
			peers = append(peers, client.Peer{Machine: o.at.name})
		}
	}
	slices.SortFunc(peers, func(a, b client.Peer) int { return strings.Compare(a.Machine, b.Machine) })
	return peers[:max(0, min(left, len(peers)))]
}

// beginPart has another machine do a part.
func (s *seat) beginPart(f frame.Frame) {
	refuse := func(err *fault.Error) {
		s.Tell(answer.Result(f, client.PartAnswer{Refused: &client.Refused{Code: string(err.Code), Message: err.Message, Hint: err.Hint}}))
	}
	var p client.Part
	if err := json.Unmarshal(f.Get("params"), &p); err != nil {
		refuse(fault.New(fault.InvalidParam, "reading a part: %w", err))
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	id := string(f.ID())
	s.mu.Lock()
	if !s.isCalled() || len(s.parts) >= mostParts || s.parts[id] != nil || s.closing {
		s.mu.Unlock()
		cancel()
		refuse(fault.New(fault.WorkerLimit, "the client has no call under way, or too many parts are"))
		return
	}
	if s.parts == nil {
		s.parts = map[string]context.CancelFunc{}
	}
	s.parts[id] = cancel
	s.mu.Unlock()
	go func() { // ends with the part's answer, or when it is cancelled
		defer cancel()
		told, err := s.askPeer(ctx, p)
		s.mu.Lock()
		delete(s.parts, id)
		s.mu.Unlock()
		if err != nil {
			refuse(err)
			return
		}
		s.Tell(answer.Result(f, client.PartAnswer{Answer: told}))
	}()
}

// cancelPart gives a part up that its worker does not wait for any more. False: it is none.
func (s *seat) cancelPart(id string) bool {
	if !strings.HasPrefix(strings.Trim(id, `"`), client.PeerPrefix) {
		return false
	}
	s.mu.Lock()
	cancel := s.parts[id]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return true
}

// askPeer makes the call of a part, and returns the worker's answer.
func (s *seat) askPeer(ctx context.Context, p client.Part) (json.RawMessage, *fault.Error) {
	peer, refused := s.peerAt(p)
	if refused != nil {
		return nil, refused
	}
	if rates, calls := s.l.o.Rates, s.l.o.Grants.Of(s.who.Principal).Calls; rates != nil && rates.Wait(s.who.Principal, calls) > 0 {
		return nil, fault.New(fault.WorkerLimit, "%s makes as many calls a minute as it may", s.who.Principal)
	}
	answered := make(chan frame.Frame, 1)
	cancel, refused := peer.ask(ctx, p, func(f frame.Frame) { answered <- f })
	if refused != nil {
		return nil, refused
	}
	select {
	case f := <-answered:
		if answer := f.Get("result", "_meta", client.PartKey); answer != nil {
			return answer, nil
		}
		return nil, failureOf(f)
	case <-ctx.Done():
		cancel()
		return nil, fault.New(fault.Cancelled, "the part was given up")
	}
}

// failureOf is the error in an answer that does not tell what was asked.
func failureOf(f frame.Frame) *fault.Error {
	code := fault.Code(cmp.Or(strings.TrimPrefix(pool.CodeOf(f), "AIDB_"), "-"))
	message := f.Text("error", "message")
	var content []struct {
		Text string `json:"text"`
	}
	if message == "" && json.Unmarshal(f.Get("result", "content"), &content) == nil && len(content) > 0 {
		message, _, _ = strings.Cut(content[0].Text, "\n")
		_, after, isCoded := strings.Cut(message, string(code)+": ")
		if isCoded {
			message = after
		}
	}
	return fault.New(code, "%s", cmp.Or(message, "it gives no answer"))
}

// peerAt is the seat that does parts of ours on a machine, made with the first of them.
func (s *seat) peerAt(p client.Part) (*seat, *fault.Error) {
	s.mu.Lock()
	own, place := s.at, s.place
	s.mu.Unlock()
	s.l.mu.Lock()
	at, isFound := s.l.machines[p.Machine], false
	for _, o := range s.l.offers(s.who.Principal) {
		isFound = isFound || o.at == at && o.workspace == place && o.fits(s.who)
	}
	isBusy := isFound && !at.canHelp(own, max(p.Room, 1))
	s.l.mu.Unlock()
	switch {
	case !isFound:
		return nil, fault.New(fault.WorkerGone, "it is not there")
	case isBusy:
		return nil, fault.New(fault.WorkerLimit, "others work there")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if peer := s.peers[at]; peer != nil {
		return peer, nil
	}
	if s.closing || !s.isCalled() {
		return nil, fault.New(fault.Cancelled, "the call is over")
	}
	peer := newSeat(s.l, pool.Client{Principal: s.who.Principal, Workspace: place, Label: s.who.Label}, func(frame.Frame) {})
	peer.peer, peer.at, peer.place, peer.hello = true, at, place, peerHello()
	if s.peers == nil {
		s.peers = map[*machine]*seat{}
	}
	s.peers[at] = peer
	s.l.mu.Lock()
	s.l.seats[peer] = struct{}{}
	s.l.mu.Unlock()
	return peer, nil
}

// peerHello is the handshake of a client that can do nothing but ask.
func peerHello() []frame.Frame {
	type capabilities struct{}
	type info struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	return []frame.Frame{
		answer.Request("aidb-peer-hello", "initialize", struct {
			Version      string       `json:"protocolVersion"`
			Capabilities capabilities `json:"capabilities"`
			Info         info         `json:"clientInfo"`
		}{"2025-06-18", capabilities{}, info{"aidb-peer", "1"}}),
		answer.Notification("notifications/initialized", nil),
	}
}

// ask makes a part's call on the peer's line.
func (s *seat) ask(ctx context.Context, p client.Part, receive func(frame.Frame)) (cancel func(), refused *fault.Error) {
	gone := fault.New(fault.WorkerGone, "the machine went away in this moment")
	return s.say(ctx, gone, receive, func(n int) (frame.Frame, string, []byte) {
		f := answer.Request(fmt.Sprint(client.PeerPrefix, "part-", n), "tools/call", struct {
			Name      string            `json:"name"`
			Arguments json.RawMessage   `json:"arguments"`
			Meta      map[string]string `json:"_meta"`
		}{p.Tool, p.Arguments, map[string]string{client.PartKey: string(p.Question)}})
		return f, span.OpAsk, f.Bytes()
	})
}

// isCalled says that a client waits for a tool's answer; s.mu is held.
func (s *seat) isCalled() bool {
	for _, c := range s.calls {
		if c.request.Frame().Method() == "tools/call" {
			return true
		}
	}
	return false
}

// dismissPeers ends the seats that do parts of ours, with what they are at; s.mu is held.
func (s *seat) dismissPeers() {
	for _, cancel := range s.parts {
		cancel()
	}
	for _, peer := range s.peers {
		go peer.Close()
	}
	s.peers = nil
}
