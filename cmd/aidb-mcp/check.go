package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/changes/duplicate"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/attempt/box"
	"aidb-mcp/investigate/attempt/trial"
	"aidb-mcp/session"
)

// newCheckCommand is what a server starts in a box: it makes one change there, and one
// check of it. See investigate/attempt/trial.
func newCheckCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    trial.Command,
		Short:  "Make a change and check it, in a box (internal)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var job trial.Job
			text, err := io.ReadAll(a.stdin)
			if err == nil {
				err = json.Unmarshal(text, &job)
			}
			if err != nil {
				return fmt.Errorf("check is an internal command: reading its job: %w", err)
			}
			return json.NewEncoder(a.stdout).Encode(a.check(cmd.Context(), job))
		},
	}
}

// check makes the job's change and its check.
func (a *app) check(ctx context.Context, job trial.Job) trial.Answer {
	checked, err := a.checked(ctx, job)
	if err == nil {
		text, err := json.Marshal(checked)
		if err != nil {
			return trial.Answer{Error: &trial.Problem{Message: err.Error()}}
		}
		return trial.Answer{Checked: text}
	}
	p := &trial.Problem{Message: err.Error()}
	var f *fault.Error
	if errors.As(err, &f) {
		p.Code, p.Hint, p.Field = string(f.Code), f.Hint, f.Field
	}
	return trial.Answer{Error: p}
}

func (a *app) checked(ctx context.Context, job trial.Job) (*handlers.Checked, error) {
	if job.Original != job.Workspace && len(a.allowed) > 0 { // a copy of what is allowed
		a.allowed = append(a.allowed, job.Workspace)
	}
	var err error
	if a.policy, err = a.policy.Within(a.allowed); err != nil {
		return nil, err
	}
	var k handlers.Check
	if err := json.Unmarshal(job.Check, &k); err != nil {
		return nil, fmt.Errorf("reading the check: %w", err)
	}
	k.Original = job.Original
	if job.Change != nil {
		if err := job.Change.Apply(job.Workspace); err != nil {
			return nil, err
		}
		k.Changed = job.Change.Compiled()
	}
	process.MarkOwn()
	if err := a.apart(job); err != nil {
		return nil, err
	}
	registry := a.languages()
	sessions := session.NewManager(session.Options{
		Registry: registry, Limits: a.settings.Limits, Log: a.log, Trace: a.trace, Policy: a.policy, Mask: a.mask, Root: a.root,
	})
	defer sessions.Close(context.WithoutCancel(ctx))
	calls := handlers.NewRegistry(handlers.Deps{
		Sessions: sessions, Adapters: registry, Setup: a.setup(registry), Workspace: job.Workspace, Settings: &a.settings, Policy: a.policy, Mask: a.mask, Log: a.log,
	})
	return calls.Check(ctx, k)
}

// apart has what the check builds be its own: where the box covers what is kept of builds it
// is, and else it has a place of its own. A compiler's server that runs outside would compile what is there.
func (a *app) apart(job trial.Job) (err error) {
	a.within = job.Workspace
	for _, wrapper := range []string{"RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"} {
		if strings.Contains(filepath.Base(os.Getenv(wrapper)), "sccache") {
			if err := os.Unsetenv(wrapper); err != nil {
				return err
			}
		}
	}
	if !job.Builds {
		a.builds, err = a.root.Scratch("builds-")
	}
	return err
}

// What a trial may take of the machine.
var trialLimits = box.Limits{Copy: duplicate.Limits{Files: 100_000, Bytes: 2 << 30}, Written: 2 << 30}

// trials make this program's checks, in boxes, under the rules that this process has.
func (a *app) trials() *trial.Trials {
	limits := trialLimits
	limits.CopyOnly = a.copies
	limits.Caches = []string{install.Store{Home: install.Home()}.Path("cache")}
	kept, err := build.CacheDir()
	if err == nil { // else nothing is kept
		limits.Covered = append(limits.Covered, box.Covered{Dir: kept, Shared: []string{build.Locks}})
	}
	for _, language := range a.registry().All() {
		if apart := language.Info().Apart; apart != nil && apart() != "" {
			limits.Covered = append(limits.Covered, box.Covered{Dir: apart()})
		}
	}
	return &trial.Trials{Boxes: box.New(a.root, limits), Flags: a.rules, Builds: kept}
}

// ofTheServer are flags that mean nothing to a check: where it works, and what a server
// writes.
var ofTheServer = []string{"workspace", "store", "no-store", "log-file", "trace-dap"}

// keepRules notes the flags of this command line that a check is held to as well.
func (a *app) keepRules(flags *pflag.FlagSet) { a.rules = givenFlags(flags, ofTheServer) }

// givenFlags are the flags of this command line, as they can be given to another
// process, but for some.
func givenFlags(flags *pflag.FlagSet, but []string) (given []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		switch list, several := f.Value.(pflag.SliceValue); {
		case !f.Changed || slices.Contains(but, f.Name):
		case several:
			for _, value := range list.GetSlice() {
				given = append(given, "--"+f.Name+"="+value)
			}
		default:
			given = append(given, "--"+f.Name+"="+f.Value.String())
		}
	})
	return given
}
