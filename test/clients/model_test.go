//go:build linux

package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// finalWords is what the model says when it has seen the stop; a client that has
// understood it prints it.
const finalWords = "The bug is found."

// model stands in for the language model of a client. It has one idea: to call
// session_start with fixed arguments, and to say that the bug is found when it is
// shown a result. What it was asked is kept.
type model struct {
	*httptest.Server
	arguments string // of the call, JSON

	mu      sync.Mutex
	asked   []question
	strange []string // requests that no dialect knows
}

// question is what a client sends to its model, whatever the dialect.
type question struct {
	Offered []tool   // the tools that may be called at once
	Shown   []string // the results of calls so far
	Hidden  bool     // more tools are found by a search
	Coding  bool     // tools are called by a program in JavaScript
	Whole   string   // as it came
}

// String leaves out the whole, which is long.
func (q question) String() string {
	return fmt.Sprintf("offered %q, shown %q, hidden %t, coding %t", q.Offered, q.Shown, q.Hidden, q.Coding)
}

// tool is the name of a tool as a client offers it.
type tool struct{ Namespace, Name string }

// answer is what the model says: a call, a search for tools, a program, or a text.
type answer struct {
	Call      *tool
	Arguments string // of the call
	Search    string
	Program   string
	Text      string
}

// searched is what the model looks for when our tools are hidden.
const searched = "debugger"

// dialect is one vendor's way to ask a model over HTTP.
type dialect interface {
	// read understands a request.
	read(body []byte) (question, error)
	// write sends the answer, as a stream of events if the request wants one.
	write(w http.ResponseWriter, body []byte, a answer)
}

// newModel starts a model on a port of the loopback. Paths that end as told are
// asked in that dialect; "" answers what the client asks besides.
func newModel(t testing.TB, arguments any, dialects map[string]dialect) *model {
	t.Helper()
	text, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{arguments: string(text)}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		for suffix, d := range dialects {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, suffix) {
				m.serve(w, d, body)
				return
			}
		}
		m.mu.Lock()
		m.strange = append(m.strange, r.Method+" "+r.Host+r.URL.Path)
		m.mu.Unlock()
		http.Error(w, `{"error":{"message":"the scripted model knows no such thing"}}`, http.StatusNotFound)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *model) serve(w http.ResponseWriter, d dialect, body []byte) {
	q, err := d.read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q.Whole = string(body)
	m.mu.Lock()
	m.asked = append(m.asked, q)
	m.mu.Unlock()
	d.write(w, body, m.answer(q))
}

// answer is the script.
func (m *model) answer(q question) answer {
	i := slices.IndexFunc(q.Offered, func(o tool) bool { return strings.HasSuffix(o.Name, "session_start") })
	switch {
	case len(q.Shown) > 0:
		return answer{Text: finalWords}
	case i >= 0:
		return answer{Call: &q.Offered[i], Arguments: m.arguments}
	case q.Coding:
		return answer{Program: "text(await tools.mcp__aidb__session_start(" + m.arguments + "))"}
	case q.Hidden:
		return answer{Search: searched}
	default:
		return answer{Text: "I see no tool for that."}
	}
}

// questions are those asked so far that offered a tool.
func (m *model) questions() []question {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.asked), func(q question) bool { return len(q.Offered) == 0 })
}

// event writes one server-sent event.
func event(w io.Writer, name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // our own literal
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", text)
}

// streaming announces events.
func streaming(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }

// plain are the texts of a content that is a string or a list of texts.
func plain(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(content, &parts) != nil {
		return string(content)
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}
