package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// partMark begins the parts of a document that several suites write; the name
// of the suite's package follows.
const partMark = "<!-- written by go test ./"

// DocumentPart holds a part of a file in docs against what a suite makes of its
// table, and writes it anew with -update. The part begins with a line that names
// the suite, a folder of this module, and ends where the next one begins.
func DocumentPart(t *testing.T, document, suite, want string) {
	t.Helper()
	file := filepath.Join(Root(), "docs", document)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := partMark + suite + " -update; do not edit -->\n"
	before, rest, found := strings.Cut(string(content), head)
	if !found {
		t.Fatalf("docs/%s has no line %s", document, head)
	}
	got, after := rest, ""
	if i := strings.Index(rest, partMark); i >= 0 {
		got, after = rest[:i], rest[i:]
	}
	if Updating() {
		if err := os.WriteFile(file, []byte(before+head+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/%s is stale; go test ./%s -run TestDocumentation -update\n%s", document, suite, diff)
	}
}
