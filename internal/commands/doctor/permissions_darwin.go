package doctor

import (
	"context"
	"os/exec"
	"strings"
)

// permissions checks for Apple's debugserver, through which programs are
// controlled on macOS.
func permissions(ctx context.Context) []Check {
	c := Check{Name: "command line tools", State: OK}
	out, err := exec.CommandContext(ctx, "xcode-select", "-p").Output()
	c.Detail = strings.TrimSpace(string(out))
	if err != nil {
		c.State, c.Detail = Problem, "the Xcode command line tools with debugserver are missing"
		c.Remedy = "xcode-select --install, then sudo DevToolsSecurity -enable"
	}
	return []Check{c}
}
