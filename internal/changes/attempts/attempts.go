// Package attempts is the memory of what was tried against a problem and what came of it:
// how attempts are named and told apart, and what keeps them. It outlives sessions and
// servers where a store keeps it.
//
// The package knows neither how a change is tried nor where attempts are kept.
package attempts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Attempt is one change that was tried.
type Attempt struct {
	Problem    string // see ID
	Key        string // of the change: the same change of the same files has the same
	N          int    // counts those of a problem from 1
	At         time.Time
	Hypothesis string
	Change     json.RawMessage // as it was given, or a JSON string of its beginning; see Bounded
	Result     string          // passed, failed, …
	Failure    json.RawMessage // of this run, in short; empty where it passed
	Signature  string          // of the failure that it was to mend, wherever that shows
}

// Problem is a check of a workspace against which something is tried.
type Problem struct {
	ID        string // see ID
	Workspace string // as ID has it
	At        time.Time
	Check     json.RawMessage // as it may be shown: secrets are masked
}

// Memory keeps attempts, each as Bounded says, and of a problem the last MostOfProblem. Its
// methods may be called from any goroutine. An error says why nothing is remembered.
type Memory interface {
	// List are those of a problem, in the order of their numbers.
	List(ctx context.Context, problem string) ([]Attempt, error)
	// Add keeps one, in place of an earlier one of the same problem and key, whose
	// number it keeps; else it gets the next. The number is set in the attempt.
	Add(ctx context.Context, a *Attempt) error
	// Begin notes that a problem is worked on.
	Begin(ctx context.Context, p Problem) error
	// Latest is the problem of a workspace that was begun last; nil where there is none, or
	// it was forgotten.
	Latest(ctx context.Context, workspace string) (*Problem, error)
	// Forget removes those of a problem and says how many there were.
	Forget(ctx context.Context, problem string) (int, error)
	// Solved is the newest that passed against a failure with this signature, of
	// another problem; nil where there is none, and for no signature.
	Solved(ctx context.Context, signature, except string) (*Attempt, error)
}

// ID names a problem: a workspace and what is checked in it. Both are texts that are the
// same on every machine that has the project.
func ID(workspace, check string) string {
	sum := sha256.Sum256([]byte(workspace + "\x00" + check))
	return hex.EncodeToString(sum[:6])
}

// InMemory keeps attempts as long as the process lives.
type InMemory struct {
	mu       sync.Mutex // guards what follows
	all      []Attempt
	problems []Problem // in the order in which they were begun
}

// List is that of Memory.
func (m *InMemory) List(_ context.Context, problem string) ([]Attempt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Attempt
	for _, a := range m.all {
		if a.Problem == problem {
			list = append(list, a)
		}
	}
	return list, nil
}

// mostKept is how many attempts are kept of all problems together.
const mostKept = 2 * MostOfProblem

// Add is that of Memory.
func (m *InMemory) Add(_ context.Context, a *Attempt) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldest, count := 0, 0 // of its problem
	a.N = 1
	for i, old := range m.all {
		if old.Problem != a.Problem {
			continue
		}
		if old.Key == a.Key {
			a.N = old.N
			m.all[i] = a.Bounded()
			return nil
		}
		if count++; count == 1 {
			oldest = i
		}
		a.N = old.N + 1
	}
	if count >= MostOfProblem {
		m.all = slices.Delete(m.all, oldest, oldest+1)
	}
	m.all = append(m.all, a.Bounded())
	m.all = slices.Delete(m.all, 0, max(0, len(m.all)-mostKept))
	return nil
}

// Begin is that of Memory.
func (m *InMemory) Begin(_ context.Context, p Problem) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(p.ID)
	m.problems = append(m.problems, p.Bounded())
	m.problems = slices.Delete(m.problems, 0, max(0, len(m.problems)-MostOfProblem))
	return nil
}

func (m *InMemory) drop(problem string) {
	m.problems = slices.DeleteFunc(m.problems, func(p Problem) bool { return p.ID == problem })
}

// Latest is that of Memory.
func (m *InMemory) Latest(_ context.Context, workspace string) (*Problem, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var latest *Problem
	for _, p := range m.problems {
		if p.Workspace == workspace && (latest == nil || !p.At.Before(latest.At)) {
			latest = &p
		}
	}
	return latest, nil
}

// Forget is that of Memory.
func (m *InMemory) Forget(_ context.Context, problem string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var kept []Attempt
	for _, a := range m.all {
		if a.Problem != problem {
			kept = append(kept, a)
		}
	}
	n := len(m.all) - len(kept)
	m.all = kept
	m.drop(problem)
	return n, nil
}

// Solved is that of Memory.
func (m *InMemory) Solved(_ context.Context, signature, except string) (*Attempt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if signature == "" {
		return nil, nil
	}
	var newest *Attempt
	for _, a := range m.all {
		if a.Signature == signature && a.Problem != except && a.Result == Passed && (newest == nil || !a.At.Before(newest.At)) {
			newest = &a
		}
	}
	return newest, nil
}

// The results of a candidate, in the contract's words.
const (
	Passed      = "passed"
	Failed      = "failed"
	BuildFailed = "build_failed"
	TimedOut    = "timed_out"
	SameAs      = "same_as"
	Refused     = "refused" // the change could not be made, or not be tried
)
