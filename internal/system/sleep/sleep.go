// Package sleep passes time where nothing can be awaited: between two tries, between
// two looks at what the system announces to nobody.
package sleep

import (
	"context"
	"time"
)

// For passes some time, and says whether ctx lives on: false comes at once when it ends.
func For(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
