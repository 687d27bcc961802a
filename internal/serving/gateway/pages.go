package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/serving/pool"
)

// PagesPath is where the pages are on which persons watch: below it each worker's own.
const PagesPath = "/page/"

// Pages brings persons to the pages of workers, each at a socket that only this user can
// reach. Who may watch a worker's sessions that worker decides, by a link that its client was
// given: nobody comes from one worker's page to another's. It implements pool.Pages.
type Pages struct {
	dir     string
	base    string // scheme and host by which persons reach us
	log     *slog.Logger
	remote  func(ctx context.Context, id string) (conn net.Conn, principal string, err error)
	mu      sync.Mutex // guards the field below
	workers map[string]*workerPage
}

// workerPage is where a worker serves its page.
type workerPage struct {
	id, worker, principal, socket string
	proxy                         http.Handler
	transport                     *http.Transport
	isRemote                      bool // on another machine
}

// NewPages makes a place for pages, in a directory that it makes. Base is how a browser writes
// our address: https://debug.example.org:3900.
func NewPages(dir, base string, log *slog.Logger) (*Pages, error) {
	at, err := url.Parse(base)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" || at.User != nil {
		return nil, fmt.Errorf("%q is no address by which a browser reaches this server, such as https://debug.example.org:3900", base)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a directory for the sockets of pages: %w", err)
	}
	return &Pages{dir: dir, base: at.Scheme + "://" + at.Host, log: log, workers: map[string]*workerPage{}}, nil
}

// Below is the address below which all pages lie.
func (p *Pages) Below() string {
	if p == nil {
		return ""
	}
	return p.base + PagesPath
}

// Reach has pages on other machines served, too: remote connects to a page and says whose it is. It
// is called before the first request.
func (p *Pages) Reach(remote func(ctx context.Context, id string) (net.Conn, string, error)) {
	if p != nil {
		p.remote = remote
	}
}

// mostRemote is how many pages on other machines are known at once.
const mostRemote = 1000

// findRemote is the page with an id that names another machine; nil if there is none.
func (p *Pages) findRemote(ctx context.Context, id string) *workerPage {
	if p.remote == nil || !strings.Contains(id, ".") || len(id) > maxPlaceName {
		return nil
	}
	conn, principal, err := p.remote(ctx, id)
	if err != nil {
		p.log.Debug("a page on another machine cannot be reached", "error", err)
		return nil
	}
	conn.Close() // it has told whose the page is; whether its principal may still come in is not known here
	w := &workerPage{id: id, worker: id, principal: principal, isRemote: true}
	w.transport = pageTransport(func(ctx context.Context) (net.Conn, error) {
		conn, principal, err := p.remote(ctx, id)
		if err == nil && principal != w.principal {
			conn.Close()
			return nil, errors.New("the page belongs to another principal now")
		}
		return conn, err
	})
	w.proxy = p.proxyTo(w)
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.workers[id]; known != nil { // another request has found it meanwhile
		return known
	}
	p.forgetRemote()
	p.workers[id] = w
	return w
}

// forgetRemote drops all pages on other machines when there are too many; those that still exist are
// found again. mu is held.
func (p *Pages) forgetRemote() {
	if len(p.workers) < mostRemote {
		return
	}
	for id, w := range p.workers {
		if w.isRemote {
			w.transport.CloseIdleConnections()
			delete(p.workers, id)
		}
	}
}

func pageTransport(dial func(ctx context.Context) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		MaxConnsPerHost: mostPageRequests, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
	}
}

// ForWorkers are the pages as the pool wants them; nil pages are none.
func (p *Pages) ForWorkers() pool.Pages {
	if p == nil {
		return nil
	}
	return p
}

// Open makes a place for the page of a worker that starts, and tells it where.
func (p *Pages) Open(worker, principal string) (env []string) {
	w := &workerPage{id: strings.ToLower(rand.Text()), worker: worker, principal: principal, socket: filepath.Join(p.dir, worker)}
	w.transport = pageTransport(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", w.socket)
	})
	w.proxy = p.proxyTo(w)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers[w.id] = w
	return []string{pool.PageSocketVariable + "=" + w.socket, pool.PageAddressVariable + "=" + p.base + PagesPath + w.id + "/"}
}

// mostPageRequests is how many requests to one worker's page are open at once.
const mostPageRequests = 64

// Close forgets the page of a worker that has ended.
func (p *Pages) Close(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, w := range p.workers {
		if w.worker == worker {
			delete(p.workers, id)
			w.transport.CloseIdleConnections()
			_ = os.Remove(w.socket) // its worker may have removed it
		}
	}
}

// proxyTo passes requests on to a worker's page. What is ours alone, the tokens of clients, does
// not go along.
func (p *Pages) proxyTo(w *workerPage) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "page"
			r.Out.URL.Path, r.Out.URL.RawPath = "/"+strings.TrimPrefix(r.In.URL.Path, PagesPath+w.id+"/"), ""
			r.Out.Host = r.In.Host
			r.Out.Header.Del("Authorization")
		},
		Transport: w.transport, FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			admitted := r.StatusCode < http.StatusBadRequest && strings.HasPrefix(r.Request.URL.Path, "/api/")
			if admitted && !noteTrusted(r.Request, w.principal) {
				return fmt.Errorf("too many connections of %s are open", w.principal)
			}
			return nil
		},
		ErrorHandler: func(rw http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				p.log.Debug("a worker's page does not answer", "worker", w.worker, "error", err)
			}
			turnDown(rw, http.StatusBadGateway, "the page does not answer: its sessions have ended, or too much is asked of it at once")
		},
		ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
}

// find is the page of a path, nil for none.
func (p *Pages) find(ctx context.Context, path string) *workerPage {
	id, _, isBelow := strings.Cut(strings.TrimPrefix(path, PagesPath), "/")
	if !isBelow {
		return nil
	}
	p.mu.Lock()
	w := p.workers[id]
	p.mu.Unlock()
	if w == nil {
		w = p.findRemote(ctx, id)
	}
	return w
}

// pageHandler brings who comes to a page, while the principal whose it is may come in.
func (s *Server) pageHandler() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if s.Access.Loopback && !s.Access.isOurs(r.Host) {
			turnDown(rw, http.StatusForbidden, "foreign Host "+shorten(r.Host))
			return
		}
		w := s.Pages.find(r.Context(), r.URL.Path)
		if w == nil || !s.Access.mayStay(w.principal) {
			turnDown(rw, http.StatusNotFound, "there is no such page, or no longer: session(show) gives the address")
			return
		}
		control := http.NewResponseController(rw)
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			_ = control.SetReadDeadline(time.Time{}) // a stream lasts as long as the page is open
		} else if !w.isRemote { // else its machine notes it (machine/page.go)
			s.Stir(w.worker) // a person is at work
		}
		w.proxy.ServeHTTP(&patientWriter{rw, control}, r)
	})
}

// mayStay says that a principal that has come in may still.
func (a *Access) mayStay(name string) bool {
	return len(a.rules().Tokens) == 0 && a.Verify == nil || a.has(name)
}

// patientWriter bounds how long a browser may leave a part of an answer unread.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w *patientWriter) Write(part []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(writeLimit)) // the tests' writers have none
	return w.ResponseWriter.Write(part)
}

// Unwrap lets the proxy flush.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
