/* One wave, one instruction at a time: what the tests of isa/ share.
 *
 *     struct rig r; rig_open(&r, "gfx90a", 64);
 *     rig_v(&r, 1, lane, bits);  r.w.s[4] = ...;  isa_set_exec(&r.w, mask);
 *     rig_run(&r, (uint32_t[]){0x...}, 1);             // asserts ISA_OK
 *     assert_int_equal(rig_getv(&r, 0, lane), ...);
 *
 * Memory: `r.mem` (64 KiB) is mapped at RIG_MEM; LDS is r.lds (64 KiB). Words come from llvm-mc-19 --show-encoding.
 * rig_asm() assembles text when llvm-mc-19 is installed (returns 0 words otherwise: skip the test visibly).
 */
#ifndef GCNSIM_TESTS_ISA_HARNESS_H
#define GCNSIM_TESTS_ISA_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "isa/variant.h"
#include "tests/unit/isa/record.h"

#define RIG_MEM   UINT64_C(0x10000000)
#define RIG_CODE  UINT64_C(0x20000000)
#define RIG_VGPRS 256

struct rig {
    struct isa_target *t;
    struct isa_program *p;
    struct isa_wave w;
    struct isa_env env;
    struct isa_effects fx;
    uint32_t *regs;
    uint8_t *mem, *lds;
    uint32_t code[64];
};

/* The row's operand in that field; null: it has none that shows. */
static inline const struct isa_arg *row_arg(const struct isa_row *row, unsigned slot)
{
    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        if (row->args[k].slot == slot && !(row->args[k].flags & A_HIDDEN))
            return &row->args[k];
    return NULL;
}

static inline bool row_has(const struct isa_row *row, unsigned slot)
{
    return row_arg(row, slot) != NULL;
}

/* Where VOP3 and its kin begin with 0xd0 and 0xd3. */
static inline bool old_layout(const struct isa_target *t)
{
    return t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;
}

static inline bool rig_find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct rig *r = ctx;
    if (addr < RIG_MEM || addr >= RIG_MEM + 65536)
        return false;
    *out = (struct isa_range){RIG_MEM, RIG_MEM + 65536, r->mem, true, false};
    return true;
}

static inline uint64_t rig_clock(void *ctx)
{
    (void)ctx;
    return 12345;
}

static inline void rig_open_variant(struct rig *r, const char *target, unsigned lanes, const char *variant)
{
    struct err e = {0};

    memset(r, 0, sizeof *r);
    if (isa_target_open(&r->t, target, variant, &e))
        fail_msg("%s", e.text);
    r->regs = aligned_alloc(64, sizeof(uint32_t) * 2 * RIG_VGPRS * lanes);
    memset(r->regs, 0, sizeof(uint32_t) * 2 * RIG_VGPRS * lanes);
    r->mem = calloc(1, 65536);
    r->lds = calloc(1, 65536);
    isa_wave_init(&r->w, r->t, NULL, lanes, r->regs, RIG_VGPRS, isa_has(r->t, FEAT_AGPR) ? RIG_VGPRS : 0, 102);
    r->w.lds = r->lds;
    r->w.lds_bytes = 65536;
    r->w.shared_aperture = UINT64_C(0x0001000000000000);
    r->w.private_aperture = UINT64_C(0x0002000000000000);
    isa_set_exec(&r->w, lane_mask(lanes));
    r->env = (struct isa_env){.ctx = r, .find = rig_find, .clock = rig_clock, .realtime = rig_clock};
}

static inline void rig_open(struct rig *r, const char *target, unsigned lanes)
{
    rig_open_variant(r, target, lanes, NULL);
}

static inline void rig_close(struct rig *r)
{
    isa_program_close(r->p);
    isa_target_close(r->t);
    free(r->regs);
    free(r->mem);
    free(r->lds);
}

static inline void rig_v(struct rig *r, unsigned reg, unsigned lane, uint32_t bits)
{
    r->w.v[reg * r->w.lanes + lane] = bits;
}

static inline uint32_t rig_getv(const struct rig *r, unsigned reg, unsigned lane)
{
    return r->w.v[reg * r->w.lanes + lane];
}

/* Sets every lane of a register. */
static inline void rig_vall(struct rig *r, unsigned reg, uint32_t bits)
{
    for (unsigned l = 0; l < r->w.lanes; l++)
        rig_v(r, reg, l, bits);
}

/* Runs the instructions in words[0..n) once through, from RIG_CODE; returns the last status. */
static inline enum isa_status rig_try(struct rig *r, const uint32_t *words, unsigned n)
{
    struct err e = {0};
    enum isa_status st = ISA_OK;

    isa_program_close(r->p);
    r->p = NULL;
    memcpy(r->code, words, n * sizeof *words);
    if (isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, n * 4, &e))
        fail_msg("%s", e.text);
    r->w.program = r->p;
    r->w.pc = RIG_CODE;
    r->w.fault.kind = FAULT_NONE;
    if (r->w.special & SPECIAL_LATE) { /* loads in flight went with the program */
        r->w.late = NULL;
        r->w.special &= (uint8_t)~SPECIAL_LATE;
    }
    while (st == ISA_OK && r->w.pc >= RIG_CODE && r->w.pc < RIG_CODE + n * 4) {
        const struct isa_inst *i = isa_program_at(r->p, r->w.pc);
        assert_non_null(i);
        st = isa_step(&r->w, i, &r->env, &r->fx);
        if (st != ISA_FAULT)
            record_ran(r->t, i);
    }
    return st;
}

static inline void rig_run(struct rig *r, const uint32_t *words, unsigned n)
{
    enum isa_status st = rig_try(r, words, n);
    if (st == ISA_FAULT)
        fail_msg("fault on %s: %s", r->t->name, r->w.fault.text);
    assert_int_equal(st, ISA_OK);
}

/* Assembles with llvm-mc-19 into words; returns the count, 0 when the tool is not installed. */
static inline unsigned rig_asm(const struct rig *r, const char *text, uint32_t *words, unsigned max)
{
    char cmd[2048], line[512];
    unsigned n = 0;

    if (system("command -v llvm-mc-19 >/dev/null 2>&1"))
        return 0;
    snprintf(cmd, sizeof cmd, "printf '%%b\\n' '%s' | llvm-mc-19 -triple=amdgcn -mcpu=%s%s --show-encoding 2>&1", text,
             r->t->name, isa_has(r->t, FEAT_WAVE32) && r->w.lanes == 64 ? " -mattr=+wavefrontsize64" : "");
    FILE *f = popen(cmd, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strstr(line, "error:"))
            fail_msg("llvm-mc-19 on '%s': %s", text, line);
        char *p = strstr(line, "encoding: [");
        if (!p)
            continue;
        p += strlen("encoding: [");
        for (unsigned byte = 0; *p && *p != ']'; byte++) {
            unsigned long b = strtoul(p, &p, 16);
            if (byte % 4 == 0) {
                assert_true(n < max);
                words[n++] = 0;
            }
            words[n - 1] |= (uint32_t)b << (8 * (byte % 4));
            if (*p == ',')
                p++;
        }
    }
    pclose(f);
    assert_true(n > 0);
    return n;
}

/* Assembles and runs; false (with a visible line) when llvm-mc-19 is not installed. */
static inline bool rig_run_text(struct rig *r, const char *text)
{
    uint32_t words[48];
    unsigned n = rig_asm(r, text, words, 48);

    if (!n) {
        print_message("SKIPPED: llvm-mc-19 is not installed\n");
        return false;
    }
    rig_run(r, words, n);
    return true;
}

#endif
