package binary

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A sum that is checked for an overflow is stored by an instruction of no line.
const checkedSums = `fn spin(limit: i32) -> i32 {
    let (mut n, mut m) = (0, 1);
    while n < limit {
        n = (n + 1) & (m + 0xffff);
        m = (m + 1) & (n + 0xffff);
    }
    m
}

fn main() {
    println!("{}", spin(std::env::args().count() as i32));
}
`

const sums = `int spin(int n) { int m = 0; while (n-- > 0) { m += n & 7; m ^= 3; } return m; }
int main(int argc, char **argv) { return spin(argc); }
`

// TestLineless compares with all that the debug information says: each row of the
// program's own lines.
func TestLineless(t *testing.T) {
	for name, c := range map[string]struct {
		source, text string
		command      []string
		some         bool
	}{
		"Rust":            {"sums.rs", checkedSums, []string{"rustc", "-g"}, true},
		"Rust, optimised": {"sums.rs", checkedSums, []string{"rustc", "-g", "-O", "-Coverflow-checks"}, true},
		"Rust, DWARF 5":   {"sums.rs", checkedSums, []string{"rustc", "-g", "-Cdwarf-version=5"}, true},
		"C":               {"sums.c", sums, []string{"gcc", "-g"}, false},
		"C, optimised":    {"sums.c", sums, []string{"gcc", "-g", "-O2"}, false},
		"C, compressed":   {"sums.c", sums, []string{"gcc", "-g", "-gz", "-gdwarf-4"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.source), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			build := exec.Command(c.command[0], append(c.command[1:], "-o", "sums", c.source)...)
			build.Dir = dir
			out, err := build.CombinedOutput()
			if strings.Contains(string(out), "unknown codegen option") {
				t.Skip("this compiler is older than the option")
			}
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			compareRows(t, filepath.Join(dir, "sums"), c.source, c.some)
		})
	}
}

func compareRows(t *testing.T, path, source string, some bool) {
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	code := file.Section(".text")
	rows, found := 0, 0
	var row dwarf.LineEntry
	before := 0
	for next := range lineRows(t, file) {
		if row.Line != 0 {
			before = row.Line
		}
		if row.File != nil && filepath.Base(row.File.Name) == source && !row.EndSequence && row.Address < next.Address && row.Address >= code.Addr {
			rows++
			for _, pc := range []uint64{row.Address, next.Address - 1} {
				got := Lineless(path, ".text", pc-code.Addr, before)
				if want := row.Line == 0; got != want {
					t.Errorf("%#x of line %d after %d: %v", pc, row.Line, before, got)
				} else if got {
					found++
				}
				if Lineless(path, ".text", pc-code.Addr, before+100) {
					t.Errorf("%#x: the line before is another one", pc)
				}
			}
		}
		row = next
	}
	if rows == 0 || some != (found > 0) {
		t.Errorf("%d of %d rows have no line", found, rows)
	}
}

// lineRows are the rows of all line tables.
func lineRows(t *testing.T, file *elf.File) func(yield func(dwarf.LineEntry) bool) {
	data, err := file.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(dwarf.LineEntry) bool) {
		for units := data.Reader(); ; units.SkipChildren() {
			unit, err := units.Next()
			if err != nil {
				t.Fatal(err)
			}
			if unit == nil {
				return
			}
			lines, err := data.LineReader(unit)
			if err != nil || lines == nil {
				continue
			}
			for {
				var row dwarf.LineEntry
				if err := lines.Next(&row); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

func TestLinelessOfWhatCannotBeRead(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, text + ".missing", "target:/bin/true"} {
		if Lineless(path, ".text", 0, 1) {
			t.Errorf("%s is known to be lineless", path)
		}
	}
}
