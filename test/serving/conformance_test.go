//go:build linux

package serving

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// The official conformance suite, against the gateway with the server that has
// all of the suite's fixtures, and against the one that we ship. What may fail
// stands in the files, with its reason; nothing else may, nor be warned of, and
// what stands there must.
func TestConformance(t *testing.T) {
	kit := testkit.Protocol.Fetch(t)
	for _, server := range []struct {
		name, failures string
		command        func(*testing.T) []string
	}{
		{"fixture", "conformance-fixture.yml", fixture},
		{"product", "conformance-product.yml", func(*testing.T) []string { return nil }},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			g := serve(t, server.command(t)...)
			suite := suite{kit: kit, url: withToken(t, g), failures: filepath.Join("testdata", server.failures)}
			if server.name == "fixture" && !testkit.IsLong() { // who serves the older one, too, is the product
				suite.run(t, revisions[1])
				return
			}
			for _, revision := range revisions {
				suite.run(t, revision)
			}
			suite.settle(t)
		})
	}
}

// fixture builds the server for the suite, and is how a gateway starts it.
func fixture(t *testing.T) []string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "fixture")
	build := []string{"build", "-o", bin}
	if testkit.Raced() {
		build = append(build, "-race")
	}
	if out, err := exec.Command("go", append(build, "./fixture")...).CombinedOutput(); err != nil {
		t.Fatalf("building the fixture: %v\n%s", err, out)
	}
	return []string{"--", bin}
}

// withToken is an address at which the gateway is reached without a token, which
// the suite cannot show. Everything else passes as it is, Host and Origin too.
func withToken(t *testing.T, g *gateway) string {
	t.Helper()
	behind, err := url.Parse(g.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = behind.Scheme, behind.Host
			r.Out.Host = r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+secret)
		},
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else a quick answer closes the request's body while the proxy still looks
		// for its end, and the connection with it.
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL + behind.Path
}

// suite runs against one server, once in each revision.
type suite struct {
	kit, url, failures string
	failed             []string // scenarios that have failed in any revision
}

// result is one check of a scenario.
type result struct {
	ID, Status, ErrorMessage string
}

// run runs all scenarios of a revision, those that count for it and those that do
// not; the suite itself takes only the former for failures.
func (s *suite) run(t *testing.T, revision string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	results := t.TempDir()
	cmd := exec.CommandContext(ctx, "sh", "-c", `exec conformance server --url "$1" --requirements "$2" --expected-failures "$3" -o "$4"`, "sh", s.url, revision, s.failures, results)
	cmd.Env = append(os.Environ(), "PATH="+strings.Join(append(testkit.Protocol.Path(s.kit), os.Getenv("PATH")), ":"))
	if out, err := cmd.CombinedOutput(); err != nil {
		_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
		t.Errorf("%s: %v\n%s", revision, err, summary)
	}
	may, count := s.may(t), map[string]int{}
	for scenario, checks := range readResults(t, results) {
		failed := false
		for _, c := range checks {
			count[c.Status]++
			if c.Status != "FAILURE" && c.Status != "WARNING" {
				continue
			}
			failed = true
			if !slices.Contains(may, scenario) && !slices.Contains(may, scenario+":"+c.ID) {
				t.Errorf("%s: %s: %s of %s: %s", revision, scenario, c.Status, c.ID, c.ErrorMessage)
			}
		}
		count["scenarios"]++
		if failed {
			count["failed"]++
			s.failed = append(s.failed, scenario)
		}
	}
	if count["scenarios"] < 30 {
		t.Errorf("%s: only %d scenarios were run", revision, count["scenarios"])
	}
	t.Logf("%s: of %d scenarios %d failed as expected; checks: %d passed, %d failed, %d warnings, %d skipped",
		revision, count["scenarios"], count["failed"], count["SUCCESS"], count["FAILURE"], count["WARNING"], count["SKIPPED"])
}

// settle holds that nothing is expected to fail that passes.
func (s *suite) settle(t *testing.T) {
	t.Helper()
	for _, entry := range s.may(t) {
		if scenario, _, _ := strings.Cut(entry, ":"); !slices.Contains(s.failed, scenario) {
			t.Errorf("%s passes: take it out of %s", entry, s.failures)
		}
	}
}

var entry = regexp.MustCompile(`(?m)^  - (\S+) +# \S`)

// may are the scenarios, or the checks of some, that may fail. Each has its reason.
func (s *suite) may(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(s.failures)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, found := range entry.FindAllSubmatch(text, -1) {
		list = append(list, string(found[1]))
	}
	if n := strings.Count(string(text), "\n  - "); n != len(list) {
		t.Fatalf("%s: %d entries, and %d with a reason", s.failures, n, len(list))
	}
	return list
}

var ran = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[-\d]+Z$`)

// readResults are the checks of each scenario.
func readResults(t *testing.T, dir string) map[string][]result {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]result{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := ran.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		var checks []result
		if err := json.Unmarshal(text, &checks); err != nil || name == nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[name[1]] = checks
	}
	return all
}

// The inspector's lint finds nothing in the tools, in both eras.
func TestInspector(t *testing.T) {
	t.Parallel()
	kit := testkit.Protocol.Fetch(t)
	g := serve(t)
	for _, era := range []string{"legacy", "modern"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", `exec mcp-inspector --cli "$1" --transport http --header "Authorization: Bearer $2" --protocol-era "$3" --method tools/list --strict --format json`, "sh", g.URL, secret, era)
		cmd.Env = append(os.Environ(), "PATH="+strings.Join(append(testkit.Protocol.Path(kit), os.Getenv("PATH")), ":"), "HOME="+t.TempDir())
		var warnings strings.Builder
		cmd.Stderr = &warnings
		out, err := cmd.Output()
		if err != nil || warnings.Len() > 0 {
			t.Errorf("%s: %v\n%s", era, err, warnings.String())
		}
		var reply struct {
			Result struct{ Tools []struct{ Name string } }
		}
		if err := json.Unmarshal(out, &reply); err != nil || len(reply.Result.Tools) < 10 {
			t.Errorf("%s: %v\n%s", era, err, out)
		}
	}
}
