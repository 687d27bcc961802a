//go:build linux

package languages

import (
	"fmt"
	"maps"
	"testing"

	"aidb-mcp/internal/testkit"
)

const plantedText = `import java.util.ArrayList;
import java.util.List;

public class Planted {
    static int step(int total, int i) {
        if (total < 0) {
            total = 0; //@mark planted-never
        }
        return (total * 31 + i) % 1000003;
    }

    static int work(int rounds) {
        int total = 1; //@mark planted-work
        for (int i = 0; i < rounds; i++) {
            total = step(total, i);
        }
        return total;
    }

    static final List<Integer> met = new ArrayList<>();

    static void crowd(int number) {
        synchronized (met) { //@mark planted-crowd
            met.add(number);
        }
    }

    static String made(boolean first) {
        return new String(new StringBuilder( //@mark planted-made
            first ? "a" : "b"));
    }

    static int twice(int n) {
        return n * 2; //@mark planted-double
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("total " + work(Integer.parseInt(args[0])));
            return;
        }
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            int from = 10 * i;
            all[i] = new Thread(() -> {
                for (int j = 0; j < 5; j++) {
                    crowd(from + j);
                }
            });
        }
        for (Thread t : all) {
            t.start();
        }
        for (Thread t : all) {
            t.join();
        }
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += i; //@mark planted-before
            sum += twice(i); //@mark planted-call
        }
        System.out.println(made(true) + made(false) + " " + sum + " " + met.size());
    }
}
`

// A method with a breakpoint that is not reached is compiled to machine code as it is without one:
// HotSpot would interpret it.
func TestJavaBreakpointThatCostsNothing(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Planted.java", plantedText)
	total, rounds := 1, 3_000_000
	for i := range rounds {
		total = (total*31 + i) % 1000003
	}
	never := A{"file": "Planted.java", "line": p.Line("planted-never")}
	started := A{
		"target": "Planted.java", "args": []string{fmt.Sprint(rounds)}, "timeout_ms": startLimit,
		"adapter_options": A{"vmArgs": []string{"-XX:+PrintCompilation"}},
	}
	ended := func(r testkit.Reply) {
		t.Helper()
		r.Want("terminated", "data", "execution_state", "status").Has("never hit")
		s.OK("inspect", A{"target": "output", "filter": "total"}).Has(fmt.Sprintf("total %d", total))
		s.OK("inspect", A{"target": "output", "filter": "Planted::step"}).Has("Planted::step")
	}
	started["breakpoints"] = []A{never}
	ended(s.OK("session_start", started))

	// It is so, too, after a stop at another one, and a step from there.
	started["breakpoints"] = []A{never, {"file": "Planted.java", "line": p.Line("planted-work")}}
	s.OK("session_start", started).Stopped("stopped_at_breakpoint", p.At("Planted.java", "planted-work"))
	s.OK("step", nil).Has("stopped_after_step")
	ended(s.OK("execute", A{"timeout_ms": startLimit}))
}

// The first hit is one of all: with several threads on their way, with a count, and where an
// object is made in several lines.
func TestJavaFirstHits(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Planted.java", plantedText)
	start := func(points ...A) {
		s.OK("session_start", A{"target": "Planted.java", "timeout_ms": startLimit, "breakpoints": points})
	}
	at := func(mark string, more A) A {
		point := A{"file": "Planted.java", "line": p.Line(mark)}
		maps.Copy(point, more)
		return point
	}
	start(at("planted-crowd", A{"log_message": "met {number}"}), at("planted-made", A{"log_message": "made {first}"}), at("planted-double", A{"hit_condition": "3"}))
	s.OK("session", A{"action": "status"}).Has("Planted.java:" + fmt.Sprint(p.Line("planted-double")))
	s.OK("inspect", A{"expression": "n"}).Want("2", "data", "result", "v")
	r := s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	r.Contains([]string{"data", "output", "stdout"}, "ab 9 20")
	log := s.OK("inspect", A{"target": "output", "count": 100})
	for i := range 4 {
		for j := range 5 {
			log.Has(fmt.Sprintf("met %d", 10*i+j))
		}
	}
	log.Has("made true").Has("made false")

	start(at("planted-crowd", nil))
	for range 19 {
		s.OK("execute", A{"timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", p.At("Planted.java", "planted-crowd"))
	}
	s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").Has("ab 9 20")
}

// A step begins and ends where it would without the calls that stood for breakpoints, and enters
// none of them, not even where it enters libraries.
func TestJavaStepsOverPlants(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Planted.java", plantedText)
	s.OK("session_start", A{
		"target": "Planted.java", "timeout_ms": startLimit, "just_my_code": false,
		"breakpoints": []A{{"file": "Planted.java", "line": p.Line("planted-before"), "condition": "i == 1"}, {"file": "Planted.java", "line": p.Line("planted-call"), "condition": "i == 2"}},
	}).Stopped("stopped_at_breakpoint", p.At("Planted.java", "planted-before")).Want("1", "data", "locals", "i", "v")
	s.OK("step", A{"action": "over"}).Stopped("stopped_after_step", p.At("Planted.java", "planted-call"))
	s.OK("step", A{"action": "into"}).Stopped("stopped_after_step", p.At("Planted.java", "planted-double"))
	s.OK("step", A{"action": "out"}).Has(fmt.Sprintf("Planted.java:%d", p.Line("planted-call")))
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("Planted.java", "planted-call")).Want("2", "data", "locals", "i", "v")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Has("ab 9 20")
}

// What is caught is known by where the handlers of a method lie now.
func TestJavaHandlersOfPlantedMethods(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Thrown.java", thrown)
	never := []A{{"file": "Thrown.java", "line": 12}, {"file": "Thrown.java", "line": 20}}
	s.OK("session_start", A{"target": "Thrown.java", "args": []string{"caught outside", "reflection", "initializer"}, "timeout_ms": startLimit, "breakpoints": never}).
		Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code").
		Want("cleaned\ncaught\ncaught\ncaught\n", "data", "output", "stdout")
	s.OK("session_start", A{"target": "Thrown.java", "args": []string{"rethrown"}, "timeout_ms": startLimit, "breakpoints": never}).
		Stopped("stopped_at_exception", "Thrown.java:6")
}
