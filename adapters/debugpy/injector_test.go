package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// gdb goes on when the reader of its output is gone: a program that it calls something in would
// be left in the middle of that.
func TestInjectorOutlivesItsReader(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it is gdb that is put before the debugger, which only Linux has")
	}
	bin, done := t.TempDir(), filepath.Join(t.TempDir(), "done")
	// It writes itself, and then says that it has come to its end.
	gdb := "#!/bin/sh\necho '[New Thread]'\necho \"$@\" > " + done + "\n"
	if err := os.WriteFile(filepath.Join(bin, "gdb"), []byte(gdb), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	j := &job{scratch: t.TempDir()}
	j.PID = os.Getpid()
	variables := map[string]string{}
	if err := j.addInjector(variables); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd := exec.Command("/bin/sh", "-c", "gdb --pid 7")
	cmd.Stdout = write
	cmd.Env = os.Environ()
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	_ = cmd.Run() // what it writes to is gone, of which its parts may complain
	if said, err := os.ReadFile(done); err != nil || !strings.HasSuffix(strings.TrimSpace(string(said)), " --pid 7") {
		t.Errorf("it has come to %q, %v", said, err)
	}
}
