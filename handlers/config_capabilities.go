package handlers

import (
	"fmt"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// capabilitiesOf are the capabilities of a session, else of the language's adapter
// before any start, and whose they are.
func (h *Handlers) capabilitiesOf(s *session.Session, language string) ([]session.Capability, string, error) {
	if s != nil && (language == "" || s.Language() == language) {
		if list := s.Capabilities(); len(list) > 0 {
			return list, s.ID(), nil
		}
		language = s.Language()
	}
	if language == "" && len(h.Adapters.All()) == 1 {
		language = h.Adapters.Languages()[0]
	}
	if language == "" {
		return nil, "", missingParam("language", "there is no session to ask", `for example {"action":"capabilities","language":"go"}`)
	}
	a, err := h.adapterOf(language)
	if err != nil {
		return nil, "", err
	}
	list, err := session.Advertised(a)
	if err != nil {
		return nil, "", fmt.Errorf("capabilities of %s: %w", a.Info().Name, err)
	}
	return list, a.Info().Name, nil
}

// capabilities shows a list as {"name": "native"}, with the remark where there is one.
func capabilities(list []session.Capability) responses.Object {
	object := make(responses.Object, len(list))
	for i, one := range list {
		text := string(one.Support)
		if one.Note != "" {
			text += ": " + one.Note
		}
		object[i] = responses.Member{Name: one.Name, Value: text}
	}
	return object
}

// bySupport is the short form: {"native": ["conditions", …], …}.
func bySupport(list []session.Capability) responses.Object {
	var object responses.Object
	for _, support := range []session.Support{session.Native, session.Supplied, session.Impossible} {
		var names []string
		for _, one := range list {
			if one.Support == support {
				names = append(names, one.Name)
			}
		}
		if names != nil {
			object = append(object, responses.Member{Name: string(support), Value: names})
		}
	}
	return object
}
