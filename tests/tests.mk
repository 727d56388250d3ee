# Tests, checks and developer targets. Included by the top Makefile.
#
# tests/unit/*/test_*.c and tests/timing/test_*.c, tests/golden/test_*.c, tests/system/test_*.c are cmocka programs;
# each is linked with the library's object (internal functions included, TEST_LIB below) and run from the repository's
# root with GCNSIM=path-of-the-tool in its environment. Sources beside tests/system/test_*.c that are no programs (helpers,
# references) are linked into every program of that folder; the same in tests/golden. tests/support/program.c is linked
# into all. tests/closing/test_*.c run when all others are through.
# tests/unit/hsa/test_*.c are linked with the objects of the HSA runtime; tests/hsa/test_*.c run programs on the library.
# Both are there where it can be built (sim/hsa/hsa.mk), and skipped with a line that says why where it cannot.
TEST_SRC := $(wildcard tests/unit/*/test_*.c tests/golden/test_*.c tests/timing/test_*.c tests/system/test_*.c \
              tests/fuzz/test_*.c tests/closing/test_*.c)
TEST_SRC += $(if $(HSA_LIB),$(wildcard tests/hsa/test_*.c))
TEST_SRC := $(filter-out $(if $(strip $(HSA_MISSING)),tests/unit/hsa/%),$(TEST_SRC))
TEST_BIN := $(TEST_SRC:%.c=$(BUILD)/%)
TEST_LIBS := -lcmocka
# every program of our own is built at once, whatever -j the caller gave
NPROC    := $(shell nproc 2>/dev/null || echo 1)
SUBMAKE   = $(MAKE) --no-print-directory -j$(NPROC)
FUZZ_SRC := $(filter-out $(if $(strip $(HSA_MISSING)),tests/fuzz/fuzz_executable.c tests/fuzz/fuzz_shown.c),$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CC  ?= clang-19
FUZZ_SECONDS ?= 15

SYSTEM_HELPERS := $(filter-out tests/system/test_% tests/system/gen_%,$(wildcard tests/system/*.c))
GOLDEN_HELPERS := $(filter-out tests/golden/test_% tests/golden/oracle_child.c,$(wildcard tests/golden/*.c))

# What the programs of tests have of the library: all of it, internal functions included, as one object that they share.
TEST_LIB     := $(BUILD)/libgcnsim-tests.so
TEST_LDFLAGS := -Wl,-rpath,$(abspath $(BUILD))
# what a program defines in the place of a function of the C library is for the shared object, too
# cmocka 2 would have another name for assert_in_range, which cmocka 1.1 does not know.
TEST_CFLAGS   = $(CFLAGS_) -fvisibility=default -Wno-deprecated-declarations
# as gcc says it and clang 19 does not
ifneq ($(findstring address,$(SAN)),)
TEST_CFLAGS  += -U__SANITIZE_ADDRESS__ -D__SANITIZE_ADDRESS__=1
endif
ifneq ($(findstring thread,$(SAN)),)
TEST_CFLAGS  += -U__SANITIZE_THREAD__ -D__SANITIZE_THREAD__=1
endif
$(TEST_LIB): $(BUILD)/libgcnsim.o $(BUILD)/tests/tools/show_hidden
	$(call say,LINK)
	$(Q)cp $< $@.o && $(BUILD)/tests/tools/show_hidden $@.o
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic -o $@ $@.o $(LIBS) && rm -f $@.o
$(BUILD)/tests/tools/show_hidden: tests/tools/show_hidden.c
	@mkdir -p $(@D)
	$(Q)$(BUILD_CC) -std=gnu11 -O1 -Wall -Wextra -o $@ $< -lelf
# order-only: a program need not be linked again because a function of the library has changed
$(BUILD)/tests/%: tests/%.c | $(TEST_LIB)
	@mkdir -p $(@D)
	$(call say,CC)
	@rm -f $@
	$(Q)$(CC) $(CPPFLAGS) $(TEST_CFLAGS) $(CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $(TEST_LDFLAGS) -o $@ \
		$< $(filter %.o,$^) $(TEST_LIB) $(TEST_LIBS) $(LIBS)
$(BUILD)/tests/%.helper.o: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(TEST_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(TEST_BIN): $(BUILD)/tests/support/program.helper.o
$(TEST_BIN): TEST_LIBS += -Wl,--wrap=_cmocka_run_group_tests
# kernels as text
$(filter $(BUILD)/tests/timing/% $(BUILD)/tests/unit/% $(BUILD)/tests/golden/test_assemble,$(TEST_BIN)): \
    $(addprefix $(BUILD)/tests/support/,assemble.helper.o assemble_encode.helper.o assemble_line.helper.o)
$(filter $(BUILD)/tests/system/%,$(TEST_BIN)): $(SYSTEM_HELPERS:%.c=$(BUILD)/%.helper.o)
# but for what archives need in a shared object (sim/hsa/static_libs.c)
HSA_UNIT := $(filter $(BUILD)/tests/unit/hsa/%,$(TEST_BIN))
$(HSA_UNIT): $(filter-out %/static_libs.o,$(HSA_OBJ))
$(HSA_UNIT): TEST_LIBS += -lsqlite3
# a file system that hosts share, without one
$(BUILD)/tests/unit/hsa/test_report: TEST_LIBS += -Wl,--wrap=statfs
# processes with OpenCL and HIP, without them
# code objects of the language runtimes, without them
$(BUILD)/tests/unit/hsa/test_blit_layout: TEST_LIBS += -Wl,--wrap=gcnsim_code_kernel_sized,--wrap=gcnsim_code_kernel_arg_sized
$(addprefix $(BUILD)/tests/unit/hsa/,test_language test_times): TEST_LIBS += -Wl,--wrap=dl_iterate_phdr
# sweeps belong to the command line, not to the library
SWEEP_OBJ  := $(filter $(BUILD)/obj/sim/sweep/%,$(CLI_OBJ))
SWEEP_LIBS := -lsqlite3 $(MPI_LIBS)
SWEEP_UNIT := $(filter $(BUILD)/tests/unit/sweep/%,$(TEST_BIN))
# a host without /proc, with it
$(BUILD)/tests/unit/sweep/test_child: TEST_LIBS += -Wl,--wrap=access
$(SWEEP_UNIT): $(SWEEP_OBJ)
$(SWEEP_UNIT) $(BUILD)/tests/system/test_faults: TEST_LIBS += $(SWEEP_LIBS)
$(filter $(BUILD)/tests/system/test_sweep% $(BUILD)/tests/system/test_terminal $(BUILD)/tests/hsa/test_sweep_exec $(BUILD)/tests/hsa/test_raw $(BUILD)/tests/hsa/test_sample $(BUILD)/tests/hsa/test_streams $(BUILD)/tests/hsa/test_waits,$(TEST_BIN)): TEST_LIBS += -lsqlite3
# the command line as make MPI=1 makes it: one object and the link differ
ifneq ($(shell pkg-config --exists ompi-c 2>/dev/null && echo yes),)
MPI_TOOL := $(BUILD)/tests/mpi/gcnsim
$(BUILD)/tests/mpi/mpi.o: sim/sweep/mpi.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) -DGCNSIM_MPI $(shell pkg-config --cflags ompi-c) $(CFLAGS_) $(CFLAGS) -MMD -MP -c -o $@ $<
$(MPI_TOOL): $(filter-out %/sim/sweep/mpi.o,$(CLI_OBJ)) $(BUILD)/tests/mpi/mpi.o $(BUILD)/obj/gen/cli_code.o \
             $(STAND_INS) $(BUILD)/libgcnsim.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLI_LIBS) -Wl,--exclude-libs,ALL $(shell pkg-config --libs ompi-c)
$(addprefix $(BUILD)/tests/system/,test_sweep_mpi test_sweep_slurm): | $(MPI_TOOL)
endif
$(filter $(BUILD)/tests/hsa/%,$(TEST_BIN)): $(HSA_LIB)
# preloaded: a program's own cJSON beside the one that is loaded
$(BUILD)/tests/system/test_libcjson $(BUILD)/tests/hsa/test_raw: | $(BUILD)/tests/support/other_cjson.so
$(BUILD)/tests/support/other_cjson.so: tests/support/other_cjson.c
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) -O1 -fPIC -shared -o $@ $<
include tests/hsa/programs.mk
$(BUILD)/tests/system/test_python_wheel: $(WHEEL_LIB)
# the command line with the library's libdw, which is loaded
$(BUILD)/tests/hsa/test_lines: $(BUILD)/tests/hsa/gcnsim-loaded
$(BUILD)/tests/hsa/gcnsim-loaded: $(CLI_OBJ) $(HSA_SIM_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(filter-out -ldw,$(LIBS)) $(SWEEP_LIBS) -ldl
# the oracle of float arithmetic, where it is installed
ifneq ($(shell pkg-config --exists mpfr 2>/dev/null && echo yes),)
MPFR_TESTS := $(addprefix $(BUILD)/tests/unit/isa/,test_ulp test_float_exact)
$(MPFR_TESTS): CPPFLAGS += -DHAVE_MPFR $(shell pkg-config --cflags mpfr)
$(MPFR_TESTS): TEST_LIBS += $(shell pkg-config --libs mpfr)
endif
FUZZ_HELPERS = $(patsubst %,$(BUILD)/tests/%.helper.o,$(1))
FUZZ_STREAM := $(call FUZZ_HELPERS,golden/encodings $(patsubst tests/%.c,%,$(wildcard tests/fuzz/stream*.c)))
FUZZ_OBJECT := $(call FUZZ_HELPERS,golden/encodings fuzz/object fuzz/path_mutate fuzz/path_code fuzz/path_metadata)
FUZZ_PATH := $(call FUZZ_HELPERS,fuzz/path_describe fuzz/path_rig)
FUZZ_HSA := $(if $(strip $(HSA_MISSING)),,$(filter-out %/static_libs.o,$(HSA_OBJ)))
FUZZ_HSA_LIBS := $(if $(strip $(HSA_MISSING)),,-lsqlite3)
# the fuzz targets without libFuzzer, each under a name of its own
FUZZ_TARGETS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=%)
$(BUILD)/tests/fuzz/%.target.helper.o: tests/fuzz/fuzz_%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -DLLVMFuzzerTestOneInput=fuzz_$* -MMD -MP -c -o $@ $<
$(BUILD)/tests/fuzz/test_inputs: CPPFLAGS += -DFUZZ_TARGETS='$(foreach t,$(FUZZ_TARGETS),X($(t)))'
$(BUILD)/tests/fuzz/test_inputs: $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/%.target.helper.o) $(BUILD)/tests/fuzz/corpus.helper.o \
                                $(FUZZ_PATH) $(FUZZ_STREAM) $(FUZZ_HSA)
$(BUILD)/tests/fuzz/test_inputs: $(SWEEP_OBJ)
$(BUILD)/tests/fuzz/test_inputs: TEST_LIBS += $(FUZZ_HSA_LIBS) $(SWEEP_LIBS)
$(BUILD)/tests/fuzz/test_mutate: $(FUZZ_OBJECT)
# the whole command line runs inside this program, with its own malloc
$(BUILD)/tests/support/fail_nth.helper.o: CFLAGS_ += -fno-builtin
$(BUILD)/tests/system/test_faults: $(BUILD)/tests/support/fail_nth.helper.o $(filter-out %/main.o,$(CLI_OBJ))
# in the program itself, because the library of tests is linked with cJSON
$(BUILD)/tests/unit/util/test_libcjson: $(STAND_INS) $(addprefix $(BUILD)/obj/sim/util/,json_scan.o json_text.o plain.o error.o) \
                                        $(BUILD)/tests/support/fail_nth.helper.o
$(BUILD)/tests/unit/util/test_libcjson: private TEST_LDFLAGS += -Wl,--as-needed
# the page of a sweep is made by objects of the command line
$(BUILD)/tests/system/test_sweep_page: $(filter $(BUILD)/obj/sim/sweep/%,$(CLI_OBJ))
$(BUILD)/tests/system/test_sweep_page: TEST_LIBS += -lsqlite3 $(MPI_LIBS)
$(BUILD)/tests/system/test_random_kernels: $(BUILD)/tests/fuzz/gen_kernel.helper.o
# the makers of random programs
STREAM_HELPERS := $(BUILD)/tests/golden/encodings.helper.o $(patsubst %.c,$(BUILD)/%.helper.o,$(wildcard tests/fuzz/stream*.c))
$(BUILD)/tests/timing/test_streams $(BUILD)/tests/timing/test_wild_addresses: $(STREAM_HELPERS)
$(filter $(BUILD)/tests/golden/%,$(TEST_BIN)): $(GOLDEN_HELPERS:%.c=$(BUILD)/%.helper.o) $(BUILD)/tests/golden/oracle_child
# runs with another C library, too: nothing but C, and no sanitizer
$(BUILD)/tests/golden/oracle_child: tests/golden/oracle_child.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) -std=gnu11 -O1 -Wall -Wextra -MMD -MP -MF $@.d -o $@ $<
# replays thread traces (tests/timing/replay.h); no test: it wants a folder of them
$(BUILD)/tests/timing/replay: $(BUILD)/tests/timing/replay_trace.helper.o $(BUILD)/tests/timing/replay_run.helper.o \
                               $(BUILD)/tests/timing/replay_score.helper.o $(BUILD)/tests/timing/replay_life.helper.o \
                               $(BUILD)/tests/timing/replay_split.helper.o $(BUILD)/tests/timing/replay_state.helper.o \
                               $(BUILD)/tests/timing/replay_kernel.helper.o $(BUILD)/tests/timing/replay_capture.helper.o
$(BUILD)/tests/timing/test_replay: $(patsubst %,$(BUILD)/tests/timing/replay_%.helper.o,split score life trace state capture)
# microbenchmarks beside what is documented; test_accuracy runs the quick ones
ACCURACY_HELPERS := $(filter-out %/main.c,$(wildcard tests/timing/accuracy/*.c))
$(BUILD)/tests/timing/accuracy/main $(addprefix $(BUILD)/tests/timing/,test_accuracy test_figures test_launch_times test_whole): $(ACCURACY_HELPERS:%.c=$(BUILD)/%.helper.o)
-include $(shell find $(BUILD)/tests -name '*.d' 2>/dev/null)

deps:
	@sh tests/deps.sh --tests --hsa --rocm --mpi --slurm --packages
# the packages of the build alone
build-deps:
	@sh tests/deps.sh --build --hsa

# the replay of thread traces is built with them, so that it does not rot; it runs where traces are at hand
test-programs: all $(TEST_BIN) $(BUILD)/tests/timing/replay

# make test T=timing/test_lds CASE=name: one program (or, T=unit/mem, those of a folder), and of its cases those that
# match a shell pattern.
programs_of = $(filter $(BUILD)/tests/$(1:.c=) $(BUILD)/tests/$(1:/=)/%,$(TEST_BIN))
CHOSEN = $(foreach t,$(T:tests/%=%),\
           $(or $(call programs_of,$(t)),$(error T=$(t): neither a program nor a folder of programs under tests/)))
PROGRAMS = $(if $(T),$(CHOSEN),$(if $(CASE),$(error CASE=$(CASE) goes with T, the program that has it),$(TEST_BIN)))
# deps may bring headers and pkg-config files that this make did not see, so the work is done by another one.
test check-rocm check-world accuracy-llama: deps
	@$(MAKE) --no-print-directory $@-with-deps
# A program that does not compile or link is one that fails; the others run.
test-with-deps:
	@$(SUBMAKE) all
	@$(if $(strip $(HSA_MISSING)),echo "skip: tests/hsa and tests/unit/hsa: not installed: $(strip $(HSA_MISSING))")
	@$(SUBMAKE) -k $(PROGRAMS) || export NOT_BUILT=1; \
		GCNSIM=$(abspath $(BUILD))/gcnsim GCNSIM_CASE='$(CASE)' sh tests/run.sh $(PROGRAMS)

# The main job: a code object compiled by clang-19 goes in, the report says how many cycles it took and where they went.
DEMO ?= traces/samples/gfx1201/matmul.json
# The tool alone is built, with the lane loops of this machine.
demo:
	@echo "make demo builds gcnsim for this machine, which takes two to three minutes of one processor, and runs $(DEMO)"
	@sh tests/deps.sh --build
	@$(SUBMAKE) VARIANTS=native $(BUILD)/gcnsim
	@echo "gcnsim info $(DEMO:.json=.co)"
	@$(BUILD)/gcnsim info $(DEMO:.json=.co)
	@echo
	@echo "gcnsim run $(DEMO)"
	@$(BUILD)/gcnsim run $(DEMO)

lint:
	@sh tests/deps.sh --build --lint
	@$(SUBMAKE) all >/dev/null
	@sh tests/lint/run.sh $(BUILD)

format:
	@sh tests/lint/format.sh --fix

check: deps
	@sh tests/deps.sh --fuzz
	@BUILD='$(BUILD)' MAKE='$(MAKE)' NPROC='$(NPROC)' FUZZ_CC='$(FUZZ_CC)' FUZZ_SECONDS='$(FUZZ_SECONDS)' sh tests/check.sh

# What is fetched from Debian's suites into build/rocm. check-rocm: ROCm programs on its runtimes and libraries
# (tests/rocm/check.sh); check-world: AMD's and llama.cpp's packaged test programs, case by case (docs/WORLD.md);
# accuracy-llama: tokens per second of llama.cpp beside those of cards, into docs/ACCURACY.md, which takes hours.
check-rocm-with-deps: HSA_RUN = BUILD='$(BUILD)' CC='$(CC)' tests/rocm/check.sh
check-world-with-deps: HSA_RUN = tests/rocm/world.py '$(BUILD)'
accuracy-llama-with-deps: HSA_RUN = tests/rocm/llama.py '$(BUILD)' --doc docs/ACCURACY.md
check-rocm-with-deps check-world-with-deps accuracy-llama-with-deps:
	@$(SUBMAKE) all >/dev/null
	@$(if $(strip $(HSA_MISSING)),echo "$(@:-with-deps=): not installed: $(strip $(HSA_MISSING))"; exit 1)
	@$(HSA_RUN)

# ROCm ROCM=7.2.4 (5.2.3, 5.7.1, 6.4.3) with the packages of ROCM_PACKAGES: build/rocm/7.2.4/bin/hipcc
ROCM ?= 7.2.4
rocm:
	@tests/rocm/fetch.sh '$(ROCM)' '$(BUILD)/rocm/$(ROCM)' $(ROCM_PACKAGES)

# What sanitizers watch is compiled in a folder of its own, with the portable lane loops alone.
SANITIZE     = OPT=-O1 VARIANTS=base
SANITIZE_FOR = address,undefined -fno-sanitize-recover=all
# One build for the tests under sanitizers and for the fuzz targets, where FUZZ_CC makes such targets. Without reports of
# every comparison, which take a third of the time: mutators and dictionaries know what to compare with.
SANITIZE_FUZZ = -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
fuzzes        = why=$$(FUZZ_CC='$(FUZZ_CC)' sh tests/deps.sh --why fuzz)
SUBMAKE_FUZZ  = $(SUBMAKE) BUILD='$(BUILD)-asan' CC='$(FUZZ_CC)' $(SANITIZE) SAN='$(SANITIZE_FUZZ) -fsanitize=$(SANITIZE_FOR)'
# Each fuzz target (or those of T: decode, profile ...) for FUZZ_SECONDS, those that run kernels for FUZZ_LONG_SECONDS,
# from seeds. fuzz-grow keeps what they find in tests/fuzz/corpus. FUZZ_SEED=1 is the same run each time. FUZZ_RUNS=N: so
# many inputs each, in place of seconds; FUZZ_RUNS=smoke: as many as tests/fuzz/run.sh has for each target.
FUZZ_LONG_SECONDS ?= $(FUZZ_SECONDS)
FUZZ_SEED ?=
FUZZ_RUNS ?=
fuzz fuzz-grow:
	@FUZZ_CC='$(FUZZ_CC)' sh tests/deps.sh --build --hsa --fuzz
	@if $(fuzzes); then \
		$(SUBMAKE_FUZZ) fuzz-programs && \
		LONG_SECONDS='$(FUZZ_LONG_SECONDS)' FUZZ_SEED='$(FUZZ_SEED)' FUZZ_RUNS='$(FUZZ_RUNS)' sh tests/fuzz/run.sh $(if $(filter fuzz-grow,$@),--grow) '$(BUILD)-asan' \
			'$(FUZZ_SECONDS)' $(T); \
	else \
		echo "fuzz: SKIPPED, $$why"; [ "$$CI" != true ]; \
	fi
# Unit and timing tests (or the programs of T) under AddressSanitizer and UndefinedBehaviorSanitizer, but for those that
# run long kernels over code that the others reach, too; make check has them.
SANITIZE_LONG  := $(addprefix tests/timing/test_,accuracy figures gemm launch_times limiter sampling) tests/unit/isa/test_matrix_exact
SANITIZE_TESTS := $(patsubst tests/%.c,%,$(filter-out $(SANITIZE_LONG:%=%.c),$(filter tests/unit/% tests/timing/%,$(TEST_SRC))))
sanitize:
	@FUZZ_CC='$(FUZZ_CC)' sh tests/deps.sh --tests --hsa --fuzz
	@if $(fuzzes); then \
		$(SUBMAKE_FUZZ) T='$(or $(T),$(SANITIZE_TESTS))' test-with-deps; \
	else \
		$(SUBMAKE) BUILD='$(BUILD)-asan' $(SANITIZE) SAN='-fsanitize=$(SANITIZE_FOR)' T='$(or $(T),$(SANITIZE_TESTS))' test-with-deps; \
	fi
# Tests of both engines on several host threads and of the HSA runtime (or the programs of T) under ThreadSanitizer, whose
# shadow memory takes the places that a random layout may choose for a program. The runtime's threads live as long as their
# process. test_language and test_times have a function of their own in the place of one that the sanitizer begins with.
# Without T also what guests see of the runtime, THREAD_RUNS inputs on the functional engine and an eighth of them on the
# timing engine, where FUZZ_CC makes fuzz targets.
THREAD_TESTS = unit/engine unit/util/test_thread_pool unit/isa/test_atomic timing/test_epochs timing/test_device timing/test_dies timing/test_events \
               $(filter-out unit/hsa/test_language unit/hsa/test_times,$(patsubst tests/%.c,%,$(filter tests/unit/hsa/%,$(TEST_SRC))))
THREAD_RUNS ?= 8000
THREAD_ENV   = TSAN_OPTIONS='suppressions=$(CURDIR)/tests/tsan.supp:report_thread_leaks=0' $$(setarch -R true 2>/dev/null && echo setarch -R)
SUBMAKE_TSAN = $(THREAD_ENV) $(SUBMAKE) BUILD='$(BUILD)-tsan' $(SANITIZE)
SUBMAKE_TSAN_FUZZ = $(SUBMAKE_TSAN) CC='$(FUZZ_CC)' SAN='$(SANITIZE_FUZZ) -fsanitize=thread'
sanitize-threads: deps
	@FUZZ_CC='$(FUZZ_CC)' sh tests/deps.sh --fuzz
	@if $(fuzzes); then \
		$(SUBMAKE_TSAN_FUZZ) T='$(or $(T),$(THREAD_TESTS))' test-with-deps \
			$(if $(T)$(strip $(HSA_MISSING)),,&& $(SUBMAKE_TSAN_FUZZ) fuzz-shown); \
	else \
		echo "sanitize-threads: what guests see is SKIPPED, $$why"; \
		$(SUBMAKE_TSAN) SAN=-fsanitize=thread T='$(or $(T),$(THREAD_TESTS))' test-with-deps; \
	fi
# on a build that is there
fuzz-shown: $(BUILD)/tests/fuzz/fuzz_shown $(BUILD)/tests/fuzz/gen_seeds
	@runs=$(THREAD_RUNS); for engine in functional timing; do \
		echo "$$engine engine:"; \
		GCNSIM_ENGINE=$$engine FUZZ_SEED='$(FUZZ_SEED)' FUZZ_RUNS=$$runs sh tests/fuzz/run.sh '$(BUILD)' 0 shown || exit 1; \
		runs=$$((runs / 8)); \
	done
# tests/fuzz/fuzz_X.c holds LLVMFuzzerTestOneInput; the library is compiled with the same flags in BUILD.
fuzz-programs: $(FUZZ_SRC:%.c=$(BUILD)/%) $(BUILD)/tests/fuzz/gen_seeds
$(BUILD)/tests/fuzz/gen_seeds: tests/fuzz/gen_seeds.c tests/fuzz/path_code.c tests/fuzz/object.c tests/fuzz/corpus.c tests/golden/encodings.c \
                              $(BUILD)/libgcnsim.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LIBS)
# what targets are made of besides: their mutators, and makers of programs
$(addprefix $(BUILD)/tests/fuzz/,fuzz_path fuzz_loader fuzz_lines fuzz_executable): $(FUZZ_OBJECT)
$(BUILD)/tests/fuzz/fuzz_executable $(BUILD)/tests/fuzz/fuzz_shown: $(FUZZ_HSA)
$(BUILD)/tests/fuzz/fuzz_executable $(BUILD)/tests/fuzz/fuzz_shown: LIBS += $(FUZZ_HSA_LIBS)
FUZZ_SWEEP := $(addprefix $(BUILD)/tests/fuzz/fuzz_,sweep sweep_expr sweep_results)
$(FUZZ_SWEEP): $(SWEEP_OBJ)
$(FUZZ_SWEEP): LIBS += $(SWEEP_LIBS)
$(BUILD)/tests/fuzz/fuzz_path: $(FUZZ_PATH)
$(BUILD)/tests/fuzz/fuzz_profile: $(call FUZZ_HELPERS,fuzz/profile_mutate)
$(BUILD)/tests/fuzz/fuzz_streams: $(FUZZ_STREAM)
$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libgcnsim.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -fsanitize=fuzzer -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< \
		$(filter %.o,$^) $(BUILD)/libgcnsim.a $(LIBS)

include tests/bench/bench.mk

# Small wrong changes of each folder (MUTANTS_FOLDERS: of these alone), one at a time: which do its tests not notice?
# MUTANTS of a folder, chosen by SEED, for MUTANTS_SECONDS; MUTANTS_ARGS=--again runs those of the last samples that
# survived.
MUTANTS         ?= 70
MUTANTS_SECONDS ?= 600
MUTANTS_FOLDERS ?=
SEED            ?= 1
mutants: build-deps
	@if command -v clang-19 >/dev/null && command -v python3 >/dev/null; then \
		python3 tests/tools/mutants/mutants.py --cc '$(CC)' --build '$(BUILD)-mutants' --jobs $(NPROC) \
			--count $(MUTANTS) --seconds $(MUTANTS_SECONDS) --seed $(SEED) \
			$(if $(MUTANTS_FOLDERS),--folders $(MUTANTS_FOLDERS)) $(MUTANTS_ARGS); \
	else \
		echo "mutants: SKIPPED, needs clang-19 and python3"; [ "$$CI" != true ]; \
	fi

# Prints what the simulator gives beside documented figures, and puts it into docs/ACCURACY.md. TRACES=dir: replays the
# thread traces in it too; without, the last replay stays in the document.
accuracy: deps
	@$(SUBMAKE) all $(BUILD)/tests/timing/accuracy/main $(if $(TRACES),$(BUILD)/tests/timing/replay) >/dev/null
ifneq ($(TRACES),)
	@{ echo '```'; $(BUILD)/tests/timing/replay --split tests/timing/replay_split.txt '$(TRACES)'; echo '```'; } > $(BUILD)/traces.md
endif
	@$(BUILD)/tests/timing/accuracy/main --doc docs/ACCURACY.md $(if $(TRACES),--traces $(BUILD)/traces.md)
	@$(if $(TRACES),cat $(BUILD)/traces.md)
	@$(SUBMAKE) accuracy-whole
	@$(SUBMAKE) accuracy-launches
	@$(SUBMAKE) accuracy-products

# The whole kernels beside what an MI300A took for them, into docs/ACCURACY.md, with the plot. WHOLE_WORK: those of at
# most so many million accesses of lanes, 0: all, which takes hours.
WHOLE_WORK ?= 12
WHOLE_CO := $(BUILD)/tests/timing/kernels/whole.gfx942.co
STREAM_CO := $(foreach t,gfx908 gfx90a gfx942,$(BUILD)/tests/timing/kernels/stream.$(t).co)
KERNELS_CFLAGS := -x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -nogpulib -O3 -Wall -Wextra -Werror -I.
$(BUILD)/tests/timing/kernels/%.gfx942.co: tests/timing/kernels/%.cl traces/samples/gcn.h
	@mkdir -p $(@D)
	clang-19 $(KERNELS_CFLAGS) -mcpu=gfx942 -o $@ $<
# gemm_bf16.inc is part of both
$(BUILD)/tests/timing/kernels/gemm_%.gfx942.co: tests/timing/kernels/gemm_%.s tests/timing/kernels/gemm_bf16.inc
	@mkdir -p $(@D)
	clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx942 -o $@ $<
# Which figures move the errors of make accuracy most, into docs/ACCURACY.md. SENSITIVITY_SECONDS bounds each section;
# TRACES=dir: the replay as well.
SENSITIVITY_SECONDS ?= 90
$(BUILD)/tests/timing/kernels/stream.%.co: tests/timing/kernels/stream.cl traces/samples/gcn.h
	@mkdir -p $(@D)
	clang-19 $(KERNELS_CFLAGS) -mcpu=$* -o $@ $<
.PHONY: sensitivity
sensitivity: deps
	@$(SUBMAKE) all $(BUILD)/tests/timing/accuracy/main $(if $(TRACES),$(BUILD)/tests/timing/replay) >/dev/null
	@if sh tests/deps.sh --why clang; then $(SUBMAKE) $(WHOLE_CO) >/dev/null; fi
	@if command -v python3 >/dev/null; then \
		python3 tests/tools/sensitivity.py --gcnsim $(BUILD)/gcnsim --accuracy $(BUILD)/tests/timing/accuracy/main \
			--kernels $(WHOLE_CO) --replay $(BUILD)/tests/timing/replay --traces '$(TRACES)' \
			--seconds $(SENSITIVITY_SECONDS) --jobs $(NPROC) --doc docs/ACCURACY.md; \
	else echo "sensitivity: SKIPPED, needs python3"; fi
# Products of matrices beside AMD's own figures, into docs/ACCURACY.md. PRODUCTS=all: of the whole chip, too, which
# takes half an hour.
PRODUCTS ?= quick
PRODUCT_CO := $(patsubst %,$(BUILD)/tests/timing/kernels/gemm_%.gfx942.co,bf16 bf16_lds)
.PHONY: accuracy-products
accuracy-products: deps
	@if sh tests/deps.sh --why clang; then \
		$(SUBMAKE) all $(BUILD)/tests/timing/accuracy/main $(PRODUCT_CO) >/dev/null && \
		$(BUILD)/tests/timing/accuracy/main --products $(BUILD)/tests/timing/kernels --doc docs/ACCURACY.md \
			$(if $(filter all,$(PRODUCTS)),--rows all); \
	else echo "products of matrices: SKIPPED"; fi
# Launches back to back, into docs/ACCURACY.md.
LAUNCH_CO := $(foreach t,gfx90a gfx1030,$(BUILD)/tests/timing/kernels/launch.$(t).co)
$(BUILD)/tests/timing/kernels/launch.%.co: tests/timing/kernels/launch.cl traces/samples/gcn.h
	@mkdir -p $(@D)
	clang-19 $(KERNELS_CFLAGS) -mcpu=$* -o $@ $<
.PHONY: accuracy-launches
accuracy-launches: deps
	@if sh tests/deps.sh --why clang; then \
		$(SUBMAKE) all $(BUILD)/tests/timing/accuracy/main $(LAUNCH_CO) >/dev/null && \
		$(BUILD)/tests/timing/accuracy/main --launches $(BUILD)/tests/timing/kernels --doc docs/ACCURACY.md; \
	else echo "launches: SKIPPED"; fi
.PHONY: accuracy-whole
accuracy-whole: deps
	@if sh tests/deps.sh --why clang; then \
		$(SUBMAKE) all $(BUILD)/tests/timing/accuracy/main $(WHOLE_CO) >/dev/null && \
		$(BUILD)/tests/timing/accuracy/main --whole $(WHOLE_CO) --work $(WHOLE_WORK) --jobs $(NPROC) \
			--doc docs/ACCURACY.md --svg docs/accuracy_mi300a.svg && \
		$(SUBMAKE) $(STREAM_CO) >/dev/null && \
		$(BUILD)/tests/timing/accuracy/main --streams $(BUILD)/tests/timing/kernels --doc docs/ACCURACY.md; \
	else echo "whole kernels: SKIPPED"; fi

# Writes the tables of docs/REPORT.md anew from the statistics table, the counts of figures of docs/TIMING_SOURCES.md
# from the profiles, and in pages that show commands what these print.
DOC_TESTS := $(BUILD)/tests/unit/report/test_report_doc $(BUILD)/tests/unit/report/test_counters_doc \
             $(BUILD)/tests/unit/config/test_sources_doc \
             $(BUILD)/tests/system/test_documents $(BUILD)/tests/system/test_tutorial_page
.PHONY: report-doc
report-doc: deps
	@$(SUBMAKE) all $(DOC_TESTS) >/dev/null
	@for t in $(DOC_TESTS); do GCNSIM=$(BUILD)/gcnsim REPORT_UPDATE=1 $$t || exit 1; done

# Measures transcendentals beside MPFR and writes their table in docs/SEMANTICS_NOTES.md anew.
ULP_VALUES ?= 10000000
.PHONY: ulp-doc
ulp-doc: deps
	@$(SUBMAKE) $(BUILD)/tests/unit/isa/test_ulp >/dev/null
	@rm -f $(BUILD)/ulp.md
	@GCNSIM_ULP_VALUES=$(ULP_VALUES) GCNSIM_ULP_TABLE=$(BUILD)/ulp.md $(BUILD)/tests/unit/isa/test_ulp
	@test -s $(BUILD)/ulp.md || { echo 'ulp-doc: no MPFR (Debian: libmpfr-dev)' >&2; exit 1; }
	@sed -i -e '/<!-- ulp: end/{r $(BUILD)/ulp.md' -e 'N}' -e '/<!-- ulp: made/,/<!-- ulp: end/{/<!-- ulp/!d}' \
		docs/SEMANTICS_NOTES.md

# Rewrites the expected outputs under tests/golden; look at the diff before committing it.
golden-update: deps
	@$(SUBMAKE) test-programs >/dev/null
	@GOLDEN_UPDATE=1 GCNSIM=$(abspath $(BUILD))/gcnsim sh tests/run.sh $(filter $(BUILD)/tests/golden/%,$(TEST_BIN))
	@git --no-pager diff --stat -- tests/golden 2>/dev/null || true

include tests/install.mk

# Debian packages (debian/), beside this folder. check-packages builds those of the last commit in clean chroots, and uses
# what they install.
package:
	dpkg-buildpackage -b -uc -us
check-packages:
	@sh tests/deps.sh --packages
	@BUILD='$(BUILD)' tests/packages.sh

.PHONY: fuzz-shown check-rocm check-rocm-with-deps check-world check-world-with-deps accuracy-llama accuracy-llama-with-deps test-with-deps rocm package check-packages deps build-deps test-programs test demo lint format check fuzz fuzz-grow sanitize sanitize-threads fuzz-programs bench accuracy golden-update mutants
