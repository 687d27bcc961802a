//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

const goesText = `public class Goes {
    static int all = 0;

    static int spin(int k) {
        while (k > 0) { //@mark loop
            k--;
            all += twice(k); //@mark calls
        }
        return all;
    }

    static int twice(int n) {
        return n * 2; //@mark twice
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> all = new int[spin(2)][0].length / (all - 2)); //@mark fails
        t.start();
        t.join();
        System.out.println("sum " + spin(3)); //@mark last
    }
}
`

// What notes the calls of a program until it fails is not seen in the session that stands
// there, and neither in its way when the program goes on.
func TestJavaGoesOnAfterItWasDiagnosed(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "java", "kinds")
	p.Write("Goes.java", goesText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("diagnose", A{"target": "Goes.java", "timeout_ms": startLimit}).Want("exception", "data", "verdict").
		Has("Goes.spin(k=2)").Has("Goes.twice(n=1)").Lacks("a second time", "aidb.recorder")
	s.OK("inspect", A{"target": "expression", "expression": "spin(0) + twice(4)"}).Want("10", "data", "result", "v")
	s.OK("breakpoint", A{"location": p.At("Goes.java", "loop")})
	for _, k := range []string{"3", "2"} { // its first line begins each round
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("Goes.java", "loop"))
		s.OK("inspect", A{"target": "expression", "expression": "k"}).Want(k, "data", "result", "v")
	}
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("step", A{"count": 2}).Stopped("stopped_after_step", p.At("Goes.java", "calls"))
	s.OK("step", A{"action": "into"}).Stopped("stopped_after_step", p.At("Goes.java", "twice")).Has(`"n"`)
	s.OK("step", A{"action": "out"}).Stopped("stopped_after_step", p.At("Goes.java", "calls"))
	s.OK("variable", A{"action": "patch", "name": "Goes.twice", "code": "static int twice(int n) {\n    return n * 100;\n}", "expression": "twice(1)"}).
		Want("100", "data", "result", "v").Lacks("under way")
	s.OK("inspect", A{"target": "stack"}).Has("Goes.spin").Lacks("replaced", "aidb.recorder")
	s.OK("execute", nil).Has("sum 8")
}
