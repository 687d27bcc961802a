package process

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// Threads that wait for each other are known by it; one that reads is none of them, for it might
// notice a pause.
func TestParked(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		parked  bool
	}{
		"threads that wait for a lock": {"import threading, time\na = threading.Lock()\na.acquire()\nfor _ in 'ab': threading.Thread(target=a.acquire, daemon=True).start()\nprint(flush=True)\ntime.sleep(60)", true},
		"one of which reads":           {"import os, threading\na = threading.Lock()\na.acquire()\nfor _ in 'ab': threading.Thread(target=a.acquire, daemon=True).start()\nr, w = os.pipe()\nprint(flush=True)\nos.read(r, 1)", false},
		"one thread":                   {"import time\nprint(flush=True)\ntime.sleep(60)", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("python3", "-c", c.program)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}()
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(20 * time.Second); c.parked && !Parked(cmd.Process.Pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("its threads are not known to wait")
				}
			}
			for range 20 {
				if !c.parked && Parked(cmd.Process.Pid) {
					t.Fatal("its threads are said to wait")
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	if Parked(os.Getpid()) {
		t.Error("a program that runs is said to wait")
	}
}
