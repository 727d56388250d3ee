# BUILD/python: the Python package with gcnsim.capi, which is written from the library's headers (docs/adr/0031). It is there
# where there is a Python that writes it.
#
# make wheel: the package with the library inside, as DIST/gcnsim-VERSION-py3-none-manylinux_x_y_ARCH.whl
# (docs/adr/0024-packages.md). Included by the top Makefile.
#
# Its library needs glibc alone: it takes what libgcnsim uses from archives and loads libdw and cJSON, as the HSA runtime does and for
# the same reasons (sim/hsa/hsa.mk). It is stripped, and has no build id, which would differ with the folder of the build.
WHEEL_ARCHIVES := elf $(MSGPACK_LIB) iberty zstd nettle z
WHEEL_MISSING  := $(foreach a,$(WHEEL_ARCHIVES),$(if $(filter /%,$(shell $(CC) -print-file-name=lib$(a).a 2>/dev/null)),,lib$(a).a))
WHEEL_LIB      := $(if $(strip $(WHEEL_MISSING))$(SAN),,$(BUILD)/wheel/libgcnsim.so.$(SOVER))
PYTHON         ?= python3
PYTHON_FILES   := $(wildcard sim/python/gcnsim/*) $(addprefix sim/python/,pyproject.toml README.md)
PYTHON_BUILT   := $(if $(shell command -v $(PYTHON) 2>/dev/null),$(BUILD)/python/gcnsim/capi.py)

$(BUILD)/python/gcnsim/capi.py: $(PYTHON_FILES) sim/python/generate.py $(wildcard sim/api/gcnsim*.h)
	$(call say,GEN)
	$(Q)rm -rf $(BUILD)/python && mkdir -p $(@D)
	$(Q)cp $(filter sim/python/gcnsim/%.py sim/python/gcnsim/py.typed,$^) $(@D)/ && cp $(filter-out %/generate.py sim/python/gcnsim/%,$(filter sim/python/%,$^)) $(BUILD)/python/
	$(Q)$(PYTHON) sim/python/generate.py $(@D) sim/api/gcnsim.h || { rm -rf $(BUILD)/python; exit 1; }

$(BUILD)/wheel/libgcnsim.so.$(SOVER): $(HSA_SIM_OBJ) $(BUILD)/obj/sim/hsa/static_libs.o sim/api/gcnsim.map sim/python/wheel.mk
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=sim/api/gcnsim.map -Wl,-s \
		-Wl,--build-id=none -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,--as-needed -o $@ \
		$(filter %.o,$^) -Wl,-Bstatic $(WHEEL_ARCHIVES:%=-l%) -Wl,-Bdynamic -lm -ldl -pthread

all: $(PYTHON_BUILT)

wheel: $(WHEEL_LIB) $(PYTHON_BUILT)
	@$(if $(WHEEL_LIB),,echo 'wheel: $(if $(SAN),not with sanitizers,not installed: $(strip $(WHEEL_MISSING)))' >&2; exit 1)
	@$(PYTHON) sim/python/wheel.py $(BUILD)/python $(WHEEL_LIB) $(RELEASED) $(DIST)
.PHONY: wheel
