package shell

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// Script reads lines that no person types.
type Script struct{ lines *bufio.Scanner }

// largestLine is the most that a line of a script has, in bytes.
const largestLine = 1 << 20

// NewScript reads from a file or a pipe.
func NewScript(in io.Reader) *Script {
	s := &Script{lines: bufio.NewScanner(in)}
	s.lines.Buffer(nil, largestLine)
	return s
}

// Next is the next line.
func (s *Script) Next(context.Context, bool) (string, error) {
	if s.lines.Scan() {
		return strings.TrimRight(s.lines.Text(), "\r"), nil
	}
	if err := s.lines.Err(); err != nil {
		return "", fmt.Errorf("reading lines: %w", err)
	}
	return "", io.EOF
}

// During runs a call.
func (s *Script) During(ctx context.Context, call func(context.Context)) { call(ctx) }
