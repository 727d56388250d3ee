/* Runs llvm-mc over a file of texts or of words, and judges with it between gcnsim's text and LLVM's own. */
#include "tests/golden/llvm_mc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"

FILE *llvm_mc_open(struct llvm_mc_files *s)
{
    snprintf(s->in, sizeof s->in, "%s/decode-XXXXXX", program_folder());
    int fd = mkstemp(s->in);
    assert_true(fd >= 0);
    snprintf(s->out, sizeof s->out, "%s.out", s->in);
    snprintf(s->err, sizeof s->err, "%s.err", s->in);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    return f;
}

void llvm_mc_remove(const struct llvm_mc_files *s)
{
    unlink(s->in);
    unlink(s->out);
    unlink(s->err);
}

void llvm_mc_run(const struct llvm_mc_files *s, const char *options, const char *target)
{
    char cmd[4 * PATH_MAX];

    snprintf(cmd, sizeof cmd, "%s %s%s -triple=amdgcn -mcpu=%s %s >%s 2>%s", oracle_tool(oracle_for(target), "llvm-mc"),
             options, oracle_names_halves(target) ? " -mattr=+real-true16" : "", target, s->in, s->out, s->err);
    /* its status says that some line was refused, which is expected */
    if (system(cmd) == -1)
        fail_msg("cannot run llvm-mc");
}

/* Marks the lines of the input (from 1) that the tool refused. */
void llvm_mc_refused(const struct llvm_mc_files *s, bool *refused, size_t lines)
{
    char line[1024];
    FILE *f = fopen(s->err, "r");

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        size_t n = strlen(s->in);
        if (strncmp(line, s->in, n) || line[n] != ':')
            continue;
        size_t at = (size_t)strtoull(line + n + 1, NULL, 10);
        /* this it says, and assembles the line all the same */
        bool assembled = strstr(line, "scale_offset is not supported") != NULL;
        if (!assembled && at >= 1 && at <= lines && (strstr(line, "error:") || strstr(line, "warning: invalid")))
            refused[at - 1] = true;
    }
    fclose(f);
}

bool llvm_mc_line(FILE *f, char *line, size_t size)
{
    while (fgets(line, (int)size, f)) {
        oracle_squeeze(line);
        if (line[0] && line[0] != '.')
            return true;
    }
    return false;
}

/* "// encoding: [0x01,...]": the number of bytes. */
unsigned llvm_mc_encoding(const char *line, uint8_t bytes[ORACLE_BYTES])
{
    const char *p = strstr(line, "encoding: [");
    unsigned n = 0;

    for (p = p ? p + 11 : NULL; p && *p && *p != ']' && n < ORACLE_BYTES; n++) {
        char *end;
        bytes[n] = (uint8_t)strtoul(p, &end, 16);
        if (end == p)
            return 0;
        p = end + (*end == ',');
    }
    return n;
}

static bool is_mistake(const struct llvm_suspect *s, const struct oracle_word *ours, const struct oracle_word *theirs)
{
    bool contradicts = ours->given && !strcmp(ours->text, s->theirs);

    if (!*s->theirs)
        return contradicts;
    if (theirs->given == s->their_size && !memcmp(theirs->bytes, s->bytes, theirs->given))
        return false;
    bool other_format = theirs->bytes[3] != s->bytes[3] || (theirs->bytes[2] ^ s->bytes[2]) & 0x80;
    return contradicts || theirs->given != s->their_size || other_format;
}

void llvm_judge(const char *target, const struct llvm_suspect *s, size_t n, bool *mistake)
{
    struct oracle_word *w = oracle_alloc(2 * n + 1);
    struct llvm_mc_files files;
    char line[1024];
    bool *refused = calloc(2 * n + 1, sizeof *refused);
    FILE *f = llvm_mc_open(&files);

    assert_non_null(refused);
    assert_non_null(w);
    for (size_t k = 0; k < n; k++)
        fprintf(f, "%s\n%s\n", *s[k].ours ? s[k].ours : ".error", *s[k].theirs ? s[k].theirs : ".error");
    fclose(f);
    llvm_mc_run(&files, "-show-encoding", target);
    llvm_mc_refused(&files, refused, 2 * n);
    f = fopen(files.out, "r");
    assert_non_null(f);
    for (size_t k = 0; k < 2 * n; k++) {
        memset(&w[k], 0, sizeof w[k]);
        if (refused[k])
            continue;
        assert_true(llvm_mc_line(f, line, sizeof line));
        w[k].given = (uint8_t)llvm_mc_encoding(line, w[k].bytes);
    }
    fclose(f);
    assert_true(oracle_ask(target, w, 2 * n) >= 0);
    for (size_t k = 0; k < n; k++)
        mistake[k] = is_mistake(&s[k], &w[2 * k], &w[2 * k + 1]);
    llvm_mc_remove(&files);
    oracle_free(w);
    free(refused);
}
