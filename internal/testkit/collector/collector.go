// Package collector is a collector of OpenTelemetry for tests: it takes OTLP's JSON over
// HTTP, refuses what is none, and hands on what came.
package collector

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Span is one that came.
type Span struct {
	TraceID    string
	SpanID     string
	ParentID   string
	Name       string
	Kind       int
	Start, End string
	Failed     bool
	Attributes map[string]string
	Resource   map[string]string
}

// Point is one number of a metric that came: of a histogram how many there were.
type Point struct {
	Metric     string
	Attributes map[string]string
	Count      string
	Value      float64
	Resource   map[string]string
}

// Collector is a running one.
type Collector struct {
	URL string

	mu      sync.Mutex // guards the fields below
	spans   []Span
	points  []Point
	headers http.Header
	changed chan struct{}
}

// Start starts one, which ends with the test.
func Start(t *testing.T) *Collector {
	c := &Collector{changed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, r *http.Request) { take(t, c, w, r, c.addSpans) })
	mux.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, r *http.Request) { take(t, c, w, r, c.addPoints) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func take[T any](t *testing.T, c *Collector, w http.ResponseWriter, r *http.Request, add func(T)) {
	var message T
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&message); err != nil || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s: %v", r.URL, r.Header.Get("Content-Type"), err)
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.headers = r.Header
	add(message)
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	_, _ = w.Write([]byte("{}"))
}

// longest is how long anything may take to come.
const longest = time.Minute

// Wait waits until what came has what is wanted.
func (c *Collector) Wait(t *testing.T, what string, has func([]Span, []Point) bool) ([]Span, []Point) {
	t.Helper()
	over := time.After(longest)
	for {
		c.mu.Lock()
		spans, points, changed := slices.Clone(c.spans), slices.Clone(c.points), c.changed
		c.mu.Unlock()
		if has(spans, points) {
			return spans, points
		}
		select {
		case <-changed:
		case <-over:
			var names []string
			for _, s := range spans {
				names = append(names, s.Resource["aidb.role"]+" "+s.Name)
			}
			t.Fatalf("%s did not come; there are %d numbers and %q", what, len(points), names)
		}
	}
}

// Header is one of the last request.
func (c *Collector) Header(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.headers.Get(name)
}

type attributes []struct {
	Key   string `json:"key"`
	Value struct {
		Text   string `json:"stringValue"`
		Number string `json:"intValue"`
	} `json:"value"`
}

func (a attributes) plain() map[string]string {
	all := map[string]string{}
	for _, one := range a {
		all[one.Key] = one.Value.Text + one.Value.Number
	}
	return all
}

type resource struct {
	Attributes attributes `json:"attributes"`
}

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type traces struct {
	Resources []struct {
		Resource resource `json:"resource"`
		Scopes   []struct {
			Scope scope `json:"scope"`
			Spans []struct {
				TraceID    string     `json:"traceId"`
				SpanID     string     `json:"spanId"`
				State      string     `json:"traceState"`
				ParentID   string     `json:"parentSpanId"`
				Name       string     `json:"name"`
				Kind       int        `json:"kind"`
				Start      string     `json:"startTimeUnixNano"`
				End        string     `json:"endTimeUnixNano"`
				Attributes attributes `json:"attributes"`
				Status     struct {
					Code int `json:"code"`
				} `json:"status"`
			} `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

func (c *Collector) addSpans(message traces) {
	for _, r := range message.Resources {
		for _, s := range r.Scopes {
			for _, one := range s.Spans {
				c.spans = append(c.spans, Span{
					one.TraceID, one.SpanID, one.ParentID, one.Name, one.Kind, one.Start, one.End, one.Status.Code == 2,
					one.Attributes.plain(), r.Resource.Attributes.plain(),
				})
			}
		}
	}
}

type metrics struct {
	Resources []struct {
		Resource resource `json:"resource"`
		Scopes   []struct {
			Scope   scope `json:"scope"`
			Metrics []struct {
				Name        string  `json:"name"`
				Description string  `json:"description"`
				Unit        string  `json:"unit"`
				Gauge       numbers `json:"gauge"`
				Sum         numbers `json:"sum"`
				Histogram   numbers `json:"histogram"`
			} `json:"metrics"`
		} `json:"scopeMetrics"`
	} `json:"resourceMetrics"`
}

type numbers struct {
	Points []struct {
		Attributes attributes `json:"attributes"`
		Start      string     `json:"startTimeUnixNano"`
		Time       string     `json:"timeUnixNano"`
		Value      float64    `json:"asDouble"`
		Count      string     `json:"count"`
		Sum        float64    `json:"sum"`
		Buckets    []string   `json:"bucketCounts"`
		Bounds     []float64  `json:"explicitBounds"`
	} `json:"dataPoints"`
	Temporality int  `json:"aggregationTemporality"`
	Monotonic   bool `json:"isMonotonic"`
}

func (c *Collector) addPoints(message metrics) {
	for _, r := range message.Resources {
		for _, s := range r.Scopes {
			for _, m := range s.Metrics {
				for _, n := range []numbers{m.Gauge, m.Sum, m.Histogram} {
					for _, p := range n.Points {
						c.points = append(c.points, Point{m.Name, p.Attributes.plain(), p.Count, p.Value, r.Resource.Attributes.plain()})
					}
				}
			}
		}
	}
}
