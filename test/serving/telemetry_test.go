//go:build linux

package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/collector"
)

const callersTrace = "0af7651916cd43dd8448eb211c80319c"

// A call is one trace: the client's, in which the gateway, the worker and the requests to
// the debug adapter stand below each other, and nothing of what was asked and answered.
func TestSpansOfACall(t *testing.T) {
	testkit.Adapters(t)
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			c := collector.Start(t)
			g := serve(t, "--otel="+c.URL)
			p := programs[0]
			client := g.Join(t, secret, revision)
			target := p.write(t)
			result, err := client.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "session_start", Arguments: p.start(target),
				Meta: mcp.Meta{"traceparent": "00-" + callersTrace + "-b7ad6b7169203331-01"},
			})
			if err != nil || result.IsError {
				t.Fatalf("%+v, %v", result, err)
			}
			must(t, client, "inspect", A{"expression": "nowhere + 1"}, "nowhere")
			spans, _ := c.Wait(t, "the call at both ends", func(spans []collector.Span, _ []collector.Point) bool {
				return len(ofRole(spans, "gateway", "tools/call session_start")) == 1 && len(ofRole(spans, "worker", "tools/call session_start")) == 1 &&
					len(ofRole(spans, "worker", "dap setBreakpoints")) > 0
			})
			gateway, worker := ofRole(spans, "gateway", "tools/call session_start")[0], ofRole(spans, "worker", "tools/call session_start")[0]
			if gateway.TraceID != callersTrace || gateway.ParentID != "b7ad6b7169203331" || gateway.Attributes["enduser.id"] != "ada" || gateway.Failed {
				t.Errorf("the gateway: %+v", gateway)
			}
			if worker.TraceID != callersTrace || worker.ParentID != gateway.SpanID || worker.Resource["aidb.worker"] == "" {
				t.Errorf("the worker: %+v", worker)
			}
			for _, name := range []string{"dap initialize", "dap setBreakpoints", "dap stackTrace"} {
				all := ofRole(spans, "worker", name)
				if !slices.ContainsFunc(all, func(s collector.Span) bool { return s.TraceID == callersTrace && s.ParentID == worker.SpanID }) {
					t.Errorf("%s: %+v", name, all)
				}
			}
			for _, s := range spans {
				for _, text := range append([]string{s.Name}, valuesOf(s.Attributes)...) {
					if strings.Contains(text, "sum.py") || strings.Contains(text, "nowhere") {
						t.Errorf("it tells of arguments: %+v", s)
					}
				}
			}
		})
	}
}

func ofRole(spans []collector.Span, role, name string) []collector.Span {
	return slices.DeleteFunc(slices.Clone(spans), func(s collector.Span) bool { return s.Resource["aidb.role"] != role || s.Name != name })
}

func valuesOf(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// What Prometheus could ask for comes by itself, the last of it at the end; a failed call
// is one by its code.
func TestMetricsComeByThemselves(t *testing.T) {
	c := collector.Start(t)
	g := serve(t, "--otel="+c.URL)
	must(t, g.Join(t, secret, revisions[0]), "step", A{"action": "over"}, "AIDB_SESSION_NOT_STARTED")
	g.stop()
	_, points := c.Wait(t, "the call", func(_ []collector.Span, points []collector.Point) bool {
		return slices.ContainsFunc(points, func(p collector.Point) bool {
			return p.Metric == "aidb_call_duration_seconds" && p.Attributes["method"] == "tools/call" && p.Attributes["code"] == "AIDB_SESSION_NOT_STARTED" && p.Count == "1"
		})
	})
	for _, name := range []string{"aidb_workers", "aidb_workers_waiting", "aidb_worker_start_seconds", "aidb_call_bytes_total"} {
		if !slices.ContainsFunc(points, func(p collector.Point) bool { return p.Metric == name && p.Resource["aidb.role"] == "gateway" }) {
			t.Errorf("%s is missing", name)
		}
	}
}

// The variables of OpenTelemetry switch nothing on by themselves, and are the program's
// where nothing is told; with --otel they are the server's, and no program gets them.
func TestWhoseVariables(t *testing.T) {
	testkit.Adapters(t)
	p := program{"python", "env.py", "import os\ntotal = sorted(k for k in os.environ if k.startswith('OTEL_'))\nprint(total)\n", "3", "total", ""}
	for _, told := range []bool{false, true} {
		c := collector.Start(t)
		env := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_EXPORTER_OTLP_HEADERS=api-key=hidden"}
		var args []string
		if told {
			args = []string{"serve", "--otel"}
		}
		s := testkit.Start(t, testkit.Options{Dir: t.TempDir(), Args: args, Bare: told, Env: env})
		s.OK("session_start", p.start(p.write(t)))
		r := s.OK("inspect", A{"expression": "total"})
		if !told {
			r.Has("OTEL_EXPORTER_OTLP_ENDPOINT")
			if c.Header("Content-Type") != "" {
				t.Error("it tells without being asked to")
			}
			continue
		}
		r.Lacks("OTEL_EXPORTER")
		c.Wait(t, "the start", func(spans []collector.Span, _ []collector.Point) bool {
			return len(ofRole(spans, "server", "tools/call session_start")) == 1
		})
		if c.Header("Api-Key") != "hidden" {
			t.Errorf("api-key: %q", c.Header("Api-Key"))
		}
	}
}
