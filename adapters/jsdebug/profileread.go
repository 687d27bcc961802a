package jsdebug

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters/jsdebug/v8"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
)

// mostProfile bounds one file of a profile, in bytes.
const mostProfile = 512 << 20

// isOthers says of a function of a profile that it is not of the user's code.
func isOthers(f *profile.Function) bool {
	return !filepath.IsAbs(f.Filename) || strings.Contains(filepath.ToSlash(f.Filename), "/node_modules/") || strings.Contains(f.Filename, "/"+profilerFolder+"/hook.cjs")
}

// isOurs says of a script's address that it is the profiler's own.
func isOurs(url string) bool { return strings.HasSuffix(url, "/"+profilerFolder+"/hook.cjs") }

// readProfiles reads what the threads of a run have left.
func readProfiles(dir string, w profiling.Spec) (*profiling.Profile, error) {
	threads, err := profiledThreads(dir)
	if err != nil {
		return nil, err
	}
	if len(threads) == 0 {
		return nil, fault.New(fault.SessionStart, "the program left no profile: it ended before node had loaded anything").
			WithHint("run it with session_start to see why")
	}
	sort.Slice(threads, func(i, j int) bool { return threads[i].Main && !threads[j].Main })
	made := &profiling.Profile{Library: isOthers}
	for _, t := range threads {
		if t.Why == "failed" {
			return nil, fault.New(fault.Internal, "V8's profiler failed in the program: %s", t.Error)
		}
		made.Lasted = max(made.Lasted, time.Duration(t.Wall))
		made.Ended = made.Ended || t.Main && t.Why == "ended"
	}
	if w.What == profiling.Memory {
		err = readMemory(made, threads, w)
	} else {
		err = readCPU(made, threads, w)
	}
	return made, err
}

// readCPU reads V8's profiles of processor time.
func readCPU(made *profiling.Profile, threads []profiledThread, w profiling.Spec) error {
	c := v8.NewCPU(w.What, &v8.Places{Said: allMaps(threads)})
	c.Ours = isOurs
	var keep [][]byte
	used := map[int]int64{} // by process
	for _, t := range threads {
		parts, err := filepath.Glob(t.base + ".*.cpuprofile")
		if err != nil {
			return fmt.Errorf("reading the profile: %w", err)
		}
		if len(parts) == 0 {
			made.Notes = append(made.Notes, fmt.Sprintf("%s ended before its profile was written: it is not in it", cmp.Or(t.name(true), "a thread")))
			continue
		}
		sort.Slice(parts, func(i, j int) bool {
			return len(parts[i]) < len(parts[j]) || len(parts[i]) == len(parts[j]) && parts[i] < parts[j]
		})
		for _, part := range parts {
			text, err := readBounded(part)
			if err != nil {
				return err
			}
			if err := c.Add(text, t.name(len(threads) > 1)); err != nil {
				return err
			}
			if len(threads) == 1 && w.Save != "" {
				keep = append(keep, text)
			}
		}
		used[t.PID] = max(used[t.PID], t.CPU)
		if t.Why == whyRunning {
			made.Notes = append(made.Notes, fmt.Sprintf("%s was ended while it was profiled: its last %d s at most are not in it", cmp.Or(t.name(len(threads) > 1), "the program"), partSeconds))
		}
	}
	var all int64
	for _, n := range used {
		all += n
	}
	made.Data = c.Profile(all)
	main := threads[0]
	made.How = fmt.Sprintf("V8's profiler in node %s, a sample each ms of time; a function's own lines are known, of its callers only where they begin", main.Version)
	made.Cost = fmt.Sprintf("V8 interrupts each thread 1,000 times a second; with that the program's process used %s of processor time in %s, in which its event loops waited %s of the time",
		profiling.Brief(main.CPU), profiling.Brief(main.Wall), profiling.Percent(c.Idle, c.Time))
	if w.What == profiling.Waits && len(main.Resources) > 0 {
		made.Notes = append(made.Notes, "at the end the event loop waits for: "+counted(main.Resources))
	}
	if len(keep) == 0 {
		return nil // of several threads, pprof's form
	}
	text, err := v8.Join(keep)
	if err != nil {
		return err
	}
	return keepText(made, text, w, ".cpuprofile")
}

// partSeconds is how long a part of a profile lasts (hook.cjs).
const partSeconds = 5

// readMemory reads two snapshots of each heap, and what was allocated in between.
func readMemory(made *profiling.Profile, threads []profiledThread, w profiling.Spec) error {
	b, before := profiling.NewBuilder(profiling.Memory), profiling.NewBuilder(profiling.Memory)
	places := &v8.Places{Said: allMaps(threads)}
	var spent int64
	looked := 0
	for i, t := range threads {
		name := t.name(len(threads) > 1)
		first, last := t.base+".first.heapsnapshot", t.base+".last.heapsnapshot"
		text, err := readBounded(t.base + ".0.heapprofile")
		if os.IsNotExist(err) || t.Why == whyRunning {
			made.Notes = append(made.Notes, fmt.Sprintf("%s was ended before the second look at its memory: it is not in it; give seconds", cmp.Or(name, "the program")))
			continue
		}
		if err == nil {
			err = v8.AddHeap(b, places, text, name, isOurs)
		}
		if err != nil {
			return err
		}
		looked++
		spent += t.Spent
		old, err := readSnapshot(first)
		if err != nil {
			return err
		}
		now, err := readSnapshot(last)
		if err != nil {
			return err
		}
		made.Holders = append(made.Holders, addSnapshots(b, before, old, now, name, made)...)
		if i == 0 && w.Save != "" {
			if err := keepFile(made, last, w, ".heapsnapshot"); err != nil {
				return err
			}
		}
		if m := t.Memory; len(m) == 2 {
			made.Notes = append(made.Notes, fmt.Sprintf("%s resident memory %s, at the beginning %s; outside of V8's heap %s, at the beginning %s",
				name, profiling.Size(m[1].RSS), profiling.Size(m[0].RSS), profiling.Size(m[1].External), profiling.Size(m[0].External)))
		}
	}
	if looked == 0 {
		return fault.New(fault.SessionStart, "the program was ended before the second look at its memory: what it held is not known").
			WithHint("give seconds, so that the second look is made while the program runs; it waits until the program's main thread comes to its event loop")
	}
	made.Data, made.Before = b.Profile(), before.Profile()
	made.How = fmt.Sprintf("V8's heap snapshots in node %s at the beginning and the end, and its sampling heap profiler between them: which function allocated what is still there, by estimate (a sample each 16 KB); its line is where it begins", threads[0].Version)
	made.Cost = fmt.Sprintf("the program stood still for %s, for the snapshots; the sampling heap profiler costs little", profiling.Brief(spent))
	if made.Ended {
		made.Notes = append(made.Notes, "the second look was made when the program ended: what nothing held any more then is not in it; with seconds it is made while the program runs")
	}
	return nil
}

// addSnapshots adds what there is of each type, at the end and at the beginning, and tells what
// holds that which grew most.
func addSnapshots(b, before *profiling.Builder, old, now *v8.Snapshot, thread string, made *profiling.Profile) []profiling.Holder {
	was, is := old.Types(), now.Types()
	newer := old.Newest()
	var grown string
	for _, t := range slices.Sorted(maps.Keys(is)) {
		labels := map[string]string{profiling.TypeLabel: t, profiling.ThreadLabel: thread}
		b.Add(nil, labels, is[t].Objects, is[t].Bytes)
		before.Add(nil, labels, was[t].Objects, was[t].Bytes)
		if !holdable(t) {
			continue
		}
		if grown == "" || is[t].Bytes-was[t].Bytes > is[grown].Bytes-was[grown].Bytes {
			grown = t
		}
	}
	if grown == "" || is[grown].Bytes <= was[grown].Bytes {
		return nil
	}
	holders, alike := now.Holders(grown, newer)
	if len(holders) == 1 && alike[0] > 1 {
		made.Notes = append(made.Notes, fmt.Sprintf("%d things of %s were looked at, each of a different part of them: they are held alike", alike[0], grown))
	}
	return holders
}

// holdable leaves out what only V8 knows: nobody holds it on purpose.
func holdable(t string) bool {
	return t != "(compiled code)" && t != "(system)" && t != "(hidden)" && t != "(array)" && t != "(object shape)" && t != "(number)" && t != ""
}

func readSnapshot(path string) (*v8.Snapshot, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > mostProfile {
		return nil, fault.New(fault.NotSupported, "the heap snapshot has %s: more than %s are not read", profiling.Size(info.Size()), profiling.Size(mostProfile)).
			WithHint("profile(cpu), or a run with less data")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a heap snapshot: %w", err)
	}
	defer f.Close()
	return v8.ReadSnapshot(f)
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostProfile {
		return nil, fault.New(fault.NotSupported, "the profile has %s: more than %s are not read", profiling.Size(info.Size()), profiling.Size(mostProfile)).
			WithHint("give fewer seconds")
	}
	return os.ReadFile(path)
}

// keepFile keeps V8's own file where it was asked for.
func keepFile(made *profiling.Profile, from string, w profiling.Spec, ending string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("keeping the profile: %w", err)
	}
	return keepText(made, text, w, ending)
}

func keepText(made *profiling.Profile, text []byte, w profiling.Spec, ending string) error {
	if err := os.WriteFile(w.Save+ending, text, 0o600); err != nil {
		return fmt.Errorf("keeping the profile: %w", err)
	}
	made.File = w.Save + ending
	return nil
}

func allMaps(threads []profiledThread) map[string]string {
	all := map[string]string{}
	for _, t := range threads {
		maps.Copy(all, t.Maps)
	}
	return all
}

// counted lists words with how often they are there.
func counted(words []string) string {
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	var list []string
	for _, w := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", w, counts[w]))
	}
	return strings.Join(list, ", ")
}
