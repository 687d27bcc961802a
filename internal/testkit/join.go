package testkit

import (
	"context"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Join connects the official client to a gateway, with this token and in this
// revision of the protocol, until the test ends.
func (w *Wire) Join(t testing.TB, token, revision string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "testkit", Version: "1"}, nil)
	ctx, cancel := context.WithTimeout(context.Background(), CallLimit)
	defer cancel()
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: w.Address(), HTTPClient: Bearer(t, token)},
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatalf("connecting: %v\nthe gateway's stderr:\n%s", err, w.Stderr())
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// Bearer shows a token with each request, none where that is empty, on connections of
// its own.
func Bearer(t testing.TB, token string) *http.Client {
	connections := &http.Transport{}
	t.Cleanup(connections.CloseIdleConnections)
	return &http.Client{Transport: &bearer{token, connections}}
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}
