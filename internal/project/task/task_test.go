//go:build unix

package task

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/system/process"
)

// shell is a task that runs a line of shell.
func shell(label, line string, before ...*launch.Task) *launch.Task {
	return &launch.Task{Label: label, Command: []string{"/bin/sh", "-c", line}, Before: before}
}

// Tasks run in the order that is asked for, each once, in their directory and with
// their environment.
func TestTasksRunInOrder(t *testing.T) {
	dir := t.TempDir()
	at := func(task *launch.Task) *launch.Task {
		task.Dir, task.Env = dir, map[string]string{"WHO": "me"}
		return task
	}
	first := at(shell("first", `echo "first $WHO" >> log`))
	second := at(shell("second", "echo second >> log", first))
	last := at(shell("last", "echo last >> log", first, second))
	last.Sequence = true
	var doing []string
	run, err := Start(t.Context(), last, func(what string) { doing = append(doing, what) })
	if err != nil {
		t.Fatal(err)
	}
	run.End()
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || string(log) != "first me\nsecond\nlast\n" {
		t.Errorf("%q, %v", log, err)
	}
	if len(doing) != 3 || doing[0] != `running the task "first"` {
		t.Errorf("told was %q", doing)
	}
}

// What depends on nothing runs side by side: each waits for the other here.
func TestTasksRunSideBySide(t *testing.T) {
	dir := t.TempDir()
	wait := func(mine, other string) string {
		return "touch " + mine + "; until [ -e " + other + " ]; do sleep 0.01; done"
	}
	a, b := shell("a", wait("a", "b")), shell("b", wait("b", "a"))
	a.Dir, b.Dir = dir, dir
	run, err := Start(t.Context(), &launch.Task{Label: "both", Before: []*launch.Task{a, b}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run.End()
}

// A task in the background is waited for until it is ready, and ended with the rest.
func TestBackground(t *testing.T) {
	watch := shell("watch", `printf '\033[32mstarting\033[0m\n'; printf 'Found 0 errors. \033[1mWatching\033[0m for file changes.\n'; echo $$ > pid; exec sleep 600`)
	watch.Background, watch.Ready, watch.Dir = true, regexp.MustCompile(`Watching for file changes\.`), t.TempDir()
	run, err := Start(t.Context(), watch, nil)
	if err != nil {
		t.Fatal(err)
	}
	child := run.children[0]
	if process.Gone(child.Pid()) {
		t.Error("the task has ended")
	}
	run.End()
	if !process.Gone(child.Pid()) {
		t.Error("the task lives on")
	}
	silent := shell("silent", "exec sleep 600")
	silent.Background = true
	if run, err = Start(t.Context(), silent, nil); err != nil {
		t.Fatal(err)
	}
	defer run.End()
	if notes := run.Notes(); len(notes) != 1 || !strings.Contains(notes[0], `nothing says when the task "silent" is ready`) {
		t.Errorf("%q", notes)
	}
}

func TestFailures(t *testing.T) {
	ready := regexp.MustCompile("(?m)^ready$")
	never := shell("never", "echo half; exec sleep 600")
	never.Background, never.Ready = true, ready
	dies := shell("dies", "echo out of luck >&2; exit 3")
	dies.Background, dies.Ready = true, ready
	for _, c := range []struct {
		task             *launch.Task
		message, printed string
	}{
		{shell("build", "echo main.c:3: error; exit 2"), `the task "build" failed: exit code 2`, "main.c:3: error"},
		{dies, `the task "dies" failed: exit code 3`, "out of luck"},
		{never, `the task "never" was not ready (nothing that it printed matches "^ready$") when its time was over`, "half"},
		{shell("endless", "echo on and on; exec sleep 600"), `the task "endless" has not ended when its time was over`, "on and on"},
		{&launch.Task{Label: "absent", Command: []string{"no-such-command"}}, `the task "absent" could not be started`, ""},
		{shell("after", "exit 0", shell("build", "echo oh; exit 1"), shell("other", "exec sleep 600")), `the task "build" failed`, "oh"},
	} {
		t.Run(c.task.Label, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute // of what ends by itself
			if strings.HasSuffix(c.message, "when its time was over") {
				limit = 3 * time.Second // in which it prints what it does
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			run, err := Start(ctx, c.task, nil)
			f, ok := errors.AsType[*fault.Error](err)
			if !ok || run != nil || f.Code != fault.BuildFailed || !strings.Contains(f.Message, c.message) || f.Hint == "" {
				t.Fatalf("%+v", err)
			}
			if details, _ := f.Details.(Details); details.Output != c.printed {
				t.Errorf("printed %q, want %q", details.Output, c.printed)
			}
		})
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopped"))
	if _, err := Start(ctx, shell("x", "sleep 600"), nil); !fault.Is(err, fault.Cancelled) {
		t.Errorf("a start that was cancelled: %v", err)
	}
}

func TestTail(t *testing.T) {
	p := &printed{}
	for range 1000 {
		_, _ = p.Write([]byte("a line of ten\n"))
	}
	_, _ = p.Write([]byte("the end"))
	if tail := p.tail(); len(tail) > tailKept || !strings.HasPrefix(tail, "a line") || !strings.HasSuffix(tail, "\nthe end") {
		t.Errorf("%d bytes: %.40q", len(tail), tail)
	}
}
