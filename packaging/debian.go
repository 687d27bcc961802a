package packaging

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"slices"
	"strings"
)

// debian is a package for dpkg: an ar archive of a version, an archive that
// describes the package and one of its files.
func debian(r Release, b Build, binary []byte) pack {
	version := debianVersion(r.Version)
	doc := "./usr/share/doc/" + name + "/"
	files := []file{
		program("./usr/bin/"+name, binary),
		text(doc+"README.md", readme),
		text(doc+"copyright", "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"+
			"Upstream-Name: "+name+"\n\nFiles: *\nCopyright: "+author+"\nLicense: "+license+"\n"+
			" On Debian the text of this license stands in /usr/share/common-licenses/Apache-2.0.\n"),
	}
	size, sums := 0, ""
	for _, f := range files {
		size += len(f.text)
		sums += fmt.Sprintf("%x  %s\n", md5.Sum(f.text), strings.TrimPrefix(f.name, "./")) // dpkg's way to find damage
	}
	control := []file{
		{"./", 0o755, nil},
		text("./control", fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\nSection: devel\nPriority: optional\nDescription: %s\n",
			name, version, b.Arch, maintainer, (size+1023)/1024, strings.Replace(description, ": ", "\n ", 1))),
		text("./md5sums", sums),
	}
	files = append(files, parents(files)...)
	form := func(r Release, files []file) ([]byte, error) {
		about, err := tgz(r, control)
		if err != nil {
			return nil, err
		}
		data, err := tgz(r, files)
		if err != nil {
			return nil, err
		}
		return ar(r, text("debian-binary", "2.0\n"), file{"control.tar.gz", 0o644, about}, file{"data.tar.gz", 0o644, data}), nil
	}
	return pack{name + "_" + version + "_" + b.Arch + ".deb", form, files}
}

// parents are the directories of the files, which dpkg wants to be told of.
func parents(files []file) []file {
	var dirs []file
	for _, f := range files {
		for i, c := range f.name {
			dir := file{f.name[:i+1], 0o755, nil}
			if c == '/' && !slices.ContainsFunc(dirs, func(d file) bool { return d.name == dir.name }) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// ar is an archive as Unix has had it since its beginning.
func ar(r Release, files ...file) []byte {
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", f.name, r.Time.Unix(), 0, 0, 0o100000|f.mode, len(f.text))
		out.Write(f.text)
		if len(f.text)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
