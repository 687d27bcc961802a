package mapping

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit/filetree"

	"github.com/google/go-cmp/cmp"
)

// A workspace is mapped to a program where the evidence is plain, and only there.
func TestFind(t *testing.T) {
	t.Parallel()
	here := filetree.New(t, map[string]string{
		"api/src/shop.py": "shop", "api/src/cart.py": "cart", "api/main.py": "main", "web/main.py": "other main", "web/one.js": "one", "empty/__init__.py": "",
	})
	there := filetree.New(t, map[string]string{
		"app/src/shop.py": "shop", "app/src/cart.py": "changed", "app/main.py": "main", "srv/one.js": "another", "lib/__init__.py": "",
	})
	in := func(name string) string { return filepath.Join(here, name) }
	for name, tt := range map[string]struct {
		wanted []string
		of     Program
		want   []Mapping
	}{
		"a script":                      {nil, Program{Files: []string{"/app/main.py"}, Root: there}, []Mapping{{in("api"), "/app", in("api/main.py"), true}}},
		"a file that is asked for":      {[]string{in("api/src/shop.py")}, Program{Dirs: []string{"/app"}, Root: there}, []Mapping{{in("api"), "/app", in("api/src/shop.py"), true}}},
		"both once":                     {[]string{in("api/src/shop.py")}, Program{Dirs: []string{"/app"}, Files: []string{"/app/main.py"}, Root: there}, []Mapping{{in("api"), "/app", in("api/src/shop.py"), true}}},
		"another content":               {[]string{in("api/src/cart.py")}, Program{Dirs: []string{"/app"}, Files: []string{"/srv/one.js"}, Root: there}, nil},
		"no content to compare":         {nil, Program{Files: []string{"/code/src/shop.py"}}, []Mapping{{in("api"), "/code", in("api/src/shop.py"), false}}},
		"one of that name":              {nil, Program{Files: []string{"/x/one.js"}}, []Mapping{{in("web"), "/x", in("web/one.js"), false}}},
		"two of that name":              {nil, Program{Files: []string{"/x/main.py"}}, nil},
		"empty files":                   {[]string{in("empty/__init__.py")}, Program{Dirs: []string{"/lib"}, Root: there}, nil},
		"the workspace itself":          {[]string{in("api/main.py")}, Program{Dirs: []string{here}, Files: []string{in("api/main.py")}, Root: "/"}, nil},
		"a copy on the same machine":    {[]string{in("api/main.py")}, Program{Dirs: []string{there + "/app"}, Root: "/"}, []Mapping{{in("api"), there + "/app", in("api/main.py"), true}}},
		"out of the program's root":     {nil, Program{Files: []string{"/../../etc/passwd", "relative.py", ""}, Root: there}, nil},
		"a directory that is not there": {nil, Program{Files: []string{"/app/gone.py"}, Dirs: []string{"/nowhere"}, Root: "/no/such/root"}, nil},
	} {
		if diff := cmp.Diff(tt.want, Find(Workspace{Root: here, Wanted: tt.wanted}, tt.of)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	none := func(string) bool { return false }
	if got := Find(Workspace{Root: here, May: none}, Program{Files: []string{"/app/main.py"}, Root: there}); got != nil {
		t.Errorf("what may not be read is mapped: %v", got)
	}
}
