package java

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// agentArchive compiles the recorder as it is given to programs.
func agentArchive(t *testing.T) string {
	t.Helper()
	src, dir := t.TempDir(), t.TempDir()
	files, err := readSources(recorder, recorderDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range shared {
		text, err := sources.ReadFile(sourceDir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = []byte(strings.Replace(string(text), "package bridge;", "package aidbrecorder;", 1))
	}
	args := []string{"-encoding", "UTF-8", "-d", dir}
	for name, text := range files {
		path := filepath.Join(src, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if text, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	if err := pack(dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, agentFile)
}

// recordJava runs a program of one class under the recorder, which has no remarks.
func recordJava(t *testing.T, agent, text string, wish recording.Wish) recording.Log {
	t.Helper()
	log, printed := compileJava(t, text).record(t, agent, wish)
	if len(log.Events) == 0 || slices.ContainsFunc(log.Events, func(e recording.Event) bool { return e.Kind == recording.Remark }) {
		t.Fatalf("noted %+v, printed %s", log.Events, printed)
	}
	return log
}

// compiled is a program of one class: the directories of its source and its classes.
type compiled struct{ src, classes string }

func compileJava(t *testing.T, text string) compiled {
	t.Helper()
	c := compiled{t.TempDir(), t.TempDir()}
	file := filepath.Join(c.src, "Main.java")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	annotation := filepath.Join(c.src, "Test.java")
	says := "package org.junit; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) public @interface Test { Class<?> expected() default Object.class; }"
	if err := os.WriteFile(annotation, []byte(says), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("javac", "-encoding", "UTF-8", "-g", "-d", c.classes, file, annotation).CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	return c
}

// record runs the program under the recorder.
func (c compiled) record(t *testing.T, agent string, wish recording.Wish) (log recording.Log, printed string) {
	t.Helper()
	records := t.TempDir()
	wish.Roots, wish.Text = []string{c.src}, 200
	asked, err := json.Marshal(wish)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{recording.Asked: string(asked), classesFile: c.classes} {
		if err := os.WriteFile(filepath.Join(records, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := exec.Command("java", "-javaagent:"+agent+"="+records, "-cp", c.classes, "Main").CombinedOutput() // how it ends is what is asked
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
	wish := recording.Wish{Calls: &recording.Calls{Names: []string{"Main.look"}}}
	seen := looked(recordJava(t, agent, wholeProgram, wish))
	again := looked(recordJava(t, agent, wholeProgram, wish))
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
	for name, c := range map[string]struct{ body, want string }{
		"uncaught": {"deep(0);", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"thread":   {"Thread t = new Thread(() -> deep(0)); t.start(); t.join();", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"rethrown": {"try { deep(0); } finally { System.out.println(1); }", "uncaught||Main.java:2|ArithmeticException: / by zero"},
		"exit":     {"System.exit(3);", "exited||Main.java:6|3"},
		"handled":  {"try { deep(0); } catch (ArithmeticException e) { System.exit(0); }", ""},
		"test": {`for (String name : new String[] {"fails", "breaks", "wants"}) try { Main.class.getMethod(name).invoke(null); } catch (ReflectiveOperationException e) {}`,
			"expected|Main.fails|Main.java:3|AssertionError: no\nuncaught|Main.breaks|Main.java:2|ArithmeticException: / by zero"},
	} {
		text := "public class Main {\nstatic int deep(int n) { return 1 / n; }\n@org.junit.Test public static void fails() { throw new AssertionError(\"no\"); }\n" +
			"@org.junit.Test public static void breaks() { deep(0); } @org.junit.Test(expected = ArithmeticException.class) public static void wants() { deep(0); }\n" +
			"public static void main(String[] args) throws Exception {\n" + c.body + "\n}\n}\n"
		var got []string
		for _, e := range recordJava(t, agent, text, recording.Wish{Calls: &recording.Calls{Names: []string{"Main.*"}}}).Events {
			if e.Kind == recording.Failed {
				got = append(got, strings.Join([]string{e.Text, e.Test, filepath.Base(e.At), e.Values[0].Text}, "|"))
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: noted %q, want %q", name, got, c.want)
		}
	}
}
