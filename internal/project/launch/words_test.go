package launch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
)

func TestWordsOfAText(t *testing.T) {
	for text, want := range map[string][]string{
		``:                                 nil,
		"  \t ":                            nil,
		`-v  --name x`:                     {"-v", "--name", "x"},
		`--title "two words" 'and more'`:   {"--title", "two words", "and more"},
		`--out="my dir/a b".txt`:           {"--out=my dir/a b.txt"},
		`a\ b "say \"hi\"" 'it''s' \"q\"`:  {"a b", `say "hi"`, "its", `"q"`},
		`"" '' x`:                          {"", "", "x"},
		`C:\dir\file \d+ "C:\x y" 'a\b'`:   {`C:\dir\file`, `\d+`, `C:\x y`, `a\b`},
		`back\\slash ends\`:                {`back\slash`, `ends\`},
		`${workspaceFolder}/in $HOME *.go`: {"${workspaceFolder}/in", "$HOME", "*.go"},
		`größe "日 本"`:                      {"größe", "日 本"},
	} {
		got, err := splitWords(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{`"open`, `it's`, `a "b' c`} {
		if got, err := splitWords(text); err == nil {
			t.Errorf("%s is read as %q", text, got)
		}
	}
}

func TestWordsInEitherForm(t *testing.T) {
	for text, want := range map[string]words{`"a 'b c'"`: {"a", "b c"}, `["a", "b c"]`: {"a", "b c"}} {
		var got words
		if err := json.Unmarshal([]byte(text), &got); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// Texts of a launch configuration are split at what is written in it, not at the
// blanks of what its variables hold; what is wrong is told in plain words.
func TestTextsOfALaunchConfiguration(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a b")
	dir := filepath.Join(root, ".vscode")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := `{"configurations": [
		{"name": "App", "type": "java", "request": "launch", "args": "--in ${workspaceFolder} 'x y'", "vmArgs": "-Da=${workspaceFolder} \"-Db=c d\""},
		{"name": "Open", "type": "java", "request": "launch", "args": "it's", "vmArgs": "\"x"},
		{"name": "Wrong", "type": "java", "request": "launch", "port": "eighty"},
		{"name": "Half", "type": "java", "request": "launch", "vmArgs": "'x"},
	]}`
	if err := os.WriteFile(filepath.Join(dir, "launch.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	options := map[string]string{"vmArgs": "jvmArgs[]"}
	c, err := resolved(root, "App")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"--in", root, "x y"}, c.Args); diff != "" {
		t.Error(diff)
	}
	got, err := c.Options(options)
	want, _ := json.Marshal(map[string][]string{"jvmArgs": {"-Da=" + root, "-Db=c d"}})
	if err != nil || string(got) != string(want) {
		t.Errorf("%s, want %s: %v", got, want, err)
	}
	for name, says := range map[string]string{"Open": "the quote ' in", "Wrong": `"port" is a text, not a whole number`} {
		if _, err := resolved(root, name); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "json") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c, err = resolved(root, "Half"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Options(options); !fault.Is(err, fault.ConfigInvalid) {
		t.Errorf("an open quote: %v", err)
	}
}
