package debugpy

import (
	"slices"
	"strings"
	"testing"
)

// Of stacks only what runs the program is left out, wherever the innermost frame stands.
func TestStackFilter(t *testing.T) {
	for text, want := range map[string]string{
		"Traceback (most recent call last):\n  File \"/t/aidb_recorder/run.py\", line 43, in <module>\n    main()\n  File \"/w/a.py\", line 1, in <module>\n    f()\n  File \"<frozen runpy>\", line 2, in run_path\nValueError: x":                                                                         "Traceback (most recent call last):\n  File \"/w/a.py\", line 1, in <module>\n    f()\n  File \"<frozen runpy>\", line 2, in run_path\nValueError: x",
		"  File \"/p/runpy.py\", line 198, in _run_module_as_main\n    return x\n  File \"/p/debugpy/server/cli.py\", line 5, in main\n    run()\n  File \"/w/a.py\", line 1, in <module>\n    f()\n  File \"/p/runpy.py\", line 198, in _run_module_as_main\n  File \"/w/a.py\", line 2, in <module>\nend": "  File \"/w/a.py\", line 1, in <module>\n    f()\n  File \"/w/a.py\", line 2, in <module>\nend",
		"Current thread 0x1 (most recent call first):\n  File \"/w/a.py\", line 1 in f\n  File \"/t/aidb_recorder/run.py\", line 29 in main\n":                                                                                                                                                              "Current thread 0x1 (most recent call first):\n  File \"/w/a.py\", line 1 in f\n",
		"what\n  File \"/w/data.txt\", line 3\n    kept": "what\n  File \"/w/data.txt\", line 3\n    kept",
	} {
		var f stackFilter
		lines := slices.DeleteFunc(strings.Split(text, "\n"), f.drop)
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%s\nleaves\n%s", text, got)
		}
	}
}
