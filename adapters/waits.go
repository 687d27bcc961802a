package adapters

import (
	"errors"
	"time"
)

// ErrNoWaits says that a program cannot be asked who waits for what.
var ErrNoWaits = errors.New("who waits for what cannot be asked here")

// Waits are the threads, goroutines, tasks and promises of a program that wait, at one moment.
type Waits struct {
	Waiters []Waiter `json:"waiters"`
	LeftOut int      `json:"left_out"` // that were not looked at
	Notes   []string `json:"notes"`    // what cannot be told of this program, for people
}

// Waiter is one that waits. Its key tells it apart within its connection: holders are named by it.
type Waiter struct {
	Key     string        `json:"key"`
	Who     string        `json:"who"`    // "goroutine 7", "task fetch"
	Thread  int           `json:"thread"` // the debug adapter's number; 0 where it is no thread
	At      Location      `json:"at"`     // the user's line that waits; empty where it has none
	For     string        `json:"for"`    // "sync.Mutex.Lock of s.mu"
	On      string        `json:"on"`     // which object that is: "sync.Mutex 0xc000012345"
	Holders []Holder      `json:"holders"`
	Unknown string        `json:"unknown"` // why it is not known who holds what somebody must hold
	Made    Location      `json:"made"`    // where it was started; empty where that is not known
	Timed   bool          `json:"timed"`   // a time limit ends it
	System  bool          `json:"system"`
	Since   time.Duration `json:"-"`
}

// Holder is who was seen to hold what another waits for, or has to come first.
type Holder struct {
	Key    string   `json:"key"`
	Who    string   `json:"who"`
	Does   string   `json:"does"`   // where it does not simply hold it: "waits to write"
	Taken  Location `json:"taken"`  // where it took that; empty where it is not known
	Stands Location `json:"stands"` // where it is now
}

// Location is a place in the program's source. File is as the debug adapter names it.
type Location struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
}
