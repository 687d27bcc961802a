//go:build linux

package languages

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// newerJDK is a second JDK beside the one in PATH: empty where there is none, as no package of
// an older Debian has one.
func newerJDK(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/jvm/*-25-*/bin/javac")
	if err != nil || found == nil {
		return ""
	}
	return filepath.Dir(filepath.Dir(found[0]))
}

// javaServer is a server in a copy of a folder of testdata/java.
func javaServer(t *testing.T, folder string, env ...string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgramOf(t, "java", folder)
	env = append(env, "MAVEN_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC") // it does not live long
	return testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env}), p
}

const (
	calcFile = "src/main/java/shop/Calc.java"
	testFile = "src/test/java/shop/CalcTest.java"
)

// Maven builds the project, and a test is named by class and method.
func TestJavaMavenJUnit(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "shop")
	start := func(test string, more A) testkit.Reply {
		args := A{"test": test, "timeout_ms": startLimit}
		maps.Copy(args, more)
		return s.OK("session_start", args)
	}
	start("deep", A{"stop_on_entry": true, "breakpoints": []A{{"file": calcFile, "line": p.Line("sum")}}}).Stopped("stopped_at_entry", p.At(testFile, "deep"))
	s.OK("inspect", A{"target": "stack"}).Want("NativeMethodAccessorImpl.invoke0", "data", "stack", "1")
	s.OK("inspect", A{"target": "locals", "frame": 1}) // native code has none, which is no failure
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "calc", "frame": 1}).Has("library code", "inspect(target: threads)")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At(calcFile, "sum")).Has("Inside.deep")
	s.OK("step", A{"action": "out"}).Want("9", "data", "return_value", "Calc.add", "v")
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")

	r := start("CalcTest#fails", nil).Stopped("stopped_at_exception", p.At(testFile, "fails"))
	r.Want("expected: <6> but was: <5>", "data", "exception", "message")
	s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")

	if testkit.IsLong() { // as other tests of JUnit's
		start("refuses", nil).Want("0", "data", "execution_state", "exit_code") // what it expects to be thrown stops nothing
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "CalcTest.ads", "language": "java"}).Has("did you mean CalcTest.adds")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "mul", "language": "java"}).Has("CalcTest.adds")

	if testkit.IsLong() { // test/frameworks starts main classes that Maven builds
		r = s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": "Calc.add"}}, "timeout_ms": startLimit})
		r.Stopped("stopped_at_breakpoint", p.At(calcFile, "sum"))
	}
}

// JUnit 4 runs in the same way.
func TestJavaJUnit4(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "junit4")
	const old = "src/test/java/shop/OldTest.java"
	if testkit.IsLong() { // as tests of TestJavaTestFrameworks
		s.OK("session_start", A{"test": "OldTest.adds", "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
		s.OK("session_start", A{"test": "OldTest.refuses", "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
	}

	p.Edit(old, "@Test(expected", "@Test\n    public void words() {\n        assertEquals(\"left\", \"right\"); //@mark words\n    }\n\n    @Test(expected")
	s.OK("session_start", A{"test": "OldTest.words", "timeout_ms": startLimit, "breakpoints": []A{{"file": old, "line": p.Line("words")}}}).
		Stopped("stopped_at_breakpoint", p.At(old, "words"))
	r := s.OK("execute", nil).Stopped("stopped_at_exception", p.At(old, "words"))
	r.Want("expected:<[lef]t> but was:<[righ]t>", "data", "exception", "message") // made up by the exception, not kept in it
}

// A project's own wrapper is preferred; what it prints as errors has file and line.
func TestJavaBuildErrors(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "shop")
	p.Edit(calcFile, "int sum = a + b;", "int sum = a + nosuch;")
	r := s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "language": "java", "timeout_ms": startLimit})
	r.Want(calcFile, "error", "details", "errors", "0", "file").Has("cannot find symbol", "nosuch")

	p.Write("mvnw", "#!/bin/sh\necho '[ERROR] the wrapper was here' >&2\nexit 1\n")
	if err := os.Chmod(filepath.Join(p.Dir, "mvnw"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "language": "java", "timeout_ms": startLimit}).
		Want("the build failed: the wrapper was here", "error", "message")
}

// buildLimit bounds a start that Gradle builds for, which is slow to begin.
const buildLimit = 5 * startLimit

// A module with its tests and a library beside it are built by Gradle, here by
// way of the project's own wrapper; the runner of its JUnit is fetched by it too.
func TestJavaGradle(t *testing.T) {
	t.Parallel()
	testkit.Long(t, "test/frameworks starts a test by Gradle")
	s, p := javaServer(t, "shop")
	if err := os.Remove(filepath.Join(p.Dir, "pom.xml")); err != nil {
		t.Fatal(err)
	}
	const library = "lib/src/main/java/sums/Sums.java"
	p.Write("settings.gradle", "include 'lib'\n")
	p.Write("lib/build.gradle", "apply plugin: 'java'\n")
	p.Write(library, "package sums;\n\npublic class Sums {\n    public static int of(int a, int b) {\n        return a + b;\n    }\n}\n")
	p.Write("build.gradle", `plugins { id 'java' }
repositories { mavenCentral() }
dependencies {
    implementation project(':lib')
    testImplementation 'org.junit.jupiter:junit-jupiter:5.10.2'
}
`)
	p.Edit(calcFile, "int sum = a + b;", "int sum = sums.Sums.of(a, b);")
	p.Write("gradlew", "#!/bin/sh\ntouch wrapped\nexec gradle \"$@\"\n")
	if err := os.Chmod(filepath.Join(p.Dir, "gradlew"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := s.OK("session_start", A{"test": "CalcTest.fails", "breakpoints": []A{{"file": library, "line": 5}}, "timeout_ms": buildLimit})
	r.Stopped("stopped_at_breakpoint", library+":5").Has("Calc.add " + p.At(calcFile, "sum"))
	if _, err := os.Stat(filepath.Join(p.Dir, "wrapped")); err != nil {
		t.Error("the project's wrapper was not used:", err)
	}
	s.OK("execute", nil).Stopped("stopped_at_exception", p.At(testFile, "fails"))

	p.Edit(library, "a + b", "a + nosuch")
	r = s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "language": "java", "timeout_ms": buildLimit})
	r.Want(library, "error", "details", "errors", "0", "file").Has(":5: cannot find symbol: variable nosuch")
}

// Values are shown as what they are, without calling into the program.
func TestJavaKinds(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "kinds")
	s.OK("session_start", A{"target": "Kinds.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Kinds.java", "line": p.Line("ready")}}})
	shown := map[string]string{
		"array": `ArrayList(2) ["a", "b"]`, "linked": `LinkedList(2) [1, 2]`, "pair": `List(2) [1, 2]`, "fixed": `Arrays.ArrayList(2) ["x", "y"]`,
		"hash": `HashMap(1) {"k"=1}`, "tree": `TreeMap(2) {"a"=1, "b"=2}`, "shared": `ConcurrentHashMap(1) {7="seven"}`, "single": `Map(1) {"only"=1}`,
		"set": `HashSet(1) [5]`, "sorted": `TreeSet(3) [1, 2, 3]`, "deque": `ArrayDeque(3) [1, 2, 3]`,
		"some": `Optional["yes"]`, "none": `Optional.empty`, "red": `Kinds.Color.RED`, "green": `Kinds.Color.GREEN`,
		"boxed": `5`, "letter": `'c'`, "price": `1.50`, "day": `2026-11-21`, "atomic": `3`, "builder": `"built"`,
		"error": `IllegalStateException: broken`, "grid": `int[2][] {int[2] {1, 2}, int[2] {3, 4}}`,

		`account.over(1)`: `1`, `account.over(1L)`: `2`, `account.over(boxed)`: `3`, `account.over("x")`: `4`,
		`Account.join("a", 1, "b")`: `"a[1, b]"`, `Account.join("a")`: `"a[]"`, `point.x() + point.y`: `3`,
		`green.word() + red.word()`: `"gostop"`, `hash.get("k") + boxed * 2`: `11`, `(byte) 300`: `44`, `7 / 2.0`: `3.5`, `'a' + 1`: `98`,
		`view.size() == 2 && none.isEmpty()`: `true`, `grid[1][0] << 3`: `24`, `new int[]{4, 5}[1]`: `5`, `error instanceof RuntimeException`: `true`,
		`Math.max(boxed, 4L)`: `5`, `letter == 'c' ? "yes" : "no"`: `"yes"`, `"ab" == "ab"`: `true`, `"ab" != "cd"`: `true`,
		`array.subList(1, 2)`: `ArrayList.SubList(1) ["b"]`, `List.of(1, 2, 3).subList(1, 3)`: `SubList(2) [2, 3]`, `tree.keySet()`: `TreeMap.KeySet(2) ["a", "b"]`,
		`tree.values()`: `TreeMap.Values(2) [1, 2]`, `new java.util.concurrent.CopyOnWriteArraySet(set)`: `CopyOnWriteArraySet(1) [5]`, `new java.util.concurrent.atomic.AtomicReference(pair)`: `List(2) [1, 2]`,
		`OptionalInt.of(3)`: `OptionalInt[3]`, `OptionalDouble.empty()`: `OptionalDouble.empty`,
		`Map.entry("a", 1)`: `"a"=1`, `new java.util.concurrent.ConcurrentLinkedQueue(pair)`: `ConcurrentLinkedQueue(2) [1, 2]`,
		`new java.util.WeakHashMap(hash)`: `WeakHashMap(1) {"k"=1}`, `new java.util.StringJoiner("-").add("m").add("n")`: `m-n`,
		`java.util.concurrent.CompletableFuture.completedFuture(5)`: `CompletableFuture[5]`, `new java.util.concurrent.CompletableFuture()`: `(not completed)`,
		`java.util.concurrent.CompletableFuture.failedFuture(error)`: `(failed: IllegalStateException: broken)`,
		`List.of(account)`: `List(1) [Kinds.Account {owner="Ann", balance=10}]`, `java.time.Duration.ofSeconds(90)`: `PT1M30S`,
		`builder.length()`: `5`, `EnumSet.of(green)`: `RegularEnumSet(1) [Kinds.Color.GREEN]`, `new EnumMap(Map.of(green, 1))`: `EnumMap(1) {Kinds.Color.GREEN=1}`, `String.valueOf(point)`: `"Point[x=1, y=2]"`, `-5 >>> 28`: `15`,
	}
	for expression, want := range shown {
		if got := s.OK("inspect", A{"expression": expression}).At("data", "result", "v"); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
	s.OK("inspect", A{"expression": "point"}).Has("x=1, y=2")
	s.OK("inspect", A{"expression": "account"}).Has("owner", "Ann", "balance")
	refused := map[string]string{
		"acount": "did you mean account?", "account.ownr": "did you mean owner?", `account.over()`: "it takes", "1 / 0": "division by zero",
		"grid[5]": "2 elements", "x -> 1": "lambda", "none.get()": "NoSuchElementException", "account.pay": "pay()", "if (true) 1": "statement",
		"red instanceof Color c": "patterns", "Objects.requireNonNull(null).toString()": "NullPointerException", `account.owner.concat(null)`: "Cannot invoke",
	}
	for expression, want := range refused {
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": expression}).Has(want)
	}
	s.Fail("BREAKPOINT_FAILED", "breakpoint", A{"action": "watch", "name": "boxed"}).Has("local variable")
	s.OK("breakpoint", A{"action": "watch", "name": "account.balance"})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("Kinds.java", "pay")).Has("balance is about to change from 10 to 15")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("breakpoint", A{"location": "Kinds.Inner.plus"})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("Kinds.java", "inner"))
	s.OK("inspect", A{"expression": "n + base"}).Want("42", "data", "result", "v")
	s.OK("inspect", A{"expression": "Kinds.this.base"}).Want("40", "data", "result", "v")
}

// A thread that waits for a lock of java.util.concurrent is told with the lock
// and the thread that holds it, as those are that wait for a monitor.
func TestJavaLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := `import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

class Locks {
    static final CyclicBarrier both = new CyclicBarrier(2);

    static Thread taker(String name, ReentrantLock first, ReentrantLock second) {
        Thread thread = new Thread(() -> {
            first.lock();
            try {
                both.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            second.lock();
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static boolean waits(Thread thread, ReentrantLock lock) {
        return lock.hasQueuedThread(thread) && thread.getState() == Thread.State.WAITING;
    }

    public static void main(String[] args) {
        ReentrantLock one = new ReentrantLock(), two = new ReentrantLock();
        Thread a = taker("taker-a", one, two), b = taker("taker-b", two, one);
        while (!waits(a, two) || !waits(b, one)) {
            Thread.onSpinWait();
        }
        System.out.println("locked");
    }
}
`
	if err := os.WriteFile(filepath.Join(dir, "Locks.java"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"target": "Locks.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Locks.java", "line": 32}}}).
		Stopped("stopped_at_breakpoint", "Locks.java:32")
	s.OK("inspect", A{"target": "threads"}).Has("ReentrantLock.NonfairSync@", ", held by taker-a", ", held by taker-b")
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
}

// Another JDK runs program and bridge; its virtual threads are seen.
func TestJavaNewerJDK(t *testing.T) {
	t.Parallel()
	jdk := newerJDK(t)
	if jdk == "" {
		t.Skip("no JDK 25 lies below /usr/lib/jvm")
	}
	dir := t.TempDir()
	text := `void main() throws Exception {
    Thread t = Thread.ofVirtual().name("light").start(() -> work(20));
    t.join();
}

void work(int n) {
    int twice = n * 2;
    IO.println("twice " + twice);
}
`
	if err := os.WriteFile(filepath.Join(dir, "Compact.java"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("session_start", A{
		"target": "Compact.java", "runtime_path": jdk, "timeout_ms": startLimit, "breakpoints": []A{{"file": "Compact.java", "line": 8}},
	})
	r.Stopped("stopped_at_breakpoint", "Compact.java:8").Want("40", "data", "locals", "twice", "v")
	s.OK("inspect", A{"target": "threads"}).Has("light")
	s.OK("variable", A{"action": "patch", "name": "Compact.work", "code": "void work(int n) {\n  IO.println(\"patched\");\n}"})
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
}

// A program that waits for its debugger is attached to before it begins, and a
// module is started by its name.
func TestJavaAttachAndModules(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	classes, port := tourClasses(t), freePort(t)
	cmd := exec.Command("java", "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:"+port, "-cp", classes, "Tour", "calls")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	testkit.Eventually(t, testkit.CallLimit, "the debug port", func() bool { return listens(port) })
	s.OK("session_start", A{ // finding out what is spoken there does not let it go on
		"port": testkit.Relay(t, port), "breakpoints": []A{{"function": "Tour.calls"}},
	}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.Fail("SESSION_START_FAILED", "session_start", A{"port": port}).Has("a debugger is attached already", "program "+port) // the relay
	s.OK("run_until", A{"location": p.At("Tour.java", "after")}).Has(p.At("Tour.java", "after"))
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")

	p.Write("mod/module-info.java", "module tours {}\n")
	p.Write("mod/tours/Small.java", "package tours;\n\npublic class Small {\n    public static void main(String[] args) {\n        System.out.println(\"small\");\n    }\n}\n")
	javac(t, p.Dir, "-g", "-d", "out/tours", "mod/module-info.java", "mod/tours/Small.java")
	s.OK("session_start", A{
		"target": "tours/tours.Small", "language": "java", "adapter_options": A{"modulePath": []string{"out"}}, "timeout_ms": startLimit,
		"breakpoints": []A{{"file": "mod/tours/Small.java", "line": 5}},
	}).Stopped("stopped_at_breakpoint", "mod/tours/Small.java:5")
}

// listens says whether the kernel's table has a listener at a port.
func listens(port string) bool {
	out, err := exec.Command("ss", "-ltnH", "sport", "=", ":"+port).Output()
	return err == nil && strings.Contains(string(out), ":"+port)
}

// Conditions that call into the program hold with many threads at the same
// breakpoint, and a call that never returns can be interrupted and left.
func TestJavaCallsAmongThreads(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "java", "crowd")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": "Crowd.java", "timeout_ms": startLimit, "breakpoints": []A{
		{"file": "Crowd.java", "line": p.Line("work"), "condition": `i % 10 == 3 && String.valueOf(i).endsWith("3")`},
	}})
	seen := map[string]bool{}
	for range 4 {
		r.Stopped("stopped_at_breakpoint", p.At("Crowd.java", "work"))
		seen[s.OK("inspect", A{"expression": "String.valueOf(i)"}).At("data", "result", "v")] = true
		r = s.OK("execute", nil)
	}
	r.Want("0", "data", "execution_state", "exit_code").Want("hits 40\n", "data", "output", "stdout")
	if len(seen) != 4 {
		t.Errorf("stopped for %v, want four different ones", seen)
	}

	quick := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--request-timeout", "2s"}})
	quick.OK("session_start", A{"target": "Crowd.java", "timeout_ms": startLimit, "breakpoints": []A{{"file": "Crowd.java", "line": p.Line("work")}}})
	quick.Fail("EVALUATION_FAILED", "inspect", A{"expression": "forever(1)"}).Has("interrupted")
	quick.OK("inspect", A{"target": "stack"}).Has("Crowd.forever")
	quick.OK("breakpoint", A{"action": "clear_all"})
	quick.OK("execute", A{"timeout_ms": 500}).Want("running", "data", "execution_state", "status") // the call keeps its thread for ever
	quick.OK("execute", A{"action": "pause"})
	// One thread is kept for ever; how far the others have come meanwhile is their own affair.
	if hits := quick.OK("inspect", A{"expression": "Crowd.hits"}).At("data", "result", "v"); hits == "0" || hits == "40" {
		t.Errorf("%s hits, want those of the threads that went on", hits)
	}
	quick.OK("session", A{"action": "stop"})
}
