package prepare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
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

// gaveUp are lines with which the runtime of a sanitizer, and of Go's race detector, ends the program
// because it can go on no longer itself. The exit code tells nothing then.
var gaveUp = pattern.New(`(?m)^(?:==\d+==)?\s*(ERROR: \w+Sanitizer failed to .*|(?:FATAL: )?\w+Sanitizer:? CHECK failed.*|FATAL: \w+Sanitizer.*` +
	`|ASan runtime does not come first .*|Your application is linked against incompatible .*|Shadow memory range interleaves .*|(?:ThreadSanitizer: Thread limit|race: limit on) .*exceeded[.,] [dD]ying.*)$`)

// GaveUp is why a detector could not go on, in its own words; empty where it did.
func GaveUp(report string) string {
	if m := gaveUp.FindStringSubmatch(report); m != nil {
		return m[1]
	}
	return ""
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
