package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aidb-mcp/internal/mcp/caller"
	"aidb-mcp/internal/system/boundedfile"
)

// serverFlags say which server call and shell speak to.
type serverFlags struct{ url, tokenFile, ca string }

func (f *serverFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "url", "", "a running server, as of connect: `http://…`, https://… or unix:PATH (default: a server of its own)")
	flags.StringVar(&f.tokenFile, "token-file", "", "with --url: as of connect")
	flags.StringVar(&f.ca, "tls-ca", "", "with --url: as of connect")
}

func newCallCommand(a *app) *cobra.Command {
	var f serverFlags
	asJSON := false
	call := &cobra.Command{
		Use:   "call TOOL [JSON | @FILE | - | NAME=VALUE...]",
		Short: "Make one tool call, and print the reply that an agent would read",
		Long: "Makes one tool call and prints the reply that an agent would read. Exits with 1 when the call fails.\n" +
			"The arguments are a JSON object, that of a file (@FILE), that of standard input (- or a pipe), or words such as target=locals.\n" +
			"A server of its own ends with the call, and so does the session that the call starts: aidb-mcp shell keeps it.",
		Example: "  aidb-mcp call diagnose '{\"target\": \".\"}'\n" +
			"  aidb-mcp call trace what=calls functions=parse target=./cmd/import\n" +
			"  aidb-mcp call init --json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.call(cmd, f, args[0], args[1:], asJSON)
		},
	}
	f.bind(call.Flags())
	call.Flags().BoolVar(&asJSON, "json", false, "print the reply as JSON")
	return call
}

// errFailed ends a program whose reply has said already what is wrong.
var errFailed = errors.New("the call failed, see above")

func (a *app) call(cmd *cobra.Command, f serverFlags, name string, words []string, asJSON bool) error {
	text, isObject, err := a.given(words)
	if err != nil {
		return err
	}
	c, err := a.connectTo(cmd.Context(), cmd, f, "aidb-mcp call", false)
	if err != nil {
		return err
	}
	defer c.Close()
	tool, known := c.Tool(name)
	if !known {
		return fmt.Errorf("there is no tool %q: %s", name, meant(name, c.Names(), "the tools are "+strings.Join(c.Names(), ", ")))
	}
	arguments := json.RawMessage(text)
	if !isObject {
		if arguments, err = tool.Words(words); err != nil {
			return err
		}
	}
	reply, err := c.Call(cmd.Context(), name, arguments)
	if err != nil {
		return err
	}
	if err := a.printReply(reply, asJSON); err != nil {
		return err
	}
	if session := reply.Session(); session != "" && !reply.IsError {
		_, _ = fmt.Fprintf(a.stderr, "the session %s ends with this call; aidb-mcp shell keeps sessions from call to call\n", session)
	}
	if reply.IsError {
		return errFailed
	}
	return nil
}

// given is the object that the words of a command line stand for, if they do.
func (a *app) given(words []string) (text []byte, isObject bool, err error) {
	switch {
	case len(words) == 0:
		if !isInput(a.stdin) {
			return []byte("{}"), true, nil
		}
		words = []string{"-"}
	case len(words) > 1:
		return nil, false, nil
	}
	from := "the arguments"
	switch file, isFile := strings.CutPrefix(words[0], "@"); {
	case words[0] == "-":
		from = "standard input"
		if text, err = io.ReadAll(io.LimitReader(a.stdin, largestArguments)); err != nil {
			return nil, false, fmt.Errorf("reading standard input: %w", err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			text = []byte("{}")
		}
	case isFile:
		from = file
		if text, err = boundedfile.ReadText(file); err != nil {
			return nil, false, fmt.Errorf("reading the arguments: %w", err)
		}
	case strings.HasPrefix(strings.TrimSpace(words[0]), "{"):
		text = []byte(words[0])
	default:
		return nil, false, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			line := 1 + bytes.Count(text[:max(0, wrong.Offset-1)], []byte("\n"))
			return nil, false, fmt.Errorf("%s: line %d: this is no JSON: %w", from, line, err)
		}
		return nil, false, fmt.Errorf("%s: want a JSON object, such as {\"target\": \".\"}", from)
	}
	return text, true, nil
}

// largestArguments is the most that is read from standard input, in bytes.
const largestArguments = 8 << 20

// isInput says whether something is written to us: a file or a pipe, and no
// terminal and no device.
func isInput(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

func (a *app) printReply(r caller.Reply, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(a.stdout, strings.TrimRight(a.shown(r.Text), "\n"))
		return err
	}
	if len(r.JSON) == 0 {
		return errors.New("this server sends no JSON: start it with --replies both")
	}
	var out bytes.Buffer
	if err := json.Indent(&out, r.JSON, "", "  "); err != nil {
		return fmt.Errorf("reading the reply: %w", err)
	}
	_, err := fmt.Fprintln(a.stdout, out.String())
	return err
}

// shown is a text as a terminal is given it: what a program prints must not move
// its cursor.
func (a *app) shown(text string) string {
	if !isTerminal(a.stdout) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return '␀' + r
		}
		if r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, text)
}

// connectTo starts a server of our own, held to the flags of this command line, or
// the bridge to a running one.
func (a *app) connectTo(ctx context.Context, cmd *cobra.Command, f serverFlags, name string, alone bool) (*caller.Caller, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this binary: %w", err)
	}
	command := []string{self, "serve", "--replies=both"}
	given := givenFlags(cmd.Root().PersistentFlags(), []string{"replies", "store"})
	if f.url != "" {
		if i := slices.IndexFunc(given, func(flag string) bool { return !ofEveryCommand(flag) }); i >= 0 {
			return nil, fmt.Errorf("%s is for a server of one's own: the one at %s has its own settings", given[i], f.url)
		}
		command = []string{self, "connect", f.url}
		for _, flag := range [][2]string{{"--token-file=", f.tokenFile}, {"--tls-ca=", f.ca}} {
			if flag[1] != "" {
				command = append(command, flag[0]+flag[1])
			}
		}
	} else if f.tokenFile != "" || f.ca != "" {
		return nil, errors.New("--token-file and --tls-ca go with --url")
	}
	o := caller.Options{
		Command: append(command, given...), Errors: a.stderr, Alone: alone, Name: name, Version: readVersion().Version,
	}
	if a.store != "" && f.url == "" { // not on its command line: it may have a password
		o.Env = append(os.Environ(), variable("store")+"="+a.store)
	}
	if isTerminal(a.stderr) {
		o.Progress = func(message string) { _, _ = fmt.Fprintf(a.stderr, "… %s\n", message) }
	}
	return caller.Connect(ctx, o)
}

// ofEveryCommand says whether a flag is no setting of a server.
func ofEveryCommand(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return slices.Contains([]string{"--config", "--log-level", "--log-file"}, name)
}
