//go:build linux

package languages

import (
	"strings"
	"testing"
)

const thrown = `import java.lang.reflect.InvocationTargetException;
public class Thrown {
    static class Res implements AutoCloseable { public void close() { System.out.println("closed"); } }
    static class Table { static final int FIRST = Integer.parseInt("x"); }
    public static void deep(int n) {
        System.out.println(10 / n);
    }
    public static void main(String[] args) throws Exception {
        for (String way : args) switch (way) {
            case "resources": try (Res r = new Res()) { deep(0); } break;
            case "finally": try { deep(0); } finally { System.out.println("cleaned"); } break;
            case "synchronized": synchronized (Thrown.class) { deep(0); } break;
            case "rethrown": try { deep(0); } catch (ArithmeticException e) { System.out.println("seen"); throw e; } break;
            case "wrapped": try { deep(0); } catch (ArithmeticException e) {
                throw new IllegalStateException("deep", e); }
            case "swallowed": try { deep(0); } finally { return; }
            case "caught outside": try { try { deep(0); } finally { System.out.println("cleaned"); } } catch (ArithmeticException e) { System.out.println("caught"); } break;
            case "reflection": try { Thrown.class.getMethod("deep", int.class).invoke(null, 0); } catch (InvocationTargetException e) { System.out.println("caught"); } break;
            case "initializer": try { System.out.println(Table.FIRST); } catch (ExceptionInInitializerError e) { System.out.println("caught"); } break;
            default: throw new AssertionError(way);
        }
    }
}
`

// An exception that nobody catches stops where it is thrown, once, whatever it passes on
// its way; one that is caught in the end does not.
func TestJavaStopsAtTheThrow(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Thrown.java", thrown)
	// What is swallowed leaves the program, with what is not.
	r := s.OK("session_start", A{"target": "Thrown.java", "args": []string{"caught outside", "reflection", "initializer", "swallowed"}, "timeout_ms": startLimit})
	r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code").
		Want("cleaned\ncaught\ncaught\ncaught\n", "data", "output", "stdout")
	for way, line := range map[string]string{
		"resources": "Thrown.java:6", "finally": "Thrown.java:6", "synchronized": "Thrown.java:6", "rethrown": "Thrown.java:6", "wrapped": "Thrown.java:15",
	} {
		r := s.OK("session_start", A{"target": "Thrown.java", "args": []string{way}, "timeout_ms": startLimit})
		if r.Status() != "stopped_at_exception" || !strings.HasSuffix(r.At("data", "location"), line) {
			t.Errorf("%s: it is thrown at %s\n%s", way, line, r)
		}
		if r := s.OK("execute", A{"action": "continue", "timeout_ms": startLimit}); r.Status() != "terminated" {
			t.Errorf("%s: stopped once more\n%s", way, r)
		}
	}
}

const readingWaits = `import java.util.concurrent.locks.ReentrantReadWriteLock;
public class Waiting {
    static final ReentrantReadWriteLock RW = new ReentrantReadWriteLock();
    static void reads() {
        RW.readLock().lock();
        RW.writeLock().lock();
    }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Waiting::reads, "asker");
        t.start();
        t.join();
    }
}
`

func TestJavaTellsWhoReads(t *testing.T) {
	t.Parallel()
	s, p := javaServer(t, "tour")
	p.Write("Waiting.java", readingWaits)
	s.OK("diagnose", A{"target": "Waiting.java", "timeout_ms": startLimit}).Has("deadlock", "held for reading by asker", "the end of a thread")
}
