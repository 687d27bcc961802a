package recording

import (
	"cmp"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The files of a recording, in a directory of its own. A recorder writes each event
// by itself, so that a crash loses none: the first [HeadSize] bytes to Head; after
// that to the two tails in turn, each up to [TailSize] bytes, emptying the one that
// it goes on with; there is no gap in what the tails hold. What lies between is dropped. The process that makes Head is the
// only one that records: its children find it there.
const (
	Asked = "wish.json"
	// Thinned is [Thin] for a recorder that reads no JSON: lines of "first" or "last" and
	// a number, and of the recorder's names of functions and the counts after which their
	// calls are noted.
	Thinned = "thin"
	Head    = "head"
	Tail0   = "tail0"
	Tail1   = "tail1"
	// Pending is there while a recorder holds events that it has not written. A recorder that
	// notes very many in a short time may do so for a few seconds: of a program that is
	// killed meanwhile the last events are missing.
	Pending = "pending"
	// Judgements is [Judged] as numbers of eight bytes, the lowest first: how often, how often
	// in vain, 1 where that is all, and instances, where there are any.
	Judgements = "judged"

	// Follows is there where a recorder goes on in processes or worker threads that the program
	// starts, and says of those in which it does not that they are [Apart]. Child and a number,
	// from 1, is a folder with the same files of one of them, and its ChildName ("worker 2"), if
	// that is not "child" and the number.
	Follows   = "follows"
	Child     = "child-"
	ChildName = "name"

	HeadSize = 4 << 20
	TailSize = 8 << 20
)

// Variable names the directory to a recorder.
const Variable = "AIDB_RECORD"

// Ask makes the directory of a recording, for this user alone, with the spec in it.
func Ask(dir string, w Spec) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, Asked), text, 0o600)
}

// Equip asks, and lays a recorder's files in a folder beside the spec: those of
// another folder in the binary.
func Equip(dir string, w Spec, files embed.FS, from, to string) error {
	scripts, err := fs.Sub(files, from)
	if err == nil {
		err = Ask(dir, w)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, to), scripts)
	}
	if err != nil {
		return fmt.Errorf("writing the recorder: %w", err)
	}
	return nil
}

// HasBegun says whether a recorder has made its first file.
func HasBegun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, Head))
	return err == nil
}

// Log is what a run has noted.
type Log struct {
	Events  []Event // in the order of their numbers
	Total   int64   // events of the run, those that were dropped too
	Dropped int64
	Torn    bool // the last events of the run are missing: it ended before they were written
	Silent  bool // no recorder has begun: nothing of the run was noted
	// Thinned says that calls of some functions may only have been counted (Counted), or
	// not even that (Unwatched), so that how deep a call is nested in others of its function
	// is not known.
	Thinned bool
	Judged  Judged
	// Follows says that what processes and worker threads did that the program has started is there
	// too, behind what it did itself, or else an Apart.
	Follows bool
	Started int // of those, how many the recorder knows of

	before []int64 // of these, as Event.Child numbers them: the number of the last event before theirs
}

// Process is what one process or thread has noted by itself, as Event.Child numbers them.
func (l Log) Process(child int) Log {
	if l.Started == 0 {
		return l
	}
	l.Events = slices.DeleteFunc(slices.Clone(l.Events), func(e Event) bool { return e.Child != child })
	l.Total, l.Dropped = 0, 0
	if n := len(l.Events); n > 0 {
		l.Total = l.Number(l.Events[n-1])
		l.Dropped = l.Total - int64(n)
	}
	return l
}

// Number counts the events of the process or thread that has noted one, up to that one.
func (l Log) Number(e Event) int64 {
	if e.Child >= len(l.before) {
		return e.Seq
	}
	return e.Seq - l.before[e.Child]
}

// Children is how many processes and worker threads that it has started were noted.
func (l Log) Children() (most int) {
	for _, e := range l.Events {
		most = max(most, e.Child)
	}
	return most
}

// SkippedBefore is, of a log with Writes.Clocked, which clock had come to which number in front of an
// event, if writes to one of some places were left out there; else empty.
func (l Log) SkippedBefore(i int, places ...string) (clock string, count int64) {
	for i--; i >= 0; i-- {
		if e := l.Events[i]; e.Skips(places...) {
			return e.Place, e.Hit
		}
	}
	return "", 0
}

// Skips says that an event tells of writes to one of some places that are left out, or that were until then.
func (e *Event) Skips(places ...string) bool {
	return e.Kind == Skipped && slices.ContainsFunc(places, func(p string) bool { return slices.Contains(e.Names, p) })
}

// Leaps says that writes were left out by Writes.Clocked: nobody knows how many.
func (l Log) Leaps() bool {
	return slices.ContainsFunc(l.Events, func(e Event) bool { return e.Kind == Skipped || e.Kind == Write && e.Hit < 0 })
}

// IsWhole says that all events of the run are there.
func (l Log) IsWhole() bool { return l.Dropped == 0 && !l.Torn }

// Judged is how often the condition of First was judged.
type Judged struct {
	Times  int64
	Failed int64 // of them without a value: it raised, or something was nil
	Whole  bool  // these were all; else there may have been more that were not counted in time

	Instances int64 // of First.Each: those that were built
}

// readJudged reads how often a condition was judged; nothing where none was.
func readJudged(dir string) (j Judged, err error) {
	text, err := os.ReadFile(filepath.Join(dir, Judgements))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) < 24 {
		return j, nil
	}
	if err != nil {
		return j, err
	}
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(text[8*i:])) }
	j = Judged{Times: number(0), Failed: number(1), Whole: number(2) == 1}
	if len(text) >= 32 {
		j.Instances = number(3)
	}
	return j, nil
}

// Read reads what has been noted until now. A line that is not whole yet is left out.
func Read(dir string) (Log, error) {
	log, err := readProcess(dir)
	if err != nil {
		return log, err
	}
	log.Silent = !HasBegun(dir)
	if _, err := os.Stat(filepath.Join(dir, Follows)); err != nil {
		return log, nil //nolint:nilerr // it follows none
	}
	log.Follows = true
	log.before = []int64{0}
	for number := 1; ; number++ {
		child := filepath.Join(dir, Child+strconv.Itoa(number))
		if _, err := os.Stat(child); err != nil {
			return log, nil //nolint:nilerr // there are no more
		}
		if err := log.addChild(child, number); err != nil {
			return log, err
		}
		log.Started = number
	}
}

// addChild adds what a process or worker thread has noted that the program has started: what it
// did, and what is to be said of that. Its calls have other numbers than the program's, and its places
// and objects are its own. The lines that are wanted are those of one call: what comes first has it.
func (l *Log) addChild(dir string, number int) error {
	child, err := readProcess(dir)
	if err != nil {
		return err
	}
	name := childName(dir, number)
	if !HasBegun(dir) {
		child.Events, child.Total = []Event{{Kind: Apart, Seq: 1, Text: name + " of the program was not recorded"}}, 1
	}
	if slices.ContainsFunc(l.Events, isLine) && slices.ContainsFunc(child.Events, isLine) {
		for i := range child.Events {
			if isLine(child.Events[i]) {
				child.Events[i].Kind = ""
			}
		}
		child.Total++
		child.Events = append(child.Events, Event{Kind: Remark, Seq: child.Total, Text: name + " has made such a call too, whose lines are not shown"})
	}
	l.before = append(l.before, l.Total)
	for _, e := range child.Events {
		switch e.Kind {
		case Hit, Enter, Leave, Line, Use, Write, Moment, Failed, Counted:
			e.isIn(name, number)
		case Remark, Apart, Refused:
		default:
			e.Kind = "" // its number shows that nothing is missing there
		}
		e.Seq, e.Child = e.Seq+l.Total, number
		l.Events = append(l.Events, e)
	}
	l.Total, l.Dropped, l.Torn = l.Total+child.Total, l.Dropped+child.Dropped, l.Torn || child.Torn
	l.Judged.Times, l.Judged.Failed, l.Judged.Whole = l.Judged.Times+child.Judged.Times, l.Judged.Failed+child.Judged.Failed, l.Judged.Whole && child.Judged.Whole
	return nil
}

// childName is what the one with a number is called.
func childName(dir string, number int) string {
	if text, err := os.ReadFile(filepath.Join(dir, ChildName)); err == nil && len(text) > 0 {
		return string(text)
	}
	return fmt.Sprintf("child %d", number)
}

func isLine(e Event) bool { return e.Kind == Line }

// isIn says of an event in which of the processes and threads it was, that have names and numbers.
func (e *Event) isIn(name string, number int) {
	e.Thread = strings.TrimSuffix(name+", "+e.Thread, ", ")
	if e.Call != 0 {
		e.Call += int64(number) << 32
	}
	for _, of := range append(placesOf(e.Values), &e.Place) {
		if *of != "" {
			*of = name + " " + *of
		}
	}
}

// placesOf are the places and the objects that values tell of.
func placesOf(values []Value) (list []*string) {
	for i := range values {
		v := &values[i]
		list = append(append(list, &v.Place, &v.Same, &v.Of), placesOf(v.Parts())...)
	}
	return list
}

// readProcess is what one process has noted.
func readProcess(dir string) (Log, error) {
	var log Log
	var err error
	if log.Events, err = readEvents(dir); err != nil {
		return log, err
	}
	if log.Judged, err = readJudged(dir); err != nil {
		return log, err
	}
	if _, err := os.Stat(filepath.Join(dir, Pending)); err == nil {
		log.Torn = true
	}
	slices.SortStableFunc(log.Events, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
	log.Thinned = slices.ContainsFunc(log.Events, func(e Event) bool { return e.Kind == Counted || e.Kind == Unwatched })
	if n := len(log.Events); n > 0 {
		log.Total = log.Events[n-1].Seq
		log.Dropped = log.Total - int64(n)
	}
	return log, nil
}
