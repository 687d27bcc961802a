// Package telemetry exports traces and metrics to a collector of OpenTelemetry: a span of each
// call and of each request to a debug adapter within it, and the metrics that Prometheus can
// scrape. It writes OTLP's JSON over HTTP by itself: OpenTelemetry's own exporters bring gRPC
// and the messages of protobuf, and add 9 MB to a binary that is started for each client.
//
// It gets names, kinds and times, never arguments and values. A collector that is away costs
// callers nothing: what does not fit into a queue is dropped, and counted.
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

// Options describe this process, and where its telemetry goes.
type Options struct {
	Endpoint string              // of the collector; empty: as the variables of OpenTelemetry say
	Get      func(string) string // reads an environment variable; nil: os.Getenv
	Version  string
	Role     string // what this process is: "gateway", "machine", "worker" or "server"
	Worker   string // its name as a worker; empty: it is none
	Machine  string // of a cluster; empty: there is none
	Log      *slog.Logger
}

// Telemetry exports to a collector. A nil Telemetry exports nothing.
type Telemetry struct {
	sampler  sampler
	traces   *sender[spanJSON] // nil: traces are not exported
	resource resource
	scope    scope
	began    time.Time
	post     *poster
	metrics  string // the collector's URL for them; empty: they are not exported
	interval time.Duration
}

// New makes one, whose goroutines end by Close. It is nil, without an error, if the variables
// say that nothing is to be exported.
func New(o Options) (*Telemetry, error) {
	get := o.Get
	if get == nil {
		get = os.Getenv
	}
	s, err := read(o.Endpoint, get)
	if err != nil {
		return nil, fmt.Errorf("reading the settings for OpenTelemetry: %w", err)
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

// identity is the attributes of this process.
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

// Push exports all metrics at each interval, until ctx ends, and then once more.
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
			t.post.log.Warn("some metrics cannot be gathered", "error", err)
		}
		within, limit := ctx, t.post.client.Timeout // who hangs is not waited for at the end
		if !going {
			within, limit = context.WithoutCancel(ctx), lastWord
		}
		telling, cancel := context.WithTimeout(within, limit)
		err = t.post.post(telling, t.metrics, metricsJSON{[]resourceMetrics{{t.resource, []scopeMetrics{{t.scope, t.metricsOf(families, time.Now())}}}}})
		cancel()
		if err != nil && (!going || ctx.Err() == nil) {
			t.post.note(err)
		}
	}
}

// lastWord bounds the last message of a process.
const lastWord = time.Second

// Close exports the spans that wait, until ctx ends, and nothing after that.
func (t *Telemetry) Close(ctx context.Context) {
	if t != nil && t.traces != nil {
		t.traces.close(ctx)
	}
}

// Read is the names of the variables that New reads. Programs that we start must not have them: they
// would export in our name, with our credentials.
func Read(environment []string) (names []string) {
	for _, entry := range environment {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OTEL_") {
			names = append(names, name)
		}
	}
	return names
}
