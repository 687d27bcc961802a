package prepare

import (
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// CheckMode refuses a mode that an adapter does not have.
func CheckMode(info adapters.Info, mode adapters.Mode) *fault.Error {
	if slices.Contains(info.Modes, mode) {
		return nil
	}
	var modes []string
	for _, m := range info.Modes {
		modes = append(modes, string(m))
	}
	last := len(modes) - 1
	return fault.New(fault.InvalidParam, "%s programs have no mode %q", info.LanguageTitle(), mode).WithField("mode").
		WithHint("use %s or %s", strings.Join(modes[:last], ", "), modes[last])
}

// NotRecordable says that only what a session starts can be recorded.
func NotRecordable(hint string) *fault.Error {
	return fault.New(fault.NotSupported, "only a program that is started can be recorded, not one that is attached to").
		WithField("mode").WithHint("%s", hint)
}
