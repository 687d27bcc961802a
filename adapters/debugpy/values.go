package debugpy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// returned is how debugpy names what a called function gave back.
const returned = "(return) "

// isPseudo says that an entry is one that debugpy adds to the children of a value.
func isPseudo(v godap.Variable) bool {
	switch v.Name {
	case "len()", "special variables", "function variables", "class variables", "protected variables", "return values":
		return v.EvaluateName == "" || v.Name == "len()"
	case "more", "Unable to handle:":
		return v.EvaluateName == ""
	}
	return strings.HasPrefix(v.Name, returned) || strings.HasPrefix(v.Name, "__pydevd_") || v.Name == "__exception__" ||
		strings.HasPrefix(v.Name, "@py") // of pytest's assertions
}

// empty are values that have no children, though debugpy offers to open them.
var empty = []string{"[]", "{}", "()", "set()", "frozenset()", "b''", "deque([])"}

var (
	number  = pattern.New(`^\d+$`)
	address = pattern.New(`^\d{9,}$`)
	plainly = pattern.New(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*|\[[^\[\]]*\])*$`)
	lastIn  = pattern.New(`(\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\.[\pL_][\pL\pN_]*)$`)
)

// Variables leaves out what debugpy adds, numbers elements as the others do
// ([0]), and says paths in terms of the value that was opened: an object that is
// reached by several ways would else be told by the first.
func (*dialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	scope := parent == "" || parent == "Locals" || parent == "Globals"
	elements := 0
	kept := make([]godap.Variable, 0, len(vars))
	for _, v := range vars {
		if isPseudo(v) || parent == "Globals" && v.Type == "module" { // what was imported is no data
			continue
		}
		if !scope {
			if number.MatchString(v.Name) && (v.EvaluateName == "" || strings.HasSuffix(v.EvaluateName, "]")) {
				v.Name = fmt.Sprintf("[%d]", elementIndex(v, elements))
				elements++
			}
			v.EvaluateName = childPath(parent, v.EvaluateName)
		}
		if v.Type == "bytes" || v.Type == "bytearray" || slices.Contains(empty, v.Value) {
			v.VariablesReference = 0
		}
		kept = append(kept, shortenRaised(v))
	}
	return kept
}

// shortenRaised puts the error in place of the value of a property that raised instead of giving a value: debugpy shows the
// traceback of its own attempt as if it were the value.
func shortenRaised(v godap.Variable) godap.Variable {
	if v.Type != "str" || len(v.Value) < 2 || !strings.HasPrefix(v.Value[1:], `Traceback (most recent call last):\n`) ||
		!strings.Contains(v.Value, "pydevd_resolver.py") {
		return v
	}
	lines := strings.Split(strings.TrimSuffix(v.Value[1:len(v.Value)-1], `\n`), `\n`)
	why := strings.NewReplacer(`\'`, `'`, `\"`, `"`, `\\`, `\`).Replace(lines[len(lines)-1])
	v.Value, v.Type, v.VariablesReference = "raises "+why, "", 0
	return v
}

// elementIndex is the place of a member: members of a set are named by their address.
func elementIndex(v godap.Variable, position int) int {
	n, err := strconv.Atoi(v.Name)
	if err != nil || v.EvaluateName == "" && address.MatchString(v.Name) {
		return position
	}
	return n
}

// childPath is the path of a child of parent, whose last step debugpy's path has.
func childPath(parent, path string) string {
	step := lastIn.FindString(path)
	if step == "" || parent == "" {
		return path
	}
	if !plainly.MatchString(parent) {
		parent = "(" + parent + ")"
	}
	return parent + step
}

// Range slices sequences and, by way of a list, everything that can be iterated.
func (*dialect) Range(expr, typ string, start, count int) string {
	end := start + count
	if !plainly.MatchString(expr) {
		expr = "(" + expr + ")"
	}
	switch typ {
	case "list", "tuple", "str", "bytes", "bytearray", "range", "ndarray", "array":
		return fmt.Sprintf("%s[%d:%d]", expr, start, end)
	case "dict", "defaultdict", "OrderedDict", "Counter", "mappingproxy":
		return fmt.Sprintf("dict(list(%s.items())[%d:%d])", expr, start, end)
	case "set", "frozenset", "deque", "dict_keys", "dict_values", "dict_items":
		return fmt.Sprintf("list(%s)[%d:%d]", expr, start, end)
	}
	return ""
}

// TextLength counts characters, or bytes, as Range does.
func (*dialect) TextLength(expr, typ string) string {
	switch typ {
	case "str", "bytes", "bytearray":
		return "len(" + expr + ")"
	}
	return ""
}

// TextUnits reads what values.py has put beside the text.
func (*dialect) TextUnits(v godap.Variable) (n int, known bool) {
	if v.PresentationHint == nil {
		return 0, false
	}
	for _, attribute := range v.PresentationHint.Attributes {
		if count, ok := strings.CutPrefix(attribute, "length:"); ok {
			n, err := strconv.Atoi(count)
			return n, err == nil
		}
	}
	return 0, false
}

// Count is the number of elements that debugpy tells among the children: of
// long values it sends only the first.
func (*dialect) Count(children []godap.Variable) (n int, elements bool) {
	for _, v := range children {
		if v.Name == "len()" && strings.HasPrefix(v.EvaluateName, "len(") {
			n, err := strconv.Atoi(v.Value)
			return n, err == nil
		}
	}
	return 0, false
}
