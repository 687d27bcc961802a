package adapters

// Quirks are the ways in which an adapter is known to differ from the
// protocol's plain word, as values that the engine reads. What takes arguments
// is a power of the [Dialect] instead. The zero value is an adapter without any.
type Quirks struct {
	// SnapshotScopes: scopes hold the values of the moment of the stop, whatever
	// is set since. The engine then evaluates each name anew.
	SnapshotScopes bool
	// DropsWatchpoints: the adapter forgets a watchpoint without an event when its
	// variable goes out of scope, and leaves alone, with its id, one that is set
	// again. The engine checks at each stop which are left.
	DropsWatchpoints bool
	// BareWatches: the adapter says that it checks conditions, and leaves out those of
	// watchpoints. The engine checks them.
	BareWatches bool
	// StopsOnFailedCondition: the adapter stops, without saying why, where a
	// condition cannot be evaluated. The engine evaluates it again for the reason.
	StopsOnFailedCondition bool
	// BreakpointIDsFromZero: 0 is the id of the first breakpoint, which from other
	// adapters means that it has none.
	BreakpointIDsFromZero bool
	// LongestValue: values of that many bytes or more may have been cut by the
	// adapter without a word; 0: it says so, or cuts none.
	LongestValue int
	// EntryMode is the mode of a line breakpoint (in DAP's sense) that stands for a
	// function's entry and stops once a call; empty where the line alone is known.
	EntryMode string
	// GlobalScope: frames have such a scope, which is known before the first one has
	// been read.
	GlobalScope bool
	// ReturnLocal is the name under which the locals of a frame that stands at its
	// return have what it returns; empty where none do.
	ReturnLocal string
}
