/* Kinds of files that hold no code object, known by their first bytes: what each is, and what to do about it. */
#include "sim/loader/contents.h"

#include <string.h>

#define BITCODE                                                                                                        \
    "LLVM bitcode, not a code object; expected what clang -target amdgcn-amd-amdhsa -mcpu=TARGET -nogpulib makes of "  \
    "it, or, where it is left by -fgpu-rdc, what hipcc -fgpu-rdc --hip-link does"
#define PACKED(program) "compressed data, not a code object; expected what " program " makes of it"

static const struct {
    const char *magic;
    size_t bytes;
    const char *what;
} kinds[] = {
    {"BC\xc0\xde", 4, BITCODE},
    {"\xde\xc0\x17\x0b", 4, BITCODE},
    {"\x10\xff\x10\xad", 4,
     "an offload binary without a code object; where it is left by -fgpu-rdc it holds LLVM bitcode, expected what "
     "hipcc "
     "-fgpu-rdc --hip-link makes of it"},
    {"\x03\x02\x23\x07", 4, "SPIR-V, not a code object; expected code for a processor (clang --offload-arch=gfx90a)"},
    {"\xfd"
     "7zXZ",
     5, PACKED("xz -d")},
    {"BZh", 3, PACKED("bzip2 -d")},
    {"PK\3\4", 4, "a zip archive, not a code object; expected one of its files (unzip)"},
    {"\n# __CLANG_OFFLOAD_BUNDLE____START__", 36,
     "assembly for several targets, not a code object; expected that for one (clang -S --offload-device-only "
     "--offload-arch=gfx90a)"},
};

const char *co_describe(const uint8_t *b, size_t size)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (size >= kinds[k].bytes && !memcmp(b, kinds[k].magic, kinds[k].bytes))
            return kinds[k].what;
    return "not a code object, expected an ELF file or an offload bundle";
}
