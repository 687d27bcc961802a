package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"

	"aidb-mcp/dap"
	"aidb-mcp/internal/text/secret"
)

// openLog makes the logger: to a file, else to standard error, in colour on a
// terminal. Standard output belongs to MCP.
func (a *app) openLog() error {
	out := a.stderr
	if a.logFile != "" {
		file, err := os.OpenFile(a.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("opening the log: %w", err)
		}
		a.closers = append(a.closers, file)
		out = file
	}
	var written slog.Handler = slog.NewTextHandler(out, &slog.HandlerOptions{Level: a.logLevel})
	if isTerminal(out) {
		written = tint.NewTextHandler(out, &tint.Options{Level: a.logLevel, TimeFormat: "15:04:05.000"})
	}
	a.log = slog.New(secret.Handler(written, a.mask))
	return nil
}

// openTrace opens the trace of the adapters' messages, if one is wanted.
func (a *app) openTrace() error {
	if a.traceFile == "" {
		return nil
	}
	name := a.traceFile
	if a.worker != "" {
		name += "." + a.worker // each worker of a gateway its own
	}
	// Program data may be secret: for this user only.
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the trace: %w", err)
	}
	a.closers = append(a.closers, file)
	a.trace = dap.NewTracer(file, a.mask.JSON)
	return nil
}

// isTerminal says whether a stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
