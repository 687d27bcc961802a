//go:build linux

package languages

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What cannot be started is refused with the reason and what to do about it,
// and the next start works.
func TestJavaRefusals(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Broken.java", "public class Broken {\n  public static void main(String[] a) {\n    int x = \"s\";\n    foo();\n  }\n}\n")
	p.Write("Helper.java", "class Helper {\n  int n;\n}\n")
	p.Write("junk.jar", "no archive")
	p.Write("Junk.class", "no class")
	p.Write("old/release", "JAVA_VERSION=\"1.8.0_392\"\n")
	p.Write("old/bin/java", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(p.Dir, "old/bin/java"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(p.Dir, "out"), os.DirFS(tourClasses(t))); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, code string
		args       A
		says       []string
	}{
		{"syntax error", "BUILD_FAILED", A{"target": "Broken.java"}, []string{"Broken.java:3", "incompatible types", "method foo()"}},
		{"no main method", "VALIDATION_INVALID_TARGET", A{"target": "Helper.java"}, []string{"no class in it has a main method"}},
		{"wrong runtime path", "VALIDATION_INVALID_PARAM", A{"target": "Tour.java", "runtime_path": "/nope/java"}, []string{"/nope/java does not exist"}},
		{"a runtime that is none", "VALIDATION_INVALID_PARAM", A{"target": "Tour.java", "runtime_path": "/bin/ls"}, []string{"/bin/ls is no Java"}},
		{"runtime too old", "VALIDATION_INVALID_TARGET", A{"target": "Tour.java", "runtime_path": "old"}, []string{"1.8.0_392", "17 or newer"}},
		{"missing class", "VALIDATION_INVALID_TARGET", A{"target": "Tuor", "language": "java", "adapter_options": A{"classPath": "out"}}, []string{"did you mean Tour"}},
		{"missing class path", "VALIDATION_INVALID_PARAM", A{"target": "Tour", "language": "java", "adapter_options": A{"classPath": []string{"nowhere"}}}, []string{"there is no ./nowhere"}},
		{"no archive", "VALIDATION_INVALID_TARGET", A{"target": "junk.jar"}, []string{"no Java archive"}},
		{"no class file", "VALIDATION_INVALID_TARGET", A{"target": "Junk.class"}, []string{"no compiled class"}},
		{"wrong option of Java", "SESSION_START_FAILED", A{"target": "Tour.java", "adapter_options": A{"vmArgs": []string{"-Xnonsense"}}}, []string{"-Xnonsense"}},
		{"wrong port", "SESSION_START_FAILED", A{"host": "127.0.0.1", "port": 1, "language": "java"}, []string{"nothing listens at 127.0.0.1:1", "jdwp"}},
		{"wrong host", "SESSION_START_FAILED", A{"host": "no.such.host.invalid", "port": 5005, "language": "java"}, []string{"there is no host no.such.host.invalid"}},
		{"a process without a debug port", "VALIDATION_INVALID_TARGET", A{"pid": os.Getpid(), "language": "java"}, []string{"not started for debugging", "-agentlib:jdwp", "to stop it"}},
		{"no process", "VALIDATION_INVALID_PARAM", A{"pid": 99999999, "language": "java"}, []string{"99999999"}},
		{"mapping that maps nothing", "VALIDATION_INVALID_PARAM", A{"host": "127.0.0.1", "port": 1, "language": "java", "path_mappings": []A{{"local": "old", "remote": "/x"}}}, []string{"no Java sources"}},
		{"no tests", "VALIDATION_INVALID_TARGET", A{"target": "Tour.java", "mode": "test"}, []string{"no tests of JUnit"}},
	}
	for _, c := range cases {
		c.args["timeout_ms"] = startLimit
		t.Log(c.name)
		s.Fail(c.code, "session_start", c.args).Has(c.says...)
	}
	s.OK("session_start", A{"target": "Tour.java", "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
}

// A port with something else behind it is told from a debug port, whether it
// talks or not.
func TestJavaPortsOfOthers(t *testing.T) {
	t.Parallel()
	s := testkit.Start(t, testkit.Options{})
	for _, talks := range []bool{true, false} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				if talks {
					_, _ = io.WriteString(c, "HTTP/1.0 400 Bad Request\r\n\r\n")
				}
				t.Cleanup(func() { c.Close() })
			}
		}()
		s.Fail("SESSION_START_FAILED", "session_start", A{
			"host": "127.0.0.1", "port": l.Addr().(*net.TCPAddr).Port, "language": "java", "timeout_ms": startLimit,
		}).Has("no Java debug port")
	}
}

// Without debug information it is said what cannot be seen, and why.
func TestJavaWithoutDebugInformation(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	javac(t, p.Dir, "-encoding", "UTF-8", "-g:source,lines", "-d", "lines", "Tour.java")
	javac(t, p.Dir, "-encoding", "UTF-8", "-g:none", "-d", "none", "Tour.java")
	start := func(classes string, b A) testkit.Reply {
		return s.OK("session_start", A{
			"target": "Tour", "language": "java", "args": []string{"calls"}, "adapter_options": A{"classPath": classes},
			"timeout_ms": startLimit, "breakpoints": []A{b},
		})
	}
	start("lines", A{"function": "Tour.twice"}).Has("compiled without -g").Want("6", "data", "locals", "arg0", "v")
	s.OK("inspect", A{"expression": "arg0 * 2"}).Want("12", "data", "result", "v")
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "result"}).Has("compiled without -g", "javac -g")
	s.OK("session", A{"action": "stop"})

	start("none", A{"file": "Tour.java", "line": p.Line("twice")}).Has("compiled without line numbers")
	start("none", A{"function": "Tour.twice"}).Want("Tour.twice", "data", "function")
}

// Without a JDK, or without a build tool, the message names what is missing.
func TestJavaWithoutTools(t *testing.T) {
	t.Parallel()
	jdk, err := filepath.EvalSymlinks(lookPath(t, "java"))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := javaServer(t, "shop", "PATH="+filepath.Dir(jdk))
	s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "language": "java"}).Has("neither mvnw in it nor mvn in PATH")
	s.Fail("BUILD_FAILED", "session_start", A{"test": "adds", "language": "java"}).Has("mvn")
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A source that is not here leaves the program debuggable, without code.
func TestJavaSourceNotFound(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	if err := os.CopyFS(filepath.Join(p.Dir, "out"), os.DirFS(tourClasses(t))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(p.Dir, "Tour.java")); err != nil {
		t.Fatal(err)
	}
	r := s.OK("session_start", A{
		"target": "Tour", "language": "java", "args": []string{"calls"}, "adapter_options": A{"classPath": "out"}, "timeout_ms": startLimit,
		"breakpoints": []A{{"function": "Tour.twice"}},
	})
	r.Want("Tour.twice", "data", "function").Want("6", "data", "locals", "n", "v")
}

// The bridge is mended when it is damaged, and told of when it does not work.
func TestJavaBridgeOfNoUse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s, p := javaServer(t, "tour", "AIDB_HOME="+home, "LC_ALL=C") // its sources are UTF-8 wherever they are compiled
	p.Write("Small.java", "class Small {\n    public static void main(String[] args) {}\n}\n")
	javac(t, p.Dir, "-g", "-d", "out", "Small.java")
	ends := func() {
		t.Helper()
		s.OK("session_start", A{"target": "Small", "language": "java", "timeout_ms": startLimit, "adapter_options": A{"classPath": []string{"out"}}}).
			Want("0", "data", "execution_state", "exit_code")
	}
	ends()
	compiled, err := filepath.Glob(filepath.Join(home, "adapters", "java-debug", "classes-*"))
	if err != nil || len(compiled) != 1 {
		t.Fatalf("the compiled bridge: %v %v", compiled, err)
	}
	main := filepath.Join(compiled[0], "aidb", "bridge", "Main.class")
	if err := os.Remove(main); err != nil {
		t.Fatal(err)
	}
	ends() // it was compiled again

	real := lookPath(t, "javac")
	for name, c := range map[string]struct{ script, code, says string }{
		"dies":     {"echo 'no memory left' >&2; exit 7", "ADAPTER_CRASHED", "no memory left"},
		"nonsense": {"while :; do echo hello; done", "ADAPTER_TIMEOUT", "no DAP message"},
		"hangs":    {"exec sleep 60", "ADAPTER_TIMEOUT", "initialize"},
	} {
		if name == "nonsense" && !testkit.IsLong() { // test/hostile has adapters that talk it
			continue
		}
		p.Write(name+"/release", "JAVA_VERSION=\"17.0.15\"\n")
		p.Write(name+"/bin/java", "#!/bin/sh\n"+c.script+"\n")
		p.Write(name+"/bin/javac", "#!/bin/sh\nexec "+real+" \"$@\"\n")
		for _, tool := range []string{"java", "javac"} {
			if err := os.Chmod(filepath.Join(p.Dir, name, "bin", tool), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		quick := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_HOME=" + home}, Args: []string{"--adapter-start-timeout", "3s"}})
		quick.Fail(c.code, "session_start", A{
			"target": "Small", "language": "java", "runtime_path": name, "timeout_ms": startLimit, "adapter_options": A{"classPath": []string{"out"}},
		}).Has(c.says)
	}
}
