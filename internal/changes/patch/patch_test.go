package patch

import (
	"strings"
	"testing"
)

const text = "one\ntwo\nthree\nfour\nfive\ntwo\nthree\nsix\n"

func diff(hunks string) string { return "--- a/n.txt\n+++ b/n.txt\n" + hunks }

func TestApply(t *testing.T) {
	for name, c := range map[string]struct{ patch, text, want string }{
		"as tools write it":       {diff("@@ -3,3 +3,3 @@\n three\n-four\n+FOUR\n five\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"wrong counts":            {diff("@@ -3,9 +3,1 @@\n three\n-four\n+FOUR\n five\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"wrong line":              {diff("@@ -40,3 +40,3 @@\n three\n-four\n+FOUR\n five\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"no numbers":              {diff("@@\n three\n-four\n+FOUR\n five\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"no numbers, two signs":   {diff("@@ @@\n-four\n+FOUR\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"the number decides":      {diff("@@ -6,2 +6,2 @@\n-two\n+TWO\n three\n"), text, "one\ntwo\nthree\nfour\nfive\nTWO\nthree\nsix\n"},
		"other line endings":      {strings.ReplaceAll(diff("@@ -4,1 +4,1 @@\n-four\n+FOUR\n"), "\n", "\r\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"the file's line endings": {diff("@@ -1,2 +1,3 @@\n one\n+more\n two\n"), "one\r\ntwo\r\n", "one\r\nmore\r\ntwo\r\n"},
		"two hunks":               {diff("@@ -1,1 +1,2 @@\n one\n+more\n@@ -8,1 +9,1 @@\n-six\n+SIX\n"), text, "one\nmore\ntwo\nthree\nfour\nfive\ntwo\nthree\nSIX\n"},
		"space at ends":           {diff("@@ -4,1 +4,1 @@\n-four  \n+FOUR\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"with git's words":        {"diff --git a/n.txt b/n.txt\nindex 1..2 100644\n" + diff("@@ -4 +4 @@ func\n-four\n+FOUR\n"), text, strings.Replace(text, "four", "FOUR", 1)},
		"a new file":              {"--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n", "", "a\nb\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := Read(c.patch)
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files and %v", len(files), err)
			}
			if f := files[0]; f.New != "n.txt" && f.New != "new.txt" {
				t.Errorf("the file is called %q", f.New)
			}
			got, _, err := files[0].Apply(c.text)
			if err != nil || got != c.want {
				t.Errorf("it makes %q and %v, not %q", got, err, c.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ patch, reason string }{
		"nothing":          {"", "changes nothing"},
		"prose":            {"change four to FOUR", "changes nothing"},
		"another format":   {"*** Begin Patch\n*** Update File: n.txt\n", "unified diff"},
		"missing context":  {diff("@@ -4,2 +4,2 @@\n-four\n+FOUR\n nine\n"), "does not fit"},
		"two places":       {diff("@@ -30,2 +30,2 @@\n-two\n+TWO\n three\n"), "lines 2 and 6"},
		"no file is named": {"@@ -4 +4 @@\n-four\n+FOUR\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := Read(c.patch)
			if err == nil {
				_, _, err = files[0].Apply(text)
			}
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("the reason is %v, not %q", err, c.reason)
			}
		})
	}
}

func TestLines(t *testing.T) {
	files, err := Read(diff("@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+more\n three\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, lines, err := files[0].Apply(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new int
		there    bool
	}{{1, 1, true}, {2, 4, false}, {3, 4, true}, {6, 7, true}} {
		if got, there := lines.New(c.old); got != c.new || there != c.there {
			t.Errorf("line %d is now %d, %v, and not %d, %v", c.old, got, there, c.new, c.there)
		}
		if old, known := lines.Old(c.new); c.there && (old != c.old || !known) {
			t.Errorf("line %d was %d, %v, and not %d", c.new, old, known, c.old)
		}
	}
	if _, known := lines.Old(3); known {
		t.Error("a new line was there before")
	}
}

func TestLinesThatWereChanged(t *testing.T) {
	for hunk, want := range map[string]int{
		"@@ -2 +2 @@\n-two\n+TWO\n":       2, // in its place
		"@@ -2 +2,2 @@\n-two\n+0\n+two\n": 3, // what reads the same
		"@@ -2 +2,2 @@\n-two\n+two\n+0\n": 2,
	} {
		files, err := Read(diff(hunk))
		if err != nil {
			t.Fatal(err)
		}
		_, lines, err := files[0].Apply(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, there := lines.New(2); got != want || !there {
			t.Errorf("after %q line 2 is %d, %v, and not %d", hunk, got, there, want)
		}
	}
}
