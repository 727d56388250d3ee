# make install, make uninstall: everything below DESTDIR/PREFIX, by one list of folders. Included by tests/tests.mk.
#
#   bin include           the tool, the library's headers
#   lib (LIBDIR)          the library, its pkg-config file and its CMake package
#   lib/gcnsim/hsa        the HSA runtime, in a folder of its own, out of the dynamic linker's way: `gcnsim exec` alone
#                         puts it under programs
#   share/gcnsim          profiles, samples (a folder to copy: launch files write to samples/out), the Python package
#   share/doc/gcnsim      README.md and docs/, whose links to traces/samples work
#   share/man/man1, share/bash-completion, share/zsh, share/fish
INSTALL_TO  := $(DESTDIR)$(PREFIX)
INSTALL_LIB := $(DESTDIR)$(LIBDIR)
INSTALL_CMAKE := $(INSTALL_LIB)/cmake/gcnsim
INSTALL_SO  := libgcnsim.so.$(VERSION)
INSTALL_HSA := $(INSTALL_TO)/lib/gcnsim/hsa
INSTALL_DOC := $(INSTALL_TO)/share/doc/gcnsim
INSTALL_MAN := $(INSTALL_TO)/share/man/man1
INSTALL_BASH := $(INSTALL_TO)/share/bash-completion/completions
INSTALL_ZSH  := $(INSTALL_TO)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
INSTALL_FISH := $(INSTALL_TO)/share/fish/vendor_completions.d
INSTALL_HSA_RULE = install -d $(INSTALL_HSA) && install -m 755 $(HSA_LIB) $(INSTALL_HSA)/ && \
		ln -sf libhsa-runtime64.so.1 $(INSTALL_HSA)/libhsa-runtime64.so
INSTALL_HEADERS := $(wildcard sim/api/gcnsim*.h)
# the files of a folder that match, with their folders, but for what a build or a run has left among them
install_tree = cd $(1) && find . -type f $(3) ! -name '*.pyc' ! -path '*/out/*' | while read -r f; do \
		install -D -m 644 "$$f" "$(abspath $(2))/$$f" || exit 1; done

install: all
	@$(MAKE) --no-print-directory install-files

# what is built already
install-files:
	install -d $(INSTALL_TO)/bin $(INSTALL_LIB)/pkgconfig $(INSTALL_CMAKE) $(INSTALL_TO)/include $(INSTALL_TO)/share/gcnsim/profiles \
		$(INSTALL_TO)/share/gcnsim/samples/out $(INSTALL_DOC)/traces
	install -m 755 $(BUILD)/gcnsim $(INSTALL_TO)/bin/gcnsim
	install -m 755 $(BUILD)/libgcnsim.so $(INSTALL_LIB)/$(INSTALL_SO)
	ln -sf $(INSTALL_SO) $(INSTALL_LIB)/libgcnsim.so.$(SOVER)
	ln -sf libgcnsim.so.$(SOVER) $(INSTALL_LIB)/libgcnsim.so
	install -m 644 $(BUILD)/libgcnsim.a $(INSTALL_LIB)/libgcnsim.a
	install -m 644 $(INSTALL_HEADERS) $(INSTALL_TO)/include/
	$(PLACES) sim/api/gcnsim.pc.in > $(INSTALL_LIB)/pkgconfig/gcnsim.pc
	$(PLACES) sim/api/gcnsimConfig.cmake.in > $(INSTALL_CMAKE)/gcnsimConfig.cmake
	$(PLACES) sim/api/gcnsimConfigVersion.cmake.in > $(INSTALL_CMAKE)/gcnsimConfigVersion.cmake
	$(if $(HSA_LIB),$(INSTALL_HSA_RULE))
	install -m 644 $(PROFILES) $(INSTALL_TO)/share/gcnsim/profiles/
	@$(call install_tree,traces/samples,$(INSTALL_TO)/share/gcnsim/samples,! -name samples.mk ! -name .gitignore)
	$(if $(PYTHON_BUILT),@$(call install_tree,$(BUILD)/python,$(INSTALL_TO)/share/gcnsim/python))
	@$(call install_tree,docs,$(INSTALL_DOC)/docs)
	ln -sfn ../../../gcnsim/samples $(INSTALL_DOC)/traces/samples
	install -m 644 README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE $(INSTALL_DOC)/
	@if [ -e $(BUILD)/pages/gcnsim.1 ]; then set -x; install -d $(INSTALL_MAN) $(INSTALL_BASH) $(INSTALL_ZSH) $(INSTALL_FISH) && \
		install -m 644 $(BUILD)/pages/*.1 $(INSTALL_MAN)/ && \
		install -m 644 $(BUILD)/pages/gcnsim $(INSTALL_BASH)/gcnsim && \
		install -m 644 $(BUILD)/pages/_gcnsim $(INSTALL_ZSH)/_gcnsim && \
		install -m 644 $(BUILD)/pages/gcnsim.fish $(INSTALL_FISH)/gcnsim.fish; fi

uninstall:
	rm -f $(INSTALL_TO)/bin/gcnsim $(patsubst sim/api/%,$(INSTALL_TO)/include/%,$(INSTALL_HEADERS))
	rm -f $(INSTALL_LIB)/$(INSTALL_SO) $(INSTALL_LIB)/libgcnsim.so.$(SOVER) $(INSTALL_LIB)/libgcnsim.so
	rm -f $(INSTALL_LIB)/libgcnsim.a $(INSTALL_LIB)/pkgconfig/gcnsim.pc
	rm -f $(INSTALL_MAN)/gcnsim.1 $(INSTALL_MAN)/gcnsim-*.1
	rm -f $(INSTALL_BASH)/gcnsim $(INSTALL_ZSH)/_gcnsim $(INSTALL_FISH)/gcnsim.fish
	rm -rf $(INSTALL_TO)/share/gcnsim $(INSTALL_TO)/lib/gcnsim $(INSTALL_CMAKE) $(INSTALL_DOC)

# The source of the commit that is checked out as DIST/gcnsim-VERSION.tar.gz: the same bytes from every clone of it,
# whatever its umask, its settings of git and its day are. Times are the commit's.
DIST_NAME := gcnsim-$(VERSION)
dist:
	@git rev-parse --git-dir >/dev/null 2>&1 || { echo 'dist: no git repository here; expected a clone' >&2; exit 1; }
	@mkdir -p $(DIST)
	@git -c tar.umask=0022 -c core.autocrlf=false -c core.attributesFile=/dev/null archive --format=tar \
		--prefix=$(DIST_NAME)/ -o $(DIST)/$(DIST_NAME).tar HEAD
	@gzip -9nf $(DIST)/$(DIST_NAME).tar
	@echo $(DIST)/$(DIST_NAME).tar.gz
.PHONY: install install-files uninstall dist
