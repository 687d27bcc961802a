package build

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// metadata is what cargo knows of a workspace.
type metadata struct {
	Packages []cargoPackage `json:"packages"`
	Default  []string       `json:"workspace_default_members"`
	Root     string         `json:"workspace_root"`
	Output   string         `json:"target_directory"`
}

type cargoPackage struct {
	ID         string        `json:"id"`
	Name       string        `json:"name"`
	Version    string        `json:"version"`
	Manifest   string        `json:"manifest_path"`
	DefaultRun string        `json:"default_run"`
	Targets    []cargoTarget `json:"targets"`
}

func (p cargoPackage) dir() string { return filepath.Dir(p.Manifest) }

type cargoTarget struct {
	Name     string   `json:"name"`
	Kind     []string `json:"kind"`
	Source   string   `json:"src_path"`
	Features []string `json:"required-features"`
}

// kind is how a target is named on the command line: bin, example, test, lib, bench.
func (t cargoTarget) kind() string {
	if len(t.Kind) == 0 {
		return ""
	}
	switch k := t.Kind[0]; k {
	case "bin", "example", "test", "bench", "custom-build":
		return k
	}
	return "lib" // rlib, dylib, cdylib, staticlib, proc-macro
}

// flags choose the target on cargo's command line.
func (t cargoTarget) flags() []string {
	if t.kind() == "lib" {
		return []string{"--lib"}
	}
	return []string{"--" + t.kind(), t.Name}
}

// chosen is a target with its package.
type chosen struct {
	cargoTarget
	pkg cargoPackage
}

func (c chosen) String() string { return c.kind() + " " + c.Name }

// metadata asks cargo about the workspace around a manifest.
func (j *job) metadata(ctx context.Context, cargo, dir string) (*metadata, error) {
	out, errs, failed, err := j.run(ctx, command{
		name: "cargo metadata", path: cargo, dir: dir,
		args: []string{"metadata", "--no-deps", "--format-version=1", "--color=never", "--manifest-path", filepath.Join(dir, "Cargo.toml")},
	})
	if err != nil {
		return nil, err
	}
	if failed {
		return nil, j.cargoFailure(nil, errs, dir)
	}
	var m metadata
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		return nil, fmt.Errorf("reading what cargo says of the workspace: %w", err)
	}
	return &m, j.keepWithin(&m)
}

// keepWithin has cargo build in a folder of ours where its own is not one that may be built
// in. What build_args say of it stands.
func (j *job) keepWithin(m *metadata) error {
	if j.o.Within == "" || prepare.Inside(prepare.Physical(j.o.Within), prepare.Physical(m.Output)) {
		return nil
	}
	dir, err := j.room(m.Root, "target")
	if err != nil {
		return err
	}
	m.Output = dir
	j.env = prepare.Overlay(j.env, map[string]string{"CARGO_TARGET_DIR": dir})
	return nil
}

// members are the packages that a request in dir is about: the one there, else
// the workspace's own choice.
func (m *metadata) members(dir string) []cargoPackage {
	manifest := prepare.Physical(filepath.Join(dir, "Cargo.toml"))
	for _, p := range m.Packages {
		if prepare.Physical(p.Manifest) == manifest {
			return []cargoPackage{p}
		}
	}
	var list []cargoPackage
	for _, p := range m.Packages {
		if len(m.Default) == 0 || slices.Contains(m.Default, p.ID) {
			list = append(list, p)
		}
	}
	return list
}

// targets are those of packages that are of one of the kinds.
func targets(packages []cargoPackage, kinds ...string) []chosen {
	var list []chosen
	for _, kind := range kinds {
		for _, p := range packages {
			for _, t := range p.Targets {
				if t.kind() == kind {
					list = append(list, chosen{t, p})
				}
			}
		}
	}
	return list
}

var manifestPosition = pattern.New(`(?m)^\s*--> (.*Cargo\.toml|.*config\.toml):(\d+):(\d+)$`)
var manifestNamed = pattern.New("(?:parse manifest at|read|load manifest for.*at) `([^`]+)`")

// cargoFailure explains why cargo made nothing: the compiler's errors, else
// what cargo itself had to say.
func (j *job) cargoFailure(found []prepare.CompileError, text, dir string) error {
	var complaint []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "error: "); ok {
			complaint = append(complaint, rest)
		} else if len(complaint) > 0 && line != "" && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "-->") && line != "Caused by:" {
			complaint = append(complaint, line)
		}
	}
	said := strings.Join(complaint[:min(len(complaint), 3)], ": ")
	if m := manifestPosition.FindStringSubmatch(text); len(found) == 0 && m != nil {
		e := prepare.CompileError{File: j.resolveIn(dir)(m[1]), Message: firstLine(said)}
		e.Line, _ = strconv.Atoi(m[2])
		e.Column, _ = strconv.Atoi(m[3])
		return prepare.BuildFailure([]prepare.CompileError{e}, text).WithHint("mend the manifest, then start again")
	}
	f := prepare.BuildFailure(found, text)
	if len(found) > 0 {
		return f
	}
	if said != "" {
		f.Message = "the build failed: " + said
	}
	if m := manifestNamed.FindStringSubmatch(text); m != nil {
		return f.WithHint("mend %s, then start again", j.show(m[1]))
	}
	return f.WithHint("%s", cargoHint(text))
}

// cargoHint names the remedy of those failures that are not the program's.
func cargoHint(text string) string {
	switch {
	case isLinkerMissing(text):
		return "rustc links with the C compiler: install gcc or clang (on Debian: apt install gcc)"
	case strings.Contains(text, "requires the features"):
		return `give the features, for example {"build_args":["--features","cli"]}`
	case strings.Contains(text, "does not contain this feature") || strings.Contains(text, "none of the selected packages contains"):
		return "see [features] in Cargo.toml for the names"
	case strings.Contains(text, "failed to get") || strings.Contains(text, "failed to download") || strings.Contains(text, "no matching package"):
		return "cargo could not fetch a dependency: run `cargo fetch` in the package and see what it says"
	case strings.Contains(text, "custom build command"):
		return "the package's build script failed: its output is in details"
	case strings.Contains(text, "linking with"):
		return "the linker failed: its output is in details"
	}
	return "run `cargo build` in the package and see what it says"
}

// unknownTarget is the error for a name that is no target.
func unknownTarget(name, where string, known, like []string) *fault.Error {
	f := fault.New(fault.InvalidTarget, "there is no target %s in %s", name, where).WithField("target")
	if len(like) > 0 {
		return prepare.Suggest(f, like)
	}
	if len(known) == 0 {
		return f.WithHint("it has no targets that can be run")
	}
	return f.WithHint("its targets are %s", strings.Join(known[:min(len(known), 20)], ", ")).WithDetails(prepare.Candidates{Candidates: known[:min(len(known), 20)]})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
