package pysrc

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

var (
	// a statement that calls something and keeps nothing of it
	call = pattern.New(`^(?:await\s+)?([A-Za-z_][\w.]*)\s*[\[(]`)
	loop = pattern.New(`^(?:async )?(?:for|while|with)\b`)
)

// Calls by which a file that others import sets things up: whole names, and the ends of them.
var (
	setups    = []string{"load_dotenv", "setup_logging", "locale.setlocale", "signal.signal", "atexit.register", "multiprocessing.set_start_method", "django.setup", "setup"}
	setupEnds = []string{
		"append", "extend", "insert", "update", "add", "register", "setdefault", "pop", "connect", "basicConfig", "simplefilter", "filterwarnings", "use",
		"include_router", "mount", "add_argument", "set_defaults", "set_option", "getLogger", "setLevel", "addHandler", "seed", "install", "cache_clear", "extensions",
	}
	setupBegins = []string{"logging.", "warnings.", "sys.", "os.environ.", "register", "add_", "set_", "configure"}
)

// Acts is the line of the first statement at the top of a file that does something which
// is not only there for those who import it; 0 where there is none.
func Acts(text string) int {
	for _, l := range logicalLines(text) {
		if l.indent == 0 && acts(l.text) {
			return l.start
		}
	}
	return 0
}

func acts(text string) bool {
	if loop.MatchString(text) {
		return true
	}
	m := call.FindStringSubmatch(text)
	if m == nil || slices.Contains(keywords, m[1]) || assigns(text) {
		return false
	}
	name := m[1]
	end := name[strings.LastIndexByte(name, '.')+1:]
	return !slices.Contains(setups, name) && (name == end || !slices.Contains(setupEnds, end)) &&
		!slices.ContainsFunc(setupBegins, func(begin string) bool { return strings.HasPrefix(name, begin) && name != "sys.exit" })
}

// keywords may stand before a bracket as a name does.
var keywords = []string{"if", "elif", "assert", "del", "return", "raise", "yield", "not", "lambda", "except", "import", "from"}

// assigns says that a statement is an assignment: it has a sign for it outside of brackets.
func assigns(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=', ':':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}
