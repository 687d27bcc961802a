// Package wire carries messages between two ends over a carrier that may lose,
// delay, double and reorder what it is given: each message at most once, whole, in
// order, and never after its sender has given it up.
//
// It knows no carrier and nothing of what the messages say.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Packet is what goes over the carrier: a piece of a message, what has come the
// other way, or both.
type Packet struct {
	Line string `json:"line"`        // the conversation that it belongs to
	N    uint64 `json:"n,omitempty"` // number of the piece, from 1; 0: there is none
	Op   string `json:"op,omitempty"`
	More bool   `json:"more,omitempty"` // the message goes on in the next piece

	Ack   uint64 `json:"ack"`             // every piece up to this one has come
	Gap   bool   `json:"gap,omitempty"`   // and what follows it is missing
	Ask   bool   `json:"ask,omitempty"`   // the sender wants to know what has come
	None  bool   `json:"none,omitempty"`  // there is no such conversation here
	Lease int64  `json:"lease,omitempty"` // the receiver's clock as the sender last heard of it, in milliseconds

	Body []byte `json:"-"`
}

// Encode writes a packet.
func (p Packet) Encode() []byte {
	head, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Errorf("writing a packet: %w", err)) // a bug: it holds plain values only
	}
	return append(append(head, '\n'), p.Body...)
}

// Decode reads one. Its body is a part of what was given.
func Decode(text []byte) (Packet, error) {
	head, body, ok := bytes.Cut(text, []byte{'\n'})
	if !ok {
		return Packet{}, errors.New("a packet without the end of its head")
	}
	var p Packet
	if err := json.Unmarshal(head, &p); err != nil {
		return Packet{}, fmt.Errorf("reading the head of a packet: %w", err)
	}
	p.Body = body
	return p, nil
}
