package hostile

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy"
	"aidb-mcp/adapters/delve"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/java"
	"aidb-mcp/adapters/jsdebug"
	"aidb-mcp/adapters/native"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// spoken is a language with a program, whose plan is made as for a session, and
// whose adapter is then ours.
type spoken struct {
	name, file, text string
	options          string
	adapter          adapters.Adapter
	plan             *adapters.Plan
}

// languages are those with adapters of their own, with every debugger.
func languages(root *process.Root) []spoken {
	log, store := slog.New(slog.DiscardHandler), install.Store{Home: testkit.Home()}
	cpp := native.New(native.Options{Log: log, Root: root, Store: store}, build.CPP)
	rust := native.New(native.Options{Log: log, Root: root, Store: store}, build.Rust)
	const c, rs = "int main(void) {\n  return 0;\n}\n", "fn main() {\n    println!();\n}\n"
	return []spoken{
		{"go", "main.go", "package main\n\nfunc main() {}\n", "", delve.New(delve.Options{Log: log, Root: root}), nil},
		{"python", "main.py", "x = 1\n", "", debugpy.New(debugpy.Options{Log: log, Store: store}), nil},
		{"javascript", "main.js", "let x = 1\n", "", jsdebug.New(jsdebug.Options{Log: log, Root: root, Store: store}), nil},
		{"java", "Main.java", "class Main {\n  public static void main(String[] a) {}\n}\n", "", java.New(java.Options{Log: log, Root: root, Store: store}), nil},
		{"c with codelldb", "main.c", c, `{"debugger":"codelldb"}`, cpp, nil},
		{"c with lldb-dap", "main.c", c, `{"debugger":"lldb-dap"}`, cpp, nil},
		{"c with gdb", "main.c", c, `{"debugger":"gdb"}`, cpp, nil},
		{"rust with codelldb", "main.rs", rs, `{"debugger":"codelldb"}`, rust, nil},
		{"rust with gdb", "main.rs", rs, `{"debugger":"gdb"}`, rust, nil},
	}
}

// prepared makes the plan of a session.
func (l spoken) prepared(t *testing.T) spoken {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, l.file), []byte(l.text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := adapters.Request{Target: l.file, Mode: adapters.Launch, Workspace: dir, Options: json.RawMessage(l.options)}
	plan, err := l.adapter.Plan(t.Context(), r, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Close != nil {
		t.Cleanup(plan.Close)
	}
	l.plan = plan
	return l
}

// lying is a language whose adapter does a misdeed, with the dialect of a session
// of its own.
type lying struct {
	toy
	spoken spoken
}

func (l lying) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	ours, err := l.toy.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	d := fresh(l.spoken.plan.Dialect)
	ours.Dialect, ours.Capabilities = d, d.Capabilities()
	ours.Child, ours.Broker = l.spoken.plan.Child, l.spoken.plan.Broker
	ours.Open = func(context.Context) (*adapters.Peer, error) {
		near, far := net.Pipe()
		a := newAdapter(far, l.misdeed, l.source)
		a.rich = true
		go a.serve()
		return &adapters.Peer{Stream: near, Kill: func() { far.Close() }, Stderr: func() string { return "" }}, nil
	}
	return ours, nil
}

// capable is a dialect that knows the capabilities of its sessions.
type capable interface {
	adapters.Dialect
	Capabilities() adapters.Capabilities
}

// fresh is a copy of a dialect that no session has used.
func fresh(d adapters.Dialect) capable {
	old := reflect.ValueOf(d)
	if old.Kind() != reflect.Pointer {
		return d.(capable)
	}
	copied := reflect.New(old.Type().Elem())
	copied.Elem().Set(old.Elem())
	return copied.Interface().(capable)
}

// results are what is said in place of the value of an expression: the scripts of
// some dialects answer in JSON.
var results = []string{
	"", "null", "[]", "{}", "[[[]]]", `{"a":{"b":[1,null]}}`, "-1", "1e999", `"x"`, "[null]", `[{"id":null,"frames":[null,{}]}]`,
	`{"threads":[{}],"frames":null,"error":7}`, `'{"error": "x"}'`, "<error: x>", "()", "{", "'", "\"", "\\", "0x", "True", "undefined", "optimized out", escapes,
	strings.Repeat("[", 10_000), strings.Repeat("(", 10_000), `"\ud800"`, "\u00ff", "[1, 2", "Some(", "{...}", "<?>",
}

// says is a misdeed with the result of an expression.
func says(result string) misdeed {
	return misdeed{name: "says " + result[:min(len(result), 20)], act: func(a *adapter, r *request) {
		a.reply(r, O{"result": result, "type": result, "variablesReference": 0})
	}}
}

// wishes are for child sessions, as js-debug and debugpy ask for them.
var wishes = []misdeed{
	unasked("odd wishes of js-debug", asks("startDebugging", O{"request": "attach", "configuration": O{"__pendingTargetId": L{}, "name": 7}}),
		asks("startDebugging", O{"request": L{}, "configuration": O{"__pendingTargetId": "x", "name": escapes + " [99999999999999999999]"}}),
		asks("startDebugging", O{"request": "launch", "configuration": nil}), asks("startDebugging", O{"configuration": "x"})),
	unasked("odd wishes of debugpy", happens("debugpyAttach", nil), happens("debugpyAttach", L{}), happens("debugpyAttach", O{"connect": 7}),
		happens("debugpyAttach", O{"connect": O{"host": L{}, "port": "x"}, "subProcessId": "y"}), happens("debugpyAttach", O{"connect": O{"host": "\x00", "port": -1}}),
		happens("debugpyAttach", O{"connect": O{"host": "127.0.0.1", "port": 1 << 40}, "subProcessId": -1}), happens("debugpyAttach", "x"),
		asks("startDebugging", O{"request": "attach", "configuration": O{"connect": O{"host": "127.0.0.1", "port": 1e9}}})),
	unasked("odd stops", stopped("signal-received", O{"description": nil, "text": 7}), stopped("exception", O{"description": "signal SIGNOPE", "text": "\x00"}),
		stopped("exception", O{"text": "", "description": ""}), stopped("entry", O{"threadId": 0}), stopped("goto", O{"threadId": nil}), stopped("unknown", O{"hitBreakpointIds": nil})),
	unasked("odd output", happens("output", O{"category": "stdout", "output": "\n"}), happens("output", O{"category": "console", "output": "", "variablesReference": 100}),
		happens("output", O{"category": "important", "output": "\ufffd", "data": L{}}), happens("output", O{"category": "stderr", "output": nil, "source": O{"path": 7}, "line": -1})),
}

// asked are the commands whose answers dialects read for themselves.
var asked = []string{own, "evaluate", "stackTrace", "scopes", "variables", "exceptionInfo", "threads", "setBreakpoints", "initialize", "readMemory"}

// Whatever the adapter of a language answers to its dialect, each call ends in
// time with an answer that tells the truth in words of the contract.
func TestWhateverTheAdapterOfALanguageSays(t *testing.T) {
	testkit.Adapters(t)
	// The gdb that was fetched for the tests speaks DAP; the machine's may be too old.
	t.Setenv("PATH", filepath.Join(testkit.Home(), "gdb", "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	root := process.NewRoot(slog.New(slog.DiscardHandler))
	t.Cleanup(root.Close)
	dir, source := program(t)
	for number, l := range languages(root) {
		t.Run(l.name, func(t *testing.T) {
			language := l.prepared(t)
			try := func(m misdeed, at string) {
				m.at = at
				t.Run(at+"/"+m.name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { visit(t, dir, lying{toy{m, source}, language}, part(at), nil) })
				})
			}
			for i, m := range lies {
				for j, command := range asked {
					if tried(number, i, j) {
						try(m, command)
					}
				}
			}
			for i, result := range results {
				if tried(number, i) {
					try(says(result), "evaluate")
				}
			}
			for i, m := range slices.Concat(wishes, interruptions) {
				for j, command := range []string{"configurationDone", "stackTrace"} {
					if tried(number, i, j) {
						try(m, command)
					}
				}
			}
		})
	}
}
