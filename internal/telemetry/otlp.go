package telemetry

import "strconv"

// The messages of OTLP, in its encoding as JSON: ids in hexadecimal digits, numbers of 64
// bits as texts, and the numbers of enumerations.

type attribute struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

type value struct {
	Text   *string `json:"stringValue,omitempty"`
	Number string  `json:"intValue,omitempty"`
}

const longestValue = 256

func textual(key, text string) attribute {
	if len(text) > longestValue {
		text = text[:longestValue]
	}
	return attribute{key, value{Text: &text}}
}

func numeric(key string, n int64) attribute {
	return attribute{key, value{Number: strconv.FormatInt(n, 10)}}
}

type resource struct {
	Attributes []attribute `json:"attributes"`
}

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type tracesJSON struct {
	Resources []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource resource     `json:"resource"`
	Scopes   []scopeSpans `json:"scopeSpans"`
}

type scopeSpans struct {
	Scope scope      `json:"scope"`
	Spans []spanJSON `json:"spans"`
}

type spanJSON struct {
	TraceID    string      `json:"traceId"`
	SpanID     string      `json:"spanId"`
	State      string      `json:"traceState,omitempty"`
	ParentID   string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       Kind        `json:"kind"`
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes,omitempty"`
	Status     status      `json:"status"`
}

const statusError = 2

type status struct {
	Code int `json:"code,omitempty"`
}

type metricsJSON struct {
	Resources []resourceMetrics `json:"resourceMetrics"`
}

type resourceMetrics struct {
	Resource resource       `json:"resource"`
	Scopes   []scopeMetrics `json:"scopeMetrics"`
}

type scopeMetrics struct {
	Scope   scope    `json:"scope"`
	Metrics []metric `json:"metrics"`
}

type metric struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Unit        string     `json:"unit,omitempty"`
	Gauge       *gauge     `json:"gauge,omitempty"`
	Sum         *sum       `json:"sum,omitempty"`
	Histogram   *histogram `json:"histogram,omitempty"`
}

type gauge struct {
	Points []point `json:"dataPoints"`
}

// cumulative is the kind of sums that have grown since their beginning.
const cumulative = 2

type sum struct {
	Points      []point `json:"dataPoints"`
	Temporality int     `json:"aggregationTemporality"`
	IsMonotonic bool    `json:"isMonotonic"`
}

type histogram struct {
	Points      []histogramPoint `json:"dataPoints"`
	Temporality int              `json:"aggregationTemporality"`
}

type point struct {
	Attributes []attribute `json:"attributes,omitempty"`
	Start      string      `json:"startTimeUnixNano,omitempty"`
	Time       string      `json:"timeUnixNano"`
	Value      float64     `json:"asDouble"`
}

type histogramPoint struct {
	Attributes []attribute `json:"attributes,omitempty"`
	Start      string      `json:"startTimeUnixNano"`
	Time       string      `json:"timeUnixNano"`
	Count      string      `json:"count"`
	Sum        float64     `json:"sum"`
	Buckets    []string    `json:"bucketCounts"`
	Bounds     []float64   `json:"explicitBounds"`
}
