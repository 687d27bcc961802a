package handlers

import (
	"context"
	"time"
)

// Account is told of each call when its reply is complete. It must not hold the
// call up.
type Account interface {
	Record(Spent)
}

// Spent is what one call took. It holds nothing of what was asked or answered.
type Spent struct {
	At                  time.Time // when it came
	Took                time.Duration
	Client              string
	Session, Language   string // empty for a call that spoke of none
	Tool, Code          string // the code of its error, empty when it succeeded
	BytesIn, BytesOut   int
	TokensIn, TokensOut int // estimated
}

// account tells the account of the call, also of one that panicked.
func (ch *callChain) account(next Handler) Handler {
	if ch.Account == nil {
		return next
	}
	return func(ctx context.Context, c *Call) (Result, error) {
		if c.isLook { // no client's call
			return next(ctx, c)
		}
		start := time.Now()
		res, err := next(ctx, c)
		if res.Reply.Asked { // it is made again with the answer, and counts then
			return res, err
		}
		in, out := len(c.Args), len(res.Reply.Read())
		s := Spent{
			At: start, Took: time.Since(start), Client: c.Client.Name(), Tool: c.Tool,
			BytesIn: in, BytesOut: out, TokensIn: in / bytesPerToken, TokensOut: out / bytesPerToken,
		}
		if c.Session != nil {
			s.Session, s.Language = c.Session.ID(), c.Session.Language()
		}
		if env := res.Envelope; env != nil && env.Error != nil {
			s.Code = env.Error.Code
		}
		ch.Account.Record(s)
		return res, err
	}
}
