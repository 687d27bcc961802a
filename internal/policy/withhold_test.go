package policy

import (
	"strings"
	"testing"
)

func TestCodeOutsideIsWithheld(t *testing.T) {
	dir := t.TempDir()
	p, err := Policy{}.Within([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"python": `  File "/opt/lib.py", line 2, in boom
-    return 1 / secret
-           ~~^~~~~~~~
-    + more
  File "DIR/main.py", line 5, in f
    return lib.boom(0)
           ^^^^^^^^^^^
  File "sub/own.py", line 1
    x = 1
  File "/opt/bad.py", line 1
-    x = = secret
-        ^
SyntaxError: invalid syntax`,
		"gcc": `In file included from main.c:1:
/opt/lib.h:3:5: error: unknown type name 'secret'
-    3 |     secret x;
-      |     ^~~~~~
main.c:2:1: error: expected ';'
    2 | int y
      | ^~~
/opt/lib.h:9:1: note: see above`,
		"old clang, javac": `/opt/Lib.java:3: error: ';' expected
-        secret x
-                ^
sub/Main.java:1: error: cannot find symbol
        y = 1
        ^
1 error`,
		"rustc": `error[E0425]: cannot find value
  --> /opt/lib.rs:2:5
-   |
- 2 |     secret
-   |     ^^^^^^ not found
  --> src/main.rs:3:5
   |
 3 |     mine
   |     ^^^^
`,
		"node": `/opt/bad.cjs:1
-let secret = ;
-             ^

SyntaxError: Unexpected token ';'
    at DIR/main.cjs:3:22`,
		"esbuild": `/opt/a.ts:1:4: ERROR: Expected ";"
-    1 │ let secret
-      ╵     ^`,
		"nothing quoted": "Error: boom\n    at f (/opt/lib.cjs:1:65)\n    at main (DIR/main.cjs:5:1)\n\nlast line",
	} {
		text = strings.ReplaceAll(text, "DIR", dir)
		var given, want []string
		for line := range strings.SplitSeq(text, "\n") {
			rest, out := strings.CutPrefix(line, "-")
			if given = append(given, rest); !out {
				want = append(want, line)
			}
		}
		if got := p.Withhold(strings.Join(given, "\n"), dir); got != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, strings.Join(want, "\n"))
		}
		if all := strings.Join(given, "\n"); (Policy{}).Withhold(all, dir) != all {
			t.Errorf("%s: a server that may use every folder withholds", name)
		}
	}
}

func TestArgumentsOfBuildsLeadNowhere(t *testing.T) {
	dir := t.TempDir()
	p, err := Policy{}.Within([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for text, allowed := range map[string]bool{
		"@/etc/passwd": false, "-I/usr/secret": false, "-include/etc/passwd": false, "-Wl,@/etc/passwd": false, "-Wl,-T,/etc/passwd": false,
		"@../up": false, "-I../up": false, "-ldflags=-extldflags '@/etc/passwd'": false, "-overlay=/etc/x.json": false, "-B/opt": false,
		"@args": true, "-Isub/dir": true, "-I" + "include": true, "-DNAME=1/2": true, "-Wl,-rpath,lib": true, "-tags=a,b": true, "-O2": true,
		"-I" + dir: true, "@" + dir + "/args": true, "-ldflags=-X main.version=1.2/3": true,
	} {
		if err := p.Text("build_args", text, dir); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
	}
}
