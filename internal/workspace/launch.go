package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tailscale/hujson"

	"aidb-mcp/internal/jsonwords"
	"aidb-mcp/internal/regular"
)

// launches reads the configurations of a launch.json, which is JSON with
// comments and trailing commas. A file that does not exist has none.
func launches(path string) ([]Launch, error) {
	text, err := regular.ReadText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read launch.json: %w", err)
	}
	plain, err := hujson.Standardize(text)
	if err != nil {
		return nil, fmt.Errorf("read launch.json: %w", err)
	}
	var file struct {
		Configurations []struct {
			Name    string `json:"name"`
			Type    string `json:"type"`
			Request string `json:"request"`
		} `json:"configurations"`
	}
	if err := json.Unmarshal(plain, &file); err != nil {
		return nil, fmt.Errorf("read launch.json: %s", jsonwords.Why(err))
	}
	var list []Launch
	for _, c := range file.Configurations {
		list = append(list, Launch(c))
	}
	return list, nil
}
