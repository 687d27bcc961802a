//go:build linux

package packages

import (
	"archive/tar"
	"archive/zip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"aidb-mcp/internal/testkit"
)

// run runs a command and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// npm installs the launcher and, as npm does from a registry, the platform's package.
func npm(t *testing.T, file, folder string) testkit.Options {
	platform := kind{"npm platform", "aidb-mcp-OS-CPU-*.tgz", nil}.find(t)
	return testkit.Options{Command: []string{npmInstall(t, folder, platform, file), "serve"}}
}

// npmInstall installs packages without asking any registry; that of another platform
// need not be there. It returns the command.
func npmInstall(t *testing.T, folder string, files ...string) string {
	t.Helper()
	run(t, folder, "npm", append([]string{"install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--cache", filepath.Join(folder, ".npm")}, files...)...)
	return filepath.Join(folder, "node_modules", ".bin", "aidb-mcp")
}

func wheel(t *testing.T, file, folder string) testkit.Options {
	run(t, folder, "python3", "-m", "venv", "--without-pip", ".")
	run(t, folder, "python3", "-m", "pip", "--python", "bin/python", "install", "--quiet", "--no-index", "--disable-pip-version-check", file)
	return testkit.Options{Command: []string{filepath.Join(folder, "bin", "aidb-mcp"), "serve"}}
}

// debian unpacks what dpkg would. That dpkg takes the package is asked without
// installing it here.
func debian(t *testing.T, file, folder string) testkit.Options {
	run(t, folder, "dpkg-deb", "-x", file, ".")
	if fields := run(t, folder, "dpkg-deb", "-f", file, "Package", "Architecture"); fields != "Package: aidb-mcp\nArchitecture: "+runtime.GOARCH+"\n" {
		t.Errorf("the package says of itself\n%s", fields)
	}
	return testkit.Options{Command: []string{filepath.Join(folder, "usr", "bin", "aidb-mcp"), "serve"}}
}

// image unpacks the layers, and starts what the image says from there: the program
// to debug and Go are not in the image.
func image(t *testing.T, file, folder string) testkit.Options {
	plain := filepath.Join(t.TempDir(), "image.tar")
	run(t, folder, "sh", "-c", `gzip -dc "$1" >"$2"`, "sh", file, plain)
	image, err := tarball.ImageFromPath(plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	root := mutate.Extract(image)
	defer root.Close()
	untar(t, root, folder)
	if config.OS != "linux" || config.Architecture != runtime.GOARCH || config.Config.WorkingDir != "/workspace" {
		t.Errorf("the image says of itself %+v", config)
	}
	sameAsContainerfile(t, config.Config)
	line := append(config.Config.Entrypoint, config.Config.Cmd...)
	inside := []string{"chroot", folder, line[0], "version"} // with nothing else than the image
	if os.Getuid() != 0 {
		inside = append([]string{"unshare", "--map-root-user"}, inside...)
	}
	if said := run(t, folder, inside[0], inside[1:]...); !strings.HasPrefix(said, "aidb-mcp ") {
		t.Errorf("in the image its version is %q", said)
	}
	return testkit.Options{Command: append([]string{filepath.Join(folder, line[0])}, line[1:]...)}
}

func untar(t *testing.T, from io.Reader, folder string) {
	t.Helper()
	for entries := tar.NewReader(from); ; {
		head, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		put(t, folder, head.Name, head.FileInfo().Mode(), content)
	}
}

func unzip(t *testing.T, file, folder string) {
	t.Helper()
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, entry := range archive.File {
		in, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		put(t, folder, entry.Name, entry.Mode(), content)
	}
}

// put writes an entry of an archive.
func put(t *testing.T, folder, name string, mode os.FileMode, content []byte) {
	t.Helper()
	path := filepath.Join(folder, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	switch {
	case err != nil:
	case mode.IsDir():
		err = os.MkdirAll(path, mode.Perm())
	default:
		err = os.WriteFile(path, content, mode.Perm())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// server is how a client is told to start one.
type server struct {
	Command string
	Args    []string
}

// line is the command line, with the client's words for places filled in.
func (s server) line(places ...string) []string {
	fill := strings.NewReplacer(places...)
	line := []string{fill.Replace(s.Command)}
	for _, arg := range s.Args {
		line = append(line, fill.Replace(arg))
	}
	return line
}

// read reads a JSON file of an unpacked package.
func read[T any](t *testing.T, folder, name string) T {
	t.Helper()
	var content T
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// bundle starts what the manifest says, in a directory that is not the workspace.
func bundle(t *testing.T, file, folder string) testkit.Options {
	unzip(t, file, folder)
	manifest := read[struct {
		Server struct {
			Config server `json:"mcp_config"`
		}
	}](t, folder, "manifest.json")
	return testkit.Options{Dir: clean(t), Command: manifest.Server.Config.line("${__dirname}", folder, "${user_config.workspace}", shop(t))}
}

func claudePlugin(t *testing.T, file, folder string) testkit.Options {
	unzip(t, file, folder)
	config := read[struct{ MCPServers map[string]server }](t, folder, ".mcp.json")
	return testkit.Options{Command: config.MCPServers["aidb"].line("${CLAUDE_PLUGIN_ROOT}", folder)}
}

func geminiExtension(t *testing.T, file, folder string) testkit.Options {
	run(t, folder, "tar", "-xzf", file)
	manifest := read[struct {
		MCPServers      map[string]server
		ContextFileName string
	}](t, folder, "gemini-extension.json")
	if _, err := os.Stat(filepath.Join(folder, manifest.ContextFileName)); err != nil {
		t.Error(err)
	}
	return testkit.Options{Command: manifest.MCPServers["aidb"].line("${extensionPath}", folder, "${/}", "/")}
}
