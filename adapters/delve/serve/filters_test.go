//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import "testing"

// Stops at our breakpoints report ids that Delve never gives to the user's.
func TestOwnIDs(t *testing.T) {
	var own ownIDs
	own.add(3, ownFilter{reported: 1 << 30})
	for frame, want := range map[string]string{
		`{"seq":1,"type":"event","event":"stopped","body":{"reason":"breakpoint","hitBreakpointIds":[3]}}`: `{"seq":1,"type":"event","event":"stopped","body":{"reason":"breakpoint","hitBreakpointIds":[1073741824]}}`,
		`{"seq":1,"type":"event","event":"stopped","body":{"reason":"breakpoint","hitBreakpointIds":[4]}}`: `{"seq":1,"type":"event","event":"stopped","body":{"reason":"breakpoint","hitBreakpointIds":[4]}}`,
		`{"seq":2,"type":"event","event":"exited","body":{"exitCode":3}}`:                                  `{"seq":2,"type":"event","event":"exited","body":{"exitCode":3}}`,
	} {
		if got, _ := own.translate([]byte(frame)); string(got) != want {
			t.Errorf("%s\nbecame %s", frame, got)
		}
	}
}
