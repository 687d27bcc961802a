package doctor

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
)

// patient is an adapter that can do nothing.
type patient struct {
	ready    adapters.Readiness
	language string // empty: Go
	sample   adapters.Sample
}

// tiny is a program that nobody gets to run.
var tiny = adapters.SingleFile("tiny", "", 1)

func (p patient) Info() adapters.Info {
	return adapters.Info{Language: cmp.Or(p.language, "go"), Name: "Patient", Modes: []adapters.Mode{adapters.Launch}, Sample: p.sample}
}
func (p patient) Claims(adapters.Request) int              { return 100 }
func (patient) Services() adapters.Services                { return adapters.Services{} }
func (p patient) Check(context.Context) adapters.Readiness { return p.ready }
func (p patient) Plan(context.Context, adapters.Request, func(string)) (*adapters.Plan, error) {
	return nil, fault.New(fault.BuildFailed, "the compiler is on holiday").WithHint("call it back")
}

func examine(t *testing.T, list ...adapters.Adapter) Report {
	t.Helper()
	registry := adapters.NewRegistry(list...)
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
	r := examine(t, patient{ready: adapters.Readiness{Problem: "no toolchain", Remedy: "install one"}, sample: tiny})
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
	r := examine(t, patient{ready: adapters.Readiness{Ready: true, Version: "1.2"}, sample: tiny})
	want := Check{Name: trialName, State: Problem, Detail: "the compiler is on holiday", Remedy: "call it back"}
	if got, _ := check(t, r, trialName); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A machine without the toolchain of a language that nobody uses there is well;
// one where nothing can be built is not.
func TestALanguageWithoutItsToolchain(t *testing.T) {
	unbuilt := patient{ready: adapters.Readiness{Ready: true, Unbuilt: true, Problem: "no rustc", Remedy: "install it"}, language: "rust", sample: tiny}
	other := patient{ready: adapters.Readiness{Ready: true, Version: "1"}, language: "table"}
	r := examine(t, unbuilt, other)
	if got, _ := check(t, r, "Rust with Patient"); got.State != Warning || got.Detail != "no rustc" || !r.Healthy() {
		t.Errorf("%+v, healthy %v", got, r.Healthy())
	}
	if c, tried := check(t, r, "debugging a tiny Rust program"); tried {
		t.Errorf("it was tried: %+v", c)
	}
	if got, _ := check(t, r, "Table with Patient"); got.State != OK || !strings.Contains(got.Detail, "not tried") {
		t.Errorf("of a language without a tiny program it says %+v", got)
	}
	r = examine(t, unbuilt)
	if got, _ := check(t, r, "Rust with Patient"); got.State != Problem || r.Healthy() {
		t.Errorf("alone: %+v", got)
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
