//go:build linux

package real

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// pin is one version of one package of a registry, fetched by the registry's own
// client and known by its checksum.
type pin struct {
	From registry
	Name string // as the registry's client writes it, with the version
	Sum  string // as the registry's lock files write it, or SHA-256
	Into string // the folder of its code; empty: the project's own
}

// registry says where code comes from.
type registry string

const (
	goProxy registry = "Go module"
	pypi    registry = "PyPI sdist"
	npm     registry = "npm package"
	crates  registry = "crate"
	maven   registry = "Maven artifact"
	debian  registry = "Debian package"
)

// fetch puts the code of a pin into a folder, which may be there.
func (p pin) fetch(into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "aidb-real-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	switch p.From {
	case goProxy:
		return p.goModule(into)
	case pypi:
		return p.sdist(tmp, into)
	case npm:
		return p.npmPackage(tmp, into)
	case crates:
		return p.crate(tmp, into)
	case maven:
		return p.artifact(tmp, into)
	case debian:
		return p.deb(tmp, into)
	default:
		return fmt.Errorf("no registry %q", p.From)
	}
}

// goModule copies a module out of Go's cache. Its sum is that of go.sum.
func (p pin) goModule(into string) error {
	out, err := output(into, "go", "mod", "download", "-json", p.Name)
	if err != nil {
		return err
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	if err := p.check(module.Sum); err != nil {
		return err
	}
	if err := run("", "cp", "-r", module.Dir+"/.", into); err != nil {
		return err
	}
	return run("", "chmod", "-R", "u+w", into) // the cache is read-only
}

// sdist unpacks a source distribution; pip checks its SHA-256.
func (p pin) sdist(tmp, into string) error {
	list := filepath.Join(tmp, "pinned.txt")
	if err := os.WriteFile(list, []byte(p.Name+" --hash=sha256:"+p.Sum+"\n"), 0o644); err != nil {
		return err
	}
	err := run(tmp, "python3", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes", "-r", list)
	if err != nil {
		return err
	}
	return untar(tmp, "*.tar.gz", into)
}

// npmPackage unpacks a package. Its sum is that of package-lock.json.
func (p pin) npmPackage(tmp, into string) error {
	out, err := output(tmp, "npm", "pack", "--json", p.Name)
	if err != nil {
		return err
	}
	var packed []struct{ Integrity string }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 {
		return fmt.Errorf("npm pack %s: %w: %s", p.Name, err, out)
	}
	if err := p.check(packed[0].Integrity); err != nil {
		return err
	}
	return untar(tmp, "*.tgz", into)
}

// crate copies a crate. Its sum is that of Cargo.lock.
func (p pin) crate(tmp, into string) error {
	name, version, _ := strings.Cut(p.Name, "@")
	manifest := fmt.Sprintf("[package]\nname = \"fetch\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n%s = \"=%s\"\n", name, version)
	if err := os.MkdirAll(filepath.Join(tmp, "src"), 0o755); err != nil {
		return err
	}
	for file, text := range map[string]string{"Cargo.toml": manifest, "src/lib.rs": ""} {
		if err := os.WriteFile(filepath.Join(tmp, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := run(tmp, "cargo", "vendor", "--quiet"); err != nil {
		return err
	}
	from := filepath.Join(tmp, "vendor", name)
	text, err := os.ReadFile(filepath.Join(from, ".cargo-checksum.json"))
	if err != nil {
		return err
	}
	var checksum struct{ Package string }
	if err := json.Unmarshal(text, &checksum); err != nil {
		return err
	}
	if err := p.check(checksum.Package); err != nil {
		return err
	}
	return run("", "cp", "-r", from+"/.", into)
}

// artifact unpacks a jar.
func (p pin) artifact(tmp, into string) error {
	if err := run(tmp, "mvn", "--quiet", "--batch-mode", "dependency:copy", "-Dartifact="+p.Name, "-DoutputDirectory="+tmp); err != nil {
		return err
	}
	file, err := p.only(tmp, "*.jar")
	if err != nil {
		return err
	}
	return run(into, "jar", "--extract", "--file", file)
}

// deb unpacks a package of the system's distribution.
func (p pin) deb(tmp, into string) error {
	if err := run(tmp, "apt-get", "download", "--quiet", p.Name); err != nil {
		if err := run(tmp, "apt-get", "update", "--quiet"); err != nil {
			return err
		}
		if err := run(tmp, "apt-get", "download", "--quiet", p.Name); err != nil {
			return err
		}
	}
	file, err := p.only(tmp, "*.deb")
	if err != nil {
		return err
	}
	return run("", "dpkg-deb", "--extract", file, into)
}

// only is the file that was fetched, when it is the pinned one.
func (p pin) only(dir, pattern string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("%d files %s: %w", len(files), pattern, err)
	}
	sum, err := sumOf(files[0])
	if err != nil {
		return "", err
	}
	return files[0], p.check(sum)
}

// check compares what came with what is pinned.
func (p pin) check(sum string) error {
	if sum != p.Sum {
		return fmt.Errorf("%s has the checksum %s, pinned is %s", p.Name, sum, p.Sum)
	}
	return nil
}

// untar unpacks the only archive of a folder without the folder that it holds.
func untar(dir, pattern, into string) error {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%d archives %s: %w", len(files), pattern, err)
	}
	return run("", "tar", "--extract", "--gzip", "--strip-components=1", "--no-same-owner", "--file", files[0], "--directory", into)
}
