package java

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

// hardToWeave has what is laid anew with care: objects whose constructors have not run while a
// branch is taken, loops that begin a method, long values, switches, handlers and locks.
const hardToWeave = `import java.util.*;
public class Main {
    long total; int[] cells = new int[2]; static String last;
    Main(boolean big) { this(big ? 5L : 7L); }
    Main(long n) { super(); total = n; }
    static String chosen(int n) {
        String s =
            new String(n > 1 ?
                "many" :
                "one");
        last = new StringBuilder(n > 1 ? s : "x").append(n > 2 ? 1L : 2L).toString();
        return last;
    }
    static int counted(int n) { do { n--; } while (n > 0); return n; }
    int kept(Object lock, int n) {
        synchronized (lock) {
            try { cells[n]++; total += n; } catch (ArrayIndexOutOfBoundsException e) { total = -1L; } finally { cells[0] += 2; }
        }
        switch (n) { case 0: return 1; case 7: total++; break; default: total--; }
        switch (last) { case "many1": return 2; default: return new ArrayList<>(n > 0 ? List.of(n) : List.of()).size(); }
    }
    public static void main(String[] args) {
        int n = 3;
        Main m = new Main(n > 2);
        System.out.println(chosen(n) + counted(n) + m.kept(m, 0) + m.kept(m, 7) + m.total + m.cells[0]);
    }
}
`

// The JVM verifies each class that is loaded: what is put in must leave it one that can be.
func TestWovenClassesAreVerified(t *testing.T) {
	c, agent := compileJava(t, hardToWeave), agentArchive(t)
	for name, spec := range map[string]recording.Spec{
		"writes": {Writes: &recording.Writes{All: true}, Calls: &recording.Calls{Names: []string{"*"}}},
		"first":  {First: &recording.First{Condition: "n == 70000", Limit: 1}},
		"lines":  {Lines: &recording.Lines{Function: "Main.chosen", Call: 1}, Calls: &recording.Calls{Names: []string{"Main.*"}}},
		"beside": {Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 2, Leave: 1200}}},
	} {
		c.beside = name == "beside"
		log, printed := c.record(t, agent, spec)
		for _, e := range log.Events {
			if e.Kind == recording.Remark || e.Kind == recording.Refused {
				t.Errorf("%s: remarked %+v", name, e)
			}
		}
		if strings.TrimSpace(printed) != "many101205" {
			t.Errorf("%s: printed %s", name, printed)
		}
	}
}

// The recorder's ASM never meets one that a program brings, and no reader of ours is needed for it.
func TestASMIsLaidOutInAPackageOfOurs(t *testing.T) {
	dir := t.TempDir()
	if err := layOutASM(install.Store{Home: install.Home()}, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ClassReader", "ClassWriter", "tree/MethodNode"} {
		text, err := os.ReadFile(filepath.Join(dir, "aidb", "asm", filepath.FromSlash(name)+".class"))
		if err != nil {
			t.Fatal(err)
		}
		class, err := parseClass(text)
		if err != nil || class.name != "aidb.asm."+strings.ReplaceAll(name, "/", ".") || bytes.Contains(text, []byte("org/objectweb")) {
			t.Errorf("%s is laid out as %q: %v", name, class.name, err)
		}
	}
}

func TestWithoutASMTheRecorderIsRefused(t *testing.T) {
	_, err := asmVersion(install.Store{Home: t.TempDir()})
	refused, ok := errors.AsType[*fault.Error](err)
	if !ok || refused.Code != fault.AdapterNotFound || !strings.Contains(refused.Error(), "ASM") || !strings.Contains(refused.Hint, "aidb-mcp adapters install java") {
		t.Errorf("refused with %+v", err)
	}
}
