package prepare

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tool")
	var known Versions
	asked := 0
	of := func(text string, err error) string {
		t.Helper()
		got, failed := known.Of(path, func() (string, error) { asked++; return text, err })
		if !errors.Is(failed, err) {
			t.Fatalf("the error is %v, want %v", failed, err)
		}
		return got
	}
	if _, err := known.Of(path, func() (string, error) { return "there", nil }); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("of nothing: %v", err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	of("", os.ErrDeadlineExceeded)
	if got := of("1.0", nil); got != "1.0" || asked != 2 {
		t.Errorf("it says %q, asked %d times", got, asked)
	}
	if got := of("1.1", nil); got != "1.0" || asked != 2 {
		t.Errorf("the same file says %q, asked %d times", got, asked)
	}
	write("another")
	if got := of("2.0", nil); got != "2.0" || asked != 3 {
		t.Errorf("another file says %q, asked %d times", got, asked)
	}
}
