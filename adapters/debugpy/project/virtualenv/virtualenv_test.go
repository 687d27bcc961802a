package virtualenv

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// An environment is known by its files, not by its name.
func TestIn(t *testing.T) {
	root := tree(t, map[string]string{
		"venv/pyvenv.cfg": "home = /usr\n", "env/pyvenv.cfg": "", ".venv/pyvenv.cfg": "home = /usr\nuv = 0.9.1\n", "no/x": "",
		"py311/conda-meta/history": "", ".pixi/envs/default/conda-meta/history": "",
	})
	if err := os.Symlink(filepath.Join(root, "venv"), filepath.Join(root, "zlink")); err != nil {
		t.Fatal(err)
	}
	var want []Environment
	for _, e := range [][2]string{{".venv", "uv"}, {"venv", "venv"}, {".pixi/envs/default", "conda"}, {"env", "venv"}, {"py311", "conda"}, {"zlink", "venv"}} {
		want = append(want, Environment{filepath.Join(root, e[0]), e[1]})
	}
	if diff := cmp.Diff(want, In(root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func digest(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return base64.URLEncoding.EncodeToString(sum[:bytes])[:8]
}

// What a project's files name is found where its manager keeps it.
func TestNamed(t *testing.T) {
	dir := tree(t, map[string]string{
		"pyproject.toml": "[tool.poetry]\nversion = '1'\nname = \"My.Tea Shop\"\n", "Pipfile": "", "environment.yml": "channels: []\nname: shop\n",
		".python-version": "shop-env\n",
	})
	poetryName := "my-tea_shop-" + digest(dir, 32) + "-py3."
	pipenvName := filepath.Base(dir) + "-" + digest(filepath.Join(dir, "Pipfile"), 6)
	home := tree(t, map[string]string{
		".cache/pypoetry/virtualenvs/" + poetryName + "11/pyvenv.cfg":   "",
		".cache/pypoetry/virtualenvs/" + poetryName + "12/pyvenv.cfg":   "",
		".cache/pypoetry/virtualenvs/my_shop-another-py3.12/pyvenv.cfg": "",
		".local/share/virtualenvs/" + pipenvName + "/pyvenv.cfg":        "",
		"conda/envs/shop/conda-meta/history":                            "",
		".pyenv/versions/shop-env/pyvenv.cfg":                           "",
		".pyenv/versions/shop-env/bin/python":                           "",
		".pyenv/versions/3.12.1/bin/python":                             "",
	})
	if err := os.MkdirAll(filepath.Join(home, ".conda"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".conda", "environments.txt"), []byte(filepath.Join(home, "conda/envs/shop")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	older := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(home, ".cache/pypoetry/virtualenvs", poetryName+"12"), older, older); err != nil {
		t.Fatal(err)
	}
	get := func(name string) string { return map[string]string{"HOME": home}[name] }
	var want []Environment
	for _, e := range [][2]string{
		{".cache/pypoetry/virtualenvs/" + poetryName + "11", "poetry"}, {".cache/pypoetry/virtualenvs/" + poetryName + "12", "poetry"},
		{".local/share/virtualenvs/" + pipenvName, "pipenv"}, {"conda/envs/shop", "conda"}, {".pyenv/versions/shop-env", "pyenv"},
	} {
		want = append(want, Environment{filepath.Join(home, e[0]), e[1]})
	}
	if diff := cmp.Diff(want, Named(dir, get)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]bool{"3.12.1\n": true, "shop-env": false, "../versions/3.12.1": false, "": false} {
		if err := os.WriteFile(filepath.Join(dir, ".python-version"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, got := Version(dir, get); got != want {
			t.Errorf("version %q: %v", text, got)
		}
	}
}

func TestInstall(t *testing.T) {
	root := tree(t, map[string]string{"a/pyvenv.cfg": "uv = 1\n", "b/conda-meta/x": "", "c/pyvenv.cfg": "", "pypoetry/virtualenvs/d/pyvenv.cfg": ""})
	for dir, want := range map[string]string{
		"a": "uv pip install --python " + root + "/a/bin/python pytest", "b": "conda install --prefix " + root + "/b pytest",
		"c": root + "/c/bin/python -m pip install pytest", "pypoetry/virtualenvs/d": "poetry add pytest",
	} {
		if got := Install(filepath.Join(root, dir, "bin", "python"), "pytest"); got != want {
			t.Errorf("%s: %s", dir, got)
		}
	}
}
