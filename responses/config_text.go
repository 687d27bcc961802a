package responses

func (c *Config) write(p *page) {
	p.fact("version", c.Version)
	p.fact("workspace", c.Workspace)
	p.fact("policy", c.Policy)
	if c.Key != "" && !p.says(c.Key) {
		p.fact("key", c.Key)
	}
	if c.Value != nil && !p.says(inlineTree(c.Value)) {
		p.walk("value", c.Value)
	}
	if c.Was != nil {
		p.walk("was", c.Was)
	}
	p.walk("settings", c.Settings)
	p.walk("environment", c.Environment)
	p.walk("capabilities", c.Capabilities)
	writeAdapters(p, c.Adapters)
	if c.Launches != nil {
		for i := range c.Launches.Rows {
			c.Launches.Rows[i].write(p)
		}
	}
	p.rows("problems", c.Problems)
}

func (a *Adapters) write(p *page) {
	p.under("components", func() {
		for i := range a.Components {
			a.Components[i].write(p)
		}
	})
	p.fact("directory", a.Directory)
	writeAdapters(p, a.Adapters)
}

func writeAdapters(p *page, list []Adapter) {
	p.under("adapters", func() {
		for i := range list {
			list[i].write(p)
		}
	})
}

// write writes "go: Delve 1.26.0, ready", and more of it below.
func (a *Adapter) write(p *page) {
	line := a.Language + ": " + a.Name
	if a.Version != "" {
		line += " " + a.Version
	}
	if a.Ready {
		line += ", ready"
	} else {
		line += ", not ready"
	}
	p.line("%s", line)
	p.within(inward, func() {
		p.fact("problem", a.Problem)
		p.fact("remedy", a.Remedy)
		p.fact("path", a.Path)
		p.list("modes", a.Modes)
	})
}

// write writes "debugpy 1.8.1 (python): installed", and more of it below.
func (c *Component) write(p *page) {
	line := c.Name
	if c.Version != "" {
		line += " " + c.Version
	}
	p.line("%s: %s", line, spaceWords(c.State))
	p.within(inward, func() {
		p.list("languages", c.Languages)
		p.fact("pinned", c.Pinned)
		p.fact("problem", c.Problem)
		p.list("files", c.Files)
		p.number("file count", int64(c.FileCount))
	})
}
