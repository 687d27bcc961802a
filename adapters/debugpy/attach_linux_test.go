package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A program behind a chroot is told from one in another container: to that no wall leads, and its files
// can be named.
func TestProgramsOutOfSight(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may change a root directory")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "waits")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Stdin.Read(make([]byte, 1)) }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, c := range map[string]struct {
		how  syscall.SysProcAttr
		want string
	}{
		"ours":              {},
		"chroot":            {syscall.SysProcAttr{Chroot: dir}, dir + " as its root directory (chroot)"},
		"another container": {syscall.SysProcAttr{Chroot: dir, Cloneflags: syscall.CLONE_NEWNS}, "another container"},
	} {
		cmd := exec.Command(program)
		if cmd.SysProcAttr = &c.how; c.how.Chroot != "" {
			cmd.Path = "/waits"
		}
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		err = refuseOutOfSight(cmd.Process.Pid)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
