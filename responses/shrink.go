package responses

import (
	"bytes"
	"encoding/json"
)

// shrink makes any JSON value fit into room bytes by cutting its lists from the
// end and shortening its texts, more and more; nil when nothing helps.
func shrink(v any, room int) any {
	raw, err := encode(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil
	}
	for _, limit := range []struct{ rows, text int }{
		{500, 1000}, {200, 1000}, {100, 1000}, {70, 1000}, {50, 1000}, {30, 1000}, {20, 400}, {10, 200}, {5, 200}, {3, 100}, {1, 60},
	} {
		if small := shrinkTree(tree, limit.rows, limit.text); size(small) <= room {
			return small
		}
	}
	return nil
}

func shrinkTree(v any, rows, text int) any {
	switch v := v.(type) {
	case string:
		return Shorten(v, text)
	case []any:
		out := make([]any, min(len(v), rows))
		for i := range out {
			out[i] = shrinkTree(v[i], rows, text)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = shrinkTree(item, rows, text)
		}
		return out
	}
	return v
}
