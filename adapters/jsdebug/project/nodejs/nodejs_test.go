package nodejs

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPins(t *testing.T) {
	for name, want := range map[string]struct {
		text string
		pin  string
	}{
		".nvmrc":         {"# ours\nv20.11.0\n", "20.11.0"},
		".node-version":  {"22\n", "22"},
		".tool-versions": {"python 3.12\nnodejs 18.20.4\n", "18.20.4"},
		"package.json":   {`{"volta": {"node": "21.7.1"}}`, "21.7.1"},
	} {
		dir := t.TempDir()
		write(t, dir, map[string]string{name: want.text, "packages/a/package.json": "{}"})
		if pin := Nearest(filepath.Join(dir, "packages", "a"), dir); pin != (Pin{name, want.pin}) {
			t.Errorf("%s: %+v", name, pin)
		}
	}
	if pin := PinOf(t.TempDir()); pin.Version != "" {
		t.Errorf("nothing asks for %+v", pin)
	}
}

func TestFind(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, m := range managers {
		t.Setenv(m.variable, "")
	}
	if found := Find(""); found != "" {
		t.Errorf("found %s", found)
	}
	write(t, home, map[string]string{
		".nvm/versions/node/v18.20.4/bin/node":       "",
		".nvm/versions/node/v20.9.0/bin/node":        "",
		".nvm/versions/node/v20.11.0/bin/node":       "",
		".nvm/alias/lts/iron":                        "v20.9.0\n",
		".nvm/alias/work":                            "lts/iron\n",
		".volta/tools/image/node/22.1.0/bin/node":    "",
		".volta/tools/image/node/current/bin/node":   "",
		".local/share/mise/installs/node/2/bin/node": "",
	})
	for version, want := range map[string]string{
		"20": ".nvm/versions/node/v20.11.0/bin/node", "20.x": ".nvm/versions/node/v20.11.0/bin/node",
		"18.20.4": ".nvm/versions/node/v18.20.4/bin/node", "work": ".nvm/versions/node/v20.9.0/bin/node",
		"22": ".volta/tools/image/node/22.1.0/bin/node", "": ".volta/tools/image/node/22.1.0/bin/node",
		"2": "", "19": "", "../../x": "",
	} {
		if want != "" {
			want = filepath.Join(home, filepath.FromSlash(want))
		}
		if found := Find(version); found != want {
			t.Errorf("%q: found %q, want %q", version, found, want)
		}
	}
}
