package shell

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// remembered is how many lines a history has, and longest how long one may be.
const (
	remembered = 1000
	longest    = 4000
)

// history is what was typed before, in a file that only its owner can read. A line
// that begins with a space is not kept.
type history struct {
	file  string
	lines []string // the oldest first
}

// openHistory reads a history. None, and one that cannot be read, is empty.
func openHistory(file string) *history {
	h := &history{file: file}
	text, err := boundedfile.ReadText(file)
	if err != nil {
		return h
	}
	for line := range bytes.Lines(text) {
		h.lines = append(h.lines, strings.TrimRight(string(line), "\r\n"))
	}
	h.lines = h.lines[max(0, len(h.lines)-remembered):]
	return h
}

// Len and At are those of term.History: the newest is the first.
func (h *history) Len() int { return len(h.lines) }

// At is a line.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }

// Add is called with each line of a terminal; what belongs together is kept by keep.
func (h *history) Add(string) {}

// keep remembers what was typed.
func (h *history) keep(line string) {
	if line == "" || line[0] == ' ' || len(line) > longest || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	h.lines = h.lines[max(0, len(h.lines)-remembered):]
}

// save writes the file, in one step.
func (h *history) save() error {
	if h.file == "" || len(h.lines) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(h.file), filepath.Base(h.file)+".*") // with 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(h.lines, "\n") + "\n")
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), h.file)
	}
	if err != nil {
		if again := os.Remove(f.Name()); again != nil && !errors.Is(again, fs.ErrNotExist) {
			err = errors.Join(err, again)
		}
	}
	return err
}
