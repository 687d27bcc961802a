//go:build linux

package attempting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

const rightPatch = `--- a/till.py
+++ b/till.py
@@ -5,5 +5,5 @@
     sum = 0
     for price in prices:
         sum += price
-    sum -= 1  #@mark off
+    sum -= 0  #@mark off
     return sum
`

func patch(text string) A { return A{"hypothesis": "patched", "patch": text} }

// Changes come as models write them; what cannot be made is a row that says why, and
// nothing else is lost by it.
func TestChanges(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	outside := filepath.Join(t.TempDir(), "secret.py")
	if err := os.WriteFile(outside, []byte("secret = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out": filepath.Dir(outside), "link.py": outside} {
		if err := os.Symlink(to, filepath.Join(s.Program.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(file, old, new string) A { return A{"edits": []A{{"file": file, "old": old, "new": new}}} }
	for _, c := range []struct {
		name  string
		given A
		want  string // passed, or a part of why it is refused
	}{
		{"wrong line numbers", patch(strings.Replace(rightPatch, "@@ -5,5 +5,5 @@", "@@ -41,9 +40,2 @@", 1)), "passed"},
		{"no context", patch("--- a/till.py\n+++ b/till.py\n@@ -8 +8 @@\n-    sum -= 1  #@mark off\n+    sum -= 0\n"), "passed"},
		{"another context", patch(strings.Replace(rightPatch, "sum = 0", "sum = 7", 1)), "candidates[0].patch"},
		{"another file", patch(strings.ReplaceAll(rightPatch, "till.py", "tell.py")), "tell.py"},
		{"dots", patch(strings.ReplaceAll(rightPatch, "till.py", "../till.py")), "no path below the workspace"},
		{"absolute", patch(strings.ReplaceAll(rightPatch, "b/till.py", "/etc/till.py")), "candidates[0].patch"},
		{"through a link", edit("out/secret.py", "1", "2"), "leads out of the workspace"},
		{"a link", edit("link.py", "1", "2"), "leads out of the workspace"},
		{"an edit with dots", edit("../secret.py", "1", "2"), "no path below the workspace"},
		{"an absolute edit", edit(outside, "1", "2"), "no path below the workspace"},
		{"the whole path", edit(filepath.Join(s.Program.Dir, "till.py"), "sum -= 1", "sum -= 0"), "passed"},
		{"twice there", edit("till.py", "sum", "all"), "more than once, in lines"},
		{"not there", edit("till.py", "sun -= 1", ""), "does not have"},
		{"no change", edit("till.py", "sum -= 1", "sum -= 1"), "the same"},
		{"nothing", A{"hypothesis": "?"}, "candidates[0]: "},
		{"both", merge(patch(rightPatch), edit("till.py", "1", "2")), "candidates[0]: "},
		{"no diff", patch("*** Begin Patch\n*** Update File: till.py\n-sum -= 1\n+sum -= 0\n*** End Patch\n"), "candidates[0].patch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := s.try(c.given)
			switch got := r.At("data", "candidates", "0", "result"); {
			case c.want == "passed" && (got == "passed" || r.At("data", "candidates", "0", "was") == "passed"):
			case c.want != "passed" && got == "refused":
				r.Contains([]string{"data", "candidates", "0", "why"}, c.want)
			default:
				t.Errorf("want %q, in\n%s", c.want, r)
			}
		})
	}
	s.untouched()
}

// Line ends stay what they are, however the change writes them.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	text, err := os.ReadFile(filepath.Join(s.Program.Dir, "till.py"))
	if err != nil {
		t.Fatal(err)
	}
	s.Write("till.py", strings.ReplaceAll(string(text), "\n", "\r\n"))
	s.before = s.files()
	r := s.try(patch(rightPatch), A{"edits": []A{{"file": "till.py", "old": "price\n    sum -= 1", "new": "price\n    sum -= 0"}}})
	wants(t, r, "passed same_as") // of the same call
	s.untouched()
	s.OK("attempt", s.args(A{"action": "apply"}))
	if now := s.files()["till.py"]; now != strings.Replace(s.before["till.py"], "sum -= 1", "sum -= 0", 1) {
		t.Errorf("written was %q", now)
	}
}

// The same change is not run twice, whether it comes as a patch or as edits, nor in
// another server that has the same store.
func TestTheSameAgain(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "store.db")
	o := testkit.Options{Args: []string{"--store", store}, Env: []string{"AIDB_NO_STORE=false"}}
	s := open(t, python, o)
	wants(t, s.try(patch(rightPatch), s.wrong()), "passed failed")
	wants(t, s.try(s.right()), "same_as")
	other := reopen(t, python, s.Program, o)
	r := other.try(s.right(), s.wrong())
	wants(t, r, "same_as same_as")
	r.Want("passed", "data", "candidates", "0", "was").Want("1", "data", "winner")
	r = other.OK("attempt", s.args(A{"action": "list"}))
	wants(t, r, "passed failed")
	r.Want("patched", "data", "candidates", "0", "hypothesis").Has("sum -= 2")
	wants(t, other.OK("attempt", s.args(A{"action": "list", "check": A{"test": "test_other"}})), "")

	s.OK("attempt", s.args(A{"action": "forget"})).Has("2 attempts forgotten")
	wants(t, other.OK("attempt", s.args(A{"action": "list"})), "")
	wants(t, other.try(s.right()), "passed")
	s.untouched()
}

// A change is tried anew when other sources have changed, not when a build's output has.
func TestAnotherWorkspace(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	wants(t, s.try(s.wrong()), "failed")
	s.Write("build.log", "built")
	s.Write("__pycache__/x.py", "")
	wants(t, s.try(s.wrong()), "same_as")
	s.Edit("test_till.py", "12", "10")
	r := s.try(s.wrong())
	wants(t, r, "passed")
	r.Want("1", "data", "candidates", "0", "n")

	// Where the check passes as it stands, nobody wins.
	s.Edit("test_till.py", "10", "11")
	r = s.try(s.same())
	wants(t, r, "passed")
	r.Want("", "data", "winner").Want("", "next_steps").Contains([]string{"summary"}, "passes without any change", "one pass proves nothing", "repeat")
}

// Apply writes what has passed, once, into the workspace in which it has passed, and takes
// it back from the one that it has left. Of a change that is too long to be remembered whole
// it says so.
func TestApply(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	apply := func(more A) A { return s.args(merge(A{"action": "apply"}, more)) }
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", apply(nil)).Has("nothing that was tried has passed")
	wants(t, s.try(s.wrong(), s.right(), s.edit("sum += 0"), s.edit("sum -= 0 #"+strings.Repeat("x", 70_000))), "failed passed passed passed")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", apply(A{"n": 1})).Has("has not passed")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", apply(A{"n": 9})).Has("there is no attempt 9")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", apply(A{"undo": true})).Has("was not written")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "attempt", apply(A{"n": 4})).Has("too long to be kept whole")

	s.Edit("till.py", "sum = 0", "sum = 00")
	s.Fail("PATCH_FAILED", "attempt", apply(nil)).Has("till")
	s.Edit("till.py", "sum = 00", "sum = 0")
	s.Write("other.py", "x = 1\n")
	s.Fail("PATCH_FAILED", "attempt", apply(nil)).Has("other.py", "changed since it was tried")
	if err := os.Remove(filepath.Join(s.Program.Dir, "other.py")); err != nil {
		t.Fatal(err)
	}
	s.untouched()

	r := s.OK("attempt", apply(nil)).Want(`["till.py"]`, "data", "changed")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", apply(nil)).Has("is written already")
	s.OK("attempt", s.args(A{"action": "list"})).Want("true", "data", "candidates", "1", "written").Has(`"undo":true`)
	s.Fail("PATCH_FAILED", "attempt", apply(A{"n": 3}))
	var undo A
	r.Decode(&undo, "next_steps", "0", "params")
	s.Edit("till.py", "return sum", "return  sum")
	s.Fail("PATCH_FAILED", "attempt", undo).Has("till.py has changed meanwhile", "edited since")
	s.Edit("till.py", "return  sum", "return sum")
	s.OK("attempt", undo).Has("is taken back")
	s.untouched()
	s.OK("attempt", apply(A{"n": 3}))
	wants(t, s.try(s.edit("sum -= 0")), "refused")
}

// What is no candidate, and no check, is told by its field.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	for field, given := range map[string]A{
		"candidates":                  {"check": s.Check},
		"candidates[1].edits[0].file": {"check": s.Check, "candidates": []any{s.right(), A{"edits": []A{{"old": "a"}}}}},
		"candidates[1].edits":         {"check": s.Check, "candidates": []any{s.right(), A{"edits": 5}}},
		"candidates[0].at.location":   {"check": s.Check, "candidates": []any{A{"at": A{"skip": true}}}},
		"candidates[0].sketch":        {"check": s.Check, "candidates": []any{A{"sketch": "x"}}},
		"check":                       {"check": A{"language": "python", "pid": os.Getpid()}, "candidates": []any{s.right()}},
		"check.tset":                  {"check": A{"tset": "x"}, "candidates": []any{s.right()}},
	} {
		t.Run(field, func(t *testing.T) {
			r := s.Call("attempt", given)
			if got := r.At("error", "field"); !r.IsError || got != field {
				t.Errorf("the field is %q in\n%s", got, r)
			}
		})
	}
	s.Fail("VALIDATION_MISSING_PARAM", "attempt", A{"candidates": []any{s.right()}}).Want("check", "error", "field")
	r := s.Call("attempt", s.args(A{"check": A{"test": "test_nothing"}, "candidates": []A{s.right()}}))
	if !r.IsError && r.At("data", "before", "verdict") != "no_test_ran" {
		t.Errorf("a test that is not there: %s", r)
	}
	s.untouched()
}

// Policies hold for trials as for everything else.
func TestPolicies(t *testing.T) {
	t.Parallel()
	read := open(t, python, testkit.Options{Args: []string{"--read-only"}})
	for _, action := range []string{"try", "apply", "propose", "forget"} {
		read.Fail("POLICY_DENIED", "attempt", read.args(A{"action": action, "candidates": []A{read.right()}}))
	}
	read.OK("attempt", read.args(A{"action": "list"}))
	read.untouched()

	p := testkit.NewProgramOf(t, "python", "till")
	held := reopen(t, python, p, testkit.Options{Args: []string{"--allow-root", p.Dir, "--no-attach"}})
	wants(t, held.try(held.right()), "passed")
	held.Fail("POLICY_DENIED", "attempt", A{"check": A{"target": "/etc/x.py"}, "candidates": []A{held.right()}})
	other := t.TempDir()
	held.Fail("POLICY_DENIED", "attempt", A{"check": A{"test": "test_total", "workspace_root": other}, "candidates": []A{held.right()}})
	held.untouched()
}

// An agent that has lost its context asks without a check: what was worked on last is named,
// listed, written and taken back. What was tried can be read as a resource, and context names
// it for the session that has the same start, in which no check is named either.
func TestWhereAttemptsAreTold(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	s.Fail("VALIDATION_MISSING_PARAM", "attempt", A{"action": "list"}).Want("check", "error", "field")
	r := s.try(s.wrong(), s.right())
	wants(t, r, "failed passed")
	problem := r.At("data", "problem")
	r = s.OK("attempt", A{"action": "list"}).Want(problem, "data", "problem").Want("test_total", "data", "check", "test")
	wants(t, r, "failed passed")
	s.OK("attempt", A{"action": "apply"}).Want(problem, "data", "problem").Has("attempt 2 is written")
	s.OK("attempt", A{"action": "apply", "n": 2, "undo": true}).Has("is taken back")
	s.untouched()
	s.Fail("VALIDATION_MISSING_PARAM", "attempt", A{"action": "forget"})

	s.OK("session_start", merge(s.Check, A{"breakpoints": []A{{"file": s.File, "line": s.Line("off")}}}))
	r = s.OK("attempt", A{"candidates": []A{s.wrong(), s.right()}, "timeout_ms": 100_000}).Want(problem, "data", "problem")
	wants(t, r, "same_as same_as")
	wants(t, s.OK("attempt", s.args(A{"action": "list", "check": merge(s.Check, A{"stop_on_entry": true})})), "failed passed")
	s.OK("context", nil).Want(problem, "data", "attempts", "problem").Want("2", "data", "attempts", "winner").Has("1 failed: sum -= 2")
	read, err := s.Client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "aidb://attempts/" + problem})
	if err != nil || !strings.Contains(read.Contents[0].Text, "sum -= 2") {
		t.Errorf("read was %+v, %v", read, err)
	}
	if _, err := s.Client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "aidb://attempts/0123456789ab"}); err == nil || !strings.Contains(err.Error(), "nothing is remembered") {
		t.Errorf("of another: %v", err)
	}
	s.OK("session", A{"action": "stop"}) // which may have compiled what it ran, beside its source
}

// What looks like a secret is neither shown nor kept, also in a failure's message.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	dir := t.TempDir()
	s := open(t, python, testkit.Options{Args: []string{"--store", filepath.Join(dir, "store.db")}, Env: []string{"AIDB_NO_STORE=false"}})
	check := A{"check": merge(s.Check, A{"env": A{"API_TOKEN": token}}), "timeout_ms": 100_000}
	r := s.OK("attempt", merge(check, A{"candidates": []A{s.edit(`import os; raise KeyError("no " + os.environ["API_TOKEN"])`)}}))
	r.Contains([]string{"data", "candidates", "0", "failure", "message"}, "KeyError: 'no ")
	if strings.Contains(r.At("data"), token) {
		t.Errorf("it is shown in\n%s", r)
	}
	s.OK("attempt", merge(check, A{"action": "list"})).Has("1 failed")
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), token) {
			t.Errorf("%s has it", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
