package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestCodeFile(t *testing.T) {
	const code = "7f0000001000-7f0000002000 r-xp 00001000 fe:01 1234                       "
	for line, want := range map[string]string{
		code + "/usr/lib/libc.so.6":                        "/usr/lib/libc.so.6",
		code + "/opt/my app/lib  two.so":                   "/opt/my app/lib  two.so",
		code + "/opt/my app/tool (deleted)":                "/opt/my app/tool",
		code + "[vdso]":                                    "",
		"7f0000001000-7f0000002000 r-xp 00000000 00:00 0 ": "",
		"7f0000001000-7f0000002000 r--p 00000000 fe:01 1234                       /usr/lib/x.so": "",
	} {
		if got := codeFile(line); got != want {
			t.Errorf("%q tells %q, want %q", line, got, want)
		}
	}
}

// The system's own words are read right, too, also of a file that has gone meanwhile.
func TestLoadedDirsWithSpaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(sleep)
	dir := filepath.Join(t.TempDir(), "two words")
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	path := filepath.Join(dir, "my sleep")
	if err == nil {
		err = os.WriteFile(path, program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for _, when := range []string{"while the file is there", "after it was deleted"} {
		if dirs := loadedDirs(cmd.Process.Pid); !slices.Contains(dirs, dir) {
			t.Errorf("%s: %q lacks %s", when, dirs, dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}
