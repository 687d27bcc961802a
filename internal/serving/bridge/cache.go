package bridge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/system/boundedfile"
)

// cache is what the remote has told of itself, kept for when it is away: one
// file for each address and token, which only this user can read.
type cache struct {
	file string // empty: nothing is kept
	log  *slog.Logger

	mu      sync.Mutex // guards the fields below
	results map[string]json.RawMessage
	headers map[string][]parameter // that repeat arguments, by tool
}

// parameter is an argument of a tool that a header repeats.
type parameter struct {
	path   []string
	header string
}

// cached are the methods whose results are kept.
var cached = map[string]bool{
	"initialize": true, "server/discover": true, "tools/list": true, "prompts/list": true,
	"resources/list": true, "resources/templates/list": true,
}

// The bounds of what is kept, in bytes, and of how far inside of an argument one lies
// that a header repeats: each has the way to it written down.
const (
	maxCache = 8 << 20
	maxDepth = 20
)

func openCache(o *Options) *cache {
	c := &cache{log: o.Log, results: map[string]json.RawMessage{}, headers: map[string][]parameter{}}
	if o.Cache == "" {
		return c
	}
	name := sha256.Sum256([]byte(o.URL + "\x00" + o.Token))
	c.file = filepath.Join(o.Cache, hex.EncodeToString(name[:16])+".json")
	text, err := boundedfile.Read(c.file, 2*maxCache)
	if err != nil {
		return c // there is none yet
	}
	if err := c.recall(text); err != nil {
		c.log.Warn("what the remote has told before cannot be read and is forgotten", "file", c.file, "error", err)
	}
	return c
}

// recall takes up what was written before, or nothing of it.
func (c *cache) recall(text []byte) error {
	results := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &results); err != nil {
		return err
	}
	for key, result := range results {
		if len(result) == 0 || result[0] != '{' {
			continue // no result of anything that is kept
		}
		c.results[key] = result
		if strings.HasPrefix(key, "tools/list") {
			c.learn(result)
		}
	}
	return nil
}

// key tells the pages of a list apart, and the kinds of revisions.
func key(f frame.Frame) string {
	k := f.Method() + "\x00" + f.Text("params", "cursor")
	if answer.Modern(f) {
		k += "\x00" + answer.Revision(f)
	}
	return k
}

// get is what the remote has answered to such a request, nil for never.
func (c *cache) get(f frame.Frame) json.RawMessage {
	if !cached[f.Method()] {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.results[key(f)]
}

// has says that the remote has ever told of tools, resources or prompts.
func (c *cache) has(what string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.results {
		if strings.HasPrefix(k, what+"/list\x00") {
			return true
		}
	}
	return what == "tools"
}

// ourViews are told by our servers to clients that draw, and to no others.
const ourViews = `"ui://aidb/`

// keep keeps an answer, if it is of a kind that is kept.
func (c *cache) keep(f, reply frame.Frame) {
	result := reply.Get("result")
	if !cached[f.Method()] || result == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := key(f)
	if f.Method() == "tools/list" {
		c.learn(result)
		if bytes.Contains(result, []byte(ourViews)) {
			return // it is for a client that draws, and the next one may be another
		}
	}
	if string(c.results[k]) == string(result) {
		return
	}
	c.results[k] = append(json.RawMessage(nil), result...)
	size := 0
	for _, kept := range c.results {
		size += len(kept)
	}
	if size > maxCache {
		c.results = map[string]json.RawMessage{k: c.results[k]}
	}
	if c.file != "" {
		if err := c.write(); err != nil {
			c.log.Warn("what the remote tells cannot be kept", "error", err)
		}
	}
}

// write replaces the file in one step; mu is held.
func (c *cache) write() error {
	text, err := json.Marshal(maps.Clone(c.results))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o700); err != nil {
		return err
	}
	made, err := os.CreateTemp(filepath.Dir(c.file), ".cache-*")
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	if _, err := made.Write(text); err != nil {
		made.Close()
		return err
	}
	if err := made.Close(); err != nil {
		return err
	}
	return os.Rename(made.Name(), c.file)
}

// property is what is read of a tool's input schema.
type property struct {
	Header     json.RawMessage     `json:"x-mcp-header"`
	Properties map[string]property `json:"properties"`
}

// learn notes which arguments are repeated in headers; mu is held, or nobody else has c.
func (c *cache) learn(result json.RawMessage) {
	var list struct {
		Tools []struct {
			Name        string   `json:"name"`
			InputSchema property `json:"inputSchema"`
		} `json:"tools"`
	}
	var other *json.UnmarshalTypeError // a property may be just true or false, and the rest is read
	if err := json.Unmarshal(result, &list); err != nil && !errors.As(err, &other) {
		return
	}
	for _, tool := range list.Tools {
		delete(c.headers, tool.Name)
		c.collect(tool.Name, nil, tool.InputSchema.Properties)
	}
}

func (c *cache) collect(tool string, above []string, properties map[string]property) {
	if len(above) == maxDepth {
		return
	}
	for name, p := range properties {
		path := append(above[:len(above):len(above)], name)
		var header string
		if json.Unmarshal(p.Header, &header) == nil && isHeader(header) {
			c.headers[tool] = append(c.headers[tool], parameter{path, "Mcp-Param-" + header})
		}
		c.collect(tool, path, p.Properties)
	}
}

// parameters adds the headers that repeat arguments of a call.
func (c *cache) parameters(f frame.Frame, m headers) {
	if f.Method() != "tools/call" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.headers[f.Text("params", "name")] {
		path := append([]string{"params", "arguments"}, p.path...)
		raw := f.Get(path...)
		switch {
		case raw == nil || string(raw) == "null":
		case raw[0] == '"':
			m[p.header] = encode(f.Text(path...))
		case string(raw) == "true" || string(raw) == "false":
			m[p.header] = string(raw)
		default:
			if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
				m[p.header] = strconv.FormatInt(n, 10)
			}
		}
	}
}
