/* oracle_child LIBRARY[,LIBRARY...] CPU FEATURES FD: asks LLVM's disassembler, through its C interface, for the texts
 * of the words in the file FD (tests/golden/oracle_child.h). A program of its own, because LLVM crashes at some words,
 * and because a newer LLVM needs a newer C library than that of the tests; it is linked with nothing else. Exit status:
 * ORACLE_NO_LIBRARY, ORACLE_NO_TARGET.
 */
#include "tests/golden/oracle_child.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* of llvm-c/Disassembler.h; the header is not installed with the library */
typedef void *disasm_open(const char *triple, const char *cpu, const char *features, void *info, int tag, void *op_info,
                          void *symbols);
typedef size_t disasm_one(void *dc, uint8_t *bytes, uint64_t size, uint64_t pc, char *out, size_t out_size);

static void *library(char *names)
{
    char *save;
    void *lib = NULL;

    for (char *name = strtok_r(names, ",", &save); name && !lib; name = strtok_r(NULL, ",", &save))
        lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return lib;
}

static bool call(void *lib, const char *name)
{
    void (*f)(void);

    *(void **)&f = dlsym(lib, name);
    if (f)
        f();
    return f != NULL;
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* One blank between words, up to a comment: LLVM makes them of what it accepts all the same, and llvm-mc does not print
 * them. */
static void squeeze(struct oracle_word *q, const char *s)
{
    size_t n = 0;

    for (; *s && *s != ';' && *s != '\n' && n < sizeof q->text - 1; s++) {
        char c = *s == '\t' ? ' ' : *s;
        if (c != ' ' || (n && q->text[n - 1] != ' '))
            q->text[n++] = c;
    }
    while (n && q->text[n - 1] == ' ')
        n--;
    q->text[n] = 0;
}

int main(int argc, char **argv)
{
    disasm_open *open_cpu;
    disasm_one *one;

    if (argc != 5)
        return 1;
    void *lib = library(argv[1]);
    if (!lib || !call(lib, "LLVMInitializeAMDGPUTargetInfo") || !call(lib, "LLVMInitializeAMDGPUTargetMC") ||
        !call(lib, "LLVMInitializeAMDGPUDisassembler"))
        return ORACLE_NO_LIBRARY;
    *(void **)&open_cpu = dlsym(lib, "LLVMCreateDisasmCPUFeatures");
    *(void **)&one = dlsym(lib, "LLVMDisasmInstruction");
    void *dc = open_cpu && one ? open_cpu("amdgcn", argv[2], argv[3], NULL, 0, NULL, NULL) : NULL;
    if (!dc)
        return ORACLE_NO_TARGET;
    int fd = atoi(argv[4]);
    struct oracle_head *h = mmap(NULL, ORACLE_WORDS_AT, PROT_READ, MAP_SHARED, fd, 0);
    size_t bytes = h == MAP_FAILED ? 0 : h->bytes;
    h = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (h == MAP_FAILED)
        return 1;
    struct oracle_word *w = (struct oracle_word *)(void *)((char *)h + ORACLE_WORDS_AT);
    /* what LLVM says when it crashes is nobody's business */
    if (!freopen("/dev/null", "w", stderr))
        return 1;
    double start = cpu_seconds();
    for (; h->next < h->end; h->next++) {
        struct oracle_word *q = &w[h->next];
        char text[1024];
        q->size = (uint8_t)one(dc, q->bytes, q->given, 0, text, sizeof text);
        if (q->size)
            squeeze(q, text);
    }
    h->seconds += cpu_seconds() - start;
    return 0;
}
