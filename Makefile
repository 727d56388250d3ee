# gcnsim: make demo, make test, make lint, make check; see README.md
VERSION  := 0.1.0
# of man pages: the day of the version
RELEASED := 2026-11-29
SOVER    := 1
BUILD    ?= build
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
DESTDIR  ?=
# where files to give away are made: source, wheel, packages
DIST     ?= dist
CC       ?= cc
PKG_CONFIG ?= pkg-config
OPT      ?= -O2
# make DEBUG=1: with debug information, which takes a third of the time and four fifths of the room of a build
DEBUG    ?=
WERROR   ?=
SAN      ?=
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla $(WERROR)
PKGS     := libelf libdw libcjson libzstd nettle zlib
# msgpack-c 6 (Debian 13) names its package file and its library msgpack-c, earlier ones msgpack and msgpackc
MSGPACK  := $(shell $(PKG_CONFIG) --exists msgpack-c 2>/dev/null && echo msgpack-c || echo msgpack)
MSGPACK_LIB := $(if $(filter msgpack-c,$(MSGPACK)),msgpack-c,msgpackc)
CPPFLAGS += -I. -I$(BUILD)/gen -DGCNSIM_VERSION='"$(VERSION)"'
CFLAGS_  := -std=gnu11 $(if $(DEBUG)$(SAN),-g) $(OPT) -fPIC -fvisibility=hidden -fno-math-errno -fno-trapping-math -ffp-contract=off \
            -pthread $(WARN) $(SAN) $(shell $(PKG_CONFIG) --cflags $(PKGS) $(MSGPACK) 2>/dev/null)
LIBS     := $(shell $(PKG_CONFIG) --libs $(PKGS) $(MSGPACK) 2>/dev/null || echo -ldw -lelf -lcjson -lzstd -lnettle -lz -l$(MSGPACK_LIB)) -liberty -lm -pthread
ARCH     := $(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1)

# One line for each file that is made; make V=1 shows the commands.
V        ?=
Q        := $(if $(V),,@)
say       = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$@')

# The lane loops (isa/insts, isa/lanes) are compiled once for each instruction set of the host; isa/variant.c
# picks the best the CPU has when a target is opened. aarch64 and others have the portable one alone. VARIANTS=native is
# the one that this machine would pick: a third of the whole build, for this machine alone (make demo).
VARIANTS := base
VFLAGS_base := -O3
ifeq ($(ARCH),x86_64)
VARIANTS += avx2 avx512
VFLAGS_avx2   := -O3 -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mf16c
VFLAGS_avx512 := $(VFLAGS_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512
endif
ifeq ($(VARIANTS),native)
native = $(if $(filter __AVX512VL__,$(1)),avx512,$(if $(filter __AVX2__,$(1)),avx2,base))
override VARIANTS := $(call native,$(if $(filter x86_64,$(ARCH)),$(shell $(CC) -march=native -dM -E -x c /dev/null)))
endif
# Debug builds (sanitizers) keep the same loops but let the compiler rest.
ifneq ($(SAN),)
VFLAGS_base := -O1
endif

# What every decoded instruction passes through is one translation unit: a fifth faster than five (tests/bench). The
# same for what every cycle of the timing engine passes through.
UNITS     := decoder caches units
decoder_c := $(addprefix isa/decode/,decode.c fields.c operands.c legal.c choose.c)
caches_c  := $(addprefix mem/cache/,channels.c lookup.c straight.c tags.c policy.c control.c peers.c warm.c) \
             $(addprefix mem/hierarchy/,lines.c near_side.c far_side.c dram.c tlb.c fabric.c routes.c coherence.c warm.c)
units_c   := $(addprefix sim/engine/timing/,cu/cycle.c cu/launch.c cu/ports.c cu/scoreboard.c front/clause.c front/fetch.c cu/execute.c \
             memory/memory_ops.c memory/operand_path.c front/interlocked.c front/queued.c cu/units.c cu/arbitration.c \
             cu/wave.c clock/clock.c) \
             sim/util/arbiter.c
# isa/insts and isa/lanes are compiled per variant, the command line is a program of its own.
LIB_DIRS  := config isa isa/table isa/decode isa/text mem mem/cache mem/hierarchy mem/lds traces traces/att traces/diff \
             $(addprefix sim/,util loader launch engine engine/sampling engine/functional check report api study) \
             $(addprefix sim/engine/timing,/ /clock /cu /front /memory)
LIB_SRC := $(filter-out $(foreach u,$(UNITS),$($(u)_c)),$(foreach d,$(LIB_DIRS),$(wildcard $(d:/=)/*.c)))
VAR_SRC := $(wildcard isa/insts/*.c isa/lanes/*.c)
CLI_SRC := $(wildcard sim/cli/*.c sim/sweep/*.c sim/options/*.c)
PROFILES := $(sort $(wildcard config/profiles/*.json))

LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/gen/profiles.o $(BUILD)/obj/gen/html.o $(UNITS:%=$(BUILD)/obj/gen/%.o) \
           $(foreach v,$(VARIANTS),$(VAR_SRC:%.c=$(BUILD)/obj/$(v)/%.o))
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/sim/sweep/html.o
# make MPI=1: gcnsim sweep deals points out to the ranks of an MPI job. The command line alone is linked with MPI, whose
# libraries are to find none of our names, as they would where a sanitized build shows them all: event_add is libevent's too.
ifneq ($(MPI),)
MPI_CFLAGS := $(shell pkg-config --cflags ompi-c)
MPI_LIBS   := -Wl,--exclude-libs,ALL $(shell pkg-config --libs ompi-c)
$(BUILD)/obj/sim/sweep/mpi.o: CPPFLAGS += -DGCNSIM_MPI $(MPI_CFLAGS)
endif
# what was built the other way is built again
ifneq ($(file <$(BUILD)/mpi),MPI=$(MPI))
$(shell mkdir -p $(BUILD) && echo 'MPI=$(MPI)' > $(BUILD)/mpi)
endif
$(BUILD)/obj/sim/sweep/mpi.o: $(BUILD)/mpi

all: $(BUILD)/gcnsim hsa $(BUILD)/libgcnsim.so $(BUILD)/libgcnsim.a $(BUILD)/gcnsim.pc $(BUILD)/pages/made

# The command line takes its libraries from archives where all of them are there: finding and relocating nine shared ones
# would be a third of a short command's time. CLI_LINK=shared links it with shared ones and with libgcnsim.so, as
# distributions want programs to be: a library that is mended is mended for all. What the sweep uses of sim/util, which
# libgcnsim.so does not show, is then linked beside it.
CLI_LINK ?= static
# cJSON has no archive: what is linked with archives loads it when JSON is read (sim/util/libcjson.h). Archives of elfutils
# lack a part in Debian 13.
STAND_INS    := $(addprefix $(BUILD)/obj/sim/util/loaded/,libcjson.o libeu.o)
CLI_ARCHIVES := dw elf $(MSGPACK_LIB) iberty zstd nettle sqlite3 z
CLI_MISSING  := $(foreach a,$(CLI_ARCHIVES),$(if $(filter /%,$(shell $(CC) -print-file-name=lib$(a).a 2>/dev/null)),,lib$(a).a))
CLI_SHARED   := $(filter shared,$(CLI_LINK))
CLI_LIBS     := $(if $(CLI_SHARED)$(strip $(CLI_MISSING)),$(LIBS) -lsqlite3,-Wl,-Bstatic $(CLI_ARCHIVES:%=-l%) -Wl,-Bdynamic -lm -pthread)
CLI_UTIL     := $(if $(CLI_SHARED),$(addprefix $(BUILD)/obj/sim/util/,arena.o budget.o error.o host_time.o input.o json_put.o json_scan.o json_text.o plain.o sha256.o text_stream.o),$(if $(strip $(CLI_MISSING)),,$(STAND_INS)))
$(BUILD)/gcnsim: $(CLI_OBJ) $(CLI_UTIL) $(BUILD)/obj/gen/cli_code.o $(BUILD)/libgcnsim.$(if $(CLI_SHARED),so,a)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLI_LIBS) $(MPI_LIBS)

# Man pages and completion scripts, which the tool makes of its table of options. Where it cannot be run (it is built for
# another machine), another gcnsim of this version can: make PAGES_TOOL=gcnsim.
PAGES_TOOL ?= $(if $(CLI_SHARED),LD_LIBRARY_PATH=$(BUILD) )$(BUILD)/gcnsim
$(BUILD)/pages/made: $(BUILD)/gcnsim
	@rm -rf $(@D) && mkdir -p $(@D)
	@if $(PAGES_TOOL) pages $(@D) 2>$@.log; then rm -f $@.log; else \
		echo "man pages and completions are not made: $(PAGES_TOOL) cannot be run"; cat $@.log >&2; fi
	@touch $@

# One relocatable object, so that the instruction rows (found through a linker section) are never left behind in an
# archive. Internal names stay linkable in it (hidden, not local): the unit tests use them.
$(BUILD)/libgcnsim.o: $(LIB_OBJ)
	$(call say,LINK)
	$(Q)$(LD) -r -o $@ $^
$(BUILD)/libgcnsim.a: $(BUILD)/libgcnsim.o
	$(Q)rm -f $@ && $(AR) rcs $@ $<
$(BUILD)/libgcnsim.so: $(LIB_OBJ) $(BUILD)/obj/gen/lib_code.o sim/api/gcnsim.map
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libgcnsim.so.$(SOVER) -Wl,--version-script=sim/api/gcnsim.map \
		-o $@ $(filter %.o,$^) $(LIBS)
	@ln -sf libgcnsim.so $@.$(SOVER)
# what programs of others find the library by, for pkg-config and CMake
PLACES = sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|g' -e 's|@VERSION@|$(VERSION)|g' \
         -e 's|@SOVER@|$(SOVER)|g' -e 's|@MSGPACK@|$(MSGPACK)|g' \
         -e "s|@LIB_TO_INCLUDE@|$$(realpath -ms --relative-to=$(LIBDIR) $(PREFIX)/include)|g"
$(BUILD)/gcnsim.pc: sim/api/gcnsim.pc.in Makefile
	@mkdir -p $(@D)
	@$(PLACES) $< > $@

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/obj/sim/cli/man.o: CPPFLAGS += -DGCNSIM_RELEASED='"$(RELEASED)"'
# the timing engine's and the hierarchy's loops gain a tenth by it; state.c has loops over the lanes of each wave
ifeq ($(OPT)$(SAN),-O2)
$(BUILD)/obj/sim/launch/state.o $(BUILD)/obj/mem/%.o $(BUILD)/obj/sim/engine/%.o $(UNITS:%=$(BUILD)/obj/gen/%.o): CFLAGS_ += -O3
endif
define variant_rule
$(BUILD)/obj/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) $$(CPPFLAGS) -DISA_VARIANT=$(1) $$(CFLAGS_) $$(VFLAGS_$(1)) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
endef
$(foreach v,$(VARIANTS),$(eval $(call variant_rule,$(v))))

$(UNITS:%=$(BUILD)/gen/%.c): $(BUILD)/gen/%.c: Makefile
	@mkdir -p $(@D)
	@printf '%s\n' '#ifdef __clang__ /* takes the files for headers */' '#pragma clang diagnostic ignored "-Wstatic-in-inline"' '#endif' > $@
	@printf '#include "%s"\n' $($*_c) >> $@
$(UNITS:%=$(BUILD)/obj/gen/%.o): $(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP -c -o $@ $<
# The profiles are carried inside the library: as figures, which a program of the build reads from their JSON. Where there
# is no such program (no BUILD_CC compiles for the machine that builds, or its libraries are missing) as the JSON itself.
BUILD_CC ?= $(CC)
RESOLVE_SRC := $(wildcard config/*.c config/resolve/*.c) \
               $(addprefix sim/util/,budget.c error.c input.c json_put.c json_scan.c json_text.c nearest.c plain.c sha256.c \
               text_stream.c vocab.c)
RESOLVE = $(BUILD_CC) -I. -std=gnu11 -O1 $(filter -I%,$(CFLAGS_)) -o $@ $(filter %.c,$^) $(filter -L%,$(LIBS)) -lcjson -lnettle -lm
$(BUILD)/gen/profiles_json.c: $(PROFILES) config/embed.sh
	@mkdir -p $(@D)
	@sh config/embed.sh $(PROFILES) > $@.tmp && mv $@.tmp $@
$(BUILD)/gen/resolve: $(RESOLVE_SRC) $(BUILD)/gen/profiles_json.c $(wildcard config/*.h)
	$(call say,CC)
	$(Q)$(RESOLVE) || { rm -f $@; touch $@; }
$(BUILD)/gen/profiles.c: $(BUILD)/gen/profiles_json.c $(BUILD)/gen/resolve
	@$(BUILD)/gen/resolve > $@.tmp || { cp $< $@.tmp; \
		echo 'profiles are read from JSON whenever gcnsim starts: $(BUILD)/gen/resolve cannot be run (BUILD_CC)'; }
	@mv $@.tmp $@
$(BUILD)/obj/gen/profiles.o: $(BUILD)/gen/profiles.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -c -o $@ $<

# So are the pages that reports are shown in.
$(BUILD)/gen/html.c: $(filter-out %.sh,$(wildcard sim/report/html/*)) sim/report/html/embed.sh
	@mkdir -p $(@D)
	@sh sim/report/html/embed.sh sim/report/html sim/report/html.h html page index > $@.tmp && mv $@.tmp $@
# The page of a sweep shares files with them; the command line alone has it.
$(BUILD)/gen/sweep_html.c: $(filter-out %.sh,$(wildcard sim/sweep/html/* sim/report/html/*)) sim/report/html/embed.sh
	@mkdir -p $(@D)
	@sh sim/report/html/embed.sh sim/sweep/html sim/sweep/page_template.h sweep page > $@.tmp && mv $@.tmp $@
$(BUILD)/obj/gen/html.o: $(BUILD)/gen/html.c
$(BUILD)/obj/sim/sweep/html.o: $(BUILD)/gen/sweep_html.c
$(BUILD)/obj/gen/html.o $(BUILD)/obj/sim/sweep/html.o:
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

include sim/hsa/hsa.mk

# The tool and the libraries say what code they have been linked from (sim/sweep/command_key.c): the hash of their objects
# without what is for debuggers, which differs from folder to folder, and without what deals points out to MPI's ranks,
# which decides no result. Libraries of others are not counted.
define code_rule
$(BUILD)/gen/$(1)_code.c: $(2)
	@mkdir -p $$(@D)
	@$$(LD) -r -S -o $$@.o $$(sort $$^)
	@sum=$$$$(sha256sum <$$@.o) && rm -f $$@.o && printf '%s "%s";\n' \
		'__attribute__((used)) static const char code[] = "gcnsim-code-sha256="' "$$$${sum%% *}" >$$@
$(BUILD)/obj/gen/$(1)_code.o: $(BUILD)/gen/$(1)_code.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_) $$(CFLAGS) -c -o $$@ $$<
endef
$(eval $(call code_rule,cli,$(filter-out %/sim/sweep/mpi.o,$(CLI_OBJ)) $(CLI_UTIL) $(if $(CLI_SHARED),,$(LIB_OBJ))))
$(eval $(call code_rule,lib,$(LIB_OBJ)))
$(eval $(call code_rule,hsa,$(HSA_OBJ) $(HSA_SIM_OBJ)))
include sim/python/wheel.mk
include tests/tests.mk

clean:
	rm -rf $(BUILD)

.PHONY: all clean
.DEFAULT_GOAL := all
