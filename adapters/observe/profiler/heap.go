package profiler

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/profiling"
)

// heap is what heaptrack's reader tells of a program: each line begins with a letter, and has numbers in hex.
//
//	s LENGTH TEXT               the next text, from 1 on
//	i IP MODULE [FUNCTION FILE LINE]…  the next instruction, from 1 on; more than one place where functions were inlined, the innermost first
//	t INSTRUCTION PARENT        the next stack, from 1 on; 0 is none
//	a SIZE STACK                the next allocation, from 0 on
//	+ ALLOCATION, - ALLOCATION  one was made, one was given back
type heap struct {
	texts  []string
	places [][]profiling.Frame
	stacks []heapStack
	made   []heapMade
}

type heapStack struct{ place, parent int }

type heapMade struct {
	size  int64
	stack int
	live  int64
}

// ofTheLibrary is what libstdc++ allocates at its start: it is there because heaptrack is.
const ofTheLibrary = 72_704

func (h *heap) isEmpty() bool { return len(h.made) == 0 }

// read takes all lines.
func (h *heap) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := h.take(lines.Text()); err != nil {
			return fmt.Errorf("%.60q: %w", lines.Text(), err)
		}
	}
	return lines.Err()
}

func (h *heap) take(line string) error {
	kind, rest, _ := strings.Cut(line, " ")
	if kind == "s" {
		_, text, _ := strings.Cut(rest, " ")
		h.texts = append(h.texts, text)
		return nil
	}
	if !strings.Contains("ita+-", kind) || kind == "" {
		return nil // times, sizes of the process and the like
	}
	var n []int64
	for word := range strings.FieldsSeq(rest) {
		v, err := strconv.ParseUint(word, 16, 64)
		if err != nil {
			return err
		}
		n = append(n, int64(v))
	}
	switch {
	case kind == "i" && len(n) >= 2:
		h.places = append(h.places, h.frames(n))
	case kind == "t" && len(n) >= 2:
		h.stacks = append(h.stacks, heapStack{int(n[0]), int(n[1])})
	case kind == "a" && len(n) >= 2:
		h.made = append(h.made, heapMade{size: n[0], stack: int(n[1])})
	case (kind == "+" || kind == "-") && len(n) == 1 && n[0] < int64(len(h.made)):
		if kind == "-" {
			h.made[n[0]].live--
		} else {
			h.made[n[0]].live++
		}
	default:
		return errors.New("it is not understood")
	}
	return nil
}

// frames are the places of an instruction, the innermost first.
func (h *heap) frames(n []int64) (list []profiling.Frame) {
	for at := 2; at+3 <= len(n); at += 3 {
		list = append(list, profiling.Frame{Function: withoutHash(h.text(n[at])), File: h.text(n[at+1]), Line: int(n[at+2])})
	}
	if len(list) == 0 {
		function := filepath.Base(h.text(n[1]))
		if len(n) > 2 {
			function = withoutHash(h.text(n[2]))
		}
		list = append(list, profiling.Frame{Function: function})
	}
	return list
}

// withoutHash leaves out what rustc puts behind the names of functions: "::h" and 16 digits.
func withoutHash(name string) string {
	const length = len("::h") + 16
	if at := len(name) - length; at > 0 && strings.HasPrefix(name[at:], "::h") && strings.Trim(name[at+len("::h"):], "0123456789abcdef") == "" {
		return name[:at]
	}
	return name
}

func (h *heap) text(n int64) string {
	if n < 1 || n > int64(len(h.texts)) {
		return ""
	}
	return h.texts[n-1]
}

// profile is what is held, by stack.
func (h *heap) profile() *profile.Profile {
	b := profiling.NewBuilder(profiling.Memory)
	for _, m := range h.made {
		if stack := h.stack(m.stack); m.live > 0 && !isPool(m.size, stack) {
			b.Add(stack, nil, m.live, m.live*m.size)
		}
	}
	return b.Profile()
}

func isPool(size int64, stack []profiling.Frame) bool {
	return size == ofTheLibrary && len(stack) > 0 && strings.HasPrefix(stack[0].Function, "libstdc++")
}

// stack are the frames of a stack, the innermost first.
func (h *heap) stack(n int) (list []profiling.Frame) {
	for n > 0 && n <= len(h.stacks) {
		s := h.stacks[n-1]
		if s.place > 0 && s.place <= len(h.places) {
			list = append(list, h.places[s.place-1]...)
		}
		if s.parent >= n {
			break // it would lead nowhere
		}
		n = s.parent
	}
	return list
}
