package inspector

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"aidb-mcp/internal/text/pattern"
)

// What node says that matters to plants.
var (
	resumedWord  = []byte(`{"method":"Debugger.resumed"`)
	resolvedWord = []byte(`{"method":"Debugger.breakpointResolved"`)
	parsedWord   = []byte(`{"method":"Debugger.scriptParsed"`)
	boundWord    = []byte(`{"method":"Runtime.bindingCalled"`)
	contextWord  = []byte(`{"method":"Runtime.executionContextCreated"`)
	sourceWord   = []byte(`"scriptSource":"`)
)

// plantText is what the hook plants, and hashField the digest of a script's source.
var (
	plantText = pattern.New(`;if\(__aidb\.plants\[\d+\]\)debugger;`)
	hashField = pattern.New(`"hash":"\w*"`)
)

// hear takes what node says, and gives what others are to hear of it; nil: nothing.
func (p *plants) hear(text []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := idOf(text); id != 0 {
		return p.answer(id, text)
	}
	switch {
	case bytes.HasPrefix(text, pausedWord):
		return p.paused(text)
	case bytes.HasPrefix(text, resumedWord) && p.swallows > 0:
		p.swallows--
		return nil
	case bytes.HasPrefix(text, resolvedWord):
		p.resolved(text)
	case bytes.HasPrefix(text, parsedWord):
		return p.parsed(text)
	case bytes.HasPrefix(text, boundWord):
		return p.tell(text)
	case p.context == 0 && bytes.HasPrefix(text, contextWord):
		var said struct {
			Params struct {
				Context struct {
					ID int `json:"id"`
				} `json:"context"`
			} `json:"params"`
		}
		_ = json.Unmarshal(text, &said)
		p.context = said.Params.Context.ID
	}
	return text
}

// answer is one of node's.
func (p *plants) answer(id int, text []byte) []byte {
	if id > plantID && id < previewID {
		if pt := p.again[id]; pt != nil {
			delete(p.again, id)
			p.placed(pt, text)
		}
		p.tidied(id, text)
		return nil
	}
	pt := p.asking[id]
	if pt == nil {
		if len(p.plants) > 0 && bytes.Contains(text, sourceWord) {
			return plantText.ReplaceAll(text, nil)
		}
		return text
	}
	delete(p.asking, id)
	p.placed(pt, text)
	if pt.id == "" {
		return text
	}
	if at := p.plantOf(pt.places); at != nil {
		p.move(id, pt, at)
		return nil
	}
	p.points[pt.id] = pt
	p.moved(pt)
	return text
}

// placed takes note of where a breakpoint is.
func (p *plants) placed(pt *point, text []byte) {
	var said struct {
		Result struct {
			ID     string `json:"breakpointId"`
			Places []spot `json:"locations"`
		} `json:"result"`
	}
	if json.Unmarshal(text, &said) != nil || said.Result.ID == "" {
		return
	}
	pt.id, pt.places = said.Result.ID, said.Result.Places
}

// moved notes the scripts in which a breakpoint is not where it was asked for.
func (p *plants) moved(pt *point) {
	for _, place := range pt.places {
		if place.Line != pt.line {
			p.tidier.note(place.Script)
		}
	}
}

// plantOf is a plant at which one of some places is.
func (p *plants) plantOf(places []spot) *plant {
	for _, at := range p.plants {
		if slices.ContainsFunc(places, at.isAt) {
			return at
		}
	}
	return nil
}

func (at *plant) isAt(s spot) bool {
	return s.Script == at.script && (at.Test == [2]int{s.Line, s.Column} || at.Stop == [2]int{s.Line, s.Column})
}

// move sets a breakpoint anew that has come to a plant: at the statement behind it, where it
// would be without.
func (p *plants) move(request int, pt *point, at *plant) {
	p.call("Debugger.removeBreakpoint", breakpoint{pt.id})
	ask := maps.Clone(pt.ask)
	if ask.set("lineNumber", at.From[0]) != nil || ask.set("columnNumber", at.From[1]) != nil {
		return
	}
	p.asking[request] = newPoint(ask)
	if text, err := json.Marshal(message{ID: request, Method: "Debugger.setBreakpointByUrl", Params: ask}); err == nil {
		_ = p.send(text)
	}
}

// resolved is told where a breakpoint is in a script that was loaded.
func (p *plants) resolved(text []byte) {
	var said struct {
		Params struct {
			ID    string `json:"breakpointId"`
			Place spot   `json:"location"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &said) != nil {
		return
	}
	if pt := p.points[said.Params.ID]; pt != nil {
		pt.places = append(pt.places, said.Params.Place)
		p.moved(pt)
	}
}

// tell takes what the hook tells of a file that is about to be compiled.
func (p *plants) tell(text []byte) []byte {
	var said struct {
		Params struct {
			Name    string `json:"name"`
			Payload string `json:"payload"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &said) != nil || said.Params.Name != planting {
		return text
	}
	var of planted
	if json.Unmarshal([]byte(said.Params.Payload), &of) == nil {
		p.announced = append(p.announced, of)
	}
	return nil
}

// parsed is told of a script. The digest of one with plants is not that of its file, by which
// the debugger knows it.
func (p *plants) parsed(text []byte) []byte {
	if len(p.points) == 0 {
		return text
	}
	var said struct {
		Params struct {
			Script string `json:"scriptId"`
			URL    string `json:"url"`
			Length int    `json:"length"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &said) != nil {
		return text
	}
	i := slices.IndexFunc(p.announced, func(of planted) bool { return of.URL == said.Params.URL })
	if i >= 0 {
		for _, at := range p.announced[i].Plants {
			at.script, at.url, at.isOn = said.Params.Script, said.Params.URL, at.Begins
			p.plants = append(p.plants, at)
		}
		p.announced = slices.Delete(p.announced, i, i+1)
		text = hashField.ReplaceAll(text, []byte(`"hash":""`))
	}
	for _, pt := range p.points {
		if pt.url != nil && pt.url.MatchString(said.Params.URL) {
			p.tidier.scripts[said.Params.Script] = &script{url: said.Params.URL, length: said.Params.Length}
			p.set(pt) // it may have another place there
		}
	}
	return text
}

// paused is told that the program stands.
func (p *plants) paused(text []byte) []byte {
	var stop struct {
		Params struct {
			Frames []struct {
				Place spot `json:"location"`
			} `json:"callFrames"`
			Hits []string `json:"hitBreakpoints"`
		} `json:"params"`
	}
	if len(p.plants) == 0 || json.Unmarshal(text, &stop) != nil || len(stop.Params.Frames) == 0 {
		p.stand()
		return text
	}
	at := p.plantOf([]spot{stop.Params.Frames[0].Place})
	if at == nil || len(stop.Params.Hits) > 0 {
		p.stand()
		return text
	}
	p.swallows++
	place := stop.Params.Frames[0].Place
	isReached := at.Stop == [2]int{place.Line, place.Column}
	if isReached {
		p.reach(at)
	}
	switch {
	case p.stands || p.pausing:
		p.call("Debugger.stepOver", nil)
	case isReached && at.Begins:
		p.goOn(func() { p.call("Debugger.resume", nil) })
	default:
		p.call("Debugger.resume", nil)
	}
	return nil
}

// reach sets the breakpoints of a plant at which the program has come.
func (p *plants) reach(at *plant) {
	p.turn(false, at)
	at.reached = true
	for _, pt := range p.points {
		if at.leadsTo(pt) {
			p.set(pt)
		}
	}
}
