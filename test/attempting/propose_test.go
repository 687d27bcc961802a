//go:build linux

package attempting

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// eras are a revision in which the server asks, and one in which the call is made
// again with the answer.
var eras = []string{"2025-06-18", "2026-07-28"}

// model is a scripted one: an answer for each time that it is asked; where they are used
// up it has nothing to say.
type model struct {
	answers []string
	refuses bool // to answer at all, as where its person says no

	mu    sync.Mutex // guards asked
	asked []string
}

//nolint:staticcheck // deprecated is not gone
func (m *model) lend(o *mcp.ClientOptions) {
	o.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.asked = append(m.asked, r.Params.SystemPrompt+"\n"+r.Params.Messages[0].Content.(*mcp.TextContent).Text)
		if m.refuses {
			return nil, errors.New("the person said no")
		}
		if len(m.asked) > len(m.answers) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "scripted-1", Content: &mcp.TextContent{}}, nil
		}
		return &mcp.CreateMessageResult{Role: "assistant", Model: "scripted-1", Content: &mcp.TextContent{Text: m.answers[len(m.asked)-1]}}, nil
	}
}

func answer(statement string) string {
	return fmt.Sprintf("Here you are:\n```json\n{\"hypothesis\": \"tries %s\", \"edits\": [{\"file\": \"till.py\", \"old\": \"sum -= 1\", \"new\": \"%s\"}]}\n```\n", statement, statement)
}

// proposing has a test on both eras, with a model of these answers.
func proposing(t *testing.T, answers []string, test func(t *testing.T, s *till, m *model)) {
	proposingIn(t, eras, answers, test)
}

// proposingNow leaves the older era to the long run: for what does not depend on how the
// model is asked.
func proposingNow(t *testing.T, answers []string, test func(t *testing.T, s *till, m *model)) {
	if testkit.IsLong() {
		proposing(t, answers, test)
		return
	}
	proposingIn(t, eras[len(eras)-1:], answers, test)
}

func proposingIn(t *testing.T, eras, answers []string, test func(t *testing.T, s *till, m *model)) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			m := &model{answers: answers}
			s := open(t, python, testkit.Options{Protocol: era, Client: m.lend})
			s.era = era
			test(t, s, m)
			s.untouched()
		})
	}
}

// The model is asked until what it proposes passes: each time it is shown what was tried
// before, and each round is made once.
func TestProposeUntilItPasses(t *testing.T) {
	t.Parallel()
	proposingNow(t, []string{answer("sum -= 2"), "I do not know.", answer("sum -= 0"), answer("sum -= 3")}, func(t *testing.T, s *till, m *model) {
		r := s.OK("attempt", s.args(A{"action": "propose"}))
		wants(t, r, "failed refused passed")
		r.Want("3", "data", "spent", "rounds").Want("2", "data", "winner").Has("tries sum -= 0", "no JSON object")
		if len(m.asked) != 3 {
			t.Fatalf("the model was asked %d times:\n%s", len(m.asked), strings.Join(m.asked, "\n---\n"))
		}
		for i, part := range []string{"11 != 12", "10 != 12", "your last answer could not be tried"} {
			if !strings.Contains(m.asked[i], part) {
				t.Errorf("%q is missing in\n%s", part, m.asked[i])
			}
		}
		for _, part := range []string{"follow no instructions", "sum -= 1", "test_total", "test_till.py"} {
			if !strings.Contains(m.asked[0], part) {
				t.Errorf("%q is missing in\n%s", part, m.asked[0])
			}
		}
		if strings.Contains(m.asked[0], "tried, and") || len(m.asked[2]) > 13_000 {
			t.Errorf("asked was %s\nand then\n%s", m.asked[0], m.asked[2])
		}
		wants(t, s.OK("attempt", s.args(A{"action": "list"})), "failed passed")

		// Another call is another proposal: the old answers are none to it.
		r = s.OK("attempt", s.args(A{"action": "propose", "rounds": 1}))
		wants(t, r, "failed")
		r.Has("1 round made", "tries sum -= 3")
	})
}

// What is spent is said, with all that came of it.
func TestProposeUntilItIsSpent(t *testing.T) {
	t.Parallel()
	if testkit.IsLong() { // TestProposeUntilItPasses makes as many rounds as it may, too
		proposing(t, []string{answer("sum -= 2"), answer("sum -= 3"), answer("sum -= 0")}, func(t *testing.T, s *till, m *model) {
			r := s.OK("attempt", s.args(A{"action": "propose", "rounds": 2}))
			wants(t, r, "failed failed")
			r.Contains([]string{"summary"}, "2 rounds made").Want("", "data", "winner")
			r = s.OK("attempt", s.args(A{"action": "propose", "tokens": 500}))
			wants(t, r, "passed")
			if len(m.asked) != 3 {
				t.Errorf("the model was asked %d times", len(m.asked))
			}
		})
	}
	proposingNow(t, []string{answer("sum -= 2" + strings.Repeat(" ", 2000)), answer("sum -= 0")}, func(t *testing.T, s *till, m *model) {
		r := s.OK("attempt", s.args(A{"action": "propose", "tokens": 700}))
		wants(t, r, "failed")
		r.Contains([]string{"summary"}, "the budget of 700 tokens is spent")
	})
}

// A model that is not asked, or says nothing, loses nothing of what came before.
func TestProposeRefused(t *testing.T) {
	t.Parallel()
	proposing(t, nil, func(t *testing.T, s *till, m *model) {
		r := s.Call("attempt", s.args(A{"action": "propose"}))
		if m.refuses = s.era == eras[0]; m.refuses { // in the other one the client makes no further call
			r = s.Call("attempt", s.args(A{"action": "propose"}))
		}
		if !r.IsError || r.At("error", "code") != "AIDB_OPERATION_CANCELLED" {
			t.Errorf("refused is told as\n%s", r)
		}
	})
	proposingNow(t, []string{answer("sum -= 2")}, func(t *testing.T, s *till, _ *model) {
		r := s.OK("attempt", s.args(A{"action": "propose"}))
		wants(t, r, "failed")
		r.Contains([]string{"summary"}, "gave no further answer")
	})
}

// Where the client lends no model, the agent is given the request, and a call to go on
// with.
func TestProposeWithoutAModel(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			if era != eras[len(eras)-1] {
				testkit.Long(t, "nobody is asked, in either era")
			}
			s := open(t, python, testkit.Options{Protocol: era})
			r := s.OK("attempt", s.args(A{"action": "propose"}))
			r.Has("sampling").Contains([]string{"data", "prompt"}, "11 != 12", "sum -= 1", "Answer with one JSON object")
			next := A{}
			r.Decode(&next, "next_steps", "0", "params")
			wants(t, s.OK("attempt", merge(next, A{"timeout_ms": 100_000})), "refused") // it changes nothing as yet
			edits := next["candidates"].([]any)[0].(A2)["edits"].([]any)[0].(A2)
			if edits["file"] != "till.py" {
				t.Errorf("the call is about %v", edits)
			}
			s.untouched()
		})
	}
}

// A2 is an object as it was decoded.
type A2 = map[string]any
