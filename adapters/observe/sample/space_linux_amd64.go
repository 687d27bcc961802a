package sample

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"aidb-mcp/adapters/observe/image"
)

// mapping is a part of a process's memory that has code of a file.
type mapping struct {
	from, to, offset uint64
	path             string
	module           *module // nil before it was looked at
}

// space is the memory of a process, as far as it has code.
type space struct {
	pid      int
	mappings []mapping // by address
	read     time.Time // when /proc was last asked
}

// add adds a mapping, which takes the place of what was there.
func (s *space) add(m mapping) {
	s.mappings = slices.DeleteFunc(s.mappings, func(o mapping) bool { return o.from < m.to && m.from < o.to })
	i := sort.Search(len(s.mappings), func(i int) bool { return s.mappings[i].from > m.from })
	s.mappings = slices.Insert(s.mappings, i, m)
}

// find is the mapping of an address; nil for none.
func (s *space) find(address uint64) *mapping {
	i := sort.Search(len(s.mappings), func(i int) bool { return s.mappings[i].to > address })
	if i < len(s.mappings) && address >= s.mappings[i].from {
		return &s.mappings[i]
	}
	return nil
}

// leastBetween is how much time lies between two looks at the mappings of a process.
const leastBetween = 100 * time.Millisecond

// refresh reads the mappings that the process has now, where that was not done just before.
// Of one that has ended nothing changes.
func (s *space) refresh() bool {
	if time.Since(s.read) < leastBetween {
		return false
	}
	s.read = time.Now()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", s.pid))
	if err != nil || len(text) == 0 {
		return false
	}
	var fresh []mapping
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		m, is := readMapping(lines.Text())
		if !is {
			continue
		}
		if known := s.find(m.from); known != nil && known.from == m.from && known.path == m.path && known.offset == m.offset {
			m.module = known.module
		}
		fresh = append(fresh, m)
	}
	slices.SortFunc(fresh, func(a, b mapping) int { return cmp.Compare(a.from, b.from) })
	s.mappings = fresh
	return true
}

// readMapping reads a line of /proc/PID/maps; those without code are none.
func readMapping(line string) (m mapping, is bool) {
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 6 || !strings.Contains(fields[1], "x") {
		return m, false
	}
	if _, err := fmt.Sscanf(fields[0], "%x-%x", &m.from, &m.to); err != nil {
		return m, false
	}
	if _, err := fmt.Sscanf(fields[2], "%x", &m.offset); err != nil {
		return m, false
	}
	m.path = strings.TrimSpace(fields[5])
	return m, true
}

// module is a file with code. A nil image is of one that cannot be read, or of no file.
type module struct {
	name  string
	image *image.Image
	rules map[uint64]*image.Unwinding // by address, nil for none
	calls map[uint64][]image.Call
}

// modules are the files that were looked at, by what the system says of them.
type modules struct {
	known map[string]*module
}

// find sets the module of a mapping.
func (l *modules) find(s *space, m *mapping) {
	if m.module != nil {
		return
	}
	path := strings.TrimSuffix(m.path, " (deleted)")
	key := path
	var found string
	for _, candidate := range []string{fmt.Sprintf("/proc/%d/root%s", s.pid, path), path, fmt.Sprintf("/proc/%d/map_files/%x-%x", s.pid, m.from, m.to)} {
		if !strings.HasPrefix(path, "/") {
			break
		}
		if info, err := os.Stat(candidate); err == nil && info.Mode().IsRegular() { // others have one wait
			found, key = candidate, keyOf(path, info)
			break
		}
	}
	if l.known[key] == nil {
		l.known[key] = openModule(path, found)
	}
	m.module = l.known[key]
}

// openModule reads what a file says of its code, where it is found.
func openModule(name, found string) *module {
	made := &module{name: name, rules: map[uint64]*image.Unwinding{}, calls: map[uint64][]image.Call{}}
	if found == "" {
		return made
	}
	defer func() { // readers of DWARF panic at what they do not know
		if recover() != nil {
			made.image = nil
		}
	}()
	if im, err := image.OpenAny(found); err == nil {
		made.image = im
	}
	return made
}

// keyOf tells one file from another that comes to its place.
func keyOf(path string, info os.FileInfo) string {
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// warm reads a file before its code runs: later there would be no time for it.
func (l *modules) warm(path string) {
	if info, err := os.Stat(path); err == nil && l.known[keyOf(path, info)] == nil {
		l.known[keyOf(path, info)] = openModule(path, path)
	}
}

func (l *modules) close() {
	for _, m := range l.known {
		if m.image != nil {
			_ = m.image.Close() // it was only read
		}
	}
}

// mostRemembered rules and names are kept of a module.
const mostRemembered = 200_000

// unwinding is how the caller of an address, as the file has it, is found; nil where it is
// not known.
func (m *module) unwinding(address uint64) *image.Unwinding {
	if m.image == nil {
		return nil
	}
	if u, known := m.rules[address]; known {
		return u
	}
	u, err := m.image.Unwind(address)
	if err != nil {
		u = nil
	}
	if len(m.rules) < mostRemembered {
		m.rules[address] = u
	}
	return u
}

// callsAt are the functions that an address, as the file has it, is in.
func (m *module) callsAt(address uint64) []image.Call {
	if m.image == nil {
		return nil
	}
	if list, known := m.calls[address]; known {
		return list
	}
	list := m.named(address)
	if len(m.calls) < mostRemembered {
		m.calls[address] = list
	}
	return list
}

// named is what the file says of an address; nothing where it says what nobody can read.
func (m *module) named(address uint64) (list []image.Call) {
	defer func() {
		if recover() != nil {
			list = nil
		}
	}()
	return m.image.Calls(address)
}

// address is where an address of a process lies in the module's file.
func (m *mapping) address(pc uint64) (uint64, bool) {
	if m.module == nil || m.module.image == nil {
		return 0, false
	}
	address, err := m.module.image.Address(pc - m.from + m.offset)
	return address, err == nil
}
