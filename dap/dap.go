// Package dap is the wire: requests, replies, events and reverse requests of
// the Debug Adapter Protocol (https://microsoft.github.io/debug-adapter-protocol)
// over one byte stream. Server is its other end, for what stands in the place of an adapter.
//
// It knows no adapter's ways and keeps no debugging state. Message bodies are
// the types of github.com/google/go-dap; envelopes are decoded here, because
// adapters send events, commands and nulls that strict decoding refuses.
package dap

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
)

const defaultTimeout = 10 * time.Second

// Options configure a Conn.
type Options struct {
	Name    string        // names the connection in logs and in the trace: "go-1"
	Log     *slog.Logger  // required
	Trace   *Tracer       // optional, one readable line a message
	Timeout time.Duration // limit of one request whose context has no earlier deadline; 0 is 10 s

	// OnEvent receives every event in the order of the wire, on the reading
	// goroutine: it must not block and must not wait for a reply. nil drops them.
	OnEvent func(Event)
	// OnRequest receives reverse requests, on a goroutine of their own. What it
	// returns is the reply's body; an error becomes a failed reply. nil refuses
	// all. ctx ends with the connection.
	OnRequest func(ctx context.Context, command string, arguments json.RawMessage) (any, error)
}

// Event is one event as it came.
type Event struct {
	Name string
	Body json.RawMessage
}
