package telemetry

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// settings are what OpenTelemetry's environment variables say.
type settings struct {
	traces, metrics string // the collector's URLs; empty: not exported
	headers         http.Header
	timeout         time.Duration
	usesGzip        bool
	tls             *tls.Config
	interval        time.Duration // between two exports of metrics
	sampler         sampler
	service         string
	resource        []attribute
}

// The defaults, which are those of OpenTelemetry.
const (
	defaultEndpoint = "http://localhost:4318"
	defaultTimeout  = 10 * time.Second
	defaultInterval = time.Minute
	defaultService  = "aidb-mcp"
)

// read reads the variables. endpoint, if it is given, counts before theirs.
func read(endpoint string, get func(string) string) (s settings, err error) {
	if strings.EqualFold(get("OTEL_SDK_DISABLED"), "true") {
		return s, nil
	}
	if s.traces, err = address(get, endpoint, "TRACES", "/v1/traces"); err != nil {
		return s, err
	}
	if s.metrics, err = address(get, endpoint, "METRICS", "/v1/metrics"); err != nil {
		return s, err
	}
	if protocol := get("OTEL_EXPORTER_OTLP_PROTOCOL"); protocol == "grpc" {
		return s, errors.New("OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported, only http/json: unset it, and give the collector's address for HTTP, usually at port 4318")
	}
	switch compression := get("OTEL_EXPORTER_OTLP_COMPRESSION"); compression {
	case "", "none":
	case "gzip":
		s.usesGzip = true
	default:
		return s, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION=%s: want gzip or none", compression)
	}
	if s.headers, err = headers(get("OTEL_EXPORTER_OTLP_HEADERS")); err != nil {
		return s, err
	}
	if s.timeout, err = milliseconds(get, "OTEL_EXPORTER_OTLP_TIMEOUT", defaultTimeout); err != nil {
		return s, err
	}
	if s.interval, err = milliseconds(get, "OTEL_METRIC_EXPORT_INTERVAL", defaultInterval); err != nil {
		return s, err
	}
	if s.tls, err = tlsConfig(get("OTEL_EXPORTER_OTLP_CERTIFICATE")); err != nil {
		return s, err
	}
	if s.sampler, err = newSampler(get("OTEL_TRACES_SAMPLER"), get("OTEL_TRACES_SAMPLER_ARG")); err != nil {
		return s, err
	}
	s.service = cmp.Or(get("OTEL_SERVICE_NAME"), defaultService)
	pairs, err := pairs(get("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return s, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	for _, p := range pairs {
		if p[0] == "service.name" {
			s.service = cmp.Or(get("OTEL_SERVICE_NAME"), p[1])
			continue
		}
		s.resource = append(s.resource, textual(p[0], p[1]))
	}
	return s, nil
}

// address is the URL for one kind of signal; empty if it is not exported.
func address(get func(string) string, endpoint, signal, path string) (string, error) {
	if get("OTEL_"+signal+"_EXPORTER") == "none" {
		return "", nil
	}
	name, whole := "OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT", get("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT")
	if endpoint != "" || whole == "" {
		name = "OTEL_EXPORTER_OTLP_ENDPOINT"
		whole = strings.TrimSuffix(cmp.Or(endpoint, get(name), defaultEndpoint), "/") + path
	}
	if endpoint != "" {
		name = "--otel"
	}
	u, err := url.Parse(whole)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%s: want the URL of an OpenTelemetry collector, such as %s", name, defaultEndpoint)
	}
	return whole, nil
}

// pairs reads KEY=VALUE,KEY=VALUE, whose values are percent-encoded.
func pairs(text string) (all [][2]string, err error) {
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		key, value, ok := strings.Cut(one, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, errors.New("want KEY=VALUE,KEY=VALUE")
		}
		if value, err = url.PathUnescape(strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("the value of %s: want two hexadecimal digits behind each %%", key)
		}
		all = append(all, [2]string{key, value})
	}
	return all, nil
}

func headers(text string) (http.Header, error) {
	all, err := pairs(text)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS: %w", err)
	}
	h := http.Header{}
	for _, p := range all {
		h.Add(p[0], p[1])
	}
	return h, nil
}

func milliseconds(get func(string) string, name string, otherwise time.Duration) (time.Duration, error) {
	text := get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%s=%s: want a positive number of milliseconds", name, text)
	}
	return time.Duration(n) * time.Millisecond, nil
}

// tlsConfig trusts the certificates of a file; nil, without a file, trusts the system's.
func tlsConfig(file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %s holds no certificate in PEM format", file)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}, nil
}

// sampler decides which traces are exported.
type sampler struct {
	ofParent bool    // with a parent, its decision counts
	ratio    float64 // of the traces that are exported otherwise
}

func newSampler(name, argument string) (s sampler, err error) {
	kind, ofParent := strings.CutPrefix(cmp.Or(name, "parentbased_always_on"), "parentbased_")
	s = sampler{ofParent: ofParent, ratio: 1}
	switch kind {
	case "always_on":
	case "always_off":
		s.ratio = 0
	case "traceidratio":
		if argument != "" {
			if s.ratio, err = strconv.ParseFloat(argument, 64); err != nil || !(s.ratio >= 0 && s.ratio <= 1) {
				return s, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG=%s: want a number from 0 to 1", argument)
			}
		}
	default:
		return s, fmt.Errorf("OTEL_TRACES_SAMPLER=%s: want always_on, always_off or traceidratio, or one of these with the prefix parentbased_", name)
	}
	return s, nil
}
