package process

import (
	"os"
	"os/exec"
	"testing"
	"time"
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
