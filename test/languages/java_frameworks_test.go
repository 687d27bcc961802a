//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// failingTest is one that fails at a mark, and what is seen there.
type failingTest struct{ test, file, mark, message, local, value string }

// Each framework's tests of each kind are started by name: one that fails stops
// at the user's line that fails it, with the message and the test's locals, and
// one that passes stops nowhere, whatever is thrown and caught on its way.
func TestJavaTestFrameworks(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "frameworks")
	run(t, p.Dir, "env", "MAVEN_OPTS=-XX:TieredStopAtLevel=1", "mvn", "-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=classpath")
	text, err := os.ReadFile(filepath.Join(p.Dir, "classpath"))
	if err != nil {
		t.Fatal(err)
	}
	start := func(name string) A {
		return A{"test": name, "timeout_ms": buildLimit, "adapter_options": A{"classPath": strings.Split(string(text), ":")}}
	}
	const dir = "src/test/java/shop/"
	failing := []failingTest{
		{"FiveTest.pairs[3]", "FiveTest.java", "pairs", "expected: <3> but was: <9>", "n", "9"},
		{"NgTest.squares[2]", "NgTest.java", "ng-squares", "expected [5] but found [4]", "n", "2"},
	}
	passing, off := []string{"FourTest.expectedByRule"}, []string{"NgTest.off"}
	if testkit.IsLong() { // further tests of each framework
		failing = append(failing, []failingTest{
			{"FourTest.expectedOther", "FourTest.java", "expected-other", "code 7", "code", "7"},
			{"FiveTest.Inside.deep", "FiveTest.java", "deep", "expected: <5> but was: <4>", "word", `"deep"`},
			{"SquaresTest.squares", "SquaresTest.java", "squares", "expected:<8> but was:<9>", "got", "9"},
			{"FiveTest.again", "FiveTest.java", "again", "the last round ==> expected: <true> but was: <false>", "round", "3"},
			{"FiveTest.made", "FiveTest.java", "made", "expected: <6> but was: <9>", "square", "9"},
			{"FourTest.collected", "FourTest.java", "collected", "\nExpected: is <9>\n     but: was <8>", "got", "8"},
			{"NgTest.adds", "NgTest.java", "ng-adds", "expected [6] but found [5]", "sum", "5"},
		}...)
		passing = append(passing, "NgTest.refuses", "FiveTest.caught", "informed", "FiveTest.assumed", "SquaresTest.sums", "NgTest.squares[1]", "NgTest.skips")
		off = append(off, "FiveTest.off")
	}
	for _, c := range failing {
		t.Log(c.test)
		r := s.OK("session_start", start(c.test)).Stopped("stopped_at_exception", p.At(dir+c.file, c.mark))
		r.Want(c.message, "data", "exception", "message").Want(c.value, "data", "locals", c.local, "v")
		s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")
	}
	for _, name := range passing {
		t.Log(name)
		s.OK("session_start", start(name)).Want("terminated", "data", "execution_state", "status")
	}
	for _, name := range off {
		t.Log(name)
		if r := s.Call("session_start", start(name)); r.At("success") != "false" {
			t.Errorf("%s: %s", name, r)
		} else {
			r.Contains([]string{"summary"}, "no test ran")
		}
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", start("SquaresTest.squares[1]")).Has("JUnit 4 runs all rows", "SquaresTest.squares")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", start("FiveTest.pears")).Has("did you mean FiveTest.pairs")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", start("FiveTest.Inside.dep")).Has("did you mean FiveTest.Inside.deep")
	init := s.OK("init", A{"language": "java"})
	init.Has("FiveTest.Inside.deep", "FiveTest.made", "SquaresTest.sums") // which session_start has been seen to take
}
