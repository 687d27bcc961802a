package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how often a build that waits for another looks again.
const lockRetry = 50 * time.Millisecond

// alone waits until no other session, of this server or another, builds in a
// directory: make and CMake do not mind each other themselves.
func (j *job) alone(ctx context.Context, dir string) (release func(), err error) {
	cache, err := j.cacheDir()
	if err != nil {
		return nil, fmt.Errorf("making the build cache: %w", err)
	}
	sum := sha256.Sum256([]byte(dir))
	locks := filepath.Join(cache, Locks)
	if err := os.MkdirAll(locks, 0o755); err != nil {
		return nil, fmt.Errorf("making the build cache: %w", err)
	}
	lock := flock.New(filepath.Join(locks, hex.EncodeToString(sum[:8])))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("waiting for another build in %s: %w", j.show(dir), err)
	}
	return func() { _ = lock.Unlock() }, nil
}
