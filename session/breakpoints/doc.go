// Package breakpoints decides the fate of every breakpoint of a session: what
// was asked for ([Spec]), what became of it in each connection ([Binding]),
// which requests make an adapter hold it ([Set.Plan]), what its replies mean
// ([Set.Apply]), and what a stop is about ([Set.Decide]).
//
// It is pure: it sends nothing, waits for nothing and starts no goroutine, and it
// must not know sessions, languages or how a value is evaluated. The engine around
// it sends, asks and publishes. A [Set] has a lock of its own, the last to be taken.
package breakpoints
