package session

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/lifecycle"
)

// piped opens a session whose program has pipes for streams, and gives the end
// of the input that the program reads.
func piped(t *testing.T, r StartRequest) (*Session, *os.File) {
	var files []*os.File
	for range 3 {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, read, write)
	}
	m := NewManager(Options{Registry: adapters.NewRegistry(&fakeAdapter{t: t, plan: func(p *adapters.Plan) {
		p.Streams = &adapters.Streams{Stdin: files[1], Stdout: files[2], Stderr: files[4]}
	}})})
	t.Cleanup(func() {
		files[3].Close()
		files[5].Close()
		m.Close(context.Background())
		for _, f := range files {
			f.Close()
		}
	})
	s, err := m.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.waitFor(t.Context(), func(m *lifecycle.Machine) bool { return m.Status() == Running }); err != nil {
		t.Fatal(err)
	}
	return s, files[0]
}

func TestInputIsWrittenAndEnds(t *testing.T) {
	first := "hello\n"
	s, in := piped(t, StartRequest{Program: adapters.Request{Stdin: &first, StdinOpen: true}})
	buf := make([]byte, 100)
	if n, _ := in.Read(buf); string(buf[:n]) != first {
		t.Errorf("read %q", buf[:n])
	}
	if _, err := s.Input(t.Context(), "more", true); err != nil {
		t.Fatal(err)
	}
	if n, _ := in.Read(buf); string(buf[:n]) != "more" {
		t.Errorf("read %q", buf[:n])
	}
	if n, err := in.Read(buf); n != 0 || err == nil {
		t.Errorf("read %q, %v, wanted the end", buf[:n], err)
	}
	if _, err := s.Input(t.Context(), "x", false); err == nil || !strings.Contains(err.Error(), "no more input") {
		t.Errorf("error %v", err)
	}
}

func TestInputOfTheStartEnds(t *testing.T) {
	all := strings.Repeat("x", 200<<10)
	s, in := piped(t, StartRequest{Program: adapters.Request{Stdin: &all}})
	if text, err := io.ReadAll(in); err != nil || string(text) != all {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
	_, err := s.Input(t.Context(), "x", false)
	if f := wantCode(t, err, fault.InvalidParam); !strings.Contains(f.Hint, "stdin_open") {
		t.Errorf("hint %q", f.Hint)
	}
}

// What a program does not read waits, without keeping anybody, and comes once.
func TestInputWaitsForTheProgram(t *testing.T) {
	s, in := piped(t, StartRequest{Program: adapters.Request{StdinOpen: true}})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	text := strings.Repeat("y", 300<<10)
	unread, err := s.Input(ended, text, false)
	if err != nil || unread == 0 {
		t.Errorf("%d bytes unread, error %v", unread, err)
	}
	_, err = s.Input(t.Context(), strings.Repeat("z", maxInput), false)
	wantCode(t, err, fault.InvalidParam)
	if _, err := s.Input(ended, "", true); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(in); err != nil || string(got) != text {
		t.Errorf("read %d bytes, error %v", len(got), err)
	}
}

// endingPipe ends the input that is being written to it.
type endingPipe struct {
	input  chan *input
	closed chan struct{}
}

func (p endingPipe) Write(text []byte) (int, error) {
	(<-p.input).end()
	return len(text), nil
}

func (p endingPipe) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

// What a program is just given when it ends was in no queue any more.
func TestInputThatEndsWhileItIsWritten(t *testing.T) {
	p := endingPipe{input: make(chan *input, 1), closed: make(chan struct{})}
	text := "hello\n"
	in := newInput(p, &text, true)
	p.input <- in
	<-p.closed
	if left := in.unreadBytes(); left != 0 {
		t.Errorf("%d bytes wait", left)
	}
}
