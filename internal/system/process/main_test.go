package process_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
)

// TestMain is also the program that the tests run: "helper NAME" plays one of
// the parts below.
func TestMain(m *testing.M) {
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
	for i := range 2_000_000 {
		fmt.Fprintln(w, "line", i)
	}
	w.Flush()
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
