package bench

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
)

// What many machines may cost who has one: a server on standard input and output starts as
// fast, needs as much memory, and its binary is 12 MB larger than it was without a cluster.
// These rows fail the benchmark, where the best of their runs is over.
const (
	startGate  = 30   // ms
	memoryGate = 55   // MB
	sizeGate   = 62.6 // MB: 50.6 without
)

// errOverGate says that a gate is shut.
var errOverGate = errors.New("it is over what it may be")

// check fails the benchmark by rows that are over what they may be.
func (t *table) check() (failures []error) {
	for _, r := range t.rows {
		if r.gate == 0 || len(r.ours) == 0 {
			continue
		}
		if least, _ := r.ours.spread(); least > r.gate {
			failures = append(failures, fmt.Errorf("%s: %w: %s %s at best, and may be %s", r.what, errOverGate, r.unit.format(least), r.unit, r.unit.format(r.gate)))
		}
	}
	return failures
}

// strippedSize is how large a binary is in MB without what describes it to debuggers and
// linkers, as releases are. False: its format is not known here.
func strippedSize(binary string) (size float64, known bool, err error) {
	info, err := os.Stat(binary)
	if err != nil {
		return 0, false, fmt.Errorf("measuring the binary: %w", err)
	}
	f, err := elf.Open(binary)
	if err != nil {
		return 0, false, nil // of another system
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
