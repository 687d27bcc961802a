package pysrc

import "testing"

func TestActs(t *testing.T) {
	for text, want := range map[string]int{
		"import sys\n\nprint('x')\n":                     3,
		"\"\"\"Doc (of it).\"\"\"\nimport x\nx.run(1)\n": 3,
		"for a in range(3):\n    print(a)\n":             1,
		"with open('x') as f:\n    f.read()\n":           1,
		"async def f(): pass\nawait f()\n":               2,
		"import requests\nrequests.get(\n    'x',\n)\n":  2,
		"main()\n": 1,
		"def f():\n    print(1)\nx = f()\ny: int = g(1)\nx[f(1)] = 2\nf(1).x = 3\n":                                            0,
		"import sys\nsys.path.insert(0, '.')\nlogging.basicConfig()\nload_dotenv()\nadmin.site.register(X)\nregistry.add(1)\n": 0,
		"if (a):\n    print(a)\nassert(a)\ndel(a)\n@app.get('/')\ndef f(): pass\n":                                             0,
		"# print(1)\n'print(1)'\n": 0,
		"sys.exit(main())\n":       1,
		"":                         0,
	} {
		if got := Acts(text); got != want {
			t.Errorf("%q acts in line %d, want %d", text, got, want)
		}
	}
}
