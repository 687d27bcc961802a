package jsdebug

import (
	"strings"
	"testing"
)

func TestOwnPort(t *testing.T) {
	for _, c := range []struct {
		args, options, host string
		port                int
	}{
		{"app.js", "", "127.0.0.1", 9229},
		{"--inspect-port=127.0.0.1:45991 app.js", "", "127.0.0.1", 45991},
		{"--inspect-port 9333 app.js", "", "127.0.0.1", 9333},
		{"--inspect_port=9333 app.js", "", "127.0.0.1", 9333},
		{"-r ts-node/register --debug-port=9334 app.js", "", "127.0.0.1", 9334},
		{"--inspect-port=0.0.0.0:9335 app.js", "", "127.0.0.1", 9335},
		{"--inspect-port=[::1]:9336 app.js", "", "::1", 9336},
		{"--inspect-port=0 app.js", "", "127.0.0.1", 0},
		{"--inspect app.js", "", "127.0.0.1", 9229},
		{"app.js --inspect-port=1", "", "127.0.0.1", 9229},
		{"app.js", "--max-old-space-size=100 --inspect-port=9337", "127.0.0.1", 9337},
		{"--inspect-port=9338 app.js", "--inspect-port=9337", "127.0.0.1", 9338},
		{"--inspect-port=10.1.2.3 app.js", "", "10.1.2.3", 9229},
	} {
		if host, port := ownPort(strings.Fields(c.args), c.options); host != c.host || port != c.port {
			t.Errorf("%s (%s): %s, %d; want %s, %d", c.args, c.options, host, port, c.host, c.port)
		}
	}
}
