package binary

import (
	"debug/dwarf"
	"debug/elf"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

const (
	maxSection = 256 << 20 // of debug information that is read, in bytes
	maxUnits   = 4000      // compiled files that are looked at
)

// readUnits looks at the compiled files that the debug information names.
func (b *Binary) readUnits(file *elf.File) {
	info := section(file, "info")
	if len(info) == 0 {
		big := file.Section(".debug_info")
		b.Debug = big != nil && big.Size > maxSection
		return
	}
	data, err := dwarf.New(section(file, "abbrev"), nil, nil, info, section(file, "line"), nil, nil, section(file, "str"))
	if err != nil {
		b.Debug = true // there is some; its reader is the debugger
		return
	}
	for _, name := range []string{"addr", "line_str", "str_offsets", "rnglists", "loclists"} {
		_ = data.AddSection(".debug_"+name, section(file, name)) // what is missing only costs names
	}
	b.Debug = true
	units := data.Reader()
	seen := map[string]bool{}
	for range maxUnits {
		unit, err := units.Next()
		if err != nil || unit == nil {
			return
		}
		units.SkipChildren()
		if unit.Tag != dwarf.TagCompileUnit && unit.Tag != dwarf.TagSkeletonUnit {
			continue
		}
		if source := b.note(unit); source != "" && !seen[source] {
			seen[source] = true
			b.Sources = append(b.Sources, source)
		}
	}
}

// optimised matches what compilers record of the options they were given.
var optimised = pattern.New(` -O([123s]|fast|z)\b`)

// note takes in what a compiled file says of itself; empty for one that is not
// the user's own.
func (b *Binary) note(unit *dwarf.Entry) string {
	name, _ := unit.Val(dwarf.AttrName).(string)
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	producer, _ := unit.Val(dwarf.AttrProducer).(string)
	if name == "" || strings.HasPrefix(name, "<") {
		return ""
	}
	if strings.Contains(producer, "rustc version") {
		name, _, _ = strings.Cut(name, "/@/") // the compiler's own division of a crate
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	if !System(name) && optimised.MatchString(producer) {
		b.Optimised = true
	}
	return filepath.Clean(name)
}

// section is one of the debug information, nil when there is none that could be read.
func section(file *elf.File, name string) []byte {
	s := file.Section(".debug_" + name)
	if s == nil {
		s = file.Section(".zdebug_" + name)
	}
	if s == nil || s.Size > maxSection || s.Type == elf.SHT_NOBITS {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		return nil
	}
	return data
}

// systemDirs hold what the system and its compilers bring along, as they name
// it in debug information.
var systemDirs = pattern.New(`^/usr/(include|lib|lib64|src|share)/|/usr/include/|^/build/|^/rustc/|^/rust/deps/|^/opt/gcc|` +
	`^(\./)?(csu|nptl|sysdeps|stdlib|libio|elf|string|stdio-common|misc|signal|posix|time|malloc|io|socket|debug|setjmp|dlfcn)/|` +
	`/(libstdc\+\+-v3|libgcc|libsupc\+\+|glibc-[^/]*|\.rustup/toolchains|\.cargo/registry|\.cargo/git)/`)

// System says that a source file belongs to the system, its compilers or a
// package that was fetched, not to the user.
func System(path string) bool { return systemDirs.MatchString(path) }

// Roots are the directories of the user's own sources, as few as cover them.
func (b Binary) Roots() []string {
	var roots []string
	for _, source := range b.Sources {
		if System(source) {
			continue
		}
		dir := filepath.Dir(source)
		if dir == "/" || isCovered(roots, dir) {
			continue
		}
		kept := roots[:0]
		for _, root := range roots {
			if !inside(dir, root) {
				kept = append(kept, root)
			}
		}
		roots = append(kept, dir)
	}
	return roots
}

func isCovered(roots []string, dir string) bool {
	for _, root := range roots {
		if inside(root, dir) {
			return true
		}
	}
	return false
}

func inside(root, path string) bool { return path == root || strings.HasPrefix(path, root+"/") }
