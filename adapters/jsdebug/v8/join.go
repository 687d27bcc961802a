package v8

import (
	"encoding/json"
	"fmt"
)

// wholeProfile is a profile as tools read it.
type wholeProfile struct {
	Nodes      []wholeNode `json:"nodes"`
	StartTime  float64     `json:"startTime"`
	EndTime    float64     `json:"endTime"`
	Samples    []int       `json:"samples"`
	TimeDeltas []int64     `json:"timeDeltas"`
}

type wholeNode struct {
	ID        int             `json:"id"`
	CallFrame json.RawMessage `json:"callFrame"`
	HitCount  int64           `json:"hitCount"`
	Children  []int           `json:"children,omitempty"`
	Ticks     json.RawMessage `json:"positionTicks,omitempty"`
}

// Join makes one profile of those that were written one after the other of a thread.
func Join(parts [][]byte) ([]byte, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	var all wholeProfile
	last := 0
	for _, text := range parts {
		var p wholeProfile
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("reading a profile of V8: %w", err)
		}
		if len(p.Nodes) == 0 {
			continue
		}
		shift := last
		for i, n := range p.Nodes {
			n.ID += shift
			last = max(last, n.ID)
			for k := range n.Children {
				n.Children[k] += shift
			}
			if i == 0 && len(all.Nodes) > 0 { // the root, of which there is one
				all.Nodes[0].Children = append(all.Nodes[0].Children, n.Children...)
				all.Nodes[0].HitCount += n.HitCount
				continue
			}
			all.Nodes = append(all.Nodes, n)
		}
		for i, s := range p.Samples {
			if s += shift; s == p.Nodes[0].ID+shift {
				s = all.Nodes[0].ID
			}
			p.Samples[i] = s
		}
		if all.StartTime == 0 {
			all.StartTime = p.StartTime
		}
		all.EndTime = p.EndTime
		all.Samples, all.TimeDeltas = append(all.Samples, p.Samples...), append(all.TimeDeltas, p.TimeDeltas...)
	}
	return json.Marshal(all)
}
