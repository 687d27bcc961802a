//go:build linux

package benchmarks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// scores is what the last run of all programs came to.
var scores = filepath.Join(testkit.Root(), "test", "benchmarks", "testdata", "scores.md")

// home is the folder of what is fetched and made.
func home() string {
	if dir := os.Getenv("AIDB_BENCHMARKS"); dir != "" {
		return dir
	}
	return filepath.Join(testkit.Home(), "benchmarks")
}

// made are the programs of a set, made where this has not been done yet: what is planted
// has to be tried, which takes longer than the questions.
func (s set) made(t *testing.T, limit int) []program {
	t.Helper()
	file := filepath.Join(home(), fmt.Sprintf("%s-%s-%d.json", s.Name, s.key(t), limit))
	if err := os.MkdirAll(home(), 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, file+".lock")()
	var programs []program
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &programs); err != nil {
			t.Fatal(err)
		}
		return programs
	}
	begun := time.Now()
	programs = s.Make(&maker{t: t, limit: limit})
	t.Logf("%d programs made in %s", len(programs), time.Since(begun).Round(time.Second))
	if len(programs) == 0 {
		t.Fatalf("no programs for %s", s.Name)
	}
	text, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return programs
}

// common are the files that have to do with how the programs of most sets are made.
var common = []string{"program_test.go", "running_test.go", "checked_test.go", "operators_test.go", "lexer_test.go"}

// key changes with all that goes into the making of a set.
func (s set) key(t *testing.T) string {
	t.Helper()
	sum := sha256.New()
	for _, name := range append(common, s.By...) {
		text, err := os.ReadFile(filepath.Join(testkit.Root(), "test", "benchmarks", name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %q\n", name, text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// fetch is the folder of a pinned package.
func (m *maker) fetch(pin registry.Pin) string {
	m.t.Helper()
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", pin))
	dir := filepath.Join(home(), "pin-"+hex.EncodeToString(sum[:6]))
	defer testkit.Alone(m.t, dir+".lock")()
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	fresh, err := os.MkdirTemp(home(), ".new-")
	if err != nil {
		m.t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	if err := pin.Fetch(fresh); err != nil {
		m.t.Fatalf("fetching %s: %v", pin.Name, err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		m.t.Fatal(err)
	}
	return dir
}

// read is a file of a pinned package.
func (m *maker) read(pin registry.Pin, file string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.fetch(pin), file))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}
