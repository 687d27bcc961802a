package handlers

import (
	"context"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
)

// TEMPORARY: each moves to a file of its own.

func (h *Handlers) notYet(context.Context, *Call) (*responses.Envelope, error) {
	return nil, fault.New(fault.Internal, "not built yet")
}

func (h *Handlers) init(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) sessionStart(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) execute(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) step(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) runUntil(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) breakpoint(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) inspect(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) variable(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) session(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) config(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) context(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
func (h *Handlers) adapter(ctx context.Context, c *Call) (*responses.Envelope, error) {
	return h.notYet(ctx, c)
}
