//go:build linux

package diagnosing

func shopGo(way string) A { return A{"target": ".", "args": []string{way}} }

var golang = tongue{
	Name: "go",
	Failures: map[string]failure{
		"fine": {Start: shopGo("fine"), Verdict: "ok"},
	},
	Not: map[string]string{},
}
