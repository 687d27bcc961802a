package install

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/fault"
)

// Event is how far an installation is.
type Event struct {
	Component string
	Doing     string // "fetching …", "unpacking"
	Done      int64  // bytes
	Total     int64  // bytes, 0 if unknown
	Step      int    // how many things are done before this one,
	Steps     int    // of how many; 0 if unknown
}

// Installer changes what the store holds. Several may work on one store, in one
// process or in many: they take turns.
type Installer struct {
	Store  Store
	Log    *slog.Logger
	Report func(Event) // told of progress; never nil
}

// Options say how to install.
type Options struct {
	Force   bool   // also what is there and whole
	Version string // only this one; empty: the pinned one
	From    string // a downloaded archive instead of the package client
	SHA256  string // of that archive: trust it in place of the pins
}

// Outcome is what became of one component.
type Outcome struct {
	Component string
	Version   string
	Was       string // version that was there before
	Dir       string
	Unchanged bool // it was there, whole and of this version
	Err       error
}

// Install brings the components into the store, one after the other: the failure
// of one does not keep the others out. The old state of a component stays until
// the new one is complete. The error is one that concerns them all.
func (i *Installer) Install(ctx context.Context, list []Component, o Options) ([]Outcome, error) {
	unlock, err := i.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	scratch, err := os.MkdirTemp(i.Store.Root(), scratchPrefix)
	if err != nil {
		return nil, i.failure(err)
	}
	defer os.RemoveAll(scratch)
	fetcher := &fetcher{log: i.Log, dir: scratch, stall: stallLimit, done: map[string]fetched{}}
	var outcomes []Outcome
	for _, c := range list {
		done := Outcome{Component: c.Name, Version: c.Version, Dir: i.Store.Dir(c.Name)}
		done.Was, _ = i.Store.Installed(c.Name)
		if done.Unchanged = i.isInstalled(c, o); !done.Unchanged {
			done.Version, done.Err = i.install(ctx, c, o, fetcher, scratch)
		}
		outcomes = append(outcomes, done)
	}
	return outcomes, nil
}

// isInstalled says that a component is there as it should be, so that there is nothing to do.
func (i *Installer) isInstalled(c Component, o Options) bool {
	if o.Force || o.From != "" || cmp.Or(o.Version, c.Version) != c.Version || !i.Store.current(c) {
		return false
	}
	files, err := i.Store.damagedFiles(c)
	return err == nil && len(files) == 0
}

// install replaces one component and answers with the version that is there then.
func (i *Installer) install(ctx context.Context, c Component, o Options, fetcher *fetcher, scratch string) (string, error) {
	version, pins, err := expectedFiles(c, o)
	if err != nil {
		return "", err
	}
	archives := []string{o.From}
	if o.From == "" {
		if archives, err = fetcher.fetch(ctx, c.Source, func(doing string) { i.Report(Event{Component: c.Name, Doing: doing}) }); err != nil {
			return "", i.failure(err)
		}
	}
	dir := filepath.Join(scratch, c.Name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", i.failure(err)
	}
	files, err := unpack(ctx, c, archives, dir, pins, func(done, total int64) {
		i.Report(Event{Component: c.Name, Doing: "unpacking", Done: done, Total: total})
	})
	if err != nil {
		return "", i.refusal(c, o, err)
	}
	if err := i.Store.put(c.Name, version, files, dir); err != nil {
		return "", i.failure(err)
	}
	return version, nil
}

// expectedFiles says which version will be there, and what its files must be: pinned,
// or anything in an archive whose digest the user vouches for.
func expectedFiles(c Component, o Options) (version string, pins []File, err error) {
	if o.SHA256 != "" {
		got, err := digestOf(o.From)
		if err != nil {
			return "", nil, unreadable(o.From, err)
		}
		if !strings.EqualFold(got, o.SHA256) {
			return "", nil, fault.New(fault.AdapterInstall, "the SHA-256 of %s is %s, not %s", filepath.Base(o.From), got, o.SHA256).
				WithHint("nothing was installed: download the archive again and compare the digest with the one that its publisher states")
		}
		return cmp.Or(o.Version, "sha256:"+got[:12]), nil, nil
	}
	if o.From != "" {
		if _, err := os.Stat(o.From); err != nil {
			return "", nil, unreadable(o.From, err)
		}
	}
	if o.Version != "" && o.Version != c.Version {
		return "", nil, fault.New(fault.AdapterInstall, "%s is pinned to version %s here, not %s", c.Name, c.Version, o.Version).WithField("version").
			WithHint("leave out version, or install a downloaded archive of another version: aidb-mcp adapters install --from FILE --sha256 DIGEST --version %s %s", o.Version, c.Name)
	}
	if !c.available(platform()) {
		return "", nil, fault.New(fault.AdapterInstall, "%s is not pinned for %s", c.Name, platform()).WithHint("%s", c.elsewhere())
	}
	pins, err = c.Pins()
	if err != nil {
		return "", nil, err
	}
	return c.Version, pins, nil
}

func unreadable(file string, err error) error {
	return fault.New(fault.AdapterInstall, "the archive cannot be read: %w", err).WithHint("--from wants the path of a downloaded archive, not %q", file)
}

// failure makes an error of our own out of what went wrong.
func (i *Installer) failure(err error) error {
	var known *fault.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.New(fault.AdapterInstall, "%w", err).
		WithHint("adapters are kept in %s: see that it can be written and that the disk has room; AIDB_HOME names another place", i.Store.Root())
}

// refusal says why an archive was not taken.
func (i *Installer) refusal(c Component, o Options, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	f := fault.New(fault.AdapterInstall, "%s was not installed: %w", c.Name, err)
	if o.From != "" {
		return f.WithHint("wanted is %s; --sha256 DIGEST takes another build of it", c.Archive)
	}
	return f.WithHint("what %s fetches is not what was pinned: see where it fetches from (`%s`), or install a downloaded archive with --from FILE: %s",
		c.Source.Client, clients()[c.Source.Client].where, c.Archive)
}
