//go:build !linux && !darwin

package doctor

import "context"

// permissions: none are needed to debug one's own programs.
func permissions(context.Context) []Check { return nil }
