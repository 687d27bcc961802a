package box_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/internal/changes/duplicate"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit/filetree"
	"aidb-mcp/investigate/attempt/box"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

func boxes(t *testing.T) *box.Boxes {
	t.Helper()
	root := process.NewRoot(slog.Default())
	t.Cleanup(root.Close)
	return box.New(root, box.Limits{Copy: duplicate.Limits{Files: 1000, Bytes: 1 << 20}, Written: 8 << 20})
}

func workspace(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a,b:c")
	filetree.Write(t, dir, map[string]string{"code.txt": "old", "sub/deep.txt": "deep"})
	return dir
}

// run runs a shell's words in the box.
func run(t *testing.T, b *box.Box, script string) (string, error) {
	t.Helper()
	spec, err := b.Wrap(process.Spec{Name: "sh", Path: "/bin/sh", Args: []string{"-c", script}, Dir: b.Workspace})
	if err != nil {
		t.Fatal(err)
	}
	out, stderr, err := process.Run(context.Background(), spec)
	if len(stderr) > 0 {
		t.Logf("stderr: %s", stderr)
	}
	return string(out), err
}

func TestWhatIsWrittenStaysInTheBox(t *testing.T) {
	dir := workspace(t)
	b, err := boxes(t).Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && (b.Copied || b.Workspace != dir) {
		t.Fatalf("the box is %+v", b)
	}
	out, err := run(t, b, `echo new > code.txt; rm -r sub; mkdir more; echo x > more/y; cat code.txt; pwd; (setsid sleep 1000 &) ; exit 7`)
	if err == nil || !strings.Contains(err.Error(), "exit code 7") {
		t.Errorf("it ended with %v", err)
	}
	if out != "new\n"+b.Workspace+"\n" {
		t.Errorf("in the box: %q", out)
	}
	for name, want := range map[string]string{"code.txt": "old", "sub/deep.txt": "deep"} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s is %q outside", name, got)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "more")); err == nil {
		t.Error("what was made in the box is outside")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestBoxesDoNotMeet(t *testing.T) {
	dir, all := workspace(t), boxes(t)
	var running sync.WaitGroup
	for n := range 5 {
		running.Go(func() {
			b, err := all.Open(context.Background(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Close()
			want := fmt.Sprintln(n)
			if out, err := run(t, b, fmt.Sprintf("echo %d > code.txt; cat code.txt", n)); err != nil || out != want {
				t.Errorf("box %d has %q: %v", n, out, err)
			}
		})
	}
	running.Wait()
}

// What fills a box fills neither the disk nor the machine.
func TestABoxIsBounded(t *testing.T) {
	b, err := boxes(t).Open(context.Background(), workspace(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if out, err := run(t, b, "dd if=/dev/zero of=big bs=1M count=9 2>&1 | grep -c 'No space'"); err != nil || out != "1\n" {
		t.Errorf("it took all: %q, %v", out, err)
	}
}

func TestAWorkspaceThatHoldsTheBox(t *testing.T) {
	if _, err := boxes(t).Open(context.Background(), "/"); err == nil || !strings.Contains(err.Error(), "temporary files") {
		t.Errorf("opened: %v", err)
	}
}
