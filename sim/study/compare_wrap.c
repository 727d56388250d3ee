/* The text of two kernels around a sequence; compare.h says what they are for.
 *
 * The sequence stands in them as words, so that neither its labels nor its macros meet those of its other copies, and
 * what is assembled is what was looked at. Before it come what set-up the sequence brings itself (up to its label
 * "loop") and nops that put the loop on a 256-byte boundary.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/compare_wrap.h"
#include "sim/util/plain.h"
#include "sim/util/text_stream.h"

static void write_words(const struct wrap *w, size_t from, size_t to)
{
    struct isa_inst inst;
    char text[200];

    for (size_t at = from, bytes; at < to; at += bytes) {
        bytes = isa_decode_any(w->t, w->code + at, to - at, &inst, NULL);
        isa_text(w->t, &inst, text, sizeof text);
        fprintf(w->f, "\t.long");
        for (size_t k = 0; k < bytes; k += 4)
            fprintf(w->f, "%s 0x%08x", k ? "," : "", load_u32(w->code + at + k));
        fprintf(w->f, "\t; %s\n", text);
    }
}

/* Waits until the counters of a mask are zero. */
static void write_wait(const struct wrap *w, uint32_t mask)
{
    const uint32_t old = 1u << WAIT_VM | 1u << WAIT_LGKM | 1u << WAIT_EXP;

    if (isa_has(w->t, FEAT_SPLIT_COUNTERS)) {
        for (unsigned c = 0; c < WAIT_COUNT; c++)
            if (mask >> c & 1)
                fprintf(w->f, "\ts_wait_%s 0x0\n", wait_counter_key[c]);
        return;
    }
    if (mask & old) {
        fprintf(w->f, "\ts_waitcnt");
        for (unsigned c = 0; c < WAIT_COUNT; c++)
            if (mask & old & 1u << c)
                fprintf(w->f, " %s(0)", wait_counter_key[c]);
        fputc('\n', w->f);
    }
    if (mask >> WAIT_VS & 1)
        fprintf(w->f, "\ts_waitcnt_vscnt null, 0x0\n");
}

static void write_setup(const struct wrap *w)
{
    fprintf(w->f, "\ts_load_dword s%u, s[0:1], 0x8\n", w->counter);
    fprintf(w->f, "\ts_load_dwordx2 s[0:1], s[0:1], 0x0\n");
    if (isa_has(w->t, FEAT_ARCH_SGPRS))
        fprintf(w->f, "\ts_mov_b32 s2, ttmp9\n");
    fprintf(w->f, "\tv_lshlrev_b32 v0, 2, v0\n");
    for (uint32_t r = 1; r < w->all.vgpr_end; r++)
        fprintf(w->f, "\tv_mov_b32 v%u, 0x%x\n", r, (unsigned)GIVEN_VGPR_VALUE);
    write_wait(w, 1u << (isa_has(w->t, FEAT_SPLIT_COUNTERS) ? WAIT_KM : WAIT_LGKM));
}

static void write_kernel(const struct wrap *w, const char *name, unsigned copies, bool labels)
{
    fprintf(w->f, "\n\t.text\n\t.globl %s\n\t.p2align %d\n\t.type %s,@function\n%s:\n", name, ALIGN_BITS, name, name);
    write_setup(w);
    fprintf(w->f, "\t.p2align %d\n", ALIGN_BITS);
    for (size_t pad = (size_t) - (int64_t)w->loop & ((1u << ALIGN_BITS) - 1); pad; pad -= 4)
        fprintf(w->f, "\ts_nop 0\n");
    write_words(w, 0, w->loop);
    fprintf(w->f, ".L%s:\n", name);
    for (unsigned k = 0; k < copies; k++) {
        if (labels && k == 0)
            fprintf(w->f, "%s:\n", COMPARE_BEGIN);
        write_words(w, w->loop, w->size);
        if (labels && k == 0)
            fprintf(w->f, "%s:\n", COMPARE_END);
    }
    write_wait(w, w->counters);
    fprintf(w->f, "\ts_sub_u32 s%u, s%u, 1\n\ts_cmp_lg_u32 s%u, 0\n\ts_cbranch_scc1 .L%s\n\ts_endpgm\n", w->counter,
            w->counter, w->counter, name);
    fprintf(w->f, ".Lend_%s:\n\t.size %s, .Lend_%s-%s\n", name, name, name, name);
}

uint32_t compare_sgprs(const struct wrap *w)
{
    uint32_t sgprs = w->all.sgpr_end > w->counter + 1 ? w->all.sgpr_end : w->counter + 1;

    return sgprs < GIVEN_SGPRS ? GIVEN_SGPRS : sgprs;
}

static void write_descriptor(const struct wrap *w, const char *name)
{
    uint32_t vgprs = w->all.vgpr_end ? w->all.vgpr_end : 1, sgprs = compare_sgprs(w);
    bool unified = isa_has(w->t, FEAT_AGPR_UNIFIED);

    fprintf(w->f, "\n\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel %s\n", name);
    fprintf(w->f, "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t\t.amdhsa_kernarg_size %zu\n",
            sizeof(struct compare_kernarg));
    fprintf(w->f, "\t\t.amdhsa_system_sgpr_workgroup_id_x 1\n");
    fprintf(w->f, "\t\t.amdhsa_group_segment_fixed_size %d\n", w->all.lds ? LDS_BYTES : 0);
    if (unified) {
        vgprs = (uint32_t)align_up(vgprs, 4);
        fprintf(w->f, "\t\t.amdhsa_accum_offset %u\n", vgprs);
        vgprs += w->all.agpr_end;
    } else if (w->all.agpr_end > vgprs) {
        vgprs = w->all.agpr_end;
    }
    fprintf(w->f, "\t\t.amdhsa_next_free_vgpr %u\n\t\t.amdhsa_next_free_sgpr %u\n", vgprs, sgprs);
    if (isa_has(w->t, FEAT_WAVE32))
        fprintf(w->f, "\t\t.amdhsa_wavefront_size32 %d\n", w->lanes == 32);
    if (isa_has(w->t, FEAT_CU_MODE_WGP))
        fprintf(w->f, "\t\t.amdhsa_workgroup_processor_mode 0\n");
    fprintf(w->f, "\t.end_amdhsa_kernel\n");
}

int compare_is_data(const char *symbol, struct err *e)
{
    return err_set(e, ERR_USAGE, "'%.100s' is data; expected instructions alone, or a kernel (.amdhsa_kernel)", symbol);
}

int compare_check_size(const struct wrap *w, struct err *e)
{
    if (w->loop >= w->size)
        return err_set(e, ERR_USAGE, "no instructions behind the label '%s'", COMPARE_LOOP_LABEL);
    if (w->size > COMPARE_MAX_BYTES)
        return err_set(e, ERR_USAGE, "%zu bytes of instructions; expected at most %d, or a kernel (.amdhsa_kernel)",
                       w->size, COMPARE_MAX_BYTES);
    return 0;
}

/* The one range of instructions, and where its label "loop" is; symbols elsewhere mean data. */
static int find_code(struct wrap *w, const struct code_object *co, struct err *e)
{
    uint64_t available = 0;

    if (code_object_text_count(co) == 0)
        return err_set(e, ERR_USAGE, "no instructions");
    if (code_object_text_count(co) != 1)
        return err_set(e, ERR_USAGE, "%u sections with instructions; expected one", code_object_text_count(co));
    const struct co_text *text = code_object_text(co, 0);
    w->code = code_object_bytes(co, text->vaddr, &available);
    w->size = available < text->size ? available : text->size;
    if (!w->code || !w->size)
        return err_set(e, ERR_USAGE, "no instructions");
    for (unsigned k = 0; k < code_object_symbol_count(co); k++) {
        const struct co_symbol *s = code_object_symbol(co, k);

        if (s->kind == CO_SYMBOL_ABSOLUTE || strcmp(s->name, "_DYNAMIC") == 0)
            continue;
        if (s->vaddr < text->vaddr || s->vaddr - text->vaddr > w->size)
            return compare_is_data(s->name, e);
        if (strcmp(s->name, COMPARE_LOOP_LABEL) == 0)
            w->loop = s->vaddr - text->vaddr;
    }
    return compare_check_size(w, e);
}

int compare_measure_code(struct wrap *w, struct err *e)
{
    struct compare_code part;

    if (compare_look(w->t, w->code, w->loop, w->lanes, true, &part, e))
        return err_prefix(e, "before the label '%s'", COMPARE_LOOP_LABEL);
    if (compare_look(w->t, w->code + w->loop, w->size - w->loop, w->lanes, true, &part, e))
        return -1;
    w->counters = part.counters;
    compare_look(w->t, w->code, w->size, w->lanes, true, &w->all, e);
    for (w->counter = GIVEN_SGPRS; w->counter < w->t->sgpr_limit && w->all.sgpr[w->counter];)
        w->counter++;
    if (w->counter == w->t->sgpr_limit)
        return err_set(e, ERR_USAGE, "all SGPRs from s%d to s%d are used; the loop around it needs one", GIVEN_SGPRS,
                       w->t->sgpr_limit - 1);
    w->copies = COMPARE_COPIES_INSTRUCTIONS / part.instructions;
    if (w->copies * (w->size - w->loop) > COMPARE_COPIES_BYTES)
        w->copies = (unsigned)(COMPARE_COPIES_BYTES / (w->size - w->loop));
    if (!w->copies)
        w->copies = 1;
    return 0;
}

int compare_wave_size(struct wrap *w, uint32_t wave_size, struct err *e)
{
    if (wave_size == 32 && !isa_has(w->t, FEAT_WAVE32))
        return err_set(e, ERR_USAGE, "waves of 32; %s has waves of 64", w->t->name);
    if (wave_size && wave_size != 32 && wave_size != 64)
        return err_set(e, ERR_USAGE, "waves of %u; expected 32 or 64", wave_size);
    w->lanes = wave_size ? wave_size : isa_has(w->t, FEAT_WAVE32) ? 32 : 64;
    return 0;
}

static int wrap(struct wrap *w, const struct gcnsim_code *code, uint32_t wave_size, struct isa_target **t,
                struct err *e)
{
    const struct code_object *co = code->co;

    if (code_object_kernel_count(co))
        return err_set(e, ERR_USAGE, "a kernel already: '%s'", code_object_kernel(co, 0)->name);
    if (isa_target_open(t, api_processor(code_object_target(co), NULL), NULL, e))
        return -1;
    w->t = *t;
    return compare_wave_size(w, wave_size, e) || find_code(w, co, e) || compare_measure_code(w, e) ? -1 : 0;
}

void compare_write_text(const struct wrap *w, const char *name)
{
    char *copy = strdup(name);

    fprintf(w->f, "; %s", copy ? plain_text(copy, 0) : "");
    free(copy);
    fprintf(w->f, ", wrapped by gcnsim compare for %s: %u and %u copies in a loop\n", w->t->name, w->copies,
            2 * w->copies);
    fprintf(w->f, "\t.set %s, %u\n", COMPARE_COPIES, w->copies);
    if (w->region)
        fprintf(w->f, "\t.set %s, 1\n", COMPARE_REGION);
    write_kernel(w, COMPARE_KERNEL_1, w->copies, true);
    write_kernel(w, COMPARE_KERNEL_2, 2 * w->copies, false);
    write_descriptor(w, COMPARE_KERNEL_1);
    write_descriptor(w, COMPARE_KERNEL_2);
}

int gcnsim_compare_wrap(const struct gcnsim_code *code, const char *name, uint32_t wave_size, char **text,
                        struct gcnsim_error *error)
{
    struct err e = {0};
    struct isa_target *t = NULL;
    struct wrap w = {0};
    char *buf = NULL;

    if (!name)
        name = code_object_name(code->co);
    if (wrap(&w, code, wave_size, &t, &e) == 0) {
        struct text_stream stream;
        if (text_stream_open(&stream)) {
            w.f = stream.f;
            compare_write_text(&w, name);
            buf = text_stream_close(&stream);
        }
        if (!buf)
            err_set(&e, ERR_NOMEM, "out of host memory for its text");
    }
    if (t)
        isa_target_close(t);
    if (e.code) {
        free(buf);
        err_prefix(&e, "%s", name);
        return api_fail(error, &e);
    }
    *text = buf;
    return GCNSIM_OK;
}
