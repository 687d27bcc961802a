package binary

import (
	"debug/elf"
	"io"
	"iter"
	"strings"
)

// note is an entry of a note segment.
type note struct {
	name string
	kind uint32
	data []byte
}

const maxNotes = 16 << 20 // bytes of a segment that are read

// notes walks through a note segment, as far as it makes sense.
func notes(from io.Reader, file *elf.File, size uint64) iter.Seq[note] {
	data := make([]byte, min(size, maxNotes))
	n, _ := io.ReadFull(from, data)
	return notesIn(data[:n], file)
}

func notesIn(data []byte, file *elf.File) iter.Seq[note] {
	return func(yield func(note) bool) {
		for len(data) >= 12 {
			names, length := uint64(file.ByteOrder.Uint32(data)), uint64(file.ByteOrder.Uint32(data[4:]))
			kind := file.ByteOrder.Uint32(data[8:])
			data = data[12:]
			begin, end := align4(names), align4(names)+length
			if end > uint64(len(data)) {
				return
			}
			n := note{name: strings.TrimRight(string(data[:names]), "\x00"), kind: kind, data: data[begin:end]}
			if !yield(n) {
				return
			}
			data = data[min(align4(end), uint64(len(data))):]
		}
	}
}

func align4(n uint64) uint64 { return (n + 3) &^ 3 }
