//go:build linux

package frameworks

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

var pythonFamily = family{Language: "Python", Samples: []sample{
	{
		Name: "pytest", Dir: "python-pytest", Prepare: virtualEnvironment, File: "src/shop/cart.py", Mark: "total",
		Ask: "(cents, self.items)", Want: "(670, {'tea': 1, 'cake': 1})",
	},
	{
		Long: "test/languages starts one",
		Name: "pytest: one case of a parametrised test", Dir: "python-pytest", Prepare: virtualEnvironment,
		With: A{"test": "test_discount[7-1250]"}, File: "src/shop/cart.py", Mark: "discount",
		Note: "Cases get their names when pytest runs, so `init` only knows the test. It suggests a single case if that case failed in the last run.",
		Ask:  "(count, free)", Want: "(7, 2)",
	},
	{
		Long: "as another choice of tests",
		Name: "pytest: a class", Dir: "python-pytest", Prepare: virtualEnvironment, With: A{"test": "TestMany"},
		File: "src/shop/cart.py", Mark: "total", Ask: "(cents, self.items)", Want: "(1000, {'tea': 4})",
	},
	{
		Long: "as another choice of tests",
		Name: "pytest -k", Dir: "python-pytest", Prepare: virtualEnvironment, With: A{"test": nil, "args": []string{"-k", "many and cakes"}},
		File: "src/shop/cart.py", Mark: "total", Ask: "(cents, self.items)", Want: "(840, {'cake': 2})",
	},
	{
		Long: "test/languages starts its tests",
		Name: "unittest", Dir: "python-unittest", Prepare: virtualEnvironment, File: "roman/__init__.py", Mark: "number",
		Ask: "total", Want: "1994",
	},
	{
		Name: "Django", Dir: "python-django", Prepare: virtualEnvironment, Init: A{"mode": "launch"}, File: "greetings/views.py", Mark: "greet",
		Ask: "greeting", Want: "'Ahoy, Ada'", Request: "/greet/Ada/?word=Ahoy", Answer: "Ahoy, Ada",
	},
	{
		Long: "test/languages starts its tests",
		Name: "Django: a test", Dir: "python-django", Prepare: virtualEnvironment, File: "greetings/views.py", Mark: "greet",
		Ask: "greeting", Want: "'Bonjour, Ada'",
	},
	{
		Name: "Flask", Dir: "python-flask", Prepare: virtualEnvironment, File: "app.py", Mark: "greet",
		Ask: "greeting", Want: "'Hello, Ada'", Request: "/greet?name=Ada", Answer: "Hello, Ada",
	},
	{
		Name: "FastAPI, by uvicorn", Dir: "python-fastapi", Prepare: virtualEnvironment, File: "app/main.py", Mark: "greet",
		Ask: "text", Want: "'Bonjour, Ada'", Request: "/greet/Ada?language=fr", Answer: `"length":12`,
	},
	{
		Long: "test/languages debugs such a program",
		Name: "asyncio", Dir: "python-asyncio", Prepare: virtualEnvironment, File: "crawl.py", Mark: "fetched",
		Ask: "(page, text)", Want: "('index', '<h1>index</h1>')",
	},
	{
		Long: "test/languages debugs such a program",
		Name: "multiprocessing", Dir: "python-multiprocessing", Prepare: virtualEnvironment, File: "squares.py", Mark: "square",
		Note: "The function runs in a child process, which belongs to the session.",
		Ask:  "(result, multiprocessing.parent_process() is not None)", Want: "(9, True)",
	},
}}

// virtualEnvironment gives a project the environment that all of them share, as its .venv.
func virtualEnvironment(t *testing.T, dir string) {
	t.Helper()
	if err := os.Symlink(testkit.PythonFrameworks(t), filepath.Join(dir, ".venv")); err != nil {
		t.Fatal(err)
	}
}
