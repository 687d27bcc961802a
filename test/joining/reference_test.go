package joining

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/testkit"
)

// The client with which the makers of VS Code test debug adapters joins, sees the stop, takes
// the session, steps and gives it back; its script holds to the protocol's own types.
func TestTheReferenceClientJoins(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join("testdata", "reference.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "reference.mjs")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	modules := testkit.Packages(t)
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	typed := exec.CommandContext(t.Context(), "node", filepath.Join(modules, "typescript", "bin", "tsc"), "--noEmit", "--allowJs", "--checkJs", "--strict", "false",
		"--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--types", "node", "--skipLibCheck", file)
	typed.Dir = dir
	if said, err := typed.CombinedOutput(); err != nil {
		t.Errorf("the script does not hold to the types: %v\n%s", err, said)
	}
	for _, l := range tongues {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, p := l.start(t)
			at := shown(t, s)
			client := exec.CommandContext(t.Context(), "node", file, strconv.Itoa(at.DebugServer), at.AidbToken, "total + 2")
			client.Dir, client.Stderr = dir, os.Stderr
			said, err := client.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			type place struct {
				Line   int
				Locals map[string]string
			}
			var seen struct {
				Capabilities           godap.Capabilities
				Reason, Value, Refused string
				Threads                int
				First, Second          place
			}
			if err := json.Unmarshal(said, &seen); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if !seen.Capabilities.SupportsConfigurationDoneRequest || !seen.Capabilities.SupportsFunctionBreakpoints || seen.Reason != "breakpoint" || seen.Threads == 0 || seen.Value != "23" || !strings.Contains(seen.Refused, ":take") ||
				seen.First.Line != p.Line("stop") || seen.First.Locals["total"] != "21" || seen.Second.Line != p.Line("next") || seen.Second.Locals["twice"] != "42" {
				t.Errorf("it saw %s", said)
			}
			if did := acts(t, s.OK("execute", A{"action": "continue"})); !slices.Contains(did, "ada gave the session back") {
				t.Errorf("the agent is told %q", did)
			}
		})
	}
}
