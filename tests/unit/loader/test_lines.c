/* Source lines: addresses, files and lines as llvm-dwarfdump and the assembler's own `.loc` directives have them, and
 * what damage to the DWARF may do: take lines away, nothing else. The objects are made by clang-19. */
#define _GNU_SOURCE
#include "sim/loader/code_object.h"
#include "sim/loader/lines.h"

#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"

/* Two units, one of them with two files; .loc states what is expected. */
static const char unit_a[] =
    "\t.file 1 \"/src\" \"a.cl\"\n\t.file 2 \"/src\" \"a.h\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\n"
    "k:\n\t.loc 1 3 7 is_stmt 1\n\ts_nop 0\n\ts_nop 1\n\t.loc 2 40 0\n\ts_nop 2\n\t.loc 1 0 0\n\ts_nop 3\n"
    "\t.loc 1 5 1\n\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n"
    "\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 1\n\t.amdhsa_next_free_sgpr 8\n"
    "\t.end_amdhsa_kernel\n";
static const char unit_b[] = "\t.file 1 \"/src\" \"b.cl\"\n\t.text\n\t.globl f\n\t.p2align 8\n\t.type f,@function\nf:\n"
                             "\t.loc 1 12 0\n\ts_nop 0\n\ts_endpgm\n.Lend:\n\t.size f, .Lend-f\n"
                             "\t.section .text.unused,\"ax\",@progbits\nunused:\n\t.loc 1 99 0\n\ts_nop 0\n";

/* What the compiler makes of it begins on line 2 and ends on line 3. */
static const char source[] = "kernel void k(global int *p)\n{ p[1] = p[0] + 1;\n}\n";

static uintptr_t ours, ours_end; /* gcnsim's library */
static bool ours_alone;          /* other libraries always have memory */

/* Finds the object that has co_lines_count(). */
static int find_ours(struct dl_phdr_info *object, size_t size, void *ctx)
{
    uintptr_t there = (uintptr_t)co_lines_count;

    (void)size, (void)ctx;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
        ours = object->dlpi_addr + segment->p_vaddr;
        ours_end = ours + segment->p_memsz;
        if (segment->p_type == PT_LOAD && there >= ours && there < ours_end)
            return 1;
    }
    return 0;
}

/* Allocations of this program and its libraries: number fail_at from now on fails. A sanitizer has its own. */
static long fail_at = -1;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
static const bool can_fail = false;
#else
static const bool can_fail = true;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);

static bool fails(const void *caller)
{
    if (ours_alone && ((uintptr_t)caller < ours || (uintptr_t)caller >= ours_end))
        return false;
    return fail_at >= 0 && fail_at-- == 0;
}

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, bytes);
}
#endif

static void write_text(const char *file, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", program_folder(), file);
    FILE *fp = fopen(path, "w");
    assert_non_null(fp);
    assert_true(fputs(text, fp) >= 0);
    assert_int_equal(fclose(fp), 0);
}

/* The object that `options` make of the two units. */
static uint8_t *build(const char *inputs, const char *options, size_t *size)
{
    char line[512];
    uint8_t *bytes = malloc(1 << 20);
    FILE *fp;

    snprintf(line, sizeof line,
             "cd %s && clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx1201 -nogpulib %s %s "
             "-o k.co >log 2>&1",
             program_folder(), options, inputs);
    if (system(line))
        fail_msg("failed: %s", line);
    snprintf(line, sizeof line, "%s/k.co", program_folder());
    assert_non_null(fp = fopen(line, "rb"));
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, fp);
    fclose(fp);
    return bytes;
}

static struct code_object *open_bytes(const uint8_t *bytes, size_t size)
{
    struct code_object *co;
    struct err e = {0};

    if (code_object_open(&co, bytes, size, "k.co", NULL, NULL, &e))
        fail_msg("%s", e.text);
    return co;
}

static void expect(const struct co_lines *lines, uint64_t vaddr, const char *file, unsigned line, unsigned column)
{
    const struct co_line *row = co_lines_at(lines, vaddr);

    if (!file) {
        assert_null(row);
        return;
    }
    assert_non_null(row);
    assert_string_equal(row->file, file);
    assert_int_equal(row->line, line);
    assert_int_equal(row->column, column);
}

static uint64_t symbol(const struct code_object *co, const char *name)
{
    const struct co_symbol *s = code_object_find_symbol(co, name);

    assert_non_null(s);
    return s->vaddr;
}

static void expect_all(const struct code_object *co)
{
    const struct co_lines *lines = code_object_lines(co);
    uint64_t k = symbol(co, "k"), f = symbol(co, "f");

    assert_non_null(lines);
    assert_ptr_equal(code_object_lines(co), lines); /* built once */
    expect(lines, 0, NULL, 0, 0);
    expect(lines, k - 4, NULL, 0, 0);
    expect(lines, k, "/src/a.cl", 3, 7);
    expect(lines, k + 4, "/src/a.cl", 3, 7);
    expect(lines, k + 8, "/src/a.h", 40, 0);
    expect(lines, k + 12, NULL, 0, 0); /* the compiler's own */
    expect(lines, k + 16, "/src/a.cl", 5, 1);
    expect(lines, k + 20, NULL, 0, 0); /* after the end */
    expect(lines, f, "/src/b.cl", 12, 0);
    expect(lines, f + 7, "/src/b.cl", 12, 0);
    expect(lines, f + 8, NULL, 0, 0);
    expect(lines, UINT64_MAX, NULL, 0, 0);
    for (size_t n = 0; n < co_lines_count(lines); n++) {
        const struct co_line *row = co_lines_row(lines, n);
        assert_true(!n || row->vaddr > co_lines_row(lines, n - 1)->vaddr);
        assert_true(row->line != 99); /* of the function that the linker dropped */
    }
    assert_int_equal(co_lines_count(lines), 7);
    assert_true(co_lines_at(lines, k)->statement);
}

static void every_form_of_line_table(void **state)
{
    static const char *const forms[] = {"-Wl,--gc-sections", "-Wl,--gc-sections -gz=zlib"};

    (void)state;
    NEED_CLANG();
    for (size_t n = 0; n < sizeof forms / sizeof forms[0]; n++) {
        size_t size;
        uint8_t *bytes = build("a.s b.s", forms[n], &size);
        struct code_object *co = open_bytes(bytes, size);

        expect_all(co);
        code_object_close(co);
        free(bytes);
    }
}

static void compiled_code(void **state)
{
    static const char *const forms[] = {"-g -O0", "-g -O2", "-gdwarf-4 -O2", "-gline-tables-only -O2",
                                        CLANG_DWARF64 " -O2"};
    char file[64];

    (void)state;
    NEED_CLANG();
    snprintf(file, sizeof file, "%s/k.cl", program_folder());
    for (size_t n = 0; n < sizeof forms / sizeof forms[0]; n++) {
        size_t size, in_file = 0;
        uint8_t *bytes = build("k.cl", forms[n], &size);
        struct code_object *co = open_bytes(bytes, size);
        const struct co_lines *lines = code_object_lines(co);
        const struct co_line *row;

        for (size_t k = 0; k < co_lines_count(lines); k++) {
            row = co_lines_row(lines, k);
            if (!row->file)
                continue;
            assert_string_equal(row->file, file);
            assert_in_range(row->line, 1, 3);
            in_file++;
        }
        assert_true(in_file >= 3);
        row = co_lines_at(lines, co_lines_row(lines, co_lines_count(lines) - 1)->vaddr - 4);
        assert_non_null(row);
        assert_int_equal(row->line, 3);
        code_object_close(co);
        free(bytes);
    }
}

static void none_without_debug_information(void **state)
{
    size_t size;

    (void)state;
    NEED_CLANG();
    uint8_t *bytes = build("a.s b.s", "-Wl,--strip-debug", &size);
    struct code_object *co = open_bytes(bytes, size);
    assert_null(code_object_lines(co));
    assert_null(co_lines_at(code_object_lines(co), symbol(co, "k")));
    assert_int_equal(co_lines_count(NULL), 0);
    code_object_close(co);
    free(bytes);
}

/* A budget that has no room for lines is none's error, and the next failure is not said to be the budget's. */
static void no_lines_where_the_budget_is_spent(void **state)
{
    struct code_object *co;
    struct budget budget;
    struct err e = {0};
    size_t size;

    (void)state;
    NEED_CLANG();
    uint8_t *bytes = build("a.s b.s", "", &size);
    budget_init(&budget, UINT64_C(1) << 30);
    if (code_object_open(&co, bytes, size, "k.co", NULL, &budget, &e))
        fail_msg("%s", e.text);
    uint64_t held = budget.held;
    budget.limit = held + 1000;
    assert_null(code_object_lines(co));
    assert_int_equal(budget.held, held);
    assert_int_equal(budget.refused, 0);
    code_object_close(co);
    budget.limit = UINT64_C(1) << 30;
    if (code_object_open(&co, bytes, size, "k.co", NULL, &budget, &e))
        fail_msg("%s", e.text);
    assert_non_null(code_object_lines(co));
    assert_true(budget.held > held);
    code_object_close(co);
    assert_int_equal(budget.held, 0);
    free(bytes);
}

/* Without memory there are no lines, or those of other units, and never wrong ones; libdw would end the process. */
static void every_allocation_fails_in_turn(void **state)
{
    unsigned failures = 0;
    bool failed = can_fail;
    size_t size;

    (void)state;
    NEED_CLANG();
    uint8_t *bytes = build("a.s b.s", "-Wl,--gc-sections", &size);
    for (long n = 0; failed; n++) {
        struct code_object *co = open_bytes(bytes, size);

        fail_at = n;
        const struct co_lines *lines = code_object_lines(co);
        failed = fail_at < 0;
        fail_at = -1;
        if (failed) {
            const struct co_line *at_k = co_lines_at(lines, symbol(co, "k")),
                                 *at_f = co_lines_at(lines, symbol(co, "f"));
            assert_true(co_lines_count(lines) <= 7);
            assert_true(!at_k || at_k->line == 3);
            assert_true(!at_f || at_f->line == 12);
            failures++;
        } else {
            expect_all(co);
        }
        code_object_close(co);
    }
    assert_true(!can_fail || failures > 5);
    free(bytes);
}

/* The same of frames, in a file that has them: there are less of them then, up to none. The memory of libdw's table of
 * abbreviations is not among it: libdw uses it unseen. */
static void every_allocation_of_frames_fails_in_turn(void **state)
{
    struct co_frame f[CO_MAX_FRAMES];
    bool failed = can_fail;
    unsigned failures = 0;

    (void)state;
    assert_int_equal(dl_iterate_phdr(find_ours, NULL), 1);
    ours_alone = true;
    for (long n = 0; failed; n++) {
        struct code_object *co;
        struct err e = {0};

        if (code_object_open_file(&co, "traces/samples/gfx1201/softmax.g.co", NULL, NULL, &e))
            fail_msg("%s", e.text);
        fail_at = n;
        const struct co_lines *lines = code_object_lines(co);
        failed = fail_at < 0;
        fail_at = -1;
        size_t count = co_lines_frames(lines, 0x17c0, f, CO_MAX_FRAMES);
        assert_true(count <= 3);
        assert_true(failed || count == 3);
        assert_true(!count || !f[0].file || f[0].line == 14);
        failures += failed;
        code_object_close(co);
    }
    ours_alone = false;
    assert_true(!can_fail || failures > 5);
}

/* Every byte after the first debug section set to several values, in turn: whatever lines are left, they are of the
 * code, in order, and reading them ends. */
static void damaged_debug_information(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    size_t size, from;
    unsigned opened = 0, with_lines = 0;

    (void)state;
    NEED_CLANG();
    uint8_t *bytes = build("a.s b.s", "", &size), *at;
    at = memmem(bytes, size, "/src", 4); /* in .debug_line_str or .debug_line */
    assert_non_null(at);
    from = (size_t)(at - bytes) - 400 < size ? (size_t)(at - bytes) - 400 : 0;
    for (size_t n = from; n < size; n++)
        for (size_t v = 0; v < sizeof values; v++) {
            uint8_t was = bytes[n];
            struct code_object *co;
            struct err e = {0};

            bytes[n] = values[v];
            if (!code_object_open(&co, bytes, size, "k.co", NULL, NULL, &e)) {
                const struct co_lines *lines = code_object_lines(co);
                for (size_t k = 0; k < co_lines_count(lines); k++) {
                    const struct co_line *row = co_lines_row(lines, k);
                    assert_true(!k || row->vaddr > co_lines_row(lines, k - 1)->vaddr);
                    assert_true(!row->file || row->line);
                }
                opened++;
                with_lines += lines != NULL;
                code_object_close(co);
            }
            bytes[n] = was;
        }
    assert_true(opened > 1000 && with_lines > 500 && with_lines < opened);
    free(bytes);
}

/* A unit whose folder is a text of another file (DW_FORM_GNU_strp_alt), which .gnu_debugaltlink names. */
static const char other_file[] =
    "\t.section .debug_abbrev,\"\",@progbits\n\t.uleb128 1\n\t.uleb128 0x11\n\t.byte 0\n\t.uleb128 0x1b\n"
    "\t.uleb128 0x1f21\n\t.uleb128 0x10\n\t.uleb128 0x17\n\t.byte 0,0,0\n"
    "\t.section .debug_info,\"\",@progbits\n\t.long .Lend_info-.Linfo\n.Linfo:\n\t.short 4\n\t.long 0\n"
    "\t.byte 8\n\t.uleb128 1\n\t.long 0\n\t.long 0\n.Lend_info:\n"
    "\t.section .gnu_debugaltlink,\"\",@progbits\n\t.asciz \"%s/other\"\n"
    "\t.byte 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20\n";

/* A file that a code object names is not opened: it may be any file, and opening a FIFO waits for ever. */
static void no_file_that_the_object_names_is_opened(void **state)
{
    char text[4096], path[128], event[512];
    size_t size;

    (void)state;
    snprintf(path, sizeof path, "%s/other", program_folder());
    write_text("other", "no ELF file\n");
    int n = snprintf(text, sizeof text, "%s", unit_a);
    snprintf(text + n, sizeof text - (size_t)n, other_file, program_folder());
    write_text("alt.s", text);
    uint8_t *bytes = build("alt.s", "", &size);
    struct code_object *co = open_bytes(bytes, size);
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    assert_true(watch >= 0);
    assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
    assert_null(code_object_lines(co));
    assert_true(read(watch, event, sizeof event) < 0);
    assert_int_equal(errno, EAGAIN);
    close(watch);
    code_object_close(co);
    free(bytes);
}

/* libdw decompresses these, and their headers do not say how large they get where the budget looks. */
static void no_lines_with_sections_of_uncounted_size(void **state)
{
    static const char *const names[] = {".zdebug_str", ".gnu.debuglto_.debug_str", ".debug_sup"};

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char text[4096];
        size_t size;

        snprintf(text, sizeof text, "%s\t.section %s,\"\",@progbits\n\t.ascii \"ZLIB\"\n\t.quad 0\n", unit_a, names[k]);
        write_text("odd.s", text);
        uint8_t *bytes = build("odd.s", "", &size);
        struct code_object *co = open_bytes(bytes, size);
        assert_null(code_object_lines(co));
        code_object_close(co);
        free(bytes);
    }
}

static int set_up(void **state)
{
    (void)state;
    write_text("a.s", unit_a);
    write_text("b.s", unit_b);
    write_text("k.cl", source);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_line_table),
        cmocka_unit_test(compiled_code),
        cmocka_unit_test(none_without_debug_information),
        cmocka_unit_test(no_lines_where_the_budget_is_spent),
        cmocka_unit_test(every_allocation_fails_in_turn),
        cmocka_unit_test(every_allocation_of_frames_fails_in_turn),
        cmocka_unit_test(damaged_debug_information),
        cmocka_unit_test(no_file_that_the_object_names_is_opened),
        cmocka_unit_test(no_lines_with_sections_of_uncounted_size),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
