package java

import (
	"errors"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// A mode that Java programs do not have is refused: "core" started the program in place of
// reading the file.
func TestAModeThatJavaDoesNotHave(t *testing.T) {
	_, err := understand(adapters.Request{Workspace: t.TempDir(), Target: "A.java", Mode: adapters.Core})
	var f *fault.Error
	if !errors.As(err, &f) || f.Message != `Java programs have no mode "core"` || f.Hint != "use launch, test, exec, attach or remote_attach" {
		t.Errorf("said: %v", err)
	}
}
