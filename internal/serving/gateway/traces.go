package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/telemetry"
)

// Where a request names the trace of its caller, by MCP's specification.
var (
	traceparentPath = []string{"params", "_meta", "traceparent"}
	tracestatePath  = []string{"params", "_meta", "tracestate"}
)

type traceKey struct{}

// withTrace puts the trace that a request's headers name into its context.
func withTrace(r *http.Request) *http.Request {
	of := telemetry.ParseParent(r.Header.Get("Traceparent"), r.Header.Get("Tracestate"))
	if of.IsNobody() {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), traceKey{}, of))
}

// startSpan begins a span of a request. passed is the request as it is passed on, which names the span;
// ended is nil where there are no traces.
func startSpan(ctx context.Context, to *telemetry.Telemetry, principal string, f frame.Frame) (passed frame.Frame, ended func(outcome string)) {
	if to == nil {
		return f, nil
	}
	// The message's own trace counts before that of the HTTP request which carries it.
	of := telemetry.ParseParent(f.Text(traceparentPath...), f.Text(tracestatePath...))
	if of.IsNobody() {
		of, _ = ctx.Value(traceKey{}).(telemetry.Parent)
	}
	_, span := to.Start(ctx, of, telemetry.Server, spanName(f))
	if span == nil {
		return f, nil
	}
	span.Set("mcp.method.name", methodOf(f.Method()))
	span.Set("enduser.id", principal)
	if h, err := handle.Parse(handleOf(f)); err == nil { // not the whole handle: who has it can use the session
		span.Set("aidb.session", h.Name)
		span.Set("aidb.worker", h.Worker)
		span.Set("aidb.machine", h.Machine)
	}
	return withTraceparent(f, span.Traceparent()), func(outcome string) {
		if outcome != "ok" {
			span.Fail(outcome)
		}
		span.End()
	}
}

// spanName is a method, with the tool or the prompt that it is about.
func spanName(f frame.Frame) string {
	name := methodOf(f.Method())
	if target := f.Text("params", "name"); target != "" && (name == "tools/call" || name == "prompts/get") {
		name += " " + shorten(target)
	}
	return name
}

// withTraceparent is the request with the name of a span; unchanged if it has no place for that.
func withTraceparent(f frame.Frame, traceparent string) frame.Frame {
	text := []byte(strconv.Quote(traceparent))
	if f.Get(traceparentPath...) != nil {
		return f.With(text, traceparentPath...)
	}
	meta := map[string]json.RawMessage{}
	raw := f.Get("params", "_meta")
	if raw != nil && (!isObject(raw) || json.Unmarshal(raw, &meta) != nil) || f.Get("params") == nil || !isObject(f.Get("params")) {
		return f
	}
	meta["traceparent"] = text
	return f.Put(meta, "params", "_meta")
}
