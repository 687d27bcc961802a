package testkit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Proc is one row of the process table.
type Proc struct {
	PID, Parent, Session int
	State                string // "R", "S", "Z", …
	Command              string
}

func (p Proc) String() string {
	return fmt.Sprintf("pid %d (parent %d, session %d, %s): %s", p.PID, p.Parent, p.Session, p.State, p.Command)
}

// Processes is the process table.
func Processes() []Proc {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var all []Proc
	for _, dir := range dirs {
		if p, ok := readProc(dir); ok {
			all = append(all, p)
		}
	}
	return all
}

// readProc reads /proc/PID/stat: "pid (comm) state ppid pgrp session …".
func readProc(dir string) (Proc, bool) {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return Proc{}, false // it has just gone
	}
	head, tail, _ := strings.Cut(string(stat), " (")
	comm, rest := tail[:strings.LastIndex(tail, ")")], tail[strings.LastIndex(tail, ")")+1:]
	fields := strings.Fields(rest)
	p := Proc{State: fields[0], Command: comm}
	p.PID, _ = strconv.Atoi(head)
	p.Parent, _ = strconv.Atoi(fields[1])
	p.Session, _ = strconv.Atoi(fields[3])
	if line, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil && len(line) > 0 {
		p.Command = strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return p, true
}

// Keeper says that a process owns a server's private directory. It lives as long
// as its server.
func (p Proc) Keeper() bool { return strings.HasSuffix(p.Command, " keep") }

// Descendants are the children of pid, their children and so on, zombies
// included, and keepers not.
func Descendants(pid int) []Proc {
	children := map[int][]Proc{}
	for _, p := range Processes() {
		children[p.Parent] = append(children[p.Parent], p)
	}
	var all []Proc
	for next := []int{pid}; len(next) > 0; next = next[1:] {
		for _, p := range children[next[0]] {
			if p.Keeper() {
				continue
			}
			all = append(all, p)
			next = append(next, p.PID)
		}
	}
	return all
}

// Marked are the living processes whose environment holds the text, whoever
// their parent is by now. It is asked for over and over, and most processes are
// not: nothing else of those is read.
func Marked(text string) []Proc {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var all []Proc
	var env bytes.Buffer
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' || !holds(filepath.Join("/proc", name, "environ"), text, &env) {
			continue
		}
		if p, ok := readProc(filepath.Join("/proc", name)); ok && p.State != "Z" {
			all = append(all, p)
		}
	}
	return all
}

// holds says that a file can be read and has the text in it; what is read goes to buf.
func holds(file, text string, buf *bytes.Buffer) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	buf.Reset()
	_, err = buf.ReadFrom(f)
	return err == nil && bytes.Contains(buf.Bytes(), []byte(text))
}

// Resident is the resident memory of a process in bytes, 0 when it is gone.
func Resident(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	if !found {
		return 0
	}
	kib, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kib << 10
}

// The pauses between two looks at what comes in its own time: the longer it has
// taken, the less a moment more matters.
const (
	firstLook = 20 * time.Millisecond
	lastLook  = 100 * time.Millisecond
)

// waitUntil asks until the answer is yes, and says whether that was within the limit.
func waitUntil(limit time.Duration, yes func() bool) bool {
	late := time.After(limit)
	for pause := firstLook; !yes(); pause = min(pause*5/4, lastLook) {
		select {
		case <-time.After(pause):
		case <-late:
			return yes()
		}
	}
	return true
}

// Eventually asks until the answer is yes and fails the test when it is not
// within the limit; what names the thing that was waited for.
func Eventually(t testing.TB, limit time.Duration, what string, yes func() bool) {
	t.Helper()
	if !waitUntil(limit, yes) {
		t.Fatalf("not within %v: %s", limit, what)
	}
}

// NoneLeft fails the test unless the list becomes empty within the limit.
func NoneLeft(t testing.TB, limit time.Duration, list func() []Proc) {
	t.Helper()
	var left []Proc
	if waitUntil(limit, func() bool { left = list(); return len(left) == 0 }) {
		return
	}
	for _, p := range left {
		t.Errorf("left behind after %v: %v", limit, p)
	}
}
