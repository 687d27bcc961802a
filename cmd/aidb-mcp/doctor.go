package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/commands/doctor"
	"aidb-mcp/internal/store"
	"aidb-mcp/session"
)

func newDoctorCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what debugging needs on this machine",
		Long:  "Checks permissions, toolchains and adapters, and debugs a tiny program with each adapter. Exits with 1 when there is a problem; every problem comes with a remedy.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := a.examine(cmd.Context())
			report.Checks = append(report.Checks, a.examineAccount(cmd.Context())...)
			if err := printReport(a.stdout, report, asJSON); err != nil {
				return err
			}
			if !report.Healthy() {
				return errors.New("there are problems, see above")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "print the report as JSON")
	return cmd
}

func (a *app) examine(ctx context.Context) doctor.Report {
	registry := a.languages()
	sessions := session.NewManager(session.Options{Registry: registry, Limits: a.settings.Limits, Log: a.log, Trace: a.trace})
	defer sessions.Close(context.WithoutCancel(ctx))
	return doctor.Examine(ctx, doctor.Options{Version: readVersion().Version, Adapters: registry, Sessions: sessions, Setup: a.setup(registry)})
}

// examineAccount looks whether the account of calls can be read, where one is kept.
func (a *app) examineAccount(ctx context.Context) []doctor.Check {
	place, err := a.storePlace()
	if err != nil {
		return nil
	}
	check := doctor.Check{Name: "account of calls", State: doctor.OK, Detail: store.Shown(place)}
	list, err := store.Read(ctx, place, time.Time{}, "tool")
	if err != nil {
		check.State, check.Detail = doctor.Warning, err.Error()
		check.Remedy = "calls are not accounted for while that is so; --store names another place, --no-store keeps no account"
		return []doctor.Check{check}
	}
	var calls int64
	for _, u := range list {
		calls += u.Calls
	}
	check.Detail += fmt.Sprintf(" has %d calls", calls)
	return []doctor.Check{check}
}

func printReport(w io.Writer, r doctor.Report, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	color := isTerminal(w) && os.Getenv("NO_COLOR") == ""
	if _, err := fmt.Fprintf(w, "aidb-mcp %s on %s\n\n", r.Version, r.Platform); err != nil {
		return err
	}
	for _, c := range r.Checks {
		if _, err := fmt.Fprintf(w, "%s  %s: %s\n", mark(c.State, color), c.Name, c.Detail); err != nil {
			return err
		}
		if c.Remedy != "" && c.State != doctor.OK {
			if _, err := fmt.Fprintf(w, "         remedy: %s\n", c.Remedy); err != nil {
				return err
			}
		}
	}
	return nil
}

// mark shows a state in a column of seven characters.
func mark(s doctor.State, color bool) string {
	text := fmt.Sprintf("%-7s", s)
	if !color {
		return text
	}
	return map[doctor.State]string{doctor.OK: "\x1b[32m", doctor.Warning: "\x1b[33m", doctor.Problem: "\x1b[31m"}[s] + text + "\x1b[0m"
}
