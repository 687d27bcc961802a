package adapters

// Quirks are the ways in which an adapter is known to differ from the
// protocol's plain word, as values that the engine reads. What takes arguments
// is a power of the [Dialect] instead. The zero value is an adapter without any.
type Quirks struct {
	// SnapshotScopes: scopes hold the values of the moment of the stop, whatever
	// is set since. The engine then evaluates each name anew.
	SnapshotScopes bool
	// LongestValue: values of that many bytes or more may have been cut by the
	// adapter without a word; 0: it says so, or cuts none.
	LongestValue int
	// GlobalScope: frames have such a scope, which is known before the first one has
	// been read.
	GlobalScope bool
	// ReturnLocal is the name under which the locals of a frame that stands at its
	// return have what it returns; empty where none do.
	ReturnLocal string
}
