package java

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit/filetree"
)

// shelf holds what several tests need compiled, which takes a JVM of its own each time.
var shelf struct {
	mu   sync.Mutex // guards made
	dir  string
	made map[string]string
}

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "aidb-java-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		shelf.dir, shelf.made = dir, map[string]string{}
		return m.Run()
	}())
}

// once is a directory in which something was made, for all who name it so.
func once(t *testing.T, name string, do func(dir string)) string {
	t.Helper()
	shelf.mu.Lock()
	defer shelf.mu.Unlock()
	if dir := shelf.made[name]; dir != "" {
		return dir
	}
	dir, err := os.MkdirTemp(shelf.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	do(dir)
	shelf.made[name] = dir
	return dir
}

// agentArchive is the recorder compiled as it is given to programs.
func agentArchive(t *testing.T) string {
	t.Helper()
	dir := once(t, "the recorder", func(dir string) { compileAgent(t, dir) })
	return filepath.Join(dir, agentFile)
}

func compileAgent(t *testing.T, dir string) {
	t.Helper()
	files, err := packages("recorder", "live")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := helper{files: files}.unpack(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	store := install.Store{Home: install.Home()}
	if _, err := asmVersion(store); err != nil {
		t.Fatal(err)
	}
	if err := layOutASM(store, dir); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat(quick, []string{"-encoding", "UTF-8", "-cp", dir, "-d", dir}, paths)
	if text, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	if err := pack(dir, "aidb.recorder.Agent"); err != nil {
		t.Fatal(err)
	}
}

// recordJava runs a program of one class under the recorder, which has no remarks.
func recordJava(t *testing.T, agent, text string, spec recording.Spec, given ...string) recording.Log {
	t.Helper()
	log, printed := compileJava(t, text).record(t, agent, spec, given...)
	if len(log.Events) == 0 || slices.ContainsFunc(log.Events, func(e recording.Event) bool { return e.Kind == recording.Remark }) {
		t.Fatalf("noted %+v, printed %s", log.Events, printed)
	}
	return log
}

// compiled is a program of one class: the directories of its source and its classes.
type compiled struct {
	src, classes string
	beside       bool // it is recorded as it is while a debugger is in it
}

func compileJava(t *testing.T, text string) compiled {
	t.Helper()
	dir := once(t, text, func(dir string) {
		file, annotation := filepath.Join(dir, "src", "Main.java"), filepath.Join(dir, "src", "Test.java")
		says := "package org.junit; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) public @interface Test { Class<?> expected() default Object.class; }"
		for path, text := range map[string]string{file: text, annotation: says} {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		args := append(slices.Clone(quick), "-encoding", "UTF-8", "-g", "-d", filepath.Join(dir, "classes"), file, annotation)
		if text, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s", text)
		}
	})
	return compiled{src: filepath.Join(dir, "src"), classes: filepath.Join(dir, "classes")}
}

// record runs the program under the recorder.
func (c compiled) record(t *testing.T, agent string, spec recording.Spec, given ...string) (log recording.Log, printed string) {
	t.Helper()
	records := t.TempDir()
	spec.Roots, spec.Text = []string{c.src}, 200
	asked, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{recording.Asked: string(asked), classesFile: c.classes}
	if c.beside {
		files[besideFile] = ""
	}
	filetree.Write(t, records, files)
	args := append([]string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-javaagent:" + agent + "=" + records, "-cp", c.classes, "Main"}, given...)
	out, _ := exec.Command("java", args...).CombinedOutput() // how it ends is what is asked
	if log, err = recording.Read(records); err != nil {
		t.Fatal(err)
	}
	return log, string(out)
}

const wholeProgram = `import java.util.*;
public class Main {
    static class Box { int[] many = new int[100]; Map<String, Object> table = new HashMap<>(); Box self = this; }
    static int look(Object o) { return 1; }
    static Box made(String... keys) {
        Box b = new Box();
        for (String k : keys) b.table.put(k, List.of(k.length()));
        return b;
    }
    public static void main(String[] args) {
        look(made("a", "bb", "ccc"));
        look(made("ccc", "bb", "a"));
        Box other = made("a", "bb", "ccc");
        other.many[99] = 1;
        look(other);
        look(List.of(5L));
        look(List.of(5));
        look(new byte[2 << 20]);
        look(Set.of("one", "two", "three", "four", "five", "six", "seven", "eight"));
    }
}
`

func TestJavaValuesAreWhole(t *testing.T) {
	agent := agentArchive(t)
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"Main.look"}}}
	seen := looked(recordJava(t, agent, wholeProgram, spec))
	again := looked(recordJava(t, agent, wholeProgram, spec))
	if len(seen) != 7 || len(again) != 7 {
		t.Fatalf("noted %+v", seen)
	}
	for _, c := range []struct {
		a, b recording.Value
		want recording.Equality
		why  string
	}{
		{seen[0], seen[1], recording.Equal, "a map has no order"},
		{seen[0], again[0], recording.Equal, "another run"},
		{seen[0], seen[2], recording.Different, "the last element of many"},
		{seen[6], again[6], recording.Equal, "a set that the JDK goes through in another order in each run"},
		{seen[5], again[5], recording.NotCompared, "2 MiB are not read"},
	} {
		if got := recording.Compare(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v\n%+v\n%+v", c.why, got, c.want, c.a, c.b)
		}
	}
	if recording.Compare(seen[3], seen[4]) == recording.Equal {
		t.Error("a Long is taken for an Integer")
	}
}

func looked(log recording.Log) (values []recording.Value) {
	for _, e := range log.Events {
		if e.Kind == recording.Enter {
			values = append(values, e.Values[0])
		}
	}
	return values
}

func TestHowJavaRunsEnd(t *testing.T) {
	agent := agentArchive(t)
	ends := map[string]struct{ body, want string }{
		"uncaught": {"deep(0);", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"thread":   {"Thread t = new Thread(() -> deep(0)); t.start(); t.join();", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"rethrown": {"try { deep(0); } finally { System.out.println(1); }", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"exit":     {"System.exit(3);", "exited||Main.java:6|3"},
		"handled":  {"try { deep(0); } catch (ArithmeticException e) { System.exit(0); }", ""},
		"test": {`for (String name : new String[] {"fails", "breaks", "wants"}) try { Main.class.getMethod(name).invoke(null); } catch (ReflectiveOperationException e) {}`,
			"expected|Main.fails|Main.java:3|AssertionError: no\nuncaught|Main.breaks|Main.java:2|ArithmeticException: / by zero"},
	}
	var ways strings.Builder
	for name, c := range ends {
		fmt.Fprintf(&ways, "case %q: { %s break; } ", name, c.body)
	}
	text := "public class Main {\nstatic int deep(int n) { return 1 / n; }\n@org.junit.Test public static void fails() { throw new AssertionError(\"no\"); }\n" +
		"@org.junit.Test public static void breaks() { deep(0); } @org.junit.Test(expected = ArithmeticException.class) public static void wants() { deep(0); }\n" +
		"public static void main(String[] args) throws Exception {\nswitch (args[0]) { " + ways.String() + "}\n}\n}\n"
	for name, c := range ends {
		var got []string
		for _, e := range recordJava(t, agent, text, recording.Spec{Calls: &recording.Calls{Names: []string{"Main.*"}}}, name).Events {
			if e.Kind == recording.Failed {
				got = append(got, strings.Join([]string{e.Text, e.Test(), filepath.Base(e.At), e.Values[0].Text}, "|"))
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: noted %q, want %q", name, got, c.want)
		}
	}
}
