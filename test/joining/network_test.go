package joining

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// network passes connections on to an address, until it is cut.
type network struct {
	net.Listener
	mu    sync.Mutex // guards the fields below
	to    string
	cut   chan struct{} // closed while nothing is held up
	conns []net.Conn
	down  bool
}

func newNetwork(t *testing.T) *network {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{Listener: l, cut: make(chan struct{})}
	close(n.cut)
	t.Cleanup(func() { _ = l.Close(); n.hangUp() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			n.pass(near)
		}
	}()
	return n
}

// pass joins a connection with another of its own.
func (n *network) pass(near net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	far, err := net.Dial("tcp", n.to)
	if err != nil || n.down {
		_ = near.Close()
		return
	}
	n.conns = append(n.conns, near, far)
	go n.copy(near, far)
	go n.copy(far, near)
}

func (n *network) copy(to, from net.Conn) {
	part := make([]byte, 32<<10)
	for {
		k, err := from.Read(part)
		n.mu.Lock()
		whole := n.cut
		n.mu.Unlock()
		<-whole
		if _, e := to.Write(part[:k]); e != nil || err != nil {
			_, _ = to.Close(), from.Close()
			return
		}
	}
}

// hold lets nothing through until the function is called that it gives.
func (n *network) hold() (release func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	cut := make(chan struct{})
	n.cut = cut
	return func() { close(cut) }
}

// hangUp ends all connections.
func (n *network) hangUp() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		_ = c.Close()
	}
	n.conns = nil
}

func (n *network) setDown(down bool) {
	n.mu.Lock()
	n.down = down
	n.mu.Unlock()
	if down {
		n.hangUp()
	}
}

// A page whose network is held up, or goes and comes back, shows where things stand and all
// that has happened meanwhile, once; who held the session holds it still.
func TestThePageOutlivesACut(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	g := newGateway(t, "--page=http://"+n.Addr().String())
	gate, err := url.Parse(g.Address())
	if err != nil {
		t.Fatal(err)
	}
	n.to = gate.Host
	s, p := g.stopped(t, adas)
	b := newBrowser(t)
	b.open(s)
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))

	release := n.hold()
	s.OK("step", A{})
	s.OK("inspect", A{"expression": "total + 1000"})
	if now := b.text(stopLine); now != strconv.Itoa(p.Line("stop")) {
		t.Fatalf("the network is not held up: line %s", now)
	}
	release()
	b.shows(stopLine, strconv.Itoa(p.Line("next")))
	b.shows("timeline-pane", "1021")

	b.click("Take")
	b.shows("controls-bar", "you hold the session")
	n.setDown(true)
	b.shows("#notice", "it is tried again")
	for i := range 5 {
		s.OK("inspect", A{"expression": fmt.Sprintf("total + %d", 2000+i)})
	}
	s.Fail("HELD_BY_PERSON", "step", A{}).Has("has left: it ends in")
	n.setDown(false)
	b.until(`document.querySelector('#notice').hidden`)
	for i := range 5 {
		b.shows("timeline-pane", strconv.Itoa(2021+i))
	}
	shown := run[[]int](b, `[...document.querySelectorAll('timeline-pane article')].map((a) => Number(a.dataset.n))`)
	if sorted := slices.Compact(slices.Sorted(slices.Values(shown))); !slices.Equal(sorted, shown) {
		t.Errorf("events are shown twice, or not in their order: %v", shown)
	}
	b.shows("controls-bar", "you hold the session")
	b.click("Give back")
	b.shows("controls-bar", "the agent drives")
	s.OK("execute", A{"action": "continue"}).Has("got 43")
}

// A page of 10,000 events takes in one more within a moment.
func TestThePageOf10000Events(t *testing.T) {
	t.Parallel()
	s, _ := tongues[0].start(t)
	b := newBrowser(t)
	b.open(s)
	b.shows("timeline-pane", "session_start")
	const all, each = `window.many = async (n) => {
  const m = document.querySelector('timeline-pane').model;
  const picture = () => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
  const begun = performance.now();
  const events = [];
  for (let i = 0; i < n; i++) {
    const at = new Date().toISOString(), k = m.seen + events.length + 1;
    events.push(i % 2 ? { n: k, at, by: { kind: 'agent' }, kind: 'reply', reply: { call: k - 1, tool: 'step', ok: true, summary: 'stepped ' + i, text: 'line '.repeat(60), took: 1e6 } }
      : { n: k, at, by: { kind: 'agent' }, kind: 'call', call: { tool: 'step', what: 'over', args: '{}' } });
  }
  for (let i = 0; i < n; i += 500) m.take({ events: events.slice(i, i + 500) });
  await picture();
  return performance.now() - begun;
}`, `(async () => { const took = []; for (let i = 0; i < 20; i++) took.push(await window.many(2)); took.sort((a, b) => a - b); window.one = took[10]; })(); true`
	run[bool](b, all+`; `+each)
	b.until(`window.one > 0`)
	few := run[float64](b, `window.one`) // on a page with few events, by this machine as it is now
	run[bool](b, `window.one = 0; (async () => { window.whole = await window.many(10000); })(); true`)
	b.until(`window.whole > 0`)
	run[bool](b, `window.one = 0; `+each)
	b.until(`window.one > 0`)
	whole, one := run[float64](b, `window.whole`), run[float64](b, `window.one`)
	t.Logf("10,000 events are drawn in %.0f ms, one call more in %.1f ms, on a page of few events in %.1f ms", whole, one, few)
	if whole > 10_000 || one > max(4*few+50, whole/5) { // a busy machine draws less of all, but few of no more than two pictures
		t.Errorf("10,000 events take %.0f ms, one call more %.1f ms, on a page of few events %.1f ms", whole, one, few)
	}
	if rows := run[int](b, `document.querySelectorAll('timeline-pane article').length`); rows < 4000 || rows > 10_000 {
		t.Errorf("%d rows are shown", rows)
	}
	b.isQuiet()
}

// Twenty who watch cost the server next to nothing at a step of the agent. What is measured is
// the processor's time: how long a step takes depends on what else runs.
func TestStepsWith20Observers(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module loop\n\ngo 1.24\n")
	p.Write("main.go", "package main\n\nfunc main() {\n\ttotal := 0 // @mark start\n\tfor i := range 1_000_000 {\n\t\ttotal += i\n\t}\n\tprintln(total)\n}\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "breakpoints": []string{p.At("main.go", "start")}})
	steps := func() time.Duration {
		const times = 60
		before := processorTime(t, s.PID())
		for range times {
			s.OK("step", A{})
		}
		return (processorTime(t, s.PID()) - before) / times
	}
	alone := steps()
	link := s.OK("session", A{"action": "show"}).At("data", "page")
	base, fragment, _ := strings.Cut(link, "#")
	given, err := url.ParseQuery(fragment)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(base+"api/enter", "application/json", strings.NewReader(`{"link":`+quote(given.Get("link"))+`}`))
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", r, err)
	}
	_ = r.Body.Close()
	var read sync.WaitGroup
	streams := make([]io.Closer, 0, 20)
	for range 20 {
		ask, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"api/sessions/go-1/events", nil)
		ask.AddCookie(r.Cookies()[0])
		res, err := http.DefaultClient.Do(ask)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", res, err)
		}
		streams = append(streams, res.Body)
		read.Go(func() { _, _ = io.Copy(io.Discard, res.Body) })
	}
	watched := steps()
	for _, stream := range streams {
		_ = stream.Close()
	}
	read.Wait()
	again := steps()
	t.Logf("a step costs the server %v alone, %v with 20 observers, %v alone again", alone, watched, again)
	if extra := watched - max(alone, again); extra > 5*time.Millisecond { // about 1 ms
		t.Errorf("20 observers cost the server %v more at each step", extra)
	}
}

// processorTime is what a process has had of the processors, in steps of 10 ms.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // from the state on
	user, _ := strconv.Atoi(fields[11])
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
