package pprof

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/fault"
)

const (
	mostBytes    = 64 << 20 // of an answer, as it is sent and as it is unpacked
	patience     = 15 * time.Second
	connectLimit = 5 * time.Second
	mostReason   = 200 // bytes of what the program's handler says of an error
)

// errTooLong is of an answer that has no end that we wait for.
var errTooLong = fmt.Errorf("its answer is longer than %d MiB", mostBytes>>20)

// profile fetches one of the program's profiles.
func (p *Program) profile(ctx context.Context, name string, query url.Values) (*profile.Profile, error) {
	body, err := p.fetch(ctx, name, query)
	if err != nil {
		return nil, err
	}
	if zipped, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		if body, err = readBounded(zipped); err != nil {
			return nil, p.failure(name, err)
		}
	}
	made, err := profile.ParseUncompressed(body)
	if err != nil {
		return nil, p.notThere(name, "what it answers is no profile")
	}
	for _, f := range made.Function {
		f.Filename = p.rename(f.Filename)
	}
	return made, nil
}

// fetch asks for a page beside the profiles. It follows no redirect, and goes through no proxy.
func (p *Program) fetch(ctx context.Context, name string, query url.Values) ([]byte, error) {
	at := p.at.JoinPath(name)
	at.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, p.failure(name, err)
	}
	client := &http.Client{
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: connectLimit}).DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 16,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, p.failure(name, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, p.refusal(name, answer)
	}
	body, err := readBounded(answer.Body)
	if err != nil {
		return nil, p.failure(name, err)
	}
	return body, nil
}

func readBounded(from io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(from, mostBytes+1))
	if err == nil && len(body) > mostBytes {
		err = errTooLong
	}
	return body, err
}

// refusal is an answer that is no profile. What it says is told where Go's own handler says it.
func (p *Program) refusal(name string, answer *http.Response) error {
	switch code := answer.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fault.New(fault.SessionStart, "%s wants a login (status %d)", p, code).WithField(Field).
			WithHint("give it in the address: http://USER:PASSWORD@host:port/debug/pprof")
	case code >= 300 && code < 400:
		return fault.New(fault.SessionStart, "%s leads elsewhere (status %d), and that is not followed", p, code).WithField(Field).
			WithHint("give the address at which the profiles themselves are")
	case answer.Header.Get("X-Go-Pprof") != "":
		said, _ := io.ReadAll(io.LimitReader(answer.Body, mostReason)) // what came is told
		line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return fault.New(fault.SessionStart, "the program refuses its profile %q: %s", name, line).WithField(Field).
			WithHint("another one may be profiling it now, or its http.Server has a WriteTimeout that is shorter than seconds")
	}
	return p.notThere(name, fmt.Sprintf("it answers with status %d", answer.StatusCode))
}

// notThere says that no such profile is at the address.
func (p *Program) notThere(name, why string) error {
	return fault.New(fault.SessionStart, "there is no profile %q at %s: %s", name, p, why).WithField(Field).
		WithHint("give the address of the folder that net/http/pprof serves, for example http://127.0.0.1:6060/debug/pprof; a program of this machine is profiled by its pid: session_start {\"mode\":\"attach\",\"pid\":PID,\"adapter_options\":{\"observe\":true}}")
}

// failure is of an address at which nobody answers as is expected.
func (p *Program) failure(name string, err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // the address is told by us, without its password
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("no answer in time")
	}
	return fault.New(fault.SessionStart, "asking %s for its profile %q: %w", p, name, err).WithField(Field).
		WithHint("look whether the program runs, and whether its pprof can be reached from here")
}
