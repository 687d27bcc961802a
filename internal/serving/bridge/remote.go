package bridge

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// remote is the far server as far as HTTP goes.
type remote struct {
	url     string
	token   string
	name    string // ours, among all bridges of the principal
	client  *http.Client
	max     int
	silence time.Duration
}

func newRemote(o *Options) (*remote, error) {
	r := &remote{url: o.URL, token: o.Token, name: rand.Text(), max: o.MaxMessage, silence: o.Silence}
	dialer := &net.Dialer{Timeout: o.Dial, KeepAlive: 15 * time.Second}
	dial := dialer.DialContext
	if o.Own {
		dial = dialOwn(dialer)
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSHandshakeTimeout: o.Dial,
		MaxIdleConnsPerHost: 32, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true,
	}
	if path, isSocket := strings.CutPrefix(o.URL, "unix:"); isSocket {
		r.url = "http://localhost/mcp"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, "unix", path) }
	} else if u, err := url.Parse(o.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s is no address: want http://…, https://… or unix:PATH", o.URL)
	}
	if o.CA != "" {
		pool, err := x509.SystemCertPool()
		if err != nil {
			return nil, fmt.Errorf("reading the system's certificates: %w", err)
		}
		text, err := os.ReadFile(o.CA)
		if err != nil {
			return nil, fmt.Errorf("reading --tls-ca: %w", err)
		}
		if !pool.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate", o.CA)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	r.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // it would be given the token
	}
	return r, nil
}

// dialOwn connects with this user's own servers only.
func dialOwn(dialer *net.Dialer) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if err := stranger(c); err != nil {
			c.Close()
			return nil, &awayError{
				why:  "it is not shown this user's own token: " + err.Error(),
				hint: "see who listens there; if it is to be trusted with a token, give that by --token-file or AIDB_TOKEN", unbegun: true,
			}
		}
		return c, nil
	}
}

// headers are the headers beside those of every request.
type headers map[string]string

// Why an exchange came to nothing.
var (
	errNoSession = errors.New("the remote does not know the session any more")
	errBroken    = errors.New("the line broke before the answer came")
	errLate      = errors.New("it has not been answered in time")
)

// awayError means that the remote cannot be used now.
type awayError struct {
	why     string
	hint    string
	unbegun bool // what was asked has not begun
}

func (e *awayError) Error() string { return e.why }

func asAway(err error) (*awayError, bool) { return errors.AsType[*awayError](err) }

// brokenError is errBroken with the event after which a stream can be taken up.
type brokenError struct{ last string }

func (e *brokenError) Error() string { return errBroken.Error() }

// header are the response headers that matter.
type response struct {
	session string
	reply   frame.Frame // the zero frame for what has none
}

// post sends a message. What comes before the answer goes to event. The error is
// an *awayError, a *brokenError, errNoSession, or the context's cause.
func (r *remote) post(ctx context.Context, f frame.Frame, m headers, event func(frame.Frame)) (response, error) {
	request, err := r.request(ctx, http.MethodPost, f.Bytes(), m)
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	got, err := r.client.Do(request)
	if err != nil {
		return response{}, r.explain(ctx, err)
	}
	defer got.Body.Close()
	kind, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	out := response{session: got.Header.Get("Mcp-Session-Id")}
	switch {
	case got.StatusCode == http.StatusOK && kind == "text/event-stream":
		out.reply, err = r.stream(ctx, got.Body, f, event)
		return out, err
	case kind == "application/json":
		out.reply, err = r.readPlain(ctx, got, f)
		if err == nil && (out.reply.Kind() != 0 || f.Kind() != frame.Request) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	case f.Kind() != frame.Request && got.StatusCode < 300:
		return out, nil
	}
	return out, refusalOf(got, kind, m["Mcp-Session-Id"] != "")
}

func (r *remote) request(ctx context.Context, method string, body []byte, m headers) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	request.Header.Set("Aidb-Client", r.name)
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, value := range m {
		request.Header.Set(name, value)
	}
	return request, nil
}

// readPlain reads an answer that is one JSON value. The zero frame: it answers something else.
func (r *remote) readPlain(ctx context.Context, got *http.Response, f frame.Frame) (frame.Frame, error) {
	body, err := io.ReadAll(io.LimitReader(got.Body, int64(r.max)+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return frame.Frame{}, context.Cause(ctx)
	case err != nil:
		return frame.Frame{}, &brokenError{}
	case len(body) > r.max:
		return r.tooLongAnswer(f), nil
	}
	reply, err := frame.Parse(body)
	if err != nil || reply.Kind() != frame.Answer || string(reply.ID()) != string(f.ID()) {
		return frame.Frame{}, nil
	}
	return reply, nil
}

// explain says why a request did not come through.
func (r *remote) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if away, ok := asAway(err); ok {
		return away
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return &awayError{why: dial.Error(), hint: "start the server there, or see whether the address is right", unbegun: true}
	}
	if why := certificate(err); why != "" {
		return &awayError{why: why, hint: "mend the certificate there, or give the one that signed it with --tls-ca", unbegun: true}
	}
	return &awayError{why: err.Error()}
}

// certificate says what is wrong with the remote's, empty if that is not it.
func certificate(err error) string {
	if failed, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not accepted: " + failed.Err.Error()
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "it does not speak TLS: the address should begin with http:"
	}
	return ""
}

// refusalOf says what an answer that is none means.
func refusalOf(got *http.Response, kind string, hasSession bool) error {
	status := got.Status
	switch {
	case got.StatusCode == http.StatusNotFound && hasSession:
		return errNoSession
	case got.StatusCode == http.StatusUnauthorized, got.StatusCode == http.StatusForbidden:
		return &awayError{why: "it refuses us: " + status, hint: "give the right token, by --token-file or AIDB_TOKEN", unbegun: true}
	case got.StatusCode >= 300 && got.StatusCode < 400:
		return &awayError{why: "it redirects to " + got.Header.Get("Location"), hint: "connect to that address, if you trust it with the token", unbegun: true}
	case kind == "text/html":
		return &awayError{why: "it answers with a web page: " + status, hint: "see whether the address is that of an MCP server; it often ends with /mcp", unbegun: true}
	case got.StatusCode == http.StatusServiceUnavailable, got.StatusCode == http.StatusTooManyRequests:
		return &awayError{why: "it has no time: " + status, unbegun: true}
	}
	return &awayError{why: "it answers with " + status + " and not with MCP", hint: "see whether the address is that of an MCP server"}
}

// tooLongAnswer answers a call whose answer cannot be passed on.
func (r *remote) tooLongAnswer(f frame.Frame) frame.Frame {
	return answer.Error(f.ID(), answer.CodeServer, fmt.Sprintf("the remote's answer is longer than %d bytes", r.max), nil)
}

// delete ends a session.
func (r *remote) delete(ctx context.Context, m headers) {
	request, err := r.request(ctx, http.MethodDelete, nil, m)
	if err != nil {
		return
	}
	if got, err := r.client.Do(request); err == nil {
		got.Body.Close()
	}
}

// open begins to listen to a session; last is the event to go on after, if any.
// The status is that of HTTP when the stream is not there to be had.
func (r *remote) open(ctx context.Context, m headers, last string) (body io.ReadCloser, status int, err error) {
	request, err := r.request(ctx, http.MethodGet, nil, m)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Accept", "text/event-stream")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	got, err := r.client.Do(request)
	if err != nil {
		return nil, 0, r.explain(ctx, err)
	}
	if kind, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type")); got.StatusCode != http.StatusOK || kind != "text/event-stream" {
		got.Body.Close()
		return nil, got.StatusCode, nil
	}
	return got.Body, got.StatusCode, nil
}
