package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters"
)

func newAdaptersCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adapters",
		Short: "Install, list, verify and remove debug adapters",
	}
	for _, newCommand := range []func(*app) *cobra.Command{
		newAdaptersInstallCommand, newAdaptersListCommand, newAdaptersVerifyCommand,
		newAdaptersRemoveCommand, newAdaptersPathCommand, newAdaptersPinCommand,
	} {
		cmd.AddCommand(newCommand(a))
	}
	return cmd
}

func newAdaptersListCommand(a *app) *cobra.Command {
	asJSON, wide := false, false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the languages that can be debugged, with their adapters",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows := adapterRows(cmd.Context(), a.languages())
			if !asJSON {
				return printAdapters(a.stdout, rows, wide)
			}
			e := json.NewEncoder(a.stdout)
			e.SetIndent("", "  ")
			return e.Encode(rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "print the list as JSON")
	cmd.Flags().BoolVar(&wide, "wide", wide, "with the modes of session_start and the endings of files")
	return cmd
}

// adapterRow is one adapter as it is listed.
type adapterRow struct {
	Language   string          `json:"language"`
	Adapter    string          `json:"adapter"`
	Version    string          `json:"version,omitempty"`
	Ready      bool            `json:"ready"`
	Modes      []adapters.Mode `json:"modes"`
	Extensions []string        `json:"extensions"`
	Path       string          `json:"path,omitempty"`
	Problem    string          `json:"problem,omitempty"`
	Remedy     string          `json:"remedy,omitempty"`

	absent bool
}

func adapterRows(ctx context.Context, registry *adapters.Registry) []adapterRow {
	rows := []adapterRow{}
	for _, adapter := range registry.All() {
		info, ready := adapter.Info(), adapter.Check(ctx).TrueCause()
		rows = append(rows, adapterRow{
			Language: info.Language, Adapter: info.Name, Modes: info.Modes, Extensions: info.Extensions,
			Version: ready.Version, Ready: ready.Ready, Path: ready.Path, Problem: ready.Problem, Remedy: ready.Remedy,
			absent: ready.Absent,
		})
	}
	return rows
}

// printAdapters lists them in a line each, which fits a narrow terminal; wide
// adds the modes and the files.
func printAdapters(w io.Writer, rows []adapterRow, wide bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "LANGUAGE\tSTATE\tADAPTER"
	if wide {
		head += "\tMODES\tFILES"
	}
	_, _ = fmt.Fprintln(t, head) // errors come with Flush
	for _, r := range rows {
		line := r.Language + "\t" + r.state() + "\t" + r.adapter()
		if wide {
			modes := make([]string, len(r.Modes))
			for i, m := range r.Modes {
				modes[i] = string(m)
			}
			line += "\t" + strings.Join(modes, " ") + "\t" + strings.Join(r.Extensions, " ")
		}
		_, _ = fmt.Fprintln(t, line)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Problem == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s: %s\n  %s\n", r.Language, r.Problem, r.Remedy); err != nil {
			return err
		}
	}
	return nil
}

// adapter is its name and version; some versions have a name of their own.
func (r adapterRow) adapter() string {
	if r.Version != "" && !strings.ContainsAny(r.Version[:1], "0123456789") {
		return r.Version
	}
	return strings.TrimSpace(r.Adapter + " " + r.Version)
}

// state is a few words; what is wrong comes below the table.
func (r adapterRow) state() string {
	switch {
	case r.Ready && r.Problem != "":
		return "ready, but"
	case r.Ready:
		return "ready"
	case r.absent:
		return "not installed"
	}
	return "not ready"
}

// newAdaptersPinCommand is for the developers of aidb-mcp, who move a pin with it.
func newAdaptersPinCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "pin COMPONENT ARCHIVE...",
		Short:  "Print the list of files to pin a component by",
		Hidden: true,
		Args:   cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			component, err := a.languages().Components().Find(args[0])
			if err != nil {
				return withHint(err)
			}
			list, err := component.Pin(cmd.Context(), args[1:])
			if err != nil {
				return withHint(err)
			}
			_, err = fmt.Fprint(a.stdout, list)
			return err
		},
	}
}

// completeLanguages offers the languages of this build and of the settings file
// to a shell, without those that were written already.
func (a *app) completeLanguages(cmd *cobra.Command, written []string, _ string) ([]string, cobra.ShellCompDirective) {
	a.log = slog.New(slog.DiscardHandler)
	_ = a.readSettings(cmd.Flags()) // a faulty file is told of when the command runs
	var left []string
	for _, adapter := range a.languages().All() {
		if info := adapter.Info(); !slices.Contains(written, info.Language) {
			left = append(left, cobra.CompletionWithDesc(info.Language, info.Name))
		}
	}
	return left, cobra.ShellCompDirectiveNoFileComp
}
