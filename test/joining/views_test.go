package joining

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

const viewExtension = "io.modelcontextprotocol/ui"

// draws declares that a client shows views.
func draws(o *mcp.ClientOptions) {
	o.Capabilities = &mcp.ClientCapabilities{}
	o.Capabilities.AddExtension(viewExtension, map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}})
}

// viewPolicy is what a client allows a view that asks for nothing.
const viewPolicy = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'`

// hostPage shows a view in a frame of its own, as a client does, and speaks its protocol. What
// the view asks of the client waits in asked; what it complains of in broken.
const hostPage = `window.asked = []; window.ready = false; window.broken = [];
const frame = document.createElement('iframe');
frame.sandbox = 'allow-scripts'; frame.style = 'width: 400px; height: 600px';
const tell = (m) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...m }, '*');
addEventListener('message', (e) => {
  if (e.source !== frame.contentWindow) return;
  const { id, method, params } = e.data;
  if (method === 'shown') { window.shown = params; return; }
  if (method === 'ui/initialize') {
    window.greeted = params;
    tell({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' }, hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } } } });
  } else if (method === 'ui/notifications/initialized') window.ready = true;
  else if (method === 'ui/notifications/size-changed') window.size = params;
  else if (id !== undefined) window.asked.push(e.data);
});
window.tell = tell;
frame.srcdoc = HTML;
document.body.replaceChildren(frame); true`

// spy is what a test adds to a view, to see it from outside: what it shows, and clicks.
const spy = `<script>addEventListener('message', (e) => { const m = e.data;
 if (m.method === 'test/look') parent.postMessage({ jsonrpc: '2.0', method: 'shown', params: { text: document.body.innerText, color: getComputedStyle(document.body).color, images: document.images.length, hacked: !!window.hacked } }, '*');
 if (m.method === 'test/click') [...document.querySelectorAll('summary, button')].find((b) => b.textContent.includes(m.params)).click();
 if (m.method.startsWith('test/')) e.stopImmediatePropagation(); });
addEventListener('securitypolicyviolation', (e) => { window.hacked = e.violatedDirective; });</script>`

// host is a client that shows a view.
type host struct {
	*browser
	t *testing.T
}

func newHost(t *testing.T, s *testkit.Server, uri string) *host {
	t.Helper()
	res, err := s.Client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil || len(res.Contents) != 1 || res.Contents[0].MIMEType != "text/html;profile=mcp-app" {
		t.Fatalf("%+v, %v", res, err)
	}
	html := strings.Replace(res.Contents[0].Text, `<meta charset="utf-8">`, `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`+viewPolicy+`">`+spy, 1)
	h := &host{newBrowser(t), t}
	h.do(chromedp.Navigate("about:blank"))
	run[bool](h.browser, strings.Replace(hostPage, "HTML", quote(html), 1))
	h.until(`window.ready`)
	return h
}

// give hands the result of a call to the view.
func (h *host) give(result *mcp.CallToolResult) {
	h.t.Helper()
	text, err := json.Marshal(result)
	if err != nil {
		h.t.Fatal(err)
	}
	run[bool](h.browser, `tell({ method: 'ui/notifications/tool-input', params: { arguments: {} } }); tell({ method: 'ui/notifications/tool-result', params: `+string(text)+` }); true`)
}

// sees waits until the view shows all of the texts.
func (h *host) sees(texts ...string) {
	h.t.Helper()
	for _, text := range texts {
		h.until(`(tell({ method: 'test/look' }), !!window.shown?.text.includes(` + quote(text) + `))`)
	}
}

// serve passes on what the view asks of the server, and gives the method of what else it asks.
func (h *host) serve(s *testkit.Server) (method string, params map[string]any) {
	h.t.Helper()
	h.until(`window.asked.length > 0`)
	var asked struct {
		ID     int
		Method string
		Params map[string]any
	}
	if err := json.Unmarshal([]byte(run[string](h.browser, `JSON.stringify(window.asked.shift())`)), &asked); err != nil {
		h.t.Fatal(err)
	}
	var result any = struct{}{}
	if asked.Method == "tools/call" {
		answered, err := s.Client.CallTool(h.t.Context(), &mcp.CallToolParams{Name: asked.Params["name"].(string), Arguments: asked.Params["arguments"]})
		if err != nil {
			h.t.Fatal(err)
		}
		result = answered
	}
	text, err := json.Marshal(map[string]any{"id": asked.ID, "result": result})
	if err != nil {
		h.t.Fatal(err)
	}
	run[bool](h.browser, `tell(`+string(text)+`); true`)
	return asked.Method, asked.Params
}

// ask calls a tool as an agent does.
func ask(t *testing.T, s *testkit.Server, tool string, args A) *mcp.CallToolResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.CallLimit)
	defer cancel()
	result, err := s.Client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A client shows what the tools have found in views: the stop with values that open, the chain
// of why, the table of trace; its model reads the text as without them.
func TestViewsInAClient(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("sum.py", `bad = "<img src=x onerror='window.hacked=1'>"
things = {"inner": [bad, 41]}
def add(a, b):
    total = a + b
    return total  # @mark stop
for i in range(6):
    add(i, 20)
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Client: draws, Replies: "default"})
	list, err := s.Client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]string{}
	for _, tool := range list.Tools {
		if uri, _ := tool.Meta["ui/resourceUri"].(string); uri != "" {
			views[tool.Name] = uri
		}
	}
	stopped := ask(t, s, "session_start", A{"target": "sum.py", "breakpoints": []string{p.At("sum.py", "stop")}, "show": []string{"things"}})
	if text := stopped.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(text, "stopped at breakpoint 1") || stopped.StructuredContent == nil {
		t.Errorf("the model reads %s", text)
	}
	if looked := ask(t, s, "inspect", A{"target": "locals"}); looked.StructuredContent != nil {
		t.Error("a reply that nothing draws has data beside its text")
	}
	stop := newHost(t, s, views["session_start"])
	stop.give(stopped)
	stop.sees("stopped at breakpoint", p.At("sum.py", "stop"), "total", "20", "add")
	if run[string](stop.browser, `window.shown.color`) != "rgb(1, 2, 3)" || run[string](stop.browser, `window.greeted.protocolVersion`) != "2026-01-26" {
		t.Error("the view does not look as its client does")
	}
	stop.until(`window.size?.height > 100`)
	run[bool](stop.browser, `tell({ method: 'test/click', params: 'Watch and take over' }); true`)
	if method, params := stop.serve(s); method != "tools/call" || params["name"] != "view" {
		t.Errorf("the view asks %s %v", method, params)
	}
	if method, params := stop.serve(s); method != "ui/open-link" || !strings.Contains(params["url"].(string), "#link=") {
		t.Errorf("the view asks %s %v", method, params)
	}
	stop.give(ask(t, s, "execute", A{"action": "continue"}))
	stop.sees("21")

	why := newHost(t, s, views["why"])
	why.give(ask(t, s, "why", A{"expression": "total"}))
	why.sees("total = a + b", "sum.py:4")
	trace := newHost(t, s, views["trace"])
	trace.give(ask(t, s, "trace", A{"target": "sum.py", "what": "values", "location": p.At("sum.py", "stop"), "expressions": []string{"total", "bad"}}))
	trace.sees("25", "<img src=x")
	failed := newHost(t, s, views["attempt"])
	failed.give(ask(t, s, "attempt", A{"action": "apply"}))
	failed.sees("AIDB_")
	for _, h := range []*host{stop, why, trace, failed} {
		if run[bool](h.browser, `window.shown.hacked || window.shown.images > 0`) {
			t.Error("something of the program ran, or the client's rules were broken")
		}
		h.isQuiet()
	}
}

// The values inside of one are asked for when it is opened, and the model learns nothing of it.
func TestAViewOpensValues(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("deep.py", "def f():\n    things = {'inner': ['first', 41], 'text': '<b>bold</b>'}\n    return things  # @mark stop\n\n\nf()\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Client: draws, Replies: "default"})
	stopped := ask(t, s, "session_start", A{"target": "deep.py", "breakpoints": []string{p.At("deep.py", "stop")}})
	h := newHost(t, s, "ui://aidb/stop")
	h.give(stopped)
	h.sees("things")
	run[bool](h.browser, `tell({ method: 'test/click', params: 'things' }); true`)
	if method, params := h.serve(s); method != "tools/call" || params["name"] != "view" {
		t.Fatalf("the view asks %s %v", method, params)
	}
	h.sees("<b>bold</b>")
	run[bool](h.browser, `tell({ method: 'test/click', params: "'inner' = " }); true`)
	h.serve(s)
	h.sees("41")
	if told := ask(t, s, "context", A{"detail_level": "full"}).Content[0].(*mcp.TextContent).Text; strings.Contains(told, "view") {
		t.Errorf("the model is told of what a view has asked:\n%s", told)
	}
	ask(t, s, "execute", A{"action": "continue"})
	late := ask(t, s, "view", A{"session_id": "python-1", "ref": 1})
	if !late.IsError || !strings.Contains(late.Content[0].(*mcp.TextContent).Text, "AIDB_") {
		t.Errorf("of a program that has gone on a view is told %+v", late)
	}
	h.isQuiet()
}

// A client that opens pages for its person does it at session(show), and its model is not given
// the address; where the person does not want it, it is.
func TestShowOpensThePage(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", ""} {
		for _, action := range []string{"accept", "decline"} {
			t.Run(revision+action, func(t *testing.T) {
				t.Parallel()
				if (revision != "") == (action == "decline") {
					testkit.Long(t, "an answer means the same in each revision")
				}
				p := testkit.NewProgram(t, "")
				l := tongues[0]
				p.Write(l.file, l.text)
				var given string
				s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: revision, Client: func(o *mcp.ClientOptions) {
					o.Capabilities = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}}
					o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						given = r.Params.URL
						return &mcp.ElicitResult{Action: action}, nil
					}
				}})
				s.OK("session_start", A{"target": l.target, "breakpoints": []string{p.At(l.file, "stop")}})
				r := s.OK("session", A{"action": "show"})
				if !strings.Contains(given, "#link=") {
					t.Fatalf("the client was given %q", given)
				}
				if page := r.At("data", "page"); (page == "") != (action == "accept") {
					t.Errorf("after %s the model is given %q", action, page)
				}
				r.Has("aidbToken")
				b := newBrowser(t)
				b.do(chromedp.Navigate(given))
				b.shows("values-pane", "total = 21")
				b.isQuiet()
			})
		}
	}
}
