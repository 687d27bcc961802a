package dap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

const (
	maxHeader = 64 << 10 // of one message, in bytes
	maxBody   = 64 << 20
)

// lengthField starts every message. Its first letter occurs nowhere else in
// it, which seek relies on.
const lengthField = "content-length:"

// frames reads the messages of a stream. Bytes between messages that belong to
// none (a debuggee that prints to its adapter's stdout) are skipped.
type frames struct {
	r       *bufio.Reader
	skipped int // bytes before the last message that were not part of one
	odd     odd
}

// odd keeps the beginning of what was skipped. Any goroutine may read it.
type odd struct {
	mu   sync.Mutex
	text []byte
}

const oddKept = 1000 // bytes

func (o *odd) keep(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.text) < oddKept {
		o.text = append(o.text, text...)
	}
}

func (o *odd) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

func newFrames(r io.Reader) *frames {
	return &frames{r: bufio.NewReaderSize(r, 64<<10)}
}

// ReadBody returns the body of the next message, and reads no further.
func ReadBody(r *bufio.Reader) ([]byte, error) { return (&frames{r: r}).next() }

// next returns the body of the next message. The end of the stream is io.EOF
// between messages and io.ErrUnexpectedEOF within one.
func (f *frames) next() ([]byte, error) {
	f.skipped = 0
	for {
		if err := f.seekHeader(); err != nil {
			return nil, err
		}
		length, err := f.header()
		switch {
		case errors.Is(err, errNoHeader):
			f.skipped += len(lengthField)
		case err != nil:
			return nil, unexpectedEOF(err)
		case length > maxBody:
			return nil, fmt.Errorf("%w: %d bytes are announced, over the limit of %d", ErrProtocol, length, maxBody)
		default:
			return f.body(length)
		}
	}
}

// seekHeader reads up to the end of the next lengthField, in any case.
func (f *frames) seekHeader() error {
	for matched := 0; matched < len(lengthField); {
		b, err := f.r.ReadByte()
		if err != nil {
			return err
		}
		raw := b
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		switch b {
		case lengthField[matched]:
			matched++
		case lengthField[0]:
			f.skipped += matched
			f.odd.keep(lengthField[:matched])
			matched = 1
		default:
			f.odd.keep(lengthField[:matched])
			f.odd.keep(string([]byte{raw}))
			f.skipped += matched + 1
			matched = 0
		}
	}
	return nil
}

var errNoHeader = errors.New("not a header")

// header reads the length and whatever fields follow it, up to the blank line.
func (f *frames) header() (length int, err error) {
	line, err := f.line(maxHeader)
	if err != nil {
		return 0, err
	}
	length, err = strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil || length < 0 {
		return 0, errNoHeader
	}
	for left := maxHeader - len(line); ; left -= len(line) {
		if line, err = f.line(left); err != nil {
			return 0, err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return length, nil
		}
		if !bytes.Contains(line, []byte(":")) {
			return 0, errNoHeader
		}
	}
}

// line reads a line, its end included; one longer than limit is no header.
func (f *frames) line(limit int) ([]byte, error) {
	line, err := f.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || len(line) > limit {
		return nil, errNoHeader
	}
	return line, err
}

// body reads length bytes. Memory is taken as the bytes come, not as promised.
func (f *frames) body(length int) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, min(length, 64<<10)))
	if _, err := io.CopyN(buf, f.r, int64(length)); err != nil {
		return nil, unexpectedEOF(err)
	}
	return buf.Bytes(), nil
}

func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frame puts a header before a body, so that both go out in one write.
func frame(body []byte) []byte {
	return append(fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body)), body...)
}
