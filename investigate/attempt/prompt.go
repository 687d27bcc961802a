package attempt

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/text/brief"
)

// promptText is the failure with the source around it, and all that was tried, in one page.
// What does not fit is left out from the end; secrets are masked.
func (w *work) promptText(ctx context.Context, r *Result) (string, error) {
	all, err := w.Memory.List(ctx, w.ID)
	if err != nil {
		return "", unreadableError(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "check: %s\nfailure: ", w.Start)
	card := json.NewEncoder(&b)
	card.SetEscapeHTML(false)
	card.SetIndent("", " ")
	if err := card.Encode(r.Before); err != nil {
		return "", fmt.Errorf("writing the failure: %w", err)
	}
	for _, a := range all {
		if a.Result == attempts.Passed {
			continue
		}
		fmt.Fprintf(&b, "tried, and %s: %s\n%s\n%s\n", a.Result, a.Hypothesis, brief.Text(proposedText(a), 1000), brief.Text(string(a.Failure), 500))
	}
	for _, row := range r.Rows {
		if row.Result == attempts.Refused {
			fmt.Fprintf(&b, "your last answer could not be tried: %s\n", row.Why)
		}
	}
	w.addSource(&b, r.Before)
	return brief.Text(w.Mask.Text(b.String()), longestPrompt), nil
}

// addSource adds the code around the places that the failure names: its own, then what was
// called last. No line is shown twice.
func (w *work) addSource(b *strings.Builder, failure *Failure) {
	shown := map[string]bool{} // by file and line
	places := slices.Clone(failure.Places)
	slices.Reverse(places)
	for _, at := range append([]string{failure.Location}, places...) {
		name, lines, n := w.sourceAt(at)
		from, to := max(0, n-1-sourceLines), min(len(lines), n+sourceLines)
		for from < to && shown[fmt.Sprint(name, ":", from)] {
			from++
		}
		for from < to && shown[fmt.Sprint(name, ":", to-1)] {
			to--
		}
		if from == to {
			continue
		}
		for i := from; i < to; i++ {
			shown[fmt.Sprint(name, ":", i)] = true
		}
		fmt.Fprintf(b, "%s, lines %d to %d:\n%s\n", name, from+1, to, strings.Join(lines[from:to], "\n"))
	}
}

// sourceAt is the file of a place, its lines, and which of them it is; no lines where it
// cannot be read or is not to be.
func (w *work) sourceAt(at string) (name string, lines []string, n int) {
	name, number, _ := strings.Cut(at, ":")
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Workspace, path)
	}
	n, err := strconv.Atoi(number)
	if err != nil || !w.Policy.Allows(path) {
		return name, nil, 0
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return name, nil, 0
	}
	if lines = strings.Split(string(text), "\n"); n < 1 || n > len(lines) {
		return name, nil, 0
	}
	return name, lines, n
}

// proposedText is the change of an attempt as a model is told it.
func proposedText(a attempts.Attempt) string {
	text, err := json.Marshal(givenChange(a))
	if err != nil {
		return ""
	}
	return string(text)
}

// suspectLine is a line of the program that the failure names, as an edit has it: of the last
// place that is not the failure's own, which is often the test's.
func (w *work) suspectLine(failure *Failure) (file, line string) {
	for _, at := range slices.Backward(append([]string{failure.Location}, failure.Places...)) {
		if name, lines, n := w.sourceAt(at); n > 0 {
			return name, strings.TrimSpace(lines[n-1])
		}
	}
	return "file", "old text"
}
