package handlers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/internal/system/process"
)

// A target means the processes that run its file, else those of its name, else
// those that have it in their command lines.
func TestMeantProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"server.py", "deep/server.py", "own"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const python = "/usr/bin/python3.11"
	of := func(pid int, program, dir, command string, args ...string) candidate {
		return candidate{Other: process.Other{PID: pid, Command: command}, program: program, dir: dir, args: args, sure: program != "/usr/bin/vim" && program != "/srv/crate"}
	}
	list := []candidate{
		of(1, python, dir, "python3 server.py --port 80", "server.py", "--port", "80"),
		of(2, python, dir+"/deep", "python3 -u server.py --port 81", "-u", "server.py", "--port", "81"),
		of(3, "/usr/bin/vim", dir, "vim server.py", "server.py"),
		of(4, "/usr/bin/java", "/", "java -cp lib/x.jar shop.web.Main", "-cp", "lib/x.jar", "shop.web.Main"),
		of(5, python, "/", "python3 -m uvicorn app.main:app", "-m", "uvicorn", "app.main:app"),
		of(6, filepath.Join(dir, "own"), dir, "./own --queue=mail", "--queue=mail"),
		of(7, "/srv/crate", "/", "crate --queue=news", "--queue=news"),
	}
	for target, want := range map[string][]int{
		"":                 {1, 2, 4, 5, 6},
		"server.py":        {1}, // the file of that path
		"./deep/server.py": {2},
		"server":           {1, 2},
		"SERVER":           {1, 2},
		"python3":          {1, 2, 5}, // as it was called
		"python3.11":       {1, 2, 5},
		"Main":             {4},
		"shop.web.Main":    {4},
		"uvicorn":          {5},
		"app.main:app":     {5},
		"own":              {6},
		"vim":              {3}, // by its own name alone
		"crate":            {7},
		"queue=":           {6, 7},
		"queue=(mail|xx)":  {6},
		"port 8[01]":       {1, 2},
		"[":                nil,
		"nothing":          nil,
	} {
		var got []int
		for _, c := range matchTarget(list, target, dir) {
			got = append(got, c.PID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %v, not %v", target, got, want)
		}
	}
}
