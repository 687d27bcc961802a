package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// debuggerKind is one of the debuggers that are known here.
type debuggerKind string

const (
	codeLLDB debuggerKind = "codelldb"
	lldbDAP  debuggerKind = "lldb-dap"
	gdb      debuggerKind = "gdb"
)

// kinds are in the order of preference.
var kinds = []debuggerKind{codeLLDB, lldbDAP, gdb}

// debugger is one that was found.
type debugger struct {
	kind    debuggerKind
	path    string // absolute
	version string // empty when it was not asked
	major   int    // 0 when unknown
	library string // of CodeLLDB: liblldb
}

func (d debugger) String() string {
	name := map[debuggerKind]string{codeLLDB: "CodeLLDB", lldbDAP: "lldb-dap", gdb: "gdb"}[d.kind]
	return strings.TrimSpace(name + " " + d.version)
}

// errNone says that a kind of debugger is not there at all.
var errNone = errors.New("it was not found")

// choose picks the debugger that the options name, else the best one there is.
// For a gdbserver that is gdb: lldb-dap does not know where such a server's
// program was loaded, and CodeLLDB cannot call functions in it.
func (a *adapter) choose(ctx context.Context, o options, mode adapters.Mode) (debugger, error) {
	if o.Debugger != "" && !slices.Contains(kinds, o.Debugger) {
		return debugger{}, fault.New(fault.InvalidParam, "there is no debugger %q", o.Debugger).WithField("adapter_options").
			WithHint("debugger is codelldb, lldb-dap or gdb")
	}
	if o.DebuggerPath != "" {
		return a.debuggerAt(ctx, o)
	}
	var problems []string
	order := kinds
	if mode == adapters.RemoteAttach {
		order = []debuggerKind{gdb, codeLLDB, lldbDAP}
	}
	for _, kind := range order {
		if o.Debugger != "" && o.Debugger != kind {
			continue
		}
		d, err := a.find(ctx, kind)
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, errNone) {
			problems = append(problems, err.Error())
		}
	}
	what := "no debugger for C, C++ and Rust was found"
	if o.Debugger != "" {
		what = string(o.Debugger) + " was not found"
	}
	if len(problems) > 0 {
		what += ": " + strings.Join(problems, "; ")
	}
	err := fault.New(fault.AdapterNotFound, "%s", what).WithHint("%s", a.remedy(o.Debugger))
	if o.Debugger == "" || o.Debugger == codeLLDB {
		err.Err = &install.Lacking{Component: codeLLDBComponent()}
	}
	return debugger{}, err
}

// remedy is how a debugger is had.
func (a *adapter) remedy(kind debuggerKind) string {
	switch kind {
	case lldbDAP:
		return "install it with the system's package manager (Debian: apt install lldb-19), or leave out adapter_options.debugger"
	case gdb:
		return "gdb from version 14 on can be used; install it with the system's package manager, or leave out adapter_options.debugger"
	}
	return fmt.Sprintf("install it with `aidb-mcp adapters install %s` or the tool adapter(action: install, language: %[1]s)", a.Info().Language)
}

// debuggerAt is the debugger at a path of the user's.
func (a *adapter) debuggerAt(ctx context.Context, o options) (debugger, error) {
	path := o.DebuggerPath
	if found, err := exec.LookPath(path); err == nil {
		path = found
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return debugger{}, fault.New(fault.AdapterNotFound, "debuggerPath %s cannot be used: %w", o.DebuggerPath, err).WithField("adapter_options").
			WithHint("give the executable of lldb-dap or gdb, or the folder of CodeLLDB")
	}
	kind := o.Debugger
	if kind == "" {
		kind = kindOf(path)
	}
	var d debugger
	if kind == codeLLDB {
		d, err = inFolder(path)
	} else {
		d, err = a.examine(ctx, debugger{kind: kind, path: path})
	}
	if err != nil {
		return d, fault.New(fault.AdapterNotFound, "debuggerPath %s cannot be used: %w", o.DebuggerPath, err).WithField("adapter_options").
			WithHint("%s", a.remedy(kind))
	}
	return d, nil
}

// kindOf tells debuggers by the names of their files.
func kindOf(path string) debuggerKind {
	switch base := filepath.Base(path); {
	case prepare.IsDir(path) || strings.HasPrefix(base, "codelldb"):
		return codeLLDB
	case strings.Contains(base, "gdb"):
		return gdb
	}
	return lldbDAP
}

// find looks for one kind; errNone says that there is none.
func (a *adapter) find(ctx context.Context, kind debuggerKind) (debugger, error) {
	switch kind {
	case codeLLDB:
		dir := a.Store.Dir("codelldb")
		if !prepare.IsDir(dir) {
			return debugger{}, errNone
		}
		d, err := inFolder(dir)
		d.version, _ = a.Store.Installed("codelldb")
		if err != nil {
			return d, fmt.Errorf("the installed CodeLLDB is damaged: %w; install it again", err)
		}
		return d, nil
	case lldbDAP:
		path := a.newest(lldbNames)
		if path == "" {
			return debugger{}, errNone
		}
		return a.examine(ctx, debugger{kind: kind, path: path})
	}
	path := a.lookup("gdb")
	if path == "" {
		return debugger{}, errNone
	}
	return a.examine(ctx, debugger{kind: kind, path: path})
}

// inFolder is CodeLLDB as its package unpacks.
func inFolder(dir string) (debugger, error) {
	if !prepare.IsDir(dir) {
		dir = filepath.Dir(filepath.Dir(dir)) // its executable was meant
	}
	library := map[string]string{"darwin": "lib/liblldb.dylib", "windows": "bin/liblldb.dll"}[runtime.GOOS]
	if library == "" {
		library = "lib/liblldb.so"
	}
	d := debugger{kind: codeLLDB, library: filepath.Join(dir, "lldb", filepath.FromSlash(library))}
	path, err := exec.LookPath(filepath.Join(dir, "adapter", "codelldb"))
	if err != nil {
		return d, fmt.Errorf("its program cannot be run: %w", err)
	}
	d.path = path
	if !prepare.Exists(d.library) {
		return d, fmt.Errorf("%s is missing", d.library)
	}
	return d, nil
}

// lldbNames matches what lldb-dap is called, now and before LLVM 18.
var lldbNames = pattern.New(`^lldb-(dap|vscode)(-(\d+))?(\.exe)?$`)

// newest is the executable in PATH whose name matches: the first without a
// number, else the one with the highest.
func (a *adapter) newest(names *pattern.Pattern) string {
	best, top := "", -1
	for _, dir := range prepare.SearchPath(a.searchedPlaces()) {
		for _, name := range prepare.Names(dir) {
			m := names.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			rank := 1000 // without a number it is what the user has chosen
			if m[3] != "" {
				rank, _ = strconv.Atoi(m[3])
			}
			if m[1] == "vscode" {
				rank -= 2000
			}
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && (best == "" || rank > top) {
				best, top = path, rank
			}
		}
	}
	return best
}

func (a *adapter) searchedPlaces() string {
	if a.Path != "" {
		return a.Path
	}
	return os.Getenv("PATH")
}

func (a *adapter) lookup(name string) string { return prepare.Command(a.searchedPlaces(), name) }

const (
	askLimit = 10 * time.Second // for a debugger to say its version
	firstGDB = 14               // that speaks the protocol
)

var versionNumber = pattern.New(`\b(\d+)\.\d+[\w.+~-]*`)

// examine asks a debugger for its version where something depends on it.
func (a *adapter) examine(ctx context.Context, d debugger) (debugger, error) {
	if m := lldbNames.FindStringSubmatch(filepath.Base(d.path)); m != nil && m[3] != "" {
		d.version = m[3]
		d.major, _ = strconv.Atoi(m[3])
		return d, nil
	}
	text, err := a.versions.Of(d.path, func() (string, error) { return a.ask(ctx, d) })
	if err != nil {
		return d, err
	}
	if m := versionNumber.FindStringSubmatch(text); m != nil {
		d.version = m[0]
		d.major, _ = strconv.Atoi(m[1])
	}
	if d.kind == gdb && d.major < firstGDB {
		return d, fmt.Errorf("%s is gdb %s, which does not speak the debug adapter protocol yet (14 does)", d.path, d.version)
	}
	return d, nil
}

// ask has a debugger say its version, which only gdb has to.
func (a *adapter) ask(ctx context.Context, d debugger) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	stdout, stderr, err := process.Run(ctx, process.Spec{
		Name: string(d.kind), Path: d.path, Args: []string{"--version"}, Env: adapterEnv(os.Environ()), Log: a.Log,
	})
	text := string(stdout) + string(stderr)
	switch {
	case versionNumber.MatchString(text):
		return text, nil
	case err != nil:
		return "", fmt.Errorf("%s does not say its version: %w", d.path, err)
	case d.kind == gdb:
		return "", fmt.Errorf("%s does not say its version", d.path)
	}
	return text, nil
}

// adapterEnv is the debugger's own environment: what makes a Python find its
// modules is meant for another than the one inside.
func adapterEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return name == "PYTHONHOME" || name == "PYTHONPATH" || name == "CODELLDB_STARTUP" || name == "SHELL"
	})
}
