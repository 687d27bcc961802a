package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"aidb-mcp/internal/mcp/caller"
)

// Terminal reads lines that a person types, with history and completion.
type Terminal struct {
	in      *os.File
	line    *term.Terminal
	history *history
	keys    *keys
	tools   []caller.Tool
	pending string // what was typed of a line that goes on
}

const (
	prompt = "aidb> "
	onward = "  ... "
)

// NewTerminal reads from a terminal. The history is kept in a file.
func NewTerminal(in *os.File, out io.Writer, historyFile string, tools []caller.Tool) *Terminal {
	t := &Terminal{in: in, history: openHistory(historyFile), keys: &keys{in: in}, tools: tools}
	t.line = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, out}, prompt)
	t.line.History = t.history
	t.line.AutoCompleteCallback = t.complete
	return t
}

// Next reads a line.
func (t *Terminal) Next(ctx context.Context, more bool) (string, error) {
	if !more {
		t.remember()
	}
	t.line.SetPrompt(prompt)
	if more {
		t.line.SetPrompt(onward)
	}
	if width, height, err := term.GetSize(int(t.in.Fd())); err == nil {
		_ = t.line.SetSize(width, height)
	}
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return "", fmt.Errorf("reading keys: %w", err)
	}
	defer func() { _ = term.Restore(int(t.in.Fd()), before) }()
	line, err := t.read(ctx)
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if t.keys.dropped.Swap(false) {
		t.pending = ""
		return "", ErrDropped
	}
	if err != nil {
		t.remember()
		return "", err
	}
	if t.pending = t.pending + line + " "; !more {
		t.pending = line + " "
	}
	return line, nil
}

// read is a line, unless the shell is ended by a signal. Then the reader is left
// behind: it ends with the program.
func (t *Terminal) read(ctx context.Context) (string, error) {
	type typed struct {
		line string
		err  error
	}
	came := make(chan typed, 1)
	go func() {
		line, err := t.line.ReadLine()
		came <- typed{line, err}
	}()
	select {
	case c := <-came:
		return c.line, c.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// remember puts what was typed into the history, as one line.
func (t *Terminal) remember() {
	t.history.keep(strings.TrimRight(t.pending, " "))
	t.pending = ""
}

// During runs a call. An interrupt ends it, and not the shell.
func (t *Terminal) During(ctx context.Context, call func(context.Context)) {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-interrupted:
			cancel()
		case <-ended:
		}
	}()
	call(ctx)
}

// Close keeps the history.
func (t *Terminal) Close() error {
	t.remember()
	if err := t.history.save(); err != nil {
		return fmt.Errorf("keeping the history: %w", err)
	}
	return nil
}

// complete answers the key Tab: as much as all choices have in common, else the choices.
func (t *Terminal) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	before := t.pending // of a line that goes on
	start, choices := complete(t.tools, before+line[:pos])
	if start -= len(before); start < 0 {
		return line, pos, true
	}
	shared := commonPrefix(choices)
	if start+len(shared) <= pos {
		if len(choices) > 1 {
			_, _ = fmt.Fprintf(t.line, "%s\n", strings.Join(choices, "  "))
		}
		return line, pos, true
	}
	return line[:start] + shared + line[pos:], start + len(shared), true
}

// keys reads a terminal. Control-C drops what was typed: it would end the lines.
type keys struct {
	in      io.Reader
	left    []byte
	dropped atomic.Bool
}

// dropLine goes to the end of the line, deletes it, and enters what is left.
const dropLine = "\x05\x15\r"

func (k *keys) Read(p []byte) (int, error) {
	if len(k.left) == 0 {
		buffer := make([]byte, 1024)
		n, err := k.in.Read(buffer)
		if err != nil {
			return 0, err
		}
		for _, b := range buffer[:n] {
			if b == 3 {
				k.dropped.Store(true)
				k.left = append(k.left, dropLine...)
				continue
			}
			k.left = append(k.left, b)
		}
	}
	n := copy(p, k.left)
	k.left = k.left[n:]
	return n, nil
}
