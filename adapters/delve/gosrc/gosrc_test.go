package gosrc

import "testing"

func TestLibrary(t *testing.T) {
	for _, c := range []struct {
		function, file string
		want           bool
	}{
		{"main.main", "/home/me/app/main.go", false},
		{"main.main", "/home/me/go/src/github.com/me/app/main.go", false},
		{"main.main", `C:\work\app\main.go`, false},
		{"main.main", "/work/mein prögramm/main.go", false},
		{"fmt.Fprintln", "/usr/local/go/src/fmt/print.go", true},
		{"http.Serve", "/usr/lib/go-1.26/src/net/http/server.go", true},
		{"http.Serve", "/opt/homebrew/Cellar/go/1.26/libexec/src/net/http/server.go", true},
		{"fmt.Fprintln", "C:/Program Files/Go/src/fmt/print.go", true},
		{"cobra.(*Command).Execute", "/root/go/pkg/mod/github.com/spf13/cobra@v1.10.2/command.go", true},
		{"dep.Do", "/work/app/vendor/example.org/dep/dep.go", true},
		{"runtime.gopark", "/somewhere/else/proc.go", true},
		{"main.main", "_testmain.go", true},
		{"app.Run", "mymodule/app/run.go", false}, // -trimpath
		{"fmt.Fprintln", "fmt/print.go", true},
		{"dep.Do", "example.org/dep@v1.0.0/dep.go", true},
		{"???", "", true},
	} {
		if got := Library(c.function, c.file); got != c.want {
			t.Errorf("Library(%q, %q) = %v", c.function, c.file, got)
		}
	}
}
