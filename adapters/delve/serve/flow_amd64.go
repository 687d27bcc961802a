//go:build linux || darwin || windows

package serve

import (
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"golang.org/x/arch/x86/x86asm"

	"aidb-mcp/adapters/ways"
)

// flowOf says of each instruction of a function which ones may come next. What jumps to where a
// register says leads nowhere, as does a call of what never returns.
func flowOf(code []proc.AsmInstruction) ways.Flow {
	number := make(map[uint64]int, len(code))
	for i, in := range code {
		number[in.Loc.PC] = i
	}
	flow := make(ways.Flow, len(code))
	for i, in := range code {
		decoded, err := x86asm.Decode(in.Bytes, 64)
		if err != nil {
			return nil
		}
		if to, is := decoded.Args[0].(x86asm.Rel); is && decoded.Op != x86asm.CALL {
			if target, is := number[in.Loc.PC+uint64(in.Size)+uint64(int64(to))]; is {
				flow[i] = append(flow[i], target)
			}
		}
		if i+1 < len(code) && decoded.Op != x86asm.JMP && decoded.Op != x86asm.RET && decoded.Op != x86asm.UD2 && !isLast(in) {
			flow[i] = append(flow[i], i+1)
		}
	}
	return flow
}

// isLast says that an instruction calls what never returns.
func isLast(in proc.AsmInstruction) bool {
	if in.DestLoc == nil || in.DestLoc.Fn == nil {
		return false
	}
	name, isRuntime := strings.CutPrefix(in.DestLoc.Fn.Name, "runtime.")
	return isRuntime && (strings.HasPrefix(name, "panic") || strings.HasPrefix(name, "goPanic") || name == "gopanic" || name == "throw")
}
