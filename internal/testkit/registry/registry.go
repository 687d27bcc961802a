// Package registry fetches what others have published, pinned by its checksum, for the
// tests that debug real code.
package registry

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Pin is one version of one package of a registry, fetched by the registry's own
// client and known by its checksum.
type Pin struct {
	From Kind
	Name string // as the registry's client writes it, with the version
	Sum  string // as the registry's lock files write it, or SHA-256
	Into string // the folder of its code; empty: the project's own
}

// Kind is a registry: where code comes from.
type Kind string

// The registries.
const (
	Go     Kind = "Go module"
	PyPI   Kind = "PyPI sdist"
	Wheel  Kind = "PyPI wheel"
	Npm    Kind = "npm package"
	Crates Kind = "crate"
	Maven  Kind = "Maven artifact"
	Debian Kind = "Debian package"
)

// Fetch puts the code of a pin into a folder, which may be there.
func (p Pin) Fetch(into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "aidb-real-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	switch p.From {
	case Go:
		return p.goModule(into)
	case PyPI:
		return p.sdist(tmp, into)
	case Wheel:
		return p.wheel(tmp, into)
	case Npm:
		return p.npmPackage(tmp, into)
	case Crates:
		return p.crate(tmp, into)
	case Maven:
		return p.artifact(tmp, into)
	case Debian:
		return p.deb(tmp, into)
	default:
		return fmt.Errorf("no registry %q", p.From)
	}
}

// goModule copies a module out of Go's cache. Its sum is that of go.sum.
func (p Pin) goModule(into string) error {
	out, err := Output(into, "go", "mod", "download", "-json", p.Name)
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
	if err := Run("", "cp", "-r", module.Dir+"/.", into); err != nil {
		return err
	}
	return Run("", "chmod", "-R", "u+w", into) // the cache is read-only
}

// sdist unpacks a source distribution; pip checks its SHA-256.
func (p Pin) sdist(tmp, into string) error {
	list := filepath.Join(tmp, "pinned.txt")
	if err := os.WriteFile(list, []byte(p.Name+" --hash=sha256:"+p.Sum+"\n"), 0o644); err != nil {
		return err
	}
	err := Run(tmp, "python3", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes", "-r", list)
	if err != nil {
		return err
	}
	return untar(tmp, "*.tar.gz", into)
}

// wheel unpacks a built distribution, whatever Python it is for; pip checks its SHA-256.
func (p Pin) wheel(tmp, into string) error {
	list := filepath.Join(tmp, "pinned.txt")
	if err := os.WriteFile(list, []byte(p.Name+" --hash=sha256:"+p.Sum+"\n"), 0o644); err != nil {
		return err
	}
	err := Run(tmp, "python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
		"--python-version", "3.12", "--require-hashes", "-r", list)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%d wheels: %w", len(files), err)
	}
	return Run(tmp, "python3", "-m", "zipfile", "--extract", files[0], into)
}

// npmPackage unpacks a package. Its sum is that of package-lock.json.
func (p Pin) npmPackage(tmp, into string) error {
	out, err := Output(tmp, "npm", "pack", "--json", p.Name)
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
func (p Pin) crate(tmp, into string) error {
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
	if err := Run(tmp, "cargo", "vendor", "--quiet"); err != nil {
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
	return Run("", "cp", "-r", from+"/.", into)
}

// artifact unpacks a jar.
func (p Pin) artifact(tmp, into string) error {
	if err := Run(tmp, "mvn", "--quiet", "--batch-mode", "dependency:copy", "-Dartifact="+p.Name, "-DoutputDirectory="+tmp); err != nil {
		return err
	}
	file, err := p.soleFile(tmp, "*.jar")
	if err != nil {
		return err
	}
	return Run(into, "jar", "--extract", "--file", file)
}

// deb unpacks a package of the system's distribution.
func (p Pin) deb(tmp, into string) error {
	if err := Run(tmp, "apt-get", "download", "--quiet", p.Name); err != nil {
		if err := Run(tmp, "apt-get", "update", "--quiet"); err != nil {
			return err
		}
		if err := Run(tmp, "apt-get", "download", "--quiet", p.Name); err != nil {
			return err
		}
	}
	file, err := p.soleFile(tmp, "*.deb")
	if err != nil {
		return err
	}
	return Run("", "dpkg-deb", "--extract", file, into)
}

// soleFile is the file that was fetched, when it is the pinned one.
func (p Pin) soleFile(dir, pattern string) (string, error) {
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
func (p Pin) check(sum string) error {
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
	return Run("", "tar", "--extract", "--gzip", "--strip-components=1", "--no-same-owner", "--file", files[0], "--directory", into)
}
