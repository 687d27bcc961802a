package install

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/internal/fault"
)

// content is what an archive of the tests holds.
type content map[string]string

// tool is a component of two files, in an archive below "pkg/".
func tool(version string) (Component, content) {
	inside := content{"pkg/run.sh": "#!/bin/sh\necho " + version + "\n", "pkg/lib/data.txt": "data of " + version, "pkg/README": "not wanted"}
	var files []File
	for _, name := range []string{"run.sh", "lib/data.txt"} {
		files = append(files, fileOf("bin/"+name, inside["pkg/"+name]))
	}
	return Component{
		Name: "tool", Version: version, Languages: []string{"lang"}, Archive: "tool.tgz",
		Source:   Source{Client: "npm", Packages: []string{"tool@" + version}, Size: "1 kB"},
		Layout:   []Move{{"pkg/", "bin/"}},
		Own:      map[string]string{"own.txt": "ours\n"},
		Programs: []string{"bin/run.sh"},
		Pinned:   FormatFiles(files),
	}, inside
}

func fileOf(path, text string) File {
	sum := sha256.Sum256([]byte(text))
	return File{Path: path, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

// tarball writes an archive; headers come before the files of inside.
func tarball(t *testing.T, inside content, headers ...tar.Header) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "tool.tgz"))
	must(t, err)
	zipped := gzip.NewWriter(file)
	w := tar.NewWriter(zipped)
	for _, h := range headers {
		must(t, w.WriteHeader(&h))
		_, err := w.Write(make([]byte, h.Size))
		must(t, err)
	}
	for name, text := range inside {
		must(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(text))
		must(t, err)
	}
	must(t, errors.Join(w.Close(), zipped.Close(), file.Close()))
	return file.Name()
}

// huge claims to hold more than fits on any disk.
func huge(t *testing.T) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "huge.tgz"))
	must(t, err)
	zipped := gzip.NewWriter(file)
	must(t, tar.NewWriter(zipped).WriteHeader(&tar.Header{Name: "pkg/run.sh", Typeflag: tar.TypeReg, Mode: 0o644, Size: maxUnpacked + 1}))
	must(t, errors.Join(zipped.Close(), file.Close()))
	return file.Name()
}

func zipped(t *testing.T, extension string, inside content) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "tool"+extension))
	must(t, err)
	w := zip.NewWriter(file)
	for name, text := range inside {
		f, err := w.Create(name)
		must(t, err)
		_, err = f.Write([]byte(text))
		must(t, err)
	}
	must(t, errors.Join(w.Close(), file.Close()))
	return file.Name()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// installer works on a store of its own.
func installer(t *testing.T) *Installer {
	t.Helper()
	return &Installer{Store: Store{Home: t.TempDir()}, Log: slog.New(slog.DiscardHandler), Report: func(Event) {}}
}

// install installs one component.
func install(t *testing.T, i *Installer, c Component, o Options) Outcome {
	t.Helper()
	done, err := i.Install(t.Context(), []Component{c}, o)
	must(t, err)
	return done[0]
}

// holds says what is in the store: nothing but the component of that version,
// whole, or nothing at all.
func holds(t *testing.T, i *Installer, c Component) {
	t.Helper()
	health, err := i.Store.Verify(t.Context(), c)
	must(t, err)
	if health.Condition != Whole || health.Version != c.Version {
		t.Errorf("the store holds %s %q, want %s whole", health.Condition, health.Version, c.Version)
	}
	onlyIn(t, i, lockFile, c.Name)
}

func onlyIn(t *testing.T, i *Installer, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(i.Store.Root())
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("the store holds %q, want %q", names, want)
	}
}

// refused wants an error of installing that says all of wants and has a hint.
func refused(t *testing.T, err error, wants ...string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.AdapterInstall || f.Hint == "" {
		t.Fatalf("error is %#v, want %s with a hint", err, fault.AdapterInstall)
	}
	for _, want := range wants {
		if text := f.Message + "\n" + f.Hint; !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestInstallFromArchives(t *testing.T) {
	c, inside := tool("1.0")
	for name, archive := range map[string]string{
		"tgz": tarball(t, inside), "whl": zipped(t, ".whl", inside), "vsix": zipped(t, ".vsix", inside), "zip": zipped(t, ".ZIP", inside),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", "") // no client and no network is needed
			i := installer(t)
			if done := install(t, i, c, Options{From: archive}); done.Err != nil || done.Version != "1.0" || done.Unchanged {
				t.Fatalf("outcome %+v", done)
			}
			holds(t, i, c)
			must(t, i.Store.Check("lang", c))
			if _, err := os.Stat(filepath.Join(i.Store.Dir("tool"), "bin", "README")); !isAbsent(err) {
				t.Errorf("a file that is not pinned was unpacked: %v", err)
			}
			if info, err := os.Stat(filepath.Join(i.Store.Dir("tool"), "bin", "run.sh")); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("the program cannot be run: %v, %v", info, err)
			}
		})
	}
}

func TestWhatIsThereIsLeftAlone(t *testing.T) {
	i := installer(t)
	c, inside := tool("1.0")
	archive := tarball(t, inside)
	must(t, install(t, i, c, Options{From: archive}).Err)
	if done := install(t, i, c, Options{}); !done.Unchanged || done.Err != nil {
		t.Errorf("outcome %+v", done)
	}
	next, inside := tool("2.0")
	done := install(t, i, next, Options{From: tarball(t, inside)})
	if done.Err != nil || done.Was != "1.0" || done.Version != "2.0" {
		t.Errorf("outcome %+v", done)
	}
	holds(t, i, next)

	// The same version with another file of ours.
	next.Own = map[string]string{"own.txt": "ours too\n"}
	if health, err := i.Store.Verify(t.Context(), next); err != nil || health.Condition != Outdated {
		t.Errorf("health %+v, %v", health, err)
	}
	archive = tarball(t, inside)
	if i.isInstalled(next, Options{}) {
		t.Error("the old build is left alone")
	}
	must(t, install(t, i, next, Options{From: archive}).Err)
	holds(t, i, next)
}

func TestArchivesThatClimbOutAreRefused(t *testing.T) {
	c, inside := tool("2.0")
	old, oldInside := tool("1.0")
	link := func(name, target string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: target, Mode: 0o777}
	}
	file := func(name string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: 4}
	}
	cases := map[string]struct{ archive, why string }{
		"parent":        {tarball(t, inside, file("../escaped")), "outside"},
		"deep parent":   {tarball(t, inside, file("pkg/../../escaped")), "outside"},
		"absolute":      {tarball(t, inside, file("/escaped")), "outside"},
		"backslash":     {tarball(t, inside, file(`pkg\..\..\escaped`)), "outside"},
		"link up":       {tarball(t, inside, link("pkg/lib", "../../..")), "leads outside"},
		"link absolute": {tarball(t, inside, link("pkg/lib", "/etc")), "leads outside"},
		"hard link":     {tarball(t, inside, tar.Header{Name: "pkg/lib", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}), "neither a file"},
		"device":        {tarball(t, inside, tar.Header{Name: "pkg/null", Typeflag: tar.TypeChar}), "neither a file"},
		"zip parent":    {zipped(t, ".zip", content{"../escaped": "text"}), "outside"},
		"zip absolute":  {zipped(t, ".zip", content{"/escaped": "text"}), "outside"},
		"a pinned link": {tarball(t, content{}, link("pkg/run.sh", "lib/data.txt")), "is a link"},
		"huge":          {huge(t), "more than"},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			i := installer(t)
			must(t, install(t, i, old, Options{From: tarball(t, oldInside)}).Err)
			refused(t, install(t, i, c, Options{From: tt.archive}).Err, tt.why)
			holds(t, i, old)
			for _, dir := range []string{i.Store.Home, filepath.Dir(i.Store.Home), "/"} {
				if _, err := os.Lstat(filepath.Join(dir, "escaped")); !isAbsent(err) {
					t.Errorf("%s/escaped: %v", dir, err)
				}
			}
		})
	}
}

func TestOtherContentsAreRefused(t *testing.T) {
	c, inside := tool("2.0")
	old, oldInside := tool("1.0")
	changed, short, foreign := content{}, content{}, content{"elsewhere/x": "y"}
	for name, text := range inside {
		changed[name], short[name] = text, text
	}
	changed["pkg/lib/data.txt"] = "data of 2.1"
	delete(short, "pkg/lib/data.txt")
	broken := filepath.Join(t.TempDir(), "broken.tgz")
	must(t, os.WriteFile(broken, []byte("no archive"), 0o644))
	cases := map[string]struct {
		archive string
		wants   []string
	}{
		"changed":    {tarball(t, changed), []string{"bin/lib/data.txt", "tool 2.0", "tool.tgz"}},
		"incomplete": {tarball(t, short), []string{"lacks", "bin/lib/data.txt"}},
		"foreign":    {tarball(t, foreign), []string{"holds nothing of tool"}},
		"broken":     {broken, []string{"broken.tgz"}},
		"no archive": {filepath.Join(t.TempDir(), "none.tgz"), []string{"none.tgz"}},
		"no kind":    {os.Args[0], []string{".whl"}},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			i := installer(t)
			must(t, install(t, i, old, Options{From: tarball(t, oldInside)}).Err)
			refused(t, install(t, i, c, Options{From: tt.archive}).Err, tt.wants...)
			holds(t, i, old)
		})
	}
}

func TestAVouchedArchiveIsTaken(t *testing.T) {
	i := installer(t)
	c, _ := tool("1.0")
	archive := tarball(t, content{"pkg/other.txt": "another build", "elsewhere/x": "y"})
	digest, err := digestOf(archive)
	must(t, err)
	refused(t, install(t, i, c, Options{From: archive, SHA256: strings.Repeat("0", 64)}).Err, digest)
	done := install(t, i, c, Options{From: archive, SHA256: strings.ToUpper(digest), Version: "1.5"})
	if done.Err != nil || done.Version != "1.5" {
		t.Fatalf("outcome %+v", done)
	}
	must(t, i.Store.Check("lang", c))
	health, err := i.Store.Verify(t.Context(), c)
	if err != nil || health.Condition != Outdated || health.Version != "1.5" {
		t.Errorf("health %+v, %v", health, err)
	}
}

func TestAnotherVersionIsRefused(t *testing.T) {
	c, _ := tool("1.0")
	refused(t, install(t, installer(t), c, Options{Version: "9"}).Err, "1.0", "9", "--sha256")
}

func TestDamageIsFoundAndMended(t *testing.T) {
	i := installer(t)
	c, inside := tool("1.0")
	archive := tarball(t, inside)
	must(t, install(t, i, c, Options{From: archive}).Err)
	data, run := filepath.Join(i.Store.Dir("tool"), "bin", "lib", "data.txt"), filepath.Join(i.Store.Dir("tool"), "bin", "run.sh")

	must(t, os.WriteFile(data, []byte("data of 9.9"), 0o644)) // of the same size
	must(t, i.Store.Check("lang", c))
	health, err := i.Store.Verify(t.Context(), c)
	if err != nil || health.Condition != Damage || !slices.Equal(health.Files, []string{"bin/lib/data.txt"}) {
		t.Errorf("health %+v, %v", health, err)
	}

	must(t, os.Remove(run))
	refused(t, i.Store.Check("lang", c), "bin/run.sh", "install --force lang")
	must(t, os.Remove(filepath.Join(i.Store.Dir("tool"), recordFile)))
	refused(t, i.Store.Check("lang", c), recordFile)

	must(t, install(t, i, c, Options{From: archive, Force: true}).Err)
	holds(t, i, c)
}

func TestMissingNamesTheCommand(t *testing.T) {
	s := Store{Home: t.TempDir()}
	err := s.Check("python", Component{Name: "debugpy"})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.AdapterNotFound || !strings.Contains(f.Hint, "aidb-mcp adapters install python") ||
		!strings.Contains(f.Hint, "adapter(action: install, language: python)") {
		t.Errorf("error is %#v", err)
	}
}

// What was interrupted is put right by whoever comes next.
func TestTidying(t *testing.T) {
	i := installer(t)
	c, inside := tool("1.0")
	must(t, install(t, i, c, Options{From: tarball(t, inside)}).Err)
	must(t, os.Rename(i.Store.Dir("tool"), filepath.Join(i.Store.Root(), oldPrefix+"tool")))
	must(t, os.MkdirAll(filepath.Join(i.Store.Root(), scratchPrefix+"123", "tool"), 0o755))
	if there, err := i.Remove(t.Context(), "nothing"); there || err != nil {
		t.Errorf("removed %v, %v", there, err)
	}
	holds(t, i, c)

	must(t, os.Mkdir(filepath.Join(i.Store.Root(), oldPrefix+"tool"), 0o755)) // the new one is in place already
	if there, err := i.Remove(t.Context(), "tool"); !there || err != nil {
		t.Errorf("removed %v, %v", there, err)
	}
	onlyIn(t, i, lockFile)
}

func TestACancelledInstallLeavesTheOld(t *testing.T) {
	i := installer(t)
	old, oldInside := tool("1.0")
	must(t, install(t, i, old, Options{From: tarball(t, oldInside)}).Err)
	c, inside := tool("2.0")
	ctx, cancel := context.WithCancel(t.Context())
	i.Report = func(e Event) { cancel() } // at the first file
	done, err := i.Install(ctx, []Component{c}, Options{From: tarball(t, inside)})
	if err != nil || !errors.Is(done[0].Err, context.Canceled) {
		t.Errorf("outcome %+v, %v", done, err)
	}
	holds(t, i, old)
}

func TestManyAtOnce(t *testing.T) {
	c, inside := tool("1.0")
	archive, home := tarball(t, inside), t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			i := &Installer{Store: Store{Home: home}, Log: slog.New(slog.DiscardHandler), Report: func(Event) {}}
			if done := install(t, i, c, Options{From: archive}); done.Err != nil {
				t.Error(done.Err)
			}
		})
	}
	all.Wait()
	holds(t, &Installer{Store: Store{Home: home}}, c)
}

func TestWaitingForAnotherInstallEndsWithTheCall(t *testing.T) {
	i := installer(t)
	unlock, err := i.lock(t.Context())
	must(t, err)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	waiting := &Installer{Store: i.Store, Log: i.Log, Report: func(e Event) {
		if !strings.Contains(e.Doing, "another installation") {
			t.Errorf("it said %q", e.Doing)
		}
		cancel()
	}}
	c, _ := tool("1.0")
	if _, err := waiting.Install(ctx, []Component{c}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestAStoreThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	i := installer(t)
	i.Store.Home = file
	c, _ := tool("1.0")
	_, err := i.Install(t.Context(), []Component{c}, Options{})
	refused(t, err, "AIDB_HOME")
}

// What cannot be read, for want of descriptors or rights, is not therefore missing.
func TestWhatCannotBeReadIsNotMissing(t *testing.T) {
	for _, file := range []string{versionFile, recordFile} {
		i := installer(t)
		c, inside := tool("1.0")
		must(t, install(t, i, c, Options{From: tarball(t, inside)}).Err)
		path := filepath.Join(i.Store.Dir("tool"), file)
		must(t, os.Remove(path))
		must(t, os.Mkdir(path, 0o755))
		refused(t, i.Store.Check("lang", c), "cannot be looked at", file)
		_, err := i.Store.Verify(t.Context(), c)
		refused(t, err, "cannot be looked at", file)
	}
}
