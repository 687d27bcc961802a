//go:build linux && amd64

package profiling

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/testkit"
)

// A line that never runs has no sample, whatever CPython's table of lines has above the code
// behind it, which is read in another way up to Python 3.9, up to 3.11 and later.
func TestLinesThatNeverRun(t *testing.T) {
	found := map[string]string{"python3": ""}
	home, _ := os.UserHomeDir()
	for _, version := range []string{"3.9", "3.11", "3.13"} {
		if kept, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", version+".*", "bin", "python3")); len(kept) > 0 {
			found[version] = kept[0]
		}
	}
	for name, path := range found {
		t.Run(name, func(t *testing.T) {
			if name == "3.11" || name == "3.9" && found["3.13"] != "" {
				testkit.Long(t, "it samples as others here do")
			}
			dir := folder(t, "never.py")
			s := testkit.Start(t, testkit.Options{Dir: dir})
			args := A{"target": "never.py", "timeout_ms": 120_000, "save": true}
			if path != "" {
				args["start"] = A{"runtime_path": path}
			}
			r := s.OK("profile", args)
			sampled := sampledLines(t, filepath.Join(dir, r.At("data", "file")), "never.py")
			text, err := os.ReadFile(filepath.Join(dir, "never.py"))
			if err != nil {
				t.Fatal(err)
			}
			if len(sampled) < 8 {
				t.Errorf("only the lines %v have samples", sampled)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if n := sampled[int64(i+1)]; n > 0 && strings.Contains(line, "# never") {
					t.Errorf("line %d never runs, and has %d samples: %s", i+1, n, line)
				}
			}
		})
	}
}

// sampledLines are those of a file that stand in the samples of a profile, and in how many.
func sampledLines(t *testing.T, kept, file string) map[int64]int64 {
	t.Helper()
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	read, err := profile.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int64]int64{}
	for _, s := range read.Sample {
		for _, l := range s.Location {
			for _, line := range l.Line {
				if filepath.Base(line.Function.Filename) == file {
					lines[line.Line] += s.Value[0]
				}
			}
		}
	}
	return lines
}
