package frame

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// ErrTooLong means that a line was longer than the limit; it has been skipped.
var ErrTooLong = errors.New("line too long")

// Reader splits a stream into lines of bounded length.
type Reader struct {
	r   *bufio.Reader
	max int
}

// NewReader reads lines of at most max bytes.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// Next returns the next line without space around it; it belongs to the caller.
// A last line without its newline counts. The error is ErrTooLong, after which
// the next line can be read, or that of the stream.
func (l *Reader) Next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > l.max; long {
			line = nil // keeps no more than it must
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (long || len(bytes.TrimSpace(line)) == 0):
			return nil, err
		case long:
			return nil, ErrTooLong
		}
		return bytes.TrimSpace(line), nil
	}
}
