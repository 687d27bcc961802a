package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/text/pattern"
)

// gateway is the measured server as one of many clients, over HTTP.
type gateway struct {
	cmd    *exec.Cmd
	url    string
	tokens string // the file
}

const token = "aidb-bench-0123456789"

var announced = pattern.New(`aidb-mcp serves (\S+)\n`)

// startGateway returns once it listens.
func startGateway(ctx context.Context, binary, dir string, flags ...string) (*gateway, error) {
	g := &gateway{tokens: filepath.Join(dir, "tokens")}
	if err := os.WriteFile(g.tokens, []byte("bench "+token+"\n"), 0o600); err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--http", "127.0.0.1:0", "--token-file", g.tokens}, flags...)
	g.cmd = exec.CommandContext(ctx, binary, args...)
	g.cmd.Dir, g.cmd.Env = dir, serverEnviron(dir)
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	g.cmd.Stderr = write
	err = g.cmd.Start()
	_ = write.Close()
	if err != nil {
		return nil, err
	}
	var said []byte
	for buffer := make([]byte, 4096); g.url == ""; {
		n, err := read.Read(buffer)
		if err != nil {
			return nil, fmt.Errorf("the gateway said %s: %w", said, err)
		}
		if said = append(said, buffer[:n]...); announced.Match(said) {
			g.url = string(announced.FindSubmatch(said)[1])
		}
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	return g, nil
}

func (g *gateway) close() error {
	err := g.cmd.Process.Signal(os.Interrupt)
	return errors.Join(err, g.cmd.Wait())
}

// caller is a client of the gateway, spoken for by hand.
type caller struct {
	url, session string
	http         *http.Client
	id           int
}

// connect begins a session; it has its worker when this returns.
func (g *gateway) connect(ctx context.Context) (*caller, error) {
	c := &caller{url: g.url, http: &http.Client{Transport: &http.Transport{}}}
	_, err := c.request(ctx, "initialize", debuggee.Object{
		"protocolVersion": "2025-06-18", "capabilities": debuggee.Object{}, "clientInfo": debuggee.Object{"name": "aidb-bench", "version": "1"},
	})
	return c, err
}

func (c *caller) request(ctx context.Context, method string, params any) ([]byte, error) {
	c.id++
	body, err := json.Marshal(debuggee.Object{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	reply, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reply.Body.Close() }()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		return nil, errors.Join(err, fmt.Errorf("%s: %s: %s", method, reply.Status, text))
	}
	if id := reply.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return text, nil
}

// call makes a tool call, whose reply must have a word in it.
func (c *caller) call(ctx context.Context, tool string, args debuggee.Object, word string) error {
	text, err := c.request(ctx, "tools/call", debuggee.Object{"name": tool, "arguments": args})
	if err == nil && !strings.Contains(string(text), word) {
		err = fmt.Errorf("%s does not show %s: %s", tool, word, text)
	}
	return err
}

// close ends the session.
func (c *caller) close(ctx context.Context) {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, c.url, nil)
	if err != nil {
		return
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Mcp-Session-Id", c.session)
	if reply, err := c.http.Do(r); err == nil {
		_ = reply.Body.Close()
	}
	c.http.CloseIdleConnections()
}

// micros is the time since begun.
func micros(begun time.Time) float64 { return float64(time.Since(begun)) / float64(time.Microsecond) }

// workersFlag lets n clients in at the same time.
func workersFlag(n int) string { return "--workers=" + strconv.Itoa(n) }
