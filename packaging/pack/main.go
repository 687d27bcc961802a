// Command pack makes packages of built binaries: of the snapshot or release that
// GoReleaser has made, or of one binary of this platform.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/packaging"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dist := flags.String("dist", "", "GoReleaser's `directory`; its binaries are packed into packages below it, and its provenance is written")
	binary := flags.String("binary", "", "the `file` to pack, built for this platform")
	out := flags.String("out", "", "`directory` for the packages")
	url := flags.String("url", "", "`address` from which the files will be fetched; bundles are listed in server.json only with it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	builds := []packaging.Build{{OS: runtime.GOOS, Arch: runtime.GOARCH, Path: *binary}}
	if *dist != "" {
		var err error
		if builds, err = packaging.ReadBuilds(*dist); err != nil {
			return fmt.Errorf("read what GoReleaser has built: %w", err)
		}
		if *out == "" {
			*out = filepath.Join(*dist, "packages")
		}
	}
	if *out == "" || builds[0].Path == "" {
		return fmt.Errorf("want --dist, or --binary and --out; %q is given", args)
	}
	release, err := describe(builds)
	if err != nil {
		return err
	}
	release.URL = *url
	names, err := packaging.Pack(release, *out)
	if err != nil {
		return err
	}
	if *dist != "" {
		if err := packaging.Provenance(release, *dist); err != nil {
			return fmt.Errorf("write the provenance: %w", err)
		}
	}
	fmt.Fprintf(stdout, "%s in %s:\n  %s\n", release.Version, *out, strings.Join(names, "\n  "))
	return nil
}

// describe reads the version and the revision where Go has put them when it built:
// into the binaries. All must be of one.
func describe(builds []packaging.Build) (packaging.Release, error) {
	r := packaging.Release{Builds: builds}
	for i, b := range builds {
		info, err := buildinfo.ReadFile(b.Path)
		if err != nil {
			return r, fmt.Errorf("read what %s is made of: %w", b.Path, err)
		}
		version := packaging.Semantic(info.Main.Version)
		if i > 0 && version != r.Version {
			return r, fmt.Errorf("%s is version %s, but %s is %s", b.Path, version, builds[0].Path, r.Version)
		}
		r.Version, r.GoVersion = version, info.GoVersion
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				r.Revision = s.Value
			case "vcs.time":
				if r.Time, err = time.Parse(time.RFC3339, s.Value); err != nil {
					return r, fmt.Errorf("read the time of the revision: %w", err)
				}
			}
		}
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return r, fmt.Errorf("SOURCE_DATE_EPOCH=%s: want seconds since 1970", epoch)
		}
		r.Time = time.Unix(seconds, 0)
	}
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		return r, fmt.Errorf("%w; run this where the source is", err)
	}
	r.License = string(text)
	return r, nil
}
