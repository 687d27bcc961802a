//go:build amd64 || arm64

package detach

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Text is what the code of a program's executable is like where it is not as in the file.
type Text struct{ known map[uint64]bool }

// spot is a trap in the code, and what the file has there.
type spot struct {
	address  uint64
	original []byte
}

// ReadText remembers the code as it is, before it is debugged.
func ReadText(pid int) (*Text, error) {
	t := &Text{known: map[uint64]bool{}}
	left, err := t.traps(pid)
	if err != nil {
		return nil, err
	}
	for _, s := range left {
		t.known[s.address] = true
	}
	return t, nil
}

// traps finds the trap instructions where the file has something else.
func (t *Text) traps(pid int) ([]spot, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, err
	}
	defer memory.Close()
	parts, err := code(pid)
	if err != nil {
		return nil, err
	}
	var found []spot
	for _, part := range parts {
		spots, err := t.compare(part, memory, file)
		if err != nil {
			return nil, err
		}
		found = append(found, spots...)
	}
	return found, nil
}

// part is code that is mapped from the executable.
type part struct{ begin, end, offset uint64 }

func code(pid int) ([]part, error) {
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return nil, err
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	var parts []part
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || !strings.Contains(fields[1], "x") || !strings.HasSuffix(lines.Text(), " "+program) {
			continue
		}
		begin, end, _ := strings.Cut(fields[0], "-")
		var p part
		var errs [3]error
		p.begin, errs[0] = strconv.ParseUint(begin, 16, 64)
		p.end, errs[1] = strconv.ParseUint(end, 16, 64)
		p.offset, errs[2] = strconv.ParseUint(fields[2], 16, 64)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// chunk is how much of the code is compared at once.
const chunk = 1 << 20

func (t *Text) compare(p part, memory, file io.ReaderAt) ([]spot, error) {
	now, then := make([]byte, chunk), make([]byte, chunk)
	var found []spot
	for at := p.begin; at < p.end; at += chunk {
		size := min(chunk, p.end-at)
		n, err := file.ReadAt(then[:size], int64(p.offset+at-p.begin))
		if err != nil && !errors.Is(err, io.EOF) { // the last page is not filled by the file
			return nil, err
		}
		if _, err := memory.ReadAt(now[:n], int64(at)); err != nil {
			return nil, err
		}
		if bytes.Equal(now[:n], then[:n]) {
			continue
		}
		for i := 0; i+len(trap) <= n; i += len(trap) {
			is, was := now[i:i+len(trap)], then[i:i+len(trap)]
			if bytes.Equal(is, trap) && !bytes.Equal(was, trap) && !t.known[at+uint64(i)] {
				found = append(found, spot{at + uint64(i), bytes.Clone(was)})
			}
		}
	}
	return found, nil
}
