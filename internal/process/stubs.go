package process

import "context"

// TEMPORARY stubs.
type child struct{ done chan struct{} }

func start(spec Spec) (*Child, error)                                       { panic("stub") }
func run(ctx context.Context, spec Spec) (stdout, stderr []byte, err error) { panic("stub") }
func (c *child) pid() int                                                   { return 0 }
func (c *child) exit() ExitStatus                                           { panic("stub") }
func (c *child) stderrTail(n int) string                                    { panic("stub") }
func (c *child) kill()                                                      {}

func (e *ExitError) Error() string { return e.Name + " failed" }
