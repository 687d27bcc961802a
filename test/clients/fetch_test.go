//go:build linux

package clients

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// shelf is a set of packages that are fetched together, at the versions of a
// lock file in testdata that names their checksums.
type shelf string

const (
	npm     shelf = "npm"
	python  shelf = "python"
	python1 shelf = "python1" // what the first official SDK needs and python has otherwise
)

// cache is the folder of the fetched clients.
func cache() string {
	if dir := os.Getenv("AIDB_CLIENTS"); dir != "" {
		return dir
	}
	return filepath.Join(testkit.Home(), "clients")
}

// missing says what a machine lacks to fetch and run the packages.
func (s shelf) missing() string {
	if s == npm {
		for _, name := range []string{"npm", "node"} {
			if _, err := exec.LookPath(name); err != nil {
				return name + " is not installed"
			}
		}
		return ""
	}
	out, err := exec.Command("python3", "-c", "import sys, pip; print(sys.version_info >= (3, 11), sys.version)").CombinedOutput()
	switch {
	case err != nil:
		return fmt.Sprintf("python3 with pip does not run: %v: %s", err, out)
	case !strings.HasPrefix(string(out), "True"):
		return fmt.Sprintf("needs Python 3.11, here is %s", out)
	}
	return ""
}

// nodeIsOld says that no Node.js is here that is new enough.
func nodeIsOld(p *place) string {
	version := strings.TrimSpace(p.run("node --version").Stdout)
	var major, minor int
	if _, err := fmt.Sscanf(version, "v%d.%d", &major, &minor); err != nil || major < 22 || major == 22 && minor < 19 {
		return "needs Node.js 22.19, here is " + version
	}
	return ""
}

// lock is the file that pins the packages.
func (s shelf) lock() string {
	if s == npm {
		return "package-lock.json"
	}
	return string(s) + ".txt"
}

// fetch fetches the packages where this has not been done yet, and returns their
// folder. It is named after the lock file.
func (s shelf) fetch(t *testing.T) string {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join("testdata", s.lock()))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(cache(), string(s)+"-"+hex.EncodeToString(sum[:4]))
	if err := os.MkdirAll(cache(), 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, dir+".lock")()
	ready := filepath.Join(dir, ".ready")
	if _, err := os.Stat(ready); err == nil {
		return dir
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	for _, command := range s.commands() {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("fetching the clients: %s: %v\n%s", command, err, out)
		}
	}
	if err := os.WriteFile(ready, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// commands fetch the packages into the current directory. No script of a package
// runs.
func (s shelf) commands() []string {
	if s == npm {
		return []string{"npm ci --ignore-scripts --no-audit --no-fund --loglevel=error"}
	}
	return []string{ // uv takes a second for what takes pip half a minute
		"python3 -m pip install --quiet --target uv --require-hashes --no-deps --only-binary :all: -r uv.txt",
		"uv/bin/uv pip install --quiet --no-cache --python \"$(command -v python3)\" --target packages --require-hashes --no-deps --only-binary :all: -r " + s.lock(),
	}
}

// path are the folders of the packages' commands. The binaries stand first,
// before wrappers in JavaScript that would only find them.
func (s shelf) path(kit string) []string {
	if s != npm {
		return nil
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	triple := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-unknown-linux-musl"
	var path []string
	for _, dir := range []string{
		"@anthropic-ai/claude-code-linux-" + arch,
		"@openai/codex-linux-" + arch + "/vendor/" + triple + "/bin",
		"node-linux-" + arch + "/bin",
		".bin",
	} {
		path = append(path, filepath.Join(kit, "node_modules", dir))
	}
	return path
}

// env are the variables with which an interpreter finds the packages.
func (s shelf) env(kit string) []string {
	if s == npm {
		return nil
	}
	return []string{"PYTHONPATH=" + filepath.Join(kit, "packages")}
}

// version is the pinned version of a client.
func (c client) version(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", c.From.lock()))
	if err != nil {
		t.Fatal(err)
	}
	if c.From == npm {
		var lock struct {
			Packages map[string]struct{ Version string }
		}
		if err := json.Unmarshal(text, &lock); err != nil {
			t.Fatal(err)
		}
		return lock.Packages["node_modules/"+c.Package].Version
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(c.Package) + `==(\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s is not in %s", c.Package, c.From.lock())
	}
	return string(found[1])
}
