package prepare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/system/boundedfile"
)

// What is read of the reports that detectors write into files, one for each process.
const (
	mostReports   = 50
	longestReport = 4 << 20 // bytes of one file
)

// Reports are the texts of the files that a detector has written whose names begin with one of
// its own, the oldest first, and how many more there are.
func Reports(prefix string) (texts []string, more int, err error) {
	names, err := filepath.Glob(prefix + "*")
	if err != nil {
		return nil, 0, fmt.Errorf("looking for the detector's reports: %w", err)
	}
	age := func(name string) int64 {
		info, err := os.Stat(name)
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortStableFunc(names, func(a, b string) int { return int(min(1, max(-1, age(a)-age(b)))) })
	if len(names) > mostReports {
		names, more = names[:mostReports], len(names)-mostReports
	}
	for _, name := range names {
		text, err := head(name)
		if err != nil {
			return nil, 0, fmt.Errorf("reading a report of the detector: %w", err)
		}
		texts = append(texts, text)
	}
	return texts, more, nil
}

// head is the beginning of a file: the first reports are those that count.
func head(name string) (string, error) {
	f, err := boundedfile.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text := make([]byte, longestReport)
	n := 0
	for n < len(text) {
		k, err := f.Read(text[n:])
		n += k
		if err != nil || k == 0 {
			break
		}
	}
	return string(text[:n]), nil
}
