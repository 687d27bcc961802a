package session

import (
	"context"
	"slices"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/session/stopped"
)

// connections are those of a run, and to which of them each thread belongs. The lock is
// its own.
type connections struct {
	mu     sync.Mutex
	list   []*connection       // the root first; child connections follow
	owners map[int]*connection // of threads, by our ids
}

// add lists a connection, which gets its number and its thread ids then, and opens it.
// False: the run, whose context it is, has ended meanwhile.
func (c *connections) add(ctx context.Context, k *connection, open func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	threads := k.run.plan().Capabilities.Threads
	k.number = len(c.list)
	if !threads.OneIDSpace {
		k.shift = shiftStep * k.number
	}
	if threads.IDsFromZero {
		k.shift++
	}
	c.list = append(c.list, k)
	open()
	return true
}

// all lists them.
func (c *connections) all() []*connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.list)
}

// root is that of Plan.Open; nil before the adapter is up.
func (c *connections) root() *connection { return c.at(0) }

// at is the one with a number, nil when there is none.
func (c *connections) at(number int) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	if number >= len(c.list) {
		return nil
	}
	return c.list[number]
}

// main is the connection of the program itself: requests without a thread go
// to it, and its word on breakpoints counts. A broker's is its first living
// child, nil while there is none.
func (c *connections) main() *connection {
	all := c.all()
	for _, k := range all {
		if !k.broker && !k.over.Load() {
			return k
		}
	}
	if len(all) > 0 && !all[0].broker {
		return all[0]
	}
	return nil
}

// debugged lists the connections with a living program that hold our breakpoints,
// the program's own first.
func (c *connections) debugged() []*connection {
	main := c.main()
	var debugged []*connection
	for _, k := range c.all() {
		switch {
		case k.broker || k.over.Load() || !k.configured.Load():
		case k == main:
			debugged = slices.Insert(debugged, 0, k)
		default:
			debugged = append(debugged, k)
		}
	}
	return debugged
}

// stopped are those that are debugged, for who looks at a stopped program.
func (c *connections) stopped() (list []stopped.Connection) {
	for _, k := range c.debugged() {
		list = append(list, k)
	}
	return list
}

// processes are the processes of all of them, as far as they are known.
func (c *connections) processes() (pids []int) {
	for _, k := range c.all() {
		if pid := k.knownPID(); pid != 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// isChildless says that the children of a broker have ended.
func (c *connections) isChildless() bool {
	all := c.all()
	return len(all) > 1 && !slices.ContainsFunc(all[1:], func(k *connection) bool { return !k.over.Load() })
}

// owner is the connection that a thread belongs to, the given one when it is not known.
func (c *connections) owner(thread int, otherwise *connection) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.owners[thread]; k != nil && !k.over.Load() {
		return k
	}
	return otherwise
}

// claim remembers that threads, by our ids, belong to a connection.
func (c *connections) claim(k *connection, threads ...int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owners == nil {
		c.owners = map[int]*connection{}
	}
	for _, thread := range threads {
		c.owners[thread] = k
	}
}

// disown forgets the threads of a connection that has ended.
func (c *connections) disown(k *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for thread, owner := range c.owners {
		if owner == k {
			delete(c.owners, thread)
		}
	}
}

// protocol is what the adapter of the program's connection says of itself.
func (c *connections) protocol() godap.Capabilities {
	if main := c.main(); main != nil {
		return main.Capabilities()
	}
	if root := c.root(); root != nil {
		return root.Capabilities()
	}
	return godap.Capabilities{}
}
