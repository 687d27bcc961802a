package responses

func (s *Session) tags(p *page) []string {
	if s.State == nil {
		return nil
	}
	tags := s.State.tags(p)
	if s.Current {
		tags = append(tags, "current")
	}
	return tags
}

func (s *Session) write(p *page) {
	p.place(s.Location, s.Function)
	p.fact("target", inline(s.Target))
	p.fact("language", s.Language)
	p.fact("mode", s.Mode)
	p.number("pid", int64(s.PID))
	p.fact("workspace", inline(s.Workspace))
	p.fact("age", s.Age)
	p.list("exceptions", s.Exceptions)
	p.under("breakpoints", func() { writeBreakpoints(p, s.Breakpoints) })
	s.Output.write(p)
}

func (s *Sessions) write(p *page) {
	writeSessions(p, s.Sessions)
	p.list("removed", s.Removed)
}

// writeSessions writes a table with the columns that are filled.
func writeSessions(p *page, l *List[Session]) {
	if l.IsZero() {
		return
	}
	columns := []string{"session", "status", "language", "mode", "age", "target"}
	var rows [][]string
	for _, s := range l.Rows {
		id := s.ID
		if s.Current {
			id += " (current)"
		}
		rows = append(rows, []string{id, spaceWords(s.Status), s.Language, s.Mode, s.Age, s.Target})
	}
	p.under("sessions", func() { p.table(filledColumns(columns, rows)) })
}

func (e *Events) write(p *page) {
	for _, event := range e.Subscribed {
		if !p.says(event) {
			p.list("subscribed", e.Subscribed)
			return
		}
	}
}
