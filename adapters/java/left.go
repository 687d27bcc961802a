package java

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// noteLeft has the tests of a plan note what they leave running, where that is asked for: by
// an agent in their JVM.
func (a *adapter) noteLeft(ctx context.Context, j job, plan *adapters.Plan, progress func(string)) error {
	l, ours := plan.Arguments.(launch)
	if !ours || j.Left == adapters.LeftUnasked || plan.Mode != adapters.Test {
		return nil // a program of another kind is over when all of its threads are
	}
	agent, err := a.leavingAgent(ctx, j.javas, progress)
	if err != nil {
		plan.Capabilities.End.Left = func() adapters.Left {
			return adapters.Left{Unseen: []string{"what is left running was not looked at: " + err.Error()}}
		}
		return nil
	}
	dir, err := a.Root.MakeScratch("left-")
	if err != nil {
		return fmt.Errorf("making a place for what the program leaves: %w", err)
	}
	l.Command = append([]string{"-javaagent:" + filepath.Join(agent, agentFile) + "=" + dir}, l.Command...)
	done := plan.Close
	plan.Arguments, plan.Close = l, func() { done(); _ = os.RemoveAll(dir) }
	found := leftSources{newClassSources(l.SourceRoots)}
	plan.Capabilities.End.Left = func() adapters.Left { return found.read(dir) }
	return nil
}

// leavingAgent is the directory of the compiled agent, with its archive.
func (a *adapter) leavingAgent(ctx context.Context, k javas, progress func(string)) (string, error) {
	return a.smallAgent(ctx, k, "leaving", "the Java agent that looks at what is left", progress)
}

// smallAgent is the directory of a compiled agent of one class, with its archive.
func (a *adapter) smallAgent(ctx context.Context, k javas, folder, says string, progress func(string)) (string, error) {
	name := path.Join("aidb", folder, "Agent.java")
	text, err := fs.ReadFile(sources, path.Join(sourceRoot, name))
	if err != nil {
		return "", err
	}
	h := helper{
		name: says, folder: folder, files: map[string][]byte{name: text}, major: min(k.program.major, k.tools.major),
		finish: func(dir string) error { return pack(dir, "aidb."+folder+".Agent") },
	}
	return a.compiledOnce(ctx, h, k.tools, progress)
}

// leftThread is a thread as the agent writes it.
type leftThread struct {
	name, state string
	isDaemon    bool
	made, at    []javaFrame
}

// javaFrame is one call of a Java stack.
type javaFrame struct {
	class, method string
	place         adapters.LeftPlace // its file is empty where it is none of the user's
}

// leftSources reads what was left, with the user's own sources of it.
type leftSources struct{ classSources }

func (s leftSources) read(dir string) adapters.Left {
	found := adapters.Left{Unit: "thread"}
	if prepare.Exists(filepath.Join(dir, "over")) {
		code := 0 // a failure would have stopped it before
		found.ExitCode = &code
	}
	text, err := os.ReadFile(filepath.Join(dir, "left"))
	if errors.Is(err, os.ErrNotExist) {
		if found.ExitCode != nil {
			found.Unseen = []string{"the program was gone before its threads could be read"}
		}
		return found
	}
	if err != nil {
		found.Unseen = []string{"what was left running could not be read: " + err.Error()}
		return found
	}
	found.Looked = true
	threads, processes, unseen := s.parse(text)
	found.Unseen = append(found.Unseen, unseen...)
	for _, t := range threads {
		if thing, tell := t.thing(); tell {
			found.Things = append(found.Things, thing)
		}
	}
	found.Things = append(found.Things, processes...)
	found.Fold()
	return found
}

// parse reads the lines of the agent: words with tabs between.
func (s leftSources) parse(text []byte) (threads []leftThread, processes []adapters.LeftThing, unseen []string) {
	for line := range bytes.Lines(text) {
		words := strings.Split(strings.TrimRight(string(line), "\r\n"), "\t")
		switch {
		case words[0] == "thread" && len(words) == 4:
			threads = append(threads, leftThread{isDaemon: words[1] == "true", state: words[2], name: words[3]})
		case words[0] == "process" && len(words) == 3:
			processes = append(processes, adapters.LeftThing{Kind: "process", Name: strings.TrimSpace(words[1] + " " + words[2])})
		case words[0] == "unseen" && len(words) == 2:
			unseen = append(unseen, words[1])
		case len(words) == 5 && len(threads) > 0:
			t := &threads[len(threads)-1]
			if frame := s.frame(words); words[0] == "made" {
				t.made = append(t.made, frame)
			} else {
				t.at = append(t.at, frame)
			}
		}
	}
	return threads, processes, unseen
}

func (s leftSources) frame(words []string) javaFrame {
	f := javaFrame{class: words[1], method: words[2]}
	f.place.Function = f.class[strings.LastIndexByte(f.class, '.')+1:] + "." + f.method
	if f.place.File = s.file(f.class, words[4]); f.place.File != "" {
		f.place.Line, _ = strconv.Atoi(words[3]) // below 1 where it is not known
		f.place.Line = max(f.place.Line, 0)
	}
	return f
}

// numberedThread matches what the JDK puts into the names of threads, of which each has another.
var numberedThread = pattern.New(`^(Thread|Timer)-\d+$|^pool-\d+-thread-\d+$|[-_ #]\d+$`)

// keptThreads are threads that the JDK makes for all of a program, when the first part of it
// wants them.
var keptThreads = []string{"ForkJoinPool.commonPool-", "CompletableFutureDelayScheduler", "HttpClient-", "Keep-Alive-", "process reaper", "Cleaner-", "Common-Cleaner"}

// thing is a thread as it is told. What a library has made by itself, or has made to end with
// the program, is the library's; so is what no code of the user's has led to.
func (t leftThread) thing() (thing adapters.LeftThing, tell bool) {
	thing = adapters.LeftThing{Kind: "thread", Name: numberedThread.ReplaceAllString(t.name, ""), WaitsFor: t.waits(), Count: 1}
	users := slices.IndexFunc(t.made, javaFrame.isUsers)
	if users < 0 || slices.ContainsFunc(keptThreads, func(prefix string) bool { return strings.HasPrefix(t.name, prefix) }) {
		return thing, false
	}
	thing.Made = t.made[users].place
	for _, f := range t.made {
		if f.isUsers() {
			thing.Test = f.place.Function // the outermost is what the framework has called
		}
	}
	switch own := slices.IndexFunc(t.at, javaFrame.isUsers); {
	case own >= 0:
		thing.At = t.at[own].place
	case len(t.at) > 0:
		thing.At = t.at[0].place
	}
	byJDK := slices.IndexFunc(t.made, func(f javaFrame) bool { return !f.isJDKs() })
	return thing, !t.isDaemon || byJDK == users
}

func (f javaFrame) isUsers() bool { return f.place.File != "" }

func (f javaFrame) isJDKs() bool {
	return slices.ContainsFunc([]string{"java.", "javax.", "jdk.", "sun.", "com.sun."}, func(prefix string) bool { return strings.HasPrefix(f.class, prefix) })
}

// javaWaits are methods of the JDK that wait, by the end of their names; the first of them
// that is on a stack says most.
var javaWaits = []struct{ method, what string }{
	{"ThreadPoolExecutor.getTask", "work for its executor"},
	{"ForkJoinPool.awaitWork", "work for its pool"},
	{"TimerThread.mainLoop", "the next task of its timer"},
	{"Queue.take", "an item in a queue"},
	{"Deque.take", "an item in a queue"},
	{"Queue.put", "room in a queue"},
	{"Queue.poll", "an item in a queue"},
	{"CountDownLatch.await", "a latch"},
	{"CyclicBarrier.await", "a barrier"},
	{"Semaphore.acquire", "a semaphore"},
	{"CompletableFuture.get", "a future"},
	{"CompletableFuture.join", "a future"},
	{"FutureTask.get", "a future"},
	{"Lock.lock", "a lock"},
	{"Thread.join", "the end of a thread (join)"},
	{"Thread.sleep", "a time to pass (sleep)"},
	{"ServerSocket.accept", "a connection (socket)"},
	{"ServerSocketChannelImpl.accept", "a connection (socket)"},
	{"SelectorImpl.select", "input, output or a timer (select)"},
	{"InputStream.read", "data"},
	{"Object.wait", "a notification (Object.wait)"},
	{"LockSupport.park", "to be unparked"},
}

// waits is what it waits for, empty where it runs or nobody knows.
func (t leftThread) waits() string {
	if t.state == "BLOCKED" {
		return "a monitor (synchronized)"
	}
	library := t.at
	if own := slices.IndexFunc(t.at, javaFrame.isUsers); own >= 0 {
		library = t.at[:own]
	}
	for _, w := range javaWaits {
		if slices.ContainsFunc(library, func(f javaFrame) bool { return strings.HasSuffix("."+f.place.Function, w.method) }) {
			return w.what
		}
	}
	return ""
}
