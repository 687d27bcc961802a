package install

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// fetchLimit bounds one run of a package client.
const fetchLimit = 10 * time.Minute

// stallLimit is how long a registry may say nothing before its client asks
// again. npm would wait for five minutes, and Maven for thirty.
const stallLimit = 20 * time.Second

// client is a package client of the user's: it knows mirrors, proxies and
// credentials, so that we need not.
type client struct {
	ways   [][]string                                     // command lines to try; the first whose program is there is taken
	args   func(packages []string, stall string) []string // stall: how long a registry may say nothing, in milliseconds
	env    []string
	result string           // pattern of what it leaves in its working directory
	get    string           // how to come by the client, for people
	where  string           // shows where it fetches from
	reason *pattern.Pattern // finds what counts in what it says when it fails
}

// What the clients say when they fail; the rest is advice and stack traces.
var (
	pipReason = pattern.New(`(Failed to establish a new connection: [^']*|Read timed out[^']*|certificate verify failed[^)]*|ERROR: .*)`)
	npmReason = pattern.New(`^npm (?:error|ERR!) (code \S+|\w*Error: .*|\d{3} .*|notarget No .*)`)
	mvnReason = pattern.New(`\[ERROR\] (?:Failed to execute goal [^:]*:[^:]*:[^:]*:\S+ )?(.*(?:Unable|Could not|Cannot|Unknown|refused|No ).*)`)
)

// clients by name.
func clients() map[string]client {
	return map[string]client{
		"pip": {
			ways: [][]string{
				{"python3", "-m", "pip"}, {"pip3"}, {"pip"}, {"python", "-m", "pip"}, {"py", "-m", "pip"},
				{"uv", "tool", "run", "pip"},
			},
			// The wheel without machine code is the same file for all platforms and
			// Pythons. pip asks again by itself, after 15 seconds.
			args: func(packages []string, _ string) []string {
				return append([]string{
					"download", "--no-deps", "--only-binary=:all:", "--platform", "any",
					"--implementation", "py", "--abi", "none", "--python-version", "3.13",
				}, packages...)
			},
			env:    []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_PROGRESS_BAR=off"},
			result: "*.whl",
			get:    "install Python with pip (apt-get install python3-pip), or uv",
			where:  "pip config list",
			reason: pipReason,
		},
		"npm": {
			ways: [][]string{{"npm"}},
			args: func(packages []string, stall string) []string {
				return append([]string{"pack", "--ignore-scripts", "--no-update-notifier", "--loglevel=error", "--fetch-timeout=" + stall}, packages...)
			},
			result: "*.tgz",
			get:    "install Node.js, which brings npm",
			where:  "npm config get registry",
			reason: npmReason,
		},
		"mvn": {
			ways: [][]string{{"mvn"}},
			args: func(packages []string, stall string) []string {
				return []string{
					"-q", "-B", "-Dstyle.color=never", "dependency:copy", "-DoutputDirectory=.", "-Dmdep.useBaseVersion=true",
					"-Dartifact=" + packages[0],
					// Maven up to 3.8 would not ask again; the last is for those after it.
					"-Dmaven.wagon.rto=" + stall, "-Dmaven.wagon.http.retryHandler.class=default", "-Dmaven.wagon.http.retryHandler.count=1",
					"-Dmaven.wagon.http.retryHandler.nonRetryableClasses=javax.net.ssl.SSLException",
					"-Daether.connector.requestTimeout=" + stall,
				}
			},
			result: "*.jar",
			get:    "install Maven",
			where:  "mvn help:effective-settings",
			reason: mvnReason,
		},
	}
}

// fetcher runs package clients, each source once.
type fetcher struct {
	log   *slog.Logger
	dir   string        // each fetch gets a folder in it
	stall time.Duration // how long a registry may say nothing
	done  map[string]fetched
}

// fetched is what came of a source.
type fetched struct {
	files []string
	err   error
}

// fetch answers with the fetched files.
func (f *fetcher) fetch(ctx context.Context, s Source, progress func(string)) ([]string, error) {
	key := strings.Join(s.Packages, ", ") + " with " + s.Client
	if got, ok := f.done[key]; ok {
		return got.files, got.err
	}
	files, err := f.run(ctx, s, func() { progress(fmt.Sprintf("fetching %s (%s)", key, s.Size)) })
	f.done[key] = fetched{files, err}
	return files, err
}

func (f *fetcher) run(ctx context.Context, s Source, begin func()) ([]string, error) {
	c := clients()[s.Client]
	command, err := c.command(ctx)
	if err != nil {
		return nil, err
	}
	begin()
	dir, err := os.MkdirTemp(f.dir, "fetch-")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, fetchLimit, fmt.Errorf("it took longer than %s", fetchLimit))
	defer cancel()
	out, errs, err := process.Run(ctx, process.Spec{
		Name: s.Client, Path: command[0], Args: append(command[1:], c.args(s.Packages, strconv.FormatInt(f.stall.Milliseconds(), 10))...),
		Dir: dir, Env: append(os.Environ(), c.env...), Log: f.log,
	})
	if err != nil {
		return nil, c.failure(command, s, c.explain(err, string(errs)+"\n"+string(out)))
	}
	files, err := filepath.Glob(filepath.Join(dir, c.result))
	if err != nil || len(files) == 0 {
		return nil, c.failure(command, s, errors.New("it ended well but left no package"))
	}
	return files, nil
}

// command finds the client on this machine. A Python may be there without its
// pip, and shims of version managers without what they stand for: each way is tried.
func (c client) command(ctx context.Context) ([]string, error) {
	var tried []string
	for _, way := range c.ways {
		said := "not there"
		if _, err := exec.LookPath(way[0]); err == nil {
			if len(way) == 1 {
				return way, nil
			}
			_, _, err := process.Run(ctx, process.Spec{Name: way[0], Path: way[0], Args: append(way[1:], "--version")})
			if err == nil {
				return way, nil
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			said = plainError(err).Error()
		}
		tried = append(tried, strings.Join(way, " ")+": "+said)
	}
	return nil, fault.New(fault.AdapterInstall, "no package client to fetch it with was found (%s)", strings.Join(tried, "; ")).
		WithHint("%s", c.get)
}

// failure tells a client's failure with its own last words.
func (c client) failure(command []string, s Source, err error) error {
	what := strings.Join(command, " ") + " could not fetch " + strings.Join(s.Packages, ", ")
	return fault.New(fault.AdapterInstall, "%s: %w", what, err).
		WithHint("check the network, the proxy and where the client fetches from (`%s`), and try again", c.where)
}

// explain finds the reasons in what a client said.
func (c client) explain(err error, said string) error {
	if line := fault.Telling(said); line != "" {
		return errors.New(line)
	}
	const most = 3
	var reasons []string
	for line := range strings.Lines(said) {
		m := c.reason.FindStringSubmatch(strings.TrimSpace(line))
		if m != nil && len(reasons) < most && !slices.Contains(reasons, m[1]) {
			reasons = append(reasons, m[1])
		}
	}
	if len(reasons) == 0 {
		return plainError(err)
	}
	return errors.New(strings.Join(reasons, "; "))
}

// plainError puts what a command said in place of how it ended.
func plainError(err error) error {
	var exit *process.ExitError
	if errors.As(err, &exit) {
		return errors.New(lastWords(exit.Stderr, exit.Status.String()))
	}
	return err
}

// lastWords are the few last lines that say something.
func lastWords(stderr, otherwise string) string {
	const most = 4
	var said []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line != "" {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return otherwise
	}
	text := strings.Join(said[max(0, len(said)-most):], "; ")
	const longest = 600
	if len(text) > longest {
		text = "…" + strings.ToValidUTF8(text[len(text)-longest:], "")
	}
	return text
}
