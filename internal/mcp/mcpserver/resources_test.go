package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/prompts"
	"aidb-mcp/resources"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// shelf is a library whose changes the test makes.
type shelf struct {
	*resources.Library
	sessions *session.Manager
}

// building is an adapter whose builds never end: its sessions stay in starting.
type building struct{}

func (building) Info() adapters.Info                      { return adapters.Info{Language: "go"} }
func (building) Claims(adapters.Request) int              { return 100 }
func (building) Services() adapters.Services              { return adapters.Services{} }
func (building) Check(context.Context) adapters.Readiness { return adapters.Readiness{} }
func (building) Plan(ctx context.Context, _ adapters.Request, _ func(string)) (*adapters.Plan, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// shown answers every look in the same way.
type shown struct{}

func (shown) Look(context.Context, responses.Call) (*responses.Envelope, responses.Reply) {
	return &responses.Envelope{Success: true}, responses.Reply{JSON: []byte(`{"success":true}`)}
}
func (shown) Transcript(context.Context, string) (string, error) { return "# It", nil }
func (shown) Attempts(context.Context, string) (*responses.Envelope, error) {
	return nil, errors.New("nothing was tried")
}

func newShelf() *shelf {
	m := session.NewManager(session.Options{Registry: adapters.NewRegistry(building{}), Limits: session.Limits{Sessions: 100}})
	return &shelf{resources.New(resources.Options{Sessions: m, Calls: shown{}}), m}
}

func (s *shelf) open(t *testing.T, id string) *session.Session {
	t.Helper()
	one, err := s.sessions.Open(session.StartRequest{ID: id, Program: adapters.Request{Target: "./app"}})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return one
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func listen(id, notifications string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":{%s},%s}}`, id, notifications, meta)
}

// told receives so many notifications and sorts them.
func (p *peer) told(n int) []string {
	p.t.Helper()
	var all []string
	for range n {
		m := p.receive()
		all = append(all, strings.TrimPrefix(m.raw, `{"jsonrpc":"2.0","method":"notifications/resources/`))
	}
	slices.Sort(all)
	return all
}

func (p *peer) wants(want ...string) {
	p.t.Helper()
	slices.Sort(want)
	if got := p.told(len(want)); !slices.Equal(got, want) {
		p.t.Errorf("told %q, want %q", got, want)
	}
}

func TestSubscriptions(t *testing.T) {
	books := newShelf()
	bubble(t, Options{Calls: callerFunc(echo), Resources: books}, func(p *peer) {
		defer books.sessions.Close(p.t.Context())
		if m := p.initialize(); string(m.Result.Capabilities) != `{"completions":{},"resources":{"listChanged":true,"subscribe":true},"tools":{}}` {
			p.t.Errorf("capabilities are %s", m.Result.Capabilities)
		}
		for n, uri := range []string{"aidb://session/go-1", "aidb://session/go%2D1/transcript", "aidb://session/go-2/stack", "test://other"} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":%q}}`, n, uri))
			if m := p.receive(); m.Error != nil {
				p.t.Errorf("%s: %s", uri, m.raw)
			}
		}
		p.send(`{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"aidb://session/go-1/stak"}}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != codeNoResource || !strings.Contains(m.raw, `"data":{"uri":"aidb://session/go-1/stak"}`) {
			p.t.Errorf("a resource that cannot be: %s", m.raw)
		}
		books.open(p.t, "go-3")
		synctest.Wait()
		p.send(`{"jsonrpc":"2.0","id":6,"method":"resources/list"}`) // whoever lists is told of changes, from then on
		if m := p.receive(); string(m.ID) != "6" {
			p.t.Errorf("told of another list without having asked for one: %s", m.raw)
		}
		one := books.open(p.t, "go-1")
		p.wants(`list_changed","params":{}}`, `updated","params":{"uri":"aidb://session/go%2D1/transcript"}}`, `updated","params":{"uri":"aidb://session/go-1"}}`)
		time.Sleep(time.Second)
		p.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}`) // what is told until here belongs to what was before
		for m := p.receive(); string(m.ID) != "9"; m = p.receive() {
		}

		start := time.Now()
		for range 5000 { // as of a program that stops all the time
			one.Record(session.Operation{Looked: true})
			time.Sleep(time.Millisecond)
		}
		p.send(`{"jsonrpc":"2.0","id":8,"method":"resources/unsubscribe","params":{"uri":"aidb://session/go%2D1/transcript"}}`)
		updates := map[string]int{} // a resource may change once a round
		for m := p.receive(); string(m.ID) != "8"; m = p.receive() {
			updates[m.raw]++
		}
		most := int(time.Since(start)/betweenRounds) + 1
		for told, n := range updates {
			if n > most {
				p.t.Errorf("%d times in %v: %s", n, time.Since(start), told)
			}
		}
		if len(updates) == 0 {
			p.t.Error("no updates")
		}
		time.Sleep(time.Second)
		one.Record(session.Operation{Looked: true})
		time.Sleep(time.Second)
		p.send(ping(9))
		if m := p.receive(); string(m.ID) != "9" {
			p.t.Errorf("told after it has unsubscribed: %s", m.raw)
		}
	})
}

// Every request to listen is told for itself, by its own id, whatever becomes of the others.
func TestListeners(t *testing.T) {
	books := newShelf()
	bubble(t, Options{Calls: callerFunc(echo), Resources: books}, func(p *peer) {
		defer books.sessions.Close(p.t.Context())
		of := func(id, uri string) string {
			return fmt.Sprintf(`updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"uri":%q}}`, id, uri)
		}
		for _, id := range []string{"1", `"two"`, "18446744073709551615"} {
			p.send(listen(id, `"resourcesListChanged":true,"toolsListChanged":true,"resourceSubscriptions":["aidb://session/go-1"]`))
			want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["aidb://session/go-1"]}}}`, id)
			if m := p.receive(); m.raw != want {
				p.t.Errorf("acknowledged by %s\nwant %s", m.raw, want)
			}
		}
		books.open(p.t, "go-1")
		other := `list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`
		p.wants(fmt.Sprintf(other, "1"), fmt.Sprintf(other, `"two"`), fmt.Sprintf(other, "18446744073709551615"),
			of("1", "aidb://session/go-1"), of(`"two"`, "aidb://session/go-1"), of("18446744073709551615", "aidb://session/go-1"))

		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		synctest.Wait()
		one, _ := books.sessions.Get("go-1")
		one.Record(session.Operation{})
		p.wants(of(`"two"`, "aidb://session/go-1"), of("18446744073709551615", "aidb://session/go-1"))

		p.send(listen("4", ""))
		if m := p.receive(); m.Method != acknowledged {
			p.t.Errorf("a listener to nothing: %s", m.raw)
		}
		if m := p.receive(); string(m.ID) != "4" || !strings.Contains(m.raw, `"io.modelcontextprotocol/subscriptionId":4`) {
			p.t.Errorf("a listener to nothing ends with %s", m.raw)
		}
		p.send(listen("5", `"resourceSubscriptions":["aidb://nothing"]`))
		if m := p.receive(); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.raw, `"uri":"aidb://nothing"`) {
			p.t.Errorf("a listener to what cannot be: %s", m.raw)
		}
		many := []string{}
		for n := range maxSubscriptions + 1 {
			many = append(many, fmt.Sprintf(`"aidb://session/s%d"`, n))
		}
		p.send(listen("6", `"resourceSubscriptions":[`+strings.Join(many, ",")+`]`))
		if m := p.receive(); m.Error == nil || !strings.Contains(m.raw, "too many") {
			p.t.Errorf("a listener to everything: %s", m.raw)
		}
	})
}

// What a client does not take in now it is told when it does.
func TestSlowListenerIsToldLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		books := newShelf()
		defer books.sessions.Close(t.Context())
		slow, got := true, []string{}
		l := &listeners{resources: books, notify: func(method string, _ any) bool {
			if slow {
				return false
			}
			got = append(got, method)
			return true
		}}
		l.greet()
		l.startListChanges()
		if err := l.add(nil, "aidb://sessions", "aidb://sessions"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go l.follow(ctx)
		synctest.Wait()
		books.open(t, "go-1")
		time.Sleep(10 * time.Second)
		if !l.owes() {
			t.Error("nothing is owed")
		}
		l.mu.Lock() // under which it notifies
		if len(got) != 0 {
			t.Errorf("told %v", got)
		}
		slow = false
		l.mu.Unlock()
		time.Sleep(time.Second)
		cancel()
		synctest.Wait()
		if !slices.Equal(got, []string{listChanged, resourceUpdated}) || l.owes() {
			t.Errorf("told %v", got)
		}
	})
}

func TestPagesOfResources(t *testing.T) {
	books := newShelf()
	bubble(t, Options{Calls: callerFunc(echo), Resources: books}, func(p *peer) {
		defer books.sessions.Close(p.t.Context())
		p.initialize()
		for n := range 30 {
			books.open(p.t, fmt.Sprintf("s-%02d", n))
		}
		var page struct {
			Result struct {
				Resources  []struct{ URI string }
				NextCursor string
				TTLMs      *int
			}
		}
		var uris []string
		for id, cursor := 1, ""; ; id++ {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/list","params":{"cursor":%q}}`, id, cursor))
			m := p.receive()
			for m.Method != "" {
				m = p.receive()
			}
			page.Result.NextCursor = ""
			if err := json.NewDecoder(bytes.NewReader([]byte(m.raw))).Decode(&page); err != nil {
				p.t.Fatal(err)
			}
			if len(page.Result.Resources) > resourcePage || page.Result.TTLMs == nil || *page.Result.TTLMs != 0 {
				p.t.Errorf("a page is %s", m.raw)
			}
			for _, r := range page.Result.Resources {
				uris = append(uris, r.URI)
			}
			if cursor = page.Result.NextCursor; cursor == "" {
				break
			}
		}
		all := len(uris)
		slices.Sort(uris)
		if all != 2+30*5 || len(slices.Compact(uris)) != all {
			p.t.Errorf("%d resources are listed", all)
		}
		for id, cursor := range []string{"zzz!", toCursor(-1), toCursor(1 << 40)} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","method":"resources/list","params":{"cursor":%q}}`, id, cursor))
			m := p.receive()
			for m.Method != "" {
				m = p.receive()
			}
			if refused := m.Error != nil && m.Error.Code == -32602; refused != (id < 2) {
				p.t.Errorf("cursor %q: %s", cursor, m.raw)
			}
		}
	})
}

// The code for what is not there is that of the revision.
func TestUnknownResource(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo), Resources: newShelf()}, func(p *peer) {
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"aidb://session/go-9"}}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != -32002 || !strings.Contains(m.raw, `"data":{"uri":"aidb://session/go-9"}`) || !strings.Contains(m.raw, "no session has been started") {
			p.t.Errorf("answered %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"` + strings.Repeat("x", 100_000) + `"}}`)
		if m := p.receive(); m.Error == nil || len(m.raw) > 2000 {
			p.t.Errorf("answered %d bytes", len(m.raw))
		}
	})
	bubble(t, Options{Calls: callerFunc(echo), Resources: newShelf()}, func(p *peer) {
		p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"aidb://session/go-9",` + meta + `}}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.raw, `"data":{"uri":"aidb://session/go-9"}`) {
			p.t.Errorf("answered %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"aidb://config",` + meta + `}}`)
		m := p.receive()
		for _, part := range []string{`"ttlMs":0`, `"cacheScope":"private"`, `"mimeType":"application/json"`, `"uri":"aidb://config"`, `"resultType":"complete"`} {
			if !strings.Contains(m.raw, part) {
				p.t.Errorf("no %s in %s", part, m.raw)
			}
		}
	})
}

// Nothing is offered that is not there.
func TestWithoutResourcesAndPrompts(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"aidb://config"}}`)
		if m := p.receive(); m.Error == nil {
			p.t.Errorf("subscribed: %s", m.raw)
		}
	})
}

func TestPromptsOnTheWire(t *testing.T) {
	books := newShelf()
	notes := prompts.New(prompts.Options{Calls: shown{}, Sessions: books.sessions, Adapters: adapters.NewRegistry(building{}), Workspace: t.TempDir()})
	bubble(t, Options{Calls: callerFunc(echo), Prompts: notes, Resources: books}, func(p *peer) {
		defer books.sessions.Close(p.t.Context())
		p.initialize()
		for n, test := range []struct{ method, params, want string }{
			{"prompts/list", `{}`, `"arguments":[{"name":"session_id","description":"the session; without it the current one"}]`},
			{"prompts/get", `{"name":"explain_stop"}`, `"role":"user"`},
			{"prompts/get", `{"name":"explain_stp"}`, `"code":-32602,"message":"unknown prompt \"explain_stp\": did you mean explain_stop?"`},
			{"prompts/get", `{"name":"find_crash","arguments":{"language":"cobol"}}`, `"code":-32602`},
			{"completion/complete", `{"ref":{"type":"ref/prompt","name":"find_crash"},"argument":{"name":"language","value":"g"}}`, `{"completion":{"total":1,"values":["go"]}}`},
			{"completion/complete", `{"ref":{"type":"ref/prompt","name":"nobody"},"argument":{"name":"language","value":"g"}}`, `{"completion":{"values":[]}}`},
			{"completion/complete", `{"ref":{"type":"ref/resource","uri":"aidb://session/{id}"},"argument":{"name":"id","value":""}}`, `{"completion":{"values":[]}}`},
			{"completion/complete", `{"ref":{"type":"ref/resource","uri":"x://{id}"},"argument":{"name":"id","value":""}}`, `{"completion":{"values":[]}}`},
		} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, n, test.method, test.params))
			if m := p.receive(); !strings.Contains(m.raw, test.want) {
				p.t.Errorf("%s %s: %s", test.method, test.params, m.raw)
			}
		}
	})
}
