package responses

import "fmt"

func (w *Workspace) write(p *page) {
	if !p.says(w.Root) {
		p.fact("workspace", w.Root)
	}
	p.list("more roots", w.MoreRoots)
	p.list("languages", w.Languages)
	if w.BuildFiles != nil {
		p.list("build files", w.BuildFiles.Rows)
	}
	p.list("test frameworks", w.TestFrameworks)
	writeTexts(p, "programs", w.Programs)
	p.under("tests", func() { writeTests(p, w.Tests) })
	writeTexts(p, "launch configs", w.LaunchConfigs)
	p.list("virtual environments", w.Environments)
	p.walk("containers", w.Containers)
	writeAdapters(p, w.Adapters)
	p.walk("capabilities", w.Capabilities)
	p.rows("notes", w.Notes)
}

// writeTests writes "calc_test.go, 12 tests: TestAdd, TestSub".
func writeTests(p *page, l *List[TestTarget]) {
	if l == nil {
		return
	}
	for _, t := range l.Rows {
		name := t.Target
		if t.Total > 0 {
			name += fmt.Sprintf(", %d tests", t.Total)
		}
		if len(t.Tests) == 0 {
			p.line("%s", name)
			continue
		}
		p.list(name, t.Tests)
	}
}
