package java

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

const (
	loadLimit     = 15 * time.Second // for a JVM to take an agent
	armLimit      = 30 * time.Second // for the agent to look through the classes
	leaveLimit    = 5 * time.Second  // for it to take out what it has put in
	replacedLimit = 5 * time.Second
	mostHits      = 100_000 // a second, where nothing else is said
	mostKept      = 100_000 // rows that nobody has read
	longestText   = 200
	longestLine   = 8 << 20 // that is taken from a program

	socketFile = "s" // in the recorder's directory, whose name must be short
)

// order is what the agent reads beside the spec.
type order struct {
	Condition string   `json:"condition"` // of calls
	Most      string   `json:"most"`
	Written   string   `json:"written"`
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Functions []string `json:"functions"`
}

// arm puts a recorder into the program. Replaced is told which classes were changed back at the
// end; nil: nobody has to know.
func (v jvm) arm(ctx context.Context, w live.Spec, replaced func([]string) error) (*liveRecorder, error) {
	archives, err := v.adapter.liveAgent(ctx, v.tools)
	if err != nil {
		return nil, err
	}
	dir, err := v.adapter.Root.Sockets("jv-")
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a private directory for the recorder: %w", err)
	}
	defer os.RemoveAll(dir) // it is read before arm returns, and the socket is connected
	if err := v.write(dir, archives, w); err != nil {
		return nil, fmt.Errorf("writing what is to be recorded: %w", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketFile), Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listening for the recorder: %w", err)
	}
	defer l.Close()
	if err := v.load(ctx, archives, dir); err != nil {
		return nil, err
	}
	if err := l.SetDeadline(time.Now().Add(loadLimit)); err != nil {
		return nil, err
	}
	conn, err := l.Accept()
	if err != nil {
		return nil, fault.New(fault.NotSupported, "the agent came into process %d, and did not call back: is the program in another container, or stopped by a debugger?", v.pid)
	}
	r, err := begin(ctx, v.pid, conn, replaced)
	if err != nil {
		_ = conn.Close() // by which the agent takes itself out
	}
	return r, err
}

// write lays out what the agent reads.
func (v jvm) write(dir, archives string, w live.Spec) error {
	o := order{Written: w.Written, File: filepath.ToSlash(w.File), Line: w.Line, Functions: w.Functions, Most: strconv.Itoa(mostHits)}
	if w.Most > 0 {
		o.Most = strconv.Itoa(w.Most)
	}
	spec := recording.Spec{Roots: v.roots, Text: longestText}
	switch {
	case w.File != "":
		spec.Values = []recording.Values{{File: o.File, Line: w.Line, Condition: w.Condition, Expressions: w.Expressions}}
	case len(w.Functions) > 0:
		spec.Calls, o.Condition = &recording.Calls{Names: w.Functions}, w.Condition
	}
	if err := recording.Ask(dir, spec); err != nil {
		return err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	entry := strings.Join([]string{filepath.Join(archives, entryFile), filepath.Join(archives, agentFile), "aidb.recorder.Live", dir}, "\n")
	return errors.Join(os.WriteFile(filepath.Join(dir, "order.json"), text, 0o600), os.WriteFile(filepath.Join(dir, "entry"), []byte(entry), 0o600))
}

// load has the program's JVM load the agent, by the JDK's own tool.
func (v jvm) load(ctx context.Context, archives, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	text, err := v.runJcmd(ctx, "JVMTI.agent_load", quotedWord(filepath.Join(archives, entryFile)), quotedWord(filepath.Join(dir, "entry")))
	switch {
	case errors.Is(err, errNoJcmd):
		return fault.New(fault.AdapterNotFound, "%s has no jcmd, by which an agent comes into a running program", v.tools.home).WithHint(installJDK, oldest)
	case ctx.Err() != nil:
		return fault.New(fault.NotSupported, "process %d did not take the agent within %s: a debugger may hold it stopped, or it is in another container", v.pid, loadLimit).
			WithHint("let the program go on, then arm")
	case strings.Contains(text, "return code: 0"):
		return nil
	case strings.Contains(text, "ynamic agent loading is not enabled"):
		return fault.New(fault.NotSupported, "process %d was started with -XX:-EnableDynamicAgentLoading: nothing can be put into it while it runs", v.pid).
			WithHint("start it without that, or run the program again with trace and no action")
	case err != nil:
		return fault.New(fault.NotSupported, "process %d did not take the agent: %s", v.pid, lastLines(text))
	}
	return fault.New(fault.NotSupported, "process %d did not take the agent: %s", v.pid, lastLines(text)).
		WithHint("its Java must be %d or newer and have the module java.instrument, and it must be able to read %s", oldest, archives)
}

// lastLines is what a tool has said, in short: the exception that it ended with, or the end.
func lastLines(text string) string {
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if strings.Contains(line, "Exception: ") {
			return line
		}
	}
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// quotedWord is a word of the JVM's diagnostic commands.
func quotedWord(s string) string {
	if strings.ContainsAny(s, " =,\"'") {
		return `"` + s + `"`
	}
	return s
}

// liveRecorder is a recorder in a running JVM. It reads what the agent sends; when the connection
// ends, however that comes, the agent takes itself out.
type liveRecorder struct {
	pid      int
	conn     net.Conn
	classes  []string // that were changed
	replaced func([]string) error
	done     chan struct{} // closed when the reading goroutine has ended
	closing  sync.Once

	rows inside.Rows // that nobody has read, and how the recorder stands
	read atomic.Int64
}

// said is a line of the agent: a row, or how it stands.
type said struct {
	Kind     string `json:"kind"` // of a row
	N        int64  `json:"n"`
	At       int64  `json:"at"`
	Thread   int    `json:"thread"`
	Who      string `json:"who"`
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Call     int64  `json:"call"`
	Of       string `json:"of"`
	Values   []struct {
		Name    string `json:"name"`
		Text    string `json:"text"`
		Missing string `json:"missing"`
	} `json:"values"`

	Armed   bool     `json:"armed"`
	Done    bool     `json:"done"`
	Refused string   `json:"refused"`
	Field   string   `json:"field"`
	Places  int      `json:"places"`
	Classes []string `json:"classes"`
	How     string   `json:"how"`
	Out     string   `json:"out"`
	Hits    int64    `json:"hits"`
	Dropped int64    `json:"dropped"`
	Unread  int64    `json:"unread"`
	Matched int64    `json:"matched"`
	Notes   []string `json:"notes"`
}

// begin waits until the agent has armed, and reads from then on.
func begin(ctx context.Context, pid int, conn net.Conn, replaced func([]string) error) (*liveRecorder, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) }) // which ends the wait below
	defer stop()
	if err := conn.SetReadDeadline(time.Now().Add(armLimit)); err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(conn, 1<<16)
	var first said
	text, err := nextLine(lines)
	if err == nil {
		err = json.Unmarshal(text, &first)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fault.New(fault.NotSupported, "the recorder in process %d has not armed: %w", pid, err)
	case first.Refused != "":
		refused := fault.New(fault.InvalidParam, "nothing was armed: %s", first.Refused).
			WithHint("name what the source has: functions as Order.total for calls; for values a line with code, and what can be read there; for writes a field as Order.total")
		if first.Field != "" {
			refused = refused.WithField(first.Field)
		}
		return nil, refused
	}
	if !stop() {
		return nil, context.Cause(ctx)
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	r := &liveRecorder{pid: pid, conn: conn, classes: first.Classes, replaced: replaced, done: make(chan struct{}), rows: inside.Rows{Room: mostKept}}
	r.rows.Add(nil, func(st *live.State) {
		st.Running, st.Places, st.How, st.Notes = true, first.Places, first.How, first.Notes
	})
	go r.run(lines) // reads what the agent sends; ended by Close, which waits for it, and by the program's end
	return r, nil
}

// nextLine is the next line, of a bounded length: a program sends it.
func nextLine(lines *bufio.Reader) (line []byte, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		case len(line) > longestLine:
			return nil, fmt.Errorf("a line of more than %d bytes: %w", longestLine, err)
		}
	}
}

func (r *liveRecorder) run(lines *bufio.Reader) {
	defer close(r.done)
	defer r.conn.Close() // at its end nothing more is sent
	for {
		text, err := nextLine(lines)
		var s said
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			r.ended()
			return
		}
		if s.Kind != "" {
			r.keep(s)
			continue
		}
		out := r.note(s)
		if out && r.replaced != nil {
			_ = r.replaced(r.classes) // a program that has ended needs no breakpoints
		}
		if s.Done {
			return
		}
	}
}

// ended is called when the agent has gone by itself.
func (r *liveRecorder) ended() {
	gone := process.Gone(r.pid)
	r.rows.Add(nil, func(st *live.State) {
		st.Running = !gone
		if !gone && st.Out == "" {
			st.Out = "the recorder in the program has ended by itself: its last rows may be missing"
		}
	})
}

// note keeps how the recorder stands, and says whether it was taken out since the last time.
func (r *liveRecorder) note(s said) (out bool) {
	r.rows.Add(nil, func(st *live.State) {
		out = st.Out == "" && (s.Done || s.Out != "")
		st.Hits, st.Dropped, st.Unread, st.Matched, st.Out, st.Notes = s.Hits, s.Dropped, s.Unread, s.Matched, s.Out, s.Notes
	})
	return out
}

var kinds = map[string]live.Kind{"p": live.Pass, "e": live.Enter, "l": live.Leave, "w": live.Written}

func (r *liveRecorder) keep(s said) {
	row := live.Row{
		N: s.N, At: time.Duration(s.At), Thread: s.Thread, Who: s.Who, Function: s.Function, File: s.File, Line: s.Line,
		Kind: kinds[s.Kind], Call: s.Call, Of: s.Of,
	}
	for _, v := range s.Values {
		row.Values = append(row.Values, live.Value{Name: v.Name, Text: v.Text, Missing: v.Missing})
	}
	r.rows.Add([]live.Row{row}, nil)
}

// late notes that the recorder is in the program still, which stands. The reading goroutine waits on,
// until the program goes on or ends.
func (r *liveRecorder) late() {
	r.rows.Add(nil, func(st *live.State) {
		st.Notes = append(slices.Clone(st.Notes), "the program stands still: the recorder takes itself out when it goes on")
	})
}

// Read gives the rows since the last call.
func (r *liveRecorder) Read(most int) ([]live.Row, live.State) {
	rows, state := r.rows.Read(most)
	state.Rows = r.read.Add(int64(len(rows)))
	return rows, state
}

// Close takes the recorder out of the program, and waits until it is, bounded.
func (r *liveRecorder) Close() live.State {
	r.closing.Do(func() {
		_, _ = r.conn.Write([]byte{'.'}) // it is enough; a program that has ended needs not know
		select {
		case <-r.done:
		case <-time.After(leaveLimit): // it is stopped, and takes the recorder out when it goes on
			r.late()
		}
	})
	_, s := r.Read(0)
	return s
}
