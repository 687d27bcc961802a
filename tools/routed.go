package tools

import (
	"bytes"
	"reflect"
)

// SessionHeader is the header in which clients repeat the session that a call is about
// (Mcp-Param-Session-Id), so that what stands between can route by it without reading bodies.
const SessionHeader = "Session-Id"

// Routed are definitions whose session_id says that clients shall repeat it in a header. Only
// who is reached over HTTP needs them: on a pair of streams they would be bytes for nothing.
func Routed(definitions []*Definition) []*Definition {
	plain, marked := []byte(`"session_id":{"type":"string"`), []byte(`"session_id":{"type":"string","x-mcp-header":"`+SessionHeader+`"`)
	routed := make([]*Definition, 0, len(definitions))
	for _, d := range definitions {
		if _, refers := d.params.FieldByName(reflect.TypeFor[SessionRef]().Name()); refers {
			copied := *d
			copied.Schema = bytes.Replace(d.Schema, plain, marked, 1)
			d = &copied
		}
		routed = append(routed, d)
	}
	return routed
}
