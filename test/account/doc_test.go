//go:build unix

// Package account holds the account of calls to what it promises: driven as a
// client drives the server and a user the command, in a file and in a database.
package account

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/store/storetest"
	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) {
	storetest.Main()
	os.Exit(testkit.MainWithRaces(m))
}

// A shortens the arguments of calls.
type A = testkit.A

// in is the environment of a server, or a command, whose store is at a place.
func in(place string, more ...string) []string {
	return append([]string{"AIDB_NO_STORE=false", "AIDB_STORE=" + place}, more...)
}

// usage runs the command and returns what it prints.
func usage(t testing.TB, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(testkit.Binary(t), append([]string{"usage"}, args...)...)
	cmd.Env = append(append(os.Environ(), "AIDB_HOME="+testkit.Home()), env...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("usage %v: %v\n%s", args, err, errs.String())
	}
	return string(out)
}

// row is an object that the command prints.
type row struct {
	Tool, Client, Language, Session, Principal, Began string

	Calls, Failed                              int
	Ms                                         float64
	Bytes_in, Bytes_out, Tokens_in, Tokens_out int
}

// rows are the objects by a key.
func rows(t testing.TB, env []string, by string, args ...string) map[string]row {
	t.Helper()
	var list []row
	text := usage(t, env, append(args, "--by", by, "--json")...)
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	found := map[string]row{}
	for _, r := range list {
		found[r.Tool+r.Client+r.Language+r.Session+r.Principal] = r
	}
	return found
}

// count is the number of all calls.
func count(t testing.TB, env []string) (n int) {
	t.Helper()
	for _, r := range rows(t, env, "tool") {
		n += r.Calls
	}
	return n
}
