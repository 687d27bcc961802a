package page

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/persons"
)

// A report that would be too long keeps the newest events, and says how many it leaves out.
func TestReportIsBounded(t *testing.T) {
	h := hub.New()
	for i := range 3000 {
		h.AddReply(hub.Reply{Tool: "step", OK: true, Summary: fmt.Sprintf("step %d", i), Text: strings.Repeat("<", i%300)})
	}
	events, lost := h.Events(0, 1<<30)
	for _, most := range []int{1 << 30, 100_000, 20_000, 10} {
		text, err := boundedReport(nil, persons.Summary{ID: "go-1"}, events, lost, most)
		if err != nil {
			t.Fatal(err)
		}
		kept := strings.Count(string(text), "<section>")
		if most > 10 && (len(text) > most || kept == 0 || !strings.Contains(string(text), "step 2999<")) {
			t.Errorf("of at most %d bytes it has %d, with %d events", most, len(text), kept)
		}
		says := strings.Contains(string(text), fmt.Sprintf("%d earlier events", 3000-kept))
		if says != (kept < 3000) {
			t.Errorf("with %d events it says of the others: %v", kept, says)
		}
	}
}

func TestReportMasks(t *testing.T) {
	h := hub.New()
	h.SetState(hub.Agent, hub.State{Epoch: 1, Status: "stopped_after_step", Stopped: true})
	h.SetView(hub.View{Epoch: 1, Locals: []hub.Value{{Name: "n", Value: "'known-secret-1'"}, {Name: "total", Value: "21"}}})
	h.Print("stdout", []byte("it is known-secret-1\n"))
	h.AddReply(hub.Reply{Tool: "inspect", Summary: "n is known-secret-1", Text: "n = known-secret-1"})
	events, _ := h.Events(0, 100)
	text, err := writeReport(secret.New([]string{"A_TOKEN=known-secret-1"}), persons.Summary{Target: "./known-secret-1"}, events, 0)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "known-secret-1") || strings.Count(string(text), secret.Mask) != 6 {
		t.Errorf("it tells the secret, or hides more:\n%s", text)
	}
	if !strings.Contains(string(text), "total = 21") {
		t.Errorf("it lacks what is no secret:\n%s", text)
	}
}
