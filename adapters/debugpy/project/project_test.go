package project

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

// known is the language of these tests.
var known = workspace.Languages{&Support}

const (
	flaskApp   = "from flask import Flask\n\napp = Flask(__name__)\n"
	fastAPI    = "from fastapi import FastAPI\n\napp = FastAPI()\n"
	pyTest     = "import pytest\n\ndef test_one():\n    pass\n"
	pyUnit     = "import unittest\n\nclass OneTest(unittest.TestCase):\n    def test_one(self):\n        pass\n"
	pyManage   = "import sys\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n"
	pyGuard    = "\nif __name__ == \"__main__\":\n    pass\n"
	pyDjangoly = "from django.test import TestCase\n\nclass PageTests(TestCase):\n    def test_page(self):\n        pass\n"
)

// What init proposes first, in the layouts that people use.
func TestPythonStarts(t *testing.T) {
	test := func(s workspace.Start) *workspace.Start { s.Language, s.Test = "python", true; return &s }
	program := func(s workspace.Start) *workspace.Start { s.Language = "python"; return &s }
	cases := map[string]struct {
		files         map[string]string
		test, program *workspace.Start
	}{
		"a src layout": {
			map[string]string{
				"pyproject.toml": "[project]\nname = 'shop'\n[project.scripts]\nshop = \"shop.cli:main\"\n", "setup.py": "",
				"release.py": pyGuard, "src/shop/__init__.py": "", "src/shop/cli.py": pyGuard, "src/shop/tool.py": pyGuard,
				"tests/test_cart.py": "def test_total():\n    pass\n",
			},
			test(workspace.Start{Framework: "pytest", Target: "tests/test_cart.py", Name: "test_total"}),
			program(workspace.Start{Target: "src/shop/cli.py"}),
		},
		"a module that imports from its package": {
			map[string]string{"src/shop/__init__.py": "", "src/shop/cli.py": "from . import prices\n" + pyGuard, "src/shop/prices.py": ""},
			nil, program(workspace.Start{Module: "shop.cli"}),
		},
		"such a module further below": {
			map[string]string{"backend/shop/__init__.py": "", "backend/shop/cli.py": "from shop import prices\n" + pyGuard, "backend/shop/prices.py": ""},
			nil, program(workspace.Start{Module: "shop.cli", Cwd: "backend"}),
		},
		"a command that only its environment starts": {
			map[string]string{
				"pyproject.toml": "[tool.poetry.scripts]\nshop = 'shop.cli:main'\n\n[build-system]\n", "shop/cli.py": "def main(): pass\n",
				"shop/other.py": pyGuard, ".venv/pyvenv.cfg": "", ".venv/bin/shop": "#!/x/python\n",
			},
			nil, program(workspace.Start{Target: ".venv/bin/shop"}),
		},
		"several mains": {
			map[string]string{"convert.py": pyGuard, "main.py": pyGuard, "zoo.py": pyGuard, "docs/conf.py": pyGuard},
			nil, program(workspace.Start{Target: "main.py"}),
		},
		"a program without a guard": {
			map[string]string{"fetch.py": "import asyncio\nasync def go():\n    asyncio.run(1)\nasyncio.run(go())\n", "lib.py": "def main():\n    main()\n"},
			nil, program(workspace.Start{Target: "fetch.py"}),
		},
		"scripts without a guard": {
			map[string]string{
				"about.py": "sys.path.insert(0, '.')\nlogging.basicConfig()\n", "helper.py": "def load():\n    print(1)\n", "loud.py": "print('loaded')\n",
				"report.py": "import helper, loud\n\nrows = helper.load()\nfor row in rows:\n    print(row)\n",
			},
			nil, program(workspace.Start{Target: "report.py"}),
		},
		"scripts with a guard and without": {
			map[string]string{"a.py": "print(1)\n", "b.py": pyGuard}, nil, program(workspace.Start{Target: "b.py"}),
		},
		"a package that prints": {
			map[string]string{"shop/__init__.py": "", "shop/a.py": "print(1)\n"}, nil, nil,
		},
		"nested tests": {
			map[string]string{"tests/test_deep.py": "class TestOuter:\n    class TestInner:\n        def test_in(self):\n            def test_no(): pass\n    class Helper:\n        def test_not(self): pass\n"},
			test(workspace.Start{Framework: "pytest", Target: "tests/test_deep.py", Name: "TestOuter::TestInner::test_in"}), nil,
		},
		"unittest": {
			map[string]string{"setup.py": "", "roman.py": "", "tests/test_roman.py": pyUnit},
			test(workspace.Start{Framework: "unittest", Target: "tests/test_roman.py", Module: "unittest", Name: "OneTest::test_one"}), nil,
		},
		"a base class of unittest": {
			map[string]string{"test_roman.py": "from unittest import TestCase\nclass Base(TestCase):\n    pass\nclass Numbers(Base):\n    def test_one(self):\n        pass\n"},
			test(workspace.Start{Framework: "unittest", Target: "test_roman.py", Module: "unittest", Name: "Numbers::test_one"}), nil,
		},
		"unittest's classes run by pytest": {
			map[string]string{"requirements-dev.txt": "pytest==9\n", "tests/test_roman.py": pyUnit},
			test(workspace.Start{Framework: "pytest", Target: "tests/test_roman.py", Name: "OneTest::test_one"}), nil,
		},
		"files of tests as pytest is told": {
			map[string]string{
				"pyproject.toml":   "[tool.pytest.ini_options]\npython_files = ['check_*.py']\npython_classes = ['Describe']\npython_functions = ['it_*']\n",
				"check_cart.py":    "class TestNo:\n    def it_is_none(self): pass\nclass DescribeCart:\n    def it_adds(self): pass\n    def test_no(self): pass\n",
				"test_none.py":     "def it_is_none(): pass\n",
				"web/tox.ini":      "[pytest]\npython_files =\n    *.py\n",
				"web/cli.py":       pyGuard,
				"web/deep/cart.py": "def test_cart(): pass\n",
			},
			test(workspace.Start{Framework: "pytest", Target: "check_cart.py", Name: "DescribeCart::it_adds"}),
			program(workspace.Start{Target: "web/cli.py"}),
		},
		"where pytest is told to look": {
			map[string]string{
				"setup.cfg":           "[tool:pytest]\ntestpaths = zoo/tests\n",
				"shop/test_client.py": "import pytest\ndef test_connection(): pass\n", "zoo/tests/test_zoo.py": pyTest,
			},
			test(workspace.Start{Framework: "pytest", Target: "zoo/tests/test_zoo.py", Name: "test_one"}), nil,
		},
		"Django": {
			map[string]string{"manage.py": pyManage + pyGuard, "shop/__init__.py": "", "shop/tests.py": pyDjangoly, "shop/models.py": ""},
			test(workspace.Start{Framework: "Django", Target: "shop/tests.py", Name: "PageTests::test_page"}),
			program(workspace.Start{Framework: "Django", Target: "manage.py", Args: []string{"runserver", "--noreload", "0"}, Serves: true}),
		},
		"Django below": {
			map[string]string{"backend/manage.py": pyManage, "backend/shop/tests/test_pages.py": pyDjangoly, "setup.py": ""},
			test(workspace.Start{Framework: "Django", Target: "backend/shop/tests/test_pages.py", Name: "PageTests::test_page"}),
			program(workspace.Start{Framework: "Django", Target: "backend/manage.py", Cwd: "backend", Args: []string{"runserver", "--noreload", "0"}, Serves: true}),
		},
		"Flask": {
			map[string]string{"app.py": flaskApp, "cli.py": pyGuard},
			nil, program(workspace.Start{Framework: "Flask", Module: "flask", Args: []string{"--app", "app", "run", "--no-reload", "--port", "0"}, Serves: true}),
		},
		"Flask, run by its file": {
			map[string]string{"web.py": flaskApp + "\nif __name__ == '__main__':\n    app.run(debug=True)\n"},
			nil, program(workspace.Start{Framework: "Flask", Target: "web.py", Serves: true}),
		},
		"Flask, a factory below src": {
			map[string]string{"pyproject.toml": "", "src/flaskr/__init__.py": "from flask import Flask\n\ndef create_app(test_config=None):\n    app = Flask(__name__)\n    return app\n"},
			nil, program(workspace.Start{Framework: "Flask", Module: "flask", Args: []string{"--app", "src/flaskr", "run", "--no-reload", "--port", "0"}, Serves: true}),
		},
		"a factory that needs arguments": {
			map[string]string{"web.py": "from flask import Flask\n\ndef create_app(config):\n    return Flask(config)\n"}, nil, nil,
		},
		"FastAPI": {
			map[string]string{"app/__init__.py": "", "app/main.py": fastAPI, "tests/test_app.py": pyTest, "tests/server.py": fastAPI},
			test(workspace.Start{Framework: "pytest", Target: "tests/test_app.py", Name: "test_one"}),
			program(workspace.Start{Framework: "FastAPI", Module: "uvicorn", Args: []string{"app.main:app", "--port", "0"}, Serves: true}),
		},
		"FastAPI in a package without __init__.py": {
			map[string]string{"app/main.py": "from app.routers import items\n" + fastAPI, "app/routers/items.py": ""},
			nil, program(workspace.Start{Framework: "FastAPI", Module: "uvicorn", Args: []string{"app.main:app", "--port", "0"}, Serves: true}),
		},
		"FastAPI below src": {
			map[string]string{"pyproject.toml": "", "src/shop/__init__.py": "", "src/shop/web.py": "import fastapi\napi: fastapi.FastAPI = fastapi.FastAPI(\n)\n"},
			nil, program(workspace.Start{Framework: "FastAPI", Module: "uvicorn", Args: []string{"shop.web:api", "--app-dir", "src", "--port", "0"}, Serves: true}),
		},
		"a monorepo": {
			map[string]string{
				"web/package.json": "{}", "backend/pyproject.toml": "", "backend/main.py": fastAPI, "backend/tests/test_main.py": pyTest, "examples/app.py": fastAPI,
			},
			test(workspace.Start{Framework: "pytest", Target: "backend/tests/test_main.py", Name: "test_one"}),
			program(workspace.Start{Framework: "FastAPI", Module: "uvicorn", Args: []string{"main:app", "--port", "0"}, Cwd: "backend", Serves: true}),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tests, programs := workspacetest.Starts(t, known, filetree.New(t, c.files))
			for kind, starts := range map[string]struct {
				want *workspace.Start
				got  []workspace.Start
			}{"test": {c.test, tests}, "program": {c.program, programs}} {
				var got *workspace.Start
				if len(starts.got) > 0 {
					got = &starts.got[0]
				}
				if diff := cmp.Diff(starts.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", kind, diff)
				}
			}
		})
	}
}

// Of scripts the one that was changed last comes first.
func TestPythonScriptsChanged(t *testing.T) {
	root := filetree.New(t, map[string]string{"a.py": pyGuard, "b.py": "print(1)\n", "c.py": pyGuard, "d.py": "print(1)\n"})
	workspacetest.Age(t, root, time.Hour, "a.py", "c.py", "d.py")
	_, programs := workspacetest.Starts(t, known, root)
	if diff := cmp.Diff([]workspace.Start{{Language: "python", Target: "b.py", Reason: workspace.Changed}}, programs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A test that is gone since it failed is not proposed.
func TestPythonFailures(t *testing.T) {
	root := filetree.New(t, map[string]string{
		"backend/pyproject.toml": "", "backend/tests/test_a.py": "import pytest\ndef test_one(n): pass\ndef test_two(): pass\n",
		"backend/.pytest_cache/v/cache/lastfailed": `{"tests/test_a.py::test_gone": true, "tests/test_a.py::test_two[a-1]": true}`,
	})
	tests, _ := workspacetest.Starts(t, known, root)
	want := workspace.Start{Language: "python", Framework: "pytest", Test: true, Target: "backend/tests/test_a.py", Name: "test_two[a-1]", Reason: workspace.Failed}
	if diff := cmp.Diff(want, tests[0]); diff != "" {
		t.Errorf("in %s (-want +got):\n%s", filepath.Base(root), diff)
	}
}

// What is found in projects.
func TestDetect(t *testing.T) {
	for name, c := range map[string]workspacetest.Project{
		"python": {
			Files: map[string]string{
				"pyproject.toml":     "[project]\n",
				"app.py":             "\"\"\"Sells things. And more.\"\"\"\nimport sys\n\nif __name__ == \"__main__\":\n    pass\n",
				"lib.py":             "def test_nothing():\n    pass\n",
				"shop/__init__.py":   "",
				"shop/__main__.py":   "print(1)\n",
				"tests/test_cart.py": "import pytest\n\ndef test_sum():\n    pass\n\nclass TestCart:\n    def test_add(self):\n        pass\n    def helper(self):\n        pass\n\nclass Fake:\n    def test_no(self):\n        pass\n",
				"tests/test_unit.py": "import unittest\n\nclass Prices(unittest.TestCase):\n    def test_zero(self):\n        pass\n",
				".venv/pyvenv.cfg":   "", ".venv/bin/python": "", ".venv/lib/x.py": "if __name__ == '__main__':\n    pass\n",
			},
			Want: workspacetest.Found{
				Programs: []workspace.Program{
					{Language: "python", Path: ".", Target: "app.py", File: "app.py", Line: 4, Doc: "Sells things."},
					{Language: "python", Path: "shop", Target: "shop", File: "shop/__main__.py", Line: 1},
				},
				Tests: []workspace.Suite{
					{Language: "python", Framework: "pytest", Path: "tests", Target: "tests/test_cart.py", Names: []string{"test_sum", "TestCart::test_add"}, Total: 2},
					{Language: "python", Framework: "pytest", Path: "tests", Target: "tests/test_unit.py", Names: []string{"Prices::test_zero"}, Total: 1},
				},
				Frameworks: []workspace.Framework{{Language: "python", Name: "pytest"}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { c.Check(t, known) })
	}
}
