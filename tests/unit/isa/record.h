/* Which instruction ran where: the records behind the `tested` column of `gcnsim isa list`.
 *
 * harness.h notes every instruction that a test steps without a fault: node of the target tree, format, mnemonic and
 * the encoding forms it came in. At the program's end the notes go to the file PROGRAM.ran in the folder that
 * GCNSIM_RECORDS names (tests/run.sh makes one for each run), a line each:
 *
 *     GFX90A VOP2 v_add_f32 e32,e64,sdwa,dpp
 *
 * Without GCNSIM_RECORDS nothing is written. tests/closing/test_tested.c adds the files up when all programs are
 * through. A test that runs instructions without knowing what should come out says so before it includes harness.h:
 *
 *     #define RECORD_NOTHING
 */
#ifndef GCNSIM_TESTS_ISA_RECORD_H
#define GCNSIM_TESTS_ISA_RECORD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/table/list.h"

struct record {
    const char *mnemonic; /* of the row's encoding: one address per row, target and variant of the lane loops */
    uint8_t node, format;
    uint16_t forms;
};
enum { RECORD_SLOTS = 1 << 17 };

static const char *const record_node_name[N_COUNT] = {
#define X(N, PARENT) [N_##N] = #N,
    ISA_NODES(X)
#undef X
};

static inline struct record *record_table(void)
{
    static struct record table[RECORD_SLOTS];
    return table;
}

static inline void record_write(void)
{
    const char *folder = getenv("GCNSIM_RECORDS"), *name = strrchr("/" __BASE_FILE__, '/') + 1;
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/%.*s.ran", folder, (int)strcspn(name, "."), name);
    if (!(f = fopen(path, "w"))) {
        fprintf(stderr, "cannot write %s\n", path);
        abort();
    }
    for (const struct record *r = record_table(); r < record_table() + RECORD_SLOTS; r++) {
        if (!r->mnemonic)
            continue;
        fprintf(f, "%s %s %s ", record_node_name[r->node], isa_format_name[r->format], r->mnemonic);
        for (unsigned k = 0, first = 1; k <= FORM_VOPD; k++)
            if (r->forms >> k & 1) {
                fprintf(f, "%s%s", first ? "" : ",", isa_form_name[k]);
                first = 0;
            }
        fputc('\n', f);
    }
    if (fclose(f))
        abort();
}

/* At the program's start, so that a program which runs nothing leaves a file too. */
static void __attribute__((constructor, used)) record_begin(void)
{
    if (getenv("GCNSIM_RECORDS"))
        atexit(record_write);
}

static inline void record_note(enum isa_node node, unsigned format, const char *mnemonic, unsigned form)
{
    size_t at = ((uintptr_t)mnemonic * UINT64_C(0x9e3779b97f4a7c15) >> 40) + node * 7919u + format * 127u;

    for (;; at++) {
        struct record *r = record_table() + at % RECORD_SLOTS;
        if (!r->mnemonic)
            *r = (struct record){mnemonic, (uint8_t)node, (uint8_t)format, 0};
        if (r->mnemonic == mnemonic && r->node == node && r->format == format) {
            r->forms |= (uint16_t)(1u << form);
            return;
        }
    }
}

/* After a step of inst on t that did what it should. */
static inline void record_ran(const struct isa_target *t, const struct isa_inst *inst)
{
#ifndef RECORD_NOTHING
    if (inst->form == FORM_VOPD) {
        bool three = inst->format == FMT_VOPD3X; /* words */
        record_note(t->node, three ? FMT_VOPD3X : FMT_VOPDX, inst->mnemonic, FORM_VOPD);
        record_note(t->node, three ? FMT_VOPD3Y : FMT_VOPDY, inst->u.y.mnemonic, FORM_VOPD);
        return;
    }
    record_note(t->node, inst->base_format, inst->mnemonic, inst->form);
#else
    (void)t, (void)inst;
#endif
}

#endif
