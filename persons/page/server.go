package page

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"aidb-mcp/persons"
)

//go:embed web
var web embed.FS

// AnyAddress is a loopback address at a port of its own.
const AnyAddress = "127.0.0.1:0"

// Options of a page.
type Options struct {
	// Address is host:port of a loopback address; without a port one is chosen.
	Address string
	// Behind is where the page is served behind a gateway, in place of an address.
	Behind Behind
	Desk   *persons.Desk
	Log    *slog.Logger
}

// Behind is a page's place behind a gateway.
type Behind struct {
	Socket string // path of a socket, in a directory that only this user can enter; empty: there is no gateway
	URL    string // by which a browser reaches the page through the gateway, "/" at its end
}

// Server serves the page once somebody has asked for a link.
type Server struct {
	options   Options
	admission *admission

	mu       sync.Mutex // guards those below
	site     site
	listener net.Listener
	http     *http.Server
}

// New makes a server that does not listen yet.
func New(o Options) *Server {
	return &Server{options: o, admission: &admission{now: time.Now}}
}

// Link begins to listen, if nothing does yet, and gives an address that lets one browser
// in, once, within ten minutes. With an id the page opens at that session.
func (s *Server) Link(session string) (string, error) {
	at, err := s.Listen()
	if err != nil {
		return "", err
	}
	// What stands behind # is not sent to any server, nor in a Referer.
	fragment := url.Values{"link": {s.admission.invite()}}
	if session != "" {
		fragment.Set("session", session)
	}
	return at + "#" + fragment.Encode(), nil
}

// Bounds of the server's connections.
const (
	headersWithin = 5 * time.Second
	mostHeaders   = 16 << 10
	mostBody      = 64 << 10
	mostOpen      = 128
)

// Listen begins to listen, if nothing does yet, and gives the page's address.
func (s *Server) Listen() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		return s.site.url, nil
	}
	l, at, err := s.open()
	if err != nil {
		return "", err
	}
	s.site = at
	s.listener = &limitedListener{Listener: l, places: make(chan struct{}, mostOpen)}
	s.http = &http.Server{
		Handler: s.handler(at), ReadHeaderTimeout: headersWithin, ReadTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: mostHeaders, ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
	}
	// It ends when Close closes the listener.
	go func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.options.Log.Error("the page is not served any more", "error", err)
		}
	}()
	return at.url, nil
}

// open listens where the page is to be.
func (s *Server) open() (net.Listener, site, error) {
	if behind := s.options.Behind; behind.Socket != "" {
		at, err := siteAt(behind.URL)
		if err != nil {
			return nil, site{}, err
		}
		l, err := net.Listen("unix", behind.Socket)
		if err != nil {
			return nil, site{}, fmt.Errorf("listening for the page behind a gateway: %w", err)
		}
		return l, at, nil
	}
	address, err := loopback(s.options.Address)
	if err != nil {
		return nil, site{}, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, site{}, fmt.Errorf("listening for the page: %w", err)
	}
	at, err := siteAt("http://" + l.Addr().String() + "/")
	return l, at, err
}

// site is the page as a browser knows it.
type site struct {
	url    string
	origin string   // scheme and host
	hosts  []string // by which it is reached
	path   string   // below which it is
	cookie string   // its name: cookies know no ports
	secure bool     // nothing goes without encryption
}

func siteAt(address string) (site, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || !strings.HasSuffix(at.Path, "/") {
		return site{}, fmt.Errorf("%q is no address of a page", address)
	}
	s := site{url: address, origin: at.Scheme + "://" + at.Host, hosts: []string{at.Host}, path: at.Path, secure: at.Scheme == "https", cookie: "aidb-page-" + at.Port()}
	if id := path.Base(at.Path); id != "/" {
		s.cookie = "aidb-page-" + id
	}
	if ip, err := netip.ParseAddr(at.Hostname()); err == nil && ip.IsLoopback() {
		s.hosts = append(s.hosts, net.JoinHostPort("localhost", at.Port()))
	}
	return s, nil
}

// Close ends every connection.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.http != nil {
		_ = s.http.Close()
	}
}

// loopback refuses an address that others than this machine can reach.
func loopback(address string) (string, error) {
	if address == "" {
		address = AnyAddress
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host, port = address, "0"
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return "", fmt.Errorf("the page is served on a loopback address only, such as 127.0.0.1:8090, not on %q", address)
	}
	return net.JoinHostPort(host, port), nil
}

// handler is the whole site. Every answer carries the rules for the browser.
func (s *Server) handler(at site) http.Handler {
	d := &door{admission: s.admission, site: at}
	files, err := fs.Sub(web, "web")
	if err != nil {
		panic(err) // the folder is embedded
	}
	a := &api{desk: s.options.Desk}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("POST /api/enter", d.enter)
	mux.Handle("GET /api/in", d.admitted(func(w http.ResponseWriter, _ *http.Request) { write(w, struct{}{}) }))
	mux.Handle("POST /api/name", d.admitted(d.rename))
	mux.Handle("GET /api/sessions", d.admitted(a.listSessions))
	mux.Handle("HEAD /api/sessions", d.admitted(a.streamHead))
	mux.Handle("GET /api/sessions/{id}/events", d.admitted(a.events))
	mux.Handle("HEAD /api/sessions/{id}/events", d.admitted(a.streamHead))
	mux.Handle("POST /api/sessions/{id}/act", d.admitted(a.act))
	mux.Handle("GET /api/sessions/{id}/threads", d.admitted(a.threads))
	mux.Handle("GET /api/sessions/{id}/stack", d.admitted(a.stack))
	mux.Handle("GET /api/sessions/{id}/locals", d.admitted(a.locals))
	mux.Handle("GET /api/sessions/{id}/children", d.admitted(a.children))
	mux.Handle("GET /api/sessions/{id}/source", d.admitted(a.source))
	mux.Handle("GET /api/sessions/{id}/report", d.admitted(a.report))
	return d.guard(mux)
}

// limitedListener accepts no more connections than there are places.
type limitedListener struct {
	net.Listener
	places chan struct{}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	for err == nil {
		select {
		case l.places <- struct{}{}:
			return &placedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			_ = c.Close() // more than any page opens: the others keep theirs
		}
		c, err = l.Listener.Accept()
	}
	return nil, err
}

type placedConn struct {
	net.Conn
	leave func()
}

func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
