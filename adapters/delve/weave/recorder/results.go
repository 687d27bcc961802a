//go:build go1.22

package recorder

// Results remembers where the results lie that return statements write to.
func (f *Frame) Results(targets ...interface{}) { f.results = targets }

// Returning remembers what the results hold that the return statement writes to which is about
// to run.
func (f *Frame) Returning(site string, which ...int) {
	f.returning, f.given = site, f.given[:0]
	for _, i := range which {
		f.given = append(f.given, f.results[i])
	}
	f.Was(f.given...)
}

// Returned notes what the return statement has written; it is deferred. A statement that
// panicked has written nothing.
func (f *Frame) Returned() {
	if !on {
		return
	}
	if _, is := currentPanic(1); !is {
		f.Changed(f.returning, f.given...)
	}
}
