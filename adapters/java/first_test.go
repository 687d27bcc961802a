package java

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const heapJava = `import java.util.*;
public class Main {
    static class Heap {
        final List<Integer> list = new ArrayList<>();
        int size;
        void push(int x) {
            list.add(x);
            size++;
        }
        int pop() {
            int x = list.get(list.size() - 1);
            list.remove(list.size() - 1); // popped
            if (x != 7) {
                size--; // counted
            }
            return x;
        }
        void fill(int most) {
            list.forEach(x -> {
                size += x - x; // nothing
                size = x == 2 ? most : size; // in a lambda
            });
            Runnable r = new Runnable() {
                int runs;
                public void run() {
                    runs++;
                    size = -runs; // in a class
                }
            };
            r.run();
        }
    }
    static int half(int n) {
        if (n == 12) {
            return 5; // wrong
        }
        return n / 2;
    }
    static void outer(Heap h) {
        h.size = 9; // by who calls
        inner(h);
    }
    static void inner(Heap h) {
        System.out.println(h.size);
    }
    static void throwing(Heap h) {
        h.size = 50;
        half(fail(h)); // thrown
    }
    static int fail(Heap h) {
        h.size = 51;
        throw new IllegalStateException();
    }
    static void lasts(Heap h) {
        while (h.size > 48) {
            int left = 48 - h.size;
            h.size += left * 2; // last of a block
        }
    }
    static int ring(int n) {
        int at = 0;
        for (int i = 0; i < n; at = (at + 3) % 7) { // head
            i++;
        }
        return at;
    }
    static int total(int[] list) {
        int sum = 0; for (int x : list) sum += x; return sum; // one line
    }
    public static void main(String[] args) throws Exception {
        Heap h = new Heap();
        for (int i = 0; i < 20; i++) { // loop
            h.push(i);
            if (i % 2 == 1) {
                h.pop();
            }
            half(i);
        }
        outer(new Heap());
        h.fill(77);
        try {
            throwing(h);
        } catch (IllegalStateException e) {
            lasts(h);
        }
        System.out.println(ring(30) + total(new int[] {1, 2, 90, -50}));
        Heap[] made = new Heap[1];
        Thread t = new Thread(() -> {
            made[0] = new Heap();
            made[0].size = 66; // in a thread
        });
        t.start();
        t.join();
    }
}
`

// moments are those of a run of the program.
func (c compiled) moments(t *testing.T, agent string, spec recording.First) ([]recording.Event, recording.Log) {
	t.Helper()
	log, _ := c.record(t, agent, recording.Spec{First: &spec})
	return recordingtest.Moments(log), log
}

func lineOf(t *testing.T, program, part string) int {
	t.Helper()
	before, _, found := strings.Cut(program, part)
	if !found {
		t.Fatalf("%s is not in the program", part)
	}
	return 1 + strings.Count(before, "\n")
}

// The moment is that of the statement which made the condition hold, in whatever method
// can read it.
func TestJavaFirstMoment(t *testing.T) {
	agent, program := agentArchive(t), compileJava(t, heapJava)
	for name, c := range map[string]struct {
		spec                       recording.First
		at, function, before, then string
		text                       string
	}{
		"by a statement": {recording.First{Condition: "this.size > list.size()", Expressions: []string{"x", "nothing"}, Scope: []string{"Main.Heap.pop"}},
			"// popped", "Main.Heap.pop", "this.size=2 list.size()=2", "this.size=2 list.size()=1 x=1 nothing=not readable here", ""},
		"by a call": {recording.First{Condition: "h.size != h.list.size()", Scope: []string{"Main.main"}},
			"h.pop()", "Main.main", "h.size=5 h.list.size()=5", "h.size=5 h.list.size()=4", ""},
		"by a result": {recording.First{Condition: "result != n/2", Expressions: []string{"n"}, Scope: []string{"half"}},
			"// wrong", "Main.half", "", "result=5 n / 2=6 n=12", ""},
		"by who calls": {recording.First{Condition: "h.size == 9 && h.list.isEmpty()", Scope: []string{"inner"}},
			"System.out.println(h.size)", "Main.inner", "", "h.size=9 h.list.isEmpty()=true", recording.Begun},
		"everywhere": {recording.First{Condition: "h.size == 9 && h.list.size() == 0"},
			"// by who calls", "Main.outer", "h.size=0 h.list.size()=0", "h.size=9 h.list.size()=0", ""},
		"in a lambda": {recording.First{Condition: "size == most", Scope: []string{"fill"}},
			"// in a lambda", "Main.Heap.lambda$fill$0", "", "size=77 most=77", ""},
		"in a class": {recording.First{Condition: "size < 0", Scope: []string{"Heap"}},
			"// in a class", "Main.Heap.1.run", "", "size=-1", ""},
		"by what throws": {recording.First{Condition: "h.size == 51", Scope: []string{"throwing"}},
			"// thrown", "Main.throwing", "h.size=50", "h.size=51", ""},
		"in front of a place": {recording.First{Condition: "h.size > 50", Scope: []string{fmt.Sprint(filepath.Join(program.src, "Main.java:"), lineOf(t, heapJava, "throw new"))}},
			"h.size = 51", "Main.fail", "", "h.size=51", ""},
		"at the end of a block": {recording.First{Condition: "left < 0 && h.size < 48", Scope: []string{"lasts"}},
			"// last of a block", "Main.lasts", "left=-3 h.size=51", "left=-3 h.size=45", ""},
		"by the head of a loop": {recording.First{Condition: "at == 6"},
			"// head", "Main.ring", "at=3", "at=6", ""},
		"within a line": {recording.First{Condition: "sum > 90"},
			"// one line", "Main.total", "sum=3", "sum=93", ""},
		"in a thread": {recording.First{Condition: "made[0] != null && made[0].size == 66"},
			"// in a thread", "Main.lambda$main$0", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.Limit = 1
			list, log := program.moments(t, agent, c.spec)
			if len(list) != 1 || !log.Judged.Whole || log.Judged.Times != list[0].Hit {
				t.Fatalf("%d moments, %+v", len(list), log.Judged)
			}
			m := list[0]
			if _, line := recording.FileLine(m.At); line != lineOf(t, heapJava, c.at) || m.Function != c.function || m.Text != c.text {
				t.Errorf("%s in %s %s", m.At, m.Function, m.Text)
			}
			if before := recordingtest.Shown(m.Names, m.Before()); c.before != "" && before != c.before {
				t.Errorf("before: %s", before)
			}
			if then := recordingtest.Shown(m.Names, m.Values); c.then != "" && then != c.then {
				t.Errorf("then: %s", then)
			}
			if len(m.Stack) == 0 && m.Function != "Main.main" && m.Thread == "" {
				t.Error("no callers")
			}
		})
	}
}

// A condition that never holds is judged to the end; one with nothing to read there says so.
func TestJavaMomentsThatNeverComeOrOften(t *testing.T) {
	agent, program := agentArchive(t), compileJava(t, heapJava)
	list, log := program.moments(t, agent, recording.First{Condition: "h.size < 0 && h.list.size() > 5000", Limit: 1})
	if len(list) > 0 || log.Judged.Times < 100 || log.Judged.Failed > 0 || !log.Judged.Whole {
		t.Errorf("%d moments, %+v", len(list), log.Judged)
	}
	list, log = program.moments(t, agent, recording.First{Condition: "list.get(3) == 100", Limit: 1, Scope: []string{"push"}})
	if len(list) > 0 || log.Judged.Failed == 0 || log.Judged.Failed == log.Judged.Times {
		t.Errorf("%d moments, %+v", len(list), log.Judged)
	}
	remarks := slices.DeleteFunc(log.Events, func(e recording.Event) bool { return e.Kind != recording.Remark })
	if len(remarks) != 1 || !strings.HasPrefix(remarks[0].Text, "the condition could not be judged each time: IndexOutOfBoundsException") {
		t.Errorf("remarks are %+v", remarks)
	}
	if list, log = program.moments(t, agent, recording.First{Condition: "nowhere > 3", Limit: 1}); len(list) > 0 || log.Judged.Times > 0 {
		t.Errorf("%d moments, %+v", len(list), log.Judged)
	}
	// It comes to hold anew each time that it did not hold before; then nothing is judged any more.
	list, log = program.moments(t, agent, recording.First{Condition: "i%5 == 4", Limit: 3, Scope: []string{"Main.main"}})
	if len(list) != 3 || log.Judged.Times != list[2].Hit {
		t.Fatalf("%d moments, %+v", len(list), log.Judged)
	}
	for i, m := range list {
		if then := recordingtest.Shown(m.Names, m.Values); then != "i % 5=4" || !strings.HasSuffix(m.At, fmt.Sprint(":", lineOf(t, heapJava, "// loop"))) {
			t.Errorf("moment %d: %s at %s", i, then, m.At)
		}
	}
}

// What the condition calls is neither judged nor is a class begun for it, and calls of several
// threads are apart.
func TestJavaJudgingChangesNothing(t *testing.T) {
	program := `import java.util.*;
public class Main {
    static class Late { static int count = Main.begin(); }
    static int asked;
    static int begin() { System.out.println("begun"); return 7; }
    boolean even(int n) { int half = n / 2; asked++; return half * 2 == n; }
    int count(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += i; Thread.yield(); } return sum; }
    public static void main(String[] args) throws Exception {
        List<Thread> all = new ArrayList<>();
        int[] sums = new int[4];
        for (int t = 0; t < 4; t++) { int k = t; Thread one = new Thread(() -> sums[k] = new Main().count(100)); all.add(one); one.start(); }
        for (Thread t : all) t.join();
        System.out.println(Arrays.toString(sums) + (asked > 0));
        System.out.println(Late.count);
    }
}
`
	agent, compiled := agentArchive(t), compileJava(t, program)
	for condition, c := range map[string]struct {
		want  int
		scope string
	}{
		"Late.count == 7":             {1, "Main.main"},
		"!even(i) && i == 33":         {4, "Main.count"},
		"i >= 0 && even(i) && i > 98": {4, "Main"},
	} {
		found := 0
		log, printed := compiled.record(t, agent, recording.Spec{First: &recording.First{Condition: condition, Limit: 10, Scope: []string{c.scope}}})
		for _, e := range log.Events {
			if e.Kind == recording.Moment {
				found++
			}
		}
		if found != c.want || log.Judged.Failed > 0 {
			t.Errorf("%s: %d moments, %+v, %+v", condition, found, log.Judged, log.Events)
		}
		if plain := "[4950, 4950, 4950, 4950]" + fmt.Sprint(strings.Contains(condition, "even")) + "\nbegun\n7\n"; printed != plain {
			t.Errorf("%s: the program printed %s", condition, printed)
		}
	}
}

// Programs of all kinds do the same with the condition judged everywhere in them.
func TestJavaMeaningStaysWhereMomentsAreSought(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "Kinds.java"))
	if err != nil {
		t.Fatal(err)
	}
	agent, program := agentArchive(t), compileJava(t, string(text))
	plain, err := exec.Command("java", "-cp", program.classes, "Main").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range []string{"out.length() > 1000000", "result == null && 1 > 2", "i == 3 && s.isEmpty()", "1 > 2"} {
		log, printed := program.record(t, agent, recording.Spec{First: &recording.First{Condition: condition, Limit: 2, Expressions: []string{"i", "s"}}})
		if printed != string(plain) || log.Judged.Times == 0 {
			t.Errorf("%s: %+v, the program printed %s where it prints %s", condition, log.Judged, printed, plain)
		}
		for _, e := range log.Events {
			if e.Kind == recording.Remark && strings.Contains(e.Text, "record") {
				t.Errorf("%s: %s", condition, e.Text)
			}
		}
	}
}

// What names nothing of the program is refused before it runs; places without code are moved.
func TestJavaScopesThatNameNothing(t *testing.T) {
	program := compileJava(t, heapJava)
	at := func(line int) string { return fmt.Sprintf("%s:%d", filepath.Join(program.src, "Main.java"), line) }
	for _, c := range []struct {
		first recording.First
		field string
	}{
		{recording.First{Condition: "size < list.size()", Scope: []string{"Main.Heap", "half", "Main.java", "Heap.*"}}, ""},
		{recording.First{Condition: "Main.nothing(sizes) < 3", Scope: []string{"Heap"}}, "condition"},
		{recording.First{Condition: "size < 0", Scope: []string{"Heap.pip"}}, "scope"},
		{recording.First{Condition: "size < 0", Scope: []string{at(500)}}, "scope"},
		{recording.First{Condition: "size < 0", Scope: []string{at(1)}}, ""},
	} {
		_, err := fit(&recording.Spec{First: &c.first}, []string{program.classes})
		var f *fault.Error
		if errors.As(err, &f); (f == nil) != (c.field == "") || f != nil && f.Field != c.field {
			t.Errorf("%+v: %v", c.first, err)
		}
	}
	first := recording.First{Condition: "size < 0", Scope: []string{at(1)}}
	if remarks, _ := fit(&recording.Spec{First: &first}, []string{program.classes}); len(remarks) != 1 || first.Scope[0] != at(2) {
		t.Errorf("%s %v", first.Scope, remarks)
	}
}

func TestNamesOfJavaConditions(t *testing.T) {
	for condition, want := range map[string]string{
		`a.b[c].d(e) > 'x' && !"a b".equals(f)`:       "a c e f",
		"this.x instanceof Integer":                   "",
		"shop.Cart.total != total":                    "total",
		"result != brute(n) + Integer.MAX_VALUE - 3L": "n",
		"h.list.get(3) == Foo.X":                      "h",
	} {
		if got := strings.Join(variableNames(condition), " "); got != want {
			t.Errorf("%s: %s", condition, got)
		}
	}
}
