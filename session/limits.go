package session

import (
	"cmp"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/secret"
)

// Limits bound what a session keeps and asks for; zero values mean the defaults.
type Limits struct {
	Sessions     int           // live sessions at once: 16
	OutputRing   int           // bytes kept of each stream: 1 MiB
	OutputReply  int           // bytes of each stream in a view: 2,000
	History      int           // operations kept: 100
	StackPage    int           // frames fetched for a view: 10
	Locals       int           // names in a view: 30
	ValueBytes   int           // longest value in a list: 200
	AskedBytes   int           // longest value of one asked expression: 2,000
	Children     int           // children a page: 25
	Request      time.Duration // one request to the adapter: 10 s
	AdapterStart time.Duration // adapter start and handshake: 30 s
	Build        time.Duration // 300 s
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Sessions:     cmp.Or(l.Sessions, 16),
		OutputRing:   cmp.Or(l.OutputRing, 1<<20),
		OutputReply:  cmp.Or(l.OutputReply, 2000),
		History:      cmp.Or(l.History, 100),
		StackPage:    cmp.Or(l.StackPage, 10),
		Locals:       cmp.Or(l.Locals, 30),
		ValueBytes:   cmp.Or(l.ValueBytes, 200),
		AskedBytes:   cmp.Or(l.AskedBytes, 2000),
		Children:     cmp.Or(l.Children, 25),
		Request:      cmp.Or(l.Request, 10*time.Second),
		AdapterStart: cmp.Or(l.AdapterStart, 30*time.Second),
		Build:        cmp.Or(l.Build, 300*time.Second),
	}
}

// Bounds that nobody needs to change.
const (
	planLimit       = 3 * time.Second        // for an adapter to give up the preparation of a start
	disconnectLimit = 2 * time.Second        // for the adapter's goodbye
	firstInsist     = 500 * time.Millisecond // a pause that brings no stop is asked for again after this,
	lastInsist      = 8 * time.Second        // and later and later, up to this
	acceptLimit     = time.Second            // a resume whose reply is late counts as accepted after this
	lookEvery       = time.Second            // at the processes that a program starts, while somebody waits for it
	maxInput        = 1 << 20                // input that waits for the program to read it, in bytes
	inputPatience   = time.Second            // for the program to read what it was given
	endLimit        = 2 * time.Second        // for a program to end that has closed its own debugger's connection
	exitLimit       = 300 * time.Millisecond // for the exit code after the end was announced
	programLimit    = 10 * time.Second       // for a program that we started to end after the end was announced
	explainLimit    = 2 * time.Second        // for the lines near a breakpoint that did not bind, and for previews
	maxDepth        = 3                      // levels of children
	maxValues       = 400                    // values in one answer, over all levels
	betweenPauses   = 10 * time.Millisecond  // that the program runs before the second, and longer before each two more
	maxPauses       = 8                      // tries to pause at a moment that shows something
	maxIntoTries    = 50                     // calls on one line that step into_function looks at
)

// Options configure a Manager.
type Options struct {
	Registry *adapters.Registry
	Limits   Limits
	Log      *slog.Logger   // nil discards
	Trace    *dap.Tracer    // may be nil
	Mask     *secret.Masker // of what is told of programs; nil shows it
	Policy   policy.Policy  // of what may be started, read and evaluated
	Root     *process.Root  // where copies of workspaces lie; nil: none can be made
	// Environment is that of what runs beside a program: its own. Nil: the variables of the request over ours.
	Environment func(adapters.Request) ([]string, error)
	// Spell makes the id of a session that is called by a name: go-1, or what its client
	// asked for. Ids that leave for clients of others must not be guessed. Nil: the name itself.
	Spell func(name string) string
}
