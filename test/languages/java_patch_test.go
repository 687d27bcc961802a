//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// A file is known by the end of its path where that is one file's, and code is
// replaced in classes that are not the frame's; a proof that fails says that the
// code is in force all the same.
func TestJavaPatchElsewhere(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("src/shop/Main.java", `package shop;

import shop.parts.Price;

public class Main {
    public static void main(String[] args) {
        System.out.println(Price.of(3));
        System.out.println(Price.of(3));
    }
}
`)
	p.Write("src/shop/parts/Price.java", `package shop.parts;

public class Price {
    public static int of(int n) {
        return n * 10;
    }
}
`)
	p.Write("src/shop/other/Price.java", "package shop.other;\n\nclass Price {\n}\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.Fail("VALIDATION_INVALID_LOCATION", "session_start", A{"target": "src/shop/Main.java", "breakpoints": []A{{"file": "Price.java", "line": 5}}}).
		Has("2 files are called Price.java", "src/shop/other/Price.java, src/shop/parts/Price.java")
	r := s.OK("session_start", A{"target": "src/shop/Main.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Main.java", "line": 8}, {"file": "parts/Price.java", "line": 5}}})
	r.Stopped("stopped_at_breakpoint", "src/shop/parts/Price.java:5")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", "src/shop/Main.java:8")

	thousand := A{"action": "patch", "code": "public static int of(int n) {\n    return n * 1000;\n}", "file": "parts/Price.java", "expression": "Price.of(1)"}
	s.OK("variable", thousand).Want("1000", "data", "result", "v")
	thousand["expression"] = "Price.off(1)"
	s.Fail("EVALUATION_FAILED", "variable", thousand).Has("Price.of is replaced in the running program", "the new code is in force").Lacks("could not be replaced")
	s.OK("variable", A{"action": "patch", "name": "Price.of", "code": "public static int of(int n) {\n    return n * 7;\n}", "expression": "Price.of(1)"}).Want("7", "data", "result", "v")
	thousand["file"] = "other/Price.java"
	s.Fail("PATCH_FAILED", "variable", thousand).Has("no class of Price.java is loaded yet")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", nil).Want("21\n", "data", "output", "stdout")
}

// New code does not take back an exception that is under way, and that is said.
func TestJavaPatchAtAnException(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("Fail.java", `public class Fail {
    static int read(String text) {
        return Integer.parseInt(text);
    }
    public static void main(String[] args) {
        System.out.println(read("x"));
    }
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "Fail.java", "timeout_ms": startLimit}).Want("stopped_at_exception", "data", "execution_state", "status")
	s.OK("variable", A{"action": "patch", "name": "Fail.read", "code": "static int read(String text) {\n    return 0;\n}"}).Has("was raised already")
	s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")
}
