package process

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A program that reads its input is known by it, one that does not is not.
func TestReadsFrom(t *testing.T) {
	for name, test := range map[string]struct {
		command []string
		reads   bool
	}{
		"a program that reads":      {[]string{"cat"}, true},
		"a program that only waits": {[]string{"sleep", "60"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer write.Close()
			cmd := exec.Command(test.command[0], test.command[1:]...)
			cmd.Stdin = read
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			read.Close()
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			for deadline := time.Now().Add(10 * time.Second); test.reads && !ReadsFrom(write); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("it is not known to read")
				}
			}
			if !test.reads && ReadsFrom(write) {
				t.Error("it is said to read")
			}
		})
	}
}

// A program is found by the stream that it writes to, be that a pipe or a terminal.
func TestWriterOf(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(terminalName(master), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ ours, theirs *os.File }{
		"a pipe":     {read, write},
		"a terminal": {master, slave},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sleep", "60")
			cmd.Stdout = test.theirs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			test.theirs.Close()
			if got := WriterOf(test.ours); got != cmd.Process.Pid {
				t.Errorf("the writer is process %d, not %d", got, cmd.Process.Pid)
			}
		})
	}
	if got := WriterOf(master); got != 0 {
		t.Errorf("when nobody writes it is process %d", got)
	}
}
