package pool

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/internal/mcp/frame"
)

// subscriptions are what a client has asked of its server for as long as their session
// lasts: which resources it follows (a server may tell of changes only those who
// have listed them), and how much it wants to be logged. A worker
// that starts after a crash is asked again, without the client's hearing of it.
type subscriptions map[string]frame.Frame // requests, by what they are about

// mostSubscriptions and mostSubscribed bound them, in number and in bytes; who follows more
// resources asks for the rest again itself.
const (
	mostSubscriptions = 200
	mostSubscribed    = 32 << 10
)

// note remembers a request that has been granted. Of lists one is enough: it is
// that one has been asked for that counts.
func (s subscriptions) note(f frame.Frame) {
	key := f.Method()
	if uri := f.Text("params", "uri"); strings.HasSuffix(key, "subscribe") {
		key += " " + uri
	}
	switch f.Method() {
	case "logging/setLevel", "resources/list", "resources/subscribe":
		before, known := s[key]
		if (known || len(s) < mostSubscriptions) && s.size()-len(before.Bytes())+len(f.Bytes()) <= mostSubscribed {
			s[key] = f
		}
	case "resources/unsubscribe":
		delete(s, strings.Replace(key, "unsubscribe", "subscribe", 1))
	}
}

func (s subscriptions) size() (bytes int) {
	for _, f := range s {
		bytes += len(f.Bytes())
	}
	return bytes
}

// requests are the requests to be sent to a new worker, under ids of ours.
func (s subscriptions) requests() []frame.Frame {
	var all []frame.Frame
	for i, key := range slices.Sorted(maps.Keys(s)) {
		all = append(all, s[key].With(ourID(fmt.Sprint("again-", i)), "id"))
	}
	return all
}

// ourID is the id of a question of ours: its answer is nobody else's.
func ourID(name string) json.RawMessage { return json.RawMessage(`"` + ourPrefix + name + `"`) }

const ourPrefix = "aidb-pool-"

func isOurs(id json.RawMessage) bool { return strings.HasPrefix(string(id), `"`+ourPrefix) }
