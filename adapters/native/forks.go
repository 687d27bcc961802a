package native

import (
	"strconv"
	"strings"
)

// forkedWords begin what our script for gdb says at the end of a program that has forked.
const forkedWords = "aidb: forked "

// Forks says how many processes the program has made of itself, which no debugger
// here follows.
func (c *common) Forks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forks
}

// countForks keeps what a script has counted.
func (c *common) countForks(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forks = n
}

// siftForks reads what our script for gdb says of forks.
func (c *common) siftForks(output string) bool {
	text, said := strings.CutPrefix(output, forkedWords)
	if n, err := strconv.Atoi(strings.TrimSpace(text)); said && err == nil {
		c.countForks(n)
	}
	return said
}

// Forked is the program's process, once it has ended, where it had forked under LLDB: CodeLLDB does
// not tell it.
func (c *common) Forked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forked
}

func (c *common) setForked(process int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forked = process
}
