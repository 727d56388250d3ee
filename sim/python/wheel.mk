# make wheel: the Python package with the library inside, as DIST/gcnsim-VERSION-py3-none-manylinux_x_y_ARCH.whl
# (docs/adr/0024-packages.md). Included by the top Makefile.
#
# Its library needs glibc alone: it takes what libgcnsim uses from archives and loads libdw and cJSON, as the HSA runtime does and for
# the same reasons (sim/hsa/hsa.mk). It is stripped, and has no build id, which would differ with the folder of the build.
WHEEL_ARCHIVES := elf $(MSGPACK_LIB) iberty zstd nettle z
WHEEL_MISSING  := $(foreach a,$(WHEEL_ARCHIVES),$(if $(filter /%,$(shell $(CC) -print-file-name=lib$(a).a 2>/dev/null)),,lib$(a).a))
WHEEL_LIB      := $(if $(strip $(WHEEL_MISSING))$(SAN),,$(BUILD)/wheel/libgcnsim.so.$(SOVER))
PYTHON         ?= python3

$(BUILD)/wheel/libgcnsim.so.$(SOVER): $(HSA_SIM_OBJ) $(BUILD)/obj/sim/hsa/static_libs.o sim/api/gcnsim.map sim/python/wheel.mk
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=sim/api/gcnsim.map -Wl,-s \
		-Wl,--build-id=none -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,--as-needed -o $@ \
		$(filter %.o,$^) -Wl,-Bstatic $(WHEEL_ARCHIVES:%=-l%) -Wl,-Bdynamic -lm -ldl -pthread

wheel: $(WHEEL_LIB)
	@$(if $(WHEEL_LIB),,echo 'wheel: $(if $(SAN),not with sanitizers,not installed: $(strip $(WHEEL_MISSING)))' >&2; exit 1)
	@$(PYTHON) sim/python/wheel.py $(WHEEL_LIB) $(RELEASED) $(DIST)
.PHONY: wheel
