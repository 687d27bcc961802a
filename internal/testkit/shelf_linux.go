package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Shelf is a set of packages that are fetched together, at the versions of a lock
// file that names their checksums.
type Shelf string

// The shelves.
const (
	Npm     Shelf = "npm"
	Python  Shelf = "python"
	Python1 Shelf = "python1" // what the first official SDK needs and python has otherwise
	Tokens  Shelf = "tokens"  // the tokenizer of test/tokens
	Bundler Shelf = "bundler" // what checks MCP bundles for test/packages

	// Protocol is what checks the protocol for test/serving: the part of Npm that the
	// short run has.
	Protocol Shelf = "protocol"
)

// locks is the folder of the lock file.
func (s Shelf) locks() string {
	user := "clients"
	switch s {
	case Tokens:
		user = "tokens"
	case Bundler:
		user = "packages"
	case Protocol:
		user = "serving"
	}
	return filepath.Join(Root(), "test", user, "testdata")
}

// isNpm says that npm fetches the packages.
func (s Shelf) isNpm() bool { return s == Npm || s == Tokens || s == Bundler || s == Protocol }

// Clients is the folder of the fetched clients.
func Clients() string {
	if dir := os.Getenv("AIDB_CLIENTS"); dir != "" {
		return dir
	}
	return filepath.Join(Home(), "clients")
}

// Missing says what a machine lacks to fetch and run the packages.
func (s Shelf) Missing() string {
	if s.isNpm() {
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

// Lock is the file that pins the packages.
func (s Shelf) Lock() string {
	if s.isNpm() {
		return "package-lock.json"
	}
	return string(s) + ".txt"
}

// Fetch fetches the packages where this has not been done yet, and returns their
// folder. It is named after the lock file.
func (s Shelf) Fetch(t testing.TB) string {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join(s.locks(), s.Lock()))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(Clients(), string(s)+"-"+hex.EncodeToString(sum[:4]))
	if err := os.MkdirAll(Clients(), 0o755); err != nil {
		t.Fatal(err)
	}
	defer Alone(t, dir+".lock")()
	ready := filepath.Join(dir, ".ready")
	if _, err := os.Stat(ready); err == nil {
		return dir
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(s.locks())); err != nil {
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
func (s Shelf) commands() []string {
	if s.isNpm() {
		return []string{"npm ci --ignore-scripts --no-audit --no-fund --loglevel=error"}
	}
	return []string{ // uv takes a second for what takes pip half a minute
		"python3 -m pip install --quiet --target uv --require-hashes --no-deps --only-binary :all: -r uv.txt",
		"uv/bin/uv pip install --quiet --no-cache --python \"$(command -v python3)\" --target packages --require-hashes --no-deps --only-binary :all: -r " + s.Lock(),
	}
}

// Path are the folders of the packages' commands. The binaries stand first,
// before wrappers in JavaScript that would only find them.
func (s Shelf) Path(kit string) []string {
	if s == Bundler {
		return []string{filepath.Join(kit, "node_modules", ".bin")}
	}
	if s != Npm && s != Protocol {
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

// Env are the variables with which an interpreter finds the packages.
func (s Shelf) Env(kit string) []string {
	if s == Npm || s == Protocol {
		return nil
	}
	return []string{"PYTHONPATH=" + filepath.Join(kit, "packages")}
}
