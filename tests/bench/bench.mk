# Programs and runs of the bench. tests/bench/compare.sh gives it to the Makefile of another commit, too, after that
# commit's own.
ifndef BENCH_PROGRAMS
BENCH_PROGRAMS := $(addprefix $(BUILD)/tests/bench/,bench bench_chip bench_decode bench_launch)

$(BUILD)/tests/bench/host_loop.o: tests/bench/host_loop.c tests/bench/host_loop.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) -O3 -march=native $(CFLAGS) -c -o $@ $<
# of this tree alone: it goes by the rows
BENCH_SURVEY := $(BUILD)/tests/bench/survey
# and it follows the engines from within
BENCH_SCHEDULE := $(BUILD)/tests/bench/schedule
$(BENCH_PROGRAMS) $(BENCH_SURVEY) $(BENCH_SCHEDULE): $(BUILD)/tests/bench/%: tests/bench/%.c tests/bench/rows.c $(wildcard tests/bench/*.h) \
                   $(BUILD)/tests/bench/host_loop.o $(BUILD)/libgcnsim.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $(filter %.c %.o %.a,$^) $(LIBS)
$(BUILD)/tests/bench/bench: tests/bench/scaling.c tests/bench/scaling.h
# the instructions that random programs are made of
$(BUILD)/tests/bench/survey: $(STREAM_HELPERS)
$(BUILD)/tests/bench/bench_decode: tests/golden/llvm_oracle.c $(BUILD)/tests/golden/oracle_child

.PHONY: bench-programs bench bench-record bench-compare bench-sampling
bench-programs: $(BUILD)/gcnsim $(BENCH_PROGRAMS)

# Rates of everything beside loops of the host's own, then beside the figures of tests/bench/recorded.tsv. ONLY='loops
# chip': those parts (tests/bench/run.sh lists them); QUICK=1: the short ones, for less long.
bench bench-record: deps
	@$(SUBMAKE) all bench-programs $(BENCH_SURVEY) $(BENCH_SCHEDULE) $(if $(HSA_LIB),$(addprefix $(HSA_PROGRAMS)/,namesake rates throughput)) >/dev/null
	@rm -f $(BUILD)/bench.tsv
	@QUICK='$(QUICK)' sh tests/bench/run.sh '$(BUILD)' '$(BUILD)/bench.tsv' $(ONLY)
	@sh tests/bench/rows.sh show tests/bench/recorded.tsv '$(BUILD)/bench.tsv'
	@$(if $(filter bench-record,$@),sh tests/bench/rows.sh record tests/bench/recorded.tsv '$(BUILD)/bench.tsv')

# REF=commit: that commit's library with the bench of this tree beside this tree's own, in turns. ROUNDS of A B B A.
ROUNDS ?= 1
bench-compare: deps
	@$(SUBMAKE) bench-programs >/dev/null
	@MAKE='$(MAKE)' NPROC='$(NPROC)' QUICK='$(QUICK)' ROUNDS='$(ROUNDS)' sh tests/bench/compare.sh '$(BUILD)' '$(REF)' $(ONLY)

# Sampled launches beside the same in full: CHIP=gfx1201 or gfx90a, ONLY='vecadd scan', WINDOWS=n, FULL=dir, SKIP=1. Takes
# minutes.
CHIP ?= gfx1201
bench-sampling: $(BUILD)/gcnsim
	@WINDOWS='$(WINDOWS)' FULL='$(FULL)' SKIP='$(SKIP)' sh tests/bench/sampling.sh '$(BUILD)' $(CHIP) $(ONLY)
endif
