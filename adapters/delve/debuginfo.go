package delve

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"strings"
)

// hasDebugInfo says whether an executable of any platform has DWARF sections.
// What cannot be read is given the benefit of the doubt.
func hasDebugInfo(program string) bool {
	var sections []string
	if f, err := elf.Open(program); err == nil {
		defer f.Close()
		for _, s := range f.Sections {
			sections = append(sections, s.Name)
		}
	} else if f, err := macho.Open(program); err == nil {
		defer f.Close()
		for _, s := range f.Sections {
			sections = append(sections, s.Name)
		}
	} else if f, err := pe.Open(program); err == nil {
		defer f.Close()
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
