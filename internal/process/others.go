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
	command := o.Command
	if len(command) > longestCommand {
		command = strings.ToValidUTF8(command[:longestCommand], "") + "…"
	}
	return fmt.Sprintf("%s (process %d)", command, o.PID)
}

// longestCommand bounds how a process is named, in bytes.
const longestCommand = 80

// Orphans are the processes that somebody below the child has started and left
// behind: their parents are gone, and they run on. Where the system does not
// tell there are none.
func (c *Child) Orphans() []Other { return settled(c.supervisor.Process.Pid, c.pid) }

// Left are the orphans of a child that has ended by itself, which were ended
// after it. To be asked once Done is closed.
func (c *Child) Left() []Other { return c.left }
