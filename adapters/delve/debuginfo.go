package delve

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// hasDebugInfo says whether an executable of any platform has DWARF sections.
// What cannot be read is given the benefit of the doubt.
func hasDebugInfo(program string) bool {
	var sections []string
	file, err := boundedfile.Open(program)
	if err != nil {
		return true
	}
	defer file.Close()
	if f, err := elf.NewFile(file); err == nil {
		for _, s := range f.Sections {
			sections = append(sections, s.Name)
		}
	} else if f, err := macho.NewFile(file); err == nil {
		for _, s := range f.Sections {
			sections = append(sections, s.Name)
		}
	} else if f, err := pe.NewFile(file); err == nil {
		for _, s := range f.Sections {
			sections = append(sections, s.Name)
		}
	} else {
		return true
	}
	for _, name := range sections {
		if strings.HasSuffix(name, "debug_info") {
			return true
		}
	}
	return false
}
