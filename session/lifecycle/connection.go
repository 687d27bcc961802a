package lifecycle

import "aidb-mcp/adapters"

// Connection is what the machine knows of one connection's stops and pauses.
type Connection struct {
	Sequence int  // counts stopped events, so that a newer one wins over one still decided about
	Pausing  bool // a pause was asked for and has not come
	Lineless int  // the thread whose instruction was made from no line, 0 when there is none
	pauses   int  // tries at the pause under way
	owed     bool // a continued event of our own resume may still come
	letGo    bool // it has been resumed by us
}

// Of is what is known of a connection.
func (m *Machine) Of(connection int) *Connection {
	k := m.each[connection]
	if k == nil {
		if m.each == nil {
			m.each = map[int]*Connection{}
		}
		k = &Connection{}
		m.each[connection] = k
	}
	return k
}

// Sequences counts the stopped events of all connections.
func (m *Machine) Sequences() (n int) {
	for _, k := range m.each {
		n += k.Sequence
	}
	return n
}

// IsAttachEcho says that a stop is only the adapter's word on the attach, of a program
// that stands where it has stopped before.
func (k *Connection) IsAttachEcho(stop adapters.Stop) bool {
	return stop.Reason == "pause" && k.Sequence > 0 && !k.letGo && !k.Pausing
}

// Come takes in a stopped event, and gives it its number. A pause that was asked for may
// have found the program where the debugger itself was at work.
func (k *Connection) Come(stop *adapters.Stop, after Motion) (sequence int) {
	if k.Pausing && (stop.Internal || stop.Reason == "step" && !after.IsStep()) {
		stop.Reason = "pause"
	}
	k.Pausing, k.Lineless = false, 0
	k.Sequence++
	return k.Sequence
}

// Try counts a pause that shows nothing, and says whether it was the last of so many.
func (k *Connection) Try(most int) (last bool) {
	k.pauses++
	return k.pauses > most
}

// Tries is how often the pause under way was tried.
func (k *Connection) Tries() int { return k.pauses }

// Pause ends the tries at a pause: it shows something, or the thread that is at no line.
func (k *Connection) Pause(lineless int) {
	k.pauses = 0
	if lineless != 0 {
		k.Lineless = lineless
	}
}

// LetGo says that we resume it.
func (k *Connection) LetGo() { k.owed, k.letGo = true, true }

// IsOwed says that the adapter's word on our last resume is still to come.
func (k *Connection) IsOwed() bool { return k.owed }
