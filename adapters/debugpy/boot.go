package debugpy

import _ "embed"

// What runs in Python on our behalf.
var (
	//go:embed boot/adapter.py
	adapterScript string // the adapter's process
	//go:embed boot/probe.py
	probeScript string // looks at an interpreter before anything is started
	//go:embed boot/digest.py
	digestScript string // evaluated in the program
	//go:embed boot/tests.py
	testsScript string // executed in each process of the program, before its code
	//go:embed boot/values.py
	valuesScript string // executed in each process of the program, before its code
	//go:embed boot/breaking.py
	breakingScript string // executed in each process of the program, before its code
	//go:embed boot/loading.py
	loadingScript string // executed in each process of the program, before its code
	//go:embed boot/raising.py
	raisingScript string // executed in each process of the program, before its code
	//go:embed boot/patch.py
	patchScript string // evaluated in the program
)
