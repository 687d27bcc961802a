package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

//go:embed _program/main.go
var programText string

// program is what is debugged: its sources in a module of their own, and a
// binary of them built for debugging.
type program struct {
	dir    string
	file   string
	line   int // of the breakpoint
	binary string
}

func buildProgram(ctx context.Context) (*program, error) {
	dir, err := os.MkdirTemp("", "aidb-bench-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	p := &program{dir: dir, file: filepath.Join(dir, "main.go")}
	before, _, _ := strings.Cut(programText, "\tsum := 0\n")
	p.line = 1 + strings.Count(before, "\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/bench\n\ngo 1.25\n"), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.file, []byte(programText), 0o600); err != nil {
		return nil, err
	}
	p.binary, _, err = p.build(ctx)
	return p, err
}

// build makes a fresh binary with the same flags as the server does for each
// session; done removes it.
func (p *program) build(ctx context.Context) (binary string, done func(), err error) {
	dir, err := os.MkdirTemp(p.dir, "bin-")
	if err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "program")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-gcflags=all=-N -l", "-ldflags=-compressdwarf=false", "-o", binary, ".")
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, func() { _ = os.RemoveAll(dir) }, nil
}
