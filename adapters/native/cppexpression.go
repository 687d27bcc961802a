package native

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

var (
	// names matches a way into a value by names alone.
	names = pattern.New(`^[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*$`)
	// quotes matches texts and characters in an expression.
	quotes = pattern.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	// changes matches what gives a variable another value.
	changes = pattern.New(`\+\+|--|(?:^|[^=!<>])=(?:[^=]|$)|<<=|>>=`)
	// calls matches a call of a function that is no method.
	calls = pattern.New(`(?:^|[^\w.:>])([A-Za-z_][\w:]*)\s*\(`)
)

// readable are the functions of the library that our evaluator knows.
var readable = map[string]bool{
	"strcmp": true, "strncmp": true, "strlen": true, "std::strcmp": true, "std::strncmp": true, "std::strlen": true,
	"std::string": true, "std::string_view": true, "std::size": true,
}

// reads says that an expression of C or C++ is one that our own evaluator
// (scripts/aidb/cpp/expression.py) may read; where it does not, it hands it on to
// the debugger. What runs functions of the program is the debugger's from the start.
func reads(expr string) bool {
	if strings.HasPrefix(expr, "/") || strings.HasPrefix(expr, "$") || strings.HasPrefix(expr, "-exec") {
		return false
	}
	bare := quotes.ReplaceAllString(expr, "0")
	if changes.MatchString(bare) {
		return false
	}
	for _, m := range calls.FindAllStringSubmatch(bare, -1) {
		if !readable[m[1]] {
			return false
		}
	}
	return true
}

// plainCondition matches what the debuggers check themselves, and faster: names
// and members compared with numbers. In anything else there may be a value of the
// library, such as a text, whose operators the program has not instantiated.
var plainCondition = pattern.New(`^[\w\s.()!&|<>=+*/%-]+$`)

// ReadsCondition says that of a condition.
func (c *common) ReadsCondition(condition string) bool {
	if c.lang != build.CPP {
		return true
	}
	bare := strings.TrimSpace(strings.ReplaceAll(condition, "this->", ""))
	return plainCondition.MatchString(bare) && !strings.Contains(bare, "->") && !calls.MatchString(bare) && !methods.MatchString(bare) &&
		!strings.ContainsAny(bare, "*&") && numbered.MatchString(bare) || strings.Contains(condition, "&&") && readsOnly(c, condition)
}

var (
	methods  = pattern.New(`\w\s*\(`)
	numbered = pattern.New(`(?:[<>=]=?|!=)\s*-?(?:\d|true\b|false\b|nullptr\b|NULL\b)|^!?\w+$`)
)

func readsOnly(c *common, condition string) bool {
	for part := range strings.SplitSeq(condition, "&&") {
		if !c.ReadsCondition(part) {
			return false
		}
	}
	return true
}

// Truth is the language's own judgement.
func (c *common) Truth(expr string) string {
	if c.lang != build.CPP {
		return c.Base.Truth(expr)
	}
	return "!!(" + expr + ")"
}

// digits is an expression as nothing on its way takes a part of it for its own.
func digits(expr string) string { return hex.EncodeToString([]byte(expr)) }

// Expression has our own evaluator look first: it reads what the program's
// library holds without operators that the compiler may have left out, and
// LLDB's compiler dies of some types, std::optional<std::string> for one.
func (d *codeLLDBDialect) Expression(expr string) (rewritten, context string) {
	trimmed := strings.TrimSpace(expr)
	switch {
	case d.lang != build.CPP || !reads(trimmed):
		return expr, "watch"
	case names.MatchString(trimmed):
		return fmt.Sprintf(`/py __import__("aidb").debugger.lldb.cpp.named(%q)`, trimmed), "watch"
	}
	return `/py __import__("aidb").debugger.lldb.cpp_expression.evaluate_hex("` + digits(trimmed) + `")`, "watch"
}

// Resolve asks our evaluator, which keeps what it has found under a name of LLDB's.
func (d *lldbDAPDialect) Resolve(ctx context.Context, c adapters.Caller, frame int, expr string) (rewritten, context string, err error) {
	trimmed := strings.TrimSpace(expr)
	if frame == 0 || d.lang != build.CPP || !reads(trimmed) {
		return expr, "watch", nil
	}
	var found struct{ Name string }
	err = d.askIn(ctx, c, frame, &found, "resolve", frame, digits(trimmed))
	if err == nil {
		return found.Name, "watch", nil
	}
	var refused *dap.RequestError
	if errors.As(err, &refused) || errors.Is(err, dap.ErrTimeout) || errors.Is(err, dap.ErrClosed) || ctx.Err() != nil {
		return "", "", err
	}
	if message, hint, known := explain(err.Error()); known && message != "" {
		return "", "", fault.New(fault.Evaluation, "%s", message).WithHint("%s", hint)
	}
	return "", "", fault.New(fault.Evaluation, "%w", err).WithHint(cppReads)
}

const cppReads = "members, elements (v[0], m[\"key\"]), *p, size(), has_value() and the like, comparisons and arithmetic can be read; " +
	"inspect(target: locals) shows the names"

// Range is a part of a text, in its characters.
func (d *lldbDialect) Range(expr, typ string, start, count int) string {
	if d.lang != build.CPP || !textType.MatchString(typ) {
		return ""
	}
	return fmt.Sprintf("(%s).substr(%d, %d)", expr, start, count)
}

// textType matches the library's types of characters of a byte.
var textType = pattern.New(`^(?:const )?std::(?:string|string_view|filesystem::path)\b`)
