package process

import (
	"crypto/rand"
	"os"
	"path/filepath"
)

// Scratch names a directory of the system's temporary one that is not there
// yet. A child whose Spec has it in Remove finds it made; nothing is left of it
// even when we are killed before that child runs.
func Scratch(prefix string) string {
	return filepath.Join(os.TempDir(), prefix+rand.Text()[:13])
}
