package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// The bounds of what is read at once. A body of smallBody bytes is read without
// asking, for there are only so many requests; a longer one has its whole size
// kept free for it first, from the share of its principal and from that of all.
const (
	smallBody = 16 << 10
	maxIntake = 48 << 20
	roomWait  = 10 * time.Second // for others to be read
)

// errBusy is why a body is not read.
var errBusy = errors.New("too many large messages are being read: send it again later")

// intake is the room for bodies that are being read and passed on.
type intake struct {
	share int64 // of one principal, in bytes
	all   *semaphore.Weighted

	mu sync.Mutex // guards the field below
	of map[string]*intakeShare
}

type intakeShare struct {
	room  *semaphore.Weighted
	users int
}

// newIntake has room for at least one body of the longest.
func newIntake(longest int64) *intake {
	return &intake{share: longest, all: semaphore.NewWeighted(max(maxIntake, longest)), of: map[string]*intakeShare{}}
}

// read reads a body. Free gives its room back: it must be called, and may be
// called as soon as nothing of the body is kept any more. The error is errBusy,
// an *http.MaxBytesError, or that the client has gone.
func (i *intake) read(w http.ResponseWriter, r *http.Request, principal string) (body []byte, free func(), err error) {
	length := r.ContentLength
	if length > i.share {
		return nil, func() {}, &http.MaxBytesError{Limit: i.share}
	}
	from := http.MaxBytesReader(w, r.Body, i.share)
	if 0 <= length && length <= smallBody {
		body, err = readAll(from, length)
		return body, func() {}, err
	}
	if length < 0 { // it does not say how long it is
		start, err := io.ReadAll(io.LimitReader(from, smallBody))
		if err != nil || len(start) < smallBody {
			return start, func() {}, err
		}
		length, from = i.share, readerAndCloser{io.MultiReader(bytes.NewReader(start), from), from}
	}
	if free, err = i.take(r.Context(), principal, length); err != nil {
		return nil, free, err
	}
	body, err = readAll(from, r.ContentLength)
	return body, free, err
}

type readerAndCloser struct {
	io.Reader
	io.Closer
}

// readAll reads what says to be so long, or does not say (-1).
func readAll(from io.Reader, length int64) ([]byte, error) {
	if length < 0 {
		return io.ReadAll(from)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(from, body)
	return body, err
}

// take keeps room free.
func (i *intake) take(ctx context.Context, principal string, n int64) (free func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, roomWait)
	defer cancel()
	own := i.enter(principal)
	if own.room.Acquire(ctx, n) != nil {
		i.leave(principal)
		return func() {}, errBusy
	}
	if i.all.Acquire(ctx, n) != nil {
		own.room.Release(n)
		i.leave(principal)
		return func() {}, errBusy
	}
	return sync.OnceFunc(func() {
		i.all.Release(n)
		own.room.Release(n)
		i.leave(principal)
	}), nil
}

func (i *intake) enter(principal string) *intakeShare {
	i.mu.Lock()
	defer i.mu.Unlock()
	own := i.of[principal]
	if own == nil {
		own = &intakeShare{room: semaphore.NewWeighted(i.share)}
		i.of[principal] = own
	}
	own.users++
	return own
}

func (i *intake) leave(principal string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if own := i.of[principal]; own != nil {
		if own.users--; own.users == 0 {
			delete(i.of, principal)
		}
	}
}
