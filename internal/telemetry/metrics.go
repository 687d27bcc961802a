package telemetry

import (
	"math"
	"strconv"
	"strings"
	"time"

	prom "github.com/prometheus/client_model/go"
)

// metricsOf are the metrics that Prometheus would scrape as OTLP has them, under the same names.
func (t *Telemetry) metricsOf(families []*prom.MetricFamily, now time.Time) (all []metric) {
	start, at := nano(t.began), nano(now)
	for _, f := range families {
		m := metric{Name: f.GetName(), Description: f.GetHelp(), Unit: unitOf(f.GetName())}
		switch f.GetType() {
		case prom.MetricType_COUNTER:
			m.Sum = &sum{Temporality: cumulative, IsMonotonic: true}
			for _, one := range f.GetMetric() {
				m.Sum.Points = append(m.Sum.Points, point{labelsOf(one), start, at, finite(one.GetCounter().GetValue())})
			}
		case prom.MetricType_GAUGE:
			m.Gauge = &gauge{}
			for _, one := range f.GetMetric() {
				m.Gauge.Points = append(m.Gauge.Points, point{labelsOf(one), "", at, finite(one.GetGauge().GetValue())})
			}
		case prom.MetricType_HISTOGRAM:
			m.Histogram = &histogram{Temporality: cumulative}
			for _, one := range f.GetMetric() {
				m.Histogram.Points = append(m.Histogram.Points, histogramOf(one, start, at))
			}
		default:
			continue // summaries of Go's runtime, which OTLP has no current form for
		}
		all = append(all, m)
	}
	return all
}

// histogramOf converts a histogram: a bucket of Prometheus counts what lies in those below it, too,
// one of OTLP does not.
func histogramOf(one *prom.Metric, start, at string) histogramPoint {
	h := one.GetHistogram()
	p := histogramPoint{
		Attributes: labelsOf(one), Start: start, Time: at,
		Count: strconv.FormatUint(h.GetSampleCount(), 10), Sum: h.GetSampleSum(), Bounds: []float64{},
	}
	var below uint64
	for _, b := range h.GetBucket() {
		if math.IsInf(b.GetUpperBound(), 1) {
			break
		}
		p.Bounds = append(p.Bounds, b.GetUpperBound())
		p.Buckets = append(p.Buckets, strconv.FormatUint(b.GetCumulativeCount()-below, 10))
		below = b.GetCumulativeCount()
	}
	p.Buckets = append(p.Buckets, strconv.FormatUint(h.GetSampleCount()-below, 10))
	return p
}

// finite is a number that JSON can write.
func finite(n float64) float64 {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return -1
	}
	return n
}

func labelsOf(one *prom.Metric) (all []attribute) {
	for _, l := range one.GetLabel() {
		all = append(all, textual(l.GetName(), l.GetValue()))
	}
	return all
}

func unitOf(name string) string {
	name = strings.TrimSuffix(name, "_total")
	switch {
	case strings.HasSuffix(name, "_seconds"):
		return "s"
	case strings.HasSuffix(name, "_bytes"):
		return "By"
	}
	return ""
}
