package telemetry

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"aidb-mcp/internal/testkit/collector"
)

func variables(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func newTelemetry(t *testing.T, endpoint string, pairs ...string) *Telemetry {
	t.Helper()
	to, err := New(Options{Endpoint: endpoint, Get: variables(pairs...), Version: "1", Role: "server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

const (
	given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ofIt  = "0af7651916cd43dd8448eb211c80319c"
)

// A call and the requests within it come to the collector as one trace, that of the caller.
func TestSpans(t *testing.T) {
	c := collector.Start(t)
	to := newTelemetry(t, c.URL, "OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b", "OTEL_RESOURCE_ATTRIBUTES", "team=x", "OTEL_EXPORTER_OTLP_ENDPOINT", "not looked at")
	ctx, span := to.Start(t.Context(), ParseParent(given, "a=b"), Server, "tools/call step")
	Record(ctx, "dap", "next", "refused", time.Now(), time.Now())
	span.Set("aidb.session", "go-1")
	span.End()
	span.End()
	to.Close(t.Context())
	spans, _ := c.Wait(t, "two spans", func(s []collector.Span, _ []collector.Point) bool { return len(s) > 1 })
	if len(spans) != 2 {
		t.Fatalf("%+v", spans)
	}
	request, call := spans[0], spans[1]
	switch {
	case call.TraceID != ofIt || call.ParentID != "b7ad6b7169203331" || call.Kind != 2 || call.Failed || call.Attributes["dap.requests"] != "1" || call.Attributes["aidb.session"] != "go-1":
		t.Errorf("%+v", call)
	case request.TraceID != ofIt || request.ParentID != call.SpanID || request.Name != "dap next" || request.Kind != 3 || !request.Failed || request.Attributes["error.type"] != "refused":
		t.Errorf("%+v", request)
	case call.Resource["service.name"] != "aidb-mcp" || call.Resource["team"] != "x" || call.Resource["aidb.role"] != "server":
		t.Errorf("%+v", call.Resource)
	case c.Header("Api-Key") != "a b":
		t.Errorf("api-key: %q", c.Header("Api-Key"))
	}
}

// Of a call with very many requests the first are told, and all are counted.
func TestManyRequests(t *testing.T) {
	c := collector.Start(t)
	to := newTelemetry(t, c.URL)
	ctx, span := to.Start(t.Context(), Parent{}, Server, "x")
	for range mostChildren + 5 {
		Record(ctx, "dap", "next", "", time.Now(), time.Now())
	}
	span.End()
	to.Close(t.Context())
	spans, _ := c.Wait(t, "the call", func(s []collector.Span, _ []collector.Point) bool {
		return len(s) > 0 && s[len(s)-1].Name == "x"
	})
	if len(spans) != mostChildren+1 || spans[mostChildren].Attributes["dap.requests"] != "205" {
		t.Errorf("%d, %+v", len(spans), spans[len(spans)-1])
	}
}

// What no caller has sampled is not told, but passed on.
func TestNotSampled(t *testing.T) {
	to := newTelemetry(t, "http://127.0.0.1:1")
	_, span := to.Start(t.Context(), ParseParent(strings.Replace(given, "-01", "-00", 1), ""), Server, "x")
	span.End()
	if at := span.Traceparent(); len(to.traces.queue) != 0 || !strings.HasPrefix(at, "00-"+ofIt) || !strings.HasSuffix(at, "-00") {
		t.Errorf("%d, %s", len(to.traces.queue), at)
	}
	to.Close(t.Context())
	for text, want := range map[string]float64{"": 1, "always_off": 0, "parentbased_traceidratio": .25} {
		if s, err := newSampler(text, "0.25"); err != nil || s.ratio != want {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
}

func TestParseParent(t *testing.T) {
	for _, text := range []string{
		"", "x", given + "-00", strings.Replace(given, "00-", "ff-", 1), strings.ToUpper(given), strings.Replace(given, "0af", "zzz", 1),
		"00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-" + ofIt + "-0000000000000000-01", given[:50],
	} {
		if p := ParseParent(text, ""); !p.IsNobody() {
			t.Errorf("%q: %+v", text, p)
		}
	}
	if p := ParseParent("01-"+given[3:]+"-more", "a\nb"); p.IsNobody() || p.state != "" {
		t.Errorf("of a later version: %+v", p)
	}
}

// A collector that is away, or never answers, costs nothing: what is told never waits, the
// queue is bounded, and the end is soon.
func TestACollectorThatIsAway(t *testing.T) {
	hangs := make(chan struct{})
	deaf := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-hangs
	}))
	defer deaf.Close()
	defer close(hangs)
	for _, url := range []string{"http://127.0.0.1:1", deaf.URL} {
		to := newTelemetry(t, url)
		began := time.Now()
		for range 20 * mostQueued {
			_, span := to.Start(t.Context(), Parent{}, Server, "x")
			span.End()
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: %s", url, took)
		}
		if to.traces.dropped.Load() < 18*mostQueued {
			t.Errorf("%s: %d were dropped", url, to.traces.dropped.Load())
		}
		limit, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began = time.Now()
		to.Close(limit)
		cancel()
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: closing took %s", url, took)
		}
	}
}

// The end of a server waits no longer for a collector that hangs than its last word may take.
func TestNumbersForACollectorThatHangs(t *testing.T) {
	asked, hang := make(chan struct{}, 10), make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-hang
	}))
	defer away.Close()
	defer close(hang)
	to := newTelemetry(t, away.URL, "OTEL_METRIC_EXPORT_INTERVAL", "10", "OTEL_EXPORTER_OTLP_TIMEOUT", "300000")
	defer to.Close(t.Context())
	ctx, end := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		to.Push(ctx, prometheus.NewRegistry())
	}()
	<-asked
	end()
	select {
	case <-over:
	case <-time.After(30 * time.Second):
		t.Error("the end waits for it")
	}
}

// Off is nobody: nothing is made, and all calls are harmless.
func TestOff(t *testing.T) {
	to, err := New(Options{Get: variables("OTEL_SDK_DISABLED", "true")})
	if to != nil || err != nil {
		t.Fatalf("%v, %v", to, err)
	}
	ctx, span := to.Start(t.Context(), ParseParent(given, ""), Server, "x")
	span.Set("a", "b")
	span.Fail("c")
	span.End()
	Record(ctx, "dap", "next", "", time.Now(), time.Now())
	to.Push(t.Context(), nil)
	to.Close(t.Context())
	if span.Traceparent() != "" {
		t.Error("a span")
	}
}

func TestBadSettings(t *testing.T) {
	for name, text := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_COMPRESSION": "zstd",
		"OTEL_EXPORTER_OTLP_HEADERS": "x", "OTEL_EXPORTER_OTLP_TIMEOUT": "1s", "OTEL_TRACES_SAMPLER": "jaeger", "OTEL_RESOURCE_ATTRIBUTES": "a=%zz",
	} {
		if _, err := New(Options{Get: variables(name, text)}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, text, err)
		}
	}
	s, err := read("", variables("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://a/b", "OTEL_METRICS_EXPORTER", "none"))
	if err != nil || s.traces != "https://a/b" || s.metrics != "" {
		t.Errorf("%+v, %v", s, err)
	}
}

// Prometheus's buckets, each of which counts those below it, become those of OTLP.
func TestHistogram(t *testing.T) {
	registry := prometheus.NewRegistry()
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "took_seconds", Buckets: []float64{1, 2}})
	registry.MustRegister(h)
	for _, n := range []float64{.5, 1.5, 1.5, 9} {
		h.Observe(n)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal((&Telemetry{}).metricsOf(families, time.Unix(1, 0))[0].Histogram.Points[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `"count":"4","sum":12.5,"bucketCounts":["1","2","1"],"explicitBounds":[1,2]`; !strings.Contains(string(text), want) {
		t.Errorf("%s", text)
	}
}
