package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/pflag"

	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/telemetry"
)

// byVariables is the value of --otel without one: where the collector is, the variables of
// OpenTelemetry say.
const byVariables = "env"

func (a *app) bindTelemetry(f *pflag.FlagSet) {
	f.StringVar(&a.otel, "otel", "", "tell traces and metrics to the OpenTelemetry collector at this `URL` (OTLP over HTTP); without a value to that of OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318 (default: nobody is told)")
	f.Lookup("otel").NoOptDefVal = byVariables
}

// telemetry is whom we tell what we do, nil unless that was asked for. The variables that
// say so stay ours: programs that are debugged would tell their own in our name.
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
	if err == nil && !hasWorkers { // who has them hands the variables on
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

// lastSpans is how long the last spans may take.
const lastSpans = 500 * time.Millisecond

// push tells the numbers of workers until stop, which tells the last of all.
func push(t *telemetry.Telemetry, m *gateway.Metrics) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		t.Push(ctx, m.Gatherer())
	}()
	return func() {
		cancel()
		last, done := context.WithTimeout(context.Background(), lastSpans)
		defer done()
		t.Close(last)
		<-over
	}
}
