package testkit

import (
	"testing"

	"github.com/gofrs/flock"
)

// Alone waits until no other process holds the file, which is made if it is not
// there, and returns how that ends.
func Alone(t testing.TB, name string) func() {
	t.Helper()
	release, err := holdAlone(name)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

func holdAlone(name string) (release func(), err error) {
	lock := flock.New(name)
	if err := lock.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = lock.Close() }, nil
}
