package packaging

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// wheelTags are the platforms in pip's words. Our binaries for Linux use no C
// library, so that they run beside any; those for macOS need what Go needs.
var wheelTags = map[string][]string{
	"linux-amd64":   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	"linux-arm64":   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	"darwin-amd64":  {"macosx_12_0_x86_64"},
	"darwin-arm64":  {"macosx_12_0_arm64"},
	"windows-amd64": {"win_amd64"},
	"windows-arm64": {"win_arm64"},
}

// wheel is a Python package without any Python: its script is the binary.
func wheel(r Release, b Build, binary []byte) (pack, error) {
	tags, known := wheelTags[b.String()]
	if !known {
		return pack{}, fmt.Errorf("pip has no name for the platform %s", b)
	}
	version := pythonVersion(r.Version)
	base := strings.ReplaceAll(name, "-", "_") + "-" + version
	info := base + ".dist-info/"
	about := "Wheel-Version: 1.0\nGenerator: " + name + "\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		about += "Tag: py3-none-" + tag + "\n"
	}
	files := []file{
		program(base+".data/scripts/"+b.executable(), binary),
		text(info+"METADATA", "Metadata-Version: 2.4\nName: "+name+"\nVersion: "+version+"\nSummary: "+description+
			"\nAuthor: "+author+"\nLicense-Expression: "+license+"\nLicense-File: LICENSE\nKeywords: "+strings.Join(keywords, ",")+
			"\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n"+readme+"\n<!-- mcp-name: "+registered+" -->\n"),
		text(info+"WHEEL", about),
		text(info+"licenses/LICENSE", r.License),
	}
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.text)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.text))
	}
	record.WriteString(info + "RECORD,,\n")
	files = append(files, text(info+"RECORD", record.String()))
	return pack{base + "-py3-none-" + strings.Join(tags, ".") + ".whl", zipArchive, files}, nil
}
