package delve

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

const maxBuildOutput = 2000 // bytes told of what the go command wrote

// buildError explains why there is no program.
func (a *adapter) buildError(ctx context.Context, j job, c code, stderr []byte, err error) error {
	var exit *process.ExitError
	switch {
	case errors.Is(context.Cause(ctx), errBuildTime):
		return fault.New(fault.BuildFailed, "the build took longer than %s and was ended", a.BuildTimeout).
			WithHint("build it yourself with -gcflags='all=-N -l' and debug the binary with mode exec")
	case ctx.Err() != nil:
		f := fault.New(fault.Cancelled, "the build was cancelled")
		f.Err = context.Cause(ctx)
		return f
	case !errors.As(err, &exit):
		return fault.New(fault.BuildFailed, "running the go command: %w", err)
	}
	if err := j.cacheTrouble(string(stderr)); err != nil {
		return fault.New(fault.BuildFailed, "the go command cannot write its cache: %w", err).
			WithHint("see that the directory can be written, or set GOCACHE to another")
	}
	found := parseCompileErrors(string(stderr), func(file string) string {
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.from, file)
		}
		return strings.TrimPrefix(prepare.Show(j.Request, file), "."+string(filepath.Separator))
	})
	if len(found) > 0 {
		return prepare.BuildFailure(found, "").WithHint("%s", buildHint(string(stderr)))
	}
	text := shortenText(string(stderr))
	return fault.New(fault.BuildFailed, "the build failed: %s", cmp.Or(firstLine(text), err.Error())).
		WithHint("%s", buildHint(text)).WithDetails(prepare.BuildDetails{Output: text})
}

// unknownStd is how the go command fails that cannot write its cache: it denies
// the packages of its own library, whose directories are there.
var unknownStd = pattern.New(`package \S+ is not in std \((.+)\)`)

// cacheTrouble says what is wrong with the cache, if that is why a build failed.
func (j job) cacheTrouble(stderr string) error {
	m := unknownStd.FindStringSubmatch(stderr)
	if m == nil || !prepare.IsDir(m[1]) {
		return nil
	}
	cache := prepare.Lookup(j.env, "GOCACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		cache = filepath.Join(user, "go-build")
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(cache, "aidb-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	_, err = f.Write(make([]byte, probeSize))
	return err
}

// probeSize is how much of a cache a write must find room for: what the go
// command keeps of its library is larger.
const probeSize = 64 << 10

// buildHint names the remedy of those failures that are not the program's.
func buildHint(text string) string {
	switch {
	case strings.Contains(text, "go mod tidy") || strings.Contains(text, "missing go.sum entry") || strings.Contains(text, "no required module provides"):
		return "run `go mod tidy` (or the go get that the message names) in the module's directory, then start again"
	case strings.Contains(text, "go.mod file not found") || strings.Contains(text, "cannot find main module"):
		return "the target is in no module: give a .go file, or run `go mod init` there"
	case strings.Contains(text, "inconsistent vendoring"):
		return `run "go mod vendor", or give {"build_args":["-mod=mod"]}`
	case strings.Contains(text, "requires go >= "):
		return "the module wants a newer Go: name it with runtime_path, or allow its download with env GOTOOLCHAIN=auto"
	}
	return "mend the source, then start again"
}

// position is how the compiler begins a message: file:line:column: or file:line:.
var position = pattern.New(`^(?:vet: )?(\S.*?\.(?:go|s|c|h|cc|cpp|mod|work|sum)):(\d+)(?::(\d+))?: (.*)$`)

// parseCompileErrors reads the messages with a position. Lines that begin with
// a tab go on with the message before.
func parseCompileErrors(text string, locate func(file string) string) []prepare.CompileError {
	var found []prepare.CompileError
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := position.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "\t") && len(found) > 0 {
				found[len(found)-1].Message += " " + strings.TrimSpace(line)
			}
			continue
		}
		e := prepare.CompileError{File: locate(m[1]), Message: m[4]}
		e.Line, _ = strconv.Atoi(m[2])
		e.Column, _ = strconv.Atoi(m[3]) // absent is 0
		if e.Message != "" && !strings.HasPrefix(e.Message, "too many errors") {
			found = append(found, e)
		}
	}
	return found
}

func shortenText(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxBuildOutput {
		text = strings.ToValidUTF8(text[:maxBuildOutput], "") + "…"
	}
	return text
}
