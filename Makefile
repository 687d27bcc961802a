# Everything a developer needs; "make help" lists it. Go, git and make must be
# there, and to test a language its own tools: what else is needed is fetched at
# pinned versions.

GO      ?= go
BIN     := bin/aidb-mcp
LINTER  := .tools/golangci-lint
RUFF    := .tools/ruff/bin/ruff
TESTER  := .tools/gotestsum
RESULTS := .tools/results
RELEASE := .tools/goreleaser .tools/cyclonedx-gomod
# Races are looked for in the long run, which compiles everything once more for that: in
# the units and, end to end, in the server of all who set MainWithRaces, not in the test
# that drives it. The race detector needs a C compiler; without one it is left out.
RACE    := $(shell command -v `$(GO) env CC` >/dev/null 2>&1 && echo -race)
# Every process that looks for races would rest for a second before it ends, and
# the processes that watch over others are many.
export GORACE ?= atexit_sleep_ms=0
# Delve reads a program's debug information at a fraction of its speed when each of
# its reads is watched. What is compiled so serves the built server's tests, too.
RACING  := $(if $(RACE),$(RACE) -gcflags=github.com/go-delve/...=-race=false)
WATCHED = $(if $(AIDB_LONG),$(RACING))
# The tests are compiled as the server is, so that what one needs is there for the other;
# the programs that they debug are built as the machine's owner has it.
SAME    := $(if $(CGO_ENABLED),CGO_ENABLED=$(CGO_ENABLED),-u CGO_ENABLED)
# A shim that looks for the interpreter anew at each start takes longer than Python.
PYTHON  := $(patsubst %/,%:,$(dir $(shell python3 -c 'import sys; print(sys.executable)' 2>/dev/null)))
# Which packages have tests that need what is fetched: the others' need Go alone.
ENDTOEND := ^aidb-mcp/test(/|$$)
NEEDFUL  := ^aidb-mcp/adapters/((delve|debugpy|java|jsdebug|observe|ruby|native/(build|binary))(/|$$)|native$$)
# First what waits longest of them.
ALONE    = ./internal/cluster ./session ./adapters/.../project/... $$($(GO) list ./... | grep -vE '$(ENDTOEND)|$(NEEDFUL)')
# What waits more than it computes, end to end; what takes longest of the rest; and what
# waits then, for at the end it would leave a processor idle.
PATIENT  := ./test/cluster ./test/observing ./test/joining
LONGEST  := ./test/languages ./test/attempting ./test/diagnosing ./test ./test/tracing ./test/profiling
THEN     := ./test/serving ./test/leaving ./test/waiting ./test/faults
TARGETS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZ    ?= 10s
RUNS    ?= 9
SESSIONS ?= 1000
SEED    ?= 1
SOAK    ?= 30m
# Where the tests find the debug adapters that "make adapters" installs.
AIDB_HOME ?= $(CURDIR)/.adapters
export AIDB_HOME

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: build
build: ## build bin/aidb-mcp
	CGO_ENABLED=0 $(GO) build -o $(BIN) ./cmd/aidb-mcp

.PHONY: adapters
adapters: build ## install every debug adapter, for the tests, into .adapters
	.ci/debian
	.ci/gdb.sh "$(AIDB_HOME)/gdb"
	$(BIN) adapters install --all

# A part of the tests: its name, its packages, and what else go test is told. What fails
# is run again, unless it is much, and .ci/report.go tells what came of that; after a
# race nothing is, for it might not be seen again. No result is taken from an earlier
# run: Go does not know that the tests run the built server. What describes the tests to
# debuggers is not linked, which halves the time of that: no test is debugged itself.
part = $(TESTER) --format pkgname-and-test-fails --format-hide-empty-pkg --jsonfile $(RESULTS)/$(1).json \
	--rerun-fails=2 --rerun-fails-max-failures=5 --rerun-fails-abort-on-data-race \
	--packages="$(2)" -- -count=1 -vet=off -ldflags=-w -parallel 4 -exec "env $(SAME)" $(3)
driven = CGO_ENABLED=0 PATH="$(PYTHON)$$PATH" $(call part,$(1),$(2),-timeout $(if $(AIDB_LONG),3h,40m) $(3))
units = CGO_ENABLED=$(if $(WATCHED),1,0) $(call part,$(1),$(2),$(WATCHED) -timeout 30m $(3))

# Each part runs whatever the others say. The units need no adapters: they begin while these
# are fetched, and go on beside the end-to-end tests, as do the adapters' own tests then. Those
# often wait, as do the packages that follow them there: left to the end they would keep one
# processor busy of two. What takes longest is named first, and the rest runs beside it; "make
# lint" vets. One server is built for all of them.
.PHONY: test
test: export BUILT_SERVER = $(CURDIR)/$(BIN)
test: build $(TESTER) ## run the tests: units, adapters, and end to end against the built binary
	$(GO) mod download
	@rm -rf $(RESULTS) && mkdir -p $(RESULTS)
	@failed=; \
	$(call units,units,$(ALONE)) & units=$$!; \
	$(MAKE) --no-print-directory adapters >$(RESULTS)/fetched.log 2>&1 || { cat $(RESULTS)/fetched.log; wait $$units; exit 1; }; \
	cat $(RESULTS)/fetched.log; \
	$(call driven,end-to-end,$(LONGEST) $(THEN) $$($(GO) list ./test/... | grep -v $(PATIENT:./%=-e '/%$$'))) & driven=$$!; \
	wait $$units || failed=yes; \
	$(call units,adapters,./adapters/native/build $$($(GO) list ./... | grep -E '$(NEEDFUL)' | grep -v /project),-p 1) || failed=yes; \
	$(call driven,patient,$(PATIENT),-p 1) || failed=yes; \
	wait $$driven || failed=yes; \
	CGO_ENABLED=0 $(GO) run .ci/report.go $(foreach name,units adapters patient end-to-end,$(RESULTS)/$(name).json) || failed=yes; \
	test -z "$$failed"

.PHONY: test-all
test-all: export AIDB_LONG = 1
test-all: export AIDB_RACES = $(RACE)
test-all: test ## run all tests, and what repeats them with a second debugger or many more times, or proves a figure
	CGO_ENABLED=0 $(GO) test -count=1 -v -run 'TestFiguresOfALargeCluster' ./internal/cluster

.PHONY: quick
quick: ## run the tests that need nothing but Go: no adapters, no other languages (about 25 s)
	$(GO) test $(ALONE)

.PHONY: check
check: lint quick ## what to run before a change is sent: the linters and the quick tests

.PHONY: test-real
test-real: adapters ## debug every real project of test/real, fetched from the registries into AIDB_REAL
	$(GO) test -timeout 60m ./test/real -all

.PHONY: test-benchmarks
test-benchmarks: adapters ## put first questions to 200 programs of others, fetched from the registries into AIDB_BENCHMARKS, and count false answers
	CGO_ENABLED=0 AIDB_LONG=1 BUILT_SERVER=$(CURDIR)/$(BIN) PATH="$(PYTHON)$$PATH" $(GO) test -count=1 -v -parallel 3 -timeout 40m ./test/benchmarks

.PHONY: test-clients
test-clients: build ## find a bug with every MCP client of test/clients, fetched from the registries into AIDB_CLIENTS
	$(GO) test -count=1 -v -timeout 20m ./test/clients

REPLIES := $(CURDIR)/.adapters/replies
.PHONY: test-kubernetes
test-kubernetes: build ## hold the manifests of packaging/kubernetes and packaging/compose against the types of their APIs, and their commands against the server
	cd packaging/kubernetes/check && BUILT_SERVER=$(CURDIR)/bin/aidb-mcp $(GO) test -count=1 ./...

.PHONY: tokens
tokens: adapters ## count the tokens of all replies of the end-to-end tests, as text and as JSON, and write docs/replies.md anew
	rm -rf $(REPLIES) && mkdir -p $(REPLIES)
	PATH="$(PYTHON)$$PATH" RECORD_REPLIES=$(REPLIES) $(GO) test -count=1 -vet=off -timeout 40m -parallel 4 ./test/languages ./test/diagnosing ./test ./test/tracing ./test/...
	COUNT_REPLIES=$(REPLIES) $(GO) test -count=1 ./test/tokens -update

.PHONY: torture
torture: adapters ## end 1,000 sessions in every way, and count what is left of them (SESSIONS=1000 SEED=1)
	cd test/torture && $(GO) test -timeout 120m -sessions $(SESSIONS) -seed $(SEED)

.PHONY: soak
soak: adapters ## keep one server busy, and see that it stays as it is (SOAK=30m)
	cd test/soak && $(GO) test -timeout 0 -for $(SOAK)

.PHONY: bench
bench: adapters ## measure the server beside a bare DAP client, in each language (RUNS=9)
	$(BIN) bench --runs $(RUNS)

.PHONY: demo
demo: ## watch an agent debug a program
	$(GO) run ./cmd/aidb-mcp demo

# Without cgo, as the server is built: what is compiled for one serves the other.
.PHONY: lint
lint: $(LINTER) lint-python ## gofmt, the linters of .golangci.yml, go vet among them, and lint-python
	@files=$$(git ls-files -z "*.go" | xargs -0 gofmt -l) && if [ -n "$$files" ]; then echo "gofmt wants to change:" $$files >&2; exit 1; fi
	CGO_ENABLED=0 GOLANGCI_LINT_CACHE=$(CURDIR)/.tools/lint-cache $(LINTER) run

.PHONY: lint-python
lint-python: $(RUFF) ## ruff, on the Python that runs inside gdb and LLDB
	$(RUFF) check --no-cache adapters/native/scripts

$(RUFF): .ci/ruff.txt
	rm -rf .tools/ruff
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --require-hashes --only-binary :all: --target .tools/ruff -r .ci/ruff.txt
	@touch $@

$(LINTER): .ci/lint.mod .ci/lint.sum
	CGO_ENABLED=0 $(GO) build -modfile=.ci/lint.mod -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(TESTER): .ci/test.mod .ci/test.sum
	CGO_ENABLED=0 $(GO) build -modfile=.ci/test.mod -o $@ gotest.tools/gotestsum

.PHONY: cross
cross: ## compile for every platform into dist/
	@for target in $(TARGETS); do \
		os=$${target%/*}; arch=$${target#*/}; suffix=; \
		if [ $$os = windows ]; then suffix=.exe; fi; \
		echo "compile $$target"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o dist/aidb-mcp-$$os-$$arch$$suffix ./cmd/aidb-mcp || exit 1; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build ./... || exit 1; \
	done

.PHONY: release-snapshot
release-snapshot: $(RELEASE) ## make a release of this commit in dist/ and install each of this platform's packages; publishes nothing (20 min the first time)
	PATH="$(CURDIR)/.tools:$$PATH" .tools/goreleaser release --snapshot --clean --parallelism 2
	$(GO) run ./packaging/pack --dist dist
	$(GO) test -count=1 ./test/packages -dist dist

.tools/goreleaser: .ci/release.mod .ci/release.sum
	CGO_ENABLED=0 $(GO) build -modfile=.ci/release.mod -o $@ github.com/goreleaser/goreleaser/v2

.tools/cyclonedx-gomod: .ci/release.mod .ci/release.sum
	CGO_ENABLED=0 $(GO) build -modfile=.ci/release.mod -o $@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

.PHONY: packages
packages: build ## make this platform's packages in dist/packages
	$(GO) run ./packaging/pack --binary $(BIN) --out dist/packages

.PHONY: fuzz
fuzz: ## run every fuzz target for a while (FUZZ=10s each)
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "fuzz $$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ) -fuzzminimizetime 100x $$pkg || exit 1; \
		done; \
	done

.PHONY: docs
docs: ## write docs/tools.md anew from the tools' definitions
	$(GO) run ./cmd/aidb-mcp tools > docs/tools.md

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist .tools
