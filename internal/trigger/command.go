package trigger

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/system/process"
)

// run runs a command to its end. It dies with us, and with ctx.
func (s *Sent) run(ctx context.Context, words []string, o Options) {
	out, _, err := process.Run(ctx, process.Spec{
		Name: filepath.Base(words[0]), Path: words[0], Args: words[1:], Dir: o.Dir, Env: o.Env, Log: o.Log,
	})
	var ended *process.ExitError
	switch {
	case err == nil:
		ended = &process.ExitError{}
	case !errors.As(err, &ended):
		s.fail(err, true)
		return
	}
	shown, cut := shownText([]byte(o.Hide(string(out[:min(len(out), 4*firstBytes)]))), firstBytes)
	s.answer(func(answer *Outcome) {
		answer.FirstBytes, answer.Cut, answer.Signal = shown, cut, ended.Status.Signal
		if ended.Status.Signal == "" {
			answer.ExitCode = &ended.Status.Code
		}
		last := ended.Stderr
		if over := len(last) - lastBytes; over > 0 {
			last = "…" + strings.ToValidUTF8(last[over:], "")
		}
		answer.Stderr = o.Hide(last)
	})
}

// String is what is sent, in a few words.
func (r Request) String() string {
	switch {
	case r.HTTP != nil:
		return r.HTTP.method() + " " + shorten(r.HTTP.URL)
	case r.Stdin != nil:
		return fmt.Sprintf("%d bytes for standard input", len(*r.Stdin))
	}
	return shorten(strings.Join(r.Command, " "))
}

// shorten keeps the beginning of a text, in one line.
func shorten(text string) string { return shortened(text, 100) }

func shortened(text string, longest int) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}
