package adapters

import "context"

type countKey struct{}

// WithCount gives Plan a way to tell how far it is, where it can be counted: done
// of total, of what it has told last that it is doing.
func WithCount(ctx context.Context, count func(done, total int)) context.Context {
	return context.WithValue(ctx, countKey{}, count)
}

// Count tells how far a plan is.
func Count(ctx context.Context, done, total int) {
	if count, ok := ctx.Value(countKey{}).(func(done, total int)); ok {
		count(done, total)
	}
}
