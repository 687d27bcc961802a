// Package shell lets a person make tool calls at a terminal, or a script line by
// line: a tool's name with its arguments, the reply as a model reads it.
//
// It knows nothing of debugging; the tools, their parameters and their values are
// what the server says.
package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"aidb-mcp/internal/mcp/caller"
	"aidb-mcp/internal/project/source"
)

// Server is what calls are made of.
type Server interface {
	Call(ctx context.Context, tool string, arguments json.RawMessage) (caller.Reply, error)
	Read(ctx context.Context, uri string) (string, error)
	Tool(name string) (caller.Tool, bool)
	Tools() []caller.Tool
	Names() []string
}

// Lines is where lines come from.
type Lines interface {
	// Next is the next line; more says that it goes on with the one before.
	// It ends with io.EOF, and with ErrDropped where the person has dropped what
	// was begun.
	Next(ctx context.Context, more bool) (string, error)
	// During runs a call, whose context ends when the person gives up on it.
	During(ctx context.Context, call func(context.Context))
}

// ErrDropped says that what was begun is not to be gone on with.
var ErrDropped = errors.New("dropped")

// Shell is one shell.
type Shell struct {
	Server Server
	Lines  Lines
	Out    io.Writer
	Show   func(text string) string // what the terminal is given of a reply

	session string // that of the last reply that was about one
}

const help = `TOOL name=value …      make a call; a value with spaces in "quotes"; as in step out, a name may be left out
TOOL {"name": "value"} the same as JSON, on as many lines as it takes
tools                  the tools
help TOOL              what a tool does, and its parameters
transcript             what was asked and found in this session, as Markdown, for a report
exit                   end the shell, its sessions and their programs`

// Run makes calls until the lines end. It fails if any call has.
func (s *Shell) Run(ctx context.Context) error {
	made, failed := 0, 0
	for {
		line, err := s.read(ctx)
		switch {
		case errors.Is(err, ErrDropped):
			continue
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			if failed > 0 {
				return fmt.Errorf("%d of %d calls failed", failed, made)
			}
			return ctx.Err()
		case err != nil:
			return err
		}
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "", "#":
		case "exit", "quit":
			return nil
		case "tools":
			s.list()
		case "transcript":
			s.transcript(ctx, strings.TrimSpace(rest))
		case "help", "?":
			s.help(strings.TrimSpace(rest))
		default:
			made++
			if !s.call(ctx, word, rest) {
				failed++
			}
		}
	}
}

// read is the next line, with those that belong to it.
func (s *Shell) read(ctx context.Context) (string, error) {
	line, err := s.Lines.Next(ctx, false)
	for err == nil {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		tool, known := s.Server.Tool(word)
		if !known {
			return line, nil
		}
		if _, unfinished := tool.Arguments(rest); !errors.Is(unfinished, caller.ErrUnfinished) {
			return line, nil
		}
		var next string
		next, err = s.Lines.Next(ctx, true)
		if errors.Is(err, io.EOF) || err == nil && strings.TrimSpace(next) == "" {
			return line, nil // it is told what is missing
		}
		line += "\n" + next
	}
	return "", err
}

// call makes a call and says whether it went well.
func (s *Shell) call(ctx context.Context, name, rest string) bool {
	tool, known := s.Server.Tool(name)
	if !known {
		otherwise := `"tools" lists them, "help" says how to call them`
		if like := source.Closest(name, append(s.Server.Names(), "help", "tools", "transcript", "exit"), 1); len(like) > 0 {
			otherwise = "did you mean " + like[0] + "?"
		}
		s.say("there is no tool %q: %s", name, otherwise)
		return false
	}
	arguments, err := tool.Arguments(rest)
	if errors.Is(err, caller.ErrUnfinished) {
		err = errors.New("a quote, a bracket or a brace is not closed")
	}
	if err != nil {
		s.say("%s", err)
		return false
	}
	well := false
	s.Lines.During(ctx, func(ctx context.Context) {
		reply, err := s.Server.Call(ctx, name, arguments)
		switch {
		case ctx.Err() != nil:
			s.say("the call was given up; the program is as it was, and session status says how")
		case err != nil:
			s.say("%s", err)
		default:
			if well = !reply.IsError; reply.About() != "" {
				s.session = reply.About()
			}
			s.say("%s", strings.TrimRight(s.Show(reply.Text), "\n"))
		}
	})
	return well
}

// transcript shows what was asked and found in a session.
func (s *Shell) transcript(ctx context.Context, session string) {
	if session == "" {
		session = s.session
	}
	if session == "" {
		s.say("there is no session yet: session_start begins one")
		return
	}
	text, err := s.Server.Read(ctx, "aidb://session/"+session+"/transcript")
	if err != nil {
		s.say("%s", err)
		return
	}
	s.say("%s", strings.TrimRight(s.Show(text), "\n"))
}

func (s *Shell) list() {
	for _, t := range s.Server.Tools() {
		about, _, _ := strings.Cut(strings.TrimSpace(t.About), "\n")
		if sentence, _, more := strings.Cut(about, ". "); more {
			about = sentence + "."
		}
		s.say("%-14s %s", t.Name, about)
	}
}

func (s *Shell) help(name string) {
	if name == "" {
		s.say("%s", help)
		return
	}
	tool, known := s.Server.Tool(name)
	if !known {
		s.say(`there is no tool %q: "tools" lists them`, name)
		return
	}
	s.say("%s", strings.TrimRight(tool.Help(), "\n"))
}

func (s *Shell) say(format string, args ...any) { _, _ = fmt.Fprintf(s.Out, format+"\n", args...) }
