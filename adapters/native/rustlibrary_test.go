package native

import (
	"testing"

	godap "github.com/google/go-dap"
)

// Debian's rustc names the directory in which it was built, whose frames are not the user's:
// else every panic would look as if the user's code caught it, which is all around main.
func TestFramesOfRustsLibraryAreKnownWhoeverHasBuiltIt(t *testing.T) {
	for path, want := range map[string]bool{
		"/rustc/4eb161250/library/std/src/panicking.rs":                            true,
		"/usr/src/rustc-1.85.0/library/std/src/panic.rs":                           true,
		"/build/rustc-1.63.0+dfsg1/library/core/src/panicking.rs":                  true,
		"/usr/src/rustc-1.85.0/vendor/hashbrown-0.15.2/src/map.rs":                 true,
		"/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/a/lib.rs": true,
		"/home/me/rustc-notes/library/main.rs":                                     false,
		"/home/me/rustc-1.85/src/main.rs":                                          false,
		"/home/me/app/src/main.rs":                                                 false,
	} {
		if got := isRustLibrary(godap.StackFrame{Source: &godap.Source{Path: path}}); got != want {
			t.Errorf("of the library: %v, want %v: %s", got, want, path)
		}
	}
}
