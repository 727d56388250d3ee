/* Which kernels are the language runtime's copies and fills: by their names and arguments, as code objects of its
 * releases have them. What a code object says is made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/hsa/code/blit_layout.h"

enum { MOST = 20 };

/* The kernel that the code object has. */
static struct {
    const char *name;
    bool no_metadata;
    uint32_t explicit_args, args;
    struct gcnsim_arg_info arg[MOST];
} made;

int __wrap_gcnsim_code_kernel_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info,
                                    size_t bytes);
int __wrap_gcnsim_code_kernel_arg_sized(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                        struct gcnsim_arg_info *info, size_t bytes);

int __wrap_gcnsim_code_kernel_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info,
                                    size_t bytes)
{
    (void)code, (void)bytes;
    *info = (struct gcnsim_kernel_info){
        .name = made.name, .has_metadata = !made.no_metadata, .explicit_arg_count = made.explicit_args};
    return index == 3 ? GCNSIM_OK : GCNSIM_ERROR_USAGE;
}

int __wrap_gcnsim_code_kernel_arg_sized(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                        struct gcnsim_arg_info *info, size_t bytes)
{
    (void)code, (void)bytes;
    if (kernel != 3 || index >= made.args)
        return GCNSIM_ERROR_USAGE;
    *info = made.arg[index];
    return GCNSIM_OK;
}

/* "*src 8 0, size 8 16": names, with a star before those of pointers, bytes and offsets. */
static void make(const char *name, const char *args)
{
    static char names[MOST][32];
    unsigned bytes, offset;

    memset(&made, 0, sizeof made);
    made.name = name;
    for (int used; sscanf(args, " %31s %u %u%n", names[made.args], &bytes, &offset, &used) == 3; args += used) {
        const char *text = names[made.args];
        const bool pointer = *text == '*', hidden = strncmp(text, "hidden_", 7) == 0;

        made.arg[made.args++] = (struct gcnsim_arg_info){.name = hidden ? "" : text + pointer,
                                                         .value_kind = hidden    ? text
                                                                       : pointer ? "global_buffer"
                                                                                 : "by_value",
                                                         .offset = offset,
                                                         .size = bytes,
                                                         .hidden = hidden};
        made.explicit_args += !hidden;
        args += args[used] == ',';
    }
}

static const struct {
    const char *name;
    enum blit_kind kind;
    const char *args;
} layouts[] = {
    {"fillBufferAligned", BLIT_FILL,
     "*bufUChar 8 0, *bufUShort 8 8, *bufUInt 8 16, *bufULong 8 24, *pattern 8 32, patternSize 4 40, offset 8 48, size "
     "8 56"},
    {"copyBuffer", BLIT_COPY, "*srcI 8 0, *dstI 8 8, srcOrigin 8 16, dstOrigin 8 24, size 8 32, remain 4 40"},
    {"streamOpsWrite", BLIT_WRITE_SIZED, "*ptrInt 8 0, *ptrUlong 8 8, value 8 16, sizeBytes 8 24"},
    {"fillBufferAligned", BLIT_FILL_CHUNKS_BY_ID,
     "*buf 8 0, *pattern 8 8, pattern_size 4 16, alignment 4 20, end_ptr 8 24, next_chunk 4 32"},
    {"copyBuffer", BLIT_COPY_CHUNKS_BY_ID,
     "*src 8 0, *dst 8 8, size 8 16, remainder 4 24, aligned_size 4 28, end_ptr 8 32, next_chunk 4 40"},
    {"fillBufferAligned", BLIT_FILL_CHUNKS,
     "*buf 8 0, *pattern 8 8, pattern_size 4 16, alignment 4 20, end_ptr 8 24, next_chunk 4 32, workgroup_size 4 36"},
    {"copyBuffer", BLIT_COPY_CHUNKS,
     "*src 8 0, *dst 8 8, size 8 16, remainder 4 24, aligned_size 4 28, end_ptr 8 32, next_chunk 4 40, workgroup_size "
     "4 44"},
    {"streamOpsWrite", BLIT_WRITE, "*ptrInt 8 0, *ptrUlong 8 8, value 8 16"},
    {"fillBufferAligned2D", BLIT_FILL_2D,
     "*bufUChar 8 0, *bufUShort 8 8, *bufUInt 8 16, *bufULong 8 24, *pattern 8 32, patternSize 4 40, offset 8 48, "
     "width 8 56, "
     "height 8 64, pitch 8 72"},
    {"copyBufferAligned", BLIT_COPY_ALIGNED,
     "*src 8 0, *dst 8 8, srcOrigin 8 16, dstOrigin 8 24, size 8 32, alignment 4 40"},
    {"copyBufferRect", BLIT_COPY_RECT, "*src 8 0, *dst 8 8, srcRect 32 32, dstRect 32 64, size 32 96"},
    {"copyBufferRectAligned", BLIT_COPY_RECT_ALIGNED, "*src 8 0, *dst 8 8, srcRect 32 32, dstRect 32 64, size 32 96"},
    {"streamOpsWait", BLIT_WAIT, "*ptrInt 8 0, *ptrUlong 8 8, value 8 16, flags 8 24, mask 8 32"},
};

static struct blit_kernel recognised(void)
{
    return blit_recognise(NULL, 3);
}

static void make_nth(size_t k, const char *more)
{
    static char name[64], args[400];

    snprintf(name, sizeof name, "__amd_rocclr_%s", layouts[k].name);
    snprintf(args, sizeof args, "%s%s", layouts[k].args, more);
    make(name, args);
}

/* Each of them, with its names and without, and nothing when one argument is another. */
static void all_layouts(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        make_nth(k, "");
        if (recognised().kind != layouts[k].kind)
            fail_msg("%s, %zu", layouts[k].name, k);
        assert_int_equal(recognised().global_offset, 0);
        assert_int_equal(blit_recognise(NULL, 2).kind, BLIT_NONE); /* there is no such kernel */
        for (uint32_t n = 0; n < made.args; n++) {
            struct gcnsim_arg_info was = made.arg[n];

            made.arg[n].name = "other";
            assert_int_equal(recognised().kind, BLIT_NONE);
            made.arg[n] = was;
            made.arg[n].offset += 4;
            assert_int_equal(recognised().kind, BLIT_NONE);
            made.arg[n] = was;
            made.arg[n].size /= 2;
            assert_int_equal(recognised().kind, BLIT_NONE);
            made.arg[n] = was;
            made.arg[n].value_kind = strcmp(was.value_kind, "by_value") ? "by_value" : "global_buffer";
            assert_int_equal(recognised().kind, BLIT_NONE);
            made.arg[n] = was;
            made.arg[n].hidden = 1;
            assert_int_equal(recognised().kind, BLIT_NONE);
            made.arg[n] = was;
        }
        made.no_metadata = true;
        assert_int_equal(recognised().kind, BLIT_NONE);
        made.no_metadata = false;
        for (uint32_t n = 0; n < made.args; n++)
            made.arg[n].name = ""; /* ROCclr 5.2 and later name them, and nobody has to */
        assert_int_equal(recognised().kind, layouts[k].kind);
        made.name += 1;
        assert_int_equal(recognised().kind, BLIT_NONE);
        make_nth(k, ", more 8 200");
        assert_int_equal(recognised().kind, BLIT_NONE);
    }
}

/* Where the grid's offsets are: in a row of three, at whatever place; other hidden arguments do not matter. */
static void global_offsets(void **state)
{
    static const struct {
        const char *hidden;
        uint32_t at;
        bool is;
    } rows[] = {
        {", hidden_global_offset_x 8 48, hidden_global_offset_y 8 56, hidden_global_offset_z 8 64", 48, true},
        {", hidden_block_count_x 4 48, hidden_global_offset_x 8 88, hidden_global_offset_y 8 96, "
         "hidden_global_offset_z 8 104",
         88, true},
        {", hidden_block_count_x 4 48", 0, true},
        {", hidden_global_offset_x 8 48, hidden_global_offset_y 8 64, hidden_global_offset_z 8 72", 0, false},
        {", hidden_global_offset_x 8 48, hidden_global_offset_y 8 56, hidden_global_offset_z 8 72", 0, false},
        {", hidden_global_offset_x 4 48, hidden_global_offset_y 4 52, hidden_global_offset_z 4 56", 0, false},
        {", hidden_global_offset_y 8 56, hidden_global_offset_z 8 64", 0, false},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        make_nth(1, rows[k].hidden);
        struct blit_kernel b = recognised();
        if (b.kind != (rows[k].is ? BLIT_COPY : BLIT_NONE) || (rows[k].is && b.global_offset != rows[k].at))
            fail_msg("row %zu: %d, %u", k, b.kind, b.global_offset);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layouts),
        cmocka_unit_test(global_offsets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
