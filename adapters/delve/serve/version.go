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
	var remedy string
	switch {
	case producer == "" || built.IsOldDevel():
		return ""
	case before(built, oldest):
		remedy = "build the program with a newer Go"
	case before(newest, built):
		remedy = "update aidb-mcp, or build the program with an older Go"
	default:
		return ""
	}
	return fmt.Sprintf("the program was built with Go %d.%d, and this Delve (%s) knows Go %d.%d to %d.%d: %s, "+
		"or try it nevertheless with adapter_options {\"checkGoVersion\":false}",
		built.Major, built.Minor, Version(), oldest.Major, oldest.Minor, newest.Major, newest.Minor, remedy)
}

// before compares the major and minor versions alone.
func before(a, b goversion.GoVersion) bool {
	return a.Major < b.Major || a.Major == b.Major && a.Minor < b.Minor
}
