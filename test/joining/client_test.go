// Package joining tests that a person joins an agent's session with an editor: the built
// server, and a bare client of the Debug Adapter Protocol.
package joining

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) {
	code := testkit.Main(m)
	shared.end()
	os.Exit(code)
}

// A shortens the arguments of calls.
type A = testkit.A

// limit ends what never happens.
const limit = 60 * time.Second

// message is any message that comes.
type message struct {
	Type       string          `json:"type"`
	Event      string          `json:"event"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
}

// editor is a bare DAP client.
type editor struct {
	t    *testing.T
	out  io.Writer
	mu   sync.Mutex
	seq  int
	all  []message
	over bool
	more chan struct{} // closed and replaced at each message
}

// entry is what the agent's reply has for VS Code.
type entry struct {
	DebugServer int    `json:"debugServer"`
	AidbToken   string `json:"aidbToken"`
	Type        string `json:"type"`
}

// shown has the agent open the session, and reads where it can be joined.
func shown(t *testing.T, s *testkit.Server) (at entry) {
	t.Helper()
	r := s.OK("session", A{"action": "show"})
	if err := json.Unmarshal([]byte(r.At("data", "editor", "vscode")), &at); err != nil {
		t.Fatalf("%v: %s", err, r.Text)
	}
	return at
}

// connect connects without a greeting.
func connect(t *testing.T, port int) *editor {
	t.Helper()
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return newEditor(t, conn, conn)
}

func newEditor(t *testing.T, in io.Reader, out io.Writer) *editor {
	e := &editor{t: t, out: out, more: make(chan struct{})}
	go e.read(bufio.NewReader(in))
	return e
}

// join joins as a person, up to where the editor is told what happens.
func join(t *testing.T, at entry, name string) *editor {
	t.Helper()
	e := connect(t, at.DebugServer)
	e.greet(name, A{"aidbToken": at.AidbToken})
	return e
}

func (e *editor) greet(name string, attach A) {
	e.t.Helper()
	e.ok("initialize", A{"adapterID": "bare", "clientName": name}, nil)
	e.ok("attach", attach, nil)
	e.event("initialized", nil)
	e.ok("configurationDone", A{}, nil)
}

func (e *editor) read(in *bufio.Reader) {
	for {
		text, err := godap.ReadBaseMessage(in)
		var m message
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		e.mu.Lock()
		if err != nil {
			e.over = true
		} else {
			e.all = append(e.all, m)
		}
		close(e.more)
		e.more = make(chan struct{})
		e.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// await waits for a message from the n-th on.
func (e *editor) await(what string, from int, is func(message) bool) (m message, next int) {
	e.t.Helper()
	end := time.After(limit)
	for {
		e.mu.Lock()
		for ; from < len(e.all); from++ {
			if is(e.all[from]) {
				defer e.mu.Unlock()
				return e.all[from], from + 1
			}
		}
		more, over := e.more, e.over
		e.mu.Unlock()
		if over {
			e.t.Fatalf("the connection ended before %s", what)
		}
		select {
		case <-more:
		case <-end:
			e.t.Fatalf("%s never came; there were %+v", what, e.all)
		}
	}
}

func (e *editor) request(command string, args any) message {
	e.t.Helper()
	e.mu.Lock()
	e.seq++
	seq := e.seq
	e.mu.Unlock()
	text, err := json.Marshal(A{"seq": seq, "type": "request", "command": command, "arguments": args})
	if err == nil {
		err = godap.WriteBaseMessage(e.out, text)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	m, _ := e.await("the response to "+command, 0, func(m message) bool { return m.Type == "response" && m.RequestSeq == seq })
	return m
}

// ok makes a request that must succeed, and reads its body.
func (e *editor) ok(command string, args, body any) {
	e.t.Helper()
	m := e.request(command, args)
	if !m.Success {
		e.t.Fatalf("%s %v: %s", command, args, m.Message)
	}
	e.decode(m, body)
}

func (e *editor) decode(m message, body any) {
	e.t.Helper()
	if body == nil {
		return
	}
	if err := json.Unmarshal(m.Body, body); err != nil {
		e.t.Fatalf("%v: %s", err, m.Body)
	}
}

// refused makes a request that must fail, and gives the words of the refusal.
func (e *editor) refused(command string, args any) string {
	e.t.Helper()
	m := e.request(command, args)
	if m.Success {
		e.t.Fatalf("%s %v was not refused: %s", command, args, m.Body)
	}
	return m.Message
}

// event waits for the first event of a name.
func (e *editor) event(name string, body any) {
	e.t.Helper()
	e.eventAfter(0, name, body)
}

// eventAfter waits for an event that comes after so many messages.
func (e *editor) eventAfter(after int, name string, body any) (next int) {
	e.t.Helper()
	m, next := e.await("the event "+name, after, func(m message) bool { return m.Type == "event" && m.Event == name })
	e.decode(m, body)
	return next
}

// soFar is how many messages have come.
func (e *editor) soFar() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.all)
}

// says evaluates a line in the debug console.
func (e *editor) says(line string) string {
	e.t.Helper()
	var body godap.EvaluateResponseBody
	e.ok("evaluate", A{"expression": line, "context": "repl"}, &body)
	return body.Result
}

// top is the frame at which the program stands, and its locals by their names.
func (e *editor) top(thread int) (godap.StackFrame, map[string]string) {
	e.t.Helper()
	var stack godap.StackTraceResponseBody
	e.ok("stackTrace", A{"threadId": thread, "startFrame": 0, "levels": 20}, &stack)
	if len(stack.StackFrames) == 0 {
		e.t.Fatal("there are no frames")
	}
	var scopes godap.ScopesResponseBody
	e.ok("scopes", A{"frameId": stack.StackFrames[0].Id}, &scopes)
	var list godap.VariablesResponseBody
	e.ok("variables", A{"variablesReference": scopes.Scopes[0].VariablesReference}, &list)
	locals := map[string]string{}
	for _, v := range list.Variables {
		locals[v.Name] = v.Value
	}
	return stack.StackFrames[0], locals
}

// person is an entry of a reply's person.
type person struct{ Who, Did, At, Text string }

// persons are what a reply says that persons did.
func persons(t *testing.T, r testkit.Reply) (list []person) {
	t.Helper()
	if r.At("person") == "" {
		return nil
	}
	r.Decode(&list, "person")
	for _, p := range list {
		if _, err := time.Parse(time.RFC3339, p.At); err != nil {
			t.Errorf("%+v has no time: %v", p, err)
		}
	}
	return list
}

// acts are the same, each as a sentence.
func acts(t *testing.T, r testkit.Reply) (did []string) {
	t.Helper()
	for _, p := range persons(t, r) {
		did = append(did, p.String())
	}
	return did
}

func (p person) String() string {
	said := p.Who + " " + p.Did
	if p.Text != "" {
		said += ": " + p.Text
	}
	return said
}

// ended waits until the server has ended the connection.
func (e *editor) ended() {
	e.t.Helper()
	end := time.After(limit)
	for {
		e.mu.Lock()
		more, over := e.more, e.over
		e.mu.Unlock()
		if over {
			return
		}
		select {
		case <-more:
		case <-end:
			e.t.Fatal("the connection is not ended")
		}
	}
}
