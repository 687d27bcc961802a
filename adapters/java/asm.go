package java

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	theirPackage = "org/objectweb/asm/"
	ourPackage   = "aidb/asm/" // in which it never meets the ASM that a program brings
)

// asmVersion names what is installed of ASM, which has to be there and whole.
func asmVersion(store install.Store) (string, error) {
	var versions []string
	for _, part := range asm() {
		if err := store.Check("java", part); err != nil {
			return "", err
		}
		version, err := store.Installed(part.Name)
		if err != nil {
			return "", fmt.Errorf("looking which version of %s is installed: %w", part.Name, err)
		}
		versions = append(versions, part.Name+" "+version)
	}
	return strings.Join(versions, ", "), nil
}

// layOutASM writes the installed classes of ASM below a directory, in a package of ours.
func layOutASM(store install.Store, dir string) error {
	for _, part := range asm() {
		archives, err := filepath.Glob(filepath.Join(store.Dir(part.Name), "lib", "*.jar"))
		if err != nil {
			return fmt.Errorf("looking for the archive of %s: %w", part.Name, err)
		}
		for _, archive := range archives {
			if err := relocate(archive, dir); err != nil {
				return fmt.Errorf("unpacking %s: %w", archive, err)
			}
		}
	}
	return nil
}

func relocate(archive, dir string) error {
	text, err := boundedfile.ReadText(archive)
	if err != nil {
		return err
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range z.File {
		rest, theirs := strings.CutPrefix(f.Name, theirPackage)
		if !theirs || path.Ext(rest) != ".class" {
			continue
		}
		if err := relocateClass(f, root, filepath.FromSlash(ourPackage+rest)); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func relocateClass(f *zip.File, root *os.Root, to string) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	class, err := io.ReadAll(from)
	if err = errors.Join(err, from.Close()); err != nil {
		return err
	}
	if class, err = renamePackage(class); err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return root.WriteFile(to, class, 0o644)
}

// renamePackage gives a class of ASM the names of our package, which all stand in its constants.
func renamePackage(class []byte) ([]byte, error) {
	r := &reader{rest: class}
	var out bytes.Buffer
	out.Write(r.take(8)) // magic and version
	count := r.u2()
	out.Write(binary.BigEndian.AppendUint16(nil, uint16(count)))
	for i := 1; i < count && r.err == nil; i++ {
		tag := r.u1()
		out.WriteByte(byte(tag))
		if tag == textConstant {
			text := bytes.ReplaceAll(r.take(r.u2()), []byte(theirPackage), []byte(ourPackage))
			out.Write(binary.BigEndian.AppendUint16(nil, uint16(len(text))))
			out.Write(text)
			continue
		}
		size, entries := constantSize(tag)
		if size == 0 {
			return nil, fmt.Errorf("it has a constant of the unknown kind %d", tag)
		}
		out.Write(r.take(size))
		i += entries - 1
	}
	out.Write(r.rest)
	return out.Bytes(), r.err
}
