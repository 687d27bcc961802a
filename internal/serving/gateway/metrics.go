package gateway

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"aidb-mcp/internal/serving/pool"
)

// Metrics counts what the pool does, for Prometheus. It is the pool's Observer.
type Metrics struct {
	registry *prometheus.Registry
	pool     func() pool.Status
	calls    *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	starts   prometheus.Histogram
	ends     *prometheus.CounterVec

	workers, waiting, open, givenUp, sessions *prometheus.Desc

	tools, codes *names
}

// NewMetrics makes them, with the numbers of this process. Watch says where the state of the pool comes from.
func NewMetrics() *Metrics {
	m := newMetrics()
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func newMetrics() *Metrics {
	m := &Metrics{
		tools: &names{seen: map[string]bool{}}, codes: &names{seen: map[string]bool{}},
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "aidb_call_duration_seconds", Help: "How long calls took, by method, tool and error code (empty: none).",
			Buckets: []float64{.001, .005, .025, .1, .5, 1, 5, 20, 60, 300},
		}, []string{"method", "tool", "code"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "aidb_call_bytes_total", Help: "Bytes of calls (in) and of their answers (out).",
		}, []string{"direction"}),
		starts: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "aidb_worker_start_seconds", Help: "How long workers took to start.",
			Buckets: []float64{.01, .025, .05, .1, .25, 1, 5, 10},
		}),
		ends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "aidb_worker_ends_total", Help: "Workers that ended, by reason.",
		}, []string{"reason"}),
		workers:  prometheus.NewDesc("aidb_workers", "Workers that run.", nil, nil),
		waiting:  prometheus.NewDesc("aidb_workers_waiting", "Clients that wait for a worker.", nil, nil),
		open:     prometheus.NewDesc("aidb_calls_open", "Calls that wait for their answers.", nil, nil),
		givenUp:  prometheus.NewDesc("aidb_workers_given_up", "Clients whose workers crash too often to be started.", nil, nil),
		sessions: prometheus.NewDesc("aidb_sessions", "Debug sessions, by language.", []string{"language"}, nil),
	}
	m.registry.MustRegister(m.calls, m.bytes, m.starts, m.ends, m)
	return m
}

// Watch says where the numbers of this moment come from.
func (m *Metrics) Watch(status func() pool.Status) { m.pool = status }

// Gatherer gives all numbers as they are now.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Started, Ended and Called are the pool's.
func (m *Metrics) Started(took time.Duration) { m.starts.Observe(took.Seconds()) }

// Ended counts a worker that has ended.
func (m *Metrics) Ended(why string) { m.ends.WithLabelValues(why).Inc() }

// Called counts a call.
func (m *Metrics) Called(c pool.Called) {
	m.calls.WithLabelValues(methodOf(c.Method), m.tools.countedName(c.Tool, c.Code == ""), m.codes.countedName(c.Code, true)).Observe(c.Took.Seconds())
	m.bytes.WithLabelValues("in").Add(float64(c.In))
	m.bytes.WithLabelValues("out").Add(float64(c.Out))
}

// OfWorkers counts workers, and no calls: those are counted where they come in.
func (m *Metrics) OfWorkers() pool.Observer { return ofWorkers{m} }

type ofWorkers struct{ *Metrics }

// Called counts nothing.
func (ofWorkers) Called(pool.Called) {}

// methods are those of MCP, and the rest are what clients make up.
var methods = []string{
	"initialize", "ping", "server/discover", "subscriptions/listen", "completion/complete", "logging/setLevel",
	"prompts/get", "prompts/list", "resources/list", "resources/read", "resources/subscribe", "resources/templates/list", "resources/unsubscribe",
	"tasks/cancel", "tasks/get", "tasks/list", "tasks/result", "tasks/update", "tools/call", "tools/list",
}

// other is what a name is counted as that is not counted by itself.
const other = "other"

func methodOf(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return other
}

// names are those of one label that are counted by themselves: of tools, which
// clients can make up, those that have once done what they were asked; of codes,
// which servers make up, in bytes that may be no text, so many.
type names struct {
	mu   sync.Mutex // guards the field below
	seen map[string]bool
}

// countedName is a name as it is counted. True: from now on by itself.
func (n *names) countedName(name string, proven bool) string {
	const most, longest = 200, 100
	name = strings.ToValidUTF8(name, "?")
	n.mu.Lock()
	defer n.mu.Unlock()
	if name == "" || n.seen[name] {
		return name
	}
	if !proven || len(n.seen) >= most || len(name) > longest {
		return other
	}
	n.seen[name] = true
	return name
}

// Describe is the collector's.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.workers, m.waiting, m.open, m.givenUp, m.sessions} {
		to <- d
	}
}

// Collect tells the state of this moment.
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	if m.pool == nil {
		return
	}
	status := m.pool()
	for d, n := range map[*prometheus.Desc]int{m.workers: status.Workers, m.waiting: status.Waiting, m.open: status.Calls, m.givenUp: status.GivenUp} {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n))
	}
	for language, n := range status.Sessions {
		to <- prometheus.MustNewConstMetric(m.sessions, prometheus.GaugeValue, float64(n), language)
	}
}
