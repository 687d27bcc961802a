package session

import (
	"slices"
	"sync"
)

// notices are what the next reply says of a run beside its state, each of them once.
// Whoever learns something adds it; the lock is its own.
type notices struct {
	mu       sync.Mutex
	warnings []string
	missed   []string  // warnings of parts of the program that could not be debugged
	mappings []Mapping // of paths, that were found
}

// mostWarnings is how many warnings of the adapter wait for a reply.
const mostWarnings = 5

// add adds warnings of our own.
func (n *notices) add(texts ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.warnings = append(n.warnings, texts...)
}

// warn adds what the adapter or the end of a run warns of, and says whether it is news.
func (n *notices) warn(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if text == "" || slices.Contains(n.warnings, text) || len(n.warnings) >= mostWarnings {
		return false
	}
	n.warnings = append(n.warnings, text)
	return true
}

// miss adds a part of the program that could not be debugged.
func (n *notices) miss(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.missed = append(n.missed, text)
}

// setMappings has the reply tell the mappings that were found.
func (n *notices) setMappings(found []Mapping) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mappings = found
}

// take takes all of them for a reply. What was missed is told where it can be why
// nothing was hit.
func (n *notices) take(tellMissed bool) (warnings []string, mappings []Mapping) {
	n.mu.Lock()
	defer n.mu.Unlock()
	warnings, mappings = n.warnings, n.mappings
	if tellMissed {
		warnings = append(warnings, n.missed[:min(len(n.missed), 1)]...)
	}
	n.warnings, n.missed, n.mappings = nil, nil, nil
	return warnings, mappings
}

// lastWords are what the adapter has printed last while it started, for the errors of a
// start that fails.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

// mostLastWords is how many bytes of them are kept.
const mostLastWords = 4000

func (w *lastWords) add(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, text...)
	if extra := len(w.text) - mostLastWords; extra > 0 {
		w.text = w.text[extra:]
	}
}

func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}
