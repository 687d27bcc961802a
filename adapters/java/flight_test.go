package java

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

const flightJava = `import java.util.*;
public class Main {
    final long base;
    Main(int n, long base) { this.base = n > 0 ? base : -base; }
    double add(long a, double b) { return base + a + b; }
    static int odd(int n) { if (n % 2 == 1) throw new IllegalStateException("odd " + n); return n; }
    static boolean tried(int n) { try { odd(n); return true; } catch (IllegalStateException e) { return false; } }
    static int deep(int n) {
        try { if (n == 3) throw new ArithmeticException("three"); return deep(n + 1); }
        catch (ArithmeticException e) { if (n > 1) throw e; return n; }
    }
    static char often(char c) { return c; }
    static int all(int n) { int sum = 0; do { sum += often((char) n); } while (n-- > 0); return sum; }
    static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
    static Object last(String... names) { return names; }
    static Runnable work;
    static void asked(int n) { work = () -> odd(n); lets(); }
    static void lets() { try { work.run(); } catch (IllegalStateException e) { } }
    public static void main(String[] args) {
        new Main(1, 2).add(3, 0.5);
        tried(1);
        deep(0);
        asked(5);
        all(1300);
        down(1500);
        last("a");
        System.exit(3);
    }
}
`

// What the agent notes while a debugger is in the program: that has no handler more than it
// has by itself, and still it is known how each call has ended.
func TestJavaCallsBesideTheDebugger(t *testing.T) {
	c := compileJava(t, flightJava)
	c.beside = true
	log, printed := c.record(t, agentArchive(t), recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 2, Leave: 1200}}})
	var got []string
	for _, e := range log.Events {
		of := strings.TrimPrefix(e.Function, "Main.")
		switch e.Kind {
		case recording.Enter:
			got = append(got, fmt.Sprintf("%d %s(%s)", e.Call, of, shownValues(e.Values)))
		case recording.Leave:
			got = append(got, fmt.Sprintf("%d =%s%s", e.Call, map[bool]string{true: " raised"}[e.Raised], spaced(shownValues(e.Values))))
		default:
			got = append(got, fmt.Sprintf("%s %s %d", e.Kind, of, e.Hit))
		}
	}
	want := `1 main(String[0])
2 <init>(1 2)
2 =
3 add(3 0.5)
3 = 5.5
4 tried(1)
5 odd(1)
5 = raised IllegalStateException: odd 1
4 = false
6 deep(0)
counted deep 2
7 deep(1)
7 = 1
6 = 1
8 asked(5)
9 lets()
10 lambda$asked$0(5)
counted odd 2
11 odd(5)
11 = raised IllegalStateException: odd 5
10 = raised IllegalStateException: odd 5
9 =
8 =
12 all(1300)
13 often('Ԕ')
13 = 'Ԕ'
counted often 2
14 often('ԓ')
14 = 'ԓ'
unwatched often 1201
12 = 845650
15 down(1500)
counted down 2
16 down(1499)
unwatched down 1000
17 last(String[1] {"a"})
17 = String[1] {"a"}
counted deep 4
failed main 0
`
	if text := strings.Join(got, "\n") + "\n"; text != want {
		t.Errorf("noted\n%swant\n%s%s", text, want, printed)
	}
}

func shownValues(values []recording.Value) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, v.Shown())
	}
	return strings.Join(texts, " ")
}

func spaced(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}
