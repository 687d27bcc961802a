package dap

import (
	"context"
	"errors"
	"io"
)

// TEMPORARY stubs.
func newError(s string) error { return errors.New(s) }

// Tracer writes one readable line a message.
type Tracer struct{}

type conn struct{ done chan struct{} }

func newConn(rw io.ReadWriteCloser, o Options) *Conn        { panic("stub") }
func (c *conn) send(command string, arguments any) *Pending { panic("stub") }
func (c *conn) err() error                                  { panic("stub") }
func (c *conn) close() error                                { panic("stub") }

type pending struct{}

func (p *pending) wait(ctx context.Context, body any) error     { panic("stub") }
func (p *pending) waitOpen(ctx context.Context, body any) error { panic("stub") }

func (e *RequestError) Error() string { return e.Message }
