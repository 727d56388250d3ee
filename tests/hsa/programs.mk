# Programs of other languages, which tests/hsa runs on the HSA runtime. They are made where their compilers are of use
# (tests/deps.sh --why); where they are not, nothing is made, and the tests that want a program skip it and say why.
HSA_PROGRAMS := $(BUILD)/tests/hsa/programs

# $(call made_by,TOOLCHAINS,COMMAND): a command that fails is an error only where deps.sh finds the compilers usable.
made_by = @mkdir -p $(@D); $(if $(V),echo "$(2)",printf '  %-5s %s\n' GPU '$@'); $(2) || { rm -f $@; ! { $(foreach t,$(1),sh tests/deps.sh --why $(t) &&) :; }; }

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

# ---- HIP: programs of one file each ----
HIP_SINGLES := blits devices grid_sync namesake prints rates reserve short_memset solver streams throughput workloads written
$(HIP_SINGLES:%=$(HSA_PROGRAMS)/%): $(HSA_PROGRAMS)/%: tests/hsa/programs/%.cpp tests/hsa/programs/check.h tests/hsa/programs.mk
	$(call made_by,hip,hipcc $(HIP_FLAGS) $< -o $@)

# with source lines, for one target
$(addprefix $(HSA_PROGRAMS)/,foreign views): $(HSA_PROGRAMS)/%: tests/hsa/programs/%.cpp tests/hsa/programs.mk
	$(call made_by,hip,hipcc -g -O2 -std=c++17 -Wall --offload-arch=gfx90a $(abspath $<) -o $@)

$(BUILD)/tests/hsa/test_blit: | $(addprefix $(HSA_PROGRAMS)/,blits namesake rates reserve short_memset)

# raw HSA, with a code object of its own
$(HSA_PROGRAMS)/queues.co: tests/hsa/programs/queues.hip tests/hsa/programs.mk
	$(call made_by,hip,hipcc -O2 --genco --no-gpu-bundle-output --offload-arch=gfx90a $< -o $@)
$(HSA_PROGRAMS)/queues: tests/hsa/programs/queues.c tests/hsa/programs.mk
	$(call made_by,hip,$(CC) -std=gnu11 -O1 -Wall $< -o $@ -lhsa-runtime64)

$(BUILD)/tests/hsa/test_streams: | $(addprefix $(HSA_PROGRAMS)/,streams queues queues.co)
$(BUILD)/tests/hsa/test_prints: | $(HSA_PROGRAMS)/prints
$(BUILD)/tests/hsa/test_sample: | $(addprefix $(HSA_PROGRAMS)/,solver streams written grid_sync)
$(BUILD)/tests/hsa/test_workloads: | $(HSA_PROGRAMS)/workloads

# ---- OpenMP: two programs, for the sake of two processors. Before gfx9, flat addresses of LDS need the queue that code
# objects up to version 4 are given; Debian's device libraries know neither gfx942 nor gfx1100 by number ----
OMP_TARGETS_4 := gfx803 gfx900 gfx906 gfx1010
OMP_TARGETS_5 := gfx908 gfx90a gfx942 gfx1030 gfx1100
OMP_BITCODE   := $(HSA_PROGRAMS)/bitcode
# of Debian 12's rocm-device-libs, and of newer suites', as far as LLVM 19 can read them
ROCM_BITCODE  := /usr/lib/*/amdgcn/bitcode /usr/lib/llvm-1?/lib/clang/*/amdgcn/bitcode
OMP_FLAGS     := -O2 -Wall -Wno-unused-command-line-argument -fopenmp --rocm-path=/usr --rocm-device-lib-path=$(OMP_BITCODE)
comma := ,
none  :=
list_of = $(subst $(none) ,$(comma),$(strip $(1)))

$(OMP_BITCODE)/made: tests/hsa/programs.mk
	@mkdir -p $(@D)
	@for d in $(ROCM_BITCODE); do [ ! -e "$$d/ocml.bc" ] || { ln -sf "$$d"/*.bc $(@D)/; break; }; done
	@if command -v clang-19 >/dev/null; then \
		for v in 942:9402 1100:11000; do \
			printf 'target triple = "amdgcn-amd-amdhsa"\n@__oclc_ISA_version = %s constant i32 %s, align 4\n' \
				'linkonce_odr hidden local_unnamed_addr addrspace(4)' $${v#*:} | \
			clang-19 -x ir -c -emit-llvm -nogpulib -target amdgcn-amd-amdhsa -o $(@D)/oclc_isa_version_$${v%:*}.bc - || exit 1; \
		done; \
	fi
	@touch $@
$(HSA_PROGRAMS)/omp-4: OMP_FLAGS += -mcode-object-version=4 -Xoffload-linker -Wno-unused-command-line-argument \
                                    --offload-arch=$(call list_of,$(OMP_TARGETS_4))
$(HSA_PROGRAMS)/omp-5: OMP_FLAGS += --offload-arch=$(call list_of,$(OMP_TARGETS_5))
$(addprefix $(HSA_PROGRAMS)/omp-,4 5): tests/hsa/omp/omp.c tests/hsa/programs.mk $(OMP_BITCODE)/made
	$(call made_by,hip openmp,clang-19 $(OMP_FLAGS) $< -o $@)

$(HSA_PROGRAMS)/both: tests/hsa/omp/both.c tests/hsa/programs.mk $(OMP_BITCODE)/made
	$(call made_by,hip openmp,clang-19 $(OMP_FLAGS) --offload-arch=gfx90a -D__HIP_PLATFORM_AMD__ $< -o $@ -lamdhip64)

$(BUILD)/tests/hsa/test_openmp: | $(addprefix $(HSA_PROGRAMS)/omp-,4 5)

# ---- HSA in C, with kernels in assembly ----
RAW_CO := $(foreach t,gfx90a gfx1201,$(HSA_PROGRAMS)/kernels.$(t).co)
$(HSA_PROGRAMS)/raw: $(wildcard tests/hsa/raw/*.c) tests/hsa/raw/raw.h $(HSA_LIB)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) -L$(HSA_DIR) -lhsa-runtime64
$(RAW_CO): $(HSA_PROGRAMS)/kernels.%.co: tests/hsa/raw/kernels.s
	$(call made_by,clang,clang-19 -target amdgcn-amd-amdhsa -mcpu=$* -g $< -o $@)

$(BUILD)/tests/hsa/test_sysfs: | $(HSA_PROGRAMS)/raw
$(addprefix $(BUILD)/tests/hsa/,test_raw test_sweep_exec test_waits): | $(HSA_PROGRAMS)/raw $(RAW_CO)
$(addprefix $(BUILD)/tests/hsa/,test_bad_input test_foreign): | $(HSA_PROGRAMS)/foreign
$(BUILD)/tests/hsa/test_views: | $(HSA_PROGRAMS)/raw $(RAW_CO) $(HSA_PROGRAMS)/views
$(BUILD)/tests/hsa/test_bad_input: | $(HSA_PROGRAMS)/raw $(RAW_CO) $(HSA_PROGRAMS)/both $(HSA_PROGRAMS)/feature $(HSA_PROGRAMS)/devices
