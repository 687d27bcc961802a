package left

import (
	"os"
	"path/filepath"
	"testing"
)

// The debugger's end takes the executable away, which may come before the lines are asked for.
func TestLinesOfAnExecutableThatIsGone(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "program")
	text, err := os.ReadFile(own)
	if err == nil {
		err = os.WriteFile(copied, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := OpenLines(copied)
	defer lines.Close()
	if err := os.Remove(copied); err != nil {
		t.Fatal(err)
	}
	const function = "aidb-mcp/adapters/delve/left.TestLinesOfAnExecutableThatIsGone"
	if line, known := lines.at(function, 1); !known || line != 10 {
		t.Errorf("the first line is %d (known: %t), want 10", line, known)
	}
	if _, known := lines.at(function, 1<<30); known {
		t.Error("a line beyond the function is known")
	}
}

func TestLinesOfWhatIsNoExecutable(t *testing.T) {
	lines := OpenLines(filepath.Join(t.TempDir(), "nothing"))
	defer lines.Close()
	if line, known := lines.at("main.main", 1); known {
		t.Errorf("line %d is known", line)
	}
}
