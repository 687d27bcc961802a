package page

import (
	"strings"
	"testing"
)

// A view is one text without modules to load, as clients that show it want it.
func TestAppIsOnePiece(t *testing.T) {
	text, err := App()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "</script") != 1 || strings.Count(text, "</style") != 1 {
		t.Error("its code or style ends too early")
	}
	for _, bad := range []string{"import ", "export ", "src=", "href=", "fetch(", "eval(", "innerHTML"} {
		if strings.Contains(text, "\n"+bad) || bad != "import " && bad != "export " && strings.Contains(text, bad) {
			t.Errorf("it has %q", bad)
		}
	}
	if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), "://") {
		t.Error("it names another host")
	}
	if len(text) > 40_000 {
		t.Errorf("it has %d bytes", len(text))
	}
}
