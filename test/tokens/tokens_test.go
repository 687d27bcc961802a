//go:build linux

// Package tokens counts what replies cost a model, as text and as JSON, with a real
// tokenizer. The replies are those of the other suites, which write them down where
// they are told to: "make tokens" runs them, counts, and writes the table of
// docs/replies.md.
package tokens

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// countVariable names the folder of the recorded replies.
const countVariable = "COUNT_REPLIES"

// figures are the tokens of some replies.
type figures struct{ Replies, Text, JSON int }

// saved is what text saves, in percent.
func (f figures) saved() float64 { return 100 * float64(f.JSON-f.Text) / float64(f.JSON) }

func TestFigures(t *testing.T) {
	folder := os.Getenv(countVariable)
	if folder == "" {
		t.Skipf("no replies to count: %s names no folder", countVariable)
	}
	if why := testkit.Tokens.Missing(); why != "" {
		t.Skip(why)
	}
	dir := testkit.Tokens.Fetch(t)
	out, err := exec.Command("node", filepath.Join(dir, "count.mjs"), folder).Output()
	if err != nil {
		t.Fatalf("counting: %v: %s", err, out)
	}
	var rows map[string]figures
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatal(err)
	}
	if all, stops := rows["all"], rows["stops"]; all.saved() < 25 || stops.saved() < 30 {
		t.Errorf("text saves %.1f %% of all tokens and %.1f %% of those of stops, want 25 and 30", all.saved(), stops.saved())
	}
	testkit.DocumentPart(t, "replies.md", "test/tokens", table(rows))
}

// table is a line for each tool, and for all.
func table(rows map[string]figures) string {
	var b strings.Builder
	b.WriteString("\n| tool | replies | tokens of a reply as JSON | as text | saved |\n|---|---|---|---|---|\n")
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return name == "all" || name == "stops" })
	for _, name := range names {
		b.WriteString(rows[name].line("`" + name + "`"))
	}
	b.WriteString(rows["stops"].line("stops, of whatever tool"))
	b.WriteString(rows["all"].line("**all**"))
	return b.String()
}

func (f figures) line(name string) string {
	each := func(sum int) int { return (sum + f.Replies/2) / f.Replies }
	return fmt.Sprintf("| %s | %d | %d | %d | %.0f %% |\n", name, f.Replies, each(f.JSON), each(f.Text), f.saved())
}
