package bench

import (
	"errors"
	"os"
	"testing"
)

func TestGates(t *testing.T) {
	var all table
	all.add(row{what: "slow once", unit: inMS, ours: samples{10, 90}, gate: 30})
	all.add(row{what: "no gate", unit: inMS, ours: samples{1000}, target: 1})
	all.add(row{what: "not measured", unit: inMS, gate: 1})
	if failures := all.check(); len(failures) > 0 {
		t.Errorf("%v", failures)
	}
	all.add(row{what: "slow always", unit: inMS, ours: samples{40, 90}, gate: 30})
	if failures := all.check(); len(failures) != 1 || !errors.Is(failures[0], errOverGate) {
		t.Errorf("%v", failures)
	}
}

func TestStrippedSize(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	size, known, err := strippedSize(self)
	if err != nil || known && (size <= 1 || size*1e6 > float64(info.Size())) {
		t.Errorf("%f of %d bytes, %v", size, info.Size(), err)
	}
}
