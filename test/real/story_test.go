//go:build linux

package real

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// story is one journey: a server in the folder of a project.
type story struct {
	*testkit.Server
	t *testing.T
}

// waitLimit bounds a call that waits for the program, in milliseconds.
const waitLimit = 80_000

// start is session_start with all the time that a build needs.
func (s *story) start(args A) testkit.Reply {
	s.t.Helper()
	args["timeout_ms"], args["env"] = waitLimit, s.leavings()
	r := s.OK("session_start", args)
	if status := r.Status(); status == "starting" || status == "running" { // on a busy machine
		return s.wait()
	}
	return r
}

// leavings lets a program keep its temporary files where they go with the test.
func (s *story) leavings() A { return A{"TMPDIR": s.t.TempDir()} }

// serve starts a program that goes on running, and returns when it has printed
// what the pattern says, with the pattern's first group.
func (s *story) serve(args A, pattern string) string {
	s.t.Helper()
	env := s.leavings()
	if more, ok := args["env"].(A); ok {
		maps.Copy(env, more)
	}
	args["timeout_ms"], args["env"] = 0, env
	s.OK("session_start", args)
	listening := regexp.MustCompile(pattern)
	var found []string
	testkit.Eventually(s.t, testkit.CallLimit, "the output "+pattern, func() bool {
		r := s.OK("inspect", A{"target": "output"})
		found = listening.FindStringSubmatch(r.At("data", "stdout") + r.At("data", "stderr"))
		return found != nil
	})
	return found[len(found)-1]
}

// goOn resumes the program and waits for its next stop or its end.
func (s *story) goOn() testkit.Reply {
	s.t.Helper()
	return s.OK("execute", A{"timeout_ms": waitLimit})
}

// wait waits for a stop of a program that runs.
func (s *story) wait() testkit.Reply {
	s.t.Helper()
	return s.OK("execute", A{"action": "wait", "timeout_ms": waitLimit})
}

// value evaluates an expression in the top frame.
func (s *story) value(expression string) string {
	s.t.Helper()
	return s.OK("inspect", A{"expression": expression}).At("data", "result", "v")
}

// shows wants each expression to have its value.
func (s *story) shows(values map[string]string) {
	s.t.Helper()
	for expression, want := range values {
		s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
	}
}

// frame is the number of the nearest frame whose line in the stack has a text.
func (s *story) frame(part string) int {
	s.t.Helper()
	var frames []string
	r := s.OK("inspect", A{"target": "stack", "max_bytes": 40_000})
	r.Decode(&frames, "data", "stack")
	for i, frame := range frames {
		if strings.Contains(frame, part) {
			return i
		}
	}
	s.t.Fatalf("no frame has %s in\n%s", part, r)
	return 0
}

// ends wants the program to have ended with this exit code.
func (s *story) ends(r testkit.Reply, code int) {
	s.t.Helper()
	r.Want("terminated", "data", "execution_state", "status")
	r.Want(strconv.Itoa(code), "data", "execution_state", "exit_code")
}

// local is the value of a local variable in a stop view.
func local(r testkit.Reply, name string) string { return r.At("data", "locals", name, "v") }

// line is the number of the only line of a file that contains a text.
func (s *story) line(file, text string) int {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(s.Dir, file))
	if err != nil {
		s.t.Fatal(err)
	}
	found := 0
	for i, line := range strings.Split(string(content), "\n") {
		if strings.Contains(line, text) {
			if found > 0 {
				s.t.Fatalf("%s has %q on the lines %d and %d", file, text, found, i+1)
			}
			found = i + 1
		}
	}
	if found == 0 {
		s.t.Fatalf("%s has no line with %q", file, text)
	}
	return found
}

// at is the location of the only line of a file that contains a text.
func (s *story) at(file, text string) string {
	s.t.Helper()
	return file + ":" + strconv.Itoa(s.line(file, text))
}

// truth is what a command prints in a run without the debugger, on both of its
// streams; it may fail, as failing tests do.
func (s *story) truth(command ...string) string {
	s.t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = s.Dir, append(os.Environ(), "NO_COLOR=1", "FORCE_COLOR=0")
	out, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		s.t.Fatalf("%v: %v", command, err)
	}
	return string(out)
}

// served is what a server answers to a request in a run without the debugger. It
// runs from when it has printed the pattern, whose first group is its address.
func (s *story) served(pattern, path string, command ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = s.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it starts ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	defer func() {
		cancel()
		go func() { _, _ = io.Copy(io.Discard, read) }()
		_ = cmd.Wait()
	}()
	address := firstMatch(read, pattern)
	if address == "" {
		s.t.Fatalf("%v did not print %s", command, pattern)
	}
	return get("http://" + address + path)
}

// firstMatch reads until what was read matches, and returns the first group.
func firstMatch(from io.Reader, pattern string) string {
	var seen bytes.Buffer
	part := make([]byte, 4096)
	for {
		n, err := from.Read(part)
		seen.Write(part[:n])
		if found := regexp.MustCompile(pattern).FindStringSubmatch(seen.String()); found != nil {
			return found[len(found)-1]
		}
		if err != nil {
			return ""
		}
	}
}

// ask sends a request to the program; its answer comes when the debugger lets it.
func ask(url string) <-chan string {
	answer := make(chan string, 1)
	go func() { answer <- get(url) }()
	return answer
}

// get is the status and the body that a server answers, or why there is none.
func get(url string) string {
	client := http.Client{Timeout: testkit.CallLimit}
	resp, err := client.Get(url)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return resp.Status + "\n" + string(body)
}

// exchange sends a text to a server that talks plainly over TCP; its first words
// come when the debugger lets it.
func exchange(address, text string) <-chan string {
	answer := make(chan string, 1)
	go func() {
		conn, err := net.DialTimeout("tcp", address, testkit.CallLimit)
		if err != nil {
			answer <- err.Error()
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(testkit.CallLimit))
		buffer := make([]byte, 1024)
		_, err = io.WriteString(conn, text)
		if err != nil {
			answer <- err.Error()
			return
		}
		n, err := conn.Read(buffer)
		if err != nil {
			answer <- err.Error()
			return
		}
		answer <- string(buffer[:n])
	}()
	return answer
}

// answered is what came for a request.
func (s *story) answered(answer <-chan string) string {
	s.t.Helper()
	select {
	case text := <-answer:
		return text
	case <-time.After(testkit.CallLimit):
		s.t.Fatal("no answer came for the request")
		return ""
	}
}

// port is one that is the story's own.
func (s *story) port() string {
	s.t.Helper()
	return strconv.Itoa(testkit.Port(s.t))
}

// find is what the only group of a pattern matches in a text that a program
// printed.
func (s *story) find(pattern, text string) string {
	s.t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		s.t.Fatalf("no %s in what the program printed:\n%s", pattern, text)
	}
	return found[1]
}

// contains says whether a text has a part.
func contains(text, part string) bool { return strings.Contains(text, part) }

// same wants two texts to be one.
func (s *story) same(what, got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Fatalf("%s: the debugger shows %q, the program itself %q", what, got, want)
	}
}
