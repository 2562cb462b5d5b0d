# Everything one does with this repository. `make test` is what CI runs: it installs what
# the tests need where it can, then checks and tests everything.

GO       ?= go
BIN      := $(CURDIR)/bin
# A number of inputs rather than a time: when a time ends in the middle of an input, go test calls that a failure.
FUZZTIME ?= 1500x
SOAKTIME ?= 2m
# The contract check of the command line lives beside the repository; it runs where it is there.
CONTRACT       ?= ../shared/checks/contract
CONTRACT_PARTS ?= # prefixes of commands; empty: all

GOLANGCI_VERSION := v2.14.0
GOLANGCI         := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

GORELEASER_VERSION := v2.16.0
GORELEASER         := $(BIN)/goreleaser-$(GORELEASER_VERSION)

GOVULNCHECK_VERSION := v1.8.0
GOVULNCHECK         := $(BIN)/govulncheck-$(GOVULNCHECK_VERSION)

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Programs from npm that tests start live beside the tests: each folder has a package.json, and a
# target below that waits for it with scripts/install-npm. They are fetched while Go compiles.
NPM_FOLDERS := test/clients test/web test/crate

# What tests left out because a program is missing; the last line of make test counts it.
export SKIPPED := $(BIN)/skipped.txt

# Only the race detector needs cgo. Everything else is built once, and shared, without.
export CGO_ENABLED := 0

.DEFAULT_GOAL := help
.PHONY: help test test-all quick quick-all race clients-run browser-run deps tools format-check vet lint cross cross-short unit fuzz-short fuzz contract clients browser crate crate-run screenshots bench brute-force soak soak-team queue build docs disputes release release-check vulncheck clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What waits runs beside what computes: packages are installed while the linter is built, where it has to be, and everything is compiled;
# tests wait now and then while the linter reads; clients and browser wait more than they compute.
test: ## install what is needed, check and test everything; REQUIRE_ALL=1: skip nothing
	@scripts/speak $(MAKE) --no-print-directory test-all

test-all:
	@mkdir -p $(BIN) && rm -f $(SKIPPED)
	@$(MAKE) --no-print-directory -j3 deps tools vet
	@$(MAKE) --no-print-directory format-check
	@$(MAKE) --no-print-directory -j2 lint unit
	@$(MAKE) --no-print-directory -j2 clients browser
	@$(MAKE) --no-print-directory -j2 crate fuzz-short cross-short contract
	@scripts/skipped $(SKIPPED)

quick: ## vet and all Go tests, without the race detector and the linter
	@scripts/speak $(MAKE) --no-print-directory quick-all

quick-all:
	@mkdir -p $(BIN) && rm -f $(SKIPPED)
	@$(MAKE) --no-print-directory format-check vet
	@scripts/alive tests $(GO) test -timeout 20m ./...
	@scripts/skipped $(SKIPPED)

deps: ## install the programs that tests start, where that is possible
	@GO=$(GO) scripts/fetch-early $(NPM_FOLDERS)
	@scripts/alive "installing programs" scripts/install-deps
	@GO=$(GO) scripts/fetch-early $(NPM_FOLDERS) # if npm is there only now

tools: $(GOLANGCI) ## install the pinned Go tools into bin/

$(GOLANGCI):
	@scripts/alive "building the linter" scripts/install-tool github.com/golangci/golangci-lint/v2/cmd/golangci-lint $(GOLANGCI_VERSION) $@

format-check: ## fail if gofmt would change a file
	@files=$$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi

vet: ## go vet
	@scripts/alive vet $(GO) vet ./...

lint: $(GOLANGCI) ## golangci-lint
	@scripts/alive lint $(GOLANGCI) run --allow-parallel-runners ./...

unit: ## all tests in random order; the race detector watches the concurrent packages
	@GO=$(GO) scripts/alive tests scripts/unit

# The detector would sleep for a second at the end of every process that a test starts.
race: ## all tests with the race detector
	@CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 scripts/alive tests $(GO) test -race -shuffle=on -timeout 40m ./...

fuzz-short: ## each fuzz target for a moment
	@scripts/fuzz $(FUZZTIME) plain

fuzz: ## each fuzz target for a minute
	@scripts/fuzz 60s

# Every platform is type-checked, which takes seconds; building for one takes a minute.
cross-short: ## type-check every platform
	@$(GO) run scripts/typecheck.go $(PLATFORMS)

# Only whether it builds matters here: without the optimiser that takes two thirds of the time.
cross: ## build for every platform, without cgo
	@for p in $(PLATFORMS); do \
		echo "build $$p"; \
		GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -gcflags='all=-N -l' -o /dev/null ./... || exit 1; \
	done

contract: ## compare the command line with its contract, where the check is there
	@if [ -x "$(CONTRACT)" ] && command -v python3 >/dev/null; then "$(CONTRACT)" $(CONTRACT_PARTS); \
	else echo "contract: no check at $(CONTRACT), or no python3; left out"; fi

# The clients take over a gigabyte; their install scripts are not run. They need Node 22 or newer, which
# comes with them.
clients: ## real MCP clients from npm against the server, and the conformance runner
	@if scripts/needs npm; then $(MAKE) --no-print-directory clients-run; else test -z "$$REQUIRE_ALL"; fi

clients-run:
	@scripts/install-npm test/clients
	@$(GO) build -o $(BIN)/brenner-clients ./cmd/brenner
	@node=$$(ls test/clients/node_modules/node-*/bin/node 2>/dev/null | head -1); \
	PATH="$${node:+$(CURDIR)/$${node%/node}:}$$PATH" node test/clients/run.mjs $(BIN)/brenner-clients

browser: ## the web app in a real browser: pages, writing, live updates, accessibility, hostile texts
	@if scripts/needs npm 'chromium|chromium-browser|google-chrome'; then $(MAKE) --no-print-directory browser-run; else test -z "$$REQUIRE_ALL"; fi

browser-run:
	@scripts/install-npm test/web
	@$(GO) build -o $(BIN)/brenner-browser ./cmd/brenner
	@node test/web/run.mjs $(BIN)/brenner-browser $(BROWSER_CHECKS)

crate: ## a crate, read by an RO-Crate library from npm
	@if scripts/needs npm node; then $(MAKE) --no-print-directory crate-run; else test -z "$$REQUIRE_ALL"; fi

crate-run:
	@scripts/install-npm test/crate
	@$(GO) build -o $(BIN)/brenner-crate ./cmd/brenner
	@node test/crate/run.mjs $(BIN)/brenner-crate

screenshots: ## the pictures and the recording in doc/img, from real runs
	@scripts/install-npm test/web
	@$(GO) build -o $(BIN)/brenner-browser ./cmd/brenner
	@node test/web/screenshots.mjs $(BIN)/brenner-browser doc/img
	@node test/web/recording.mjs $(BIN)/brenner-browser doc/img/recording.svg

bench: ## the benchmarks, as a table
	$(GO) test -run '^$$' -bench . -benchmem ./...

brute-force: ## every number of beliefs, next and reasons against brute force on 10,000 random threads
	$(GO) test -count=1 ./internal/science -run 'TestBruteForce$$' -args -threads 10000

soak: ## hours if you like: SOAKTIME for each fuzz target, and the tests again and again
	@scripts/fuzz $(SOAKTIME)
	$(GO) test -count=20 -shuffle=on ./...

TEAMTIME ?= 10m
soak-team: ## a team's server for TEAMTIME: nodes and connections killed, the primary failing over
	$(GO) test -count=1 -timeout 0 -v ./internal/teamtest -run TestTeam -lasts $(TEAMTIME)

build: ## bin/brenner
	$(GO) build -trimpath -o $(BIN)/brenner ./cmd/brenner

$(GORELEASER):
	@scripts/alive "building GoReleaser" scripts/install-tool github.com/goreleaser/goreleaser/v2 $(GORELEASER_VERSION) $@

# VERSION=1.2.3, RELEASE_URL=https://… and RELEASE_KEY=FILE when publishing.
release: $(GORELEASER) ## dist/: archives, packages, images, formula, SBOM and checksums of the last commit
	@rm -rf dist
	@scripts/release $(GORELEASER) dist

release-check: $(GORELEASER) vulncheck ## make a release twice and compare; install the .deb and play the demo
	@scripts/release-check $(GORELEASER)

vulncheck: ## known vulnerabilities in what the code calls, where their database can be had
	@scripts/vulncheck $(GOVULNCHECK_VERSION) $(GOVULNCHECK)

queue: ## play 30 sessions of three agents through a queue that is killed again and again
	QUEUE_SESSIONS=30 $(GO) test ./internal/runner -run 'TestQueue$$' -count=1 -v -timeout 20m

docs: ## write the pages that are made from code
	$(GO) test ./internal/cli ./internal/protocol -run 'TestReferencePage|TestUseCasesPage|TestPageOfCodesIsFresh' -update

disputes: ## play the baselines, and write the table of doc/reference/disputes.md
	@{ printf '# Baselines on disputes\n\nMade by `make disputes`: six agents that need no model play every dispute in every arm. [disputes.md](../disputes.md) says what the columns are.\n\n'; \
	$(GO) run ./cmd/brenner dispute report --baselines; } > doc/reference/disputes.md

clean: ## remove what make made
	rm -rf $(BIN)
