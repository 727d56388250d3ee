# Rebuilds the sample code objects: make -f traces/samples/samples.mk samples, from the repository's root.
# The same compiler gives the same bytes (no debug information, or one without paths of the machine); TOOLCHAIN names the
# one that was used.
# SAMPLES_OUT builds them elsewhere, which is how tests/system/test_sample_build.c compares.
SAMPLES_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
SAMPLES_OUT ?= $(SAMPLES_DIR)
SAMPLES_CC  ?= clang-19
SAMPLES_CFLAGS := -x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -nogpulib -ffp-contract=off \
                  -cl-fp32-correctly-rounded-divide-sqrt -Wall -Wextra -Werror
SAMPLES_TARGETS := gfx803 gfx90a gfx1201
SAMPLES_CL  := $(sort $(notdir $(basename $(wildcard $(SAMPLES_DIR)/*.cl))))
SAMPLES_S   := $(sort $(notdir $(basename $(wildcard $(SAMPLES_DIR)/*.s))))
SAMPLES_W64 := matmul reduce_dpp
# with debug information, for gcnsim annotate: source lines, inlined functions
SAMPLES_G   := $(foreach t,gfx90a gfx1201,$(t)/matmul.g.co $(t)/softmax.g.co)

SAMPLES_CO := $(foreach t,$(SAMPLES_TARGETS),$(foreach n,$(SAMPLES_CL),$(t)/$(n).co $(t)/$(n).O0.co)) \
              $(SAMPLES_W64:%=gfx1201/%.w64.co) $(SAMPLES_G) $(SAMPLES_S:%=gfx803/%.co)

# clang-19 emits code object v5 by itself; these two are v4 and v6 (which it warns about).
SAMPLES_FLAGS_saxpy := -mcode-object-version=4
SAMPLES_FLAGS_scan  := -mcode-object-version=6 -Wno-error

# The kernels of docs/TUTORIAL.md, with line tables whose paths start at the repository's root.
SAMPLES_CO += $(patsubst $(SAMPLES_DIR)/%.cl,%.co,$(sort $(wildcard $(SAMPLES_DIR)/tutorial/*.cl)))
SAMPLES_TUTORIAL := -mcpu=gfx1201 -O2 -gline-tables-only -fdebug-compilation-dir=.

samples: $(SAMPLES_CO:%=$(SAMPLES_OUT)/%)

define samples_rules
$(SAMPLES_OUT)/$(1)/%.O0.co: $(SAMPLES_DIR)/%.cl $(SAMPLES_DIR)/gcn.h
	@mkdir -p $$(@D)
	$(SAMPLES_CC) $(SAMPLES_CFLAGS) $$(SAMPLES_FLAGS_$$*) -mcpu=$(1) -O0 -o $$@ $$<
$(SAMPLES_OUT)/$(1)/%.w64.co: $(SAMPLES_DIR)/%.cl $(SAMPLES_DIR)/gcn.h
	@mkdir -p $$(@D)
	$(SAMPLES_CC) $(SAMPLES_CFLAGS) $$(SAMPLES_FLAGS_$$*) -mcpu=$(1) -mwavefrontsize64 -O2 -o $$@ $$<
$(SAMPLES_OUT)/$(1)/%.g.co: $(SAMPLES_DIR)/%.cl $(SAMPLES_DIR)/gcn.h
	@mkdir -p $$(@D)
	$(SAMPLES_CC) $(SAMPLES_CFLAGS) $$(SAMPLES_FLAGS_$$*) -g -ffile-compilation-dir=. -mcpu=$(1) -O2 -o $$@ $$<
$(SAMPLES_OUT)/$(1)/%.co: $(SAMPLES_DIR)/%.cl $(SAMPLES_DIR)/gcn.h
	@mkdir -p $$(@D)
	$(SAMPLES_CC) $(SAMPLES_CFLAGS) $$(SAMPLES_FLAGS_$$*) -mcpu=$(1) -O2 -o $$@ $$<
endef
$(foreach t,$(SAMPLES_TARGETS),$(eval $(call samples_rules,$(t))))

$(SAMPLES_OUT)/tutorial/%.co: $(SAMPLES_DIR)/tutorial/%.cl $(SAMPLES_DIR)/gcn.h
	@mkdir -p $(@D)
	$(SAMPLES_CC) $(SAMPLES_CFLAGS) $(SAMPLES_TUTORIAL) -o $@ $<

$(SAMPLES_OUT)/gfx803/%.co: $(SAMPLES_DIR)/%.s
	@mkdir -p $(@D)
	$(SAMPLES_CC) -target amdgcn-amd-amdhsa -mcpu=gfx803 -mcode-object-version=5 -o $@ $<

.PHONY: samples
