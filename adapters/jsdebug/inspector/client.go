package inspector

import (
	"bufio"
	"encoding/json"
	"time"

	"aidb-mcp/internal/system/process"
)

// Client is a connection of our own to a node's inspector, beside a debugger's. It is safe for
// concurrent use.
//
// One goroutine reads what node says, until it hangs up or Close. A process of its own holds the
// connection (holdCommand).
type Client struct {
	*requests
	holder *process.Child
}

// Connect opens a connection to the inspector at a URL such as ws://127.0.0.1:9229/6a5c…, of a
// process of that number. Heard is called with each event, on the goroutine that reads. When the
// client, or this process, is gone, farewell is evaluated in the program.
func Connect(root *process.Root, url string, pid int, farewell string, heard func(method string, params json.RawMessage)) (*Client, error) {
	self, err := process.Executable()
	if err != nil {
		return nil, err
	}
	spec := process.Spec{Name: "connection to node", Path: self, Args: []string{holdCommand, url, farewell}, Root: root, Farewell: holdLimit}
	if pid != 0 {
		spec.Release = &process.Release{PID: pid, Limit: holdLimit}
	}
	holder, err := process.Start(spec)
	if err != nil {
		return nil, err
	}
	send := func(text []byte) error {
		_, err := holder.Stdin.Write(append(text, '\n'))
		return err
	}
	in := bufio.NewReaderSize(holder.Stdout, 64<<10)
	c := &Client{requests: newRequests(send, heard), holder: holder}
	go c.hear(func() ([]byte, error) { return in.ReadBytes('\n') })
	return c, nil
}

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

// URLOf is the URL of the inspector of a process that js-debug has started, empty where it is not
// known: the process that stands beside it has been told.
func URLOf(pid int) string {
	for _, child := range process.Children(pid) {
		var c charge
		if json.Unmarshal([]byte(process.Variable(child.PID, chargeVariable)), &c) == nil && c.URL != "" {
			return c.URL
		}
	}
	return ""
}
