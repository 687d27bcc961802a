package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// ErrHungUp says that nobody is there any more who would answer: the program has gone.
var ErrHungUp = errors.New("the program has hung up")

// requests matches what an inspector says with what it was asked. It is safe for concurrent use.
type requests struct {
	send  func(text []byte) error // writes one message; is called by one goroutine at a time
	event func(method string, params json.RawMessage)
	over  chan struct{} // closed when nothing more is heard

	mu      sync.Mutex // guards the fields below
	last    int
	waiting map[int]chan<- reply

	sending sync.Mutex // held while send is called
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error"`
}

// newRequests writes by send; event is called with what comes without being asked for, on the
// goroutine that hears.
func newRequests(send func([]byte) error, event func(method string, params json.RawMessage)) *requests {
	return &requests{send: send, event: event, over: make(chan struct{}), waiting: map[int]chan<- reply{}}
}

// hear hands out messages until receive has no more.
func (r *requests) hear(receive func() ([]byte, error)) {
	defer close(r.over)
	for {
		text, err := receive()
		if err != nil {
			return
		}
		var m struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			reply
		}
		if json.Unmarshal(text, &m) != nil {
			continue
		}
		if m.ID == 0 {
			r.event(m.Method, m.Params)
		} else if answered := r.take(m.ID); answered != nil {
			answered <- m.reply // it has room
		}
	}
}

// take gives whoever waits for an answer, who is not waited for any more.
func (r *requests) take(id int) chan<- reply {
	r.mu.Lock()
	defer r.mu.Unlock()
	answered := r.waiting[id]
	delete(r.waiting, id)
	return answered
}

// Call makes a request and reads its result; into may be nil.
func (r *requests) Call(ctx context.Context, method string, params, into any) error {
	answered := make(chan reply, 1)
	r.mu.Lock()
	r.last++
	id := r.last
	r.waiting[id] = answered
	r.mu.Unlock()
	defer r.take(id)
	text, err := json.Marshal(message{ID: id, Method: method, Params: params})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	r.sending.Lock()
	err = r.send(text)
	r.sending.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, ErrHungUp)
	}
	select {
	case a := <-answered:
		return a.read(method, into)
	case <-r.over:
		select {
		case a := <-answered: // the last that was heard
			return a.read(method, into)
		default:
			return fmt.Errorf("%s: %w", method, ErrHungUp)
		}
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
			return cause // whoever bounds it has words for that
		}
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (a reply) read(method string, into any) error {
	switch {
	case a.Error != nil:
		return fmt.Errorf("%s: %s", method, strings.TrimSpace(a.Error.Message+" "+a.Error.Data))
	case into == nil:
		return nil
	}
	return json.Unmarshal(a.Result, into)
}

// Over is closed when nothing more is heard.
func (r *requests) Over() <-chan struct{} { return r.over }
