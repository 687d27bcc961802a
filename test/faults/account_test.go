//go:build linux

package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// Where the account of calls cannot be written no call is harmed; it is told
// once, and the server ends as ever.
func TestAccountWithoutAPlace(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		o    testkit.Options
		says string
	}{
		"a full disk":            {testkit.Options{Through: mounted(t, dir, "-o size=16k,mode=700", "! dd if=/dev/zero of="+dir+"/rest 2>/dev/null"), Env: []string{"AIDB_HOME=" + dir}}, "disk is full"},
		"a disk that fills up":   {testkit.Options{Through: mounted(t, dir, "-o size=160k,mode=700", "true"), Env: []string{"AIDB_HOME=" + dir}}, "disk is full"},
		"a home to read":         {testkit.Options{Through: mounted(t, dir, "-o ro,mode=700", "true"), Env: []string{"AIDB_HOME=" + dir}}, "read-only file system"},
		"files that cannot grow": {testkit.Options{Through: limited("ulimit -f 20"), Env: []string{"AIDB_HOME=" + t.TempDir()}}, "cannot be written"},
		"few descriptors":        {testkit.Options{Through: limited("ulimit -n 9"), Env: []string{"AIDB_HOME=" + t.TempDir()}}, "cannot be written"},
		"no home":                {testkit.Options{Through: []string{"env", "-u", "HOME", "-u", "AIDB_HOME", "-u", "XDG_DATA_HOME"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.o.Env = append(test.o.Env, "AIDB_NO_STORE=false")
			s := testkit.Start(t, test.o)
			told := func() bool { return strings.Contains(s.Stderr(), "the account of calls cannot be written") }
			calls := 0
			for end := time.Now().Add(time.Minute); time.Now().Before(end) && (calls < 10 || test.says != "" && !told()); calls++ {
				start := time.Now()
				s.OK("session", A{"action": "list"})
				if took := time.Since(start); took > 4*time.Second { // a call that waits for the store waits five
					t.Errorf("a call took %v", took)
				}
				time.Sleep(50 * time.Millisecond)
			}
			for range 3 {
				s.OK("session", A{"action": "list"})
				time.Sleep(600 * time.Millisecond)
			}
			s.CloseInput()
			<-s.Exited()
			t.Logf("after %d calls its log says\n%s", calls, s.Stderr())
			want := fmt.Sprint(strings.Count(s.Stderr(), "cannot be written"), strings.Contains(s.Stderr(), test.says))
			if test.says == "" && s.Stderr() != "" || test.says != "" && want != "1 true" {
				t.Errorf("its log says\n%s", s.Stderr())
			}
		})
	}
}
