// Package image reads what the executable of a running program says of itself (ELF and
// DWARF): where a line or a function begins, which variables are in reach there, and where
// they lie. It looks at files only: it knows no process, and nothing of what is recorded.
package image

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/go-delve/delve/pkg/dwarf/frame"
	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/dwarf/loclist"
)

// ErrNoDebugInfo: the executable says nothing of lines and variables.
var ErrNoDebugInfo = errors.New("it was built without debug information")

// Image is an executable. It is not safe for concurrent use.
type Image struct {
	IsGo     bool
	HasLines bool // it has debug information: of what it lacks only symbols are known

	elf       *elf.File
	data      *dwarf.Data
	frames    frame.FrameDescriptionEntries
	lists     lists
	units     []unit
	functions []Function                     // by address
	trees     map[dwarf.Offset]*godwarf.Tree // of those that were looked into
	names     map[dwarf.Offset]string        // of functions as they are declared
	inlined   map[dwarf.Offset]string        // of copies that were looked at
	tables    map[*unit]*lineTable           // of units that were looked into
}

// lists are the readers of location lists, of DWARF 4 and 5.
type lists struct {
	old       *loclist.Dwarf2Reader
	new       *loclist.Dwarf5Reader
	offsets   []byte // the section of new, which begins with tables of offsets
	addresses *godwarf.DebugAddrSection
}

// unit is a compilation unit.
type unit struct {
	entry  *dwarf.Entry
	ranges [][2]uint64
	low    uint64
}

// Function is a function with code of its own. Copies that were inlined have none.
type Function struct {
	Name      string // qualified as the language writes it: "main.(*T).Get", "bank::Account::deposit"
	Low, High uint64
	offset    dwarf.Offset
	// isAside: it is a part that the compiler has laid elsewhere, not where a call begins.
	isAside bool
}

// Open reads an executable. Close must be called.
func Open(path string) (*Image, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	im := &Image{elf: file, IsGo: file.Section(".go.buildinfo") != nil, trees: map[dwarf.Offset]*godwarf.Tree{}}
	if err := im.read(); err != nil {
		_ = file.Close() // the error of reading says more
		return nil, err
	}
	im.HasLines = true
	return im, nil
}

// Close lets the file go.
func (im *Image) Close() error { return im.elf.Close() }

func (im *Image) read() (err error) {
	if im.elf.Machine != elf.EM_X86_64 {
		return fmt.Errorf("its processor is %s, and only x86-64 can be observed", im.elf.Machine)
	}
	if im.elf.Section(".debug_info") == nil && im.elf.Section(".zdebug_info") == nil {
		return ErrNoDebugInfo
	}
	if im.data, err = im.elf.DWARF(); err != nil {
		return fmt.Errorf("reading its debug information: %w", err)
	}
	if err := im.readFrames(); err != nil {
		return fmt.Errorf("reading its frames: %w", err)
	}
	im.readLists()
	return im.readFunctions()
}

// readFrames reads how frames are laid out at each instruction.
func (im *Image) readFrames() error {
	section, err := godwarf.GetDebugSectionElf(im.elf, "frame")
	if err == nil && len(section) > 0 {
		if im.frames, err = frame.Parse(section, binary.LittleEndian, 0, 8, 0); err != nil {
			return err
		}
	}
	eh := im.elf.Section(".eh_frame")
	if eh == nil || eh.Type == elf.SHT_NOBITS {
		return nil
	}
	text, err := eh.Data()
	if err != nil {
		return err
	}
	entries, err := frame.Parse(text, binary.LittleEndian, 0, 8, eh.Addr)
	if err != nil {
		return nil // that of the debug information does
	}
	im.frames = im.frames.Append(entries)
	return nil
}

func (im *Image) readLists() {
	section := func(name string) []byte {
		text, err := godwarf.GetDebugSectionElf(im.elf, name)
		if err != nil {
			return nil
		}
		return text
	}
	im.lists.old = loclist.NewDwarf2Reader(section("loc"), 8)
	if text := section("loclists"); len(text) > 0 {
		im.lists.new, im.lists.offsets = loclist.NewDwarf5Reader(text), text
	}
	im.lists.addresses = godwarf.ParseAddr(section("addr"))
}

// readFunctions walks all entries once: units, and functions by the names that they have
// in their namespaces and types.
func (im *Image) readFunctions() error {
	im.names = map[dwarf.Offset]string{}
	read := functions{image: im, names: im.names}
	if err := im.walk(read.enter); err != nil {
		return err
	}
	for _, c := range read.concrete {
		begins := c.ranges[0][0]
		if at, is := c.entry.Val(dwarf.AttrEntrypc).(uint64); is {
			begins = at
		}
		for _, span := range c.ranges {
			im.functions = append(im.functions, Function{
				Name: im.nameOf(c.entry, read.names), Low: span[0], High: span[1], offset: c.entry.Offset, isAside: begins < span[0] || begins >= span[1],
			})
		}
	}
	slices.SortFunc(im.functions, func(a, b Function) int { return cmp.Compare(a.Low, b.Low) })
	return nil
}

// errWalked ends a walk.
var errWalked = errors.New("the walk is over")

// walk takes all entries one after another, each with the names of those around it in its
// unit. Enter says whether those below an entry are wanted too; errWalked ends it.
func (im *Image) walk(enter func(e *dwarf.Entry, within []string) (into bool, err error)) error {
	var within []string
	for r := im.data.Reader(); ; {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Tag == 0 { // the end of those below the last
			if len(within) > 0 {
				within = within[:len(within)-1]
			}
			continue
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		if e.Tag == dwarf.TagCompileUnit {
			within, name = within[:0], ""
		}
		switch into, err := enter(e, within); {
		case errors.Is(err, errWalked):
			return nil
		case err != nil:
			return err
		case !into:
			r.SkipChildren()
		case e.Children:
			within = append(within, name)
		}
	}
}

// functions are gathered on a walk.
type functions struct {
	image    *Image
	names    map[dwarf.Offset]string
	concrete []concrete
}

// concrete is a function that has code.
type concrete struct {
	entry  *dwarf.Entry
	ranges [][2]uint64
}

func (w *functions) enter(e *dwarf.Entry, within []string) (into bool, err error) {
	switch e.Tag {
	case dwarf.TagCompileUnit:
		u := unit{entry: e}
		if u.ranges, err = w.image.data.Ranges(e); err != nil {
			return false, err
		}
		u.low, _ = e.Val(dwarf.AttrLowpc).(uint64)
		w.image.units = append(w.image.units, u)
	case dwarf.TagSubprogram:
		if name, _ := e.Val(dwarf.AttrName).(string); name != "" {
			w.names[e.Offset] = qualify(within, name)
		}
		if ranges, err := w.image.data.Ranges(e); err == nil && len(ranges) > 0 {
			w.concrete = append(w.concrete, concrete{e, ranges})
		}
		return false, nil
	case dwarf.TagNamespace, dwarf.TagStructType, dwarf.TagClassType, dwarf.TagEnumerationType, dwarf.TagUnionType:
	default:
		return false, nil
	}
	return true, nil
}

// qualify is a name in the namespaces and types around it.
func qualify(within []string, name string) string {
	var full string
	for _, w := range within {
		if w != "" {
			full += w + "::"
		}
	}
	return full + name
}

// nameOf is the name of a function: its own, or that of the declaration which it stands for.
func (im *Image) nameOf(e *dwarf.Entry, names map[dwarf.Offset]string) string {
	for range 4 { // a copy of a function that a class declares is two steps away
		if declared, is := e.Val(dwarf.AttrSpecification).(dwarf.Offset); is {
			if name := names[declared]; name != "" {
				return name
			}
		}
		origin, is := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !is {
			return names[e.Offset]
		}
		if name := names[origin]; name != "" {
			return name
		}
		r := im.data.Reader()
		r.Seek(origin)
		next, err := r.Next()
		if err != nil || next == nil {
			return ""
		}
		e = next
	}
	return ""
}

// FunctionAt is the function whose code an address is in; nil for none.
func (im *Image) FunctionAt(pc uint64) *Function {
	i := sort.Search(len(im.functions), func(i int) bool { return im.functions[i].Low > pc }) - 1
	if i >= 0 && pc < im.functions[i].High {
		return &im.functions[i]
	}
	return nil
}

// Parts are all the parts of a function, itself among them.
func (im *Image) Parts(f *Function) (list []*Function) {
	for i := range im.functions {
		if im.functions[i].offset == f.offset {
			list = append(list, &im.functions[i])
		}
	}
	return list
}

// tree is what a function has in it: blocks, variables, functions that were inlined there. It
// is read once.
func (im *Image) tree(f *Function) (*godwarf.Tree, error) {
	if known := im.trees[f.offset]; known != nil {
		return known, nil
	}
	t, err := godwarf.LoadTree(f.offset, im.data, 0)
	if err != nil {
		return nil, err
	}
	im.trees[f.offset] = t
	return t, nil
}

// Offset is where in the file the instruction at an address lies.
func (im *Image) Offset(pc uint64) (uint64, error) {
	for _, p := range im.elf.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && pc >= p.Vaddr && pc < p.Vaddr+p.Filesz {
			return pc - p.Vaddr + p.Off, nil
		}
	}
	return 0, fmt.Errorf("%#x is in no executable segment", pc)
}

// Code is the code of a function.
func (im *Image) Code(f *Function) ([]byte, error) {
	for _, s := range im.elf.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 || f.Low < s.Addr || f.High > s.Addr+s.Size {
			continue
		}
		code := make([]byte, f.High-f.Low)
		if _, err := s.ReadAt(code, int64(f.Low-s.Addr)); err != nil {
			return nil, err
		}
		return code, nil
	}
	return nil, fmt.Errorf("the code of %s is in no section", f.Name)
}

// Moves says that the system chooses where the executable lies in memory (PIE).
func (im *Image) Moves() bool { return im.elf.Type == elf.ET_DYN }
