package native

import (
	"strconv"
	"strings"
)

// forkedWords begin what our script for gdb says at the end of a program that has forked.
const forkedWords = "aidb: forked "

// Forks says how many processes the program has made of itself, which no debugger
// here follows.
func (c *common) Forks() int { return int(c.forks.Load()) }

// siftForks reads what our script for gdb says of forks.
func (c *common) siftForks(output string) bool {
	text, said := strings.CutPrefix(output, forkedWords)
	if n, err := strconv.Atoi(strings.TrimSpace(text)); said && err == nil {
		c.forks.Store(int64(n))
	}
	return said
}

// Forked is the program's process, once it has ended, where it had forked under LLDB: CodeLLDB does
// not tell it.
func (c *common) Forked() int { return int(c.forked.Load()) }
