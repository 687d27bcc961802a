package java

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
)

// What the JVM has found is read with the places of the program's own classes.
func TestReadNativeFaults(t *testing.T) {
	dir := t.TempDir()
	log, source := filepath.Join(dir, "log"), filepath.Join(dir, "src", "shop", "Shop.java")
	if _, err := readNativeFaults(log, nil); err == nil {
		t.Error("a JVM that has written nothing is read as one that found nothing")
	}
	if err := os.MkdirAll(filepath.Dir(source), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{source: "", log: `<tty>
WARNING in native method: JNI call made with exception pending
	at shop.Shop.price(Native Method)
	at shop.Shop.ask(Shop.java:5)
<writer thread='15732'/>
FATAL ERROR in native method: Bad global or local ref passed to JNI
	at java.lang.Object.hashCode(java.base@17/Native Method)
	at java.base/java.lang.Thread.run(Thread.java:840)
	at shop.Shop$1.<init>(Shop.java:7)
<tty_done stamp='0.236'/>
`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readNativeFaults(log, []string{filepath.Join(dir, "other"), filepath.Join(dir, "src")})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Faults {
		got.Faults[i].Text = ""
	}
	want := adapters.Detection{
		Faults: []adapters.DetectedFault{{
			Kind: adapters.MemoryFault, Message: "Bad global or local ref passed to JNI",
			Accesses: []adapters.Access{{Kind: "native call", Frames: []adapters.Thrown{
				{Function: "java.lang.Object.hashCode"}, {Function: "java.lang.Thread.run"}, {Function: "shop.Shop$1.<init>", File: source, Line: 7},
			}}},
		}},
		Notes: []string{"misuse of JNI: JNI call made with exception pending, called at " + source + ":5 in shop.Shop.ask"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
