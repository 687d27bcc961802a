package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explain sets how the commands are explained, and what is said of words that
// they do not know.
func explain(root *cobra.Command) {
	root.SetUsageFunc(showUsage)
	root.SetFlagErrorFunc(noSuchFlag)
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.HasSubCommands() { // it does nothing by itself
			c.Args, c.RunE = noSuchCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
}

// showUsage is cobra's, but for the settings of the server: serve lists them, and the other
// commands, which take them too, say so in a line. Nothing here is a template, which would
// keep every exported method of the binary in it.
func showUsage(c *cobra.Command) error {
	w := &strings.Builder{}
	w.WriteString("Usage:")
	if c.Runnable() {
		w.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		w.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		w.WriteString("\n\nExamples:\n" + c.Example)
	}
	if c.HasAvailableSubCommands() {
		w.WriteString("\n\nAvailable Commands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(w, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if flags := c.LocalNonPersistentFlags(); flags.HasAvailableFlags() {
		w.WriteString("\n\nFlags:\n" + usageOf(flags))
	}
	if c.CommandPath() == "aidb-mcp serve" {
		w.WriteString("\n\nSettings:\n" + usageOf(c.InheritedFlags()))
	} else {
		w.WriteString("\n\n" + `The settings that "aidb-mcp serve --help" lists can be given too.`)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n\nUse %q for more information about a command.", c.CommandPath()+" [command] --help")
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), w)
	return err
}

func usageOf(flags *pflag.FlagSet) string {
	return strings.TrimRightFunc(flags.FlagUsages(), unicode.IsSpace)
}

// refuseInstead has a word that is no command refused where help is asked for
// with it, which would be that of the command before it.
func refuseInstead(root *cobra.Command, refused *error) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if words := c.Flags().Args(); c.HasSubCommands() && len(words) > 0 {
			*refused = noSuchCommand(c, words)
			return
		}
		help(c, args)
	})
}

// newHelpCommand is cobra's, but that it fails for what is no command.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(about, rest)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// noSuchCommand refuses a word that is no command, with what was perhaps meant.
func noSuchCommand(of *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no command %q", of.CommandPath(), args[0])
	}
	return fmt.Errorf("unknown command %q: %s", args[0], meant(args[0], names, "the commands are "+strings.Join(names, ", ")))
}

// noSuchFlag adds to the error for an unknown flag what was perhaps meant. One
// for a value is told as those of the environment and the settings file are.
func noSuchFlag(c *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s %q: %w", wrong.GetFlag().Name, withoutUser(wrong.GetValue()), plain(wrong.Unwrap()))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	if words := c.Flags().Args(); len(words) > 0 && c.HasSubCommands() { // the flag is that command's
		return noSuchCommand(c, words)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w: %s", err, meant("--"+unknown.GetSpecifiedName(), names, "see "+c.CommandPath()+" --help"))
}
