package java

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/text/pattern"
)

const (
	mostAllocated = 5 // lines that are told to have allocated what lives
	mostHolders   = 5
)

// memory counts the objects of a running program by their classes: at once, or at the beginning and
// the end of some time, in which the flight recorder takes samples of what is allocated.
func (v jvm) memory(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	made := &profiling.Profile{
		How: "the JVM's own count of the objects that are reachable, by class (jcmd GC.class_histogram)",
	}
	took, err := v.histogram(ctx, &made.Before)
	if err != nil {
		return nil, err
	}
	made.Cost = fmt.Sprintf("each count collects garbage and walks through the heap, and stops the program for that: for less than %s, in which jcmd began and answered", took.Round(time.Millisecond))
	if w.For == 0 {
		made.Data, made.Before = made.Before, nil
		return made, v.saveHeap(ctx, made, w)
	}
	dir, err := v.scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	var sampled []folded
	var unread error
	_, ended, err := v.record(ctx, dir, p, w, func(name string) error { // which collects garbage: of what was allocated after that nothing is told
		made.Lasted = time.Since(began)
		if _, err := v.histogram(ctx, &made.Data); err != nil {
			return err
		}
		sampled, unread = v.sampledObjects(ctx, dir, name)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if ended {
		return nil, fault.New(fault.SessionTerminated, "the program has ended, and what it held with it").
			WithHint("take a shorter time, or look at it twice: profile without seconds")
	}
	made.Cost += fmt.Sprintf("; the search for the ways from roots stops it twice, for at most %s each", searchRunning)
	if unread != nil {
		made.Notes = append(made.Notes, "who allocates and holds what grew is not known: "+unread.Error())
	} else {
		v.allocated(sampled, made)
	}
	return made, v.saveHeap(ctx, made, w)
}

var counted = pattern.New(`(?m)^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)`)

// histogram counts the objects.
func (v jvm) histogram(ctx context.Context, into **profile.Profile) (took time.Duration, err error) {
	began := time.Now()
	text, err := v.jcmd(ctx, "GC.class_histogram")
	if err != nil {
		return 0, err
	}
	*into = histogramOf(text)
	return time.Since(began), nil
}

func histogramOf(text string) *profile.Profile {
	b := profiling.NewBuilder(profiling.Memory)
	for _, m := range counted.FindAllStringSubmatch(text, -1) {
		objects, err := strconv.ParseInt(m[1], 10, 64)
		size, err2 := strconv.ParseInt(m[2], 10, 64)
		if err == nil && err2 == nil {
			b.Add(nil, map[string]string{profiling.TypeLabel: typeName(m[3])}, objects, size)
		}
	}
	return b.Profile()
}

var primitiveTypes = map[string]string{"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long", "F": "float", "D": "double"}

// typeName is a class as source has it: byte[][] for [[B.
func typeName(name string) string {
	plain := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(plain)
	if dimensions > 0 {
		if p := primitiveTypes[plain]; p != "" {
			plain = p
		} else {
			plain = strings.TrimSuffix(strings.TrimPrefix(plain, "L"), ";")
		}
	}
	return plain + strings.Repeat("[]", dimensions)
}

// sampledObjects reads the samples of objects that were allocated meanwhile and live still, with
// the ways to them from roots: as far as those are found in the time that the recorder's settings
// give the search, for which it stops the program. (JFR.dump path-to-gc-roots=true would search
// without end.)
//
// The JVM tells only of objects that were there when one of those that it had sampled was last seen
// to have died: of none where each still lives, which is what a leak looks like. Then one is made
// to die: a command allocates for itself, and what it first allocates after a collection is sampled.
func (v jvm) sampledObjects(ctx context.Context, dir, recording string) (lines []folded, err error) {
	for try := 0; ; try++ {
		file := filepath.Join(dir, fmt.Sprintf("held-%d.jfr", try))
		if _, err := v.jcmd(ctx, "JFR.dump", "name="+recording, "filename="+file); err != nil {
			return nil, err
		}
		lines, err = v.read(ctx, file)
		if err != nil || slices.ContainsFunc(lines, folded.isHeld) || try == 1 {
			return lines, err
		}
		if _, err := v.jcmd(ctx, "JFR.check"); err != nil {
			return nil, err
		}
		if _, err := v.jcmd(ctx, "GC.class_histogram"); err != nil {
			return nil, err
		}
	}
}

// allocated tells of the objects that were allocated meanwhile and live still, as far as samples
// were taken of them: who allocated them, and who holds them.
func (v jvm) allocated(lines []folded, made *profiling.Profile) {
	slices.SortStableFunc(lines, func(a, b folded) int { return cmp.Compare(b.Count, a.Count) })
	at := v.places()
	var told []string
	for _, l := range lines {
		if l.Held == "" {
			continue
		}
		if len(l.Way) > 0 && len(made.Holders) < mostHolders && l.Count*10 >= lines[0].Count { // the rest is chance
			made.Holders = append(made.Holders, profiling.Holder{Type: l.Held, Way: append(slices.Clone(l.Way), l.Held)})
		}
		for _, f := range at.stack(l) {
			if f.File != "" && len(told) < mostAllocated {
				told = append(told, fmt.Sprintf("%d of %s by %s (%s:%d)", l.Count, l.Held, f.Function, filepath.Base(f.File), f.Line))
				break
			}
		}
	}
	if len(told) > 0 {
		made.Notes = append(made.Notes, "of what was allocated meanwhile and lives still, samples (jdk.OldObjectSample) show: "+strings.Join(told, "; "))
	}
	switch isSampled := slices.ContainsFunc(lines, folded.isHeld); {
	case isSampled && len(made.Holders) == 0:
		made.Notes = append(made.Notes, "no way from a root is known: the search came to none in the time that it has")
	case !isSampled:
		made.Notes = append(made.Notes, "no way from a root is known: the recorder has sampled no object that lives still")
	}
}

// saveHeap keeps the heap itself, which is the form that tools open.
func (v jvm) saveHeap(ctx context.Context, made *profiling.Profile, w profiling.Spec) error {
	if w.Save == "" {
		return nil
	}
	made.File = w.Save + ".hprof"
	made.Cost += "; the heap dump stops the program as well"
	_, err := v.jcmd(ctx, "GC.heap_dump", quotedWord(made.File))
	return err
}
