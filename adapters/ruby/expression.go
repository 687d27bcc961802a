package ruby

import (
	"context"
	"errors"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// expression is evaluated as it is written, or by boot/peeking.rb where nothing of the
// program's is to run.
func expression(ctx context.Context, _ adapters.Caller, _ int, expr string) (rewritten, kind string, err error) {
	if adapters.IsReading(ctx) {
		return expr, "aidb/peek", nil
	}
	return expr, "watch", nil
}

var (
	// members are the methods that something is asked for in an expression.
	members = pattern.New(`(?:\.|&\.|::)\s*([\pL_][\pL\pN_]*[?!]?)`)
	// pure are those that only read, unless the program has defined them anew.
	pure = pattern.New(`^(?:length|size|first|last|empty\?|nil\?|keys|values|min|max|sum|abs|floor|ceil|round|zero\?|even\?|odd\?|to_s|to_i|to_f|to_sym|class|frozen\?|[A-Z]\w*)$`)
)

// reads is nil for an expression that only reads, as far as its text tells: a member is a
// method.
func reads(expr string) error {
	if err := exprsyntax.Ruby.Reads(expr); err != nil {
		return err
	}
	switch {
	case strings.Contains(expr, "#{"):
		return errors.New("it calls a function")
	case strings.Contains(expr, "<<"): // of a list it is an addition to that
		return errors.New("it may change a list")
	}
	for _, m := range members.FindAllStringSubmatch(expr, -1) {
		if !pure.MatchString(m[1]) {
			return errors.New("it calls " + strings.TrimSpace(m[1]))
		}
	}
	return nil
}

// constants are names that say the same everywhere.
var constants = pattern.New(`^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$`)

// statementParts are those of a statement, but for classes and modules.
func statementParts(statement string) []exprsyntax.Part {
	return slices.DeleteFunc(exprsyntax.Ruby.Parts(statement), func(p exprsyntax.Part) bool { return constants.MatchString(p.Text) })
}
