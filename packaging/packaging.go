// Package packaging makes packages of built binaries: what npm, pip, dpkg, a
// container engine and the clients of MCP install, each as a file.
//
// It compiles nothing and publishes nothing. The same binaries, version and time
// give the same bytes.
package packaging

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Release is what is packed.
type Release struct {
	Version   string    // semantic, without the "v"
	Revision  string    // of the source; may be empty
	GoVersion string    // of the compiler
	Time      time.Time // of all files in the packages; zero: 1980, when zip's time begins
	License   string    // its text
	Builds    []Build
	URL       string // where the files will be fetched from; empty: not known yet
}

// Build is a binary for a platform, in Go's words.
type Build struct {
	OS, Arch string
	Path     string
}

func (b Build) String() string { return b.OS + "-" + b.Arch }

// executable is what the binary is called there.
func (b Build) executable() string {
	if b.OS == "windows" {
		return name + ".exe"
	}
	return name
}

// node is the platform in the words of Node.js.
func (b Build) node() (platform, arch string) {
	platform, arch = b.OS, b.Arch
	if platform == "windows" {
		platform = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return platform, arch
}

// Pack writes all packages of the release into a directory, which is made. It
// returns their names in the order of the alphabet.
func Pack(r Release, dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if begin := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); r.Time.Before(begin) {
		r.Time = begin
	}
	r.Time = r.Time.UTC()
	r.Builds = slices.SortedFunc(slices.Values(r.Builds), func(a, b Build) int { return compare(a.String(), b.String()) })
	p := &packer{Release: r, dir: dir}
	for _, b := range r.Builds {
		if err := p.platform(b); err != nil {
			return nil, fmt.Errorf("pack %s: %w", b, err)
		}
	}
	if err := p.write(npmLauncher(r)); err != nil {
		return nil, err
	}
	if err := p.registryEntry(); err != nil {
		return nil, err
	}
	slices.Sort(p.written)
	return p.written, nil
}

// packer writes the packages of one release.
type packer struct {
	Release
	dir     string
	written []string
	bundles []bundle // that have been written
}

// platform writes the packages that hold one platform's binary.
func (p *packer) platform(b Build) error {
	binary, err := os.ReadFile(b.Path)
	if err != nil {
		return err
	}
	packages := []pack{npmPlatform(p.Release, b, binary), claudePlugin(p.Release, b, binary), geminiExtension(p.Release, b, binary)}
	wheel, err := wheel(p.Release, b, binary)
	if err != nil {
		return err
	}
	packages = append(packages, wheel)
	if b.OS == "linux" {
		image, err := image(p.Release, b, binary)
		if err != nil {
			return err
		}
		packages = append(packages, debian(p.Release, b, binary), image)
	}
	for _, one := range packages {
		if err := p.write(one); err != nil {
			return err
		}
	}
	return p.bundle(b, binary)
}

// pack is a package: its file's name, and what is in it.
type pack struct {
	name string
	form func(r Release, files []file) ([]byte, error)
	in   []file
}

// file is an entry of a package. Its name has slashes and no leading one; that of
// a directory ends with one.
type file struct {
	name string
	mode fs.FileMode
	text []byte
}

// text is a file that anybody may read.
func text(name, content string) file { return file{name, 0o644, []byte(content)} }

// program is a file that anybody may run.
func program(name string, content []byte) file { return file{name, 0o755, content} }

func (p *packer) write(one pack) error {
	content, err := one.form(p.Release, one.in)
	if err != nil {
		return fmt.Errorf("make %s: %w", one.name, err)
	}
	return p.put(one.name, content)
}

func (p *packer) put(name string, content []byte) error {
	if err := os.WriteFile(filepath.Join(p.dir, name), content, 0o644); err != nil {
		return err
	}
	p.written = append(p.written, name)
	return nil
}
