//go:build linux && amd64

package observing

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// orders is a running Java program that tells what it does.
type orders struct {
	t       *testing.T
	dir     string
	process *os.Process
	ask     io.Writer
	say     *bufio.Scanner
	// read is what javap says of a class, by its bytes: it takes half a second of a processor.
	read map[string]string
}

// ordersBuild makes the program's jar once for all tests: javac takes longer than some of
// them.
var ordersBuild struct {
	sync.Once
	jar []byte
}

func ordersJar(t *testing.T) []byte {
	t.Helper()
	ordersBuild.Do(func() {
		dir := t.TempDir()
		laySource(t, dir)
		if err := os.WriteFile(filepath.Join(dir, "manifest"), []byte("Premain-Class: Orders\nAgent-Class: Orders\nCan-Retransform-Classes: true\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, step := range [][]string{{"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-d", "classes", "Orders.java"}, {"jar", "-cfm", "orders.jar", "manifest", "-C", "classes", "."}} {
			build := exec.Command(step[0], step[1:]...)
			build.Dir = dir
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", step, err, text)
			}
		}
		jar, err := os.ReadFile(filepath.Join(dir, "orders.jar"))
		if err != nil {
			t.Fatal(err)
		}
		ordersBuild.jar = jar
	})
	if ordersBuild.jar == nil {
		t.Fatal("the program was not built: see the first test that wanted it")
	}
	return ordersBuild.jar
}

// laySource lays the program's source into a directory.
func laySource(t *testing.T, dir string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "Orders.java"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Orders.java"), source, 0o600); err != nil {
		t.Fatal(err)
	}
}

// startJava runs the orders with the java of a JDK (empty: that of PATH), with that many
// microseconds between two orders of a thread, and more arguments for the JVM.
func startJava(t *testing.T, home string, pause int, jvm ...string) *orders {
	t.Helper()
	dir := t.TempDir()
	laySource(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "orders.jar"), ordersJar(t), 0o600); err != nil {
		t.Fatal(err)
	}
	java := "java"
	if home != "" {
		java = filepath.Join(home, "bin", "java")
	}
	cmd := exec.Command(java, append(jvm, "-javaagent:orders.jar", "-cp", "orders.jar", "Orders", strconv.Itoa(pause))...)
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	o := &orders{t, dir, cmd.Process, in, bufio.NewScanner(out), map[string]string{}}
	o.count()
	return o
}

// at is where a text stands in the source.
func (o *orders) at(text string) string {
	o.t.Helper()
	source, err := os.ReadFile(filepath.Join(o.dir, "Orders.java"))
	if err != nil {
		o.t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), text)
	if !found {
		o.t.Fatalf("there is no %q in the source", text)
	}
	return "Orders.java:" + strconv.Itoa(strings.Count(before, "\n")+1)
}

func (o *orders) answer(question string) string {
	o.t.Helper()
	if _, err := fmt.Fprintln(o.ask, question); err != nil {
		o.t.Fatalf("the program does not listen any more: %v", err)
	}
	if !o.say.Scan() {
		o.t.Fatalf("the program has ended: %v", o.say.Err())
	}
	return o.say.Text()
}

// constant matches the number of a constant: those that were put in stay in the class, as
// nobody's, for a JVM only adds to them.
var constant = regexp.MustCompile(`#\d+`)

// class is the code of the class, as what comes last in the JVM sees it.
func (o *orders) class() string {
	o.t.Helper()
	name := o.answer("class")
	bytes, err := os.ReadFile(filepath.Join(o.dir, name))
	if err != nil {
		o.t.Fatal(err)
	}
	if read := o.read[string(bytes)]; read != "" {
		return read
	}
	look := exec.Command("javap", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-p", "-c", name)
	look.Dir = o.dir
	text, err := look.CombinedOutput()
	if err != nil {
		o.t.Fatalf("javap: %v\n%s", err, text)
	}
	read := strings.Join(strings.Fields(constant.ReplaceAllString(string(text), "")), " ")
	o.read[string(bytes)] = read
	return read
}

// count is how many calls there were, and the longest pause since it was asked last, as the program
// has counted and measured.
func (o *orders) count() (calls int, pause time.Duration) {
	o.t.Helper()
	var us int
	if _, err := fmt.Sscan(o.answer("count"), &calls, &us); err != nil {
		o.t.Fatal(err)
	}
	return calls, time.Duration(us) * time.Microsecond
}

// isChanged sees that there is something in the class, which from then on is looked for.
func (o *orders) isChanged(class string) {
	o.t.Helper()
	look := exec.Command("jcmd", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", strconv.Itoa(o.process.Pid), "JVMTI.agent_load", filepath.Join(o.dir, "orders.jar"))
	if text, err := look.CombinedOutput(); err != nil || !strings.Contains(string(text), "return code: 0") {
		o.t.Fatalf("the program cannot be looked at: %v\n%s", err, text)
	}
	if o.class() == class {
		o.t.Error("the class is as before, and nothing can be recorded")
	}
}

// isAsBefore waits until the class is what it was.
func (o *orders) isAsBefore(class string) {
	o.t.Helper()
	for end := time.Now().Add(patience); ; {
		now := o.class()
		if now == class {
			break
		}
		if time.Now().After(end) {
			o.t.Fatalf("the class is %s, and was %s", now, class)
		}
	}
	before, _ := o.count()
	for end := time.Now().Add(patience); ; {
		if after, _ := o.count(); after > before {
			return
		}
		if time.Now().After(end) {
			o.t.Fatal("the program does nothing any more")
		}
	}
}

// eachJava runs a test with the java of PATH, and in the long run with the newest that is here.
func eachJava(t *testing.T, test func(t *testing.T, home string)) {
	homes := map[string]string{"of PATH": ""}
	if found, _ := filepath.Glob("/usr/lib/jvm/*2[1-9]*"); len(found) > 0 { // the pattern is right
		homes["newer"] = found[len(found)-1]
	}
	for name, home := range homes {
		t.Run(name, func(t *testing.T) {
			if home != "" {
				testkit.Long(t, "again with a newer JDK")
			}
			test(t, home)
		})
	}
}

// Calls, values and writes of a Java program are recorded while it runs on, as often as it counts
// them itself, and then its classes are as before.
func TestJava(t *testing.T) {
	t.Parallel()
	eachJava(t, func(t *testing.T, home string) {
		o := startJava(t, home, 1000)
		class := o.class()
		s := testkit.Start(t, testkit.Options{Dir: o.dir})
		observe(t, s, o.process)
		before, _ := o.count()
		armed := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.price"}})
		armed.Contains([]string{"data", "how"}, "bytecode", "a hit costs")
		id := armed.At("data", "id")
		o.isChanged(class)
		rows, _ := await(t, s, id, 100)
		threads, begins := map[string]bool{}, o.at("CALLS.incrementAndGet")
		for _, row := range rows {
			threads[row[2]] = true
			var n int
			if _, err := fmt.Sscanf(row[4], "number=%d,", &n); err != nil {
				if row[4] == "(it began before)" {
					continue
				}
				t.Fatalf("a row is %q: %v", row, err)
			}
			want := strconv.Itoa(n * 3)
			if n%10 == 7 {
				want = fmt.Sprintf("threw IllegalArgumentException: no order %d", n)
			}
			if row[0] != begins || row[3] != "Orders.price" || row[4] != fmt.Sprintf(`number=%d, customer="c%d"`, n, n) || row[5] != want && row[5] != "(no return seen)" {
				t.Fatalf("a row is %q, and the result is %s", row, want)
			}
		}
		for end := time.Now().Add(patience); len(threads) < 2 && time.Now().Before(end); { // one may wait for a processor
			more, _ := await(t, s, id, 1)
			for _, row := range more {
				threads[row[2]] = true
			}
		}
		if len(threads) != 2 {
			t.Errorf("the threads are %v", threads)
		}
		ended := s.OK("trace", A{"action": "disarm", "id": id})
		after, _ := o.count()
		var hits int
		ended.Decode(&hits, "data", "hits")
		if hits == 0 || hits > after-before {
			t.Errorf("%d hits, and the program has counted %d calls", hits, after-before)
		}
		o.isAsBefore(class)
		testJavaValues(t, s, o)
		testJavaWrites(t, s)
		s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "left running")
		o.isAsBefore(class)
	})
}

func testJavaValues(t *testing.T, s *testkit.Server, o *orders) {
	t.Helper()
	armed := s.OK("trace", A{"action": "arm", "what": "values", "location": o.at("SUM.addAndGet"), "expressions": []string{"price", "number * 3"}, "condition": "number % 4 == 0"})
	rows, _ := await(t, s, armed.At("data", "id"), 20)
	for _, row := range rows {
		if n, err := strconv.Atoi(row[3]); err != nil || n%12 != 0 || row[3] != row[4] {
			t.Fatalf("a row is %q", row)
		}
	}
	s.OK("trace", A{"action": "disarm", "id": armed.At("data", "id")}).Has("the condition held at")
}

func testJavaWrites(t *testing.T, s *testkit.Server) {
	t.Helper()
	armed := s.OK("trace", A{"action": "arm", "what": "writes", "expression": "Orders.served"})
	rows, _ := await(t, s, armed.At("data", "id"), 40)
	last := map[string]string{}
	for _, row := range rows {
		if known := last[row[4]]; row[3] != "Orders.serve" || known != "" && row[5] != known {
			t.Fatalf("%q comes after %q", row, known)
		}
		last[row[4]] = row[6]
	}
	if len(last) != 2 {
		t.Errorf("written to are %v, and there are two orders", last)
	}
	s.OK("trace", A{"action": "disarm", "id": armed.At("data", "id")})
}

// A server that is killed while it records at full speed leaves a JVM alive, with the classes that
// it had.
func TestJavaKilled(t *testing.T) {
	t.Parallel()
	o := startJava(t, "", 20)
	class := o.class()
	for range testkit.Rounds(1, 50) {
		s := testkit.Start(t, testkit.Options{Dir: o.dir})
		observe(t, s, o.process)
		id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.price"}}).At("data", "id")
		await(t, s, id, 20)
		o.isChanged(class)
		s.Kill()
		o.isAsBefore(class)
	}
}

// What costs more than it may is taken out by itself, and says so.
func TestJavaBudget(t *testing.T) {
	o := startJava(t, "", 0)
	class := o.class()
	s := testkit.Start(t, testkit.Options{Dir: o.dir})
	observe(t, s, o.process)
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.price"}}).At("data", "id")
	for end := time.Now().Add(patience); ; {
		r := s.OK("trace", A{"action": "read", "id": id, "limit": 1})
		if strings.Contains(r.String(), "was taken out: there were") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("it records still: %s", r)
		}
		time.Sleep(50 * time.Millisecond) // the processor is the program's, which is to spend the budget
	}
	o.isAsBefore(class)
}

// What cannot be armed is refused, with what to do, and nothing stays in the program.
func TestJavaRefused(t *testing.T) {
	t.Parallel()
	o := startJava(t, "", 1000)
	class := o.class()
	s := testkit.Start(t, testkit.Options{Dir: o.dir})
	observe(t, s, o.process)
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.prize"}}).Has("did you mean Orders.price")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "calls", "functions": []string{"java.util.ArrayList.add"}}).Has("those of the JDK are not recorded")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "values", "location": "Orders.java:3", "expressions": []string{"x"}}).Has("line 3 of Orders.java has no code")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "values", "location": o.at("int price = "), "expressions": []string{"1 +"}}).Want("expressions", "error", "field")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "writes", "expression": "Orders.server"}).Has("did you mean Orders.served")
	o.isAsBefore(class)
	shut := startJava(t, "", 1000, "-XX:+DisableAttachMechanism")
	s.OK("session", A{"action": "stop"})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{"mode": "attach", "pid": shut.process.Pid, "adapter_options": A{"observe": true}}).Has("-XX:+DisableAttachMechanism")
	shut.count()
}

// A session with a debugger arms while its program runs: the breakpoints hold
// then too.
func TestJavaBesideBreakpoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	laySource(t, dir)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{
		"target": "Orders.java", "args": []string{"1000"}, "stdin_open": true, "timeout_ms": 60_000,
		"breakpoints": []A{
			{"file": "Orders.java", "statement": "int price = number * 3;", "condition": "number == 10"},
			{"file": "Orders.java", "statement": "SUM.addAndGet(price);", "condition": "asked"},
		},
	}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("breakpoint", A{"action": "remove", "id": 1})
	s.OK("execute", A{"action": "continue", "timeout_ms": 0})
	armed := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.price"}, "timeout_ms": 60_000})
	armed.Contains([]string{"data", "how"}, "breakpoints in these classes are set anew")
	await(t, s, armed.At("data", "id"), 10)
	s.OK("execute", A{"action": "wait", "timeout_ms": 120_000, "trigger": A{"stdin": "stop\n"}}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status").Want("Orders.price", "data", "function")
	s.Fail("STATE_NOT_RUNNING", "trace", A{"action": "arm", "what": "calls", "functions": []string{"Orders.price"}}).Has("stopped")
	s.OK("trace", A{"action": "disarm", "id": armed.At("data", "id")})
	s.OK("session", A{"action": "stop"})
}
