package build

import (
	"debug/elf"
	"debug/macho"
	"strconv"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// A crate's main as rustc writes it, in the older way and in the newer:
// _ZN4shop4main17h0123456789abcdefE, _RNvCs1a2b_4shop4main.
var (
	oldMain = pattern.New(`^_?_ZN(\d+)([A-Za-z_]\w*?)4main17h[0-9a-f]{16}E$`)
	newMain = pattern.New(`^_?_RNvC(?:s[0-9A-Za-z]*_)?(\d+)_?([A-Za-z_]\w*?)4main$`)
)

// RustMain is the path of the main function of a Rust program, "shop::main":
// the plain name would mean the C runtime's. It is empty when the program is
// not Rust's or has no symbols.
func RustMain(program string) string {
	file, err := boundedfile.Open(program)
	if err != nil {
		return ""
	}
	defer file.Close()
	if f, err := elf.NewFile(file); err == nil {
		symbols, _ := f.Symbols()
		for _, s := range symbols {
			if crate := mainOf(s.Name); crate != "" {
				return crate + "::main"
			}
		}
		return ""
	}
	if f, err := macho.NewFile(file); err == nil {
		if f.Symtab == nil {
			return ""
		}
		for _, s := range f.Symtab.Syms {
			if crate := mainOf(s.Name); crate != "" {
				return crate + "::main"
			}
		}
	}
	return ""
}

func mainOf(symbol string) string {
	for _, shape := range []*pattern.Pattern{oldMain, newMain} {
		if m := shape.FindStringSubmatch(symbol); m != nil && m[1] == strconv.Itoa(len(m[2])) {
			return m[2] // one name only: no main of a module
		}
	}
	return ""
}
