package process

import (
	"os/exec"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// What counts is the thread that has waited longest since, and all of a new one's time.
func TestHowLongAProcessorWasWaitedFor(t *testing.T) {
	before := queued{1: time.Minute, 2: time.Second}
	for _, tt := range []struct {
		now  queued
		want time.Duration
	}{
		{queued{1: time.Minute + 2*time.Second, 2: 2 * time.Second}, 2 * time.Second},
		{queued{1: time.Minute, 3: 3 * time.Second}, 3 * time.Second},
		{queued{}, 0},
	} {
		if got := tt.now.since(before); got != tt.want {
			t.Errorf("%v since %v: %v, want %v", tt.now, before, got, tt.want)
		}
	}
}

// Of several that compute on one processor each has to wait, and those that start them tell it.
func TestQueuedBelow(t *testing.T) {
	cmd := exec.Command("sh", "-c", `for i in 1 2 3; do (while :; do :; done) & all="$all $!"; done; read line; kill -9 $all`)
	in, err := cmd.StdinPipe()
	if err == nil {
		testkit.OnOneProcessor(t)
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	for begun := time.Now(); Queued(cmd.Process.Pid) < time.Second/2; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("after 20 s they have waited %s", Queued(cmd.Process.Pid))
		}
	}
}

// What does not compute waits for no processor, however long it takes.
func TestNotQueued(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	time.Sleep(500 * time.Millisecond)
	before := Queued(cmd.Process.Pid)
	time.Sleep(time.Second)
	if now := Queued(cmd.Process.Pid); now-before > 10*time.Millisecond {
		t.Errorf("it has waited %s for a processor, and sleeps", now-before)
	}
	if Queued(1<<30) != 0 {
		t.Error("a process that is none has waited")
	}
}
