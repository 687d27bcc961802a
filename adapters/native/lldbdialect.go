package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/text/pattern"
)

// lldbDialect is common to the adapters that stand on LLDB.
type lldbDialect struct {
	common
	relay string // the socket at which the program's relay is asked to let it go; empty without one
	guard *guard
}

func newLLDBDialect(id, commands string, s *start) *lldbDialect {
	d := &lldbDialect{common: newCommon(id, commands, s), guard: s.guard}
	if s.isRelayed() {
		d.relay = s.relaySocket()
	}
	d.Meanings = map[string][]string{
		"all": {"cpp_throw"}, "throw": {"cpp_throw"}, "catch": {"cpp_catch"},
	}
	return d
}

var (
	lldbSignal  = pattern.New(`^(?:signal )?(SIG\w+)(?:: (.*))?$`)
	faultAt     = pattern.New(`\(fault address[:=] ?(0x[0-9a-fA-F]+)\)`)
	lldbWatched = pattern.New(`^watchpoint \d+`)
)

// Stopped tells pauses, signals, exceptions and watchpoints apart, which LLDB
// tells by its description.
func (d *lldbDialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(e)
	switch m := lldbSignal.FindStringSubmatch(e.Description); {
	case m != nil && m[1] == "SIGSTOP":
		stop.Reason, stop.Description = "pause", ""
	case m != nil:
		stop.Reason, stop.Description, stop.Text = "signal", m[1], signalDetail(m[1], m[2])
		stop.Ask = m[1] == "SIGABRT" || m[1] == "SIGTRAP"
	case e.Reason == "breakpoint" && lldbWatched.MatchString(e.Description):
		stop.Reason, stop.Description = "data breakpoint", ""
	case e.Reason == "exception" && strings.HasPrefix(e.Description, "C++ "):
		stop.Text, stop.Ask = "", true
	case e.Reason == "breakpoint" && d.throws.Load() || maybeSanitizer(stop):
		stop.Ask = true
	}
	// LLDB has checked its own condition for each thread, and keeps to itself what it found.
	stop.Unjudged = e.PreserveFocusHint && stop.Reason == "breakpoint"
	stop.Internal = len(e.HitBreakpointIds) > 0 && slices.Max(e.HitBreakpointIds) < 0
	return d.noteSignal(stop, e.PreserveFocusHint)
}

// ReadEnd finds out whether an exit code is the number of a signal at which LLDB
// does not stop, such as SIGKILL, and how often the program has forked.
func (d *lldbDialect) ReadEnd(ctx context.Context, c adapters.Caller, exitCode int) {
	var forks struct{ Made, Process int }
	if d.ask(ctx, c, &forks, "forks") == nil {
		d.forks.Store(int64(forks.Made))
		d.forked.Store(int64(forks.Process))
	}
	var killer string
	if exitCode < 1 || exitCode > 64 || d.ask(ctx, c, &killer, "ended") != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.killer = killer
}

// threadName matches CodeLLDB's, which repeats the rank and the id of a thread.
var threadName = pattern.New(`^\d+: tid=\d+(?: "(.*)")?$`)

// ThreadName leaves them away.
func (d *lldbDialect) ThreadName(t godap.Thread) string {
	return threadName.ReplaceAllString(t.Name, "$1")
}

// signalDetail says in words what the system told with a signal.
func signalDetail(name, said string) string {
	at := ""
	if m := faultAt.FindStringSubmatch(said); m != nil {
		at = m[1]
		said = strings.TrimSpace(faultAt.ReplaceAllString(said, ""))
	}
	return faultText(name, said, at)
}

// noneAtAll is what LLDB says of an address that is none of the processor's, of which the system
// tells 0.
const noneAtAll = "invalid address"

// faultText joins the system's word on a fault with its address.
func faultText(name, said, at string) string {
	said = cmp.Or(said, signalText(name))
	if at == "" {
		return said
	}
	n, err := strconv.ParseUint(at, 0, 64)
	if err == nil && n == 0 && said == noneAtAll {
		return said + " (the system does not tell which: it is none that a program can have, as of memory that was given back)"
	}
	if err == nil && n < 4096 {
		return fmt.Sprintf("%s at %s (a null pointer, or a member of one)", said, at)
	}
	return said + " at " + at
}

// Variables leaves out what only repeats, and names elements as expressions do.
func (d *lldbDialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	kept := make([]godap.Variable, 0, len(vars))
	for _, v := range vars {
		if v.Name == "[raw]" || isReturned(v) || isForeign(parent, v.Name) {
			continue
		}
		kept = append(kept, d.tidy(parent, v))
	}
	return kept
}

// foreign matches the names of global variables that are the language's library's
// or the compiler's.
var foreign = pattern.New(`^(?:::)?(?:std|core|alloc|__\w+)::|^<|::\{vtable`)

// isForeign knows what stands between a program's own global variables and says
// nothing of it.
func isForeign(scope, name string) bool {
	switch scope {
	case "Globals", "Global", "Static":
		return foreign.MatchString(name)
	}
	return false
}

// isReturned knows the value of a finished function, which LLDB puts among the locals.
func isReturned(v godap.Variable) bool {
	return v.Name == "[return value]" || v.Name == "(Return Value)"
}

var (
	sizeSummary = pattern.New(`^size=(\d+)`)
	arrayType   = pattern.New(`\[(\d+)\](?:\[\d+\])*$`)
	wideLetter  = pattern.New(`[LuU]'.*'$`)
	textOf      = pattern.New(`^std::(?:u8|u16|u32|w)?string(?:_view)?\b|^(?:const )?char \*(?: const)?$|^std::(?:filesystem::path|chrono::)`)
	whereabouts = pattern.New(`^(.*) @ 0x[0-9a-f]+$`)
)

func (d *lldbDialect) tidy(parent string, v godap.Variable) godap.Variable {
	if v.VariablesReference != 0 && v.IndexedVariables == 0 {
		for _, m := range [][]string{sizeSummary.FindStringSubmatch(v.Value), arrayType.FindStringSubmatch(v.Type)} {
			if m != nil {
				v.IndexedVariables, _ = strconv.Atoi(m[1])
				break
			}
		}
	}
	if v.IndexedVariables > 0 {
		v.NamedVariables = 0
	}
	if m := whereabouts.FindStringSubmatch(v.Value); m != nil && m[1] == v.Type {
		v.Value = "{...}"
	}
	v.Value = plainValue(d.lang, v)
	if v.Type = shortType(v.Type); d.lang == build.CPP {
		v = tidyCPP(v)
	}
	if strings.HasPrefix(v.Name, "[") && parent != "" && !d.scope(parent) {
		v.EvaluateName = parent + v.Name
	}
	return v
}

// tidyCPP leaves out what our scripts' line has said already: parts of a text,
// and the number of a wide character.
func tidyCPP(v godap.Variable) godap.Variable {
	if textOf.MatchString(v.Type) || charArray.MatchString(v.Type) && strings.HasPrefix(v.Value, `"`) {
		v.VariablesReference, v.NamedVariables, v.IndexedVariables = 0, 0, 0
		v.Value = repeated.ReplaceAllString(v.Value, "$1")
	}
	if strings.Contains(v.Type, "std::tuple<>") && v.Value != "{}" { // LLDB does not know its arguments
		v.Type = strings.ReplaceAll(v.Type, "std::tuple<>", "std::tuple<...>")
	}
	switch strings.TrimPrefix(v.Type, "const ") {
	case "wchar_t", "char16_t", "char32_t":
		if letter := wideLetter.FindString(v.Value); letter != "" {
			v.Value = letter
		}
	}
	return v
}

// charArray matches the types of texts in arrays.
var charArray = pattern.New(`^(?:const )?char ?\[\d+\]$`)

// repeated matches an address that lldb-dap puts before a line that tells it.
var repeated = pattern.New(`^0x[0-9a-f]+ (0x[0-9a-f]+ <unreadable>)$`)

// plainValue shortens addresses and names the null pointer as the language does.
func plainValue(lang build.Language, v godap.Variable) string {
	value := strings.TrimSpace(v.Value)
	if value == "<not available>" { // nothing was wrong with it: CodeLLDB found neither a value nor parts
		return "<not available: its type is not in the debug information in full, or the compiler has optimized it away>"
	}
	if unavailable.MatchString(value) {
		return "<optimized away by the compiler>"
	}
	if m := unreadable.FindStringSubmatch(value); m != nil {
		return "<unreadable: " + m[1] + ">"
	}
	if value == "<null>" || nullPointer.MatchString(firstWord(value)) && (strings.HasSuffix(strings.TrimSpace(v.Type), "*") || strings.Contains(v.Type, "(*)")) {
		if lang == build.Rust {
			return "null"
		}
		return "nullptr"
	}
	return shortPointer(value)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

var (
	nullPointer = pattern.New(`^0x0+$`)
	unavailable = pattern.New(`^<(error: )?(not available|variable not available|optimized out).*>?$`)
	unreadable  = pattern.New(`^<(?:error: )?(could not evaluate DW_OP\w*|unavailable|read memory from 0x[0-9a-f]+ failed.*?)(?::.*)?>?$`)
	longPointer = pattern.New(`\b0x0+([0-9a-f]+)\b`)
)

// shortPointer leaves out the zeros that addresses begin with.
func shortPointer(value string) string {
	if strings.HasPrefix(value, `"`) {
		return value
	}
	return longPointer.ReplaceAllString(value, "0x$1")
}

// scope says that a parent's name is that of a scope, not of a value.
func (d *lldbDialect) scope(parent string) bool {
	for _, name := range []string{"Local", "Static", "Global", "Registers", "General", "Floating"} {
		if strings.HasPrefix(parent, name) {
			return true
		}
	}
	return false
}
