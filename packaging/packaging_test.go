package packaging

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit/filetree"

	"github.com/klauspost/compress/gzip"
)

var all = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// release is one of small binaries that are none.
func release(t *testing.T, targets ...string) Release {
	t.Helper()
	r := Release{Version: "1.2.3-rc.1", Time: time.Date(2026, 11, 2, 3, 4, 5, 0, time.FixedZone("there", 3600)), License: "the license\n"}
	for _, target := range targets {
		system, arch, _ := strings.Cut(target, "/")
		path := filepath.Join(t.TempDir(), "binary")
		if err := os.WriteFile(path, []byte("binary for "+target), 0o755); err != nil {
			t.Fatal(err)
		}
		r.Builds = append(r.Builds, Build{system, arch, path})
	}
	return r
}

// Each platform has its packages, and the same is made of the same: whatever the
// order, the place and the hour.
func TestPack(t *testing.T) {
	t.Parallel()
	first, second := t.TempDir(), t.TempDir()
	names, err := Pack(release(t, all...), first)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"aidb-mcp-1.2.3-rc.1-darwin-amd64.mcpb", "aidb-mcp-1.2.3-rc.1-linux-arm64.mcpb", "aidb-mcp-1.2.3-rc.1.tgz",
		"aidb-mcp-claude-plugin-1.2.3-rc.1-windows-amd64.zip", "aidb-mcp-image-1.2.3-rc.1-linux-arm64.tar.gz",
		"aidb-mcp-win32-x64-1.2.3-rc.1.tgz", "aidb-mcp_1.2.3~rc.1_arm64.deb", "aidb_mcp-1.2.3rc1-py3-none-macosx_12_0_arm64.whl",
		"aidb_mcp-1.2.3rc1-py3-none-win_amd64.whl", "darwin.arm64.aidb-mcp.tar.gz", "server.json", "win32.x64.aidb-mcp.tar.gz",
	}
	for _, name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing in %q", name, names)
		}
	}
	// 5 for each platform, 2 more for Linux, the launcher and server.json
	if len(names) != 6*5+2*2+2 || !slices.IsSorted(names) {
		t.Errorf("%d packages: %q", len(names), names)
	}

	again := release(t, all...)
	slices.Reverse(again.Builds)
	if _, err := Pack(again, second); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !bytes.Equal(content(t, first, name), content(t, second, name)) {
			t.Errorf("%s differs when it is made again", name)
		}
	}
}

// Whoever names a launcher gets the binaries of the same version, of all platforms.
func TestLauncherNamesItsBinaries(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Pack(release(t, all...), dir); err != nil {
		t.Fatal(err)
	}
	var about npmPackage
	if err := json.Unmarshal(entry(t, content(t, dir, "aidb-mcp-1.2.3-rc.1.tgz"), "package/package.json"), &about); err != nil {
		t.Fatal(err)
	}
	if len(about.Optional) != len(all) || about.Optional["@aidb-mcp/win32-arm64"] != "1.2.3-rc.1" || about.Optional["@aidb-mcp/linux-x64"] != "1.2.3-rc.1" {
		t.Errorf("%+v", about.Optional)
	}
	if !strings.Contains(launcher, npmScope+"/") {
		t.Errorf("the launcher does not look for %s", npmScope)
	}
	if got := string(entry(t, content(t, dir, "aidb-mcp-linux-x64-1.2.3-rc.1.tgz"), "package/bin/aidb-mcp")); got != "binary for linux/amd64" {
		t.Errorf("the package for Linux on x64 holds %q", got)
	}
}

// A bundle is in the registry's entry where its address is known, with the checksum
// that clients compare.
func TestRegistryEntry(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]int{"": 2, "https://example.com/v1/": 3} {
		dir := t.TempDir()
		r := release(t, "linux/amd64")
		r.URL = url
		if _, err := Pack(r, dir); err != nil {
			t.Fatal(err)
		}
		var entry registryServer
		if err := json.Unmarshal(content(t, dir, "server.json"), &entry); err != nil {
			t.Fatal(err)
		}
		if len(entry.Packages) != want || len(entry.Description) > 100 {
			t.Errorf("with the address %q: %+v", url, entry)
		}
		if p := entry.Packages[len(entry.Packages)-1]; want == 3 && (p.Identifier != "https://example.com/v1/aidb-mcp-1.2.3-rc.1-linux-amd64.mcpb" || len(p.SHA256) != 64) {
			t.Errorf("the bundle is %+v", p)
		}
	}
}

func TestUnknownPlatform(t *testing.T) {
	t.Parallel()
	if _, err := Pack(release(t, "plan9/386"), t.TempDir()); err == nil || !strings.Contains(err.Error(), "plan9-386") {
		t.Errorf("the error is %v", err)
	}
}

// The same version in the words of those who read it.
func TestVersions(t *testing.T) {
	t.Parallel()
	for stamped, want := range map[string][3]string{
		"v1.2.3":                             {"1.2.3", "1.2.3", "1.2.3"},
		"v1.2.3+dirty":                       {"1.2.3", "1.2.3", "1.2.3"},
		"v2.0.0-rc.2":                        {"2.0.0-rc.2", "2.0.0rc2", "2.0.0~rc.2"},
		"v2.0.0-beta1":                       {"2.0.0-beta1", "2.0.0b1", "2.0.0~beta1"},
		"v2.0.0-try-it":                      {"2.0.0-try-it", "2.0.0.dev0+try.it", "2.0.0~try.it"},
		"v0.0.0-20261123165335-68f1bf266ebf": {"0.0.0-20261123165335-68f1bf266ebf", "0.0.0.dev20261123165335+68f1bf266ebf", "0.0.0~20261123165335.68f1bf266ebf"},
		"v1.2.4-0.20261123165335-68f1bf266ebf+dirty": {"1.2.4-0.20261123165335-68f1bf266ebf", "1.2.4.dev20261123165335+68f1bf266ebf", "1.2.4~0.20261123165335.68f1bf266ebf"},
		"v2.0.0-rc.1.0.20261123165335-68f1bf266ebf":  {"2.0.0-rc.1.0.20261123165335-68f1bf266ebf", "2.0.0.dev20261123165335+68f1bf266ebf", "2.0.0~rc.1.0.20261123165335.68f1bf266ebf"},
		"(devel)": {"0.0.0-devel", "0.0.0.dev0+devel", "0.0.0~devel"}, "": {"0.0.0-devel", "0.0.0.dev0+devel", "0.0.0~devel"},
	} {
		semantic := Semantic(stamped)
		if got := [3]string{semantic, pythonVersion(semantic), debianVersion(semantic)}; got != want {
			t.Errorf("%s is %q, want %q", stamped, got, want)
		}
	}
}

// What GoReleaser made is found, and all that is released is in the provenance.
func TestProvenance(t *testing.T) {
	t.Parallel()
	dist := filepath.Join(t.TempDir(), "dist")
	r := release(t, "linux/amd64")
	r.Revision, r.GoVersion = "0123", "go1.26.8"
	if _, err := Pack(r, filepath.Join(dist, "packages")); err != nil {
		t.Fatal(err)
	}
	filetree.Write(t, dist, map[string]string{
		"aidb-mcp_1_linux_amd64.tar.gz": "archive",
		"artifacts.json":                `[{"name":"aidb-mcp","path":"dist/x/aidb-mcp","goos":"linux","goarch":"amd64","type":"Binary"},{"name":"a","path":"dist/a","type":"Archive"}]`,
	})
	builds, err := ReadBuilds(dist)
	if want := []Build{{"linux", "amd64", filepath.Join(dist, "x", "aidb-mcp")}}; err != nil || !slices.Equal(builds, want) {
		t.Errorf("builds %+v, %v", builds, err)
	}
	if err := Provenance(r, dist); err != nil {
		t.Fatal(err)
	}
	var made statement
	if err := json.Unmarshal(content(t, dist, provenanceName), &made); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range made.Subject {
		names = append(names, s.Name)
	}
	if len(names) != 1+9 || !slices.Contains(names, "server.json") || !slices.Contains(names, "aidb-mcp_1_linux_amd64.tar.gz") || slices.Contains(names, "artifacts.json") {
		t.Errorf("subjects %q", names)
	}
	if list := string(content(t, dist, "packages/"+checksumsName)); strings.Count(list, "\n") != 9 || !strings.Contains(list, made.Subject[len(made.Subject)-1].Digest["sha256"]) {
		t.Errorf("checksums\n%s", list)
	}
}

func content(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// entry is a file of a compressed tar archive.
func entry(t *testing.T, archive []byte, name string) []byte {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for entries := tar.NewReader(plain); ; {
		head, err := entries.Next()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if head.Name == name {
			var out bytes.Buffer
			if _, err := out.ReadFrom(entries); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
	}
}
