//go:build linux

package faults

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// all are the languages.
var all = []string{"go", "python", "javascript", "c", "cpp", "rust", "java", "ruby"}

// starts are the arguments of session_start in each language, for the pests of
// test/torture, which end by themselves here.
var starts = map[string]struct {
	folder string
	args   A
}{
	"go":         {"go", A{"target": "."}},
	"python":     {"python", A{"target": "pest.py"}},
	"javascript": {"javascript", A{"target": "pest.js"}},
	"c":          {"cpp", A{"target": "pest.c", "adapter_options": A{"debugger": "gdb"}}},
	"cpp":        {"cpp", A{"target": "pest.cpp"}},
	"rust":       {"rust", A{"target": "."}},
	"java":       {"java", A{"target": "Pest.java"}},
	"ruby":       {"ruby", A{"target": "pest.rb"}},
}

// server is a server that lacks something.
type server struct{ *testkit.Server }

func open(t *testing.T, o testkit.Options) server {
	t.Helper()
	testkit.Adapters(t)
	env := []string{testkit.CustomTables(), "PATH=" + path()}
	o.Env = append(env, o.Env...)
	return server{testkit.Start(t, o)}
}

// start starts the program of a language, which has not been built before.
func (s server) start(t *testing.T, language string) testkit.Reply {
	t.Helper()
	how := starts[language]
	p := testkit.NewProgramOf(t, how.folder, "pest")
	p.Write("pest.sh", "exit 0\n")
	a := maps.Clone(how.args)
	a["target"] = filepath.Join(p.Dir, a["target"].(string))
	a["cwd"], a["args"], a["timeout_ms"] = p.Dir, []string{"exit", "token"}, 120_000
	return s.Call("session_start", a)
}

// path is PATH with a gdb that is new enough.
func path() string { return filepath.Join(testkit.Home(), "gdb", "bin") + ":" + os.Getenv("PATH") }

// toolHomes keeps the tools where they are when HOME is another.
func toolHomes(t *testing.T) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"CARGO_HOME=" + home + "/.cargo", "RUSTUP_HOME=" + home + "/.rustup", "PYENV_ROOT=" + os.Getenv("PYENV_ROOT")}
}

// limited has a shell's limits hold for the server and all that it starts.
func limited(limits string) []string { return []string{"sh", "-c", limits + `; exec "$@"`, "sh"} }

// full has a small disk mounted at a directory, without any room, seen by the
// server alone.
func full(t *testing.T, dir string) []string {
	return mounted(t, dir, "-o size=16k", "! dd if=/dev/zero of="+dir+"/rest 2>/dev/null")
}

// mounted has a file system in memory mounted at a directory, in a name space of
// the server's own. Who may not mount may do so as root of a user name space.
func mounted(t *testing.T, dir, options, then string) []string {
	t.Helper()
	script := "mount -t tmpfs " + options + " tmpfs " + dir + " && " + then
	for _, apart := range [][]string{{"unshare", "--mount"}, {"unshare", "--mount", "--map-root-user"}} {
		if exec.Command(apart[0], append(apart[1:], "sh", "-c", script)...).Run() == nil {
			return append(apart, "sh", "-c", script+`; exec "$@"`, "sh")
		}
	}
	t.Fatal("no file system can be mounted here, not even in a user's own name space: allow that (kernel.unprivileged_userns_clone) or run as root")
	return nil
}
