package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"aidb-mcp/internal/serving/pool"
)

// What a server calls its errors may be no text, and ends nobody.
func TestACodeThatIsNoText(t *testing.T) {
	m := NewMetrics()
	m.Called(pool.Called{Method: "tools/call", Tool: "x", Code: "\"\xff\""})
	shown := httptest.NewRecorder()
	promhttp.HandlerFor(m.Gatherer(), promhttp.HandlerOpts{}).ServeHTTP(shown, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if !strings.Contains(shown.Body.String(), `code="\"?\""`) {
		t.Errorf("%d %s", shown.Code, shown.Body)
	}
}
