package persons

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/session"
)

// building is an adapter whose builds never end: its sessions stay in starting.
type building struct{}

func (building) Info() adapters.Info {
	return adapters.Info{
		Language: "go", Name: "Slow", Modes: []adapters.Mode{adapters.Launch},
		Reads: func(text string) error {
			if strings.Contains(text, "(") {
				return fault.New(fault.PolicyDenied, "it calls a function")
			}
			return nil
		},
	}
}
func (building) Claims(adapters.Request) int              { return 100 }
func (building) Services() adapters.Services              { return adapters.Services{} }
func (building) Check(context.Context) adapters.Readiness { return adapters.Readiness{Ready: true} }
func (building) Plan(ctx context.Context, _ adapters.Request, _ func(string)) (*adapters.Plan, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// room is a desk with one session, whose program is being built.
type room struct {
	*Desk
	t *testing.T
}

// at runs a test at a desk.
func at(t *testing.T, p policy.Policy, test func(r *room)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := session.NewManager(session.Options{Registry: adapters.NewRegistry(building{}), Log: slog.New(slog.DiscardHandler), Policy: p})
		defer m.Close(t.Context())
		if _, err := m.Open(session.StartRequest{ID: "go-1", Program: adapters.Request{Target: "./app"}}); err != nil {
			t.Fatal(err)
		}
		test(&room{New(Options{Sessions: m, Policy: p}), t})
	})
}

func (r *room) sit(name, key string) *Seat {
	r.t.Helper()
	s, err := r.Sit("go-1", name, key)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(s.Leave)
	return s
}

// does does an act and gives its error's code, empty for none.
func (r *room) does(s *Seat, a Act) string {
	r.t.Helper()
	_, err := s.Act(r.t.Context(), a)
	for _, code := range []fault.Code{fault.HeldByPerson, fault.InvalidParam, fault.MissingParam, fault.PolicyDenied, fault.NotPaused, fault.InvalidAction, fault.InvalidLocation} {
		if fault.Is(err, code) {
			return string(code)
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Who drives must have taken the session, and only one does.
func TestDrivingNeedsTheSession(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		ada, bob := r.sit("ada", ""), r.sit("bob", "")
		for _, kind := range []Kind{Continue, Pause, StepOver, StepIn, StepOut, SetValue} {
			if code := r.does(ada, Act{Kind: kind, Name: "x", Text: "1"}); code != string(fault.InvalidParam) {
				t.Errorf("%s of one who has not taken the session: %q", kind, code)
			}
		}
		if code := r.does(ada, Act{Kind: Evaluate, Text: "f(1)"}); code != string(fault.InvalidParam) {
			t.Errorf("a call of one who has not taken the session: %q", code)
		}
		if code := r.does(ada, Act{Kind: Take}); code != "" {
			t.Fatal(code)
		}
		for _, a := range []Act{{Kind: Take}, {Kind: Give}, {Kind: StepOver}, {Kind: Evaluate, Text: "f(1)"}} {
			if code := r.does(bob, a); code != string(fault.HeldByPerson) {
				t.Errorf("%s of another: %q", a.Kind, code)
			}
		}
		if code := r.does(ada, Act{Kind: StepOver}); code == "" || code == string(fault.HeldByPerson) || code == string(fault.InvalidParam) {
			t.Errorf("a step of a program that is being built: %q", code)
		}
		if code := r.does(ada, Act{Kind: Give}); code != "" {
			t.Error(code)
		}
		if err := ada.Session.Hub().CheckAgent(); err != nil {
			t.Errorf("after it was given back: %v", err)
		}
	})
}

// What is said without anything to say is refused, and what is no act.
func TestEmptyActs(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		ada := r.sit("ada", "")
		for kind, want := range map[Kind]fault.Code{
			Note: fault.MissingParam, Evaluate: fault.MissingParam, RemoveBreakpoint: fault.MissingParam, "dance": fault.InvalidAction, Give: fault.InvalidParam, Answer: fault.InvalidParam,
		} {
			if code := r.does(ada, Act{Kind: kind, Text: " "}); code != string(want) {
				t.Errorf("%s: %q, not %s", kind, code, want)
			}
		}
		if code := r.does(ada, Act{Kind: Take}); code != "" {
			t.Fatal(code)
		}
		if code := r.does(ada, Act{Kind: SetValue}); code != string(fault.MissingParam) {
			t.Errorf("a value of nothing: %q", code)
		}
	})
}

// A breakpoint that one person sets the agent is told of, and so is the one that stands in its place.
func TestBreakpointsOfPersons(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		ada := r.sit("ada", "")
		for _, a := range []Act{
			{Kind: SetBreakpoint, Location: "main.f"}, {Kind: SetBreakpoint, Location: "main.g", Condition: "n == 3", HitCondition: ">2"},
			{Kind: SetBreakpoint, ID: 2, Location: "main.g", Condition: "n == 4"}, {Kind: RemoveBreakpoint, ID: 1},
		} {
			if code := r.does(ada, a); code != "" {
				t.Fatalf("%+v: %s", a, code)
			}
		}
		did, _ := ada.Session.Hub().TakeDid(r.t.Context())
		var said []string
		for _, d := range did {
			said = append(said, d.Who+" "+d.Did)
		}
		want := []string{
			"ada set breakpoint 1 at main.f, which is not bound", "ada set breakpoint 2 at main.g if n == 3 at hit >2, which is not bound",
			"ada set breakpoint 3 at main.g if n == 4, which is not bound in place of breakpoint 2", "ada removed breakpoint 1 (main.f)",
		}
		if strings.Join(said, "\n") != strings.Join(want, "\n") {
			t.Errorf("the agent is told\n%s", strings.Join(said, "\n"))
		}
		left := ada.Session.Hub().Snapshot().Breakpoints
		if len(left) != 1 || left[0].ID != 3 || left[0].Condition != "n == 4" || left[0].By.Name != "ada" {
			t.Errorf("there are %+v", left)
		}
	})
}

// A server that only looks changes nothing for persons, either.
func TestReadOnly(t *testing.T) {
	only := policy.Policy{ReadOnly: true}
	if !(&Seat{desk: New(Options{Policy: only})}).IsReadOnly() {
		t.Error("it is not said")
	}
	_, _, err := (&Seat{desk: New(Options{Policy: only})}).perform(t.Context(), Act{Kind: Evaluate, Text: "f()"})
	if !fault.Is(err, fault.PolicyDenied) {
		t.Errorf("a call: %v", err)
	}
	_, _, err = (&Seat{desk: New(Options{Policy: only})}).perform(t.Context(), Act{Kind: SetValue, Name: "x", Text: "1"})
	if !fault.Is(err, fault.PolicyDenied) {
		t.Errorf("a value: %v", err)
	}
}

// A person who leaves holds the session for a minute more, and not if they come back.
func TestLeavingGivesBack(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		ada, err := r.Sit("go-1", "ada", "key")
		if err != nil {
			t.Fatal(err)
		}
		if code := r.does(ada, Act{Kind: Take}); code != "" {
			t.Fatal(code)
		}
		h := ada.Session.Hub()
		ada.Leave()
		ada.Leave() // which is nothing more
		time.Sleep(30 * time.Second)
		if err := h.CheckAgent(); !fault.Is(err, fault.HeldByPerson) {
			t.Errorf("after half a minute: %v", err)
		}
		back := r.sit("ada", "key") // as a browser whose network was cut
		time.Sleep(2 * time.Minute)
		if err := h.CheckAgent(); !fault.Is(err, fault.HeldByPerson) {
			t.Errorf("of one who came back: %v", err)
		}
		if code := r.does(back, Act{Kind: Note, Text: "here again"}); code != "" {
			t.Error(code)
		}
		back.Leave()
		time.Sleep(61 * time.Second)
		if err := h.CheckAgent(); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
}

// A file is read if it is one of the program.
func TestSourceOfOthers(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		if _, err := r.sit("ada", "").Source(r.t.Context(), "/etc/passwd", 0, 10); !fault.Is(err, fault.PolicyDenied) {
			t.Errorf("%v", err)
		}
	})
}

// The list has each session once, and one that nobody knows cannot be joined.
func TestList(t *testing.T) {
	at(t, policy.Policy{}, func(r *room) {
		if list := r.List(); len(list) != 1 || list[0].ID != "go-1" || list[0].Target != "./app" || !list[0].Current {
			t.Errorf("%+v", list)
		}
		if _, err := r.Sit("go-9", "ada", ""); !fault.Is(err, fault.SessionNotFound) {
			t.Errorf("%v", err)
		}
	})
}
