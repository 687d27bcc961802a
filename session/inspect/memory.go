package inspect

import (
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

var hexAddress = pattern.New(`0x[0-9a-fA-F]+`)

// IsAddress says that a text is an address and nothing else.
func IsAddress(text string) bool { return hexAddress.FindString(text) == text && text != "" }

// AddressIn finds the first address in the text of a value.
func AddressIn(value string) (uint64, bool) {
	n, err := strconv.ParseUint(hexAddress.FindString(value), 0, 64)
	return n, err == nil
}

// Instructions is an adapter's disassembly, in which file and line are named
// only where they change; here is the address of the current one.
func Instructions(list []godap.DisassembledInstruction, here string) []Instruction {
	current, currentErr := strconv.ParseUint(here, 0, 64)
	out := make([]Instruction, 0, len(list))
	file, line := "", 0
	for _, x := range list {
		if x.Location != nil {
			file = x.Location.Path
		}
		if x.Line > 0 {
			line = x.Line
		}
		at, err := strconv.ParseUint(x.Address, 0, 64)
		out = append(out, Instruction{
			Address: x.Address,
			Text:    strings.TrimSpace(x.Instruction),
			Symbol:  x.Symbol,
			File:    file,
			Line:    line,
			Current: err == nil && currentErr == nil && at == current,
		})
	}
	return out
}
