package main

import (
	"context"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"aidb-mcp/internal/telemetry"
)

// byVariables is --otel without a URL: OpenTelemetry's environment variables say where the collector
// is.
const byVariables = "env"

func (a *app) bindTelemetry(f *pflag.FlagSet) {
	f.StringVar(&a.otel, "otel", "", "export traces and metrics to the OpenTelemetry collector at this `URL` (OTLP over HTTP); without a value to that of OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318 (default: nothing is exported)")
	f.Lookup("otel").NoOptDefVal = byVariables
}

// telemetry makes the exporter, nil without --otel. The variables that it reads are removed from the
// environment: programs that are debugged would export in our name.
func (a *app) telemetry(role string, hasWorkers bool) (*telemetry.Telemetry, error) {
	if a.otel == "" {
		return nil, nil
	}
	endpoint := a.otel
	if endpoint == byVariables {
		endpoint = ""
	}
	t, err := telemetry.New(telemetry.Options{
		Endpoint: endpoint, Version: readVersion().Version, Role: role, Worker: a.worker, Machine: a.machine, Log: a.log,
	})
	if err == nil && !hasWorkers { // else workers need them
		for _, name := range telemetry.Read(os.Environ()) {
			_ = os.Unsetenv(name)
		}
	}
	return t, err
}

// role is what a process is that serves one client.
func (a *app) role() string {
	if a.worker != "" {
		return "worker"
	}
	return "server"
}

// lastSpans bounds how long the last spans may take at the end.
const lastSpans = 500 * time.Millisecond

// push exports metrics until stop, which exports the last of them, and the last spans.
func push(t *telemetry.Telemetry, from prometheus.Gatherer) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		t.Push(ctx, from)
	}()
	return func() {
		cancel()
		last, done := context.WithTimeout(context.Background(), lastSpans)
		defer done()
		t.Close(last)
		<-over
	}
}
