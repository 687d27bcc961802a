package build

import (
	"strings"

	"aidb-mcp/internal/fault"
)

// needDebugInfo refuses a program of ours that was built without debug
// information after all, because the project's own settings say so.
func (j *job) needDebugInfo(program, tool, remedy string) error {
	if hasDebugInfo(program) {
		return nil
	}
	return fault.New(fault.BuildFailed, "%s built %s without debug information", tool, j.show(program)).
		WithHint("%s, or debug it as it is with mode exec", remedy)
}

// hasDebugInfo looks into ELF files; of others it believes the best.
func hasDebugInfo(program string) bool {
	f, err := openELF(program)
	if err != nil {
		return true
	}
	defer f.Close()
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".debug_info") || strings.HasPrefix(s.Name, ".zdebug_info") || s.Name == ".gnu_debuglink" {
			return true
		}
	}
	return false
}
