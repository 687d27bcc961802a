//go:build linux

package languages

import (
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// The toString of a library's class that does not return is given up: the locals
// are shown without it, and the program stands where it stood.
func TestJavaEndlessText(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	library := testkit.NewProgram(t, "")
	library.Write("ends/Endless.java", `package ends;

public class Endless {
    public int k = 1;

    private int turn() {
        long i = 0;
        while (k == 1) {
            i++;
        }
        return 7;
    }

    public String toString() {
        return "Endless " + turn();
    }
}
`)
	classes := t.TempDir()
	javac(t, library.Dir, "-d", classes, "ends/Endless.java")
	p := testkit.NewProgram(t, "")
	p.Write("Use.java", `import ends.Endless;

public class Use {
    public static void main(String[] args) {
        Endless endless = new Endless();
        int n = 3;
        System.out.println(n);
        System.out.println(endless.k);
    }
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": "Use.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Use.java", "line": 7}}, "adapter_options": A{"classPath": classes}})
	r.Stopped("stopped_at_breakpoint", "Use.java:7").Want("3", "data", "locals", "n", "v").Contains([]string{"data", "locals", "endless", "v"}, "k=1").Lacks("Endless 7")
	began := time.Now()
	s.OK("step", nil).Stopped("stopped_after_step", "Use.java:8").Want("3\n", "data", "output", "stdout")
	s.OK("inspect", A{"expression": "endless"}).Contains([]string{"data", "result", "v"}, "k=1")
	if took := time.Since(began); took > 1900*time.Millisecond {
		t.Errorf("what takes long was asked again: %s", took)
	}
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code").Want("1\n", "data", "output", "stdout")
}
