package adapters

import "context"

// Mapped is an adapter that takes path mappings, and whose programs know their
// files by path.
type Mapped interface {
	Adapter
	// Files are those that a program which runs already runs or was built from, by
	// its own paths, as far as that can be known before it is attached to. It only
	// looks; what cannot be looked at is left out.
	Files(ctx context.Context, r Request) []string
}
