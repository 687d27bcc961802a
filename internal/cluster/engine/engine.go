// Package engine is the NATS server of a cluster that needs no other: it runs in the
// gateway's process, lets in only members, each to its own subjects, and puts a member
// out at once that has been removed.
//
// It knows subjects, and nothing of what is said at them.
package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/span"
)

// Options describe the server.
type Options struct {
	Address  string // host:port, empty: it can be reached from this process only
	Members  *Members
	TLS      *tls.Config // nil: not encrypted
	Insecure bool        // may be so beyond this machine
	Log      *slog.Logger
}

// What the server keeps to.
const (
	pingEvery   = 2 * time.Second
	pingsOut    = 2
	writeFor    = 4 * time.Second
	maxPayload  = 1 << 20
	readyWithin = 10 * time.Second
	answersFor  = 24 * time.Hour // a machine may answer who has asked it; each question counts anew
	watchEvery  = 200 * time.Millisecond
)

// Engine is a running server.
type Engine struct {
	*server.Server
	o    Options
	door *door
}

// Start runs the server.
func Start(o Options) (*Engine, error) {
	d := &door{members: o.Members, log: o.Log, own: map[string]member{}}
	options := &server.Options{
		ServerName: "aidb", DontListen: o.Address == "", NoSigs: true, NoLog: true,
		PingInterval: pingEvery, MaxPingsOut: pingsOut, WriteDeadline: writeFor, MaxPayload: maxPayload,
		CustomClientAuthentication: d, AlwaysEnableNonce: true, TLSConfig: o.TLS, TLSTimeout: 5, AuthTimeout: 5,
		MaxControlLine: 4 << 10, NoSystemAccount: true, DisableShortFirstPing: true,
	}
	if o.Address != "" {
		host, port, err := net.SplitHostPort(o.Address)
		if err == nil {
			options.Host = host
			options.Port, err = strconv.Atoi(port)
		}
		if err != nil {
			return nil, fmt.Errorf("--cluster-listen %s is no host:port: %w", o.Address, err)
		}
		if options.Port == 0 {
			options.Port = server.RANDOM_PORT
		}
		if ip := net.ParseIP(host); !o.Insecure && o.TLS == nil && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, fmt.Errorf("--cluster-listen %s can be reached from other machines: give --tls-cert and --tls-key, or --insecure if the network encrypts", o.Address)
		}
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("making the cluster's server: %w", err)
	}
	d.server = s
	s.Start()
	if !s.ReadyForConnections(readyWithin) {
		s.Shutdown()
		return nil, fmt.Errorf("the cluster's server does not listen at %s: is the port in use?", o.Address)
	}
	return &Engine{s, o, d}, nil
}

// Own lets a key of this process in as a member of a tenant, for as long as the server runs.
func (e *Engine) Own(key nkeys.KeyPair, role span.Role, name, tenant string) error {
	public, err := key.PublicKey()
	if err != nil {
		return fmt.Errorf("reading a key of this process: %w", err)
	}
	e.door.allow(member{role: role, name: name, tenant: tenant, key: public})
	return nil
}

// Where is the address at which it listens, empty if it does not.
func (e *Engine) Where() string {
	if e.o.Address == "" {
		return ""
	}
	scheme := "nats://"
	if e.o.TLS != nil {
		scheme = "tls://"
	}
	return scheme + e.Addr().String()
}

// Watch puts members out that have been removed, until ctx ends.
func (e *Engine) Watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := e.door.putOut(); err != nil && !errors.Is(err, context.Canceled) {
			e.o.Log.Warn("members cannot be looked up", "error", err)
		}
	}
}

// permissions are those of a member.
func permissions(role span.Role, name string) *server.Permissions {
	publish, subscribe := span.Permissions(role, name)
	p := &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: subscribe},
	}
	if role == span.Machine {
		p.Response = &server.ResponsePermission{MaxMsgs: -1, Expires: answersFor}
	}
	return p
}
