// Package inspect puts together what an adapter says of a program that stands
// still: values and their pages, long texts and their pieces, scopes, frames,
// threads with the same stack as one, and what has changed since the last stop.
//
// It is pure: it sends no request and holds no lock. It must not know sessions
// and their states, breakpoints, or replies; of an adapter it knows the dialect.
package inspect
