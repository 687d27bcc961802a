package doctor

import (
	"context"
	"log/slog"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/setup"
	"aidb-mcp/session"
)

// patient is an adapter that can do nothing.
type patient struct{ ready adapters.Readiness }

func (p patient) Info() adapters.Info {
	return adapters.Info{Language: "go", Name: "Patient", Modes: []adapters.Mode{adapters.Launch}}
}
func (p patient) Claims(adapters.Request) int              { return 100 }
func (p patient) Check(context.Context) adapters.Readiness { return p.ready }
func (p patient) Plan(context.Context, adapters.Request, func(string)) (*adapters.Plan, error) {
	return nil, fault.New(fault.BuildFailed, "the compiler is on holiday").WithHint("call it back")
}

func examine(t *testing.T, a adapters.Adapter) Report {
	t.Helper()
	registry := adapters.NewRegistry(a)
	sessions := session.NewManager(session.Options{Registry: registry, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { sessions.Close(context.WithoutCancel(t.Context())) })
	return Examine(t.Context(), Options{Version: "1", Adapters: registry, Sessions: sessions, Setup: &setup.Setup{Store: install.Store{Home: t.TempDir()}, Adapters: registry}})
}

func check(t *testing.T, r Report, name string) (c Check, found bool) {
	t.Helper()
	for _, c := range r.Checks {
		if c.State == Problem && c.Remedy == "" {
			t.Errorf("%s is a problem without a remedy: %s", c.Name, c.Detail)
		}
		if c.Name == name {
			return c, true
		}
	}
	return Check{}, false
}

const trialName = "debugging a tiny Go program"

func TestAnAdapterThatIsNotReadyIsNotTried(t *testing.T) {
	r := examine(t, patient{adapters.Readiness{Problem: "no toolchain", Remedy: "install one"}})
	want := Check{Name: "Go with Patient", State: Problem, Detail: "no toolchain", Remedy: "install one"}
	if got, _ := check(t, r, want.Name); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if c, tried := check(t, r, trialName); tried {
		t.Errorf("it was tried: %+v", c)
	}
	if r.Healthy() {
		t.Error("healthy")
	}
}

func TestATrialThatFailsSaysWhyAndWhatToDo(t *testing.T) {
	r := examine(t, patient{adapters.Readiness{Ready: true, Version: "1.2"}})
	want := Check{Name: trialName, State: Problem, Detail: "the compiler is on holiday", Remedy: "call it back"}
	if got, _ := check(t, r, trialName); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAWarningIsHealthy(t *testing.T) {
	r := Report{Checks: []Check{{State: OK}, {State: Warning}}}
	if !r.Healthy() {
		t.Error("not healthy")
	}
}

func TestScratch(t *testing.T) {
	if c := scratch(); c.State != OK {
		t.Errorf("%+v", c)
	}
	t.Setenv("TMPDIR", "/nowhere/at/all")
	if c := scratch(); c.State != Problem || c.Remedy == "" {
		t.Errorf("%+v", c)
	}
}
