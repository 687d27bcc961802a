package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestByEnd(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"src/main/java/shop/Shop.java", "src/main/java/shop/Cart.java", "src/test/java/other/Cart.java", "target/shop/Only.java"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ path, want, refused string }{
		"by its name":             {"Shop.java", "src/main/java/shop/Shop.java", ""},
		"by its package":          {"other/Cart.java", "src/test/java/other/Cart.java", ""},
		"a part of a name":        {"hop.java", "", ""},
		"several":                 {"Cart.java", "", "2 files are called Cart.java"},
		"what a build has made":   {"Only.java", "", ""},
		"outside of the folder":   {"../Shop.java", "", ""},
		"an absolute one is none": {"/Shop.java", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ByEnd(root, c.path)
			want := c.want
			if want != "" {
				want, _ = filepath.EvalSymlinks(filepath.Join(root, want))
			}
			if got != want || (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
