package observe

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/observe/image"
)

// writer is who has written: a line of the program, or a library that it has called.
type writer struct {
	file     string
	line     int
	function string
	isMasked bool // by an instruction that writes some of the bytes which it addresses
}

// stepping is where the kernel runs instructions that a probe has taken the place of.
const stepping = "[uprobes]"

// mostWriters are kept in mind.
const mostWriters = 10_000

// writerKey is by what a writer is known: the address behind the instruction that has written,
// and the top of the stack where that counts.
type writerKey struct{ after, top uint64 }

// writer finds who has written. The processor reports a write when it is done, so that it was
// the instruction before.
func (w *watch) writer(after, top uint64) writer {
	if known, is := w.writers[writerKey{after: after}]; is {
		return known
	}
	key := writerKey{after, top}
	if known, is := w.writers[key]; is {
		return known
	}
	by, isOwn := w.lookUp(after, top)
	by.isMasked = w.isMasked(after)
	if isOwn {
		key.top = 0
	}
	if len(w.writers) >= mostWriters { // what lies on the stack within a library may be anything
		clear(w.writers)
	}
	w.writers[key] = by
	return by
}

// lookUp finds a writer, and says whether the top of the stack does not count.
func (w *watch) lookUp(after, top uint64) (by writer, isOwn bool) {
	p := w.image.At(after - 1 - w.bias)
	if p.Function != nil && !isLeaf(p.Function.Name) {
		return at(p), true
	}
	name := w.mapped(after)
	switch {
	case p.Function != nil:
		name = p.Function.Name
	case name == stepping:
		return writer{function: "(an instruction on which a probe of a trace lies: the kernel runs it elsewhere, and which one it was is not told)"}, false
	}
	if w.returns(top - w.bias) { // it has no frame, so that the caller is known
		by = at(w.image.At(top - 1 - w.bias))
		by.function += ", by " + name
		return by, false
	}
	return writer{function: name}, false
}

func at(p image.Place) writer {
	by := writer{file: p.File, line: p.Line, function: p.Function.Name}
	if p.Inlined != "" {
		by.function = p.Inlined + ", inlined in " + by.function
	}
	return by
}

// isMasked says that the instruction before an address is a store under a mask.
func (w *watch) isMasked(after uint64) bool {
	var code [16]byte
	for i := range 2 {
		word, err := w.load(after-16+uint64(8*i), 8)
		if err != nil {
			return false // it has ended, or the code begins here
		}
		binary.LittleEndian.PutUint64(code[8*i:], word)
	}
	return endsMasked(code[:])
}

// endsMasked says that code ends with an instruction of AVX-512 that stores under a mask. The
// processor tells of a watched word that such a store leaves out, too.
func endsMasked(code []byte) bool {
	const shortest, longest = 6, 11
	for length := shortest; length <= min(longest, len(code)); length++ {
		if in := code[len(code)-length:]; in[0] == 0x62 && in[1]&8 == 0 && in[2]&4 != 0 && in[3]&7 != 0 && addresses(in[5:]) {
			return true
		}
	}
	return false
}

// addresses says that bytes are an operand in memory, whole.
func addresses(operand []byte) bool {
	mod, low, n := operand[0]>>6, operand[0]&7, 1
	if mod == 3 {
		return false
	}
	base := low
	if low == 4 {
		if len(operand) < 2 {
			return false
		}
		base, n = operand[1]&7, 2
	}
	switch {
	case mod == 1:
		n++
	case mod == 2 || base == 5:
		n += 4
	}
	return len(operand) == n
}

// mapping is a file in the program's memory.
type mapping struct {
	from, to uint64
	name     string
}

// mapped is the name of the file that lies at an address.
func (w *subject) mapped(address uint64) string {
	if name := w.fileAt(address); name != "" {
		return name
	}
	return fmt.Sprintf("code at %#x that is of no file", address)
}

// isFile says that a file lies at an address.
func (w *subject) isFile(address uint64) bool { return w.fileAt(address) != "" }

func (w *subject) fileAt(address uint64) string {
	for _, fresh := range []bool{false, true} { // a library may have come since
		if fresh {
			w.readMappings()
		}
		for _, m := range w.others {
			if address >= m.from && address < m.to {
				return m.name
			}
		}
	}
	return ""
}

func (w *subject) readMappings() {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", w.pid))
	if err != nil {
		return // it has ended; what was known stays
	}
	w.others = nil
	for line := range strings.Lines(string(maps)) {
		var m mapping
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 6) // a path may have spaces in it
		if len(fields) < 6 || !strings.Contains(fields[1], "x") {
			continue
		}
		if _, err := fmt.Sscanf(fields[0], "%x-%x", &m.from, &m.to); err != nil {
			continue
		}
		if m.name = strings.TrimLeft(fields[5], " "); m.name == "" {
			continue
		}
		m.name = filepath.Base(m.name)
		w.others = append(w.others, m)
	}
}
