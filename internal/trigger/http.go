package trigger

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"aidb-mcp/internal/system/sleep"
)

// HTTP is a request. An empty method is GET, or POST where there is a body.
type HTTP struct {
	Method  string
	URL     string
	Headers map[string]string
	Body    *string
}

const (
	mostHeaders  = 100
	largestBody  = 1 << 20
	mostAnswer   = 64 << 20               // of an answer that is read to its end, so that the program is not disturbed by ours
	bodyPatience = 500 * time.Millisecond // for an answer that has begun to go on
	retryEvery   = 50 * time.Millisecond
	connectLimit = 10 * time.Second
	lookupLimit  = 3 * time.Second
)

// errNotAllowed is of an address that may not be called.
var errNotAllowed = errors.New("that address may not be called")

// method is the request's method in capitals.
func (h HTTP) method() string {
	if h.Method == "" && h.Body != nil {
		return http.MethodPost
	}
	return strings.ToUpper(cmp.Or(h.Method, http.MethodGet))
}

// Check says what is wrong with a request: its own form. Whether its address may be called
// Addresses says.
func (h HTTP) Check() error {
	if len(h.Headers) > mostHeaders {
		return fmt.Errorf("it has %d headers, want %d at most", len(h.Headers), mostHeaders)
	}
	if h.Body != nil && len(*h.Body) > largestBody {
		return fmt.Errorf("its body has %d bytes, want %d at most", len(*h.Body), largestBody)
	}
	_, err := h.request(context.Background())
	return err
}

// request makes the request.
func (h HTTP) request(ctx context.Context) (*http.Request, error) {
	at, err := url.Parse(h.URL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its url cannot be read: %w", errors.Unwrap(err))
	case at.Scheme != "http" && at.Scheme != "https", at.Hostname() == "":
		return nil, errors.New("its url is not one of http or https with a host")
	case at.User != nil:
		return nil, errors.New("its url has a user in front of the host: give an Authorization header")
	}
	var body io.Reader
	if h.Body != nil {
		body = strings.NewReader(*h.Body)
	}
	at.Host = dialable(at)
	r, err := http.NewRequestWithContext(ctx, h.method(), at.String(), body)
	if err != nil {
		return nil, errors.New("its method or url is not one of HTTP")
	}
	for name, value := range h.Headers {
		if !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("its header %q is not one of HTTP", name)
		}
		r.Header.Set(name, value)
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	if h.Body != nil && r.Header.Get("Content-Type") == "" && isJSON(*h.Body) {
		r.Header.Set("Content-Type", "application/json")
	}
	if _, given := r.Header["User-Agent"]; !given {
		r.Header.Set("User-Agent", "aidb-mcp")
	}
	return r, nil
}

// isJSON says that a body is an object or a list.
func isJSON(body string) bool {
	body = strings.TrimSpace(body)
	return body != "" && (body[0] == '{' || body[0] == '[') && json.Valid([]byte(body))
}

// isToken says that a text can be the name of a header.
func isToken(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	}) < 0
}

// isLocal says that the url names this machine itself.
func (h HTTP) isLocal() bool {
	at, err := url.Parse(h.URL)
	if err != nil {
		return false
	}
	name := strings.ToLower(at.Hostname())
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// dialable is the host and port of a url. Who listens at all addresses is called at
// one of this machine.
func dialable(at *url.URL) string {
	ip, err := netip.ParseAddr(at.Hostname())
	if err != nil || !ip.IsUnspecified() {
		return at.Host
	}
	host := "127.0.0.1"
	if ip.Is6() {
		host = "[::1]"
	}
	if port := at.Port(); port != "" {
		host += ":" + port
	}
	return host
}

// LookUp is how the addresses of a host are found: as net.Resolver.LookupNetIP.
type LookUp func(ctx context.Context, network, host string) ([]netip.Addr, error)

// Addresses are those that a request would call.
func (h HTTP) Addresses(ctx context.Context, lookUp LookUp) ([]netip.AddrPort, error) {
	r, err := h.request(ctx)
	if err != nil {
		return nil, err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", cmp.Or(r.URL.Port(), r.URL.Scheme))
	if err != nil {
		return nil, errors.New("its url has no good port")
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	ips, err := lookUp(ctx, "ip", r.URL.Hostname())
	if err != nil {
		return nil, fmt.Errorf("nobody knows the host %s", r.URL.Hostname())
	}
	var list []netip.AddrPort
	for _, ip := range ips {
		list = append(list, netip.AddrPortFrom(ip.Unmap(), uint16(port)))
	}
	return list, nil
}

// request sends the request, and notes the answer.
func (s *Sent) request(ctx context.Context, h HTTP, o Options) {
	client := h.client(o)
	defer client.CloseIdleConnections()
	answer, err := h.send(ctx, client, o.Patience)
	if err != nil {
		s.fail(plainError(ctx, err), isUnreached(err))
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusSwitchingProtocols { // such a connection is ours from now on: ctx does not end it
		stop := context.AfterFunc(ctx, func() { _ = answer.Body.Close() })
		defer stop()
	}
	s.answer(func(out *Outcome) {
		out.Status, out.Redirect, out.Unended = answer.StatusCode, shortened(answer.Header.Get("Location"), firstBytes), true
	})
	soon := time.AfterFunc(bodyPatience, s.settle)
	defer soon.Stop()
	s.read(ctx, answer.Body)
}

// read reads an answer to its end, of which the beginning is kept.
func (s *Sent) read(ctx context.Context, body io.Reader) {
	var head []byte
	buffer, total := make([]byte, 32<<10), 0
	for total < mostAnswer {
		n, err := body.Read(buffer)
		total += n
		head = append(head, buffer[:min(n, firstBytes+1-len(head))]...)
		shown, cut := shownText(head, firstBytes)
		s.answer(func(out *Outcome) { out.FirstBytes, out.Cut = shown, cut })
		switch {
		case errors.Is(err, io.EOF):
			s.answer(func(out *Outcome) { out.Unended = false })
			return
		case err != nil:
			s.fail(fmt.Errorf("the answer broke off: %w", plainError(ctx, err)), false)
			return
		}
	}
	s.answer(func(out *Outcome) { out.Unended = false })
}

// client calls only what may be called, follows nothing, and goes through no proxy.
func (h HTTP) client(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: connectLimit, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !o.Allowed(netip.AddrPortFrom(at.Addr().Unmap(), at.Port())) {
			return errNotAllowed
		}
		return nil
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialFixed(dialer, o.Addresses), DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20,
			// Servers of developers have certificates that nobody has signed.
			TLSClientConfig: &tls.Config{InsecureSkipVerify: h.isLocal()},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// dialFixed calls the addresses, one after the other, in place of what a name leads to now.
// Without any it calls that.
func dialFixed(dialer *net.Dialer, addresses []netip.AddrPort) func(ctx context.Context, network, address string) (net.Conn, error) {
	if len(addresses) == 0 {
		return dialer.DialContext
	}
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		var first error
		for _, at := range addresses {
			conn, err := dialer.DialContext(ctx, network, at.String())
			if err == nil {
				return conn, nil
			}
			first = cmp.Or(first, err)
		}
		return nil, first
	}
}

// send sends the request, again while nobody listens and patience lasts.
func (h HTTP) send(ctx context.Context, client *http.Client, patience time.Duration) (*http.Response, error) {
	for deadline := time.Now().Add(patience); ; {
		r, err := h.request(ctx)
		if err != nil {
			return nil, err
		}
		answer, err := client.Do(r)
		if err == nil || !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(deadline) || !sleep.For(ctx, retryEvery) {
			return answer, err
		}
	}
}

// isUnreached says that nobody has taken the request.
func isUnreached(err error) bool {
	var op *net.OpError
	return errors.Is(err, errNotAllowed) || errors.As(err, &op) && op.Op == "dial"
}

// plainError is why there was no answer, without the url, which may hold secrets.
func plainError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return errors.New("the connection was closed without an answer")
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return fmt.Errorf("%s: %w", op.Addr, rootOf(op.Err))
	}
	return err
}

// rootOf is the innermost error: what the system has said.
func rootOf(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
