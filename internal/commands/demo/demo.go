// Package demo shows what the server is for: it starts the server as a child
// over real stdio, debugs a small program with a bug in it the way an agent
// would, and prints the conversation.
//
// The agent's words are written beforehand; the calls and their replies are
// real, and every step checks that the reply says what the words claim. The
// package knows the tools as any client does and nothing of what is behind them.
package demo

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Options say how to run the demonstration.
type Options struct {
	Server []string // command line of the server
	Out    io.Writer
	Color  bool
}

// limit bounds the whole demonstration; a first build of the standard library
// for debugging takes most of it.
const limit = 5 * time.Minute

//go:embed _shop/main.go
var shop []byte

// Run plays the demonstration. It fails when the server does not start, or when
// a reply does not show what it should.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	dir, err := writeProgram()
	if err != nil {
		return fmt.Errorf("write the program to debug: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	client, err := connect(ctx, o.Server, dir)
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	a := &agent{client: client, show: printer{out: o.Out, color: o.Color}}
	err = a.debug(ctx)
	if closing := client.Close(); err == nil && closing != nil {
		err = fmt.Errorf("end the server: %w", closing)
	}
	return err
}

// writeProgram puts the program into a directory of its own, as a module.
func writeProgram() (dir string, err error) {
	parent, err := os.MkdirTemp("", "aidb-demo-")
	if err != nil {
		return "", err
	}
	if parent, err = filepath.EvalSymlinks(parent); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(parent, "go.mod"), []byte("module example.com/shop\n\ngo 1.25\n"), 0o600); err != nil {
		return "", err
	}
	return parent, os.WriteFile(filepath.Join(parent, "main.go"), shop, 0o600)
}
