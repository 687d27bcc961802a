package client

import (
	"context"
	"encoding/json"
)

// Peer is another machine of the client's gateway that has the client's workspace, by its name, and
// room for a part of a call.
type Peer struct {
	Machine string `json:"machine"`
}

// Part is a part of a call, for a worker of the same principal on another machine.
type Part struct {
	Machine   string          `json:"machine"`
	Tool      string          `json:"tool"`           // that the principal must be allowed to call there
	Arguments json.RawMessage `json:"arguments"`      // of the call there
	Question  json.RawMessage `json:"question"`       // what is asked: the worker's own words
	Room      int             `json:"room,omitempty"` // calls that may be open there for us
}

// Peers is a client whose gateway has other machines. Its methods may be called from any goroutine
// until the call returns.
type Peers interface {
	// Peers are the machines that can be asked now; none where there is no such gateway.
	Peers(ctx context.Context) ([]Peer, error)
	// Ask has a machine do a part, at most once, and returns what it answers. The error is a
	// *fault.Error that says why there is no answer.
	Ask(ctx context.Context, p Part) (json.RawMessage, error)
}

// Partial is a client for whom a worker elsewhere does a call, of which this is a part.
type Partial interface {
	// Question is what the worker elsewhere asks; empty where the call is no part.
	Question() json.RawMessage
	// Answer is what it is answered, beside the reply.
	Answer(json.RawMessage)
}

// How a worker asks its gateway, and how a part travels.
const (
	PeersMethod = "aidb/peers" // a request of a worker: answered by PeersAnswer
	PartMethod  = "aidb/part"  // the same, with a Part: answered by PartAnswer
	PeerPrefix  = "aidb-peer-" // with which the ids of both begin
	// of _meta, with the question as a text; in the result's, with the answer
	PartKey = "aidb/part"
)

// PeersAnswer answers PeersMethod.
type PeersAnswer struct {
	Peers []Peer `json:"peers"`
}

// PartAnswer answers PartMethod.
type PartAnswer struct {
	Answer  json.RawMessage `json:"answer,omitempty"`
	Refused *Refused        `json:"refused,omitempty"` // why there is none
}

// Refused is an error as it travels.
type Refused struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}
