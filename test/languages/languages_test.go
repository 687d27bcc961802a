//go:build linux

package languages

import "slices"

// languages are the rows of the suite, in the order of the documentation. Each
// list stands in its own file.
var languages = slices.Concat(golang, python, javascript, native, rust, java, ruby, custom)
