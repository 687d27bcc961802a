// Package inspector connects to the inspector of a running node, for js-debug,
// and acknowledges at once what node sends.
//
// Node's inspector writes each message as soon as it has one, and its sockets
// hold a small one back until the one before it is acknowledged (Nagle). The
// other side answers with an acknowledgement that waits up to 40 ms for something
// to travel with. A step is a dozen messages, and nearly all of its time was that.
// JavaScript cannot change either side's socket; this package can, on Linux.
//
// Two ways lead through it: Watch stands in for the process that js-debug starts
// beside each node (watchdog.js), and Relay stands between js-debug and a node that
// is attached to.
//
// Watch also keeps breakpoints out of V8 where it can do without them (plants.go), and previews
// of what is too big for them (previews.go).
package inspector

import "net"

// quick is a connection whose data are acknowledged as they come. The system
// forgets about it, so that it is told before each read, and after each write,
// which makes it wait for the answer's answer again.
type quick struct{ *net.TCPConn }

func (q quick) Read(b []byte) (int, error) {
	acknowledge(q.TCPConn)
	return q.TCPConn.Read(b)
}

func (q quick) Write(b []byte) (int, error) {
	n, err := q.TCPConn.Write(b)
	acknowledge(q.TCPConn)
	return n, err
}
