package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"aidb-mcp/adapters/native/build"
)

// guard knows what LLDB was reading when it died: our scripts note the type of each value
// that they read in a file, which is empty in between.
type guard struct {
	file   *os.File // kept open, for the file goes with the debugger
	note   func(typ string)
	advice string
}

// guardSize is that of the file, which the scripts map into memory.
const guardSize = 4096

// fatalTypes are the types of a program whose values LLDB has died of.
type fatalTypes struct {
	mu sync.Mutex
	of map[string][]string // by the program, as sameProgram names it
}

func (f *fatalTypes) add(program, typ string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string][]string{}
	}
	if !slices.Contains(f.of[program], typ) {
		f.of[program] = append(f.of[program], typ)
	}
}

func (f *fatalTypes) list(program string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.of[program])
}

func newGuard(s *start) *guard {
	return &guard{advice: crashAdvice(s.lang), note: func(typ string) { s.adapter.fatal.add(s.sameProgram(), typ) }}
}

// open makes the file in the session's directory.
func (g *guard) open(path string) (err error) {
	if g.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err == nil {
		err = g.file.Truncate(guardSize)
	}
	if err != nil {
		return fmt.Errorf("making the file that tells what the debugger reads: %w", err)
	}
	return nil
}

func (g *guard) close() {
	if g != nil && g.file != nil {
		g.file.Close()
	}
}

func (s *start) guardPath() string { return filepath.Join(s.scripts, "reading") }

// sameProgram names what is debugged as it is named at its next start, too. The path alone does not:
// each build has its own.
func (s *start) sameProgram() string {
	if s.isLaunched() && s.target != "" {
		return s.target
	}
	return s.path
}

// guardArguments are what the scripts are told: where the file is, and which types are left out.
func (s *start) guardArguments() string {
	path, _ := json.Marshal(s.guardPath())
	leftOut, _ := json.Marshal(append([]string{}, s.adapter.fatal.list(s.sameProgram())...))
	return string(path) + ", " + string(leftOut)
}

// read is the type that was being read when the debugger died; empty where it was none.
func (g *guard) read() string {
	if g.file == nil {
		return ""
	}
	data := make([]byte, guardSize)
	n, _ := g.file.ReadAt(data, 0)
	typ, _, _ := bytes.Cut(data[:n], []byte{0})
	return string(typ)
}

// crashAdvice remembers what the debugger has died of, so that the next start leaves it out.
func (g *guard) crashAdvice() string {
	typ := g.read()
	if typ == "" {
		return g.advice
	}
	g.note(typ)
	return fmt.Sprintf("It died while it read a value of the type %s: the next start leaves the values of that type out", shortType(typ))
}

// crashAdvice is about what LLDB's compiler dies of.
func crashAdvice(lang build.Language) string {
	if lang != build.CPP {
		return ""
	}
	return `If an expression killed it (calls and arithmetic with types like std::optional<std::string> do): ` +
		`name members plainly, like order.customer.name, or start with adapter_options {"debugger": "gdb"}`
}

// leftOut warns of the types whose values are not shown.
func (s *start) leftOut() (warnings []string) {
	for _, typ := range s.adapter.fatal.list(s.sameProgram()) {
		warnings = append(warnings, fmt.Sprintf("values of the type %s are not shown: the debugger died when it read one", shortType(typ)))
	}
	return warnings
}
