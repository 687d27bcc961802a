//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"

	"github.com/go-delve/delve/pkg/goversion"
	"github.com/go-delve/delve/pkg/version"
)

// Supported says whether Go programs can be debugged on this platform.
const Supported = true

// Version is the embedded Delve's, like "1.27.2".
func Version() string {
	v := version.DelveVersion
	return fmt.Sprintf("%s.%s.%s", v.Major, v.Minor, v.Patch)
}

// unknownGo explains why a program of this Go version (as the compiler wrote
// it into the debug information) is refused; empty when it is not.
func unknownGo(producer string) string {
	built := goversion.ParseProducer(producer)
	oldest := goversion.GoVersion{Major: goversion.MinSupportedVersionOfGoMajor, Minor: goversion.MinSupportedVersionOfGoMinor}
	newest := goversion.GoVersion{Major: goversion.MaxSupportedVersionOfGoMajor, Minor: goversion.MaxSupportedVersionOfGoMinor}
	if built.Major == 0 || built.IsOldDevel() || !isBefore(built, oldest) && !isBefore(newest, built) {
		return ""
	}
	return fmt.Sprintf("the program was built with Go %d.%d, and this Delve (%s) knows Go %d.%d to %d.%d",
		built.Major, built.Minor, Version(), oldest.Major, oldest.Minor, newest.Major, newest.Minor)
}

// isBefore compares the major and minor versions alone.
func isBefore(a, b goversion.GoVersion) bool {
	return a.Major < b.Major || a.Major == b.Major && a.Minor < b.Minor
}
