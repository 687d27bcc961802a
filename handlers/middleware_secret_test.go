package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
)

func TestErrorsHideSecrets(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mask *secret.Masker
		want int
	}{"masked": {secret.New(nil), 3}, "shown on request": {nil, 0}} {
		env := responses.Failure(fault.New(fault.SessionStart, "exec: API_KEY=abc1 ./run").
			WithHint("run --token=abc2 by hand").
			WithDetails(struct{ Env map[string]string }{map[string]string{"DB_PASSWORD": "abc3", "LEVEL": "7"}}))
		h := &Handlers{Deps: Deps{Mask: test.mask}}
		hide(h.Mask, env)
		text, err := json.Marshal(env.Error)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), secret.Mask); got != test.want || strings.Contains(string(text), "abc") == (test.want > 0) || !strings.Contains(string(text), `"7"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
