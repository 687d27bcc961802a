package frame

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

// maxUnread is how much may wait to be read, in bytes. One message
// may always wait, however long it is.
const maxUnread = 4 << 20

// ErrDeaf is the end of one that does not read.
var ErrDeaf = errors.New("what is sent is not read")

// Writer sends lines. They wait in a queue of bounded size, which one goroutine
// empties: one that does not read holds nobody for longer than the limit.
//
// mu guards the fields below it and is never held while writing.
type Writer struct {
	out  io.Writer
	gone func() // called when a write has failed

	mu    sync.Mutex
	queue [][]byte
	size  int           // of the queue and of what is being written, in bytes
	err   error         // nothing can be written any more
	moved chan struct{} // closed and replaced when any of it changes
}

// NewWriter starts one. Gone is called when a write has failed.
func NewWriter(out io.Writer, gone func()) *Writer {
	w := &Writer{out: out, gone: gone, moved: make(chan struct{})}
	go w.run()
	return w
}

// run empties the queue until a write fails.
func (w *Writer) run() {
	for {
		w.mu.Lock()
		moved := w.moved
		var line []byte
		if len(w.queue) > 0 {
			line = w.queue[0]
		}
		err := w.err
		w.mu.Unlock()
		if err != nil {
			return
		}
		if line == nil {
			<-moved
			continue
		}
		_, err = w.out.Write(line)
		w.mu.Lock()
		w.queue, w.size = w.queue[1:], w.size-len(line)
		if err != nil && w.err == nil {
			w.err = err
		}
		w.move()
		w.mu.Unlock()
		if err != nil {
			w.gone()
		}
	}
}

// move wakes those who wait for a change; mu is held.
func (w *Writer) move() {
	close(w.moved)
	w.moved = make(chan struct{})
}

// Put queues a line. It waits for room, at most limit, and gives the reader up then.
func (w *Writer) Put(line []byte, limit time.Duration) error {
	line = append(bytes.TrimRight(line, "\n"), '\n')
	err := w.wait(limit, func() bool { return w.size == 0 || w.size+len(line) <= maxUnread }, func() {
		w.queue, w.size = append(w.queue, line), w.size+len(line)
		w.move()
	})
	if errors.Is(err, ErrDeaf) {
		w.Fail(err)
	}
	return err
}

// Room says that the reader keeps up: what it could do without may be sent.
func (w *Writer) Room() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size < maxUnread/4
}

// Flush waits until everything is written, at most limit.
func (w *Writer) Flush(limit time.Duration) error {
	return w.wait(limit, func() bool { return w.size == 0 }, func() {})
}

// Fail ends the writer: what still waits is lost.
func (w *Writer) Fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
		w.move()
	}
}

// wait waits until a condition holds, and does something then; both with mu held.
func (w *Writer) wait(limit time.Duration, holds func() bool, do func()) error {
	var timer *time.Timer
	for {
		w.mu.Lock()
		if err := w.err; err != nil {
			w.mu.Unlock()
			return err
		}
		if holds() {
			do()
			w.mu.Unlock()
			return nil
		}
		moved := w.moved
		w.mu.Unlock()
		if timer == nil {
			timer = time.NewTimer(limit)
			defer timer.Stop()
		}
		select {
		case <-moved:
		case <-timer.C:
			return ErrDeaf
		}
	}
}
