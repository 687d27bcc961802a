package gateway

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// The limits of a connection. A stream lasts as long as its client, and bounds
// each of its writes itself.
const (
	headerLimit = 10 * time.Second
	bodyLimit   = time.Minute
	idleLimit   = 2 * time.Minute
	maxHeader   = 32 << 10
)

// maxStreams is how many requests one connection of HTTP/2 may have at once, and
// maxAhead how much of them is read that nobody has asked for, in bytes.
const (
	maxStreams = 64
	maxAhead   = 1 << 20
)

// lastWrites is how long the last answers may take to reach their clients.
const lastWrites = 300 * time.Millisecond

// Drain is how long a shutdown takes at most.
const Drain = 5 * time.Second

// Server is everything at one address.
type Server struct {
	Gateway  *Gateway
	Pool     pool.Workers
	Access   *Access
	Metrics  *TenantMetrics
	Pages    *Pages              // for persons; nil: workers serve their own
	Stir     func(worker string) // puts the end of an idle worker off, because a person is at work in it; set with Pages
	Provider *Provider           // nil: no identity provider
	TLS      *tls.Config         // nil: plain HTTP
	Version  string
	Card     Card                        // its zero value: none is shown, for it is another's server
	Operator func(principal string) bool // may see what all workers do; nil: nobody
	Grants   *grants.Current             // says whose tenant a principal is; nil: nobody's
	Log      *slog.Logger

	connections connections
}

// Listen opens an address: host:port, or unix:PATH for a socket that only this
// user can reach.
func Listen(address string) (net.Listener, error) {
	path, isSocket := strings.CutPrefix(address, "unix:")
	if !isSocket {
		return net.Listen("tcp", address)
	}
	if left, err := os.Lstat(path); err == nil && left.Mode().Type() == os.ModeSocket {
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, fmt.Errorf("%s is in use by another server", path)
		}
		_ = os.Remove(path) // of a server that was killed
	}
	return listenPrivately(path)
}

// IsLoopback says that only this machine reaches an address.
func IsLoopback(l net.Listener) bool {
	tcp, ok := l.Addr().(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
}

// Serve answers until ctx ends, and drains then: nothing new, who waits is
// answered, the workers and their sessions end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	// What a client waits for ends with the gateway, and not with the signal.
	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	s.connections.allow(mostConnections(s.Pool.Limits().Workers, descriptors()))
	server := &http.Server{
		Handler: s.routes(), TLSConfig: s.TLS, BaseContext: func(net.Listener) context.Context { return requests }, ConnContext: note,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReceiveBufferPerConnection: maxAhead, MaxReceiveBufferPerStream: maxAhead},
		ReadHeaderTimeout: headerLimit, ReadTimeout: bodyLimit, IdleTimeout: idleLimit, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	s.Log.Info("serving", "at", l.Addr().String(), "limits", s.limits())
	failed := make(chan error, 1)
	l = door{l, &s.connections, s.TLS != nil}
	go func() {
		if s.TLS != nil {
			failed <- server.ServeTLS(l, "", "")
		} else {
			failed <- server.Serve(l)
		}
	}()
	select {
	case err := <-failed:
		return fmt.Errorf("serving %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), Drain)
	defer cancel()
	s.drain(draining, server, cut)
	return nil
}

func (s *Server) drain(ctx context.Context, server *http.Server, cut func()) {
	s.Log.Info("shutting down", "workers", s.Pool.Status().Workers)
	s.Gateway.drain()
	workers, cancel := context.WithTimeout(ctx, Drain-time.Second)
	s.Pool.Close(workers) // who waits is answered by that
	cancel()
	s.Gateway.settle(ctx)
	s.Gateway.end()
	closing, cancel := context.WithTimeout(ctx, time.Second/2)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, http.ErrServerClosed) {
		cut() // streams that listen
		server.Close()
	}
}

// routes are what there is at the address.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(Path, s.Access.Guard(recoverPanics(s.Log, s.Gateway)))
	if s.Pool.Named() {
		mux.Handle(Path+"/{"+workspaceInPath+"}", s.Access.Guard(recoverPanics(s.Log, s.Gateway)))
	}
	mux.Handle("GET /healthz", s.Access.Near(brief(http.HandlerFunc(s.health))))
	mux.Handle("GET /metrics", s.Access.Guard(brief(http.HandlerFunc(s.metrics))))
	if _, reports := s.Pool.(pool.Reporter); reports && s.Operator != nil {
		mux.Handle("GET "+StatusPath, s.Access.Guard(brief(recoverPanics(s.Log, http.HandlerFunc(s.status)))))
	}
	if s.Card != (Card{}) {
		mux.Handle("GET "+CardPath, s.Access.allowAnyOrigin(brief(http.HandlerFunc(s.card))))
		for _, path := range []string{catalogPath, catalogOfAll} {
			mux.Handle("GET "+path, s.Access.allowAnyOrigin(brief(http.HandlerFunc(s.catalog))))
		}
	}
	if s.Pages != nil {
		mux.Handle(PagesPath, recoverPanics(s.Log, s.pageHandler()))
	}
	if s.Provider != nil {
		mux.Handle(MetadataPath, brief(s.Provider.Metadata()))
		mux.Handle(MetadataPath+Path, brief(s.Provider.Metadata()))
	}
	return mux
}

// brief waits for no one who does not read what a handler answers.
func brief(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		briefly(w)
		next.ServeHTTP(w, r)
	})
}

// Renew puts other rules in the place of those that have counted so far, and
// closes the connections of principals that have no token any more.
func (s *Server) Renew(rules Rules) {
	s.Access.Renew(rules)
	s.connections.dismiss(s.Access.has)
}

// recoverPanics keeps a panic to the request that had it.
func recoverPanics(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if err, ok := p.(error); p == nil || ok && errors.Is(err, http.ErrAbortHandler) {
				return
			}
			log.Error("a request panicked", "method", r.Method, "panic", p)
			panic(http.ErrAbortHandler)
		}()
		next.ServeHTTP(w, r)
	})
}

// health is what anybody may know who can reach us: that we live, and our limits.
type health struct {
	Status  string       `json:"status"`
	Version string       `json:"version"`
	Workers *healthOf    `json:"workers,omitempty"` // not where there are tenants: they would hear of each other
	Limits  healthLimits `json:"limits"`
}

type healthOf struct {
	Running int `json:"running"`
	Waiting int `json:"waiting"`
	GivenUp int `json:"given_up"`
}

type healthLimits struct {
	Workers    int    `json:"workers"`
	Idle       string `json:"worker_idle"`
	Keep       string `json:"worker_keep"`
	Memory     int64  `json:"worker_memory_bytes"`
	MemoryBy   string `json:"worker_memory_by"`
	Start      string `json:"worker_start"`
	Call       string `json:"worker_call"`
	Restarts   int    `json:"worker_restarts"`
	Window     string `json:"worker_restarts_within"`
	Queue      int    `json:"worker_queue"`
	Unanswered int    `json:"unanswered"`
	Body       int64  `json:"body_bytes"`
	Open       int    `json:"connections"`
	Requests   int    `json:"requests"`
}

// limits are those of the gateway and of its workers.
func (s *Server) limits() healthLimits {
	of := s.Pool.Limits()
	return healthLimits{
		Workers: of.Workers, Idle: of.Idle.String(), Keep: max(of.Keep, 0).String(), Memory: of.Memory, MemoryBy: pool.MemoryBy,
		Start: of.Start.String(), Call: of.Call.String(), Restarts: of.Restarts, Window: of.Window.String(),
		Queue: of.Queue, Unanswered: maxUnanswered, Body: s.Gateway.o.MaxBody,
		Open: s.connections.most, Requests: s.Gateway.crowd.most,
	}
}

// LogValue tells them in the log.
func (l healthLimits) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("workers", l.Workers), slog.String("worker_idle", l.Idle), slog.String("worker_keep", l.Keep), slog.Int64("worker_memory_bytes", l.Memory), slog.String("worker_memory_by", l.MemoryBy),
		slog.String("worker_start", l.Start), slog.String("worker_call", l.Call), slog.Int("worker_restarts", l.Restarts), slog.String("worker_restarts_within", l.Window),
		slog.Int("worker_queue", l.Queue), slog.Int("unanswered", l.Unanswered), slog.Int64("body_bytes", l.Body),
		slog.Int("connections", l.Open), slog.Int("requests", l.Requests))
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	h := health{Status: "ok", Version: s.Version, Limits: s.limits()}
	if !s.Metrics.AreSeveral() {
		status := s.Pool.Status()
		h.Workers = &healthOf{status.Workers, status.Waiting, status.GivenUp}
	}
	w.Header().Set("Content-Type", "application/json")
	if s.Gateway.isDraining() {
		h.Status = "draining"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // a client that has gone
}

// metrics answers Prometheus. A principal of a tenant is told of that tenant, and an operator of none of
// all.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	principal := principalOf(r)
	tenant := s.Grants.Of(principal).Tenant
	seesAll := tenant == "" && (s.Operator != nil && s.Operator(principal) || !s.Metrics.AreSeveral())
	var gatherer prometheus.Gatherer = s.Metrics
	if !seesAll {
		gatherer = s.Metrics.Of(tenant).Gatherer()
	}
	promhttp.HandlerFor(gatherer, promhttp.HandlerOpts{}).ServeHTTP(w, r)
}

func (g *Gateway) isDraining() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.draining
}

// drain lets nothing new begin.
func (g *Gateway) drain() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.draining = true
}

// countPosts counts the messages that are being answered.
func (g *Gateway) countPosts(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.posts += n
	if g.posts == 0 && g.quiet != nil {
		close(g.quiet)
		g.quiet = nil
	}
}

// settle lets the last answers reach their clients, before streams end that they
// may take for the end of everything.
func (g *Gateway) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lastWrites)
	defer cancel()
	g.mu.Lock()
	if g.posts == 0 {
		g.mu.Unlock()
		return
	}
	g.quiet = make(chan struct{})
	quiet := g.quiet
	g.mu.Unlock()
	select {
	case <-quiet:
	case <-ctx.Done():
	}
}

// end ends all streams.
func (g *Gateway) end() {
	g.mu.Lock()
	sessions, clients := g.sessions, g.shared
	g.sessions, g.shared = map[string]*session{}, map[string]*shared{}
	g.mu.Unlock()
	for _, s := range sessions {
		s.close()
	}
	for _, s := range clients {
		s.end()
	}
}

// end ends what still listens.
func (s *shared) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		c.stream.end()
	}
}

func hasWord(text, word string) bool { return slices.Contains(strings.Fields(text), word) }
