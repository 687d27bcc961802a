package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// PythonFrameworks is a virtual environment with the packages that testdata/frameworks/python
// locks, made once for each state of the lock file and each Python.
func PythonFrameworks(t testing.TB) string {
	t.Helper()
	locked := filepath.Join(Root(), "testdata", "frameworks", "python", "requirements.txt")
	text, err := os.ReadFile(locked)
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.Command("python3", "-VV").Output()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append(text, version...))
	home := filepath.Join(Home(), "frameworks", "python-"+hex.EncodeToString(sum[:4]))
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		t.Fatal(err)
	}
	defer Alone(t, home+".lock")()
	done := filepath.Join(home, "installed") // an environment cannot be moved when it is ready
	if _, err := os.Stat(done); err == nil {
		return home
	}
	for _, command := range [][]string{
		{"python3", "-m", "venv", "--clear", home},
		{filepath.Join(home, "bin", "python"), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "-r", locked},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
	}
	if err := os.WriteFile(done, version, 0o644); err != nil {
		t.Fatal(err)
	}
	return home
}
