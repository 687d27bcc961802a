package binary

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// Core is what a core file says of the program that wrote it.
type Core struct {
	Name     string   // of the process, cut by the system to 15 characters
	Programs []string // files that were mapped, the program itself first
	ids      map[string]string
}

// Kinds of notes in core files.
const (
	psinfoNote = 3          // NT_PRPSINFO
	fileNote   = 0x46494c45 // NT_FILE
)

// ReadCore reads a core file's notes; the error says why it is none.
func ReadCore(path string) (Core, error) {
	f, err := boundedfile.Open(path)
	if err != nil {
		return Core{}, err
	}
	defer f.Close()
	file, err := elf.NewFile(f)
	if err != nil {
		return Core{}, fmt.Errorf("it is not a core file: %w", err)
	}
	if file.Type != elf.ET_CORE {
		return Core{}, fmt.Errorf("it is not a core file but %s", file.Type)
	}
	c := Core{ids: map[string]string{}}
	for _, p := range file.Progs {
		if p.Type != elf.PT_NOTE {
			continue
		}
		for n := range notes(p.Open(), file, p.Filesz) {
			switch n.kind {
			case psinfoNote:
				c.Name = processName(n.data)
			case fileNote:
				c.readFiles(n.data, file)
			}
		}
	}
	return c, nil
}

// processName is a field near the end of the process's description, whose
// beginning differs between machines: 16 bytes before 80 of arguments.
func processName(data []byte) string {
	if len(data) < 96 {
		return ""
	}
	name, _, _ := bytes.Cut(data[len(data)-96:len(data)-80], []byte{0})
	return string(name)
}

// readFiles reads which files were mapped where: a count, the size of a page,
// begin, end and offset of each, then their names.
func (c *Core) readFiles(data []byte, file *elf.File) {
	word := func(i uint64) uint64 { return file.ByteOrder.Uint64(data[i*8:]) }
	if file.Class != elf.ELFCLASS64 || len(data) < 16 {
		return
	}
	count := word(0)
	if count > uint64(len(data))/24 || uint64(len(data)) < 16+count*24 {
		return
	}
	names := strings.Split(string(data[16+count*24:]), "\x00")
	for i := range min(count, uint64(len(names))) {
		name := strings.TrimSuffix(names[i], " (deleted)")
		if word(2+i*3+2) != 0 || c.ids[name] != "" { // its beginning only
			continue
		}
		c.ids[name] = idInMemory(file, word(2+i*3))
		c.Programs = append(c.Programs, name)
	}
}

const page = 4096

// idInMemory finds the build id in the first page of a mapped file, which core
// files keep for this purpose; empty when it is not there.
func idInMemory(core *elf.File, address uint64) string {
	for _, p := range core.Progs {
		if p.Type != elf.PT_LOAD || address < p.Vaddr || address+page > p.Vaddr+p.Filesz {
			continue
		}
		head := make([]byte, page)
		if _, err := p.ReadAt(head, int64(address-p.Vaddr)); err != nil {
			return ""
		}
		at := bytes.Index(head, []byte{4, 0, 0, 0, 20, 0, 0, 0, buildIDNote, 0, 0, 0, 'G', 'N', 'U', 0})
		if at < 0 || at+36 > len(head) {
			return ""
		}
		return hex.EncodeToString(head[at+16 : at+36])
	}
	return ""
}

// Wrote says whether this core file can be of that program, and if not, whose it is.
func (c Core) Wrote(b Binary) (ok bool, writer string) {
	base := filepath.Base(b.Path)
	for path, id := range c.ids {
		switch {
		case id != "" && b.BuildID == id:
			return true, ""
		case filepath.Base(path) == base && id != "" && b.BuildID != "":
			return false, path + " (another build of it)"
		}
	}
	for _, path := range c.Programs {
		if filepath.Base(path) == base {
			return true, ""
		}
	}
	if c.Name == "" && len(c.Programs) == 0 || c.Name != "" && strings.HasPrefix(base, c.Name) {
		return true, ""
	}
	if len(c.Programs) > 0 {
		return false, c.Programs[0]
	}
	return false, cmp.Or(c.Name, "another program")
}
