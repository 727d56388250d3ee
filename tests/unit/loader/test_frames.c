/* Functions and what was inlined into them: the committed samples with debug information, as llvm-symbolizer has them
 * at every instruction where it is installed; damage, which may take frames away and do nothing else; split DWARF. */
#define _GNU_SOURCE
#include "sim/loader/code_object.h"
#include "sim/loader/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"

#define SAMPLES "traces/samples/"

static const char *const samples[] = {SAMPLES "gfx1201/softmax.g.co", SAMPLES "gfx90a/softmax.g.co",
                                      SAMPLES "gfx1201/matmul.g.co", SAMPLES "gfx90a/matmul.g.co"};

static struct code_object *open_path(const char *path)
{
    struct code_object *co;
    struct err e = {0};

    if (code_object_open_file(&co, path, NULL, NULL, &e))
        fail_msg("%s", e.text);
    return co;
}

static void frame_is(const struct co_frame *f, const char *function, const char *file, unsigned line)
{
    assert_string_equal(f->function, function);
    assert_string_equal(f->file, file);
    assert_int_equal(f->line, line);
}

static void inlined_calls(void **state)
{
    struct code_object *co = open_path(samples[0]);
    const struct co_lines *lines = code_object_lines(co);
    struct co_frame f[CO_MAX_FRAMES];

    (void)state;
    assert_int_equal(co_lines_frames(lines, 0x17c0, f, CO_MAX_FRAMES), 3);
    frame_is(&f[0], "max_f32", "traces/samples/softmax.cl", 14);
    frame_is(&f[1], "half_max", "traces/samples/softmax.cl", 32);
    frame_is(&f[2], "softmax", "traces/samples/softmax.cl", 45);
    assert_int_equal(co_lines_frames(lines, 0x1700, f, CO_MAX_FRAMES), 2);
    frame_is(&f[0], "local_x", "traces/samples/gcn.h", 20);
    frame_is(&f[1], "softmax", "traces/samples/softmax.cl", 38);
    assert_int_equal(f[1].column, 14);
    assert_int_equal(co_lines_frames(lines, 0x1aa0, f, CO_MAX_FRAMES), 1);
    frame_is(&f[0], "softmax", "traces/samples/softmax.cl", 63);
    assert_int_equal(co_lines_frames(lines, 0x17c0, f, 2), 2); /* no more than there is room for */
    assert_int_equal(co_lines_frames(lines, 0x16fc, f, CO_MAX_FRAMES), 0);
    assert_int_equal(co_lines_frames(lines, 0x1ab0, f, CO_MAX_FRAMES), 0);
    assert_int_equal(co_lines_frames(lines, UINT64_MAX, f, CO_MAX_FRAMES), 0);
    assert_int_equal(co_lines_frames(NULL, 0x17c0, f, CO_MAX_FRAMES), 0);
    code_object_close(co);
}

/* Reads llvm-symbolizer's answer: functions and places in turn, up to the next address. */
static unsigned symbolizer_frames(FILE *f, char text[CO_MAX_FRAMES][2][256])
{
    char line[256];
    unsigned n = 0;

    while (fgets(line, sizeof line, f) && line[0] != '\n') {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0x", 2))
            continue;
        memcpy(text[n][0], line, sizeof line);
        assert_non_null(fgets(line, sizeof line, f));
        line[strcspn(line, "\n")] = 0;
        memcpy(text[n++][1], line, sizeof line);
        assert_true(n < CO_MAX_FRAMES);
    }
    return n;
}

/* Frames at every instruction of a file, as llvm-symbolizer has them; how many were compared. */
static unsigned compare_with_symbolizer(const char *path)
{
    struct code_object *co = open_path(path);
    const struct co_lines *lines = code_object_lines(co);
    const struct co_text *text = code_object_text(co, 0);
    char command[512], said[CO_MAX_FRAMES][2][256], place[300];
    struct co_frame f[CO_MAX_FRAMES];
    unsigned compared = 0;

    snprintf(command, sizeof command,
             "seq %llu 4 %llu | xargs printf '0x%%x\\n' | llvm-symbolizer-19 --output-style=LLVM -f -i -a --obj=%s",
             (unsigned long long)text->vaddr, (unsigned long long)(text->vaddr + text->size - 4), path);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    for (uint64_t at = text->vaddr; at < text->vaddr + text->size; at += 4) {
        unsigned theirs = symbolizer_frames(from, said);
        size_t ours = co_lines_frames(lines, at, f, CO_MAX_FRAMES);

        if (!strncmp(said[0][0], "??", 2) || !ours || !f[0].file) /* line 0 is the compiler's own code */
            continue;
        assert_int_equal(ours, theirs);
        for (unsigned k = 0; k < theirs; k++) {
            snprintf(place, sizeof place, "%s:%u:%u", f[k].file, f[k].line, f[k].column);
            assert_string_equal(f[k].function, said[k][0]);
            assert_string_equal(place, said[k][1] + (strncmp(said[k][1], "./", 2) == 0 ? 2 : 0));
        }
        compared++;
    }
    pclose(from);
    code_object_close(co);
    return compared;
}

static void as_llvm_symbolizer_has_them(void **state)
{
    (void)state;
    if (system("command -v llvm-symbolizer-19 >/dev/null 2>&1")) {
        print_message("skipped: no llvm-symbolizer-19\n");
        skip();
    }
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++)
        assert_true(compare_with_symbolizer(samples[k]) > 50);
}

/* For HIP: mangled names, namespaces, templates, a call that is not inlined, code in two units. */
static void hip_code(void **state)
{
    static const char source[] =
        "#define G __attribute__((global))\n#define D __attribute__((device))\n"
        "namespace ns {\ntemplate <typename T> D static inline T twice(T x)\n{\n    return x + x;\n}\n"
        "struct S {\n    float v;\n    D float get() const { return twice(v) * 3.0f; }\n};\n}\n"
        "D __attribute__((noinline)) float far(float *p, int n)\n{\n    float s = 0;\n    for (int i = 0; i < n; i++) "
        "{\n"
        "        ns::S q{p[i]};\n        s += q.get();\n    }\n    return s;\n}\n"
        "G void k(float *p, int n)\n{\n    ns::S s{p[n]};\n    p[0] = s.get() + far(p, n);\n}\n";
    static const char *const forms[] = {"-gdwarf-5", "-gdwarf-4", CLANG_DWARF64 " -gdwarf-5"};
    char line[768], path[256];

    (void)state;
    NEED_CLANG();
    snprintf(path, sizeof path, "%s/h.hip", program_folder());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        snprintf(line, sizeof line,
                 "cd %s && clang-19 -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib "
                 "--offload-arch=gfx90a -g -O2 %s h.hip -o h.co >log 2>&1",
                 program_folder(), forms[k]);
        if (system(line))
            fail_msg("failed: %s", line);
        snprintf(path, sizeof path, "%s/h.co", program_folder());
        if (!system("command -v llvm-symbolizer-19 >/dev/null 2>&1")) {
            struct co_frame frame[CO_MAX_FRAMES];
            struct code_object *co = open_path(path);
            const struct co_symbol *s = code_object_find_symbol(co, "_Z3farPfi");
            bool found = false;

            assert_non_null(s);
            for (uint64_t at = s->vaddr; at < s->vaddr + s->size; at += 4) {
                size_t n = co_lines_frames(code_object_lines(co), at, frame, CO_MAX_FRAMES);
                found |= n == 3 && !strcmp(frame[0].function, "_ZN2nsL5twiceIfEET_S1_") &&
                         !strcmp(frame[1].function, "_ZNK2ns1S3getEv") && frame[1].line == 10 &&
                         !strcmp(frame[2].function, "_Z3farPfi") && frame[2].line == 18;
            }
            assert_true(found);
            code_object_close(co);
        }
    }
}

/* The other file's functions are wanted, and it is not opened: its unit alone takes the frames away. */
static void split_dwarf_has_no_frames(void **state)
{
    struct co_frame f[CO_MAX_FRAMES];
    char line[512];

    (void)state;
    NEED_CLANG();
    snprintf(line, sizeof line,
             "cd %s && printf 'static int f(int x) { return x * 3; }\\nkernel void k(global int *p)\\n{ p[1] = "
             "f(p[0]);\\n}\\n' >s.cl && clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O2 -g -gsplit-dwarf "
             "-c s.cl -o s.o >log 2>&1 && ld.lld-19 -shared s.o -o s.co >>log 2>&1",
             program_folder());
    if (system(line)) {
        print_message("skipped: no split DWARF here\n");
        skip();
    }
    snprintf(line, sizeof line, "%s/s.co", program_folder());
    struct code_object *co = open_path(line);
    const struct co_symbol *s = code_object_find_symbol(co, "k");
    assert_non_null(s);
    for (uint64_t at = s->vaddr; at < s->vaddr + s->size; at += 4)
        for (size_t n = co_lines_frames(code_object_lines(co), at, f, CO_MAX_FRAMES); n; n--)
            assert_null(f[n - 1].function);
    code_object_close(co);
}

/* Every byte of the debug sections set to several values in turn. */
static void damage(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0xff};
    struct code_object *whole = open_path(samples[0]);
    struct co_frame f[CO_MAX_FRAMES];
    size_t size;
    uint8_t *bytes;
    unsigned with_frames = 0, without = 0;

    (void)state;
    const uint8_t *elf = code_object_file(whole, &size);
    bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, elf, size);
    const struct co_text *text = code_object_text(whole, 0);
    size_t from = (size_t)(code_object_bytes(whole, text->vaddr, &(uint64_t){0}) - elf) + text->size;
    for (size_t n = from; n < size; n++) {
        uint8_t was = bytes[n];
        struct code_object *co;
        struct err e = {0};

        bytes[n] = values[n % 4] == was ? (uint8_t)~was : values[n % 4];
        if (!code_object_open(&co, bytes, size, "k.co", NULL, NULL, &e)) {
            const struct co_lines *lines = code_object_lines(co);
            size_t most = 0;

            for (uint64_t at = text->vaddr; at < text->vaddr + text->size; at += 8) {
                size_t count = co_lines_frames(lines, at, f, CO_MAX_FRAMES);
                most = count > most ? count : most;
                for (size_t k = 0; k < count; k++)
                    assert_true((!f[k].function || strlen(f[k].function)) && (!f[k].file || f[k].line));
            }
            with_frames += most > 1;
            without += most <= 1;
            code_object_close(co);
        }
        bytes[n] = was;
    }
    assert_true(with_frames > 500 && without > 100);
    free(bytes);
    code_object_close(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inlined_calls), cmocka_unit_test(as_llvm_symbolizer_has_them),
        cmocka_unit_test(hip_code),      cmocka_unit_test(split_dwarf_has_no_frames),
        cmocka_unit_test(damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
