/* Calls LLVM's disassembler through its C interface, in child processes that may crash, and brings the texts back
 * through shared memory.
 */
#include "tests/golden/llvm_oracle.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* of llvm-c/Disassembler.h; the header is not installed with the library */
typedef void *disasm_open(const char *triple, const char *cpu, const char *features, void *info, int tag, void *op_info,
                          void *symbols);
typedef size_t disasm_one(void *dc, uint8_t *bytes, uint64_t size, uint64_t pc, char *out, size_t out_size);

struct shared {
    size_t next; /* the word being asked */
    double seconds;
};

static enum oracle_version asked = ORACLE_LLVM19;

void oracle_choose(enum oracle_version version)
{
    asked = version;
}

static void *library(void)
{
    static const char *const names[ORACLE_VERSIONS][3] = {
        [ORACLE_LLVM19] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"},
        [ORACLE_LLVM22] = {"libLLVM.so.22.1", "libLLVM-22.so.1", "libLLVM-22.so"},
    };
    const char *path = asked == ORACLE_LLVM22 ? getenv("LLVM22_LIBRARY") : NULL;
    void *lib = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

    for (unsigned k = 0; k < 3 && !lib; k++)
        lib = dlopen(names[asked][k], RTLD_NOW | RTLD_LOCAL);
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

bool oracle_present(void)
{
    static int known[ORACLE_VERSIONS]; /* 0: not asked yet, 1: there, 2: not there */

    if (!known[asked]) {
        /* in a child: the library is large and stays */
        pid_t child = fork();
        int status = 1;
        if (child == 0)
            _exit(library() ? 0 : 1);
        known[asked] = child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 1 : 2;
    }
    return known[asked] == 1;
}

struct oracle_word *oracle_alloc(size_t n)
{
    void *p = mmap(NULL, n * sizeof(struct oracle_word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

void oracle_free(struct oracle_word *w, size_t n)
{
    if (w)
        munmap(w, n * sizeof *w);
}

char *oracle_squeeze(char *s)
{
    char *d = s, *p = s;

    while (*p == ' ' || *p == '\t')
        p++;
    for (; *p && *p != '\n'; p++) {
        char c = *p == '\t' ? ' ' : *p;
        if (c != ' ' || (d > s && d[-1] != ' '))
            *d++ = c;
    }
    while (d > s && d[-1] == ' ')
        d--;
    *d = 0;
    return s;
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The child's life. */
static int ask_all(const char *cpu, struct oracle_word *w, size_t n, struct shared *s)
{
    void *lib = library();
    disasm_open *open_cpu;
    disasm_one *one;

    if (!lib || !call(lib, "LLVMInitializeAMDGPUTargetInfo") || !call(lib, "LLVMInitializeAMDGPUTargetMC") ||
        !call(lib, "LLVMInitializeAMDGPUDisassembler"))
        return 2;
    *(void **)&open_cpu = dlsym(lib, "LLVMCreateDisasmCPUFeatures");
    *(void **)&one = dlsym(lib, "LLVMDisasmInstruction");
    void *dc = open_cpu && one
                   ? open_cpu("amdgcn", cpu, asked == ORACLE_LLVM22 ? "+real-true16" : "", NULL, 0, NULL, NULL)
                   : NULL;
    if (!dc)
        return 2;
    double start = cpu_seconds();
    for (; s->next < n; s->next++) {
        struct oracle_word *q = &w[s->next];
        char text[1024];
        q->size = (uint8_t)one(dc, q->bytes, q->given, 0, text, sizeof text);
        if (!q->size)
            continue;
        text[strcspn(text, ";")] = 0; /* comments on what it accepted all the same; llvm-mc does not print them */
        oracle_squeeze(text);
        snprintf(q->text, sizeof q->text, "%.*s", (int)sizeof q->text - 1, text);
    }
    s->seconds += cpu_seconds() - start;
    return 0;
}

double oracle_ask(const char *cpu, struct oracle_word *w, size_t n)
{
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double seconds = -1;

    if (s == MAP_FAILED)
        return -1;
    for (;;) {
        int status = 0;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            /* it dies as it would alone: the test framework's handlers would go on with the tests */
            static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE};
            for (unsigned k = 0; k < sizeof fatal / sizeof fatal[0]; k++)
                signal(fatal[k], SIG_DFL);
            /* and what it says then is nobody's business */
            if (!freopen("/dev/null", "w", stderr))
                _exit(2);
            _exit(ask_all(cpu, w, n, s));
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            seconds = s->seconds;
            break;
        }
        if ((WIFEXITED(status) && WEXITSTATUS(status) == 2) || s->next >= n)
            break;
        w[s->next].crashed = true;
        w[s->next++].size = 0;
    }
    munmap(s, sizeof *s);
    return seconds;
}
