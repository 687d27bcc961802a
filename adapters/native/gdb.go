package native

import (
	"fmt"
	"strings"

	"aidb-mcp/adapters/native/build"
)

// gdbKit starts gdb as an adapter.
type gdbKit struct{}

func (gdbKit) command(s *start) (args, env []string) {
	args = []string{
		"-q", "-nx", "-iex", hostCharset,
		"-iex", "set debuginfod enabled off",
		"-iex", "set style enabled off",
		// The C++ library's own printers, where distributions put them.
		"-iex", "set auto-load scripts-directory $debugdir:$datadir/auto-load:/usr/share/gdb/auto-load",
		"-iex", "add-auto-load-safe-path /usr/share/gdb/auto-load",
		"-iex", "set breakpoint pending on",
		"-iex", "set unwindonsignal on", // else a call that fails stays in the program, which dies of it when it is let go
		"-iex", "set print static-members off",
		"-iex", "handle " + strings.Join(passedOn, " ") + " nostop noprint pass",
		"-iex", s.gdbImport(),
		"-iex", "python import aidb.debugger.gdb.command",
	}
	args = append(args, gdbRoot(s)...)
	if s.path != "" { // names of functions are looked up before the program runs
		args = append(args, "-iex", "file "+gdbQuote(s.path))
	}
	if s.lang == build.Rust {
		args = append(args, "-iex", "python import aidb.debugger.gdb.rust")
	} else {
		args = append(args, "-iex", "python import aidb.debugger.gdb.cpp")
	}
	if s.isLaunched() {
		args = append(args, "-iex", "python import aidb.debugger.gdb.launched")
	}
	if s.options.Follow {
		args = append(args, "-iex", "python import aidb.debugger.gdb.family")
	}
	for _, m := range s.mappings {
		args = append(args, "-iex", fmt.Sprintf("set substitute-path %s %s", gdbQuote(m.remote), gdbQuote(m.local)))
	}
	if s.JustMyCode == nil || *s.JustMyCode {
		args = append(args, gdbSkips(s)...)
	}
	if s.io != nil {
		in, out, errs := s.io.paths()
		args = append(args, "-iex", fmt.Sprintf(`set exec-wrapper /bin/sh -c 'exec "$0" "$@" <%s >%s 2>%s'`, in, out, errs))
	}
	for _, command := range s.options.InitCommands {
		args = append(args, "-iex", command)
	}
	return append(args, "-i", "dap"), s.debuggerEnv()
}

// gdbSkips is what a step into does not stop in.
func gdbSkips(s *start) []string {
	if s.lang == build.Rust {
		return []string{"-iex", `skip -rfu ^<?(std|core|alloc)::`, "-iex", "skip -gfi /rustc/*", "-iex", "skip -gfi */rustc-[0-9]*/library/*"}
	}
	return []string{"-iex", `skip -rfu ^(std|__gnu_cxx)::`}
}

func gdbQuote(text string) string {
	if !strings.ContainsAny(text, " \t\"'\\") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// gdbArguments are those of launch and of attach.
type gdbArguments struct {
	Program  string            `json:"program,omitempty"`
	Args     []string          `json:"args,omitempty"`
	Cwd      string            `json:"cwd,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	PID      int               `json:"pid,omitempty"`
	CoreFile string            `json:"coreFile,omitempty"`
	Target   string            `json:"target,omitempty"`
}

func (gdbKit) request(s *start) (string, any) {
	a := gdbArguments{Program: s.path}
	switch {
	case s.pid != 0:
		a.PID = s.pid
	case s.program.core != "":
		a.CoreFile = s.program.core
	case s.remote != "":
		a.Target = s.remote
	default:
		a.Args, a.Cwd, a.Env = s.args, s.dir, s.environment()
		return "launch", a
	}
	return "attach", a
}

func (gdbKit) dialect(s *start) dialect {
	if s.lang == build.Rust {
		return &rustGDBDialect{gdbDialect: newGDBDialect(s), rustTests: rustTests{s.tests}}
	}
	return newGDBDialect(s)
}

// hostCharset has gdb's Python read and write every letter, in whatever locale we were
// started: in C's it fails at the first one that is not of ASCII.
const hostCharset = "set host-charset UTF-8"
