# Every task by its name. `make help` lists them.

PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^let version = "\(.*\)"$$/\1/p' Package.swift)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
# Options of `swift build` for the suites.
SUITES ?=
# Where scripts/setup puts the Python environments, and the SDK for arm64.
ENVIRONMENTS := $(or $(MSDK_CACHE),.build/environments)
SDK := $(ENVIRONMENTS)/arm64
# ARCH=aarch64, or arm64 as Debian calls it, builds for that on a machine of another kind.
ARCH := $(patsubst arm64,aarch64,$(or $(ARCH),$(shell uname -m)))
ifeq ($(filter $(shell uname -m),$(ARCH)),)
CROSS := arm64
BUILT := .build/arm64
SWIFT_OPTIONS := --scratch-path $(BUILT) --swift-sdks-path $(SDK) --swift-sdk msdk-arm64 \
	--pkg-config-path $(SDK)/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig
EMULATOR := qemu-aarch64-static -L $(SDK)/sysroot
else
BUILT := .build
endif
RELEASE := $(BUILT)/release
# Without debugging information, which packages leave out, and which takes a sixth of the compiler's time.
BUILD = swift build -c release -Xswiftc -gnone $(SWIFT_OPTIONS) $(QUIET) --product
ENGINE := $(abspath $(ENVIRONMENTS))/credentials/libanoncreds.so
USER_ID := $(shell id -u)
SWIFT_SOURCES := Package.swift Sources Tests bindings/swift/Package.swift bindings/swift/Sources bindings/swift/Tests

# The parts of `make test`, in the order in which they begin. `make test-install` has the ways to install, and the packages for
# other languages.
# The longest parts come first, so that the last minutes have short parts for both processors.
PARTS := lint check-bindings check-docs docs test-swift release abi check-speed test-c test-calls test-service test-readme test-wallet test-python test-command test-faults test-documents

# The tests that `make interop` shows as cells of its tables.
CELLS := handshakes public_did credentials refusals revocation proofs ledger issuing proposals versions publishing verifying cloud_agents

.PHONY: help setup packages build release demo test check lint format bindings docs screenshots test-site check-bindings check-docs abi install \
	test-swift test-c test-calls test-swift-binding test-readme test-python test-wallet test-faults test-documents test-service interop test-install test-prefix test-wheel test-debs test-container test-command test-java test-go test-node test-dist test-arm64 test-debian-arm64 wheel deb dist fuzz asan tsan coverage soak \
	check-speed bench bench-quick bench-agents bench-agency bench-credentials bench-loaded bench-messages bench-wallet

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "  make %-20s %s\n", $$1, $$2 }'

setup: ## install what is missing to build and test: Debian packages, and the libraries for credentials
	@scripts/setup --quiet credentials

# For building, which needs no more: what is opened at run time can come later.
packages:
	@scripts/setup --quiet

build: packages ## build everything for debugging
	swift build

# libmsdk.so, and libvcx.so beside it for programs that know only that name. The soname is a link too, so that programs
# run from the build directory. msdk.pc there serves pkg-config for the library that is not installed.
# RELEASED=1 takes the built files as they are: scripts/test-all has built them.
ifdef RELEASED
release:
else
release: packages ## build libmsdk.so, msdk-agency and msdk as they are shipped; ARCH=aarch64: for arm64, in .build/arm64
	@$(if $(CROSS),scripts/setup --quiet $(CROSS))
	@$(BUILD) msdk
	@$(BUILD) msdk-agency
	@$(BUILD) msdk-cli
	@ln -sf libmsdk.so $(RELEASE)/libmsdk.so.$(MAJOR)
	@ln -sf libmsdk.so $(RELEASE)/libvcx.so
	@sed -e 's|@PREFIX@|$(CURDIR)|' -e 's|@LIBDIR@|$(CURDIR)/$(RELEASE)|' -e 's|@VERSION@|$(VERSION)|' msdk.pc.in > $(RELEASE)/msdk.pc
	@scripts/man $(RELEASE) $(EMULATOR)
endif

demo: release ## Alice meets an ACA-Py agent; APP=c: her program in C; LEDGER=indy or webvh; PEER=msdk: a peer with msdk; CLOUD_AGENT=acapy: an ACA-Py mediator
	@scripts/setup --quiet credentials $(if $(filter msdk,$(PEER)),,acapy sponsor) $(if $(filter acapy,$(CLOUD_AGENT)),acapy) $(if $(filter indy,$(LEDGER)),ledger) $(if $(filter webvh,$(LEDGER)),acapy-1.7)
	@APP=$(APP) PEER=$(PEER) LEDGER=$(LEDGER) CLOUD_AGENT=$(CLOUD_AGENT) demo/run

test: setup ## all tests in their short forms, part by part, ending at the first part that fails
	@scripts/test-all $(PARTS)

check: test ## what CI runs: the same as test

lint: ## the layout of all Swift sources
	swift format lint --strict -r $(SWIFT_SOURCES)

check-bindings: ## whether the header and the generated files of the bindings are those of the Swift sources
	scripts/bindings --check

docs: ## these documents as a site, in .build/site
	@scripts/setup --quiet docs
	$(ENVIRONMENTS)/docs/bin/python tools/site/build .build/site

screenshots: docs release ## pictures of the site, of the command on a terminal and of the university, in docs/screenshots
	@scripts/setup --quiet browser tests credentials university
	tools/site/screenshots .build/site docs/screenshots
	$(ENVIRONMENTS)/python-tests/bin/python tools/site/story-screenshots docs/screenshots
	@cd docs/screenshots && pngquant --force --ext .png --speed 1 64 *.png

test-site: ## the site in Chromium: its search, its copies, and pages as narrow as a telephone
	@scripts/setup --quiet browser docs tests
	$(ENVIRONMENTS)/python-tests/bin/python -m pytest -q -p no:cacheprovider Tests/Site

check-docs: ## whether the documents link to what exists and show the imports as they are
	scripts/check-docs

test-swift: setup ## the Swift test suites
	@scripts/setup --quiet postgresql ledger
	scripts/test-swift $(SUITES)

abi: release check-bindings ## whether the built library is what the header says
	scripts/check-abi $(RELEASE)/libmsdk.so $(RELEASE)/msdk-agency $(RELEASE)/msdk-cli

test-c: release ## C programs against the built library
	Tests/C/run $(RELEASE)

test-calls: release ## the whole API called at random; SECONDS=10, ARGS="--seed N --threads N --limited N"
	Tests/Calls/run --seconds $(or $(SECONDS),10) $(or $(ARGS),--limited 2) $(RELEASE)

# A program with a Swift runtime of its own.
test-swift-binding: release ## the package bindings/swift against the built library
	@scripts/setup --quiet credentials
	cd bindings/swift && PKG_CONFIG_PATH=$(CURDIR)/$(RELEASE) LD_LIBRARY_PATH=$(CURDIR)/$(RELEASE) \
		MSDK_AGENCY=$(CURDIR)/$(RELEASE)/msdk-agency MSDK_ANONCREDS_LIB=$(ENGINE) swift test --disable-xctest --quiet \
		--scratch-path $(CURDIR)/.build/swift-binding

deb: release ## the Debian packages, in .build/deb; ARCH=arm64: for arm64, in .build/arm64/deb
	@scripts/setup --quiet deb
	packaging/deb $(RELEASE) $(VERSION) $(BUILT)/deb $(if $(CROSS),$(SDK))

wheel: release ## the Python wheel, with the library, the programs and their C libraries, in .build/wheel/dist; ARCH=aarch64: in .build/arm64/wheel/dist
	@scripts/setup --quiet wheel
	packaging/wheel $(RELEASE) $(BUILT)/wheel $(if $(CROSS),$(SDK))

dist: release ## the files of a release for x86-64 and arm64, in .build/dist: wheels, Debian packages, source archive, bill of materials, SHA256SUMS
	@scripts/setup --quiet deb wheel dist arm64
	@$(MAKE) --no-print-directory ARCH=arm64 release
	packaging/dist $(RELEASE) .build/arm64/release $(SDK) $(VERSION) .build/dist

test-dist: ## two builds of this commit in two clean clones, byte by byte; takes as long as both
	packaging/compare

test-install: release test-prefix test-swift-binding ## every way to install, from nothing: prefix, Python wheel, Debian, Java, Go, Node.js, container, Swift
	@$(MAKE) --no-print-directory test-wheel test-node ARGS=--all
	@$(MAKE) --no-print-directory test-java test-go test-debs test-container
	Tests/Install/swift-package $(RELEASE)

test-wheel: release ## the Python wheel in an empty environment; ARGS=--all for every Python
	@scripts/setup --quiet credentials wheel $(if $(filter --all,$(ARGS)),chroot)
	Tests/Install/wheel $(ARGS) $(RELEASE)

# The peer and what gives the invitation are of this machine.
test-arm64: release ## the build for arm64 under emulation: the programs in C, and the demo's Alice with the wheel and its agency
	@$(MAKE) --no-print-directory ARCH=arm64 wheel
	@scripts/setup --quiet credentials
	Tests/Install/arm64 $(SDK) .build/arm64

test-debian-arm64: ## the wheel and the Debian packages for arm64 in clean Debians under emulation; needs root
	@$(MAKE) --no-print-directory ARCH=arm64 wheel deb
	@scripts/setup --quiet chroot
	Tests/Install/wheel --arm64 .build/arm64/wheel/dist/*.whl
	Tests/Install/debs .build/arm64/deb arm64

test-debs: deb ## the Debian packages in a clean Debian of their own; needs root
	@scripts/setup --quiet chroot
	Tests/Install/debs .build/deb

test-container: deb ## the container of packaging/Dockerfile, where buildah is installed; needs root
	@scripts/setup --quiet container
	Tests/Install/container .build/deb

test-java: release ## the library in Java, through JNA
	@scripts/setup --quiet java
	Tests/Install/java $(RELEASE)

test-go: release ## the package bindings/go: its tests, the example of the README, and Alice in Go
	@scripts/setup --quiet credentials go
	scripts/test-readme Go
	Tests/Install/go $(RELEASE)

test-node: release ## the package bindings/node: the same; ARGS=--all also with Debian's Node.js
	@scripts/setup --quiet credentials node $(if $(filter --all,$(ARGS)),chroot)
	scripts/test-readme JavaScript
	Tests/Install/node $(ARGS) $(RELEASE)

test-prefix: release ## the library in a prefix of its own, for C and C++ programmers
	@scripts/setup --quiet credentials
	Tests/Install/prefix $(RELEASE)

test-service: release ## the systemd unit of msdk-agency, and the installed agency as the unit starts it
	@scripts/setup --quiet service
	rm -rf .build/service
	$(MAKE) --no-print-directory install PREFIX=$(CURDIR)/.build/service
	packaging/check .build/service

test-readme: release ## the three examples of the README, typed in, built and run
	scripts/test-readme

test-python: release ## the Python package, and the library against ACA-Py
	@scripts/setup --quiet acapy acapy-1.7 askar credentials docs ledger tests sponsor push-relay university webvh
	scripts/test-python interop

interop: release ## every handshake and exchange with every version of ACA-Py, and every kind of Cloud Agent, as three tables; ARGS go to pytest
	@scripts/setup --quiet acapy acapy-1.7 credentials ledger tests webvh
	MSDK_TEST_WIDE=1 scripts/test-python interop $(or $(ARGS),$(CELLS:%=Tests/Interop/test_%.py))

test-wallet: release ## the wallet through Python and the command line, and beside aries-askar
	@scripts/setup --quiet credentials tests askar
	scripts/test-python wallet

test-command: release ## the command line as an agent, as users run it
	@scripts/setup --quiet tests command credentials university
	scripts/test-python command $(ARGS)

test-faults: release ## system calls and allocations that fail, one at a time; ARGS go to pytest
	@scripts/setup --quiet tests
	scripts/test-python faults $(ARGS)

test-documents: release ## the steps of Evernym's documents, with a table of their results; ARGS go to pytest
	@scripts/setup --quiet acapy credentials ledger tests sponsor
	scripts/test-python documents $(ARGS)

fuzz: packages ## the parsers under libFuzzer; SECONDS=60 for each of TARGETS (all), JOBS=2 at a time
	scripts/fuzz --seconds $(or $(SECONDS),60) --jobs $(or $(JOBS),2) $(TARGETS)

soak: release ## the wallet, the agency, the whole API and the parsers under long load: some hours
	$(MAKE) --no-print-directory SECONDS=600 ARGS="--threads 16 --limited 60" test-calls
	$(MAKE) --no-print-directory SECONDS=600 fuzz
	MSDK_TEST_COMPILERS=gcc MSDK_TEST_SECONDS=600 MSDK_TEST_KILLS=2000 Tests/C/run $(RELEASE) wallet_threads wallet_kill
	@scripts/setup --quiet tests postgresql
	MSDK_TEST_CUTS=3000 MSDK_TEST_RECORDS=360 scripts/test-python wallet Tests/Wallet/test_power.py
	MSDK_TEST_KILLS=600 swift test --disable-xctest --enable-swift-testing --filter AgencyServerTests.KillTests
	MSDK_TEST_WAITING=10000 swift test --disable-xctest --enable-swift-testing --filter AgencyServerTests.ManyWaitingTests
	@scripts/setup --quiet acapy credentials
	MSDK_TEST_WIDE=1 MSDK_TEST_CLIENT_KILLS=200 MSDK_TEST_MEDIATOR_KILLS=50 MSDK_TEST_QUEUED=10000 scripts/test-python interop Tests/Interop/test_kills.py Tests/Interop/test_queued.py
	MSDK_TEST_KEPT_KILLS=500 MSDK_TEST_KEPT_AT_ONCE=12 scripts/test-python interop Tests/Interop/test_kept.py
	@scripts/setup --quiet acapy-1.7
	MSDK_TEST_SECONDS=3600 scripts/test-python interop Tests/Interop/test_random_exchanges.py
	MSDK_TEST_FAULT_POINTS=0 $(MAKE) --no-print-directory test-faults

check-speed: ## the instructions of key operations against Benchmarks/instructions.txt, where valgrind is installed
	@$(BUILD) operations
	scripts/check-speed $(RELEASE)/operations

bench: release ## the message path beside its peers and its floor: JSON lines, ratios, goals and a chart in .build/bench
	@scripts/setup --quiet acapy askar
	@$(BUILD) operations
	Benchmarks/path/run $(RELEASE) $(ENVIRONMENTS) $(ARGS)

bench-quick: ## the same in under three minutes, with less growth and more noise
	$(MAKE) --no-print-directory bench ARGS=--quick

bench-agents: release ## several agents in one process: the memory of an idle one, and calls for a selected one; ARGS="--count N"
	Benchmarks/agents/run $(RELEASE) $(ARGS)

bench-agency: release ## msdk-agency under load, beside ACA-Py's mediator; ARGS="--accounts N --messages N --rounds N"
	@scripts/setup --quiet acapy tests postgresql
	@$(BUILD) agency-load
	$(ENVIRONMENTS)/python-tests/bin/python Benchmarks/agency-load/run $(ARGS)

bench-credentials: release ## issuances and verifications beside the AnonCreds engine and ACA-Py; ARGS="--count N --rounds N --pause SECONDS"
	@scripts/setup --quiet acapy credentials tests
	@$(BUILD) credentials-load
	@.build/release/credentials-load .build/proof.json
	@$(ENVIRONMENTS)/acapy-0.12/bin/python Benchmarks/credentials/acapy.py .build/proof.json
	@MSDK_ANONCREDS_LIB=$(ENGINE) $(ENVIRONMENTS)/python-tests/bin/python Benchmarks/credentials/exchanges.py --engine $(ENVIRONMENTS)/credentials/bin/python $(ARGS)

bench-loaded: release ## issuances beside each other while a definition is made, by subscription and by polls; ARGS="--count N --rounds N"
	@scripts/setup --quiet credentials tests
	@MSDK_ANONCREDS_LIB=$(ENGINE) $(ENVIRONMENTS)/python-tests/bin/python Benchmarks/credentials/loaded.py $(ARGS)

bench-messages: release ## messages that the library tells of: their time to the callback, the price of waiting, shared downloads; ARGS="--messages N --idle SECONDS"
	@scripts/setup --quiet acapy credentials tests
	@MSDK_ANONCREDS_LIB=$(ENGINE) $(ENVIRONMENTS)/python-tests/bin/python Benchmarks/messages/run $(ARGS)

bench-wallet: release ## the wallet beside aries-askar and bare SQLite; ARGS="--million" takes longer
	@scripts/setup --quiet askar
	Benchmarks/wallet/run $(RELEASE) $(ENVIRONMENTS)/askar/lib/python3.11/site-packages/aries_askar/libaries_askar.so $(ARGS)

format: ## lay out all Swift sources
	swift format format --in-place -r $(SWIFT_SOURCES)

bindings: ## write the header and the generated files of the bindings anew
	scripts/bindings

asan: setup ## the Swift suites and the C programs under the address sanitizer
	@scripts/setup --quiet postgresql ledger
	scripts/sanitize address

tsan: setup ## the Swift suites under the thread sanitizer
	@scripts/setup --quiet postgresql ledger
	scripts/sanitize thread

coverage: setup ## which lines of Sources the Swift suites run
	@scripts/setup --quiet postgresql ledger
	scripts/coverage

# A user's installation builds what is not built. Root only copies: its builds would belong to root.
install: $(if $(filter 0,$(USER_ID)),,release) ## to PREFIX (/usr/local), below DESTDIR; ANONCREDS=FILE INDY_VDR=FILE go beside it
	@RELEASE="$(RELEASE)" VERSION=$(VERSION) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" LIBDIR="$(LIBDIR)" \
		ANONCREDS="$(ANONCREDS)" INDY_VDR="$(INDY_VDR)" packaging/install
