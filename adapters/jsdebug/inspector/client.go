package inspector

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"aidb-mcp/internal/system/process"
)

// Client is a connection of our own to a node's inspector, beside a debugger's. It is safe for
// concurrent use.
//
// One goroutine reads what node says, until it hangs up or Close. A process of its own holds the
// connection (HoldCommand).
type Client struct {
	holder *process.Child
	heard  func(method string, params json.RawMessage)
	over   chan struct{} // closed when node says nothing more

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error"`
}

// ErrHungUp says that node has gone.
var ErrHungUp = errors.New("the program has hung up")

// Connect opens a connection to the inspector at a URL such as ws://127.0.0.1:9229/6a5c…, of a
// process of that number. Heard is called with each event, on the goroutine that reads. When the
// client, or this process, is gone, farewell is evaluated in the program.
func Connect(root *process.Root, url string, pid int, farewell string, heard func(method string, params json.RawMessage)) (*Client, error) {
	self, err := process.Executable()
	if err != nil {
		return nil, err
	}
	spec := process.Spec{Name: "connection to node", Path: self, Args: []string{HoldCommand, url, farewell}, Root: root, Farewell: holdLimit}
	if pid != 0 {
		spec.Release = &process.Release{PID: pid, Limit: holdLimit}
	}
	holder, err := process.Start(spec)
	if err != nil {
		return nil, err
	}
	c := &Client{holder: holder, heard: heard, over: make(chan struct{}), waiting: map[int]chan reply{}}
	go c.follow()
	return c, nil
}

func (c *Client) follow() {
	defer close(c.over)
	in := bufio.NewReaderSize(c.holder.Stdout, 64<<10)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			reply
		}
		switch err := json.Unmarshal(text, &m); {
		case err != nil:
		case m.ID == 0:
			c.heard(m.Method, m.Params)
		default:
			c.mu.Lock()
			answered := c.waiting[m.ID]
			delete(c.waiting, m.ID)
			c.mu.Unlock()
			if answered != nil {
				answered <- m.reply
			}
		}
	}
}

// Call makes a request and reads its result; into may be nil.
func (c *Client) Call(ctx context.Context, method string, params, into any) error {
	answered := make(chan reply, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = answered
	c.mu.Unlock()
	text, err := json.Marshal(message{ID: id, Method: method, Params: params})
	if err != nil {
		return err
	}
	c.mu.Lock()
	_, err = c.holder.Stdin.Write(append(text, '\n'))
	c.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, ErrHungUp)
	}
	select {
	case r := <-answered:
		switch {
		case r.Error != nil:
			return fmt.Errorf("%s: %s %s", method, r.Error.Message, r.Error.Data)
		case into == nil:
			return nil
		}
		return json.Unmarshal(r.Result, into)
	case <-c.over:
		return fmt.Errorf("%s: %w", method, ErrHungUp)
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
		return context.Cause(ctx)
	}
}

// Over is closed when node has hung up.
func (c *Client) Over() <-chan struct{} { return c.over }

// Close hangs up, when the farewell was said.
func (c *Client) Close() {
	_ = c.holder.Stdin.Close()
	limit := time.NewTimer(holdLimit)
	defer limit.Stop()
	select {
	case <-c.holder.Done():
	case <-limit.C:
	}
	c.holder.End()
	<-c.over
}

// Of is the URL of the inspector of a process that js-debug has started, empty where it is not
// known: the process that stands beside it has been told.
func Of(pid int) string {
	for _, child := range process.Children(pid) {
		var c charge
		if json.Unmarshal([]byte(process.Variable(child.PID, chargeVariable)), &c) == nil && c.URL != "" {
			return c.URL
		}
	}
	return ""
}
