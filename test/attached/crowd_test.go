//go:build linux

package attached

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// crowd is how many want each processor, on average over some looks: a debugger that
// needs a moment to let go gets its share of the machine as all others do. A test that
// only sleeps and wakes is served at once even then, and does not notice.
type crowd struct {
	sum, looks int
}

// look counts who runs now or would, this test left out; see proc_loadavg(5).
func (c *crowd) look() {
	var a, b, d float64
	running := 0
	text, _ := os.ReadFile("/proc/loadavg")
	if _, err := fmt.Sscanf(string(text), "%f %f %f %d/", &a, &b, &d, &running); err == nil {
		c.sum, c.looks = c.sum+running-1, c.looks+1
	}
}

// longer is what a limit becomes that is meant for a machine with nothing else to do.
func (c *crowd) longer(limit time.Duration) time.Duration {
	if c.looks == 0 {
		return limit
	}
	each := float64(c.sum) / float64(c.looks*runtime.NumCPU())
	return time.Duration(float64(limit) * max(each, 1))
}
