package custom

import (
	"bufio"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/system/process"
)

const (
	wordsKept = 4000 // bytes of an adapter's last words
	lineLimit = 64 << 10
	restLimit = time.Second // for what is still to be read, should an escaped process hold a stream
)

// adapterOutput reads what an adapter prints: for the line that says it is ready, and
// for its last words.
//
// One goroutine reads each stream. Of a program that serves DAP itself only
// the standard error is listened to, and only until that line: the rest of both
// streams is the program's own, and is not touched.
type adapterOutput struct {
	ready *regexp.Regexp
	heard chan []string // the first match
	files []*os.File    // that are listened to
	lines sync.WaitGroup

	mu    sync.Mutex // guards what follows
	words []byte
	done  bool // the line was heard
}

func readOutput(child *process.Child, ready *regexp.Regexp, programs bool) *adapterOutput {
	e := &adapterOutput{ready: ready, heard: make(chan []string, 1)}
	if programs {
		e.files = []*os.File{child.Stderr}
		if ready != nil {
			e.lines.Go(func() { e.readUntilReady(child.Stderr) })
		}
		return e
	}
	_ = child.Stdin.Close()
	e.files = []*os.File{child.Stdout, child.Stderr}
	for _, f := range e.files {
		e.lines.Go(func() { e.read(f) })
	}
	return e
}

// read reads a stream to its end.
func (e *adapterOutput) read(f *os.File) {
	defer f.Close()
	r := bufio.NewReaderSize(f, lineLimit)
	for {
		line, err := r.ReadSlice('\n') // a longer line comes in pieces
		e.addLine(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// readUntilReady reads up to the line that says ready and not a byte more.
func (e *adapterOutput) readUntilReady(f *os.File) {
	var line []byte
	one := make([]byte, 1)
	for {
		if _, err := f.Read(one); err != nil {
			e.addLine(line)
			return
		}
		line = append(line, one[0])
		if one[0] != '\n' && len(line) < lineLimit {
			continue
		}
		if e.addLine(line) {
			return
		}
		line = line[:0]
	}
}

// addLine keeps a line and tells whether the one that says ready has come.
func (e *adapterOutput) addLine(line []byte) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.words = append(e.words, line...)
	if extra := len(e.words) - 2*wordsKept; extra > 0 {
		e.words = append(e.words[:0], e.words[extra:]...)
	}
	if e.ready == nil || e.done {
		return e.done
	}
	if m := e.ready.FindStringSubmatch(strings.TrimRight(string(line), "\r\n")); m != nil {
		e.done = true
		e.heard <- m
	}
	return e.done
}

// finished is closed when an adapter is gone and its last words are heard.
func (e *adapterOutput) finished(child *process.Child) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		<-child.Done()
		e.stop()
	}()
	return over
}

// stop waits for the rest of what an adapter said whose process is gone; a
// program's own standard error is taken for its last words.
func (e *adapterOutput) stop() {
	for _, f := range e.files {
		_ = f.SetReadDeadline(time.Now().Add(restLimit))
	}
	e.lines.Wait()
	for _, f := range e.files {
		rest, _ := io.ReadAll(io.LimitReader(f, wordsKept)) // of a program: an adapter's is read, and closed
		e.mu.Lock()
		e.words = append(e.words, rest...)
		e.mu.Unlock()
		_ = f.Close()
	}
}

// lastWords are the last words, cut at a line's start.
func (e *adapterOutput) lastWords() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(e.words), "�"))
	if cut := len(text) - wordsKept; cut > 0 {
		if _, after, ok := strings.Cut(text[cut:], "\n"); ok {
			return after
		}
		return text[cut:]
	}
	return text
}
