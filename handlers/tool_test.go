package handlers

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// requested is what the arguments ask a tool for.
func requested(t *testing.T, h *Handlers, tool, args string) *request {
	t.Helper()
	for _, known := range h.tools(0) {
		if known.definition().Name == tool {
			r, err := known.read([]byte(args))
			if err != nil {
				t.Fatal(tool, args, err)
			}
			return r
		}
	}
	t.Fatalf("there is no tool %s", tool)
	return nil
}

// actionsOf are the words of a tool's schema that say what it is to do; nil where it does
// one thing only.
func actionsOf(t *testing.T, of tool) []string {
	t.Helper()
	var schema struct {
		Properties map[string]struct{ Enum []string }
	}
	if err := json.Unmarshal(of.definition().Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if action := schema.Properties["action"].Enum; action != nil {
		return action
	}
	return schema.Properties["target"].Enum
}

// Every word of a schema has an action, and no action is left without a word.
func TestActionsAreThoseOfTheSchema(t *testing.T) {
	for _, of := range newBench(t).tools(0) {
		name, words := of.definition().Name, actionsOf(t, of)
		var named []string
		for _, word := range reflect.ValueOf(of).FieldByName("Actions").MapKeys() {
			named = append(named, word.String())
		}
		if words == nil && !slices.Equal(named, []string{""}) {
			t.Errorf("%s does one thing, but has the actions %q", name, named)
		}
		for _, word := range named {
			if word != "" && !slices.Contains(words, word) {
				t.Errorf("%s has an action %q, which no argument names", name, word)
			}
		}
		for _, word := range words {
			if !slices.Contains(named, word) && !slices.Contains(named, "") {
				t.Errorf("%s has no action for %q", name, word)
			}
		}
	}
}

// What the policy judges before a call waits for a session.
func TestEffects(t *testing.T) {
	want := map[string]string{
		`execute {"action":"run"}`:              "starting a program",
		`execute {"action":"jump"}`:             "moving the point of execution",
		`variable {"action":"set"}`:             "setting a variable",
		`variable {"action":"patch"}`:           "replacing code",
		`session {"action":"restart"}`:          "starting a program",
		`session {"action":"input"}`:            "writing to the program's input",
		`session {"action":"stop","kill":true}`: "ending a program",
		`trace {"action":"arm"}`:                "putting a recorder into a program",
		`adapter {"action":"install"}`:          "changing what is installed",
		`adapter {"action":"install_all"}`:      "changing what is installed",
		`adapter {"action":"remove"}`:           "changing what is installed",
	}
	got := map[string]string{}
	b := newBench(t)
	for _, of := range b.tools(0) {
		for _, word := range actionsOf(t, of) {
			args := `{"action":"` + word + `"}`
			for _, args := range []string{args, `{"action":"` + word + `","kill":true}`} {
				r, err := of.read([]byte(args))
				if call := of.definition().Name + " " + args; err == nil && r.effect != "" {
					got[call] = r.effect
				}
			}
		}
	}
	delete(got, `session {"action":"restart","kill":true}`)
	delete(got, `session {"action":"input","kill":true}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRules(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct {
		tool, args string
		want       rule
	}{
		{"execute", `{}`, atStop},
		{"execute", `{"action":"jump"}`, atStop},
		{"execute", `{"action":"run"}`, rule{session: required}},
		{"execute", `{"action":"pause"}`, rule{session: required, state: alive, passes: true}},
		{"execute", `{"action":"wait"}`, rule{session: required, passes: true}},
		{"step", `{}`, atStop},
		{"run_until", `{"location":"main.main"}`, atStop},
		{"variable", `{}`, atStop},
		{"inspect", `{}`, atStop},
		{"inspect", `{"target":"output"}`, rule{session: required, passes: true}},
		{"inspect", `{"target":"source"}`, rule{session: required, passes: true}},
		{"breakpoint", `{}`, rule{session: required}},
		{"breakpoint", `{"action":"list"}`, rule{session: required, passes: true, quiet: true}},
		{"session", `{}`, rule{session: required, passes: true, quiet: true}},
		{"session", `{"action":"list"}`, rule{passes: true, quiet: true}},
		{"session", `{"action":"stop"}`, rule{session: required, passes: true}},
		{"session", `{"action":"output"}`, rule{session: required, passes: true}},
		{"session", `{"action":"input"}`, rule{session: required, state: alive, passes: true}},
		{"session", `{"action":"restart"}`, rule{session: required}},
		{"session_start", `{}`, rule{}},
	} {
		if got := requested(t, b.Handlers, test.tool, test.args).rule; got != test.want {
			t.Errorf("%s %s: %s", test.tool, test.args, cmp.Diff(test.want, got, cmp.AllowUnexported(rule{})))
		}
	}
}
