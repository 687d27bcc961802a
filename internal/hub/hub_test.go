package hub

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/internal/fault"
)

// read reads what is there for an observer now.
func read(t *testing.T, o *Observer) (events []Event, lost int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		some, l, err := o.Next(ctx)
		if err != nil {
			return events, lost
		}
		events, lost = append(events, some...), lost+l
	}
}

func observe(t *testing.T, h *Hub) (*Observer, Snapshot) {
	t.Helper()
	o, s, err := h.Observe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.End)
	return o, s
}

func TestLateObserverBeginsWithASnapshot(t *testing.T) {
	h := New()
	h.SetState(Program, State{Epoch: 1, Status: "running"})
	h.SetBreakpoints(Agent, []Breakpoint{{ID: 1, Line: 7, Enabled: true}})
	h.SetState(Program, State{Epoch: 2, Status: "stopped_at_breakpoint", Stopped: true})
	h.SetView(View{Epoch: 2, Stack: []Frame{{Function: "add", Line: 7}}})
	h.SetView(View{Epoch: 1, Stack: []Frame{{Function: "late"}}})
	o, s := observe(t, h)
	if s.State.Epoch != 2 || s.View == nil || s.View.Stack[0].Function != "add" || len(s.Breakpoints) != 1 || s.Breakpoints[0].By != Agent {
		t.Errorf("%+v", s)
	}
	h.SetState(Agent, State{Epoch: 3, Status: "running"})
	events, lost := read(t, o)
	if len(events) != 1 || lost != 0 || events[0].N != s.N+1 || events[0].State.Epoch != 3 {
		t.Errorf("%+v, %d lost", events, lost)
	}
	if h.Snapshot().View != nil {
		t.Error("a program that runs on has the view of a stop")
	}
	o2, _, _ := h.ObserveAfter(0)
	defer o2.End()
	if events, lost := read(t, o2); len(events) != int(s.N)+1 || lost != 0 {
		t.Errorf("%d events, %d lost", len(events), lost)
	}
}

func TestBreakpointsHaveTheirAuthor(t *testing.T) {
	h := New()
	o, _ := observe(t, h)
	h.SetBreakpoints(Agent, []Breakpoint{{ID: 1, Line: 7}})
	h.SetBreakpoints(Person{"ada", "k"}.Author(), []Breakpoint{{ID: 1, Line: 7}, {ID: 2, Line: 9}})
	h.SetBreakpoints(Program, []Breakpoint{{ID: 2, Line: 10, Bound: true}, {ID: 3}})
	h.SetBreakpoints(Agent, []Breakpoint{{ID: 2, Line: 10, Bound: true}})
	var told []string
	events, _ := read(t, o)
	for _, e := range events {
		told = append(told, fmt.Sprint(e.By.Kind, " ", e.Breakpoint.What, " ", e.Breakpoint.ID, " of ", e.Breakpoint.By.Kind))
	}
	want := "agent set 1 of agent, person set 2 of person, program changed 2 of person, agent removed 1 of agent"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A slow observer loses events and is told how many; what is kept stays bounded.
func TestSlowObserverLosesDetail(t *testing.T) {
	h := New()
	o, _ := observe(t, h)
	const sent = 30_000
	for i := range sent {
		h.AddCall(Call{Tool: "step", Args: fmt.Sprint(i)})
	}
	events, lost := read(t, o)
	if len(events)+lost != sent || lost == 0 || events[len(events)-1].N != sent {
		t.Errorf("%d events and %d lost of %d", len(events), lost, sent)
	}
	for i := 1; i < len(events); i++ {
		if events[i].N <= events[i-1].N {
			t.Fatal("out of order")
		}
	}
	for range 100 {
		h.AddReply(Reply{Text: strings.Repeat("x", 1<<20)})
		h.Print("stdout", []byte(strings.Repeat("é", 1<<20)))
	}
	if h.bytes > mostBytes || len(h.events) > mostEvents {
		t.Errorf("keeps %d bytes in %d events", h.bytes, len(h.events))
	}
}

// Output that floods pushes out output, not what the agent did.
func TestFloodOfOutput(t *testing.T) {
	h := New()
	call := h.AddCall(Call{Tool: "execute"})
	for i := range 3000 {
		h.Print([]string{"stdout", "stderr"}[i%2], []byte(strings.Repeat("line\n", 2000)))
	}
	if events, _ := h.Events(0, 1); len(events) != 1 || events[0].N != call {
		t.Errorf("%+v", events)
	}
}

func TestOutputIsGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New()
		o, _ := observe(t, h)
		for range 1000 {
			h.Print("stdout", []byte("a\n"))
		}
		h.SetState(Program, State{Epoch: 1})
		h.Print("stderr", []byte("b\n"))
		time.Sleep(outputEvery)
		synctest.Wait()
		events, _ := read(t, o)
		if len(events) != 3 || events[0].Output == nil || len(events[0].Output.Text) != 2000 || events[1].State == nil || events[2].Output.Text != "b\n" {
			t.Errorf("%+v", events)
		}
	})
}

func TestTakeAndGive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New()
		ada, leave, err := h.Arrive("ada", "")
		if err != nil {
			t.Fatal(err)
		}
		bob, leaveBob, _ := h.Arrive("ada", "")
		defer leaveBob()
		if bob.Name != "ada 2" {
			t.Errorf("two persons are called %s and %s", ada.Name, bob.Name)
		}
		acted := h.Acted(t.Context())
		if err := h.Take(ada); err != nil {
			t.Fatal(err)
		}
		select {
		case <-acted:
		default:
			t.Error("the agent was not woken")
		}
		for what, err := range map[string]error{"agent": h.CheckAgent(), "bob": h.CheckPerson(bob), "take": h.Take(bob), "give": h.Give(bob)} {
			if !fault.Is(err, fault.HeldByPerson) || !strings.Contains(err.Error(), "ada has held") {
				t.Errorf("%s: %v", what, err)
			}
		}
		leave()
		time.Sleep(absence - time.Second)
		again, leave, _ := h.Arrive("ada", "")
		time.Sleep(absence)
		if again != ada || h.CheckPerson(ada) != nil {
			t.Errorf("%v came back, and does not hold it any more", again)
		}
		leave()
		time.Sleep(absence + time.Second)
		synctest.Wait()
		if err := h.CheckAgent(); err != nil {
			t.Error("a minute after leaving", err)
		}
		did, forgotten := h.TakeDid(t.Context())
		if len(did) != 2 || forgotten != 0 || did[0].Did != "took the session" || !strings.HasPrefix(did[1].Did, "left") {
			t.Errorf("%+v", did)
		}
		if did, _ := h.TakeDid(t.Context()); did != nil {
			t.Error("told twice", did)
		}
	})
}

// A reply waits for the act that has woken its call.
func TestReplyWaitsForAnAct(t *testing.T) {
	h := New()
	p, leave, _ := h.Arrive("ada", "")
	defer leave()
	act, done := h.Acting(t.Context(), true)
	select {
	case <-h.Acted(t.Context()):
	default:
		t.Error("an agent would wait while a person acts")
	}
	if h.Acted(act) != nil {
		t.Error("a person's own act ends their wait")
	}
	time.AfterFunc(time.Millisecond, func() { h.Record(p, "stepped", ""); done() })
	if did, _ := h.TakeDid(t.Context()); len(did) != 1 {
		t.Errorf("%+v", did)
	}
	for i := range mostDid + 5 {
		h.Record(p, fmt.Sprint(i), "")
	}
	if did, forgotten := h.TakeDid(t.Context()); len(did) != mostDid || forgotten != 5 || did[0].Did != "5" {
		t.Errorf("%d acts, %d forgotten", len(did), forgotten)
	}
}

func TestQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New()
		if _, a, err := h.Ask(t.Context(), "is anybody there?"); a != nil || err != nil {
			t.Error(a, err)
		}
		p, leave, _ := h.Arrive("ada", "")
		defer leave()
		if err := h.Answer(p, 0, "now I am"); err != nil {
			t.Error(err)
		}
		if did, _ := h.TakeDid(t.Context()); len(did) != 1 || did[0].Text != "now I am" || did[0].Did != "answered: is anybody there?" {
			t.Errorf("%+v", did)
		}
		go func() {
			synctest.Wait()
			if err := h.Answer(p, 2, "yes"); err != nil {
				t.Error(err)
			}
		}()
		q, a, err := h.Ask(t.Context(), "still?")
		if err != nil || a == nil || a.Text != "yes" || q.ID != 2 {
			t.Error(q, a, err)
		}
		if did, _ := h.TakeDid(t.Context()); did != nil {
			t.Error("the answer was the reply already", did)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, a, _ := h.Ask(ctx, "and now?"); a != nil {
			t.Error(a)
		}
		if s := h.Snapshot(); len(s.Questions) != 1 || s.Questions[0].ID != 3 {
			t.Errorf("%+v", s)
		}
		if err := h.Answer(p, 1, "again"); err == nil {
			t.Error("a question was answered twice")
		}
	})
}

// Much at once, for the race detector.
func TestManyAtOnce(t *testing.T) {
	h := New()
	ctx, cancel := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	for range 20 {
		o, s := observe(t, h)
		readers.Go(func() {
			for at := s.N; ; {
				events, lost, err := o.Next(ctx)
				if err != nil {
					return
				}
				if n := at + int64(len(events)+lost); len(events) > 0 && events[len(events)-1].N != n {
					t.Errorf("read up to %d, counted %d", events[len(events)-1].N, n)
				}
				at += int64(len(events) + lost)
			}
		})
	}
	for i := range 4 {
		writers.Go(func() {
			p, leave, err := h.Arrive("p", "")
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			for n := range 200 {
				h.SetState(Program, State{Epoch: n})
				h.Print("stdout", []byte("x"))
				if h.Take(p) == nil {
					h.Record(p, "stepped", fmt.Sprint(i))
					_ = h.Give(p)
				}
			}
		})
	}
	writers.Wait()
	cancel()
	readers.Wait()
}

func BenchmarkStepWith20Observers(b *testing.B) {
	h := New()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for range 20 {
		o, _, err := h.Observe()
		if err != nil {
			b.Fatal(err)
		}
		go func() {
			for {
				if _, _, err := o.Next(ctx); err != nil {
					return
				}
			}
		}()
	}
	for n := 0; b.Loop(); n++ {
		h.AddCall(Call{Tool: "step", Args: `{"action":"over"}`})
		h.SetState(Agent, State{Epoch: 2 * n, Status: "running"})
		h.SetState(Program, State{Epoch: 2*n + 1, Stopped: true})
		h.SetView(View{Epoch: 2*n + 1, Stack: make([]Frame, 20), Locals: make([]Value, 20)})
		h.AddReply(Reply{Tool: "step", Text: "stopped"})
	}
}
