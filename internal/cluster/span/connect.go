package span

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// How soon a connection that is cut is known to be, and tried again.
const (
	pingEvery  = 2 * time.Second
	pingsOut   = 2
	dialFor    = 2 * time.Second
	firstDelay = 20 * time.Millisecond
	lastDelay  = time.Second
	flushFor   = 4 * time.Second
)

// Dial describes a connection of a member.
type Dial struct {
	URL     string
	Role    Role
	Name    string
	Key     nkeys.KeyPair
	Token   string      // with which it joins, empty for a member
	TLS     *tls.Config // nil: what the system knows, where the server wants it
	Server  nats.InProcessConnProvider
	Log     *slog.Logger
	Back    func()      // the connection is there again
	Refused func(error) // the server does not let us in any more; the connection is closed
	Witness bool
}

// ClientName is what a member calls itself at the server.
func ClientName(role Role, name string, witness bool) string {
	if witness {
		return string(role) + ":" + name + ":witness"
	}
	return string(role) + ":" + name
}

// Connect opens the connection. What cannot be sent at once is not sent at all: nothing
// waits for a connection to come back, and comes late.
func Connect(d Dial) (*nats.Conn, error) {
	public, err := d.Key.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("reading the key of %s: %w", d.Name, err)
	}
	o := []nats.Option{
		nats.Name(ClientName(d.Role, d.Name, d.Witness)),
		nats.Nkey(public, func(nonce []byte) ([]byte, error) { return d.Key.Sign(nonce) }),
		nats.ReconnectBufSize(-1),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(pingsOut),
		nats.MaxReconnects(-1), nats.CustomReconnectDelay(reconnectDelay),
		nats.Timeout(dialFor), nats.FlusherTimeout(flushFor), nats.NoEcho(),
		nats.CustomInboxPrefix("_INBOX_" + rand.Text()),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { d.Log.Warn("the connection to the cluster is cut", "error", err) }),
		nats.ReconnectHandler(func(nc *nats.Conn) {
			d.Log.Info("the connection to the cluster is there again", "server", nc.ConnectedAddr())
			if d.Back != nil {
				d.Back()
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			if err := nc.LastError(); err != nil && d.Refused != nil {
				d.Refused(err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			d.Log.Warn("the cluster reports an error", "error", err)
		}),
	}
	if d.Token != "" {
		o = append(o, nats.Token(d.Token))
	}
	if d.TLS != nil {
		o = append(o, nats.Secure(d.TLS))
	}
	if d.Server != nil {
		o = append(o, nats.InProcessServer(d.Server))
	}
	nc, err := nats.Connect(d.URL, o...)
	if err != nil {
		return nil, explain(d, public, err)
	}
	return nc, nil
}

func explain(d Dial, public string, err error) error {
	switch {
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return fmt.Errorf("connecting to %s: the server lets anybody in, and a cluster's must not: have it ask for nkeys", d.URL)
	case errors.Is(err, nats.ErrAuthorization) && d.Token != "":
		return fmt.Errorf("connecting to %s: the join token is used up, too old or for another role, or the name %s is taken: make another on the gateway's machine with aidb-mcp cluster token", d.URL, d.Name)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("connecting to %s: it does not know the %s %s with the key %s: give a join token (--join-token-file), or have the server know the key", d.URL, d.Role, d.Name, public)
	case strings.Contains(err.Error(), "x509"):
		return fmt.Errorf("connecting to %s: its certificate is not trusted (--tls-ca): %w", d.URL, err)
	}
	return fmt.Errorf("connecting to %s: %w", d.URL, err)
}

func reconnectDelay(attempts int) time.Duration {
	return min(lastDelay, firstDelay<<min(attempts, 10))
}
