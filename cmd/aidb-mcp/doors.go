package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/fault"
	"aidb-mcp/persons"
	"aidb-mcp/persons/dapdoor"
	"aidb-mcp/persons/page"
	"aidb-mcp/session"
)

// doors are where persons join the sessions of this server.
type doors struct {
	page     *page.Server
	editors  *dapdoor.Door
	registry *adapters.Registry
	desk     *persons.Desk

	// transcript tells a session's story in Markdown; set before any door is open.
	transcript func(ctx context.Context, id string) (string, error)
}

func (a *app) newDoors(sessions *session.Manager, registry *adapters.Registry) *doors {
	desk := persons.New(persons.Options{Sessions: sessions, Policy: a.policy, Mask: a.mask, Log: a.log})
	d := &doors{page: page.New(page.Options{Address: a.pageAddress, Behind: a.behind, Desk: desk, Log: a.log}), registry: registry, desk: desk}
	d.editors = dapdoor.New(dapdoor.Options{Desk: desk, Dir: joinDir(), BySocket: a.joinSocket, Log: a.log, Report: d.report})
	return d
}

// report writes down what is kept of a session.
func (d *doors) report(ctx context.Context, s *session.Session, format string) (string, error) {
	switch format {
	case dapdoor.FormatMarkdown:
		return d.transcript(ctx, s.ID())
	case dapdoor.FormatHTML:
		return string(page.Report(d.desk, s, page.SavedReport)), nil
	}
	return "", fault.New(fault.InvalidParam, "a report is %s or %s, not %q", dapdoor.FormatHTML, dapdoor.FormatMarkdown, format).WithField("format")
}

// readReport is the report of a session for a client that reads it.
func (d *doors) readReport(id string) (string, error) {
	s, err := d.desk.Sessions.Get(id)
	if err != nil {
		return "", err
	}
	return string(page.Report(d.desk, s, page.ReadReport)), nil
}

// joinDir is where servers write down for this user what can be joined; empty: nowhere.
func joinDir() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "aidb-mcp")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "aidb-mcp", "open")
}

func (d *doors) close() {
	d.page.Close()
	d.editors.Close()
}

// announcePage serves the page from the start on, and tells whoever has started us where.
func (d *doors) announcePage(w io.Writer) error {
	link, err := d.page.Link("")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "watch the sessions of this server, with one browser: %s\n", link)
	return err
}

// Open opens the doors to a session.
func (d *doors) Open(ctx context.Context, s *session.Session, withPage bool) (handlers.Entrances, error) {
	at, err := d.editors.Open(s)
	if err != nil {
		return handlers.Entrances{}, err
	}
	ways := entrances(at, d.editorsOf(s.Language()))
	if withPage {
		ways.Page, err = d.Page(ctx, s)
	}
	return ways, err
}

// Page lets one more browser in to the page of a session.
func (d *doors) Page(_ context.Context, s *session.Session) (string, error) {
	return d.page.Link(s.ID())
}

// editorsOf is what editors call the debugger of a language. Where they have none, that of
// another does: the language does not matter to who joins.
func (d *doors) editorsOf(language string) (names adapters.Editors) {
	if known := d.registry.Get(language); known != nil {
		names = known.Info().Editors
	}
	for _, other := range d.registry.All() {
		if names.VSCode == "" {
			names = other.Info().Editors
		}
	}
	return names
}

// vscodeEntry is an entry of launch.json.
type vscodeEntry struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Request     string `json:"request"`
	Mode        string `json:"mode,omitempty"`
	DebugServer int    `json:"debugServer"`
	Token       string `json:"aidbToken"`
}

// zedEntry is an entry of Zed's debug.json.
type zedEntry struct {
	Label      string        `json:"label"`
	Adapter    string        `json:"adapter"`
	Request    string        `json:"request"`
	Connection zedConnection `json:"tcp_connection"`
	Token      string        `json:"aidbToken"`
}

type zedConnection struct {
	Host string `json:"host"`
	Port int    `json:"port"`
}

// parameters are those of an attach that another editor sends.
type parameters struct {
	Request string `json:"request"`
	Token   string `json:"aidbToken"`
}

// entrances are the configurations of editors.
func entrances(at dapdoor.Address, names adapters.Editors) handlers.Entrances {
	label := "join " + at.Session
	if at.Socket != "" { // which VS Code and Zed do not come by
		return handlers.Entrances{
			NvimDAP: fmt.Sprintf("lua local d = require('dap'); d.adapters.aidb = {type = 'pipe', pipe = %s}; d.run({type = 'aidb', request = 'attach', name = %s, aidbToken = '%s'})",
				strconv.Quote(at.Socket), strconv.Quote(label), at.Token),
			JetBrains: "plugin LSP4IJ, a run configuration Debug Adapter Protocol: the server's command is aidb-mcp dap --session " + at.Session,
		}
	}
	return handlers.Entrances{
		VSCode: asJSON(vscodeEntry{label, names.VSCode, "attach", names.VSCodeMode, at.Port, at.Token}),
		NvimDAP: fmt.Sprintf("lua local d = require('dap'); d.adapters.aidb = {type = 'server', host = '%s', port = %d}; "+
			"d.run({type = 'aidb', request = 'attach', name = %s, aidbToken = '%s'})", at.Host, at.Port, strconv.Quote(label), at.Token),
		Zed: asJSON(zedEntry{label, names.Zed, "attach", zedConnection{at.Host, at.Port}, at.Token}),
		JetBrains: fmt.Sprintf("plugin LSP4IJ, a run configuration Debug Adapter Protocol: attach to %s port %d with the DAP parameters %s",
			at.Host, at.Port, asJSON(parameters{"attach", at.Token})),
	}
}

func asJSON(entry any) string {
	text, err := json.Marshal(entry)
	if err != nil {
		return "" // texts and numbers can always be written
	}
	return string(text)
}

func newDAPCommand(*app) *cobra.Command {
	var id string
	join := &cobra.Command{
		Use:   "dap [--session ID]",
		Short: "Join a session that an agent has opened to you, for an editor that starts a debug adapter",
		Long: "Speak the Debug Adapter Protocol on standard input and output with a session that an agent of yours debugs, after it has\n" +
			"called session(action: show). The editor attaches to it, and needs no token. Without --session it is the only one.",
		Args: cobra.NoArgs,
	}
	join.RunE = func(cmd *cobra.Command, _ []string) error {
		return dapdoor.Bridge(cmd.Context(), joinDir(), id, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	join.Flags().StringVar(&id, "session", "", "`ID` of the session, as session(action: list) shows it")
	return join
}
