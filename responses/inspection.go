package responses

// Thread is one thread, or several with the same stack.
type Thread struct {
	ID      ID                `json:"id"`              // of one of them
	Count   int               `json:"count,omitempty"` // when more than one
	Others  []ID              `json:"others,omitempty"`
	Current bool              `json:"current,omitempty"`
	Name    string            `json:"name,omitempty"`
	Waiting string            `json:"waiting,omitempty"` // for what
	Waited  string            `json:"waited,omitempty"`  // for how long: "2m5s"
	Object  string            `json:"object,omitempty"`  // what it waits on
	Tasks   string            `json:"tasks,omitempty"`   // where those rest that its event loop runs
	Labels  map[string]string `json:"labels,omitempty"`
	Stack   *Stack            `json:"stack,omitempty"`
}

// Module is a library, package or module of the program.
type Module struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
}

// Inspection is the data of inspect and of variable: whichever of its parts
// was asked for.
type Inspection struct {
	Frame  int       `json:"frame,omitempty"`
	Result *Variable `json:"result,omitempty"`
	Was    string    `json:"was,omitempty"` // before it was set
	Notes  []string  `json:"notes,omitempty"`

	Locals    *Variables `json:"locals,omitempty"`
	Arguments *Variables `json:"arguments,omitempty"`
	Globals   *Variables `json:"globals,omitempty"`
	Registers *Variables `json:"registers,omitempty"`

	Exception *Exception    `json:"exception,omitempty"`
	Stack     *List[string] `json:"stack,omitempty"`
	First     int           `json:"first_frame,omitempty"` // number of the first frame in stack
	Threads   *List[Thread] `json:"threads,omitempty"`
	Total     int           `json:"total,omitempty"`  // threads in all groups
	System    int           `json:"system,omitempty"` // runtime threads that are not listed

	Cycles []string    `json:"cycles,omitempty"` // of what waits for each other
	Waits  *List[Wait] `json:"waits,omitempty"`
	Unseen []string    `json:"not_seen,omitempty"` // what waits could not be told of

	Source      *Snapshot     `json:"source,omitempty"`
	SourcePage  *Page         `json:"-"`
	Matches     *List[string] `json:"matches,omitempty"` // source lines with the filter
	Address     string        `json:"address,omitempty"` // of the first byte of memory
	Memory      *List[string] `json:"memory,omitempty"`
	Disassembly *List[string] `json:"disassembly,omitempty"`
	Modules     *List[Module] `json:"modules,omitempty"`
	Stdout      *Printed      `json:"stdout,omitempty"`
	Stderr      *Printed      `json:"stderr,omitempty"`
	Log         *Printed      `json:"log,omitempty"`        // of logpoints
	Lost        int           `json:"lost_bytes,omitempty"` // of output, printed too long ago
}

func (d *Inspection) omissions() []Omission {
	all := d.Result.omissions()
	for _, part := range []omitter{
		d.Locals, d.Arguments, d.Globals, d.Registers, d.Exception, d.Stack, d.Threads, d.Waits,
		d.Matches, d.Memory, d.Disassembly, d.Modules, d.Stdout, d.Stderr, d.Log,
	} {
		all = append(all, part.omissions()...)
	}
	all = append(all, d.deeperFrames()...)
	if d.SourcePage != nil {
		all = append(all, d.SourcePage.omission(len(d.Source.Lines))...)
	}
	return all
}

// deeperFrames names the thread stacks that go on, all in one entry; its call
// opens the first of them.
func (d *Inspection) deeperFrames() []Omission {
	if d.Threads == nil {
		return nil
	}
	var all Omission
	stacks := 0
	for _, t := range d.Threads.Rows {
		for _, o := range t.Stack.omissions() {
			if stacks++; all.Get == nil {
				all.Get = o.Get
			}
			all.Shown, all.Total = all.Shown+o.Shown, all.Total+o.Total
		}
	}
	if stacks == 0 {
		return nil
	}
	all.What = "frames of " + Plural(stacks, "stack")
	return []Omission{all}
}

func (d *Inspection) trims() []trim {
	lists := []*Variables{d.Globals, d.Registers, d.Locals, d.Arguments}
	var all []trim
	if d.Result != nil {
		all = append(all, d.Result.trims()...)
	}
	for _, l := range lists {
		all = append(all, l.trimValues(80), l.trimChildren(1), l.trimChildren(0))
	}
	all = append(all, d.Exception.trim(2000), d.trimThreadStacks(4), d.trimThreadStacks(1), d.Stack.trim(5), d.Threads.trim(3), d.Waits.trim(5),
		d.Modules.trim(0), d.Matches.trim(0), d.Disassembly.trim(1), d.Memory.trim(1), d.trimSource)
	for _, l := range lists {
		all = append(all, l.trim(5))
	}
	for _, l := range lists {
		all = append(all, l.trim(0))
	}
	printed := []*Printed{d.Stdout, d.Stderr, d.Log}
	for _, step := range []struct{ lines, length int }{{10, 400}, {3, 200}, {1, 100}} {
		for _, p := range printed {
			all = append(all, p.trimLines(step.length))
		}
		for _, p := range printed {
			all = append(all, p.trim(step.lines))
		}
	}
	all = append(all, d.Exception.trim(0))
	for _, p := range printed {
		all = append(all, p.trim(0))
	}
	return append(all, d.Stack.trim(0), d.Threads.trim(0), d.Waits.trim(1), d.Memory.trim(0), d.Disassembly.trim(0))
}

// trims of one asked value: the last levels of children, then pages of
// children, then its own text.
func (v *Variable) trims() []trim {
	all := []trim{v.below(func(c *Variables) trim { return c.trimValues(200) })}
	for level := 2; level > 0; level-- {
		all = append(all, func(int) bool { return v.dropBelow(level) })
	}
	all = append(all, v.below(func(c *Variables) trim { return c.trim(5) }))
	for _, length := range []int{1000, 400, 100} {
		all = append(all, func(int) bool { return v.shorten(length) })
	}
	return append(all, v.below(func(c *Variables) trim { return c.trimValues(60) }), func(int) bool { return v.dropBelow(0) })
}

// below applies a trim to the children, which may be gone by then.
func (v *Variable) below(of func(*Variables) trim) trim {
	return func(over int) bool { return of(v.Children)(over) }
}

func (d *Inspection) trimThreadStacks(keep int) trim {
	return func(over int) bool {
		if d.Threads == nil {
			return false
		}
		changed := false
		for i := range d.Threads.Rows {
			changed = d.Threads.Rows[i].Stack.trim(keep)(over) || changed
		}
		return changed
	}
}

// trimSource cuts source lines from the end.
func (d *Inspection) trimSource(over int) bool {
	if d.SourcePage == nil || len(d.Source.Lines) <= 1 {
		return false
	}
	d.Source.Lines = d.Source.Lines[:cutRows(d.Source.Lines, over, 1)]
	return true
}
