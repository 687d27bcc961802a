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
		text := boundedReport(nil, persons.Summary{ID: "go-1"}, events, lost, most)
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
	text := writeReport(secret.New([]string{"A_TOKEN=known-secret-1"}), persons.Summary{Target: "./known-secret-1"}, events, 0)
	if strings.Contains(string(text), "known-secret-1") || strings.Count(string(text), secret.Mask) != 6 {
		t.Errorf("it tells the secret, or hides more:\n%s", text)
	}
	if !strings.Contains(string(text), "total = 21") {
		t.Errorf("it lacks what is no secret:\n%s", text)
	}
}

// Whatever a session tells is text in the page, wherever it stands; nothing of it is markup.
func TestReportEscapes(t *testing.T) {
	const bad = `</pre><script>"&'`
	three := 3
	h := hub.New()
	h.SetState(hub.Agent, hub.State{Epoch: 1, Status: bad, Reason: bad, ExitCode: &three, Note: bad})
	h.SetView(hub.View{Epoch: 1, Exception: bad, Stack: []hub.Frame{{Function: bad, Path: bad, Line: 7}}, Locals: []hub.Value{{Name: bad, Value: bad}}})
	h.Print(bad, []byte(bad))
	events, _ := h.Events(0, 100)
	person := hub.Author{Kind: hub.ByPerson, Name: bad}
	events = append(events,
		hub.Event{By: hub.Agent, Reply: &hub.Reply{Tool: bad, Summary: bad, Text: bad, Cut: 9}},
		hub.Event{By: person, Breakpoint: &hub.BreakpointChange{What: bad, Breakpoint: hub.Breakpoint{ID: 1, Path: bad, Line: 5, Function: bad, Expression: bad, Condition: bad}}},
		hub.Event{By: person, Call: &hub.Call{Tool: bad, What: bad, Args: bad}},
		hub.Event{By: person, Did: &hub.Did{Who: bad, Did: bad, Text: bad}},
		hub.Event{By: person, Question: &hub.Question{Text: bad}},
		hub.Event{By: person, Answer: &hub.Answer{Who: bad, Text: bad}},
		hub.Event{By: person, Hold: &hub.Hold{Person: bad}},
		hub.Event{By: person, Hold: &hub.Hold{Ended: bad}},
		hub.Event{By: person, Presence: &hub.PresenceChange{Person: bad, Here: true}},
		hub.Event{By: person, Presence: &hub.PresenceChange{Person: bad}},
	)
	text := string(writeReport(nil, persons.Summary{ID: bad, Target: bad, Language: bad, Status: bad}, events, 2))
	if strings.Contains(text, "<script") || strings.Contains(text, "%!") {
		t.Errorf("what a session tells is markup, or a verb has no text:\n%s", text)
	}
	for _, tag := range []string{"section", "div", "pre", "span", "time", "details", "summary", "b", "p"} {
		if opened, closed := strings.Count(text, "<"+tag+">")+strings.Count(text, "<"+tag+" "), strings.Count(text, "</"+tag+">"); opened != closed {
			t.Errorf("%d of <%s> are opened, and %d are closed", opened, tag, closed)
		}
	}
	if !strings.Contains(text, ", exit code 3") || !strings.Contains(text, ":5 ") || !strings.Contains(text, "2 earlier events") || !strings.Contains(text, "9 more bytes") {
		t.Errorf("it lacks numbers:\n%s", text)
	}
}
