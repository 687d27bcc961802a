package pytestini

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func of(files map[string]string) (Config, bool) {
	return Of(func(name string) (string, bool) {
		text, ok := files[name]
		return text, ok
	})
}

func TestOf(t *testing.T) {
	with := func(change func(*Config)) *Config {
		c := Default()
		change(&c)
		return &c
	}
	checks := with(func(c *Config) { c.Files = []string{"check_*.py", "*_check.py"} })
	cases := map[string]struct {
		files map[string]string
		want  *Config
	}{
		"nothing":                {map[string]string{"setup.py": ""}, nil},
		"a project without it":   {map[string]string{"pyproject.toml": "[project]\ndependencies = ['pytest']\n", "tox.ini": "[tox]\n", "setup.cfg": "[metadata]\n"}, nil},
		"an empty pytest.ini":    {map[string]string{"pytest.ini": ""}, with(func(*Config) {})},
		"pytest.ini":             {map[string]string{"pytest.ini": "[pytest]\n# ours\npython_files = check_*.py *_check.py\n"}, checks},
		"lines":                  {map[string]string{"tox.ini": "[tox]\nenvlist = py\n\n[pytest]\naddopts = -q\n  --strict\npython_files =\n    check_*.py\n    *_check.py\nxfail_strict = true\n"}, checks},
		"setup.cfg":              {map[string]string{"setup.cfg": "[options]\ninstall_requires =\n  a >= 1; python_version < '4'\n  b\n[tool:pytest]\npython_files: check_*.py *_check.py\n"}, checks},
		"a section of no use":    {map[string]string{"setup.cfg": "[pytest]\npython_files = x.py\n"}, nil},
		"pyproject.toml":         {map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\npython_files = ['check_*.py', '*_check.py']\n"}, checks},
		"pyproject.toml, a text": {map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\npython_files = 'check_*.py *_check.py'\n"}, checks},
		"pytest 9":               {map[string]string{"pyproject.toml": "[tool.pytest]\npython_files = ['check_*.py', '*_check.py']\n"}, checks},
		"pytest.toml":            {map[string]string{"pytest.toml": "[pytest]\npython_files = ['check_*.py', '*_check.py']\n", "pytest.ini": ""}, checks},
		"a damaged file":         {map[string]string{"pyproject.toml": "[tool.pytest.ini_options\n"}, nil},
		"the first of several":   {map[string]string{"pytest.ini": "[pytest]\npython_files = check_*.py *_check.py", "tox.ini": "[pytest]\npython_files = x.py\n"}, checks},
		"all": {
			map[string]string{"pytest.ini": "[pytest]\npython_files=*.py\npython_classes = *Suite Describe\npython_functions=it_* should\ntestpaths = tests integration/*\n"},
			&Config{[]string{"*.py"}, []string{"*Suite", "Describe"}, []string{"it_*", "should"}, []string{"tests", "integration/*"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := of(c.files)
			if ok != (c.want != nil) {
				t.Fatalf("found: %v, %+v", ok, got)
			}
			if c.want == nil {
				return
			}
			if diff := cmp.Diff(*c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNames(t *testing.T) {
	c := Config{
		Files: []string{"check_*.py", "unit/*.py", "[!_]*_spec.py"}, Classes: []string{"Describe", "*Suite"},
		Functions: []string{"it_*", "should"}, Paths: []string{"tests", "parts/*/tests"},
	}
	for what, got := range map[string]bool{
		"a file by its name":        c.File("a/check_x.py"),
		"a file by its place":       c.File("a/unit/deep/x.py"),
		"a file in the first place": c.File("unit/x.py"),
		"a set of letters":          c.File("a_spec.py"),
		"another file":              !c.File("test_x.py") && !c.File("__spec.py"),
		"a class by its beginning":  c.Class("DescribeCart"),
		"a class by its end":        c.Class("CartSuite"),
		"another class":             !c.Class("TestCart"),
		"a function":                c.Function("it_adds") && c.Function("should_add") && !c.Function("test_add"),
		"a place":                   c.Looks("tests/a/test_x.py") && c.Looks("parts/web/tests/test_x.py"),
		"another place":             !c.Looks("src/test_x.py") && !c.Looks("parts/test_x.py"),
		"anywhere":                  Default().Looks("src/test_x.py") && Config{Paths: []string{"."}}.Looks("a/test_x.py"),
		"above":                     !Config{Paths: []string{"../tests"}}.Looks("a/test_x.py"),
	} {
		if !got {
			t.Error(what)
		}
	}
}
