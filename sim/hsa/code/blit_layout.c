/* Which kernels of a code object are the language runtime's copies and fills: by name, and by arguments. */
#include "sim/hsa/code/blit_layout.h"

#include <stdbool.h>
#include <string.h>

#define MAX_ARGS 10

/* A kernel's explicit arguments, each at the next multiple of its size. Names are looked at where the metadata have
 * them: ROCclr compiles its kernels with names from 5.2 on. */
struct layout {
    const char *kernel; /* after "__amd_rocclr_" */
    enum blit_kind kind;
    struct {
        const char *name; /* null: past the last; of pointers with a leading star */
        uint8_t bytes;
    } arg[MAX_ARGS];
};

static const struct layout layouts[] = {
    /* 5.2 to 5.7 */
    {"fillBufferAligned",
     BLIT_FILL,
     {{"*bufUChar", 8},
      {"*bufUShort", 8},
      {"*bufUInt", 8},
      {"*bufULong", 8},
      {"*pattern", 8},
      {"patternSize", 4},
      {"offset", 8},
      {"size", 8}}},
    {"copyBuffer",
     BLIT_COPY,
     {{"*srcI", 8}, {"*dstI", 8}, {"srcOrigin", 8}, {"dstOrigin", 8}, {"size", 8}, {"remain", 4}}},
    {"streamOpsWrite", BLIT_WRITE_SIZED, {{"*ptrInt", 8}, {"*ptrUlong", 8}, {"value", 8}, {"sizeBytes", 8}}},
    /* 6.4 */
    {"fillBufferAligned",
     BLIT_FILL_CHUNKS_BY_ID,
     {{"*buf", 8}, {"*pattern", 8}, {"pattern_size", 4}, {"alignment", 4}, {"end_ptr", 8}, {"next_chunk", 4}}},
    {"copyBuffer",
     BLIT_COPY_CHUNKS_BY_ID,
     {{"*src", 8}, {"*dst", 8}, {"size", 8}, {"remainder", 4}, {"aligned_size", 4}, {"end_ptr", 8}, {"next_chunk", 4}}},
    /* 7.2 */
    {"fillBufferAligned",
     BLIT_FILL_CHUNKS,
     {{"*buf", 8},
      {"*pattern", 8},
      {"pattern_size", 4},
      {"alignment", 4},
      {"end_ptr", 8},
      {"next_chunk", 4},
      {"workgroup_size", 4}}},
    {"copyBuffer",
     BLIT_COPY_CHUNKS,
     {{"*src", 8},
      {"*dst", 8},
      {"size", 8},
      {"remainder", 4},
      {"aligned_size", 4},
      {"end_ptr", 8},
      {"next_chunk", 4},
      {"workgroup_size", 4}}},
    /* 6.4, 7.2 */
    {"streamOpsWrite", BLIT_WRITE, {{"*ptrInt", 8}, {"*ptrUlong", 8}, {"value", 8}}},
    /* all */
    {"fillBufferAligned2D",
     BLIT_FILL_2D,
     {{"*bufUChar", 8},
      {"*bufUShort", 8},
      {"*bufUInt", 8},
      {"*bufULong", 8},
      {"*pattern", 8},
      {"patternSize", 4},
      {"offset", 8},
      {"width", 8},
      {"height", 8},
      {"pitch", 8}}},
    {"copyBufferAligned",
     BLIT_COPY_ALIGNED,
     {{"*src", 8}, {"*dst", 8}, {"srcOrigin", 8}, {"dstOrigin", 8}, {"size", 8}, {"alignment", 4}}},
    {"copyBufferRect", BLIT_COPY_RECT, {{"*src", 8}, {"*dst", 8}, {"srcRect", 32}, {"dstRect", 32}, {"size", 32}}},
    {"copyBufferRectAligned",
     BLIT_COPY_RECT_ALIGNED,
     {{"*src", 8}, {"*dst", 8}, {"srcRect", 32}, {"dstRect", 32}, {"size", 32}}},
    {"streamOpsWait", BLIT_WAIT, {{"*ptrInt", 8}, {"*ptrUlong", 8}, {"value", 8}, {"flags", 8}, {"mask", 8}}},
};

static bool is_arg(const struct gcnsim_arg_info *a, const char *name, uint32_t bytes, uint32_t offset)
{
    bool pointer = *name == '*';

    return !a->hidden && a->size == bytes && a->offset == offset &&
           strcmp(a->value_kind, pointer ? "global_buffer" : "by_value") == 0 &&
           (!*a->name || strcmp(a->name, name + pointer) == 0);
}

static bool has_layout(const struct gcnsim_code *code, uint32_t kernel, uint32_t args, const struct layout *l)
{
    uint32_t n = 0, at = 0;

    for (; n < MAX_ARGS && l->arg[n].name; n++) {
        uint32_t bytes = l->arg[n].bytes;
        struct gcnsim_arg_info a;

        at = (at + bytes - 1) & -bytes;
        if (gcnsim_code_kernel_arg(code, kernel, n, &a) || !is_arg(&a, l->arg[n].name, bytes, at))
            return false;
        at += bytes;
    }
    return n == args;
}

/* Finds the offsets of the grid among the hidden arguments; false: they are not where all compilers put them. */
static bool find_offsets(const struct gcnsim_code *code, uint32_t kernel, struct blit_kernel *out)
{
    static const char prefix[] = "hidden_global_offset_";
    struct gcnsim_arg_info a;

    for (uint32_t k = 0; gcnsim_code_kernel_arg(code, kernel, k, &a) == GCNSIM_OK; k++) {
        uint32_t dimension;

        if (strncmp(a.value_kind, prefix, sizeof prefix - 1) != 0)
            continue;
        dimension = (uint32_t)(a.value_kind[sizeof prefix - 1] - 'x');
        if (dimension == 0)
            out->global_offset = a.offset;
        if (a.size != 8 || !out->global_offset || a.offset != out->global_offset + 8 * dimension)
            return false;
    }
    return true;
}

struct blit_kernel blit_recognise(const struct gcnsim_code *code, uint32_t kernel)
{
    static const char prefix[] = "__amd_rocclr_";
    struct gcnsim_kernel_info info;
    struct blit_kernel b = {BLIT_NONE, 0};

    if (gcnsim_code_kernel(code, kernel, &info) || !info.has_metadata ||
        strncmp(info.name, prefix, sizeof prefix - 1) != 0 || !find_offsets(code, kernel, &b))
        return b;
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        if (strcmp(info.name + sizeof prefix - 1, layouts[k].kernel) == 0 &&
            has_layout(code, kernel, info.explicit_arg_count, &layouts[k]))
            b.kind = layouts[k].kind;
    return b;
}
