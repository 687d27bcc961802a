package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errTooLong means that a line was longer than the limit; it has been skipped.
var errTooLong = errors.New("line too long")

// lineReader splits a stream into lines of bounded length.
type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line without space around it; it belongs to the caller.
// A last line without its newline counts. The error is errTooLong, after which
// the next line can be read, or that of the stream.
func (l *lineReader) next() ([]byte, error) {
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
			return nil, errTooLong
		}
		return bytes.TrimSpace(line), nil
	}
}
