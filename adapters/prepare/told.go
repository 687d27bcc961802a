package prepare

import (
	"os"
	"sync"
	"time"
)

// Told remembers what executables have said of themselves, for as long as they are the
// same file: asking takes as long as a small program, and a debugger with a Python in it
// longer. The zero value is ready, and any goroutine may ask.
type Told struct {
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
func (k *Told) Of(path string, ask func() (string, error)) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	is, known := k.by[path]
	k.mu.Unlock()
	if known && is.size == info.Size() && is.time.Equal(info.ModTime()) {
		return is.text, nil
	}
	text, err := ask()
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]cachedText{}
	}
	k.by[path] = cachedText{info.Size(), info.ModTime(), text}
	return text, nil
}
