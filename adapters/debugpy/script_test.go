package debugpy

import (
	"strings"
	"testing"
)

// The script of a running program is found behind the interpreter's own options.
func TestScriptOfACommandLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"python3 app.py -m x":                              "app.py",
		"python3 -u -X dev -Xutf8 /srv/app.py --port 1":    "/srv/app.py",
		"python3 -uW ignore -OO app.py":                    "app.py",
		"python3 --check-hash-based-pycs never app.py":     "app.py",
		"python3 -m app":                                   "",
		"python3 -Im app run.py":                           "",
		"python3 -c print(1) app.py":                       "",
		"python3 - app.py":                                 "",
		"python3":                                          "",
		"/usr/bin/python3 --help-all -B /usr/bin/gunicorn": "/usr/bin/gunicorn",
	} {
		if got := scriptIn(strings.Fields(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
