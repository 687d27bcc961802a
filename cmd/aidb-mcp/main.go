// Command aidb-mcp is an MCP server that debugs programs for AI agents.
//
// Here is only what a command line is: flags, logs, subcommands. How debugging
// works is not known here.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"aidb-mcp/adapters/delve"
)

func main() {
	// The debug adapter is this same binary, started again. (So is the supervisor,
	// which has begun its work before main: see internal/system/process.)
	delve.Reexec()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // SIGHUP: see prepare
	context.AfterFunc(ctx, stop)                                                           // a second signal ends us at once
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "aidb-mcp:", err)
		os.Exit(1)
	}
}

// run is the whole program; ctx ends with the first signal.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, args: args}
	defer a.close()
	root := newRootCommand(a)
	root.SetArgs(args)
	var refused error
	refuseInstead(root, &refused)
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	return refused
}
