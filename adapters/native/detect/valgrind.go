package detect

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// valgrindFrame is a frame as valgrind's XML (protocol 4 and 5) has it.
type valgrindFrame struct {
	Function string `xml:"fn"`
	Dir      string `xml:"dir"`
	File     string `xml:"file"`
	Line     int    `xml:"line"`
}

type valgrindStack struct {
	Frames []valgrindFrame `xml:"frame"`
}

type valgrindThread struct {
	ID    int           `xml:"hthreadid"`
	Stack valgrindStack `xml:"stack"`
}

// valgrindError has words and stacks in the order in which they were written.
type valgrindError struct {
	tid    int
	kind   string
	bytes  string
	blocks string
	parts  []valgrindPart // the first is that of what
}

type valgrindPart struct {
	words string
	stack []adapters.Thrown
}

var (
	valgrindDuring    = pattern.New(`^Possible data race during (read|write) of size \d+ at 0x[0-9A-Fa-f]+ by thread #(\d+)`)
	valgrindConflicts = pattern.New(`^This conflicts with a previous (read|write) of size \d+ by thread #(\d+)`)
	valgrindFreed     = pattern.New(`^Address 0x[0-9A-Fa-f]+ is (.*) a block of size ([\d,]+) free'd$`)
	valgrindInside    = pattern.New(`^Address 0x[0-9A-Fa-f]+ is (.*) a block of size ([\d,]+) (?:alloc'd|in arena .*)$`)
	valgrindMade      = pattern.New(`^(?:Block was alloc'd at|.* a block of size [\d,]+ alloc'd)$`)
	valgrindGlobal    = pattern.New(`^(?:Location|Address) 0x[0-9A-Fa-f]+ is (.*(?:global var|local var|data symbol) "[^"]+")`)
)

// valgrindKinds are what memcheck and helgrind call their errors. Others are misuse of what
// the system has for threads and memory.
var valgrindKinds = map[string]adapters.FaultKind{
	"InvalidRead": adapters.MemoryFault, "InvalidWrite": adapters.MemoryFault, "InvalidJump": adapters.MemoryFault,
	"InvalidFree": adapters.MemoryFault, "MismatchedFree": adapters.MemoryFault, "Overlap": adapters.MemoryFault,
	"UninitCondition": adapters.MemoryFault, "UninitValue": adapters.MemoryFault, "SyscallParam": adapters.MemoryFault,
	"InvalidMemPool": adapters.MemoryFault, "FishyValue": adapters.MemoryFault, "ClientCheck": adapters.MemoryFault,
	"Race": adapters.DataRace, "LockOrder": adapters.LockOrder,
}

// Valgrind reads what valgrind has written of one process, as far as it goes: a process that was
// killed leaves it without an end.
func Valgrind(log io.Reader) (d adapters.Detection, err error) {
	decoder := xml.NewDecoder(log)
	made, begun := map[int][]adapters.Thrown{}, false
	for {
		token, err := decoder.Token()
		var cut *xml.SyntaxError
		if begun && (errors.Is(err, io.EOF) || errors.As(err, &cut)) {
			return d, nil
		}
		if err != nil {
			return d, fmt.Errorf("reading the report of valgrind: %w", err)
		}
		start, is := token.(xml.StartElement)
		if !is {
			continue
		}
		switch start.Name.Local {
		case "status":
			begun = true
		case "announcethread":
			var t valgrindThread
			if decoder.DecodeElement(&t, &start) == nil {
				made[t.ID] = t.Stack.thrown()
			}
		case "error":
			if e, err := readValgrindError(decoder); err == nil {
				e.addTo(&d, made)
			}
		}
	}
}

func (s valgrindStack) thrown() (list []adapters.Thrown) {
	for _, f := range s.Frames {
		t := adapters.Thrown{Function: f.Function}
		if filepath.IsAbs(f.Dir) && f.File != "" { // another place is one on the machine where it was built
			t.File, t.Line = filepath.Join(f.Dir, f.File), f.Line
		}
		list = append(list, t)
	}
	return list
}

// readValgrindError reads an error's members in their order.
func readValgrindError(decoder *xml.Decoder) (e valgrindError, err error) {
	for {
		token, err := decoder.Token()
		if err != nil {
			return e, err
		}
		if end, is := token.(xml.EndElement); is && end.Name.Local == "error" {
			return e, nil
		}
		start, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if err := e.take(decoder, start); err != nil {
			return e, err
		}
	}
}

func (e *valgrindError) take(decoder *xml.Decoder, start xml.StartElement) error {
	switch start.Name.Local {
	case "tid":
		return decoder.DecodeElement(&e.tid, &start)
	case "kind":
		return decoder.DecodeElement(&e.kind, &start)
	case "stack":
		var stack valgrindStack
		if err := decoder.DecodeElement(&stack, &start); err != nil {
			return err
		}
		if len(e.parts) > 0 && e.parts[len(e.parts)-1].stack == nil {
			e.parts[len(e.parts)-1].stack = stack.thrown()
		}
	case "what", "auxwhat":
		var words string
		if err := decoder.DecodeElement(&words, &start); err != nil {
			return err
		}
		e.parts = append(e.parts, valgrindPart{words: strings.TrimSpace(words)})
	case "xwhat", "xauxwhat":
		var words struct {
			Text   string `xml:"text"`
			Bytes  string `xml:"leakedbytes"`
			Blocks string `xml:"leakedblocks"`
		}
		if err := decoder.DecodeElement(&words, &start); err != nil {
			return err
		}
		if words.Bytes != "" {
			e.bytes, e.blocks = words.Bytes, words.Blocks
		}
		e.parts = append(e.parts, valgrindPart{words: strings.TrimSpace(words.Text)})
	default:
		return decoder.Skip()
	}
	return nil
}

func (e valgrindError) addTo(d *adapters.Detection, made map[int][]adapters.Thrown) {
	if len(e.parts) == 0 {
		return
	}
	if strings.HasPrefix(e.kind, "Leak_") {
		if e.kind == "Leak_DefinitelyLost" || e.kind == "Leak_IndirectlyLost" {
			d.Notes = append(d.Notes, fmt.Sprintf("never freed: %s bytes in %s object(s)%s", e.bytes, e.blocks, allocatedAt(userFrames(e.parts[0].stack))))
		}
		return
	}
	kind, known := valgrindKinds[e.kind]
	if !known {
		kind = adapters.UndefinedBehavior
	}
	f := adapters.DetectedFault{Kind: kind, Message: e.message(), Text: e.text()}
	for i, part := range e.parts {
		if a, is := e.access(part, i == 0, made); is {
			f.Accesses = append(f.Accesses, a)
		}
	}
	d.Faults = append(d.Faults, f)
}

// userFrames are those without what valgrind puts in place of functions.
func userFrames(frames []adapters.Thrown) []adapters.Thrown {
	for i, f := range frames {
		if f.File != "" && !strings.Contains(f.File, "/coregrind/") && !strings.Contains(f.File, "vg_replace_") {
			return frames[i:]
		}
	}
	return nil
}

func (e valgrindError) access(part valgrindPart, first bool, made map[int][]adapters.Thrown) (adapters.Access, bool) {
	a := adapters.Access{Frames: userFrames(part.stack)}
	thread := ""
	switch m := valgrindDuring.FindStringSubmatch(part.words); {
	case m != nil:
		a.Kind, thread = m[1], m[2]
	case valgrindConflicts.MatchString(part.words):
		m = valgrindConflicts.FindStringSubmatch(part.words)
		a.Kind, thread = m[1], m[2]
	case valgrindFreed.MatchString(part.words):
		a.Kind = "freed"
	case valgrindMade.MatchString(part.words):
		a.Kind = "allocated"
	case first:
		a.Kind, thread = map[string]string{
			"InvalidRead": "read", "InvalidWrite": "write", "InvalidFree": "freed", "MismatchedFree": "freed",
			"UninitCondition": "depends on uninitialised", "UninitValue": "uses uninitialised",
		}[e.kind], fmt.Sprint(e.tid)
		if a.Kind == "" {
			a.Kind = "fault"
		}
	case len(part.stack) > 0:
		a.Kind = "before"
	default:
		return a, false
	}
	if thread == "1" {
		a.Thread = "main thread"
	} else if thread != "" {
		a.Thread, a.Made = "thread #"+thread, userFrames(made[number(thread)])
	}
	return a, true
}

// message is what happened without what differs from run to run.
func (e valgrindError) message() string {
	said := pattern.New(` at 0x[0-9A-Fa-f]+| by thread #\d+`).ReplaceAllString(e.parts[0].words, "")
	for _, part := range e.parts[1:] {
		if m := valgrindFreed.FindStringSubmatch(part.words); m != nil {
			return said + ", " + m[1] + " a block of size " + m[2] + " that was freed"
		}
		if m := valgrindInside.FindStringSubmatch(part.words); m != nil {
			return said + ", " + m[1] + " a block of size " + m[2]
		}
		if m := valgrindGlobal.FindStringSubmatch(part.words); m != nil {
			return said + ", " + m[1]
		}
	}
	return said
}

// text is the error as valgrind writes it for people.
func (e valgrindError) text() string {
	var text strings.Builder
	for _, part := range e.parts {
		text.WriteString(part.words + "\n")
		for _, f := range part.stack {
			switch {
			case f.File != "":
				fmt.Fprintf(&text, "  %s (%s:%d)\n", f.Function, f.File, f.Line)
			case f.Function != "":
				fmt.Fprintf(&text, "  %s\n", f.Function)
			}
		}
	}
	return strings.TrimSpace(text.String())
}
