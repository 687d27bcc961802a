package bench

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
)

// What the code for clusters may cost a server on standard input and output: its start and its
// memory stay as they were, and the binary becomes at most 12 MB larger. A row whose best run is
// over its gate fails the benchmark.
const (
	startGate  = 30   // ms
	memoryGate = 55   // MB
	sizeGate   = 62.6 // MB: 50.6 without
)

// errOverGate says that a row is over its gate.
var errOverGate = errors.New("over the limit")

// check returns an error for each row that is over its gate.
func (t *table) check() (failures []error) {
	for _, r := range t.rows {
		if r.gate == 0 || len(r.ours) == 0 {
			continue
		}
		if least, _ := r.ours.spread(); least > r.gate {
			failures = append(failures, fmt.Errorf("%s: %w: %s %s at best, %s at most allowed", r.what, errOverGate, r.unit.format(least), r.unit, r.unit.format(r.gate)))
		}
	}
	return failures
}

// strippedSize is the size of a binary in MB without symbols and debug information, as it is
// released. known is false if it is no ELF file.
func strippedSize(binary string) (size float64, known bool, err error) {
	info, err := os.Stat(binary)
	if err != nil {
		return 0, false, fmt.Errorf("measuring the binary: %w", err)
	}
	f, err := elf.Open(binary)
	if err != nil {
		return 0, false, nil // no ELF file: of another system
	}
	defer func() { _ = f.Close() }()
	bytes := info.Size()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 && s.Type != elf.SHT_NULL && s.Name != ".shstrtab" {
			bytes -= int64(s.FileSize)
		}
	}
	return float64(bytes) / 1e6, true, nil
}
