package register

import (
	"reflect"
	"testing"
)

// Whatever a file holds: an edit changes nothing but its entry, or says that it cannot.
func FuzzEdits(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\"mcpServers\": {\"a\": 1}, // b\n}", "{\"mcpServers\": {\"aidb\": {\"args\": [1, 2,]}}}", "{\"a\": 1, \"a\": {}, \"mcpServers\": null}", "[1]", "{/* a */}",
		"a = 1", "[mcpServers]\nb = 2 # c\n", "[mcpServers.aidb]\ncommand = '''\na'''\nargs = [\n1, # d\n]\n[[e]]\n", "mcpServers = {aidb = {}}", "\"mcpServers\".x.y = 1\r\n", "[mcpServers.aidb.env]\nx = 1",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	path := []string{"mcpServers", "aidb"}
	f.Fuzz(func(t *testing.T, text string, isTOML bool) {
		name := "x.json"
		if isTOML {
			name = "x.toml"
		}
		d, err := parse(name, []byte(text))
		if err != nil {
			return
		}
		old, _ := parse(name, []byte(text))
		p := Plan{File: name, before: []byte(text)}
		value := fields{{"command", "aidb-mcp"}, {"args", []string{"serve"}}, {"timeout", 320}}
		if d.set(path, value) != nil || p.finish(old, d, path[:1]) != nil {
			return
		}
		written, err := parse(name, p.after)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", text, p.after, err)
		}
		if got, _ := written.get(path); !reflect.DeepEqual(command(got), command(plainValue(value))) {
			t.Errorf("%q becomes %q", text, p.after)
		}
		if err := written.remove(path); err == nil {
			if _, there := written.get(path); there {
				t.Errorf("%q is left in %q", path, written.bytes())
			}
		}
	})
}
