package inspector

import (
	"slices"
	"strings"
	"testing"
)

// node collects what is said to it.
type said []string

func (s *said) send(text []byte) error {
	*s = append(*s, string(text))
	return nil
}

// A scope that has a big collection is shown with previews of everything else: what V8
// would list for the collection's takes it a quarter of a minute.
func TestPreviewsBesideBig(t *testing.T) {
	var node said
	p := newPreviews(node.send)
	_ = p.ask([]byte(`{"id":7,"method":"Runtime.getProperties","params":{"objectId":"s","generatePreview":true},"sessionId":"t1"}`))
	if len(node) != 1 || !strings.Contains(node[0], `"generatePreview":false`) || !strings.Contains(node[0], `"sessionId":"t1"`) || !strings.Contains(node[0], `"id":7`) {
		t.Fatalf("node was asked %q", node)
	}
	if heard := p.hear([]byte(`{"id":7,"result":{"result":[` +
		`{"name":"big","value":{"type":"object","subtype":"map","description":"Map(1000000)","objectId":"m"}},` +
		`{"name":"n","value":{"type":"number","value":3}},` +
		`{"name":"f","value":{"type":"function","description":"f()","objectId":"f"}},` +
		`{"name":"o","value":{"type":"object","description":"Object","objectId":"o"},"isOwn":true}],"internalProperties":[]}}`)); heard != nil {
		t.Fatalf("the debugger hears %s", heard)
	}
	if len(node) != 2 || !strings.Contains(node[1], `"objectId":"o"`) || strings.Contains(node[1], `"objectId":"m"`) {
		t.Fatalf("node was asked %q", node)
	}
	heard := string(p.hear([]byte(`{"id":536870913,"result":{"result":{"type":"object","objectId":"o2","preview":{"overflow":false}}}}`)))
	for _, part := range []string{`"id":7`, `"preview":{"overflow":false}`, `"objectId":"o"`, `"value":3`, `"isOwn":true`, `"internalProperties":[]`, `"description":"Map(1000000)"`} {
		if !strings.Contains(heard, part) {
			t.Errorf("%s is not in %s", part, heard)
		}
	}
	if strings.Contains(heard, "o2") || strings.Count(heard, "preview") != 1 {
		t.Errorf("the debugger hears %s", heard)
	}
}

// Where nothing is big the debugger's own question is put, and its answer passes as it is.
func TestPreviewsOfSmall(t *testing.T) {
	var node said
	p := newPreviews(node.send)
	const question = `{"id":7,"method":"Runtime.getProperties","params":{"objectId":"s","generatePreview":true}}`
	_ = p.ask([]byte(question))
	if heard := p.hear([]byte(`{"id":7,"result":{"result":[{"name":"o","value":{"type":"object","subtype":"array","description":"Array(3)","objectId":"o"}}]}}`)); heard != nil {
		t.Fatalf("the debugger hears %s", heard)
	}
	if !slices.Equal(node[1:], []string{question}) {
		t.Fatalf("node was asked %q", node)
	}
	const answer = `{"id":7,"result":{"result":[{"name":"o","value":{"type":"object","preview":{}}}]}}`
	if heard := string(p.hear([]byte(answer))); heard != answer {
		t.Errorf("the debugger hears %s", heard)
	}
}

// One value is evaluated once, and its preview asked for where it is not big.
func TestPreviewOfOne(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		more   bool
	}{
		"a number":     {`{"id":3,"result":{"result":{"type":"number","value":5}}}`, false},
		"a big set":    {`{"id":3,"result":{"result":{"type":"object","subtype":"set","description":"Set(20000)","objectId":"x"}}}`, false},
		"an error":     {`{"id":3,"error":{"code":-32000,"message":"no"}}`, false},
		"an object":    {`{"id":3,"result":{"result":{"type":"object","description":"Object","objectId":"x"}}}`, true},
		"an own class": {`{"id":3,"result":{"result":{"type":"object","description":"Order(99999)","objectId":"x"}}}`, true},
	} {
		var node said
		p := newPreviews(node.send)
		_ = p.ask([]byte(`{"id":3,"method":"Debugger.evaluateOnCallFrame","params":{"expression":"x()","generatePreview":true}}`))
		heard := p.hear([]byte(c.answer))
		if more := heard == nil; more != c.more {
			t.Errorf("%s: the debugger hears %s", name, heard)
		}
		if !c.more {
			continue
		}
		if strings.Contains(strings.Join(node[1:], ""), "x()") {
			t.Errorf("%s: it is evaluated again: %q", name, node)
		}
		heard = p.hear([]byte(`{"id":536870913,"result":{"result":{"type":"object","preview":{"overflow":true}}}}`))
		if !strings.Contains(string(heard), `"preview":{"overflow":true}`) || !strings.Contains(string(heard), `"id":3`) {
			t.Errorf("%s: at last the debugger hears %s", name, heard)
		}
	}
}

// What is asked without a preview, and what node says by itself, passes as it is.
func TestPreviewsPass(t *testing.T) {
	var node said
	p := newPreviews(node.send)
	const plain, event = `{"id":1,"method":"Runtime.enable"}`, `{"method":"Debugger.paused","params":{}}`
	_ = p.ask([]byte(plain))
	if !slices.Equal(node, said{plain}) || string(p.hear([]byte(event))) != event || string(p.hear([]byte(`{"id":1,"result":{}}`))) != `{"id":1,"result":{}}` {
		t.Errorf("node was asked %q", node)
	}
}

// The hook in the program is handed the error of a stop before the debugger hears of it.
func TestRaised(t *testing.T) {
	var node said
	p := newPreviews(node.send)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"an error":     {`{"method":"Debugger.paused","params":{"callFrames":[],"reason":"exception","data":{"type":"object","objectId":"e","uncaught":true}}}`, true},
		"a rejection":  {`{"method":"Debugger.paused","params":{"reason":"promiseRejection","data":{"objectId":"e"}}}`, true},
		"a number":     {`{"method":"Debugger.paused","params":{"reason":"exception","data":{"type":"number","value":3}}}`, false},
		"a breakpoint": {`{"method":"Debugger.paused","params":{"reason":"other","hitBreakpoints":["1"]}}`, false},
		"an answer":    {`{"id":1,"result":{"reason":"exception"}}`, false},
	} {
		node = nil
		p.hand([]byte(c.text))
		if got := len(node) == 1 && strings.Contains(node[0], `"objectId":"e"`) && strings.Contains(node[0], "raised(this)"); got != c.want || !c.want && len(node) > 0 {
			t.Errorf("%s: node was asked %q", name, node)
		}
	}
	if p.hear([]byte(`{"id":536870913,"result":{"result":{"type":"undefined"}}}`)) != nil {
		t.Error("the debugger hears an answer to us")
	}
}
