/* Starts the program that asks LLVM's disassembler, again after each word that kills it. */
#define _GNU_SOURCE
#include "tests/golden/oracle_child.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/proc.h"

static enum oracle_version asked = ORACLE_LLVM19;

void oracle_choose(enum oracle_version version)
{
    asked = version;
}

enum oracle_version oracle_for(const char *target)
{
    static const char *const newer[] = {"gfx950", "gfx1250", "gfx1251"};

    for (unsigned k = 0; k < sizeof newer / sizeof newer[0]; k++)
        if (!strcmp(target, newer[k]))
            return ORACLE_LLVM22;
    return ORACLE_LLVM19;
}

bool oracle_names_halves(const char *target)
{
    return !strncmp(target, "gfx125", 6);
}

const char *oracle_tool(enum oracle_version version, const char *tool)
{
    static char command[64];

    snprintf(command, sizeof command, version == ORACLE_LLVM22 ? "sh tests/llvm22.sh %s" : "%s-19", tool);
    return command;
}

const char *oracle_name(void)
{
    return asked == ORACLE_LLVM22 ? "LLVM 22" : "LLVM 19";
}

/* Runs the child, which lies in tests/golden; its wait status. */
static int run_child(const char *cpu, int fd)
{
    static const char *const libraries[ORACLE_VERSIONS] = {
        [ORACLE_LLVM19] = "libLLVM.so.19.1,libLLVM-19.so.1,libLLVM-19.so",
        [ORACLE_LLVM22] = "libLLVM.so.22.1,libLLVM-22.so",
    };
    char program[PATH_MAX], number[16];
    int status = -1;

    if (!own_program(program, sizeof program - 32))
        return -1;
    strcpy(strrchr(program, '/'), "/../golden/oracle_child");
    snprintf(number, sizeof number, "%d", fd);
    const char *features = asked == ORACLE_LLVM22 ? "+real-true16" : "";
    const char *argv[] = {"sh", "tests/llvm22.sh", program, libraries[asked], cpu, features, number, NULL};
    const char *const *from = asked == ORACLE_LLVM22 ? argv : argv + 2;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        execvp(from[0], (char *const *)from);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

const char *oracle_absent(void)
{
    static char known[ORACLE_VERSIONS][256]; /* "": not asked yet, "+": there */
    char *line = known[asked];

    if (!*line) {
        const char *brings = asked == ORACLE_LLVM22 ? " (`sh tests/llvm22.sh --fetch` brings it)" : "";
        struct oracle_word *w = oracle_alloc(1);
        bool there = w && oracle_ask("gfx900", w, 0) >= 0;
        oracle_free(w);
        snprintf(line, sizeof known[asked], there ? "+" : "SKIPPED: lib%s is not installed%s\n", oracle_name(), brings);
    }
    return *line == '+' ? NULL : line;
}

static struct oracle_head *head_of(struct oracle_word *w)
{
    return (struct oracle_head *)(void *)((char *)w - ORACLE_WORDS_AT);
}

struct oracle_word *oracle_alloc(size_t n)
{
    size_t bytes = ORACLE_WORDS_AT + n * sizeof(struct oracle_word);
    int fd = memfd_create("words", 0); /* the child inherits it */
    struct oracle_head *h = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
        h = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    *h = (struct oracle_head){.bytes = bytes, .words = n, .fd = fd};
    return (struct oracle_word *)(void *)((char *)h + ORACLE_WORDS_AT);
}

void oracle_free(struct oracle_word *w)
{
    if (!w)
        return;
    int fd = head_of(w)->fd;
    munmap(head_of(w), head_of(w)->bytes);
    close(fd);
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

double oracle_ask(const char *cpu, struct oracle_word *w, size_t n)
{
    struct oracle_head *h = head_of(w);

    if (n > h->words)
        return -1;
    h->next = 0;
    h->end = n;
    h->seconds = 0;
    for (;;) {
        int status = run_child(cpu, h->fd);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return h->seconds;
        if (!WIFSIGNALED(status) || h->next >= n)
            return -1;
        w[h->next].crashed = true;
        w[h->next++].size = 0;
    }
}
