//go:build linux

package attached

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// held says how somebody still holds a thread of the process, empty when nobody does.
func held(pid int) string {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // it has just ended
		}
		fields := map[string]string{}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			fields[name] = strings.TrimSpace(value)
		}
		if tracer := fields["TracerPid"]; tracer != "0" {
			by, _ := os.ReadFile(fmt.Sprintf("/proc/%s/cmdline", tracer))
			return fmt.Sprintf("thread %s is traced by process %s: %s", fields["Pid"], tracer, bytes.ReplaceAll(by, []byte{0}, []byte(" ")))
		}
		if s := fields["State"]; strings.HasPrefix(s, "t") || strings.HasPrefix(s, "T") {
			return fmt.Sprintf("thread %s stands: %s", fields["Pid"], s)
		}
	}
	return ""
}

// mapping is a part of a file in a process, to be executed, of which some pages are
// the process's own.
type mapping struct {
	from, to, offset uint64
	file             string
}

// changed lists where the text of a process differs from the files that it is of.
func changed(pid int) ([]string, error) {
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, err
	}
	defer mem.Close()
	list, err := mappings(pid)
	var places []string
	for _, m := range list {
		found, err := m.compare(mem)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.file, err)
		}
		places = append(places, found...)
	}
	return places, err
}

// compare reads a mapping in both places.
func (m mapping) compare(mem io.ReaderAt) ([]string, error) {
	file, err := os.Open(m.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	here, there := make([]byte, m.to-m.from), make([]byte, m.to-m.from)
	if _, err := mem.ReadAt(here, int64(m.from)); err != nil {
		return nil, err
	}
	n, err := file.ReadAt(there, int64(m.offset)) // the last page may be longer than the file
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var places []string
	for i := 0; i < n && !bytes.Equal(here[i:n], there[i:n]); i++ {
		if here[i] != there[i] {
			places = append(places, fmt.Sprintf("%s+%#x: %#02x, in the file %#02x", filepath.Base(m.file), m.offset+uint64(i), here[i], there[i]))
		}
	}
	return places, nil
}

// mappings are those that can have been changed.
func mappings(pid int) ([]mapping, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil {
		return nil, err
	}
	var list []mapping
	var last mapping
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case strings.Contains(fields[0], "-"):
			last = mapping{}
			if len(fields) < 6 || !strings.Contains(fields[1], "x") || !strings.HasPrefix(fields[5], "/") {
				continue
			}
			from, to, _ := strings.Cut(fields[0], "-")
			last.from, _ = strconv.ParseUint(from, 16, 64)
			last.to, _ = strconv.ParseUint(to, 16, 64)
			last.offset, _ = strconv.ParseUint(fields[2], 16, 64)
			last.file = fields[5]
		case fields[0] == "Anonymous:" && fields[1] != "0" && last.file != "":
			list = append(list, last)
		}
	}
	return list, nil
}
