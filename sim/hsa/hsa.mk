# libhsa-runtime64.so.1: the HSA runtime on the simulator (docs/adr/0016-hsa-runtime.md). It is built where the headers
# of libhsa-runtime-dev are, and the archives that it is linked from.
HSA_DIR := $(BUILD)/hsa
# all rooms (sim/hsa/README.md); sim/hsa/interpose is a library of its own
HSA_SRC := $(filter-out sim/hsa/interpose/%,$(wildcard sim/hsa/*.c sim/hsa/*/*.c)) $(wildcard sim/options/*.c)
HSA_OBJ := $(HSA_SRC:%.c=$(BUILD)/obj/%.o)
# The simulator's objects, but with a libdw and a cJSON that are loaded (sim/loader/libdw.h, sim/util/libcjson.h).
HSA_LOADED  := frames lines libdw
HSA_SIM_OBJ := $(filter-out $(HSA_LOADED:%=$(BUILD)/obj/sim/loader/%.o),$(LIB_OBJ)) $(HSA_LOADED:%=$(BUILD)/obj/hsa/%.o) \
               $(STAND_INS)

# In order of use: libelf inflates with zlib and zstd, sqlite needs zlib, too.
HSA_ARCHIVES := elf $(MSGPACK_LIB) sqlite3 iberty zstd nettle z
# asked of the compiler: hsa.h of a cross build's own machine is for that machine alone
HSA_HEADERS  := $(shell $(CC) -fsyntax-only -include hsa/hsa_ext_amd.h -x c /dev/null 2>/dev/null && echo there)
HSA_MISSING  := $(if $(HSA_HEADERS),,libhsa-runtime-dev) \
                $(foreach a,$(HSA_ARCHIVES),$(if $(filter /%,$(shell $(CC) -print-file-name=lib$(a).a 2>/dev/null)),,lib$(a).a))
# A sanitizer's runtime has to be in the program: there is no library then, and the unit tests of sim/hsa remain.
HSA_LIB      := $(if $(strip $(HSA_MISSING))$(SAN),,$(HSA_DIR)/libhsa-runtime64.so.1 $(HSA_DIR)/libgcnsim-sysfs.so)

# An archive for what libgcnsim uses, and no name of an archive among those that the library shows; static_libs.c has
# what archives need besides. -z now: a missing name is an error of the start, not of the first call. -z nodelete:
# libomptarget closes the library while its threads live.
$(HSA_DIR)/libhsa-runtime64.so.1: $(HSA_OBJ) $(HSA_SIM_OBJ) $(BUILD)/obj/gen/hsa_code.o sim/hsa/hsa.map sim/hsa/hsa.mk
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=sim/hsa/hsa.map \
		-Wl,-z,nodelete -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,--as-needed -o $@ \
		$(filter %.o,$^) -Wl,-Bstatic $(HSA_ARCHIVES:%=-l%) -Wl,-Bdynamic -lm -ldl -pthread
	@ln -sf $(@F) $(HSA_DIR)/libhsa-runtime64.so

# What leads programs to the simulated GPUs' files, a library of its own because its names have no version
# (docs/adr/0029-sysfs.md).
$(HSA_DIR)/libgcnsim-sysfs.so: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sim/hsa/interpose/*.c))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,nodelete -Wl,-z,now -Wl,-z,relro -o $@ $^

$(BUILD)/obj/hsa/%.o: sim/loader/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) -DLIBDW_LOADED $(CFLAGS_) $(CFLAGS) -MMD -MP -c -o $@ $<

hsa: $(HSA_LIB)
	$(if $(strip $(HSA_MISSING)),@echo "libhsa-runtime64 is not built; not installed: $(strip $(HSA_MISSING))")
.PHONY: hsa
