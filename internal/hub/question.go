package hub

import (
	"context"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
)

// mostQuestions is how many may be open.
const mostQuestions = 20

type openQuestion struct {
	Question
	answered chan Answer // has room for one
	attended bool        // the agent waits for the answer
}

// Ask puts a question to the persons who watch, and waits for the answer as long as ctx lasts
// and somebody watches. Without an answer the question stays open: the answer is then
// among what persons did.
func (h *Hub) Ask(ctx context.Context, text string) (q Question, a *Answer, err error) {
	open, watched, err := h.ask(text)
	if err != nil {
		return Question{}, nil, err
	}
	if watched {
		select {
		case answer := <-open.answered:
			return open.Question, &answer, nil
		case <-ctx.Done():
		}
	}
	return open.Question, h.unattend(open), nil
}

// unattend says that nobody waits for an answer any more; one that came meanwhile counts.
func (h *Hub) unattend(open *openQuestion) *Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	open.attended = false
	select {
	case answer := <-open.answered:
		return &answer
	default:
		return nil
	}
}

func (h *Hub) ask(text string) (q *openQuestion, watched bool, err error) {
	text, cut := cutText(strings.TrimSpace(text), longestText)
	if cut > 0 {
		return nil, false, fault.New(fault.InvalidParam, "the question is longer than %d bytes", longestText).WithField("text")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.questions) >= mostQuestions {
		return nil, false, fault.New(fault.InvalidParam, "%d questions are open already", mostQuestions).WithField("text").
			WithHint("wait for their answers: replies show them under person")
	}
	h.asked++
	q = &openQuestion{Question: Question{ID: h.asked, Text: text, At: time.Now()}, answered: make(chan Answer, 1), attended: true}
	h.questions = append(h.questions, q)
	h.publish(Event{By: Agent, Kind: KindQuestion, Question: &q.Question})
	return q, slices.ContainsFunc(h.present, func(p *presence) bool { return p.count > 0 }), nil
}

// Answer answers a question; id 0 means the oldest that is open.
func (h *Hub) Answer(p Person, id int, text string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.IndexFunc(h.questions, func(q *openQuestion) bool { return id == 0 || q.ID == id })
	if at < 0 {
		return fault.New(fault.InvalidParam, "no such question is open")
	}
	q := h.questions[at]
	h.questions = slices.Delete(h.questions, at, at+1)
	text, _ = cutText(text, longestText)
	answer := Answer{Question: q.ID, Text: text, Who: p.Name}
	h.publish(Event{By: p.Author(), Kind: KindAnswer, Answer: &answer})
	if q.attended {
		q.answered <- answer
		return nil
	}
	asked, _ := cutText(q.Text, 200)
	h.record(p, "answered: "+asked, text)
	return nil
}
