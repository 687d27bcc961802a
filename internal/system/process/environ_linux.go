package process

import (
	"bytes"
	"os"
	"strconv"
)

// Variable is what stood in the environment of a process when it began; empty where it
// had no such variable, or may not be looked into.
func Variable(pid int, name string) string {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for pair := range bytes.SplitSeq(env, []byte{0}) {
		if value, ok := bytes.CutPrefix(pair, []byte(name+"=")); ok {
			return string(value)
		}
	}
	return ""
}
