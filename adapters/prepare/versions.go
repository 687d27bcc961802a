package prepare

import (
	"os"
	"sync"
	"time"
)

// Versions remembers what executables have said of themselves, for as long as they are the
// same file: asking takes as long as a small program, and a debugger with a Python in it
// longer. The zero value is ready, and any goroutine may ask.
type Versions struct {
	mu sync.Mutex // guards by
	by map[string]cachedText
}

type cachedText struct {
	size int64
	time time.Time
	text string
}

// Of is what the executable says. It is asked where it has not said so yet; an error is
// not remembered.
func (v *Versions) Of(path string, ask func() (string, error)) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	v.mu.Lock()
	is, known := v.by[path]
	v.mu.Unlock()
	if known && is.size == info.Size() && is.time.Equal(info.ModTime()) {
		return is.text, nil
	}
	text, err := ask()
	if err != nil {
		return "", err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.by == nil {
		v.by = map[string]cachedText{}
	}
	v.by[path] = cachedText{info.Size(), info.ModTime(), text}
	return text, nil
}
