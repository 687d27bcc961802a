package main

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/store"
)

// Attempts outlive the server that made them where there is a store, and are no usage.
func TestAttemptsAreRemembered(t *testing.T) {
	place := kept(t)
	before := output(t, "", "usage")
	for _, test := range []struct {
		flag  string
		lives bool
	}{{"--store=" + place, true}, {"--no-store", false}} {
		a, err := prepared(t, test.flag)
		if err != nil {
			t.Fatal(err)
		}
		server := a.newAttempts()
		if err := server.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: test.flag}); err != nil {
			t.Fatal(err)
		}
		if list, err := server.List(t.Context(), "p"); err != nil || len(list) != 1 {
			t.Errorf("%s: %+v, %v", test.flag, list, err)
		}
		if list, err := a.newAttempts().List(t.Context(), "p"); err != nil || len(list) == 1 != test.lives {
			t.Errorf("%s: later there are %+v, %v", test.flag, list, err)
		}
	}
	if list, err := store.NewAttempts(store.Options{Place: place}).List(t.Context(), "p"); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if after := output(t, "", "usage"); after != before {
		t.Errorf("usage was\n%s\nand is\n%s", before, after)
	}
}

// Without a home attempts live as long as the server, and nothing is made.
func TestAttemptsWithoutAHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("AIDB_HOME", home)
	t.Setenv("AIDB_NO_STORE", "false")
	a, err := prepared(t)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := a.newAttempts().List(t.Context(), "p"); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("a home was made")
	}
	for _, name := range []string{"AIDB_HOME", "HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE"} {
		t.Setenv(name, "")
	}
	if _, ok := a.newAttempts().(*attempts.InMemory); !ok {
		t.Error("they are kept")
	}
}
