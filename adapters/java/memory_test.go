package java

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

const memoryProgram = `import java.util.*;
public class Main {
    static class Box { int n; Box next; final List<Integer> fixed = new ArrayList<>(); }
    static class Mine extends ArrayList<Integer> { int extra; }
    static class Odd extends ArrayList<Integer> { public Iterator<Integer> iterator() { return List.of(1).iterator(); } }
    public static void main(String[] args) throws Throwable {
        int[] sorted = {1, 5, 3}; java.nio.IntBuffer buffer = java.nio.IntBuffer.wrap(sorted);
        sorted[0] = 0; buffer.put(1, 3);
        int[] same = {1, 5, 3}; same[0] = 0;
        String[] words = new String[3]; List<String> view = Arrays.asList(words);
        words[0] = "b"; view.replaceAll(w -> "c");
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2)); ListIterator<Integer> of = list.listIterator(); list.set(0, 0); of.next(); of.set(2);
        List<Integer> calm = new LinkedList<>(List.of(3000, 1, 2)); calm.set(0, 2000); calm.set(0, Integer.valueOf(2000));
        Map<String, Integer> map = new HashMap<>(); map.put("a", 1000); map.put("b", 2); map.entrySet().iterator().next().setValue(5);
        Map<String, Integer> linked = new LinkedHashMap<>(16, 0.75f, true); linked.put("a", 1); linked.put("b", 2); linked.get("a");
        Map<Object, Integer> gone = new TreeMap<>(); gone.put("x", 1); gone.put("y", 2); Iterator<?> it = gone.keySet().iterator(); it.next(); it.remove();
        TreeSet<String> set = new TreeSet<>(); set.add("x"); set.add("y"); set.headSet("y").clear();
        Stack<Integer> stack = new Stack<>(); stack.push(2); stack.push(1); Runnable r = stack::pop; r.run();
        Box box = new Box(); box.next = box; var n = java.lang.invoke.MethodHandles.lookup().findSetter(Box.class, "n", int.class).bindTo(box); box.n = 1; n.invoke(4);
        Box deep = new Box(); deep.n = 2; deep.fixed.add(3);
        List<Integer> locks = Collections.synchronizedList(new ArrayList<>()); locks.add(1);
        Set<String> upside = new TreeSet<>(Set.of("p")).descendingSet(); upside.add("q");
        Mine mine = new Mine(); List<Integer> seen = mine; seen.add(1);
        List<Integer> low = new ArrayList<>(List.of(3, 1, 2)); List<Integer> wrapped = Collections.synchronizedList(low); wrapped.set(0, 7);
        ListIterator<Integer> under = low.listIterator(); under.next(); under.set(8);
        List<Integer> open = new ArrayList<>(); List<Integer> closed = Collections.unmodifiableList(Collections.checkedList(open, Integer.class)); open.add(4);
        List<Integer> our = new Mine(); our.add(1); ListIterator<Integer> at = our.listIterator(); at.next(); at.set(2);
        List<Integer> odd = new Odd(); odd.add(1);
        List<Integer> sub = new ArrayList<>(List.of(3, 1, 2)).subList(0, 2); sub.set(0, 7); ListIterator<Integer> in = sub.listIterator(); in.next(); in.set(8);
        Map<String, Integer> keyed = new HashMap<>(Map.of("a", 1, "b", 2)); Set<String> keys = keyed.keySet(); keys.remove("a"); Iterator<String> out = keys.iterator(); out.next(); out.remove();
        Vector<Integer> vector = new Vector<>() {}; vector.add(1); ListIterator<Integer> each = vector.listIterator(); each.next(); each.set(2);
        byte[] huge = new byte[2 << 20]; huge[5] = 1;
        System.out.println(1);
    }
}
`

// What an object was as its last noted write had been made is told, and what it is when it
// is asked about: where the two differ, something else has changed it. The parts that were
// written to last are told as they are then.
func TestJavaMemoryShowsWhatWasNotNoted(t *testing.T) {
	want := []struct{ name, memory, parts string }{
		{"sorted", "changed", "[0]=0 [2]=3 [1]=3"}, {"same", "same", "[0]=0 [2]=3 [1]=5"}, {"words", "changed", `[0]="c"`}, {"list", "changed", "[0]=2"},
		{"calm", "same", "[0]=2000"}, {"map", "changed", `["b"]=2 ["a"]=5`}, {"linked", "same", ""}, {"gone", "changed", `["y"]=2 ["x"]=null`}, {"set", "changed", ""},
		{"stack", "changed", ""}, {"deep", "same", ".n=2 .fixed=ArrayList(1) [3]"}, {"locks", "same", "[0]=1"}, {"upside", "unknown", ""}, {"mine", "same", "[0]=1"},
		{"wrapped", "changed", "[0]=8"}, {"closed", "same", "[0]=4"}, {"our", "changed", "[0]=2"}, {"odd", "unknown", ""}, {"sub", "changed", ""}, {"keys", "changed", ""},
		{"vector", "changed", ""},
		{"huge", "unknown", "[5]=1"},
	}
	var names []string
	for _, c := range want {
		names = append(names, c.name)
	}
	log := allJava(t, agentArchive(t), memoryProgram, append(names, "box"))
	values := log.Events[len(log.Events)-2].Values
	for i, c := range want {
		var parts []string
		for _, p := range values[i].Parts() {
			parts = append(parts, strings.TrimPrefix(p.Place, values[i].Same)+"="+p.Text)
		}
		if got := memoryOf(log, values[i]); got != c.memory || strings.Join(parts, " ") != c.parts {
			t.Errorf("%s is %s, not %s, and its parts are %q, not %q", c.name, got, c.memory, parts, c.parts)
		}
	}
	if got := memoryOf(log, values[len(want)]); got != "changed" {
		t.Errorf("box is %s", got)
	}
}

// memoryOf says whether a value is as the last write into it has left it.
func memoryOf(log recording.Log, v recording.Value) string {
	around := ""
	for _, e := range log.Events {
		if e.Kind == recording.Write && v.Same != "" && e.Values[1].Of == v.Same {
			around = e.Values[1].Around()
		}
	}
	switch {
	case v.Memory() == "" || around == "":
		return "unknown"
	case v.Memory() == around:
		return "same"
	}
	return "changed"
}

const givenProgram = `import java.util.*;
import java.util.function.*;
public class Main {
    static class Box { int n; int m; }
    static void own(int[] x) { x[2] = 8; }
    public static void main(String[] args) throws Exception {
        int[] sorted = {1, 5, 3};
        Consumer<int[]> by = Arrays::sort;
        by.accept(sorted);
        int[] mine = {1, 5, 3};
        by = Main::own;
        by.accept(mine);
        int[] both = {1, 5, 3};
        by = x -> { x[0] = 9; Arrays.fill(x, 1, 2, 7); };
        by.accept(both);
        List<Integer> list = new ArrayList<>(List.of(3, 1));
        new java.util.concurrent.LinkedBlockingQueue<>(List.of(5)).drainTo(list);
        Box box = new Box();
        Box.class.getDeclaredField("m").setInt(box, 5);
        int[] calm = {1, 5, 3};
        Arrays.sort(calm, 0, 1);
        int[] many = new int[300];
        Arrays.fill(many, 2);
        int[] thrown = {4, 1, 1};
        try { System.arraycopy(thrown, 1, thrown, 0, 2); Arrays.sort(thrown, 2, 9); } catch (ArrayIndexOutOfBoundsException e) { thrown[2] = 0; }
        System.out.println(1);
    }
}
`

// What the JDK writes to something that a statement gives it is told as a write by that
// statement, part by part; what the program writes meanwhile is told once.
func TestJavaTellsWhatWasWrittenByWhatAStatementGives(t *testing.T) {
	log := allJava(t, agentArchive(t), givenProgram, []string{"sorted", "mine", "both", "list", "box", "calm", "many", "thrown"})
	hit := log.Events[len(log.Events)-2]
	for i, want := range []string{
		"9 [1] 5 3, 9 [2] 3 5", "", "14 [1] 5 7", "17 [*]  ArrayList(3) [3, 1, 5]", "19 .m 0 5", "", "", "25 [0] 4 1",
	} {
		var got []string
		for _, e := range log.Events {
			if e.Text == recording.Given && e.Values[1].Of == hit.Values[i].Same {
				_, line := recording.FileLine(e.At)
				got = append(got, fmt.Sprint(line, " ", strings.TrimPrefix(e.Place, e.Values[1].Of), " ", e.Values[0].Text, " ", e.Values[1].Text))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("value %d was written to by what it was given to: %q, not %q", i, strings.Join(got, ", "), want)
		}
	}
}

// allJava has all that is written noted, and expressions where the program ends.
func allJava(t *testing.T, agent, text string, names []string) recording.Log {
	t.Helper()
	c := compileJava(t, text)
	before, _, _ := strings.Cut(text, "System.out.println(1)")
	at := recording.Values{File: filepath.Join(c.src, "Main.java"), Line: strings.Count(before, "\n") + 1, Expressions: names, Places: true}
	log, printed := c.record(t, agent, recording.Spec{Values: []recording.Values{at}, Writes: &recording.Writes{All: true}})
	if n := len(log.Events); n < 2 || log.Events[n-2].Kind != recording.Hit {
		t.Fatalf("noted %+v, printed %s", log.Events, printed)
	}
	return log
}
