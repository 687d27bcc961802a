package secret

import (
	"context"
	"fmt"
	"log/slog"
)

// Handler is a log handler that masks messages and attributes before they are
// written.
func Handler(next slog.Handler, m *Masker) slog.Handler {
	if m == nil {
		return next
	}
	return handler{next, m}
}

type handler struct {
	slog.Handler
	mask *Masker
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	masked := slog.NewRecord(r.Time, r.Level, h.mask.Text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		masked.AddAttrs(h.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, masked)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(h.attrs(attrs)), h.mask}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.mask}
}

func (h handler) attrs(attrs []slog.Attr) []slog.Attr {
	masked := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		masked[i] = h.attr(a)
	}
	return masked
}

func (h handler) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.mask.Variable(a.Key, v.String()))
	case slog.KindGroup:
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(h.attrs(v.Group())...)}
	case slog.KindAny:
		if v.Any() == nil {
			return a
		}
		return slog.String(a.Key, h.mask.Command(fmt.Sprint(v.Any())))
	}
	return a
}
