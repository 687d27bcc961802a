//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"time"
)

// beginLimit is how long a program may take to run that was told to.
const beginLimit = 5 * time.Second

// pause is heard by Delve's session only when the program has stopped once: up to then
// the session takes it for the wish to end a download of debug information, and does not
// answer. So the program is stopped for a moment before, which the session passes over.
func (f *front) pause(req request, frame []byte) {
	if !f.dbg.CancelDownloads() {
		f.inner.write(frame)
		return
	}
	go func() {
		if f.stopOnce() {
			f.inner.write(frame)
		} else {
			f.succeed(req, nil) // it has not begun to run: it stands
		}
	}()
}

// stopOnce stops the program for a moment. It may have been told to run and not run yet.
func (f *front) stopOnce() bool {
	limit, again := time.NewTimer(beginLimit), time.NewTicker(haltAgain)
	defer limit.Stop()
	defer again.Stop()
	for {
		_, unlock := f.hold()
		unlock()
		if !f.dbg.CancelDownloads() {
			return true
		}
		select {
		case <-again.C:
		case <-limit.C:
			return false
		case <-f.over:
			return false
		}
	}
}
