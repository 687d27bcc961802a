//go:build linux

package benchmarks

import (
	"fmt"
	"regexp"

	"aidb-mcp/internal/testkit/registry"
)

// javascript are packages of npm that are functions of their arguments.
var javascript = set{
	Name: "javascript", Few: 2, By: []string{"javascript_test.go"}, Language: "JavaScript", Title: "seven packages of npm, with planted faults",
	Make: func(m *maker) []program { return m.check(inJavaScript, npmSubjects...) },
}

func npmSubject(name, sum, file string, keep int, calls ...string) subject {
	return subject{Name: name[:regexp.MustCompile(`@`).FindStringIndex(name)[0]], Pin: registry.Pin{From: registry.Npm, Name: name, Sum: sum}, Files: []string{file}, Keep: keep, Calls: calls}
}

var npmSubjects = []subject{
	npmSubject("leven@3.1.0", "sha512-qsda+H8jTaUaN/x5vzW2rzc+8Rw4TAQ/4KjB46IwK5VH+IlVeeeje/EoZRpiXvIqjFgK84QffqPztGI3VBLG1A==", "index.js", 4,
		`f("", "abc")`, `f("kitten", "sitting")`, `f("book", "back")`, `f("sturgeon", "urgently")`, `f("abcdef", "abcxef")`),
	npmSubject("ms@2.1.3", "sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==", "index.js", 5,
		`f("100")`, `f("2 days")`, `f("10h")`, `f("-1.5 hours")`, `f("1y")`, `f(60000)`, `f(500)`, `f(-172800000)`, `f(120000, { long: true })`),
	npmSubject("bytes@3.1.2", "sha512-/Nf7TyzTx6S3yRJObOAV7956r8cr2+Oj8AC5dt8wSP3BQAoeX58NoHyCU8P8zGkNXStjTSi6fzO6F0pBdcYbEg==", "index.js", 5,
		`f("1kb")`, `f("1.5mb")`, `f(1024)`, `f(1000)`, `f(1572864)`, `f.format(1024, { unitSeparator: " " })`, `f.parse("12")`, `f.format(123456789, { decimalPlaces: 1 })`),
	npmSubject("balanced-match@1.0.2", "sha512-3oSeUO0TMV67hN1AmbXsK4yaqU7tjiHlbxRDZOpH0KW9+CeX4bRAaX0Anxt0tx2MrpRpWwQaPwIlISEJhYU5Pw==", "index.js", 3,
		`f("{", "}", "pre{in{nest}}post").body`, `f("(", ")", "a(b)c(d)").post`, `f("{", "}", "{{a}").pre`, `f("<b>", "</b>", "x<b>y</b>z").end`),
	npmSubject("fast-levenshtein@2.0.6", "sha512-DCXu6Ifhqcks7TZKY3Hxp3y6qphY5SJZmrWMDrKcERSOXWQdMhU9Ig/PYrzyw/ul9jOIyh0N4M0tbC5hodg8dw==", "levenshtein.js", 3,
		`f.get("", "abc")`, `f.get("kitten", "sitting")`, `f.get("saturday", "sunday")`, `f.get("same", "same")`),
	npmSubject("binary-search@1.3.6", "sha512-nbE1WxOTTrUWIfsfZ4aHGYu5DOuNkbxGokjV6Z2kxfJK3uaAb8zNK1muzOeipoLHZjInT4Br88BHpzevc681xA==", "index.js", 4,
		`f([1, 3, 5, 7], 5, (a, b) => a - b)`, `f([1, 3, 5, 7], 4, (a, b) => a - b)`, `f([1, 3, 5, 7], 1, (a, b) => a - b, 0, 2)`, `f([1, 3, 5, 7], 9, (a, b) => a - b, 1)`),
	npmSubject("compare-versions@3.6.0", "sha512-W6Af2Iw1z4CB7q4uU4hv646dW9GQuBM+YpC0UvUCWSD8w90SJjp+ujJuXaEMtAXBtSqGfMPuFOVn4/+FlaqfBA==", "index.js", 5,
		`f("1.2.3", "1.2.4")`, `f("10.1.0", "9.9.9")`, `f("1.0.0-alpha", "1.0.0")`, `f("1.0.0-beta.2", "1.0.0-beta.11")`, `f("1.0", "1.0.0")`, `f.compare("2.0.0", "1.9.0", ">=")`),
}

var inJavaScript = language{
	Probe: probeJavaScript,
	Run:   []string{"timeout", "10", "node", "probe.js"},
	Raised: func(out string) (raised, message, place string) {
		if at := thrownInNode.FindStringSubmatch(out); at != nil {
			raised, message = at[1], at[2]
		}
		if at := firstInNode.FindStringSubmatch(out); at != nil {
			place = at[1] + ":" + at[2]
		}
		return raised, message, place
	},
	Forms: []form{
		{Name: "node_test", Check: testJavaScript, Verdict: "test_failure", Raised: "AssertionError", Expected: "right", Threw: "exception"},
		{Name: "script", Check: scriptJavaScript("assert.strictEqual(CALL, WANT);", false), Verdict: "exception", Raised: "AssertionError", Expected: "right", Threw: "exception"},
		{Name: "thrown", Check: scriptJavaScript("if (got !== WANT) throw new Error('wrong answer');", true), Verdict: "exception", Raised: "Error", Message: "wrong answer", Threw: "exception"},
	},
}

var (
	thrownInNode = regexp.MustCompile(`(?m)^(\w*Error): (.*)$`)
	firstInNode  = regexp.MustCompile(`(?m)^    at (?:.* \()?(\w[\w.-]*\.js):(\d+):\d+\)?$`)
)

func layJavaScript(s subject, sources []string) map[string]string {
	return map[string]string{"subject.js": sources[0], "package.json": "{\"name\": \"check\", \"version\": \"1.0.0\"}\n"}
}

func probeJavaScript(s subject, sources []string) map[string]string {
	text := "console.log('" + started + "');\nconst f = require('./subject.js');\n"
	for _, call := range s.Calls {
		text += fmt.Sprintf("console.log('=> ' + ((v) => Object.is(v, -0) ? '-0' : typeof v === 'number' || v === undefined ? String(v) : JSON.stringify(v))(%s));\n", call)
	}
	files := layJavaScript(s, sources)
	files["probe.js"] = text
	return files
}

func testJavaScript(s subject, sources, calls, wants []string) checked {
	all := []string{"const test = require('node:test');", "const assert = require('node:assert');", "const f = require('./subject.js');", ""}
	for i, call := range calls {
		all = append(all, fmt.Sprintf("test('call %d', () => {", i+1), fmt.Sprintf("@  assert.deepStrictEqual(%s, %s);", call, wants[i]), "});")
	}
	return javascriptChecked(s, sources, "check.test.js", all, calls[len(calls)-1], wants[len(calls)-1])
}

func scriptJavaScript(check string, local bool) func(s subject, sources, calls, wants []string) checked {
	return func(s subject, sources, calls, wants []string) checked {
		all := []string{"const assert = require('node:assert');", "const f = require('./subject.js');", "", "function check() {", "  let got;"}
		left := calls[len(calls)-1]
		for i, call := range calls {
			if local {
				all = append(all, "  got = "+call+";")
				left = "got"
			}
			all = append(all, "@  "+filled(check, call, wants[i]))
		}
		all = append(all, "}", "", "check();")
		return javascriptChecked(s, sources, "check.js", all, left, wants[len(calls)-1])
	}
}

func javascriptChecked(s subject, sources []string, file string, all []string, left, rightSide string) checked {
	text, at := lines(all...)
	files := layJavaScript(s, sources)
	files[file] = text
	return checked{Files: files, Question: map[string]any{"target": file}, Place: fmt.Sprintf("%s:%d", file, at), Left: left, Right: rightSide}
}
