package java

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// class is what of a compiled class matters for starting it.
type class struct {
	name    string // shop.Main
	parent  string // its superclass
	source  string // Main.java
	methods []string
	lines   []int // of its methods' code
	main    bool  // it has a main method

	texts map[int]string // all that it names or says; nil once that has been looked at
	words []string       // which of those that were asked for are among them
}

// has says whether a class names something.
func (c class) has(word string) bool {
	for _, text := range c.texts {
		if text == word {
			return true
		}
	}
	return false
}

func readClass(path string) (class, error) {
	data, err := boundedfile.ReadText(path)
	if err != nil {
		return class{}, err
	}
	return parseClass(data)
}

// reader takes big-endian numbers off a class file; after its end it gives zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.err, r.rest = io.ErrUnexpectedEOF, nil
		return make([]byte, 8)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) u1() int { return int(r.take(1)[0]) }
func (r *reader) u2() int { return int(binary.BigEndian.Uint16(r.take(2))) }
func (r *reader) u4() int { return int(binary.BigEndian.Uint32(r.take(4))) }

const classMagic = 0xCAFEBABE

// parseClass reads the name of a class and looks for a main method.
func parseClass(data []byte) (class, error) {
	r := &reader{rest: data}
	if r.u4() != classMagic {
		return class{}, errors.New("it does not begin as a class does")
	}
	r.take(4) // version
	texts, classes := constants(r)
	r.take(2) // access
	c := class{name: strings.ReplaceAll(texts[classes[r.u2()]], "/", "."), texts: texts}
	c.parent = strings.ReplaceAll(texts[classes[r.u2()]], "/", ".")
	r.take(2 * r.u2())     // interfaces
	members(r, texts, nil) // fields
	c.methods = members(r, texts, &c.lines)
	attributes(r, texts, func(name string, content *reader) {
		if name == "SourceFile" {
			c.source = texts[content.u2()]
		}
	})
	c.main = slices.Contains(c.methods, "main([Ljava/lang/String;)V") || slices.Contains(c.methods, "main()V")
	if r.err == nil && c.name == "" {
		r.err = errors.New("it has no name")
	}
	return c, r.err
}

// constants reads the pool: texts by number, and the numbers of classes' names.
func constants(r *reader) (texts map[int]string, classes map[int]int) {
	texts, classes = map[int]string{}, map[int]int{}
	count := r.u2()
	for i := 1; i < count && r.err == nil; i++ {
		switch tag := r.u1(); tag {
		case textConstant:
			texts[i] = string(r.take(r.u2()))
		case classConstant:
			classes[i] = r.u2()
		default:
			size, entries := constantSize(tag)
			if size == 0 {
				r.err = fmt.Errorf("it has a constant of the unknown kind %d", tag)
			}
			r.take(size)
			i += entries - 1
		}
	}
	return texts, classes
}

// Kinds of constants: texts, and classes, which are the numbers of their names.
const (
	textConstant  = 1
	classConstant = 7
)

// constantSize is the size of a constant that is no text, and how many numbers it takes; 0 for an
// unknown kind.
func constantSize(tag int) (size, entries int) {
	switch tag {
	case 5, 6:
		return 8, 2
	case classConstant, 8, 16, 19, 20:
		return 2, 1
	case 15:
		return 3, 1
	case 3, 4, 9, 10, 11, 12, 17, 18:
		return 4, 1
	}
	return 0, 1
}

// members reads fields or methods: their names with their descriptors, and the lines
// of their code.
func members(r *reader, texts map[int]string, lines *[]int) []string {
	var names []string
	for count := r.u2(); count > 0 && r.err == nil; count-- {
		r.take(2)
		name := texts[r.u2()]
		names = append(names, name+texts[r.u2()])
		attributes(r, texts, func(name string, content *reader) {
			if name == "Code" && lines != nil {
				*lines = append(*lines, codeLines(content, texts)...)
			}
		})
	}
	return names
}

// attributes calls a function for each of a list.
func attributes(r *reader, texts map[int]string, each func(name string, content *reader)) {
	for n := r.u2(); n > 0 && r.err == nil; n-- {
		name := texts[r.u2()]
		each(name, &reader{rest: r.take(r.u4())})
	}
}

// codeLines are the lines of a method's code.
func codeLines(r *reader, texts map[int]string) []int {
	var lines []int
	r.take(4) // sizes of stack and variables
	r.take(r.u4())
	r.take(8 * r.u2()) // handlers
	attributes(r, texts, func(name string, content *reader) {
		if name != "LineNumberTable" {
			return
		}
		for n := content.u2(); n > 0 && content.err == nil; n-- {
			content.take(2)
			lines = append(lines, content.u2())
		}
	})
	return lines
}

// mainClasses are those below a directory that can be started.
func mainClasses(dir string) []string {
	var names []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".class" {
			if c, err := readClass(path); err == nil && c.main {
				names = append(names, c.name)
			}
		}
		return nil
	})
	return names
}

// hasClass says whether an entry of a class path (or a directory of modules)
// holds a class, and collects the names that it sees.
func hasClass(entry, name string, known map[string]bool) bool {
	if filepath.Ext(entry) == ".jar" {
		_, entries, err := readArchive(entry)
		for n := range entries {
			known[n] = true
		}
		return err == nil && entries[name]
	}
	found := false
	_ = filepath.WalkDir(entry, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		switch filepath.Ext(path) {
		case ".class":
			rel, _ := filepath.Rel(entry, path)
			known[dottedName(rel)] = true
			found = found || known[name] || strings.HasSuffix(dottedName(rel), "."+name) && isClass(path, name)
		case ".jar":
			found = hasClass(path, name, known) || found
		}
		return nil
	})
	return found
}

// isClass says so of a class below a directory of its own, as modules have.
func isClass(path, name string) bool {
	c, err := readClass(path)
	return err == nil && c.name == name
}

func dottedName(path string) string {
	return strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(path), ".class"), "/", ".")
}

func holdsClasses(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".class" {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// readArchive reads the main class that an archive names, and the names of its classes.
func readArchive(path string) (main string, classes map[string]bool, err error) {
	file, err := boundedfile.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", nil, err
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return "", nil, err
	}
	classes = map[string]bool{}
	for _, f := range z.File {
		switch {
		case strings.HasSuffix(f.Name, ".class"):
			classes[dottedName(f.Name)] = true
		case f.Name == "META-INF/MANIFEST.MF":
			main = manifestMain(f)
		}
	}
	return main, classes, nil
}

func manifestMain(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	for lines := bufio.NewScanner(r); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "Main-Class:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
