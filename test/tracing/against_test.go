//go:build linux

package tracing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// patch is a diff of the ledger that changes one line, with nothing around it and a
// line number that is wrong, as models write them.
func (l *ledger) patch(t *testing.T, mark, old, new string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(l.Program.Dir, l.File))
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Split(string(text), "\n")[l.Line(mark)-1]
	return fmt.Sprintf("--- a/%[1]s\n+++ b/%[1]s\n@@ -1,7 +1,7 @@\n-%[2]s\n+%[3]s\n", l.File, line, strings.Replace(line, old, new, 1))
}

// Two runs part where they should: with a change of the program that is made in a copy,
// and with other arguments.
func secondRun(t *testing.T, l *ledger) {
	if l.Name != python.Name {
		testkit.Long(t, "a copy is changed, and two runs are compared, in the same way everywhere")
	}
	before := l.files(t)
	defer func() {
		if after := l.files(t); after != before {
			t.Errorf("the workspace was\n%s\nand is\n%s", before, after)
		}
	}()
	values := A{"what": "values", "location": l.at("returned"), "expressions": []string{"amount", "cut"}}
	ask := func(against A) A {
		all := l.with(values)
		all["against"] = against
		return all
	}
	r := l.OK("trace", ask(A{"patch": l.patch(t, "cut", "10", "5")}))
	r.Want("1", "data", "first_difference", "row").Contains([]string{"data", "first_difference", "ours"}, l.at("returned"), `"10"`, `"7"`).
		Contains([]string{"data", "first_difference", "theirs"}, l.at("returned"), `"10"`, `"14"`)
	if l.Name != python.Name && !testkit.IsLong() {
		return // how two runs are compared is the same everywhere
	}
	r = l.OK("trace", ask(A{"patch": l.patch(t, "check", l.Say["captured"], l.Say["global"])}))
	if r.At("data", "first_difference") != "" || r.Int("data", "hits") != 3 {
		t.Errorf("a change that comes later makes a difference here, in\n%s", r)
	}
	calls := l.with(A{"what": "calls", "functions": []string{l.Functions["fib"], l.Functions["fee"]}, "against": A{"args": []string{"more"}}})
	l.OK("trace", calls).Want("4", "data", "first_difference", "row").
		Contains([]string{"data", "first_difference", "ours"}, "6", "8").Contains([]string{"data", "first_difference", "theirs"}, "7", "13")

	for patch, reason := range map[string]string{
		"make it faster": "changes nothing",
		strings.ReplaceAll(l.patch(t, "cut", "10", "5"), l.File, "../"+l.File):        "no path below the workspace",
		strings.ReplaceAll(l.patch(t, "cut", "10", "5"), l.File, "nowhere/"+l.File):   "there is no nowhere/" + l.File,
		strings.Replace(l.patch(t, "cut", "10", "5"), "\n-", "\n no such line\n-", 1): "does not fit",
	} {
		l.Fail("VALIDATION_INVALID_PARAM", "trace", ask(A{"patch": patch})).Want("against.patch", "error", "field").Contains([]string{"error", "message"}, reason)
	}
}

// files are the workspace's sources, with their sizes and times.
func (l *ledger) files(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{".", l.File} {
		info, err := os.Stat(filepath.Join(l.Program.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			list, err := os.ReadDir(l.Program.Dir)
			fmt.Fprintln(&b, len(list) > 0, err)
			continue
		}
		fmt.Fprintln(&b, name, info.Size(), info.ModTime())
	}
	return b.String()
}

// What a link leads out to is not the workspace's to change, whoever asks, and the
// folders that the user allows hold for a copy as for the original.
func TestAPatchStaysInside(t *testing.T) {
	l := open(t, python)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "theirs.py"), []byte("x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"theirs.py": filepath.Join(outside, "theirs.py"), "theirs": outside} {
		if err := os.Symlink(target, filepath.Join(l.Program.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := testkit.Start(t, testkit.Options{Dir: l.Program.Dir, Args: []string{"--allow-root", l.Program.Dir}})
	ask := func(patch string) A {
		return l.with(A{"what": "calls", "functions": []string{"fee"}, "against": A{"patch": patch}})
	}
	for _, patch := range []string{
		"--- a/theirs.py\n+++ b/theirs.py\n@@\n-x = 1\n+x = 2\n",
		"--- a/theirs/theirs.py\n+++ b/theirs/theirs.py\n@@\n-x = 1\n+x = 2\n",
		"--- /dev/null\n+++ b/theirs/new.py\n@@ -0,0 +1 @@\n+x = 2\n",
	} {
		s.Fail("VALIDATION_INVALID_PARAM", "trace", ask(patch)).Contains([]string{"error", "message"}, "leads out of the workspace")
	}
	s.OK("trace", ask(l.patch(t, "cut", "10", "5"))).Want("1", "data", "first_difference", "row")
	if list, err := os.ReadDir(outside); err != nil || len(list) != 1 {
		t.Errorf("outside there is now %v, %v", list, err)
	}
	if text, err := os.ReadFile(filepath.Join(outside, "theirs.py")); err != nil || string(text) != "x = 1\n" {
		t.Errorf("the file outside holds %q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.Tmp, "*", "copy-*")); len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
}
