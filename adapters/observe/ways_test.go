//go:build linux && amd64

package observe

import (
	"path/filepath"
	"strconv"
	"testing"

	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/recording/live"
)

// A line that is come to by several ways is met once in each round, by whichever of them. The
// lowest of its instructions is branched past by some.
func TestWaysToALine(t *testing.T) {
	p := program{source: "branches", language: "go", build: []string{"go", "build", "-gcflags=-N -l", "-o", "OUT", "FILE"}, mark: "// reached"}
	pid := p.run(t)
	im, err := image.Open(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = im.Close() }()
	places, err := im.Lines("branches.go", p.line(t))
	if err != nil || len(places) < 2 {
		t.Fatalf("%d places, %v: one of them is not on all ways", len(places), err)
	}
	r, may := arm(t, pid, live.Spec{File: "branches.go", Line: p.line(t), Expressions: []string{"round"}})
	if !may {
		return
	}
	last := 0
	for _, row := range rows(t, r, 50) {
		round := values(t, row)["round"]
		if last > 0 && round != last+1 {
			t.Errorf("round %d after %d", round, last)
		}
		last = round
	}
}
