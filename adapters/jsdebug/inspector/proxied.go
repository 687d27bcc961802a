package inspector

import (
	"encoding/json"
	"fmt"
)

// Proxied is the inspector of a program over a web socket that js-debug serves, as long as that
// holds the program. It is safe for concurrent use.
type Proxied struct {
	*requests
	s *socket
}

// Dial connects to such an inspector. Event is called with what comes without being asked for, on
// the goroutine that receives, which ends with the connection. The client must be closed.
func Dial(address string, event func(method string, params json.RawMessage)) (*Proxied, error) {
	s, err := dial(address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the inspector: %w", err)
	}
	c := &Proxied{requests: newRequests(s.send, event), s: s}
	go c.hear(s.receive)
	return c, nil
}

// Close ends the connection, and waits for its goroutine.
func (c *Proxied) Close() {
	c.s.close()
	c.s.conn.Close()
	<-c.over
}
