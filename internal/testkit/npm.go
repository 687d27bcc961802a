package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// npmInstall puts the pinned packages of testdata/javascript into a folder of
// the repository that git does not see, once for each state of the lock file.
var npmInstall = sync.OnceValues(func() (modules string, err error) {
	from := filepath.Join(Root(), "testdata", "javascript")
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	home := filepath.Join(Root(), ".adapters", "npm-"+hex.EncodeToString(sum[:4]))
	modules = filepath.Join(home, "node_modules")
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", err
	}
	// The tests of another package that begins with us may install them just now.
	release, err := holdAlone(home + ".lock")
	if err != nil {
		return "", err
	}
	defer release()
	if _, err := os.Stat(home); err == nil {
		return modules, nil
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

// LinkPackages puts installed packages into the node_modules of a directory.
func LinkPackages(t testing.TB, dir string, wanted ...string) {
	t.Helper()
	for _, name := range wanted {
		link := filepath.Join(dir, "node_modules", name)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(Packages(t), name), link); err != nil {
			t.Fatal(err)
		}
	}
}

// Packages is the node_modules of the installed ones, the same for all tests.
func Packages(t testing.TB) string {
	t.Helper()
	modules, err := npmInstall()
	if err != nil {
		t.Fatalf("npm ci: %v", err)
	}
	return modules
}
