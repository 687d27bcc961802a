package spread

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Runs are made on several machines at once until one fails, so often at most. Runs have numbers in
// the order in which they are given out; on each machine they are made one after the other.
type Runs struct {
	Most int
	Over time.Time
	// Here makes so many runs here until one fails.
	Here func(ctx context.Context, n int) (Batch, error)
	// There has a machine do so; isFirst says that it has made none yet. The error is that of Ask.
	There    func(ctx context.Context, m *Machine, n int, isFirst bool) (Batch, error)
	Progress func(made int)
}

// Batch is what came of some runs.
type Batch struct {
	Made, Failed int
	// Strange says that runs fail there each time, as they need not here: none of them counts.
	Strange string
	What    any // of the one that failed: what is known of it
}

// Lane is what came of the runs on one machine.
type Lane struct {
	Machine      *Machine // nil: here
	Made, Failed int
	First        int // the number of its first run that failed; 0: none
	What         any // what is known of that one
	// Lost is how many runs were given to the machine of which nobody knows.
	Lost int
}

// Found is what came of all.
type Found struct {
	Here  Lane
	There []*Lane
}

// Made counts the runs of all machines.
func (f *Found) Made() (made int) {
	for _, l := range f.all() {
		made += l.Made
	}
	return made
}

// Failed counts those of them that failed.
func (f *Found) Failed() (failed int) {
	for _, l := range f.all() {
		failed += l.Failed
	}
	return failed
}

func (f *Found) all() []*Lane { return append([]*Lane{&f.Here}, f.There...) }

// FirstElsewhere is the lane of another machine with the failure of the lowest number; nil: none has
// failed there.
func (f *Found) FirstElsewhere() (first *Lane) {
	for _, l := range f.There {
		if l.First > 0 && (first == nil || l.First < first.First) {
			first = l
		}
	}
	return first
}

// How long the runs that are given out at once shall take: when one has failed elsewhere, the others
// end theirs.
const (
	batchTime = 2 * time.Second
	mostBatch = 200
	// settle is how long the others are waited for then.
	settle = 5 * time.Second
	least  = time.Second // in which a run may come to anything
)

// search is such runs under way.
type search struct {
	Runs
	found *Found

	mu    sync.Mutex // guards the fields below, and the lanes
	next  int        // the number of the next run
	again []numbers  // that were given out, and not run
	out   int        // batches that are under way elsewhere
	ended bool       // no more are given out
	moved chan struct{}
}

// numbers are those of runs, from first on.
type numbers struct{ first, count int }

// Until makes the runs. The error is that of Here.
func (r Runs) Until(ctx context.Context, t *Team) (*Found, error) {
	s := &search{Runs: r, found: &Found{}, next: 1, moved: make(chan struct{}, 1)}
	elsewhere, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, m := range t.Machines {
		s.found.There = append(s.found.There, &Lane{Machine: m})
	}
	var lanes sync.WaitGroup
	for _, lane := range s.found.There { // all are there before the first of them counts the runs of all
		lanes.Go(func() { s.there(elsewhere, lane) }) // ends when no more runs are given out, or with the context
	}
	err := s.here(ctx)
	s.end()
	timer := time.AfterFunc(settle, cancel)
	if err != nil {
		cancel()
	}
	lanes.Wait()
	timer.Stop()
	return s.found, err
}

// end has no more runs given out.
func (s *search) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

func (s *search) stir() {
	select {
	case s.moved <- struct{}{}:
	default:
	}
}

// take gives runs out; none when there are no more, or one has failed.
func (s *search) take(want int) (given numbers) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || time.Until(s.Over) < least {
		return numbers{}
	}
	if len(s.again) > 0 {
		given = s.again[0]
		if s.again = s.again[1:]; given.count > want {
			s.again = append(s.again, numbers{given.first + want, given.count - want})
			given.count = want
		}
		return given
	}
	given = numbers{s.next, min(want, s.Most-s.next+1)}
	s.next += given.count
	return given
}

// give gives back those of which nothing is known, or that were not run.
func (s *search) give(back numbers) {
	if back.count > 0 {
		s.again = append(s.again, back)
	}
}

// note notes what came of runs. Whoever fails ends the giving out.
func (s *search) note(l *Lane, given numbers, b Batch) {
	s.mu.Lock()
	if b.Strange == "" {
		l.Made, l.Failed = l.Made+b.Made, l.Failed+b.Failed
	}
	switch {
	case b.Strange != "":
		s.give(given)
	case b.Failed > 0:
		s.ended = true
		if number := given.first + min(b.Made, given.count) - 1; l.First == 0 || number < l.First {
			l.First, l.What = number, b.What
		}
	default:
		s.give(numbers{given.first + b.Made, given.count - b.Made})
	}
	made := s.found.Made()
	s.mu.Unlock()
	if s.Progress != nil {
		s.Progress(made)
	}
}

// pace is how many runs to take next, of those that have taken so long.
func pace(took time.Duration, made, before int) int {
	if made == 0 || took <= 0 {
		return max(before, 1)
	}
	return max(1, min(mostBatch, 2*before, int(batchTime/max(took/time.Duration(made), 1))))
}

// here makes runs until there are no more; while others are at work, what they leave is waited for.
func (s *search) here(ctx context.Context) error {
	for want := 1; ; {
		given := s.take(want)
		if given.count == 0 {
			if !s.awaits(ctx) {
				return context.Cause(ctx)
			}
			continue
		}
		begun := time.Now()
		b, err := s.Here(ctx, given.count)
		if err != nil {
			return err
		}
		s.note(&s.found.Here, given, b)
		if b.Made < given.count && b.Failed == 0 { // the time is over
			s.end()
		}
		want = pace(time.Since(begun), b.Made, want)
	}
}

// awaits waits until something changes elsewhere. False: nothing will.
func (s *search) awaits(ctx context.Context) bool {
	s.mu.Lock()
	goesOn, isLeft := !s.ended && time.Until(s.Over) >= least, len(s.again) > 0
	goesOn = goesOn && (s.out > 0 || isLeft)
	s.mu.Unlock()
	if !goesOn || isLeft {
		return goesOn
	}
	over := time.NewTimer(time.Until(s.Over))
	defer over.Stop()
	select {
	case <-s.moved:
	case <-over.C:
	case <-ctx.Done():
		return false
	}
	return true
}

// there has a machine make runs until there are no more, or it is set aside.
func (s *search) there(ctx context.Context, l *Lane) {
	defer s.stir()
	for want, isFirst := 1, true; ctx.Err() == nil; isFirst = false {
		given := s.take(want)
		if given.count == 0 {
			return
		}
		s.count(1)
		begun := time.Now()
		b, err := s.There(ctx, l.Machine, given.count, isFirst)
		if err != nil {
			s.lose(l, given, err)
			s.count(-1)
			return
		}
		s.note(l, given, b)
		s.count(-1)
		if b.Strange != "" {
			l.Machine.SetAside(b.Strange)
			return
		}
		want = pace(time.Since(begun), b.Made, want)
		s.stir()
	}
}

func (s *search) count(more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out += more
}

// lose gives back what a machine has not done. Where nobody knows whether it was, it is told.
func (s *search) lose(l *Lane, given numbers, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.give(given)
	var refusal *NotDone
	if !errors.As(err, &refusal) { // it was given up in the middle
		l.Lost = given.count
	}
}

// Rate is "3 of 120 runs failed".
func (l *Lane) Rate() string { return fmt.Sprintf("%d of %d runs failed", l.Failed, l.Made) }
