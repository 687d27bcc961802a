package v8

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Snapshot is a snapshot of a heap, as V8 writes it: objects, and which refer to which.
type Snapshot struct {
	nodes, edges         []uint32
	strings              []string
	nodeTypes, edgeTypes []string

	width, edgeWidth                           int // numbers of a node, of an edge
	typeAt, nameAt, idAt, sizeAt, countAt      int // in a node
	edgeTypeAt, edgeNameAt, edgeToAt, nodeSize int // in an edge; how many nodes there are
	first                                      []uint32
}

// snapshotMeta says what the numbers of a snapshot are.
type snapshotMeta struct {
	Meta struct {
		NodeFields []string          `json:"node_fields"`
		NodeTypes  []json.RawMessage `json:"node_types"`
		EdgeFields []string          `json:"edge_fields"`
		EdgeTypes  []json.RawMessage `json:"edge_types"`
	} `json:"meta"`
}

var errSnapshot = errors.New("the heap snapshot has another form than is known")

// ReadSnapshot reads a snapshot.
func ReadSnapshot(in io.Reader) (*Snapshot, error) {
	s := &Snapshot{}
	d := json.NewDecoder(in)
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("reading a heap snapshot: %w", err)
	}
	var meta snapshotMeta
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("reading a heap snapshot: %w", err)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, fmt.Errorf("reading a heap snapshot: %w", err)
		}
		switch key {
		case "snapshot":
			err = json.Unmarshal(raw, &meta)
		case "nodes":
			s.nodes = numbersOf(raw)
		case "edges":
			s.edges = numbersOf(raw)
		case "strings":
			err = json.Unmarshal(raw, &s.strings)
		}
		if err != nil {
			return nil, fmt.Errorf("reading a heap snapshot: %w", err)
		}
	}
	return s, s.understand(meta)
}

// numbersOf reads a list of numbers, of which there are millions.
func numbersOf(raw json.RawMessage) []uint32 {
	list := make([]uint32, 0, bytes.Count(raw, []byte{','})+1)
	n, in := uint32(0), false
	for _, c := range raw {
		if c >= '0' && c <= '9' {
			n, in = n*10+uint32(c-'0'), true
		} else if in {
			list = append(list, n)
			n, in = 0, false
		}
	}
	return list
}

func (s *Snapshot) understand(m snapshotMeta) error {
	node, edge := func(name string) int { return slices.Index(m.Meta.NodeFields, name) }, func(name string) int { return slices.Index(m.Meta.EdgeFields, name) }
	s.width, s.edgeWidth = len(m.Meta.NodeFields), len(m.Meta.EdgeFields)
	s.typeAt, s.nameAt, s.idAt, s.sizeAt, s.countAt = node("type"), node("name"), node("id"), node("self_size"), node("edge_count")
	s.edgeTypeAt, s.edgeNameAt, s.edgeToAt = edge("type"), edge("name_or_index"), edge("to_node")
	if min(s.typeAt, s.nameAt, s.idAt, s.sizeAt, s.countAt, s.edgeTypeAt, s.edgeNameAt, s.edgeToAt) < 0 ||
		len(m.Meta.NodeTypes) <= s.typeAt || len(m.Meta.EdgeTypes) <= s.edgeTypeAt || len(s.nodes)%s.width != 0 || len(s.edges)%s.edgeWidth != 0 || len(s.nodes) == 0 {
		return errSnapshot
	}
	if json.Unmarshal(m.Meta.NodeTypes[s.typeAt], &s.nodeTypes) != nil || json.Unmarshal(m.Meta.EdgeTypes[s.edgeTypeAt], &s.edgeTypes) != nil {
		return errSnapshot
	}
	s.nodeSize = len(s.nodes) / s.width
	s.first = make([]uint32, s.nodeSize+1)
	edges := 0
	for i := range s.nodeSize {
		if edges += int(s.nodes[i*s.width+s.countAt]); edges > len(s.edges)/s.edgeWidth {
			return errSnapshot
		}
		s.first[i+1] = uint32(edges)
	}
	if edges*s.edgeWidth != len(s.edges) {
		return errSnapshot
	}
	for i := 0; i < len(s.edges); i += s.edgeWidth {
		to := int(s.edges[i+s.edgeToAt])
		if to%s.width != 0 || to >= len(s.nodes) || int(s.edges[i+s.edgeTypeAt]) >= len(s.edgeTypes) {
			return errSnapshot
		}
	}
	return nil
}

func (s *Snapshot) node(n, field int) uint32 { return s.nodes[n*s.width+field] }

func (s *Snapshot) text(n uint32) string {
	if int(n) < len(s.strings) {
		return s.strings[n]
	}
	return ""
}

func (s *Snapshot) kind(n int) string {
	if t := int(s.node(n, s.typeAt)); t < len(s.nodeTypes) {
		return s.nodeTypes[t]
	}
	return ""
}

// Type is what kind of thing a node is: an object's class, else what V8 calls it.
func (s *Snapshot) typeOf(n int) string {
	switch kind := s.kind(n); kind {
	case "object", "native":
		return s.text(s.node(n, s.nameAt))
	case "string", "concatenated string", "sliced string":
		return "(string)"
	case "code":
		return "(compiled code)"
	case "hidden", "synthetic", "object shape":
		return "(system)"
	default:
		return "(" + kind + ")"
	}
}

// Count is how many things there are of a type, and their own bytes.
type Count struct{ Objects, Bytes int64 }

// Types are the things in the heap by their types.
func (s *Snapshot) Types() map[string]Count {
	counts := map[string]Count{}
	for n := range s.nodeSize {
		size := int64(s.node(n, s.sizeAt))
		if size == 0 {
			continue
		}
		t := s.typeOf(n)
		c := counts[t]
		counts[t] = Count{c.Objects + 1, c.Bytes + size}
	}
	return counts
}

// Newest is the largest id in the heap: what is made later has a larger one. What is not in
// V8's own memory has ids of another kind.
func (s *Snapshot) Newest() uint32 {
	var last uint32
	for n := range s.nodeSize {
		if kind := s.kind(n); kind != "native" && kind != "synthetic" {
			last = max(last, s.node(n, s.idAt))
		}
	}
	return last
}
