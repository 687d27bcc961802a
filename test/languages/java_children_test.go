package languages

import (
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

const familyJava = `import java.util.ArrayList;
import java.util.List;

public class Family {
    static int work(int n) {
        int twice = n * 2;
        return twice;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            int n = Integer.parseInt(args[0]);
            System.out.println("child " + n + " has " + work(n));
            if (n == 3) throw new IllegalStateException("three of " + System.getenv("JAVA_TOOL_OPTIONS").split(" ")[0]);
            return;
        }
        String java = System.getProperty("java.home") + "/bin/java";
        List<Process> all = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String line = java + " -cp '" + System.getProperty("java.class.path") + "' Family " + i;
            all.add(new ProcessBuilder(i == 1 ? List.of("sh", "-c", line + "; exit 0") : List.of(java, "-cp", System.getProperty("java.class.path"), "Family", "" + i)).inheritIO().start());
        }
        int codes = 0;
        for (Process p : all) codes += p.waitFor();
        System.out.println("codes sum to " + codes);
    }
}
`

// The JVMs that a program starts are parts of its session: several at once, also below a shell, each with
// its own values. The options that the user has for all JVMs reach them.
func TestJavaChildrenAreFollowed(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Family.java"), familyJava, 0o644)
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{"JAVA_TOOL_OPTIONS=-Dours=1"}})
	follow := A{"followChildren": true}
	r := s.OK("session_start", A{"target": "Family.java", "timeout_ms": startLimit, "adapter_options": follow, "breakpoints": []A{{"file": "Family.java", "line": 7}}})
	var seen []string
	failed := 0
	for range 4 {
		switch r.At("data", "execution_state", "status") {
		case "stopped_at_breakpoint":
			seen = append(seen, r.At("data", "locals", "n", "v")+":"+r.At("data", "locals", "twice", "v"))
		case "stopped_at_exception":
			failed++
			r.Has("three of -Dours=1")
		}
		r = s.OK("execute", A{"timeout_ms": startLimit})
	}
	slices.Sort(seen)
	if !slices.Equal(seen, []string{"1:2", "2:4", "3:6"}) || failed != 1 {
		t.Errorf("the children stopped with %q, and %d failed", seen, failed)
	}
	r.Want("terminated", "data", "execution_state", "status").Has("codes sum to 1")

	s.OK("diagnose", A{"target": "Family.java", "timeout_ms": startLimit}).Want("ok", "data", "verdict").
		Contains([]string{"data", "warnings"}, "not followed", "followChildren", "follows the Java programs among them")
	s.OK("diagnose", A{"target": "Family.java", "timeout_ms": startLimit, "start": A{"adapter_options": follow}}).
		Want("exception", "data", "verdict").Has("Family.java:14", "three of -Dours=1")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "remote_attach", "language": "java", "port": 1, "adapter_options": follow})
}
