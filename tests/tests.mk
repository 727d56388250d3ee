# Tests, checks and developer targets. Included by the top Makefile.
#
# tests/unit/*/test_*.c and tests/timing/test_*.c, tests/golden/test_*.c, tests/system/test_*.c are cmocka programs;
# each is linked with the library's object (internal functions included) and run from the repository's root with
# GCNSIM=path-of-the-tool in its environment.
TEST_SRC := $(wildcard tests/unit/*/test_*.c tests/golden/test_*.c tests/timing/test_*.c tests/system/test_*.c)
TEST_BIN := $(TEST_SRC:%.c=$(BUILD)/%)
TEST_LIBS := -lcmocka

$(BUILD)/tests/%: tests/%.c $(BUILD)/libgcnsim.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_) $(CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(BUILD)/libgcnsim.a $(TEST_LIBS) $(LIBS)
