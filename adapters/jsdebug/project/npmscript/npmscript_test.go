package npmscript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCommands(t *testing.T) {
	for script, want := range map[string][]Command{
		"node server.js": {{File: "server.js"}},
		"node ./bin/www": {{File: "bin/www"}},
		"node -r dotenv/config src/a.js --port=80 'b c'":    {{File: "src/a.js", NodeArgs: []string{"-r", "dotenv/config"}, Args: []string{"--port=80", "b c"}}},
		"node --env-file=.env --watch index.mjs":            {{File: "index.mjs", NodeArgs: []string{"--env-file=.env"}}},
		"NODE_ENV=production node dist/main":                {{File: "dist/main", Env: map[string]string{"NODE_ENV": "production"}}},
		`cross-env A="1 2" B=$HOME node a.js`:               {{File: "a.js", Env: map[string]string{"A": "1 2"}}},
		"tsx watch --clear-screen=false src/main.ts":        {{File: "src/main.ts"}},
		"tsx watch --tsconfig x.json src/main.ts":           {{File: "src/main.ts"}},
		"ts-node -P tsconfig.dev.json src/index.ts a":       {{File: "src/index.ts", Args: []string{"a"}}},
		"ts-node-dev --respawn src/index.ts":                {{File: "src/index.ts"}},
		"nodemon --watch src -e ts app.js":                  {{File: "app.js"}},
		`nodemon --watch src --exec "ts-node src/index.ts"`: {{File: "src/index.ts"}},
		"nest start --watch":                                {{Tool: "nest", Args: []string{"start", "--watch"}}},
		"npm run build && node dist/index.js":               {{Tool: "tsc"}, {File: "dist/index.js"}},
		"npm run api":                                       {{File: "api.js"}},
		`concurrently "npm:api" "vite"`:                     {{File: "api.js"}, {Tool: "vite"}},
		"npm start":                                         nil, // itself
		"next dev -p '3001'":                                {{Tool: "next", Args: []string{"dev", "-p", "3001"}}},
		"PORT=1 vite dev & echo $HOME":                      {{Tool: "vite", Args: []string{"dev"}, Env: map[string]string{"PORT": "1"}}},
		"node --test":                                       nil,
		"node -e 'console.log(1)'":                          nil,
		"node $ENTRY":                                       nil,
		"":                                                  nil,
	} {
		s := Scripts{"start": script, "api": "node api.js", "build": "tsc"}
		if diff := cmp.Diff(want, s.Commands("start"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
	}
}
