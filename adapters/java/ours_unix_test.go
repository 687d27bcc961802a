//go:build unix

package java

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const oursJava = `import java.nio.file.Path;
public class Main {
    public static void main(String[] args) throws Exception {
        var is = Class.forName("aidb.live.Ours").getMethod("is", Path.class);
        var entry = Class.forName("aidb.live.Entry").getMethod("agentmain", String.class, java.lang.instrument.Instrumentation.class);
        for (String order : args) {
            String told = String.valueOf(is.invoke(null, Path.of(order)));
            try {
                entry.invoke(null, order, null); // with nothing to put it in by, one that it takes fails
                told += " left";
            } catch (java.lang.reflect.InvocationTargetException e) {
                told += " taken";
            }
            System.out.println(told);
        }
    }
}
`

// An order that another user can have written is none: a JVM that takes it would run what that
// user likes.
func TestOrdersOfOthers(t *testing.T) {
	const nobody = 65534
	c, agent := compileJava(t, oursJava), filepath.Dir(agentArchive(t))
	order := func(dirMode, mode os.FileMode, dirOwner, owner int) string {
		dir := filepath.Join(t.TempDir(), "live")
		file := filepath.Join(dir, "entry")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("/no/entry.jar\n/no/agent.jar\nNone\n"+dir), 0o600); err != nil {
			t.Fatal(err)
		}
		for path, as := range map[string]struct {
			mode  os.FileMode
			owner int
		}{dir: {dirMode, dirOwner}, file: {mode, owner}} {
			if err := os.Chmod(path, as.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(path, as.owner, -1); err != nil {
				t.Fatal(err)
			}
		}
		return file
	}
	us := os.Getuid()
	own := order(0o700, 0o600, us, us)
	link := filepath.Join(filepath.Dir(own), "link")
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(filepath.Dir(own), "s")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(socket, 0o777); err != nil {
		t.Fatal(err)
	}
	orders := []string{own, link, order(0o700, 0o620, us, us), order(0o700, 0o602, us, us), order(0o770, 0o600, us, us), order(0o703, 0o600, us, us)}
	want := []string{"true taken", "false left", "false left", "false left", "false left", "false left"}
	if us == 0 { // who is not cannot give a file away
		orders = append(orders, order(0o755, 0o644, us, nobody), order(0o755, 0o644, nobody, us))
		want = append(want, "false left", "false left")
	}
	orders, want = append(orders, socket), append(want, "true taken")
	path := strings.Join([]string{agent, c.classes}, string(os.PathListSeparator))
	out, err := exec.Command("java", append([]string{"-XX:TieredStopAtLevel=1", "-cp", path, "Main"}, orders...)...).CombinedOutput()
	if got := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || strings.Join(got, ";") != strings.Join(want, ";") {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}
