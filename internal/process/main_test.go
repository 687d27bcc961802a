package process_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/process"
)

// TestMain is also the program that the tests run: "helper NAME" plays one of
// the parts below.
func TestMain(m *testing.M) {
	process.Reexec()
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		parts[os.Args[2]](os.Args[3:])
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the parts end at once
	os.Exit(m.Run())
}

var parts = map[string]func(args []string){
	"sleep": sleep,
	"cat":   func([]string) { io.Copy(os.Stdout, os.Stdin) },
	"deaf":  deaf,
	"extra": extra,
	"flood": flood,
}

// sleep prints its process id and stays.
func sleep([]string) {
	fmt.Println(os.Getpid())
	time.Sleep(time.Hour)
}

// deaf closes its stdout but stays until the end of its stdin.
func deaf([]string) {
	os.Stdout.Close()
	io.Copy(io.Discard, os.Stdin)
}

// extra copies what comes from descriptor 4 to descriptor 3, closes both and
// stays until the end of its stdin.
func extra([]string) {
	to, from := os.NewFile(3, "to"), os.NewFile(4, "from")
	io.Copy(to, from)
	to.Close()
	from.Close()
	io.Copy(io.Discard, os.Stdin)
}

// flood writes lines until it cannot.
func flood([]string) {
	w := bufio.NewWriter(os.Stdout)
	for i := 0; i < 2_000_000; i++ {
		fmt.Fprintln(w, "line", i)
	}
	w.Flush()
}

func spawn(change func(*exec.Cmd), part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "helper", part)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
	}
	return cmd
}

// helper describes a child that plays a part.
func helper(t *testing.T, part ...string) process.Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return process.Spec{Name: part[0], Path: self, Args: append([]string{"helper"}, part...)}
}

// start starts spec and kills it at the end of the test.
func start(t *testing.T, spec process.Spec) *process.Child {
	t.Helper()
	child, err := process.Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(child.Kill)
	return child
}

// pids reads n process ids.
func pids(t *testing.T, r io.Reader, n int) []int {
	t.Helper()
	var ids []int
	for lines := bufio.NewScanner(r); len(ids) < n && lines.Scan(); {
		var id int
		if _, err := fmt.Sscan(strings.TrimSpace(lines.Text()), &id); err != nil {
			t.Fatalf("not a process id: %q", lines.Text())
		}
		ids = append(ids, id)
	}
	if len(ids) < n {
		t.Fatalf("got %d process ids of %d", len(ids), n)
	}
	return ids
}

// within waits for a condition that another process brings about.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in 20 s: %s", what)
		}
	}
}

// ends waits for the child's end.
func ends(t *testing.T, child *process.Child) process.ExitStatus {
	t.Helper()
	select {
	case <-child.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the child did not end in 20 s")
	}
	return child.Exit()
}
