// Package binary looks at programs and core files without running them: what
// they were made for, whether they carry debug information, and which source
// they came from.
//
// It only reads files. It knows no debugger, nothing of sessions and nothing of MCP.
package binary

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// Form is what a file is.
type Form int

// The forms of a file.
const (
	Unknown Form = iota // a program of another system than ELF's: nothing is known about it
	Program
	Library // a shared library
	Object  // not linked yet
	CoreDump
	Script // text
	Data   // nothing that could be run
)

// Binary is what a file shows of itself.
type Binary struct {
	Path    string
	Form    Form
	Machine string // "x86-64", "AArch64"
	Foreign bool   // made for another machine than this one
	BuildID string // in hexadecimal

	Debug     bool     // it has debug information, or names a file that does and is there
	Optimised bool     // user code in it was compiled with optimization
	Sanitized bool     // made with AddressSanitizer or LeakSanitizer
	Sources   []string // absolute paths of the compiled files, as the compiler was given them
}

// Inspect reads what it can; the error is that of opening the file.
func Inspect(path string) (Binary, error) {
	b := Binary{Path: path}
	f, err := boundedfile.Open(path)
	if err != nil {
		return b, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return b, err
	}
	head = head[:n]
	if !bytes.HasPrefix(head, []byte(elf.ELFMAG)) {
		b.Form = formOf(head)
		b.Debug = b.Form == Unknown
		return b, nil
	}
	file, err := elf.NewFile(f)
	if err != nil {
		b.Form = Data // cut short or damaged
		return b, nil
	}
	b.read(file)
	return b, nil
}

// formOf tells the programs of other systems, text and the rest apart.
func formOf(head []byte) Form {
	for _, magic := range []string{"\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return Unknown
		}
	}
	if len(head) > 0 && !bytes.ContainsRune(head, 0) {
		return Script
	}
	return Data
}

func (b *Binary) read(file *elf.File) {
	b.Machine = machineName(file.Machine)
	b.Foreign = isForeign(file)
	b.Form = elfForm(file)
	b.BuildID = buildID(file)
	if b.Form == CoreDump {
		return
	}
	b.Sanitized = isSanitized(file)
	b.readUnits(file)
	if !b.Debug {
		b.Debug = b.debugElsewhere(file)
	}
}

func elfForm(file *elf.File) Form {
	switch file.Type {
	case elf.ET_EXEC:
		return Program
	case elf.ET_REL:
		return Object
	case elf.ET_CORE:
		return CoreDump
	case elf.ET_DYN:
		interpreted := slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
		if interpreted || positionIndependent(file) {
			return Program
		}
		return Library
	}
	return Data
}

// positionIndependent knows static programs that are loaded anywhere.
func positionIndependent(file *elf.File) bool {
	flags, err := file.DynValue(elf.DT_FLAGS_1)
	return err == nil && len(flags) > 0 && elf.DynFlag1(flags[0])&elf.DF_1_PIE != 0
}

// machines are ours by the names that Go gives them.
var machines = map[string]elf.Machine{
	"386": elf.EM_386, "amd64": elf.EM_X86_64, "arm": elf.EM_ARM, "arm64": elf.EM_AARCH64, "riscv64": elf.EM_RISCV,
}

func isForeign(file *elf.File) bool {
	ours, known := machines[runtime.GOARCH]
	alsoRuns := runtime.GOARCH == "amd64" && file.Machine == elf.EM_386
	return known && file.Machine != ours && !alsoRuns
}

// isSanitized looks for the beginning of a sanitizer among the symbols that a
// program gives to the dynamic linker or wants from it.
func isSanitized(file *elf.File) bool {
	symbols, err := file.DynamicSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == "__asan_init" || strings.HasPrefix(s.Name, "__lsan_")
	})
}

// Sanitizers are those that a program was made with, by the compilers' names: address, thread,
// undefined. The error is that of opening it.
func Sanitizers(path string) (list []string, err error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("looking for sanitizers in %s: %w", path, err)
	}
	defer file.Close()
	dynamic, _ := file.DynamicSymbols() // a static program has none
	own, _ := file.Symbols()            // nor a stripped one these
	for _, s := range slices.Concat(dynamic, own) {
		for _, kind := range []struct{ name, begins string }{{"address", "__asan_init"}, {"thread", "__tsan_init"}, {"undefined", "__ubsan_handle_"}} {
			if strings.HasPrefix(s.Name, kind.begins) && !slices.Contains(list, kind.name) {
				list = append(list, kind.name)
			}
		}
	}
	return list, nil
}

func machineName(m elf.Machine) string {
	switch m {
	case elf.EM_X86_64:
		return "x86-64"
	case elf.EM_386:
		return "x86"
	case elf.EM_AARCH64:
		return "AArch64"
	}
	return strings.TrimPrefix(m.String(), "EM_")
}

// Here is the machine that we run on.
func Here() string { return machineName(machines[runtime.GOARCH]) }

const buildIDNote = 3 // NT_GNU_BUILD_ID

// buildID is the linker's name for this very build, empty when it gave none.
func buildID(file *elf.File) string {
	for _, p := range file.Progs {
		if p.Type != elf.PT_NOTE {
			continue
		}
		for n := range notes(p.Open(), file, p.Filesz) {
			if n.kind == buildIDNote && n.name == "GNU" {
				return hex.EncodeToString(n.data)
			}
		}
	}
	return ""
}

// debugElsewhere looks for debug information that was split off, where
// debuggers look for it.
func (b *Binary) debugElsewhere(file *elf.File) bool {
	const system = "/usr/lib/debug"
	var places []string
	if len(b.BuildID) > 2 {
		places = append(places, filepath.Join(system, ".build-id", b.BuildID[:2], b.BuildID[2:]+".debug"))
	}
	if link := file.Section(".gnu_debuglink"); link != nil {
		data, err := link.Data()
		name, _, terminated := bytes.Cut(data, []byte{0})
		if err == nil && terminated {
			dir := filepath.Dir(b.Path)
			places = append(places, filepath.Join(dir, string(name)), filepath.Join(dir, ".debug", string(name)),
				filepath.Join(system, dir, string(name)))
		}
	}
	return slices.ContainsFunc(places, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular() && path != b.Path
	})
}
