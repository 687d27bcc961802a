package bench

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"aidb-mcp/adapters/install"
)

//go:embed _program
var programs embed.FS

// debuggee is a language of the benchmark: a program to debug, and how both the
// server and a bare client start it with the same adapter. The program is ready
// to run before either is timed.
type debuggee struct {
	name  string  // "Python (debugpy)"
	file  string  // of _program
	first string  // text of the line that holds the breakpoint
	args  object  // of session_start, beside the breakpoint
	ratio float64 // of a step to the bare client's
	reply float64 // bytes of a plain step's, about; 0: no target
	// build makes what runs of the sources; nil when there is nothing to build.
	build func(ctx context.Context, p *program) error
	// adapter is how a bare client starts the adapter; an error says why it is not there.
	adapter func(p *program) (command, error)
	// launch are the arguments of the launch request: those that the server
	// sends, but that the program's output comes over the protocol where it can.
	launch func(p *program) object
	ways   []way // that are measured by themselves too
}

// command starts an adapter.
type command struct {
	id   string // adapterID
	path string
	args []string
	env  []string // beside ours
	// announces is what the adapter prints on stdout before the address that it
	// listens at; empty: it speaks on its standard streams.
	announces string
}

// program is one that is ready to be debugged, in a directory of its own.
type program struct {
	dir    string
	file   string // absolute
	line   int    // of the breakpoint
	binary string // what runs, where it is not the file
	self   string // the binary of aidb-mcp
}

// What the server may take of the bare client's time: for a start; for a step
// with its whole stop view; for one where asking for everything at once wins
// time back; and for a second session of what the first took, which is the same
// but for the noise.
const (
	startRatio  = 1.15
	stepRatio   = 1.3
	gainedRatio = 1.0
	secondRatio = 1.1
)

// debuggees are the languages in the order of the table.
var debuggees = []debuggee{
	{
		name: "Go (Delve)", file: "main.go", first: "sum := 0", ratio: stepRatio, reply: 600,
		args:  object{"mode": "exec"},
		build: buildGo,
		adapter: func(p *program) (command, error) {
			return command{id: "go", path: p.self, args: []string{"dap-go"}}, nil
		},
		launch: func(p *program) object { return object{"mode": "exec", "program": p.binary, "cwd": p.dir} },
	},
	{
		name: "Python (debugpy)", file: "average.py", first: "total = 0", ratio: gainedRatio,
		adapter: func(*program) (command, error) {
			dir, err := component("debugpy", "debugpy")
			if err != nil {
				return command{}, err
			}
			python, err := exec.LookPath("python3")
			return command{id: "debugpy", path: python, args: []string{filepath.Join(dir, "debugpy", "adapter")}}, err
		},
		launch: func(p *program) object {
			return object{
				"type": "python", "request": "launch", "program": p.file, "cwd": p.dir,
				"console": "internalConsole", "justMyCode": false, "redirectOutput": true, "subProcess": true,
			}
		},
	},
	{
		name: "JavaScript (js-debug)", file: "average.js", first: "let sum = 0", ratio: gainedRatio, ways: javascriptWays,
		adapter: func(*program) (command, error) {
			dir, err := component("js-debug", "src", "dapDebugServer.js")
			if err != nil {
				return command{}, err
			}
			node, err := exec.LookPath("node")
			return command{
				id: "pwa-node", path: node, announces: "Debug server listening at ",
				args: []string{filepath.Join(dir, "src", "dapDebugServer.js"), "0", "127.0.0.1"},
			}, err
		},
		launch: func(p *program) object {
			return object{
				"type": "pwa-node", "request": "launch", "name": "node", "program": p.file, "cwd": p.dir,
				"console": "internalConsole", "killBehavior": "forceful", "smartStep": false,
				"skipFiles": []string{"<node_internals>/**"}, "outFiles": []string{}, "__workspaceFolder": p.dir,
			}
		},
	},
	{
		name: "C++ (CodeLLDB)", file: "average.cpp", first: "int sum = 0", ratio: stepRatio,
		args:    object{"mode": "exec", "adapter_options": object{"debugger": "codelldb"}},
		build:   compile("g++", "-g", "-O0"),
		adapter: codeLLDB,
		launch:  func(p *program) object { return codeLLDBLaunch(p, "cpp") },
	},
	{
		name: "Rust (CodeLLDB)", file: "average.rs", first: "let mut sum = 0", ratio: stepRatio,
		args:    object{"mode": "exec", "adapter_options": object{"debugger": "codelldb"}},
		build:   compile("rustc", "-g"),
		adapter: codeLLDB,
		launch:  func(p *program) object { return codeLLDBLaunch(p, "rust") },
	},
	{
		name: "Java (our bridge)", file: "Average.java", first: "int sum = 0", ratio: stepRatio,
		args:    object{"target": "Average", "language": "java", "adapter_options": object{"classPath": []string{"."}}},
		build:   compileJava,
		adapter: javaBridge,
		launch: func(p *program) object {
			java, _ := exec.LookPath("java") // the bridge was started with it
			return object{
				"java": java, "command": []string{"-cp", p.dir, "Average"}, "cwd": p.dir,
				"sourceRoots": []string{p.dir}, "classRoots": []string{p.dir},
			}
		},
	},
}

func codeLLDB(*program) (command, error) {
	dir, err := component("codelldb", "adapter", "codelldb")
	if err != nil {
		return command{}, err
	}
	return command{id: "lldb", path: filepath.Join(dir, "adapter", "codelldb"), args: []string{
		"--liblldb", filepath.Join(dir, "lldb", "lib", "liblldb.so"), "--settings", `{"evaluateForHovers":true}`,
	}}, nil
}

// javaBridge is the bridge as it was compiled last for the JDK in PATH.
func javaBridge(*program) (command, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return command{}, err
	}
	said, err := exec.Command(java, "--version").Output() // "openjdk 17.0.2 2022-01-18"
	words := strings.Fields(string(said))
	if err != nil || len(words) < 2 {
		return command{}, fmt.Errorf("java --version said %q: %w", said, err)
	}
	major, _, _ := strings.Cut(words[1], ".")
	dirs, _ := filepath.Glob(filepath.Join(install.Store{Home: install.Home()}.Dir("java-debug"), "classes-*-"+major)) // well formed
	newest, when := "", time.Time{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.ModTime().After(when) {
			newest, when = dir, info.ModTime()
		}
	}
	if newest == "" {
		return command{}, errors.New("the Java bridge is not compiled (aidb-mcp adapters install java)")
	}
	return command{id: "java", path: java, args: []string{
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-Xmx256m", "-Xss4m", "-cp", newest, "bridge.Main",
	}}, nil
}

func codeLLDBLaunch(p *program, language string) object {
	return object{
		"name": "bench", "type": "lldb", "request": "launch", "program": p.binary, "cwd": p.dir,
		"expressions": "native", "terminal": "console", "sourceLanguages": []string{language},
		"initCommands": []string{"settings set target.preload-symbols false", "settings set symbols.enable-external-lookup false"},
	}
}

// component is the folder of an installed adapter in which a file must be.
func component(name string, file ...string) (string, error) {
	dir := install.Store{Home: install.Home()}.Dir(name)
	if _, err := os.Stat(filepath.Join(append([]string{dir}, file...)...)); err != nil {
		return "", fmt.Errorf("%s is not installed (aidb-mcp adapters install --all)", name)
	}
	return dir, nil
}

// ready lays out the program in a directory of its own, which the caller removes.
func (d debuggee) ready(ctx context.Context, self string) (*program, error) {
	dir, err := directory()
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, self: self}
	if p.file, p.line, err = p.put(d.file, d.first); err == nil && d.build != nil {
		err = d.build(ctx, p)
	}
	return p, err
}

// put writes a file of _program into the program's directory and finds the line
// in which a text is first.
func (p *program) put(name, first string) (path string, line int, err error) {
	text, err := programs.ReadFile("_program/" + name)
	if err != nil {
		return "", 0, err
	}
	before, _, found := strings.Cut(string(text), first)
	if !found {
		return "", 0, errors.New("no line of " + name + " says " + first)
	}
	path = filepath.Join(p.dir, name)
	return path, 1 + strings.Count(before, "\n"), os.WriteFile(path, text, 0o600)
}

// target is what the server is asked to debug.
func (p *program) target() string {
	if p.binary != "" {
		return p.binary
	}
	return p.file
}

// compile makes a binary of one file.
func compile(compiler string, flags ...string) func(context.Context, *program) error {
	return func(ctx context.Context, p *program) error {
		p.binary = filepath.Join(p.dir, "program")
		cmd := exec.CommandContext(ctx, compiler, append(flags, "-o", p.binary, p.file)...)
		cmd.Dir = p.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", compiler, err, out)
		}
		return nil
	}
}

func compileJava(ctx context.Context, p *program) error {
	cmd := exec.CommandContext(ctx, "javac", "-g", p.file)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, out)
	}
	return nil
}

// buildGo makes a fresh binary with the same flags as the server does for each
// session.
func buildGo(ctx context.Context, p *program) error {
	if err := os.WriteFile(filepath.Join(p.dir, "go.mod"), []byte("module example.com/bench\n\ngo 1.25\n"), 0o600); err != nil {
		return err
	}
	p.binary = filepath.Join(p.dir, "program")
	if runtime.GOOS == "windows" {
		p.binary += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-gcflags=all=-N -l", "-ldflags=-compressdwarf=false", "-o", p.binary, ".")
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
