package process_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/internal/system/process"
)

func TestEndOfFileReachesTheChildAndUs(t *testing.T) {
	child := start(t, helper(t, "cat"))
	if _, err := io.WriteString(child.Stdin, "one\ntwo\n"); err != nil {
		t.Fatal(err)
	}
	child.Stdin.Close()
	out, err := io.ReadAll(child.Stdout)
	if err != nil || string(out) != "one\ntwo\n" {
		t.Fatalf("read %q, %v", out, err)
	}
	if status := ends(t, child); status != (process.ExitStatus{}) {
		t.Fatalf("ended with %v", status)
	}
}

func TestAClosedStdoutIsSeenWhileTheChildLives(t *testing.T) {
	child := start(t, helper(t, "deaf"))
	if out, err := io.ReadAll(child.Stdout); err != nil || len(out) > 0 {
		t.Fatalf("read %q, %v", out, err)
	}
	select {
	case <-child.Done():
		t.Fatal("the child has ended")
	default:
	}
	child.Stdin.Close()
	ends(t, child)
}

func TestStderrIsKeptAsATail(t *testing.T) {
	child := start(t, process.Spec{Name: "sh", Path: "sh", Args: []string{"-c", "echo first >&2; echo last >&2"}})
	ends(t, child)
	if got := child.StderrTail(100); got != "first\nlast" {
		t.Errorf("tail is %q", got)
	}
	if got := child.StderrTail(6); got != "last" {
		t.Errorf("short tail is %q", got)
	}
}

func TestFailedStartsSayWhyAndRemoveScratch(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("\x7fnot a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		spec process.Spec
		want string
	}{
		"no such command": {process.Spec{Path: "no-such-command"}, exec.ErrNotFound.Error()},
		"no such file":    {process.Spec{Path: filepath.Join(dir, "none")}, "no such file"},
		"no program":      {process.Spec{Path: text}, "exec format error"},
		"no such folder":  {process.Spec{Path: "sh", Dir: filepath.Join(dir, "none")}, "no such file"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			scratch := filepath.Join(t.TempDir(), "scratch")
			if err := os.Mkdir(scratch, 0o755); err != nil {
				t.Fatal(err)
			}
			c.spec.Name, c.spec.Remove = "thing", []string{scratch}
			_, err := process.Start(c.spec)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "starting thing: ") {
				t.Errorf("error is %v", err)
			}
			if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("scratch is still there: %v", err)
			}
		})
	}
}

func TestDirAndEnvReachTheChild(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "show")
	if err := os.WriteFile(script, []byte("#!/bin/sh\npwd; echo $WORD $HOME\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, _, err := process.Run(t.Context(), process.Spec{
		Name: "show", Path: "./show", Dir: dir, Env: []string{"WORD=ünï côde"},
	})
	if want := dir + "\nünï côde\n"; err != nil || string(out) != want {
		t.Fatalf("got %q, %v; want %q", out, err, want)
	}
}

func TestAPathIsFoundFromWhereWeStand(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("show", []byte("#!/bin/sh\necho here\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, _, err := process.Run(t.Context(), process.Spec{Name: "show", Path: "./show"})
	if err != nil || string(out) != "here\n" {
		t.Fatalf("got %q, %v", out, err)
	}
}

func TestScratchIsRemovedWhenTheChildEnds(t *testing.T) {
	scratch := filepath.Join(t.TempDir(), "a b", "ü")
	if err := os.MkdirAll(filepath.Join(scratch, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := helper(t, "cat")
	spec.Remove = []string{scratch}
	child := start(t, spec)
	if _, err := os.Stat(scratch); err != nil {
		t.Fatal(err)
	}
	child.Stdin.Close()
	ends(t, child)
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("scratch is still there: %v", err)
	}
}

// A scratch directory is made for the child, so that nothing is left when we
// are killed between the two.
func TestScratchIsMadeForTheChild(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	scratch := filepath.Join(t.TempDir(), "scratch")
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("naming it made it: %v", err)
	}
	out, errs, err := process.Run(t.Context(), process.Spec{
		Name: "look", Path: "sh", Args: []string{"-c", "ls -d " + scratch + " && touch " + scratch + "/file"}, Remove: []string{scratch},
	})
	if err != nil || string(out) != scratch+"\n" {
		t.Fatalf("got %q, %q, %v", out, errs, err)
	}
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("scratch is still there: %v", err)
	}
}

// What Fill writes is there when the child starts; when it fails there is no
// child and no directory.
func TestScratchIsFilledBeforeTheChildRuns(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	scratch := filepath.Join(t.TempDir(), "scratch")
	file := filepath.Join(scratch, "file")
	spec := process.Spec{
		Name: "look", Path: "cat", Args: []string{file}, Remove: []string{scratch},
		Fill: func() error { return os.WriteFile(file, []byte("filled"), 0o600) },
	}
	out, errs, err := process.Run(t.Context(), spec)
	if err != nil || string(out) != "filled" {
		t.Fatalf("got %q, %q, %v", out, errs, err)
	}
	full := errors.New("no space left")
	spec.Fill = func() error { return full }
	if _, _, err = process.Run(t.Context(), spec); !errors.Is(err, full) {
		t.Errorf("a failed Fill gives %v", err)
	}
	within(t, "the directory to go", func() bool {
		_, err := os.Stat(scratch)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestRunReturnsBothStreamsAndTheFailure(t *testing.T) {
	out, errs, err := process.Run(t.Context(), process.Spec{
		Name: "go build", Path: "sh", Args: []string{"-c", "cat; echo out; echo err >&2; exit 3"},
	})
	if string(out) != "out\n" || string(errs) != "err\n" {
		t.Errorf("wrote %q and %q", out, errs)
	}
	var failed *process.ExitError
	if !errors.As(err, &failed) {
		t.Fatalf("error is %v", err)
	}
	if failed.Status.Code != 3 || failed.Stderr != "err" || failed.Error() != "go build failed: exit code 3" {
		t.Errorf("failure is %+v", failed)
	}
}

func TestRunWatchedShowsLines(t *testing.T) {
	var shown []string
	out, _, err := process.RunWatched(t.Context(), process.Spec{
		Name: "printf", Path: "/bin/sh", Args: []string{"-c", `printf 'a\nb'; printf 'c\n\nd'`},
	}, func(line []byte) { shown = append(shown, string(line)) })
	if err != nil || string(out) != "a\nbc\n\nd" || strings.Join(shown, "|") != "a|bc|" {
		t.Errorf("shown %q of %q, %v", shown, out, err)
	}
}

func TestRunKeepsTheHeadOfALongOutput(t *testing.T) {
	out, _, err := process.Run(t.Context(), helper(t, "flood"))
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 4<<20 || len(out) > 4<<20+100 {
		t.Errorf("kept %d bytes", len(out))
	}
	if s := string(out); !strings.HasPrefix(s, "line 0\nline 1\n") || !strings.HasSuffix(s, " more bytes]\n") {
		t.Errorf("kept %q … %q", s[:20], s[len(s)-60:])
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	reason := errors.New("the user went away")
	ctx, cancel := context.WithCancelCause(t.Context())
	notice, w := io.Pipe()
	defer notice.Close()
	done := make(chan error, 1)
	dir := t.TempDir()
	go func() {
		_, _, err := process.Run(ctx, process.Spec{
			Name: "build", Path: "sh", Args: []string{"-c", "touch started; sleep 1000; touch finished"}, Dir: dir,
		})
		done <- err
		w.Close()
	}()
	within(t, "the build has started", func() bool {
		_, err := os.Stat(filepath.Join(dir, "started"))
		return err == nil
	})
	cancel(reason)
	if err := <-done; !errors.Is(err, reason) {
		t.Fatalf("error is %v", err)
	}
	if _, _, err := process.Run(ctx, process.Spec{Name: "build", Path: "sh"}); !errors.Is(err, reason) {
		t.Fatalf("with an ended context the error is %v", err)
	}
}

func TestKillMayComeTwiceAndLate(t *testing.T) {
	child := start(t, helper(t, "sleep"))
	var killers sync.WaitGroup
	for range 4 {
		killers.Go(child.Kill)
	}
	killers.Wait()
	ends(t, child)
	child.Kill()
}

func TestManyChildrenAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			child, err := process.Start(helper(t, "cat"))
			if err != nil {
				t.Error(err)
				return
			}
			defer child.Kill()
			io.WriteString(child.Stdin, "x")
			child.Stdin.Close()
			if out, err := io.ReadAll(child.Stdout); err != nil || string(out) != "x" {
				t.Errorf("read %q, %v", out, err)
			}
			if status := child.Exit(); status != (process.ExitStatus{}) {
				t.Errorf("ended with %v", status)
			}
		})
	}
	all.Wait()
}

// BenchmarkRun and BenchmarkUnsupervised differ by what the supervisor costs.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if _, _, err := process.Run(b.Context(), process.Spec{Name: "true", Path: "true"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnsupervised(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
