// Package source knows source files: how a place in one is written, which file
// a path means, and what its lines say.
//
// It only reads files. It knows nothing of debuggers, sessions or tools.
package source
