package jsdebug

import (
	"strings"
	"testing"
)

func TestWhereAnInspectorWouldOpen(t *testing.T) {
	for options, want := range map[string]inspectorAddress{
		"":                                             {host: "127.0.0.1", port: 9229},
		"--inspect-port=9230 a.js":                     {host: "127.0.0.1", port: 9230},
		"--inspect-port 9231 a.js":                     {host: "127.0.0.1", port: 9231},
		"--debug-port=127.0.0.1:45991 a.js":            {host: "127.0.0.1", port: 45991},
		"--inspect-port=0.0.0.0:1234":                  {host: "127.0.0.1", port: 1234},
		"--inspect-port=[::1]:1234":                    {host: "::1", port: 1234},
		"--inspect-port=127.0.0.2":                     {host: "127.0.0.2", port: 9229},
		"a.js --inspect-port=9230":                     {host: "127.0.0.1", port: 9229}, // the program's own
		"--inspect-port=0":                             {host: "127.0.0.1", port: 0},
		"-r ts-node/register --inspect_port=9333 a.js": {host: "127.0.0.1", port: 9333},
		"--inspect=9300 --inspect-port=9400":           {host: "127.0.0.1", port: 9400},
		"--max-old-space-size=4096 --inspect":          {host: "127.0.0.1", port: 9229},
		"--inspect-port=nonsense --enable-fips":        {host: "127.0.0.1", port: 9229},
	} {
		if got := addressFromOptions(nodeOptions(strings.Fields(options))); got != want {
			t.Errorf("%s: %+v, want %+v", options, got, want)
		}
	}
}
