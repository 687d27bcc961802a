//go:build linux

// Package packages installs each package from its file into a clean folder, and
// makes the demonstration's first call through what was installed.
package packages

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/packaging"
)

var dist = flag.String("dist", "", "GoReleaser's directory, with the packages to test in it; relative to the repository; default: those of this platform are made")

func TestMain(m *testing.M) {
	flag.Parse()
	if *dist != "" && !filepath.IsAbs(*dist) {
		*dist = filepath.Join(testkit.Root(), *dist)
	}
	os.Exit(testkit.Main(m))
}

// kind is a kind of package.
type kind struct {
	name string
	file string // pattern of its file's name; OS and ARCH are this platform in Go's words, CPU in Node's
	// install puts the files into the folder, and returns how the server is started
	// then by those who have installed it so.
	install func(t *testing.T, file, folder string) testkit.Options
}

var kinds = []kind{
	{"npm", "aidb-mcp-[0-9]*.tgz", npm},
	{"wheel", "aidb_mcp-*linux*ALIAS.whl", wheel},
	{"Debian package", "aidb-mcp_*_ARCH.deb", debian},
	{"image", "aidb-mcp-image-*-OS-ARCH.tar.gz", image},
	{"MCP bundle", "aidb-mcp-*-OS-ARCH.mcpb", bundle},
	{"Claude plugin", "aidb-mcp-claude-plugin-*-OS-ARCH.zip", claudePlugin},
	{"Gemini extension", "OS.CPU.aidb-mcp.tar.gz", geminiExtension},
}

// archive is GoReleaser's, and so there with -dist only.
var archive = kind{"archive", "../aidb-mcp_*_OS_ARCH.tar.gz", func(t *testing.T, file, folder string) testkit.Options {
	run(t, folder, "tar", "-xzf", file)
	return testkit.Options{Command: []string{filepath.Join(folder, "aidb-mcp"), "serve"}}
}}

func TestPackages(t *testing.T) {
	t.Parallel()
	all := kinds
	if *dist != "" {
		all = append(all, archive)
	}
	for _, k := range all {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			options := k.install(t, k.find(t), clean(t))
			if options.Dir == "" {
				options.Dir = shop(t)
			}
			options.Replies = "default"
			s := testkit.Start(t, options)
			if info := s.Client.InitializeResult().ServerInfo; info.Name != "aidb" || info.Version == "" {
				t.Errorf("initialize is answered by %+v", info)
			}
			if k.name != "npm" && *dist == "" && !testkit.IsLong() {
				return // it is the same program
			}
			reply := s.OK("diagnose", testkit.A{"target": ".", "timeout_ms": 240_000})
			for _, part := range []string{"panic: runtime error: invalid memory address", "main.go:39 in main.total", "→ product = nil"} {
				if !strings.Contains(reply.Text, part) {
					t.Errorf("%q is not in\n%s", part, reply.Text)
				}
			}
		})
	}
}

// made are the packages of this platform, of the binary that all tests run.
var made struct {
	once sync.Once
	dir  string
	err  error
}

// packages is their folder.
func packages(t *testing.T) string {
	t.Helper()
	if *dist != "" {
		return filepath.Join(*dist, "packages")
	}
	binary := testkit.Binary(t)
	made.once.Do(func() {
		made.dir = filepath.Join(filepath.Dir(binary), "packages") // removed with the binary
		_, made.err = packaging.Pack(packaging.Release{
			Version: "1.2.3-rc.1", Revision: "0123456789abcdef", Time: time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC), License: "the license\n",
			Builds: []packaging.Build{{OS: runtime.GOOS, Arch: runtime.GOARCH, Path: binary}},
		}, made.dir)
	})
	if made.err != nil {
		t.Fatal(made.err)
	}
	return made.dir
}

// find is the one file of this kind, for this platform.
func (k kind) find(t *testing.T) string {
	t.Helper()
	cpu := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	alias := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if cpu == "" {
		cpu = runtime.GOARCH
	}
	pattern := strings.NewReplacer("OS", runtime.GOOS, "ARCH", runtime.GOARCH, "CPU", cpu, "ALIAS", alias).Replace(k.file)
	found, err := filepath.Glob(filepath.Join(packages(t), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: want one file %s, found %q, %v", k.name, pattern, found, err)
	}
	return found[0]
}

// clean is an empty folder.
func clean(t *testing.T) string {
	t.Helper()
	return testkit.NewProgram(t, "").Dir
}

// shop is the demonstration's program, in a folder of its own.
func shop(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(testkit.Root(), "internal", "commands", "demo", "_shop", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module example.com/shop\n\ngo 1.25\n")
	p.Write("main.go", string(source))
	return p.Dir
}
