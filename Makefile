# Every task by its name.

PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^let version = "\(.*\)"$$/\1/p' Package.swift)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
RELEASE := .build/release

.PHONY: build release bindings abi install test-c test-swift-binding example-c

build:
	swift build

# libmsdk.so, and libvcx.so beside it for programs that know only that name. The soname is a link too, so that programs
# run from the build directory.
release:
	swift build -c release --product msdk
	ln -sf libmsdk.so $(RELEASE)/libmsdk.so.$(MAJOR)
	ln -sf libmsdk.so $(RELEASE)/libvcx.so

# The header and the table of the Python package, from the Swift sources.
bindings:
	scripts/bindings

# Whether the built library is what the header says.
abi: release
	scripts/bindings --check
	scripts/check-abi $(RELEASE)/libmsdk.so

test-c: release
	Tests/C/run $(RELEASE)

# The package of bindings/swift, a program with a Swift runtime of its own.
test-swift-binding: release
	cd bindings/swift && LD_LIBRARY_PATH=$(CURDIR)/$(RELEASE) swift test -Xlinker -L$(CURDIR)/$(RELEASE)

# The example of bindings/c against an installed copy.
example-c:
	rm -rf .build/install .build/example-c
	$(MAKE) install PREFIX=$(CURDIR)/.build/install
	bindings/c/check .build/install .build/example-c

install: release
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 755 $(RELEASE)/libmsdk.so $(DESTDIR)$(PREFIX)/lib/libmsdk.so.$(VERSION)
	ln -sf libmsdk.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libmsdk.so.$(MAJOR)
	ln -sf libmsdk.so.$(MAJOR) $(DESTDIR)$(PREFIX)/lib/libmsdk.so
	ln -sf libmsdk.so.$(MAJOR) $(DESTDIR)$(PREFIX)/lib/libvcx.so
	install -m 644 include/msdk.h include/vcx.h $(DESTDIR)$(PREFIX)/include
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' msdk.pc.in \
		> $(DESTDIR)$(PREFIX)/lib/pkgconfig/msdk.pc
