//go:build linux

package jsdebug

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// telling stands in the hook's own folder, as what asks the hook does; V8 keeps stacks for
// who debugs it.
const telling = "require('./" + hookName + "');\nconst debug = new (require('inspector').Session)();\ndebug.connect();\ndebug.post('Runtime.enable');\nmodule.exports = (e) => { __aidb.thrown = e; console.log(__aidb.describe()); };\n"

// Where an error was thrown first that a handler passes on is followed from where V8 has
// made it to the statement that throws it; where that goes out of sight it is told where
// it was made, and nothing more.
func TestOriginOfErrors(t *testing.T) {
	dir := t.TempDir()
	hooks := filepath.Join(dir, "hooks")
	if err := writeHook(hooks); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "tell.cjs"), []byte(telling), 0o600); err != nil {
		t.Fatal(err)
	}
	const pass = "\ntry {\n  low(3);\n} catch (e) {\n  tell(e);\n}\n"
	for name, c := range map[string]struct{ program, first, made string }{
		"thrown where it is made": {"function low() {\n  throw new Error('x');\n}" + pass, "low:2", ""},
		"made by a helper":        {"function make() {\n  return new Error('x');\n}\nfunction low() {\n  const e = make();\n  e.code = 1;\n  throw e;\n}" + pass, "low:7", ""},
		"kept by the helper, too": {"function make() {\n  const e = new Error('x');\n  e.code = 1;\n  return e;\n}\nfunction low(n) {\n  let e = make();\n  if (n > 2) {\n    throw e;\n  }\n}" + pass, "low:9", ""},
		"of an arrow":             {"const make = () => new Error('x');\nfunction low() {\n  throw make();\n}" + pass, "low:3", ""},
		"within a call":           {"function low() {\n  const e = Object.assign(new Error('x'), {\n    code: 1,\n  });\n  throw e;\n}" + pass, "low:5", ""},
		"of the runtime":          {"function low(o) {\n  return o.a.b;\n}" + pass, "low:2", ""},
		"kept in a member":        {"const kept = {};\nfunction low() {\n  kept.e = new Error('x');\n  join();\n}\nfunction join() {\n  throw kept.e;\n}" + pass, "", "low:3"},
		"thrown twice there":      {"function low(n) {\n  const e = new Error('x');\n  if (n > 3) throw e;\n  throw e;\n}" + pass, "", "low:2"},
		"another of that name":    {"function low() {\n  let e = new Error('x');\n  e = new Error('y', { cause: e });\n  throw e;\n}" + pass, "low:4", ""},
		"given to a call":         {"function low() {\n  raise(new Error('x'));\n}\nfunction raise(e) {\n  throw e;\n}" + pass, "", "low:2"},
		"stack of another": {"function deep() {\n  throw new Error('x');\n}\nfunction low() {\n  try {\n    deep();\n  } catch (e) {\n    const w = new Error('y');\n    w.stack = e.stack;\n    throw w;\n  }\n}" + pass,
			"low:10", ""},
		"without a stack":      {"Error.stackTraceLimit = 0;\nfunction low() {\n  throw new Error('x');\n}" + pass, "low:3", ""},
		"not passed on":        {"function make() {\n  return new Error('x');\n}\nconst e = make();\ntell(e);\n", "", ""},
		"a stack of libraries": {"function low() {\n  return JSON.parse('{');\n}" + pass, "low:2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.js")
			if err := os.WriteFile(file, []byte("const tell = require('"+hooks+"/tell.cjs'); "+c.program), 0o600); err != nil {
				t.Fatal(err)
			}
			printed, _ := run(t, filepath.Dir(file), "", "node", file)
			var chain []thrown
			if err := json.Unmarshal([]byte(printed), &chain); err != nil || len(chain) == 0 {
				t.Fatalf("%v: %s", err, printed)
			}
			var first, made string
			if len(chain[0].First) > 0 {
				first = fmt.Sprintf("%s:%d", chain[0].First[0].Function, chain[0].First[0].Line)
			}
			if at := chain[0].Made; at != nil {
				made = fmt.Sprintf("%s:%d", at.Function, at.Line)
			}
			if first != c.first || made != c.made {
				t.Errorf("thrown first at %q, made at %q; want %q and %q\n%s", first, made, c.first, c.made, strings.TrimSpace(c.program))
			}
		})
	}
}
