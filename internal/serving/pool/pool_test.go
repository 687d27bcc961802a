package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool/pooltest"
	"aidb-mcp/internal/system/process"
)

func TestMain(m *testing.M) {
	pooltest.Work()
	os.Exit(m.Run())
}

const patience = 30 * time.Second

// client is one at a seat.
type client struct {
	*ClientSlot
	t     *testing.T
	heard chan frame.Frame
	n     int
}

func newPool(t *testing.T, o Options) *Pool {
	o.Command, o.Env = []string{os.Args[0]}, os.Environ()
	p := New(o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		p.Close(ctx)
	})
	return p
}

func sit(t *testing.T, p *Pool, principal string) *client {
	c := &client{t: t, heard: make(chan frame.Frame, 100_000)}
	c.ClientSlot = p.Seat(principal, func(f frame.Frame) { c.heard <- f })
	t.Cleanup(c.Close)
	return c
}

func parse(t *testing.T, text string) frame.Frame {
	t.Helper()
	f, err := frame.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// send asks without waiting for the answer.
func (c *client) send(method, params string) *fault.Error {
	c.t.Helper()
	c.n++
	return c.Ask(c.t.Context(), parse(c.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.n, method, params)))
}

// ask asks and waits for the answer; what comes before it is dropped.
func (c *client) ask(method, params string) frame.Frame {
	c.t.Helper()
	if refused := c.send(method, params); refused != nil {
		c.t.Fatalf("%s: %s (%s)", method, refused.Message, refused.Code)
	}
	return c.answer()
}

func (c *client) answer() frame.Frame {
	c.t.Helper()
	for {
		if f := c.next(); f.Kind() == frame.Answer {
			return f
		}
	}
}

func (c *client) next() frame.Frame {
	c.t.Helper()
	select {
	case f := <-c.heard:
		return f
	case <-time.After(patience):
		c.t.Fatal("nothing comes")
		return frame.Frame{}
	}
}

func code(f frame.Frame) string { return f.Text("error", "data", "code") }

func TestFramesPassAsTheyAre(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	line := `{"x":1.10,"jsonrpc":"2.0","id":18446744073709551615,"method":"echo","params":{"n":1e400}}`
	if refused := c.Ask(t.Context(), parse(t, line)); refused != nil {
		t.Fatal(refused)
	}
	reply := c.answer()
	if reply.Text("result", "line") != line || string(reply.ID()) != "18446744073709551615" || reply.Text("result", "principal") != "ada" {
		t.Errorf("%s", reply.Bytes())
	}
	if got := string(c.ask("half", "{}").Get("result", "big")); got != "18446744073709551615" {
		t.Errorf("a line in pieces: %s", got)
	}
}

func TestEachSeatHasItsOwnWorker(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{})
	a, b := sit(t, p, "ada"), sit(t, p, "ada")
	if one, two := a.ask("echo", "{}").Text("result", "worker"), b.ask("echo", "{}").Text("result", "worker"); one == two {
		t.Errorf("both have %s", one)
	}
	a.ask("die", "{}")
	if status := p.Status(); status.Workers != 1 {
		t.Errorf("%+v", status)
	}
	if b.ask("echo", "{}").Get("result") == nil {
		t.Error("another's crash harmed it")
	}
}

func TestACrashAnswersWhoWaits(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	hello := `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{}}`
	if refused := c.Ask(t.Context(), parse(t, hello)); refused != nil {
		t.Fatal(refused)
	}
	first := c.answer().Text("result", "worker")
	c.Greeted(parse(t, hello), parse(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	c.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	if c.send("tools/call", `{"name":"late"}`) != nil || c.send("die", "{}") != nil {
		t.Fatal("refused")
	}
	for range 2 {
		reply := string(c.answer().Bytes())
		if !strings.Contains(reply, "AIDB_WORKER_CRASHED") || !strings.Contains(reply, "exit code 3") || !strings.Contains(reply, "go-1") {
			t.Error(reply)
		}
	}
	reply := c.ask("echo", "{}") // the new worker has been greeted, and nobody heard of it
	if next := reply.Text("result", "worker"); next == "" || next == first {
		t.Errorf("%s", reply.Bytes())
	}
	call := parse(t, `{"jsonrpc":"2.0","id":"t","method":"tools/call","params":{"name":"die"}}`)
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = c.Ask(context.Background(), parse(t, `{"jsonrpc":"2.0","id":"d","method":"die"}`))
	}()
	if refused := c.Ask(t.Context(), call); refused != nil {
		t.Fatal(refused)
	}
	reply = c.answer()
	if reply.Text("result", "structuredContent", "error", "code") != "AIDB_WORKER_CRASHED" || string(reply.Get("result", "isError")) != "true" {
		t.Errorf("a tool's call fails as a tool does: %s", reply.Bytes())
	}
}

func TestACrashWhileNobodyWaitsIsToldOnce(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	c.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	c.ask("die", "{}") // no call of a tool: a program that heard of it would not tell its model
	if refused := c.send("tools/call", `{"name":"echo"}`); refused == nil || !strings.Contains(refused.Message, "go-1") {
		t.Errorf("%+v", refused)
	}
	if reply := c.ask("tools/call", `{"name":"echo"}`); reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
}

// What a client follows, and how much it wants logged, a new worker is told.
func TestAWishOutlivesItsWorker(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	c.Greeted(parse(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`), parse(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	for _, uri := range []string{"a", "b"} {
		c.ask("resources/subscribe", `{"uri":"`+uri+`"}`)
	}
	c.ask("resources/unsubscribe", `{"uri":"a"}`)
	c.ask("logging/setLevel", `{"level":"info"}`)
	c.ask("logging/setLevel", `{"level":"error"}`)
	c.ask("resources/subscribe", `{"uri":"refused"}`)
	c.ask("die", "{}")
	if got := c.ask("wishes", "{}").Text("result", "wishes"); got != `logging/setLevel {"level":"error"} resources/subscribe {"uri":"b"} ` {
		t.Errorf("the new worker was told %q", got)
	}
}

func TestItIsGivenUpAndTriedAgain(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Restarts: 2, Window: 4 * time.Second, Backoff: time.Millisecond})
	c := sit(t, p, "ada")
	for range 2 {
		if reply := c.ask("die", "{}"); !strings.Contains(reply.Text("error", "data", "hint"), "new worker") {
			t.Errorf("%s", reply.Bytes())
		}
	}
	if reply := c.ask("die", "{}"); !strings.Contains(reply.Text("error", "message"), "more than 2 times") {
		t.Errorf("%s", reply.Bytes())
	}
	refused := c.send("echo", "{}")
	if refused == nil || refused.Code != fault.WorkerCrashed || !strings.Contains(refused.Hint, "tries again") {
		t.Fatalf("%+v", refused)
	}
	if p.Status().GivenUp != 1 {
		t.Errorf("%+v", p.Status())
	}
	for end := time.Now().Add(patience); ; {
		if refused = c.send("echo", "{}"); refused == nil || time.Now().After(end) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if refused != nil {
		t.Fatal(refused)
	}
}

func TestACommandThatDoesNotExist(t *testing.T) {
	t.Parallel()
	p := New(Options{Command: []string{"/no/such/server"}})
	defer p.Close(t.Context())
	refused := sit(t, p, "ada").send("echo", "{}")
	if refused == nil || refused.Code != fault.WorkerCrashed || !strings.Contains(refused.Message, "/no/such/server") {
		t.Errorf("%+v", refused)
	}
}

func TestACommandThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"true"}, {"sh", "-c", "echo nonsense; exit 3"}} {
		p := New(Options{Command: command})
		defer p.Close(t.Context())
		reply := sit(t, p, "ada").ask("initialize", "{}")
		if code(reply) != "AIDB_WORKER_CRASHED" || !strings.Contains(reply.Text("error", "message"), "ended") {
			t.Errorf("%q: %s", command, reply.Bytes())
		}
	}
}

func TestGarbageIsPassedOver(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{MaxLine: 1 << 20}), "ada")
	if reply := c.ask("garbage", "{}"); reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
	if reply := c.ask("flood", "{}"); reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestOneThatClosesItsOutputHasEnded(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	if reply := c.ask("close", "{}"); code(reply) != "AIDB_WORKER_CRASHED" {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestALongCallIsGivenUp(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{Call: 200 * time.Millisecond, Grace: 300 * time.Millisecond}), "ada")
	worker := c.ask("echo", "{}").Text("result", "worker")
	if reply := c.ask("late", "{}"); code(reply) != "AIDB_WORKER_TIMEOUT" {
		t.Errorf("%s", reply.Bytes())
	}
	if again := c.ask("echo", "{}").Text("result", "worker"); again != worker {
		t.Errorf("a worker that lives was restarted: %s, then %s", worker, again)
	}
	if reply := c.ask("hang", "{}"); code(reply) != "AIDB_WORKER_TIMEOUT" {
		t.Errorf("%s", reply.Bytes())
	}
	reply := c.ask("echo", "{}")
	for end := time.Now().Add(patience); reply.Get("error") != nil && time.Now().Before(end); {
		reply = c.ask("echo", "{}") // those before it were in the old one's queue
	}
	if again := reply.Text("result", "worker"); again == worker || again == "" {
		t.Errorf("a worker that hangs was not restarted: %s", reply.Bytes())
	}
}

func TestAHandshakeHasALimit(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Start: 100 * time.Millisecond})
	c := sit(t, p, "ada")
	c.ask("echo", "{}")
	if c.send("hang", "{}") != nil {
		t.Fatal("refused")
	}
	if reply := c.ask("initialize", "{}"); code(reply) != "AIDB_WORKER_TIMEOUT" {
		t.Errorf("%s", reply.Bytes())
	}
	if reply := c.answer(); code(reply) != "AIDB_WORKER_CRASHED" {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestTheQueueHasABound(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{Queue: 2}), "ada")
	for range 2 {
		if refused := c.send("late", "{}"); refused != nil {
			t.Fatal(refused)
		}
	}
	if refused := c.send("echo", "{}"); refused == nil || refused.Code != fault.WorkerLimit {
		t.Errorf("%+v", refused)
	}
	c.n = 0
	if refused := c.send("echo", "{}"); refused == nil || refused.Code != fault.InvalidParam {
		t.Errorf("two calls of one id: %+v", refused)
	}
}

func TestPlacesAreFair(t *testing.T) {
	t.Parallel()
	p := newPlaces(2)
	take := func(ctx context.Context, who string) error { return p.await(ctx, p.ask(who, 0)) }
	if err := errors.Join(take(t.Context(), "ada"), take(t.Context(), "ada")); err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 3)
	var waiting sync.WaitGroup
	for i, who := range []string{"ada", "ada", "bob"} {
		waiting.Go(func() {
			if take(t.Context(), who) == nil {
				order <- who
			}
		})
		for p.countWaiting() != i+1 {
			time.Sleep(time.Millisecond)
		}
	}
	p.leave("ada", false)
	if first := <-order; first != "bob" {
		t.Errorf("%s came first, who has one already", first)
	}
	p.leave("ada", false)
	p.leave("bob", false)
	waiting.Wait()
	full, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if take(full, "eve") == nil || p.countWaiting() != 0 {
		t.Error("there is a third place")
	}
}

// Whoever comes while all places are taken by workers that rest gets one, however
// many come at once; those who have most give first.
func TestPlacesOfThoseWhoRestAreShared(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 3, Wait: patience})
	rests := func(who string) *client {
		c := sit(t, p, who)
		c.ask("sessions", "[]")
		return c
	}
	keeps := rests("bob")
	rests("ada")
	rests("ada")
	worker := keeps.ask("echo", "{}").Text("result", "worker") // rests the shortest, should the second come late
	var both sync.WaitGroup
	for _, who := range []string{"eve", "zoe"} {
		c := sit(t, p, who)
		both.Go(func() {
			if refused := c.send("late", "{}"); refused != nil {
				t.Errorf("%s: %s", who, refused.Message)
			}
		})
	}
	both.Wait()
	if again := keeps.ask("echo", "{}").Text("result", "worker"); again != worker {
		t.Errorf("the only worker of a principal was ended, and those of one with two were there")
	}
}

// A place that is given up by who asks for all goes to who has none; what works is
// left alone.
func TestWhoAsksForAllGetsAShare(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 3, Wait: patience})
	var of []*client
	for range 3 {
		c := sit(t, p, "ada")
		c.ask("sessions", `[{"id":"go-1","language":"go"}]`)
		of = append(of, c)
	}
	order := make(chan string, 3)
	var waiting sync.WaitGroup
	for i, who := range []string{"ada", "ada", "bob"} {
		c := sit(t, p, who)
		waiting.Go(func() {
			if refused := c.send("late", "{}"); refused != nil {
				t.Errorf("%s: %s", who, refused.Message)
			}
			order <- who
		})
		for p.Status().Waiting != i+1 {
			time.Sleep(time.Millisecond)
		}
	}
	of[0].ask("sessions", "[]") // its session has ended
	if first := <-order; first != "bob" {
		t.Errorf("%s came first, who has two already", first)
	}
	for i, c := range of[1:] { // these work, and keep their places until they are closed
		if status := p.Status(); status.Waiting != 2-i || status.Workers != 3 {
			t.Errorf("%+v", status)
		}
		c.Close()
		<-order
	}
	waiting.Wait()
}

func TestAPlaceIsWaitedFor(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 1, Wait: 200 * time.Millisecond})
	a, b := sit(t, p, "ada"), sit(t, p, "bob")
	a.ask("echo", "{}")
	if refused := b.send("echo", "{}"); refused == nil || refused.Code != fault.WorkerLimit || !strings.Contains(refused.Message, "all 1 workers") {
		t.Errorf("%+v", refused)
	}
}

func TestAWorkerThatRestsGivesItsPlace(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Workers: 1, Wait: patience})
	a, b := sit(t, p, "ada"), sit(t, p, "bob")
	a.ask("sessions", "[]") // it has nothing to lose, and says so
	if refused := b.send("echo", "{}"); refused != nil {
		t.Errorf("a worker that rests was not ended for it: %s", refused.Message)
	}
}

func TestAnIdleWorkerEnds(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{Idle: 50 * time.Millisecond})
	c := sit(t, p, "ada")
	child := c.ask("fork", "{}")
	for end := time.Now().Add(patience); p.Status().Workers > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	var pid int
	if err := json.Unmarshal(child.Get("result", "child"), &pid); err != nil || !process.Gone(pid) {
		t.Errorf("what it had started still runs: %d, %v", pid, err)
	}
	if c.ask("echo", "{}").Get("result") == nil {
		t.Error("no new worker")
	}
}

func TestAnswersReachOnlyWhoAsked(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{}), "ada")
	if refused := c.send("ask", "{}"); refused != nil {
		t.Fatal(refused)
	}
	if question := c.next(); question.Method() != "sampling/createMessage" {
		t.Fatalf("%s", question.Bytes())
	}
	reply := parse(t, `{"jsonrpc":"2.0","id":"question","result":{"model":"m"}}`)
	c.Tell(reply)
	if heard := c.answer(); heard.Text("result", "line") != string(reply.Bytes()) {
		t.Errorf("%s", heard.Bytes())
	}
	c.Tell(reply) // nobody asks any more
	if heard := c.ask("echo", "{}"); !strings.Contains(heard.Text("result", "line"), "echo") {
		t.Errorf("%s", heard.Bytes())
	}
}

func TestAWorkerThatGrowsIsEnded(t *testing.T) {
	t.Parallel()
	c := sit(t, newPool(t, Options{Memory: 200 << 20}), "ada")
	reply := c.ask("grow", "{}")
	if code(reply) != "AIDB_WORKER_LIMIT" || !strings.Contains(reply.Text("error", "message"), "MiB of memory, of which 200 are allowed") {
		t.Errorf("%s", reply.Bytes())
	}
}
