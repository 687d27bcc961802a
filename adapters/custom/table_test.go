package custom

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// one loads a table as that of the language toy.
func one(table string) *adapter {
	list := Load(map[string]json.RawMessage{"toy": json.RawMessage(table)}, Options{
		File: "config.json", Taken: func(name string) bool { return name == "go" || name == "golang" },
	})
	return list[0].(*adapter)
}

const good = `"command": ["sh", "${program}"], "launch": {"program": "${program}"}`

func TestFaultyTables(t *testing.T) {
	cases := map[string]struct{ table, field, says string }{
		"no object":            {`[]`, "adapters.toy", "want an object"},
		"no command":           {`{"launch": {}}`, "adapters.toy.command", "want a list of texts"},
		"command is a text":    {`{"command": "sh -c x", "launch": {}}`, "adapters.toy.command", "want a list of texts"},
		"command of numbers":   {`{"command": [1], "launch": {}}`, "adapters.toy.command", "want a list of texts"},
		"a relative program":   {`{"command": ["./sh"], "launch": {}}`, "adapters.toy.command", "absolute path"},
		"nothing to launch":    {`{"command": ["sh"]}`, "adapters.toy.launch", "launch or attach must be there"},
		"launch is a list":     {`{"command": ["sh"], "launch": []}`, "adapters.toy.launch", "want an object"},
		"null":                 {`{"command": null}`, "adapters.toy.command", "want a list of texts"},
		"unknown key":          {`{` + good + `, "extnsions": [".x"]}`, "adapters.toy.extnsions", "no key"},
		"unknown nested key":   {`{` + good + `, "evaluate": {"contxt": "repl"}}`, "adapters.toy.evaluate.contxt", "no key"},
		"unknown placeholder":  {`{"command": ["sh", "${prgram}"], "launch": {}}`, "adapters.toy.command", "there is no ${prgram}"},
		"deep placeholder":     {`{"command": ["sh"], "launch": {"a": [{"b": "${nope}"}]}}`, "adapters.toy.launch.a[0].b", "there is no ${nope}"},
		"args inside a text":   {`{"command": ["sh", "-c ${args}"], "launch": {}}`, "adapters.toy.command", "a text of its own"},
		"unknown transport":    {`{` + good + `, "transport": "http"}`, "adapters.toy.transport", "stdio, tcp or unix"},
		"tcp without a port":   {`{` + good + `, "transport": "tcp"}`, "adapters.toy.command", "${port}"},
		"unix without socket":  {`{` + good + `, "transport": "unix"}`, "adapters.toy.command", "${socket}"},
		"serving on stdio":     {`{` + good + `, "debuggee_serves": true}`, "adapters.toy.transport", "tcp or unix"},
		"ready on stdio":       {`{` + good + `, "ready": "x"}`, "adapters.toy.ready", "no ready pattern"},
		"a broken pattern":     {`{` + good + `, "internal": ["("]}`, "adapters.toy.internal", "regular expressions"},
		"function without":     {`{` + good + `, "function": "def"}`, "adapters.toy.function", "NAME"},
		"values of texts":      {`{` + good + `, "values": ["x"]}`, "adapters.toy.values", "pattern and with"},
		"values without":       {`{` + good + `, "values": [{"with": "x"}]}`, "adapters.toy.values[0].pattern", "written otherwise"},
		"values with a broken": {`{` + good + `, "values": [{"pattern": "a"}, {"pattern": "("}]}`, "adapters.toy.values[1].pattern", "a regular expression"},
		"unknown capability":   {`{` + good + `, "distrust": ["supportsFunctionBreakpoint"]}`, "adapters.toy.distrust", "no capability"},
		"wrap without":         {`{` + good + `, "evaluate": {"wrap": "x"}}`, "adapters.toy.evaluate.wrap", "${expression}"},
		"assign without value": {`{` + good + `, "evaluate": {"assign": "${name}"}}`, "adapters.toy.evaluate.assign", "${value}"},
		"extension":            {`{` + good + `, "extensions": ["toy"]}`, "adapters.toy.extensions", `".rb"`},
		"variant request":      {`{` + good + `, "test": {"request": "run"}}`, "adapters.toy.test.request", "launch or attach"},
		"a taken alias":        {`{` + good + `, "aliases": ["golang"]}`, "adapters.toy", "already"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := one(c.table)
			_, err := a.Plan(t.Context(), adapters.Request{Target: "x", Workspace: t.TempDir()}, nil)
			if !fault.Is(err, fault.ConfigInvalid) {
				t.Fatalf("error is %v", err)
			}
			f := a.broken
			if f.Field != c.field || !strings.Contains(f.Message, c.says) && !strings.Contains(f.Hint, c.says) || f.Hint == "" {
				t.Errorf("field %q, message %q, hint %q", f.Field, f.Message, f.Hint)
			}
			if !strings.HasPrefix(f.Message, c.field) && !strings.Contains(f.Message, "has no key") || !strings.HasSuffix(f.Message, "(in config.json)") {
				t.Errorf("message %q names neither key nor file", f.Message)
			}
			if ready := a.Check(t.Context()); ready.Ready || ready.Problem != f.Message || ready.Remedy == "" {
				t.Errorf("readiness %+v", ready)
			}
			if a.Claims(adapters.Request{Target: "x.toy"}) != 0 {
				t.Error("claims programs all the same")
			}
		})
	}
}

// planned makes a plan of a table in a workspace that has a program.
func planned(t *testing.T, table string, r adapters.Request) (*adapters.Plan, error) {
	t.Helper()
	r.Workspace = t.TempDir()
	if err := os.WriteFile(filepath.Join(r.Workspace, "main.toy"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := one(table).Plan(t.Context(), r, nil)
	if p != nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

func TestTemplates(t *testing.T) {
	t.Setenv("AIDB_TEST_WHO", "me")
	p, err := planned(t, `{"command": ["sh"], "launch": {
		"program": "${program}", "args": "${args}", "env": "${env}", "stop": "${stop_on_entry}", "my": "${just_my_code}",
		"label": "for ${env:AIDB_TEST_WHO} in ${cwd}", "who": "${env:AIDB_TEST_NOBODY:-nobody}", "module": "${module}",
		"list": ["a", "${module}", "${pid}"], "deep": {"n": 9007199254740993, "yes": true, "no": null}
	}}`, adapters.Request{
		Target: "main.toy", Args: []string{"one", "two words"}, Env: map[string]string{"A": "1"}, StopOnEntry: true,
		Options: json.RawMessage(`{"label": "mine", "more": [1]}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(p.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(p.Arguments.(map[string]any)["program"].(string))
	want := `{"args":["one","two words"],"deep":{"n":9007199254740993,"no":null,"yes":true},"env":{"A":"1"},` +
		`"label":"mine","list":["a"],"more":[1],"program":"` + dir + `/main.toy","stop":true,"who":"nobody"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if p.Request != "launch" || p.Target != "./main.toy" || p.Mode != adapters.Launch {
		t.Errorf("plan %+v", p)
	}
}

func TestACommandTakesItsArgumentsApart(t *testing.T) {
	v := values{"program": "/x y", "args": []string{"a", "b c"}, "port": 7}
	got := v.command([]string{"run", "--at=${port}", "${module}", "${runtime:-toy}", "${program}", "${args}"})
	if want := []string{"run", "--at=7", "toy", "/x y", "a", "b c"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestWhatATableCannotSayIsRefused(t *testing.T) {
	plain := `{"command": ["sh"], "launch": {"program": "${program}"}, "attach": {"pid": "${pid}"}}`
	cases := map[string]struct {
		r     adapters.Request
		code  fault.Code
		field string
	}{
		"no target":      {adapters.Request{}, fault.MissingParam, "target"},
		"no such target": {adapters.Request{Target: "mian.toy"}, fault.InvalidTarget, "target"},
		"no such cwd":    {adapters.Request{Target: "main.toy", Cwd: "nowhere"}, fault.InvalidParam, "cwd"},
		"arguments":      {adapters.Request{Target: "main.toy", Args: []string{"x"}}, fault.NotSupported, "args"},
		"entry":          {adapters.Request{Target: "main.toy", StopOnEntry: true}, fault.NotSupported, "stop_on_entry"},
		"runtime":        {adapters.Request{Target: "main.toy", RuntimePath: "/bin/x"}, fault.NotSupported, "runtime_path"},
		"build":          {adapters.Request{Target: "main.toy", BuildArgs: []string{"x"}}, fault.NotSupported, "build_args"},
		"mappings":       {adapters.Request{Target: "main.toy", PathMappings: []adapters.PathMapping{{Local: "a", Remote: "b"}}}, fault.NotSupported, "path_mappings"},
		"test":           {adapters.Request{Target: "main.toy", Test: "TestX"}, fault.NotSupported, "mode"},
		"core":           {adapters.Request{Target: "main.toy", Mode: adapters.Core}, fault.NotSupported, "mode"},
		"remote":         {adapters.Request{Mode: adapters.RemoteAttach, Port: 1}, fault.NotSupported, "mode"},
		"no pid":         {adapters.Request{Mode: adapters.Attach}, fault.MissingParam, "pid"},
		"options":        {adapters.Request{Target: "main.toy", Options: json.RawMessage(`[1]`)}, fault.InvalidParam, "adapter_options"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := planned(t, plain, c.r)
			f, ok := errors.AsType[*fault.Error](err)
			if !ok || f.Code != c.code {
				t.Fatalf("error is %v", err)
			}
			if f.Field != c.field || f.Hint == "" {
				t.Errorf("field %q, message %q, hint %q", f.Field, f.Message, f.Hint)
			}
		})
	}
}

func TestAMissingCommandNamesItsInstallation(t *testing.T) {
	table := `{"command": ["aidb-no-such-adapter"], "launch": {"program": "${program}"}, "install": "apt-get install toy", "name": "toydbg"}`
	_, err := planned(t, table, adapters.Request{Target: "main.toy"})
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != fault.AdapterNotFound {
		t.Fatalf("error is %v", err)
	}
	if !strings.Contains(f.Hint, "apt-get install toy") || !strings.Contains(f.Message, "toydbg") {
		t.Errorf("message %q, hint %q", f.Message, f.Hint)
	}
	if ready := one(table).Check(t.Context()); ready.Ready || !strings.Contains(ready.Remedy, "apt-get install toy") {
		t.Errorf("readiness %+v", ready)
	}
}

func TestModesAndClaims(t *testing.T) {
	a := one(`{"command": ["sh"], "extensions": [".toy"], "launch": {}, "test": {}, "attach": {"pid": "${pid}", "port": "${port}"}}`)
	want := []adapters.Mode{adapters.Launch, adapters.Test, adapters.Attach, adapters.RemoteAttach}
	if got := a.Info().Modes; !slices.Equal(got, want) {
		t.Errorf("modes %v", got)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.toy"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]int{"main.toy": 100, "other.TOY": 90, "main.go": 0, "": 0} {
		if got := a.Claims(adapters.Request{Target: target, Workspace: dir}); got != want {
			t.Errorf("claims %q by %d, want %d", target, got, want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"a.rb":      "class Cart\n  def total(x)\n    # the sum\n\n    x + 1\n  end\n\n  def self.empty?; true; end\nend\n",
		"sub/b.rb":  "module Shop\n  def self.total\n    2\n  end\nend\n",
		"c.txt":     "def total\n  1\nend\n",
		".git/d.rb": "def total\n  1\nend\n",
	}
	filetree.Write(t, dir, files)
	a := one(`{` + good + `, "extensions": [".rb"], "function": "^\\s*def\\s+(?:self\\.)?NAME", "class": "^\\s*(?:class|module)\\s+NAME", "comment": "^(#|end\\b)"}`)
	if a.broken != nil {
		t.Fatal(a.broken)
	}
	d := newDialect(a, false)
	cart, shop := adapters.Place{File: filepath.Join(dir, "a.rb"), Line: 5}, adapters.Place{File: filepath.Join(dir, "sub", "b.rb"), Line: 3}
	for name, want := range map[string][]adapters.Place{
		"total": {cart, shop}, "Cart#total": {cart}, "Shop.total": {shop}, "Shop::total": {shop}, "Other#total": nil, "totl": nil,
	} {
		at, like, err := d.Definitions(t.Context(), name, []string{dir})
		if err != nil || !slices.Equal(at, want) {
			t.Errorf("%s: %v, %v", name, at, err)
		}
		if name == "totl" && !slices.Equal(like, []string{"total"}) {
			t.Errorf("like %s: %v", name, like)
		}
	}
}

// Values are shown, judged and taken for exceptions as the table has them written.
func TestValuesWrittenOtherwise(t *testing.T) {
	a := one(`{` + good + `, "values": [{"pattern": "(\\\\n)\" \\+ \"", "with": "$1"}], "evaluate": {"failed": "^\"failed: (.*)\"$"}}`)
	if a.broken != nil {
		t.Fatal(a.broken)
	}
	d := newDialect(a, false)
	got := d.Variables("", []godap.Variable{{Name: `"a\n" + "b"`, Value: `["c\n" + "\n" + "d", 1]`}, {Name: "n", Value: `1 + "x"`}})
	want := []godap.Variable{{Name: `"a\nb"`, Value: `["c\n\nd", 1]`}, {Name: "n", Value: `1 + "x"`}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	why, failed := d.Judge(godap.EvaluateResponseBody{Result: `"failed: one\n" + "two"`})
	if want := `one\ntwo`; !failed || why != want {
		t.Errorf("failed %v: %q, want %q", failed, why, want)
	}
}

// A program has input of ours where it serves DAP itself, or where the adapter
// asks for a terminal, which it is offered only then.
func TestInputNeedsATerminal(t *testing.T) {
	for table, want := range map[string]struct{ offered, input bool }{
		`{` + good + `}`:                   {false, false},
		`{` + good + `, "terminal": true}`: {true, true},
		`{"command": ["sh", "${socket}"], "transport": "unix", "debuggee_serves": true, "launch": {}}`: {false, true},
	} {
		p, err := planned(t, table, adapters.Request{Target: "main.toy"})
		if err != nil {
			t.Fatal(err)
		}
		var args godap.InitializeRequestArguments
		p.Dialect.Initialize(&args)
		if args.SupportsRunInTerminalRequest != want.offered || (p.Capabilities.Start.NoInput == "") != want.input || args.AdapterID != "toy" {
			t.Errorf("%s: terminal %v, no input: %q", table, args.SupportsRunInTerminalRequest, p.Capabilities.Start.NoInput)
		}
	}
}
