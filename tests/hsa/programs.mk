# Programs of other languages, which tests/hsa runs on the HSA runtime. They are made where their compilers are of use
# (tests/deps.sh --why); where they are not, nothing is made, and the tests that want a program skip it and say why.
HSA_PROGRAMS := $(BUILD)/tests/hsa/programs

# $(call made_by,TOOLCHAIN,COMMAND): a command that fails is an error only where deps.sh finds the compiler usable.
made_by = @mkdir -p $(@D); echo "$(2)"; $(2) || { rm -f $@; ! sh tests/deps.sh --why $(1); }

# ---- HIP: two units for the GPU, since most of their time is that of HIP's headers, once for each target ----
HIP_TARGETS := gfx90a gfx1030 gfx803
HIP_FLAGS   := -O2 -std=c++17 -Wall $(HIP_TARGETS:%=--offload-arch=%)
FEATURE_DIR := tests/hsa/feature
FEATURE_OBJ := $(addprefix $(HSA_PROGRAMS)/feature-,main.o host.o device.o)

$(HSA_PROGRAMS)/feature-main.o: FEATURE_SRC := --offload-host-only $(FEATURE_DIR)/main.cpp
$(HSA_PROGRAMS)/feature-host.o: FEATURE_SRC := -include $(FEATURE_DIR)/memory.hip -include $(FEATURE_DIR)/queues.hip \
                                               $(FEATURE_DIR)/modules.hip
$(HSA_PROGRAMS)/feature-device.o: FEATURE_SRC := -include $(FEATURE_DIR)/kernels.hip $(FEATURE_DIR)/compute.hip
$(FEATURE_OBJ): $(wildcard $(FEATURE_DIR)/*) tests/hsa/programs.mk
	$(call made_by,hip,hipcc $(HIP_FLAGS) -x hip -c $(FEATURE_SRC) -o $@)
$(HSA_PROGRAMS)/feature: $(FEATURE_OBJ)
	@if [ -f $< ]; then hipcc --offload-arch=gfx90a $^ -o $@; fi

$(BUILD)/tests/hsa/test_feature: | $(HSA_PROGRAMS)/feature
