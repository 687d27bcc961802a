package custom

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The documentation shows the tables that the tests use, and has every key.
func TestTheDocumentationIsTrue(t *testing.T) {
	root := filepath.Join("..", "..")
	doc, err := os.ReadFile(filepath.Join(root, "docs", "custom-adapters.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := os.ReadFile(filepath.Join(root, "testdata", "custom", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), strings.TrimSpace(string(tables))) {
		t.Error("docs/custom-adapters.md does not hold testdata/custom/config.json as it is")
	}
	for _, of := range []reflect.Type{reflect.TypeFor[Table](), reflect.TypeFor[Variant](), reflect.TypeFor[Evaluate](), reflect.TypeFor[Exception](), reflect.TypeFor[Rewrite]()} {
		for field := range of.Fields() {
			if key := field.Tag.Get("json"); !strings.Contains(string(doc), "`"+key+"`") {
				t.Errorf("docs/custom-adapters.md does not explain %s of %s", key, of.Name())
			}
		}
	}
	for _, name := range placeholders {
		if !strings.Contains(string(doc), "`${"+name+"}`") {
			t.Errorf("docs/custom-adapters.md does not explain ${%s}", name)
		}
	}
}
