package testkit

import (
	"fmt"
	"os"
	"testing"
)

// IsKernelBefore says that Linux here is older than a version.
func IsKernelBefore(t testing.TB, major, minor int) bool {
	t.Helper()
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		t.Fatal(err)
	}
	var ours, part int
	if _, err := fmt.Sscanf(string(release), "%d.%d", &ours, &part); err != nil {
		t.Fatalf("the kernel calls itself %q: %v", release, err)
	}
	return ours < major || ours == major && part < minor
}
