//go:build amd64

package serve

import (
	"fmt"
	"os"
)

// takeStandard needs to move nothing: on Windows a program inherits only the
// handles that it is given.
func takeStandard(bool) (standard, error) {
	return standard{client: stream{os.Stdin, os.Stdout}}, nil
}

// path is not used: extra descriptors do not exist here.
func path(*os.File) string { return os.DevNull }

func signalName(number int) string { return fmt.Sprintf("signal %d", number) }
