package machine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"time"

	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/system/sleep"
)

// A witness is a small process beside a machine's own: when that ends, however it does, it
// tells so, and ends. A connection that is cut proves nothing; the end of a process does.

// Testimony is what a witness is told when it starts.
type Testimony struct {
	URL   string `json:"url"`
	Name  string `json:"name"` // of the machine
	Epoch string `json:"epoch"`
	Seed  string `json:"seed"` // of the machine's key
	CA    string `json:"ca,omitempty"`
}

// lastWord is how long a witness tries to tell what it has seen.
const lastWord = 2 * time.Second

// Watch keeps a witness beside this process until ctx ends: the command reads its
// testimony, and lives for as long as its standard input is open.
func Watch(ctx context.Context, command []string, t Testimony, log *slog.Logger) {
	for ctx.Err() == nil {
		err := watchOnce(ctx, command, t)
		if ctx.Err() != nil {
			return
		}
		log.Warn("the witness of this machine has ended, and is started again: until then its death is noticed later", "error", err)
		sleep.For(ctx, time.Second)
	}
}

func watchOnce(ctx context.Context, command []string, t Testimony) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = []string{} // it needs nothing, and bears no mark by which it could be swept away
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("starting the witness: %w", err)
	}
	var says bytes.Buffer
	cmd.Stderr = &says
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the witness: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = in.Close() }) // it tells of an orderly end, too
	defer stop()
	_, err = in.Write(append(span.Marshal(t), '\n'))
	if ended := cmd.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("%w: %s", ended, bytes.TrimSpace(says.Bytes()))
	}
	return err
}

// Witness is what the command does: it tells of the end of the process that has started it.
func Witness(from io.Reader, log *slog.Logger) error {
	var t Testimony
	lines := json.NewDecoder(from)
	if err := lines.Decode(&t); err != nil {
		return fmt.Errorf("reading what is to be watched: %w", err)
	}
	key, err := nkeys.FromSeed([]byte(t.Seed))
	if err != nil {
		return fmt.Errorf("reading the machine's key: %w", err)
	}
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), from)) // until it ends
		close(over)
	}()
	config, err := span.TLS(t.URL, t.CA)
	if err != nil {
		return err
	}
	nc, err := span.Connect(span.Dial{URL: t.URL, Role: span.Machine, Name: t.Name, Key: key, TLS: config, Log: log, Witness: true})
	if err != nil {
		return err
	}
	defer nc.Close()
	<-over
	for end := time.Now().Add(lastWord); time.Now().Before(end); {
		if nc.Publish(span.Gone(t.Name), []byte(t.Epoch)) == nil && nc.FlushTimeout(time.Second/2) == nil {
			return nil
		}
		sleep.For(context.Background(), 50*time.Millisecond)
	}
	return nil // nobody can be told: the machine is noticed to be silent
}
