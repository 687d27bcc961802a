package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"aidb-mcp/adapters/install"
)

// bar shows how far an installation is: a bar on a terminal, a line for each
// thing that begins elsewhere. It belongs to the goroutine that installs.
type bar struct {
	out   io.Writer
	lines bool // no terminal
	doing string
	shown *progressbar.ProgressBar
	stop  func() // ends what keeps a bar without a measure moving
}

func newBar(out io.Writer) *bar {
	return &bar{out: out, lines: !isTerminal(out), stop: func() {}}
}

// report shows an event.
func (b *bar) report(e install.Event) {
	doing := e.Doing
	if e.Component != "" {
		doing = e.Component + ": " + e.Doing
	}
	if doing != b.doing {
		b.end()
		b.doing = doing
		b.begin(e.Total)
	}
	if b.shown != nil && e.Total > 0 {
		_ = b.shown.Set64(e.Done)
	}
}

// begin opens the line of something new; total 0 is not known.
func (b *bar) begin(total int64) {
	if b.lines {
		_, _ = fmt.Fprintln(b.out, b.doing)
		return
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(b.doing),
		progressbar.OptionSetWidth(20), progressbar.OptionThrottle(50 * time.Millisecond), progressbar.OptionClearOnFinish(),
	}
	if total > 0 {
		b.shown = progressbar.NewOptions64(total, append(options, progressbar.OptionShowBytes(true))...)
		return
	}
	b.shown = progressbar.NewOptions64(-1, append(options, progressbar.OptionSpinnerType(14), progressbar.OptionSetElapsedTime(true))...)
	b.turn()
}

// turn keeps a spinner turning until stop.
func (b *bar) turn() {
	done, gone := make(chan struct{}), make(chan struct{})
	spinner := b.shown
	go func() {
		defer close(gone)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_ = spinner.Add(1)
			}
		}
	}()
	b.stop = func() {
		close(done)
		<-gone
	}
}

// end takes away what is shown.
func (b *bar) end() {
	b.stop()
	b.stop = func() {}
	if b.shown != nil {
		_ = b.shown.Finish()
		b.shown = nil
	}
}
