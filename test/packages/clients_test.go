//go:build linux

package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// home is a person's home directory, in which a client of test/clients is run.
type home struct {
	t   *testing.T
	dir string
	env []string
}

func newHome(t *testing.T, shelf testkit.Shelf) home {
	t.Helper()
	if shelf == testkit.Npm {
		testkit.Long(t, "1.4 GB of clients are fetched for it; the manifests are checked in the short run")
	}
	kit, dir := shelf.Fetch(t), clean(t)
	path := strings.Join(append(shelf.Path(kit), os.Getenv("PATH")), ":")
	return home{t, dir, append(os.Environ(), "HOME="+dir, "PATH="+path, "DISABLE_AUTOUPDATER=1", "CI=true")}
}

// run runs a command there and wants each of the words in what it prints.
func (h home) run(line, input string, words ...string) {
	h.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env, cmd.Stdin = h.dir, h.env, strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	for _, word := range words {
		if !strings.Contains(string(out), word) {
			h.t.Errorf("%s: %q is not in\n%s", line, word, out)
		}
	}
}

// Claude Code finds nothing wrong with the plugin, installs it and reaches the server.
func TestClaudeCodeTakesThePlugin(t *testing.T) {
	t.Parallel()
	h := newHome(t, testkit.Npm)
	unzip(t, kind{"Claude plugin", "aidb-mcp-claude-plugin-*-OS-ARCH.zip", nil}.find(t), filepath.Join(h.dir, "plugin"))
	h.run("claude plugin validate --profile directory plugin", "", "Validation passed")
	h.run("claude plugin marketplace add ./plugin && claude plugin install aidb@aidb-mcp", "", "Successfully installed plugin: aidb@aidb-mcp")
	h.run("claude mcp list", "", "plugin:aidb:aidb", "Connected")
}

// Gemini CLI installs the extension, with its skill, and reaches the server.
func TestGeminiCLITakesTheExtension(t *testing.T) {
	t.Parallel()
	h := newHome(t, testkit.Npm)
	file := kind{"Gemini extension", "OS.CPU.aidb-mcp.tar.gz", nil}.find(t)
	h.run("mkdir extension && tar -xzf '"+file+"' -C extension && gemini extensions install ./extension --consent", "y\n", `Extension "aidb" installed successfully`)
	h.run("gemini mcp list && gemini skills list", "", "aidb (from aidb)", "Connected", "debug [Enabled]")
}

// The maker of the format finds nothing wrong with the bundle.
func TestBundleIsValid(t *testing.T) {
	t.Parallel()
	h := newHome(t, testkit.Bundler)
	unzip(t, kind{"MCP bundle", "aidb-mcp-*-OS-ARCH.mcpb", nil}.find(t), filepath.Join(h.dir, "bundle"))
	h.run("mcpb validate bundle/manifest.json", "", "Manifest schema validation passes")
}
