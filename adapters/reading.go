package adapters

import "context"

type readingKey struct{}

// WithReading asks of [Values.Expression] that what it makes of an expression runs none of
// the program's code, where [Values.Peeks] says that this can be had.
func WithReading(ctx context.Context) context.Context {
	return context.WithValue(ctx, readingKey{}, true)
}

// IsReading says that this is asked.
func IsReading(ctx context.Context) bool {
	reading, _ := ctx.Value(readingKey{}).(bool)
	return reading
}
