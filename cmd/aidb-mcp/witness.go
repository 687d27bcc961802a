package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/system/process"
)

const witnessName = "witness"

func newWitnessCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: witnessName, Hidden: true, Args: cobra.NoArgs,
		Short: "Tell the cluster of the end of the process that has started this one",
		RunE: func(*cobra.Command, []string) error {
			// What ends the machine's process by a signal to all must not end its witness before.
			signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
			process.Conceal()
			return machine.Witness(a.stdin, a.log)
		},
	}
}

// startWitness starts one for this process.
func (a *app) startWitness(ctx context.Context, d span.Dial, epoch string) error {
	self, err := process.Executable()
	if err != nil {
		return err
	}
	seed, err := d.Key.Seed()
	if err != nil {
		return fmt.Errorf("reading the machine's key: %w", err)
	}
	go machine.Watch(ctx, []string{self, witnessName}, machine.Testimony{
		URL: d.URL, Name: d.Name, Epoch: epoch, Seed: string(seed), CA: a.site.member.ca,
	}, a.log)
	return nil
}
