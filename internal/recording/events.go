package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readEvents reads the files of one process. Room is made for all of them at once: a list that has to
// grow is there twice meanwhile.
func readEvents(dir string) ([]Event, error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	lines := 0
	for _, name := range []string{Head, Tail0, Tail1} {
		f, err := os.Open(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		n, err := countLines(f)
		if err != nil {
			return nil, err
		}
		lines += n
	}
	events, same := make([]Event, 0, lines), newShared()
	for _, f := range files {
		var err error
		if events, err = appendEvents(events, f, same); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// countLines is how many lines a file has, which is read from its beginning afterwards.
func countLines(f *os.File) (n int, err error) {
	piece := make([]byte, 1<<16)
	for err == nil {
		var read int
		read, err = f.Read(piece)
		n += bytes.Count(piece[:read], []byte{'\n'})
	}
	if errors.Is(err, io.EOF) {
		_, err = f.Seek(0, io.SeekStart)
	}
	return n, err
}

// appendEvents reads the lines of one file.
func appendEvents(to []Event, from io.Reader, same *shared) ([]Event, error) {
	lines := bufio.NewReaderSize(io.LimitReader(from, HeadSize+TailSize), 1<<16)
	var e Event
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return to, nil
		}
		if err != nil {
			return to, err
		}
		e = Event{}
		if json.Unmarshal(line, &e) == nil { // else it was cut by a crash
			same.in(&e)
			to = append(to, e)
		}
	}
}

// shared holds one copy of what the events of a recording say again and again: where they
// happened, in which function, and who called.
type shared struct {
	texts map[string]string
	lists map[string][]string
}

func newShared() *shared {
	return &shared{map[string]string{}, map[string][]string{}}
}

// in has an event, and its values, share what others have said.
func (s *shared) in(e *Event) {
	e.Kind = Kind(s.text(string(e.Kind)))
	for _, text := range []*string{&e.At, &e.Function, &e.Thread, &e.Place} {
		*text = s.text(*text)
	}
	e.Names, e.Stack = s.list(e.Names), s.list(e.Stack)
	for i := range e.Values {
		for _, text := range []*string{&e.Values[i].Place, &e.Values[i].Same, &e.Values[i].Of} {
			*text = s.text(*text)
		}
	}
}

func (s *shared) text(text string) string {
	known, ok := s.texts[text]
	if !ok {
		s.texts[text], known = text, text
	}
	return known
}

func (s *shared) list(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	key := strings.Join(texts, "\x00")
	known, ok := s.lists[key]
	if !ok {
		known = slices.Clip(texts)
		s.lists[key] = known
	}
	return known
}
