package process

import (
	"fmt"
	"strings"
)

// Other is a process that a program has started.
type Other struct {
	PID     int
	Command string
}

// String names it for people.
func (o Other) String() string {
	return fmt.Sprintf("%s (process %d)", Shortened(o.Command), o.PID)
}

// Shortened is a command line as it is told to people.
func Shortened(command string) string {
	if len(command) > longestCommand {
		return strings.ToValidUTF8(command[:longestCommand], "") + "…"
	}
	return command
}

// longestCommand bounds how a process is named, in bytes.
const longestCommand = 80

// Orphans are the processes that somebody below the child has started and left
// behind: their parents are gone, and they run on. Where the system does not
// tell there are none.
func (c *Child) Orphans() []Other { return settledChildren(c.supervisor.Process.Pid, c.pid) }

// Left are the orphans of a child that has ended by itself, which were ended
// after it; of one that lingers none are. To be asked once Done is closed.
func (c *Child) Left() []Other { return c.left }

// WasParent says, once it is done, that the child had started processes and waited for their
// end, as far as the system told. False says nothing.
func (c *Child) WasParent() bool { return c.parent }
