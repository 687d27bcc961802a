package delve

import (
	"context"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/pprof"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
)

// mostUnits bounds how many packages are looked at.
const mostUnits = 50

// Files are those of the main module that the program was built from.
func (*adapter) Files(_ context.Context, r adapters.Request) []string {
	pid := r.Debuggee.PID
	if pid == 0 {
		return nil
	}
	if r.PID == 0 && !pprof.Wanted(r.Options) { // what listens is Delve
		if pid = tracedProcess(pid); pid == 0 {
			return nil
		}
	}
	return sourcesOf(fmt.Sprintf("/proc/%d/exe", pid))
}

// tracedProcess is the process that a debugger holds, 0 when there is none.
func tracedProcess(debugger int) int {
	for _, other := range append(process.Children(debugger), process.Mine()...) {
		if process.TracerOf(other.PID) == debugger {
			return other.PID
		}
	}
	return 0
}

// sourcesOf are the absolute paths of the main module's files in a binary.
func sourcesOf(program string) []string {
	info, err := serve.BuildInfo(program)
	if err != nil {
		return nil
	}
	file, err := boundedfile.Open(program)
	if err != nil {
		return nil
	}
	defer file.Close()
	object, err := elf.NewFile(file)
	if err != nil {
		return nil
	}
	data, err := object.DWARF()
	if err != nil {
		return nil
	}
	var files []string
	std := "" // where Go's own sources lie, which are inlined everywhere
	units := 0
	for reader := data.Reader(); units < mostUnits; reader.SkipChildren() {
		entry, err := reader.Next()
		if err != nil || entry == nil {
			break
		}
		if entry.Tag != dwarf.TagCompileUnit {
			continue
		}
		name, _ := entry.Val(dwarf.AttrName).(string)
		switch {
		case name == "runtime":
			for _, file := range filesIn(data, entry) {
				if before, _, is := strings.Cut(file, "/runtime/"); is && std == "" {
					std = before + "/"
				}
			}
		case name == "main" || name == info.Main.Path || strings.HasPrefix(name, info.Main.Path+"/"):
			units++
			files = append(files, filesIn(data, entry)...)
		}
	}
	return slices.DeleteFunc(files, func(file string) bool {
		return strings.Contains(file, "/pkg/mod/") || std != "" && strings.HasPrefix(file, std)
	})
}

// filesIn are the absolute paths of the Go files of one package.
func filesIn(data *dwarf.Data, unit *dwarf.Entry) []string {
	lines, err := data.LineReader(unit)
	if err != nil || lines == nil {
		return nil
	}
	var files []string
	for _, f := range lines.Files() {
		if f != nil && filepath.IsAbs(f.Name) && filepath.Ext(f.Name) == ".go" {
			files = append(files, f.Name)
		}
	}
	return files
}
