package judge

import (
	"path/filepath"
	"strconv"
	"strings"
)

// RaisedAt is the line of a file at which the runtime says, in what it printed last of
// this very failure, that it was raised; 0 where it does not say so.
func RaisedAt(stop Stop, file, printed string) (line int) {
	if stop.Syntax.Raised == nil {
		return 0
	}
	said := stop.Syntax.Raised.FindAllStringSubmatch(printed, -1)
	if len(said) == 0 {
		return 0
	}
	last := said[len(said)-1]
	if last[3] == "" || !strings.HasPrefix(strings.TrimPrefix(stop.Message, stop.Type+": "), last[3]) || !isFile(file, last[1]) {
		return 0
	}
	line, err := strconv.Atoi(last[2])
	if err != nil {
		return 0
	}
	return line
}

// isFile says that a path, which may be relative, is one of a file.
func isFile(file, path string) bool {
	file, path = filepath.ToSlash(file), filepath.ToSlash(filepath.Clean(path))
	return file == path || strings.HasSuffix(file, "/"+path)
}
