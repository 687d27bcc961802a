package inside

import (
	"encoding/json"
	"fmt"
	"io"
	"net"

	"aidb-mcp/internal/recording/live"
)

// Sender sends what a process of ours records to the server.
type Sender struct{ conn net.Conn }

// Answer connects with who has given an order.
func Answer(o Order) (*Sender, error) {
	conn, err := net.Dial("unix", o.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting with who has given the order: %w", err)
	}
	f := &Sender{conn}
	return f, f.say(struct {
		Token string `json:"token"`
	}{o.Token})
}

// Armed tells what became of the order.
func (f *Sender) Armed(a Armed) error { return f.say(a) }

// Tell tells rows and how the recorder stands; end: that it was taken out, and the program lives on.
func (f *Sender) Tell(rows []live.Row, s live.State, end bool) error {
	list := make([]toldRow, len(rows))
	for i, r := range rows {
		list[i] = toldRow(r)
	}
	return f.say(message{Rows: list, Hits: &s.Hits, Matched: s.Matched, Unread: s.Unread, Dropped: s.Dropped, Read: s.Rows, Out: s.Out, Notes: s.Notes, End: end})
}

// Hear returns when it is to end: that was said, or who has given the order is gone.
func (f *Sender) Hear() { _, _ = io.ReadFull(f.conn, make([]byte, 1)) }

// Close ends the connection.
func (f *Sender) Close() { _ = f.conn.Close() }

func (f *Sender) say(what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	_, err = f.conn.Write(append(text, '\n'))
	return err
}
