// Package telemetry tells a collector of OpenTelemetry what we do: a span of each call and
// of each request to a debug adapter within it, and the numbers that Prometheus could ask
// for. It writes OTLP's JSON over HTTP by itself: OpenTelemetry's own exporters bring gRPC
// and the messages of protobuf, and add 4.6 MB to a binary that is started for each client.
//
// It is told names, kinds and times, never arguments and values. A collector that is away
// costs its callers nothing: what does not fit into a queue is dropped, and counted.
package telemetry

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Options describe who tells.
type Options struct {
	Endpoint string              // of the collector; empty: as the variables of OpenTelemetry say
	Get      func(string) string // a variable; nil: of the environment
	Version  string
	Role     string // what this process is: "gateway", "machine", "worker" or "server"
	Worker   string // its name, where it has one
	Machine  string // so is this
	Log      *slog.Logger
}

// Telemetry tells a collector. Nil tells nobody.
type Telemetry struct {
	sampler  sampler
	traces   *sender[spanJSON] // nil: none are told
	resource resource
	scope    scope
	began    time.Time
	post     *poster
	metrics  string // where they go; empty: nowhere
	interval time.Duration
}

// New makes one, whose goroutines end by Close. Nil and no error: the variables say that
// nothing is to be told.
func New(o Options) (*Telemetry, error) {
	get := o.Get
	if get == nil {
		get = os.Getenv
	}
	s, err := read(o.Endpoint, get)
	if err != nil {
		return nil, fmt.Errorf("telling OpenTelemetry: %w", err)
	}
	if s.traces == "" && s.metrics == "" {
		return nil, nil
	}
	t := &Telemetry{
		sampler: s.sampler, began: time.Now(), metrics: s.metrics, interval: s.interval,
		scope:    scope{"aidb-mcp", o.Version},
		resource: resource{identity(o, s)},
		post:     newPoster(s, o.Log),
	}
	if s.traces != "" {
		t.traces = newSender(func(ctx context.Context, spans []spanJSON) error {
			return t.post.post(ctx, s.traces, tracesJSON{[]resourceSpans{{t.resource, []scopeSpans{{t.scope, spans}}}}})
		}, o.Log)
	}
	return t, nil
}

// identity is who tells.
func identity(o Options, s settings) []attribute {
	all := []attribute{textual("service.name", s.service), textual("service.instance.id", strings.ToLower(rand.Text())), numeric("process.pid", int64(os.Getpid()))}
	if host, err := os.Hostname(); err == nil {
		all = append(all, textual("host.name", host))
	}
	for _, a := range []struct{ key, text string }{{"service.version", o.Version}, {"aidb.role", o.Role}, {"aidb.worker", o.Worker}, {"aidb.machine", o.Machine}} {
		if a.text != "" {
			all = append(all, textual(a.key, a.text))
		}
	}
	return append(all, s.resource...)
}

// Push tells all numbers again and again, until ctx ends, and then once more.
func (t *Telemetry) Push(ctx context.Context, from prometheus.Gatherer) {
	if t == nil || t.metrics == "" {
		return
	}
	tick := time.NewTicker(t.interval)
	defer tick.Stop()
	for going := true; going; {
		select {
		case <-ctx.Done():
			going = false
		case <-tick.C:
		}
		families, err := from.Gather()
		if err != nil {
			t.post.log.Warn("some numbers cannot be told", "error", err)
		}
		within, limit := ctx, t.post.client.Timeout // who hangs is not waited for at the end
		if !going {
			within, limit = context.WithoutCancel(ctx), lastWord
		}
		telling, cancel := context.WithTimeout(within, limit)
		err = t.post.post(telling, t.metrics, metricsJSON{[]resourceMetrics{{t.resource, []scopeMetrics{{t.scope, t.metricsOf(families, time.Now())}}}}})
		cancel()
		if err != nil && !(going && ctx.Err() != nil) {
			t.post.note(err)
		}
	}
}

// lastWord is how long the last message of a process may take.
const lastWord = time.Second

// Close tells what has not been told yet, until ctx ends, and nothing more.
func (t *Telemetry) Close(ctx context.Context) {
	if t != nil && t.traces != nil {
		t.traces.close(ctx)
	}
}

// Read is the names of the variables that New reads, which are not for programs that we start: they
// would tell their own as ours, with our credentials.
func Read(environment []string) (names []string) {
	for _, entry := range environment {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OTEL_") {
			names = append(names, name)
		}
	}
	return names
}
