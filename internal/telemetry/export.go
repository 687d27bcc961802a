package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// The bounds of what waits to be sent, and when it is sent.
const (
	mostQueued  = 2048
	mostAtOnce  = 512
	sendEvery   = time.Second
	firstPause  = time.Second // before a failed message is sent again; doubled at each failure
	longestWait = 30 * time.Second
)

// sender sends items of one kind in batches. Its goroutine ends by close.
type sender[T any] struct {
	tell    func(context.Context, []T) error
	log     *slog.Logger
	queue   chan T
	dropped atomic.Int64
	failing atomic.Bool

	closing chan struct{}
	once    sync.Once
	ctx     context.Context // of what is being sent
	cancel  context.CancelFunc
	over    chan struct{}
}

func newSender[T any](tell func(context.Context, []T) error, log *slog.Logger) *sender[T] {
	s := &sender[T]{
		tell: tell, log: log, queue: make(chan T, mostQueued), closing: make(chan struct{}), over: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go s.run()
	return s
}

// put never waits: an item for which the queue has no room is dropped, and counted.
func (s *sender[T]) put(item T) {
	select {
	case s.queue <- item:
	default:
		s.dropped.Add(1)
	}
}

// run sends what waits, every second, until close.
func (s *sender[T]) run() {
	defer close(s.over)
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for len(s.queue) > 0 && s.deliver(s.batch()) {
			}
		case <-s.closing:
			if !s.failing.Load() { // else we would wait for a collector that is not there
				for len(s.queue) > 0 && s.deliver(s.batch()) {
				}
			}
			return
		}
	}
}

func (s *sender[T]) batch() (items []T) {
	for len(items) < mostAtOnce {
		select {
		case item := <-s.queue:
			items = append(items, item)
		default:
			return items
		}
	}
	return items
}

// deliver sends a batch, again and again while the collector may still take it. It returns
// false if we are closing.
func (s *sender[T]) deliver(items []T) bool {
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		err := s.tell(s.ctx, items)
		if err == nil {
			if dropped := s.dropped.Swap(0); dropped > 0 {
				s.log.Warn("the OpenTelemetry collector was away or slow: some spans are lost", "lost", dropped)
			}
			s.failing.Store(false)
			return true
		}
		if !s.failing.Swap(true) {
			s.log.Warn("spans cannot be sent to the OpenTelemetry collector; they wait, as far as there is room", "error", err)
		}
		if refused, ok := errors.AsType[*refusal](err); ok && !refused.isTemporary() {
			s.dropped.Add(int64(len(items)))
			return true
		}
		wait := time.NewTimer(pause)
		select {
		case <-wait.C:
		case <-s.closing:
			wait.Stop()
			return false
		}
	}
}

// close sends what waits, until ctx ends.
func (s *sender[T]) close(ctx context.Context) {
	s.once.Do(func() { close(s.closing) })
	defer s.cancel()
	if s.failing.Load() {
		s.cancel()
	}
	select {
	case <-s.over:
	case <-ctx.Done():
	}
}

// poster posts messages to a collector.
type poster struct {
	client   *http.Client
	headers  http.Header
	usesGzip bool
	log      *slog.Logger
	failing  atomic.Bool
}

func newPoster(s settings, log *slog.Logger) *poster {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: s.tls, MaxIdleConns: 2, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	return &poster{
		client: &http.Client{
			Transport: transport, Timeout: s.timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the headers hold credentials for this collector alone
		},
		headers: s.headers, usesGzip: s.usesGzip, log: log,
	}
}

// note logs the first failure in a row to send metrics.
func (p *poster) note(err error) {
	if !p.failing.Swap(true) {
		p.log.Warn("metrics cannot be sent to the OpenTelemetry collector", "error", err)
	}
}

// refusal is an answer of the collector with a status that is no success.
type refusal struct{ status int }

func (r *refusal) Error() string {
	return fmt.Sprintf("the collector answers with status %d", r.status)
}

// isTemporary says that the collector may take the same message later.
func (r *refusal) isTemporary() bool {
	switch r.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (p *poster) post(ctx context.Context, to string, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encoding for the collector: %w", err)
	}
	if p.usesGzip {
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		_, _ = w.Write(text) // to memory
		_ = w.Close()
		text = small.Bytes()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("making a request to the collector: %w", err)
	}
	maps.Copy(r.Header, p.headers)
	r.Header.Set("Content-Type", "application/json")
	if p.usesGzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return fmt.Errorf("sending to the collector: %w", err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return &refusal{answer.StatusCode}
	}
	p.failing.Store(false)
	return nil
}
