package build

import (
	"debug/elf"
	"os"

	"aidb-mcp/internal/system/boundedfile"
)

// elfFile is an ELF file with what it is read from.
type elfFile struct {
	*elf.File
	file *os.File
}

// openELF opens a program: no pipe, and no device, which what is built may lead to.
func openELF(path string) (*elfFile, error) {
	file, err := boundedfile.Open(path)
	if err != nil {
		return nil, err
	}
	parsed, err := elf.NewFile(file)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	return &elfFile{parsed, file}, nil
}

// Close closes both.
func (f *elfFile) Close() error { return f.file.Close() }
