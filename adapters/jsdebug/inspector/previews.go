package inspector

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"aidb-mcp/internal/text/pattern"
)

// V8 lists all entries of a collection to show the first five of them: of a Map with a
// million entries that takes a quarter of a minute, in which the program answers nothing
// else, and a debugger asks so for each variable in sight. So its questions for previews
// go without at first, and a preview is asked only of what is not that big.

// largest is how many elements a collection may have of which a preview is made.
const largest = 10_000

// previewID is where the numbers of our questions for previews begin, far from a
// debugger's and from those of our goodbyes.
const previewID = 1 << 29

// previews is the account of one connection's questions for previews.
type previews struct {
	send func(text []byte) error // to node

	mu    sync.Mutex
	asked map[int]*asked // by the number of the debugger's request
	ours  map[int]int    // requests of the debugger, by the number of one of ours
	last  int
}

func newPreviews(send func([]byte) error) *previews {
	return &previews{send: send, asked: map[int]*asked{}, ours: map[int]int{}, last: previewID}
}

// asked is a request of the debugger's of which the previews are still to come.
type asked struct {
	whole  []byte // as the debugger put it
	list   bool   // it asks for the properties of an object, and not for one value
	answer object // without previews, once it is there
	values map[int]object
}

// object is one of the protocol's, of which little is looked at.
type object map[string]json.RawMessage

var previewWord = []byte(`"generatePreview":true`)

// ask passes on what the debugger says.
func (p *previews) ask(text []byte) error {
	if !bytes.Contains(text, previewWord) {
		return p.send(text)
	}
	var m, params object
	id, err := 0, json.Unmarshal(text, &m)
	if err == nil {
		err = json.Unmarshal(m["id"], &id)
	}
	if err == nil {
		err = json.Unmarshal(m["params"], &params)
	}
	method := m.text("method")
	list := method == "Runtime.getProperties"
	if err != nil || !list && method != "Runtime.evaluate" && method != "Debugger.evaluateOnCallFrame" && method != "Runtime.callFunctionOn" {
		return p.send(text)
	}
	params["generatePreview"] = json.RawMessage("false")
	plain, err := m.with("params", params)
	if err != nil {
		return p.send(text)
	}
	p.mu.Lock()
	p.asked[id] = &asked{whole: bytes.Clone(text), list: list, values: map[int]object{}}
	p.mu.Unlock()
	return p.send(plain)
}

// idOf is the number of the answer that a message of node's begins with; 0: it is none.
func idOf(text []byte) int {
	digits, found := bytes.CutPrefix(text, []byte(`{"id":`))
	if !found {
		return 0
	}
	end := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	id, _ := strconv.Atoi(string(digits[:max(end, 0)]))
	return id
}

// hear takes what node says, and gives what the debugger is to hear of it; nil: nothing.
func (p *previews) hear(text []byte) []byte {
	id := idOf(text)
	if id == 0 {
		return text
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if request, ours := p.ours[id]; ours {
		delete(p.ours, id)
		return p.addPreview(request, id, text)
	}
	a := p.asked[id]
	if a == nil {
		return text
	}
	if json.Unmarshal(text, &a.answer) != nil {
		delete(p.asked, id)
		return text
	}
	return p.handleAnswer(id, a, text)
}

// handleAnswer looks at an answer without previews, and asks for those that cost little.
func (p *previews) handleAnswer(id int, a *asked, text []byte) []byte {
	small, isBig := a.objects()
	if a.list && !isBig && len(small) > 0 {
		delete(p.asked, id)
		_ = p.send(a.whole) // whose answer is as it should be
		return nil
	}
	for _, value := range small {
		p.last++
		ask, err := json.Marshal(message{ID: p.last, Method: "Runtime.callFunctionOn", Params: showing{ObjectID: value.text("objectId"), Function: itself, Preview: true, Silent: true}})
		if err != nil || p.send(ask) != nil {
			break
		}
		p.ours[p.last] = id
		a.values[p.last] = value
	}
	if len(a.values) > 0 {
		return nil
	}
	delete(p.asked, id)
	return text
}

// showing asks for the preview of an object.
type showing struct {
	ObjectID string `json:"objectId"`
	Function string `json:"functionDeclaration"`
	Preview  bool   `json:"generatePreview"`
	Silent   bool   `json:"silent"`
}

const itself = "function() { return this }"

// addPreview puts a preview where it belongs; after the last the debugger has its answer.
func (p *previews) addPreview(request, id int, text []byte) []byte {
	a := p.asked[request]
	if a == nil {
		return nil
	}
	var shown struct {
		Result struct {
			Result object `json:"result"`
		} `json:"result"`
	}
	if json.Unmarshal(text, &shown) == nil && len(shown.Result.Result["preview"]) > 0 {
		a.values[id]["preview"] = shown.Result.Result["preview"]
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(p.ours)), func(of int) bool { return of == request }) {
		return nil
	}
	delete(p.asked, request)
	whole, err := a.mergePreviews()
	if err != nil {
		return nil
	}
	return whole
}

// objects are the objects in an answer of which previews can be made, and whether there
// are others that are too big for that.
func (a *asked) objects() (small []object, hasBig bool) {
	for _, value := range a.remotes() {
		switch {
		case value.text("objectId") == "" || value.text("type") == "function":
		case isBig(value):
			hasBig = true
		default:
			small = append(small, value)
		}
	}
	return small, hasBig
}

// remotes are the values of an answer.
func (a *asked) remotes() []object {
	if !a.list {
		var one struct {
			Value object `json:"result"`
		}
		if json.Unmarshal(a.answer["result"], &one) != nil || one.Value == nil {
			return nil
		}
		return []object{one.Value}
	}
	var list struct {
		Properties []struct {
			Value object `json:"value"`
		} `json:"result"`
	}
	if json.Unmarshal(a.answer["result"], &list) != nil {
		return nil
	}
	var values []object
	for _, property := range list.Properties {
		if property.Value != nil {
			values = append(values, property.Value)
		}
	}
	return values
}

// mergePreviews makes the answer with the previews that have come.
func (a *asked) mergePreviews() ([]byte, error) {
	with := map[string]json.RawMessage{}
	for _, value := range a.values {
		if len(value["preview"]) > 0 {
			with[value.text("objectId")] = value["preview"]
		}
	}
	var result object
	if err := json.Unmarshal(a.answer["result"], &result); err != nil {
		return nil, err
	}
	if !a.list {
		var one object
		if err := json.Unmarshal(result["result"], &one); err != nil {
			return nil, err
		}
		if err := result.set("result", one.withPreview(with)); err != nil {
			return nil, err
		}
		return a.answer.with("result", result)
	}
	var list []object
	if err := json.Unmarshal(result["result"], &list); err != nil {
		return nil, err
	}
	for _, property := range list {
		var value object
		if json.Unmarshal(property["value"], &value) == nil && value != nil {
			if err := property.set("value", value.withPreview(with)); err != nil {
				return nil, err
			}
		}
	}
	if err := result.set("result", list); err != nil {
		return nil, err
	}
	return a.answer.with("result", result)
}

// withPreview gives a value its preview, if there is one.
func (o object) withPreview(with map[string]json.RawMessage) object {
	if preview := with[o.text("objectId")]; len(preview) > 0 {
		o["preview"] = preview
	}
	return o
}

var sized = pattern.New(`^\w+\((\d+)\)$`)

// isBig says of a collection that a preview of it would take long.
func isBig(value object) bool {
	switch value.text("subtype") {
	case "map", "set", "array", "typedarray":
	default:
		return false
	}
	m := sized.FindStringSubmatch(strings.TrimSpace(value.text("description")))
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(m[1])
	return err != nil || n > largest
}

// text is a field that is a text.
func (o object) text(name string) (text string) {
	_ = json.Unmarshal(o[name], &text)
	return text
}

// set changes a field.
func (o object) set(name string, value any) (err error) {
	o[name], err = json.Marshal(value)
	return err
}

// with is the message with a field changed.
func (o object) with(name string, value any) ([]byte, error) {
	changed := maps.Clone(o)
	if err := changed.set(name, value); err != nil {
		return nil, err
	}
	return json.Marshal(changed)
}
