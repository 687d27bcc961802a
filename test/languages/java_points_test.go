//go:build linux

package languages

import (
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

const pointsText = `import java.util.StringJoiner;

public class Points {
    static int twice(int n) {
        return n * 2; //@mark twice
    }

    static int late(
            int n) {
        int more = n + 1; //@mark late
        return more;
    }

    public static void main(String[] args) {
        int sum = 0; //@mark first
        sum += twice(1); //@mark second
        sum += twice(2);
        sum += late(3);
        System.out.println(new StringJoiner(",").add("sum " + sum));
    }
}
`

// pointsServer is a server beside a program that makes a few calls, and that no test changes,
// so that it is compiled once.
func pointsServer(t *testing.T) (*testkit.Server, *testkit.Program) {
	t.Helper()
	makePoints.Do(func() {
		p := testkit.NewProgramBelow(t, commonDir(t), "java", "kinds")
		p.Write("Points.java", pointsText)
		s := testkit.Start(t, testkit.Options{Dir: p.Dir}) // what is compiled for one is kept for the others
		s.OK("session_start", A{"target": "Points.java", "timeout_ms": startLimit}).Has("sum 10")
		sharedPoints = p
	})
	if sharedPoints == nil {
		t.Fatal("the program could not be made, as another test says")
	}
	p := sharedPoints.For(t)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

var (
	makePoints   sync.Once
	sharedPoints *testkit.Program
)

// A breakpoint that an evaluation has passed over where a step had ended stops
// the program afterwards all the same.
func TestJavaEvaluationAfterStep(t *testing.T) {
	t.Parallel()
	s, p := pointsServer(t)
	s.OK("session_start", A{"target": "Points.java", "timeout_ms": startLimit, "breakpoints": []A{
		{"file": "Points.java", "line": p.Line("first")}, {"file": "Points.java", "line": p.Line("twice")},
	}}).Stopped("stopped_at_breakpoint", p.At("Points.java", "first"))
	s.OK("step", nil).Stopped("stopped_after_step", p.At("Points.java", "second"))
	s.OK("inspect", A{"expression": "twice(100)"}).Want("200", "data", "result", "v")
	for _, n := range []string{"1", "2"} {
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("Points.java", "twice")).Want(n, "data", "locals", "n", "v")
	}
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Lacks("never hit")
}

// A method of the JDK is a place for a breakpoint before its class is loaded,
// and what is said until then is no more than what is known.
func TestJavaBreakpointInTheJDK(t *testing.T) {
	t.Parallel()
	s, _ := pointsServer(t)
	r := s.OK("session_start", A{"target": "Points.java", "timeout_ms": startLimit, "breakpoints": []A{
		{"function": "Points.main"}, {"function": "java.util.StringJoiner.add"}, {"function": "java.util.StringJoiner.addd"}, {"function": "nowhere.Such.method"},
	}})
	r.Stopped("stopped_at_breakpoint", "Points.java:15").Has("java.util.StringJoiner itself has no such method; did you mean add?", "no class nowhere.Such is loaded yet").
		Lacks("the program's classes")
	s.OK("execute", nil).Want("StringJoiner.add", "data", "function").Want(`"sum 10"`, "data", "locals", "newElement", "v")
}

// A breakpoint on the line of a method's name is one on its first line.
func TestJavaBreakpointOnHead(t *testing.T) {
	t.Parallel()
	s, p := pointsServer(t)
	r := s.OK("session_start", A{"target": "Points.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Points.java", "line": p.Line("late") - 2}}})
	r.Stopped("stopped_at_breakpoint", p.At("Points.java", "late")).Has("moved")
}
