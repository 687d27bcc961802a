package setup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/fault"
)

// speaker is an adapter that has to be prepared.
type speaker struct {
	adapters.Adapter
	language string
	err      error
}

func (s speaker) Info() adapters.Info {
	return adapters.Info{Language: s.language, Aliases: []string{s.language + "lang"}, Name: s.language + " bridge"}
}

func (s speaker) Prepare(_ context.Context, progress func(string)) error {
	progress("compiling")
	return s.err
}

func (s speaker) Services() adapters.Services {
	return adapters.Services{Prepare: s.Prepare, Prepared: s.language + "-classes"}
}

// fetched is an adapter that consists of what is downloaded.
type fetched struct{ adapters.Adapter }

func (fetched) Info() adapters.Info {
	return adapters.Info{Language: "fetched", Name: "fetched", Components: func() []install.Component {
		return []install.Component{
			{Name: "debugpy", Languages: []string{"python"}}, {Name: "js-debug", Languages: []string{"javascript", "typescript"}},
			{Name: "codelldb", Languages: []string{"c", "cpp", "rust"}},
		}
	}}
}

func (fetched) Services() adapters.Services { return adapters.Services{} }

// plain is an adapter that needs nothing.
type plain struct{ adapters.Adapter }

func (plain) Info() adapters.Info { return adapters.Info{Language: "go", Name: "Delve"} }

func (plain) Services() adapters.Services { return adapters.Services{} }

func newSetup(t *testing.T, err error) *Setup {
	t.Helper()
	return &Setup{
		Store: install.Store{Home: t.TempDir()}, Log: slog.New(slog.DiscardHandler),
		Adapters: adapters.NewRegistry(plain{}, fetched{}, speaker{language: "toy", err: err}),
	}
}

func TestEachThingIsNeededOnce(t *testing.T) {
	s := newSetup(t, nil)
	for asked, want := range map[string]string{
		"rust c cpp":      "codelldb",
		"Python js-debug": "debugpy js-debug",
		"go":              "Delve",
		"toy toylang":     "toy bridge",
		"typescript go":   "js-debug Delve",
	} {
		needs, err := s.needs(strings.Fields(asked))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range needs {
			names = append(names, n.name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: needed are %q, want %q", asked, got, want)
		}
	}
	all, err := s.needs(nil)
	if err != nil || len(all) != len(s.Adapters.Components())+1 {
		t.Errorf("of all, %d are needed, %v", len(all), err)
	}
}

// foreign is an adapter that a table of the settings file names.
type foreign struct {
	adapters.Adapter
	problem string
}

func (foreign) Info() adapters.Info {
	return adapters.Info{Language: "bash", Name: "bash-debug", Elsewhere: "npm install -g bash-debug"}
}

func (f foreign) Check(context.Context) adapters.Readiness {
	return adapters.Readiness{Ready: f.problem == "", Problem: f.problem, Remedy: "install it: npm install -g bash-debug"}
}

func (foreign) Services() adapters.Services { return adapters.Services{} }

// What we neither have nor fetch is told with the words of whoever knows.
func TestAnAdapterThatIsNotOurs(t *testing.T) {
	for problem, want := range map[string]Did{"": Elsewhere, "it is not there": Failed} {
		s := newSetup(t, nil)
		s.Adapters = adapters.NewRegistry(plain{}, foreign{problem: problem})
		steps, err := s.Install(t.Context(), []string{"bash", "go"}, Options{}, func(Event) {})
		if err != nil || len(steps) != 2 || steps[0].Did != want || steps[1].Did != BuiltIn {
			t.Fatalf("%v, %v", steps, err)
		}
		if problem == "" {
			continue
		}
		var f *fault.Error
		if err := Failure(steps); !errors.As(err, &f) || !strings.Contains(f.Message, problem) || f.Hint != "install it: npm install -g bash-debug" {
			t.Errorf("failure is %v", err)
		}
		removed, err := s.Remove(t.Context(), []string{"bash"})
		if err != nil || removed[0].Did != NotThere {
			t.Errorf("removed %v, %v", removed, err)
		}
	}
}

func TestUnknownLanguagesAreRefused(t *testing.T) {
	_, err := newSetup(t, nil).Install(t.Context(), []string{"pyhton"}, Options{}, func(Event) {})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.AdapterNotFound || !strings.Contains(f.Hint, `did you mean "python"?`) || !strings.Contains(f.Hint, "toy") {
		t.Errorf("error is %#v", err)
	}
}

func TestAnArchiveIsForOneThing(t *testing.T) {
	for _, languages := range [][]string{{"python", "rust"}, {"go"}, nil} {
		_, err := newSetup(t, nil).Install(t.Context(), languages, Options{From: "x.zip"}, func(Event) {})
		if !fault.Is(err, fault.InvalidParam) {
			t.Errorf("%v: error is %v", languages, err)
		}
	}
}

func TestPreparing(t *testing.T) {
	var told []string
	report := func(e Event) { told = append(told, e.Component+": "+e.Doing) }
	steps, err := newSetup(t, nil).Install(t.Context(), []string{"toy"}, Options{}, report)
	if err != nil || len(steps) != 1 || steps[0].Did != Prepared || Failure(steps) != nil {
		t.Errorf("steps %+v, %v", steps, err)
	}
	if !slices.Equal(told, []string{"toy bridge: compiling"}) {
		t.Errorf("told was %q", told)
	}
	bad := fault.New(fault.AdapterNotFound, "there is no compiler").WithHint("get one")
	steps, err = newSetup(t, bad).Install(t.Context(), []string{"toy"}, Options{}, report)
	if err != nil || steps[0].Did != Failed || !errors.Is(Failure(steps), bad) {
		t.Errorf("steps %+v, %v", steps, err)
	}
}

func TestFailuresAreToldTogether(t *testing.T) {
	one := fault.New(fault.AdapterInstall, "no pip").WithHint("install pip")
	two := fault.New(fault.AdapterInstall, "no npm").WithHint("install npm")
	err := Failure([]Step{{Name: "a", Err: one}, {Name: "b"}, {Name: "c", Err: two}, {Name: "d", Err: two}, {Name: "e", Err: two, Optional: true}})
	var f *fault.Error
	if !errors.As(err, &f) || f.Message != "a: no pip; c, d: no npm" || f.Hint != "install pip; install npm" {
		t.Errorf("error is %#v", err)
	}
	if err := Failure([]Step{{Name: "d", Err: two, Optional: true}}); err != nil {
		t.Errorf("an optional failure is one: %v", err)
	}
}

func TestRemovingWhatIsNotThere(t *testing.T) {
	steps, err := newSetup(t, nil).Remove(t.Context(), []string{"python", "toy"})
	if err != nil || len(steps) != 2 || steps[0].Did != NotThere || steps[1].Did != NotThere || !strings.HasSuffix(steps[1].Dir, "toy-classes") {
		t.Errorf("steps %+v, %v", steps, err)
	}
}

// What is told of an installation says how many things are done, of how many.
func TestStepsAreCounted(t *testing.T) {
	var got []string
	report := countEvents([]need{{name: "a"}, {name: "b"}}, func(e Event) {
		got = append(got, fmt.Sprintf("%s %d/%d", e.Component, e.Step, e.Steps))
	})
	for _, name := range []string{"a", "a", "", "b", "a"} {
		report(Event{Component: name})
	}
	if want := []string{"a 0/2", "a 0/2", " 0/2", "b 1/2", "a 1/2"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
