/* Counts the instructions, registers and wait counters that a piece of code names. */
#include <stdlib.h>

#include "sim/study/compare.h"

struct names {
    bool vgpr[512], agpr[512];
    bool valu_reads[512], valu_writes[512]; /* VGPRs */
};

static uint32_t note(bool *seen, uint32_t limit, const struct isa_regref *r, uint32_t *end)
{
    uint32_t fresh = 0;

    for (uint32_t k = r->first; k < (uint32_t)r->first + r->count && k < limit; k++) {
        fresh += !seen[k];
        seen[k] = true;
        if (k + 1 > *end)
            *end = k + 1;
    }
    return fresh;
}

static void note_registers(const struct isa_target *t, const struct isa_inst *inst, unsigned lanes, struct names *n,
                           struct compare_code *out)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned count = isa_inst_regs(t, inst, lanes, refs);

    for (unsigned k = 0; k < count; k++) {
        if (refs[k].file == RF_VGPR && op_class_category[inst->row->cls] == OPCAT_VALU)
            note(refs[k].write ? n->valu_writes : n->valu_reads, 512, &refs[k], &(uint32_t){0});
        if (refs[k].file == RF_VGPR)
            out->vgprs += note(n->vgpr, 512, &refs[k], &out->vgpr_end);
        else if (refs[k].file == RF_AGPR)
            out->agprs += note(n->agpr, 512, &refs[k], &out->agpr_end);
        else if (refs[k].file == RF_SGPR && refs[k].first < t->sgpr_limit)
            out->sgprs += note(out->sgpr, t->sgpr_limit, &refs[k], &out->sgpr_end);
    }
}

/* For the code from vaddr on: may this instruction, `at` bytes on, stand in a loop? */
static int check_flow(const struct isa_inst *inst, size_t at, size_t size, const char *text, struct err *e)
{
    if (inst->row->flags & RF_ENDS && inst->row->cls == OPC_INTERNAL) /* jumps have the flag too */
        return err_set(e, ERR_USAGE,
                       "'%s' at byte %zu ends the wave; expected instructions that can be run again, or a kernel "
                       "(.amdhsa_kernel)",
                       text, at);
    if (inst->row->cls != OPC_BRANCH || inst->format != FMT_SOPP)
        return 0;
    int64_t target = (int64_t)at + 4 + (int64_t)inst->offset * 4;
    if (target < 0 || target > (int64_t)size)
        return err_set(e, ERR_USAGE, "'%s' at byte %zu leaves the %zu bytes it stands in", text, at, size);
    return 0;
}

int compare_look(const struct isa_target *t, const uint8_t *code, size_t size, unsigned lanes, bool strict,
                 struct compare_code *out, struct err *e)
{
    struct names *seen = calloc(1, sizeof *seen);
    struct isa_inst inst;
    const char *why = NULL;
    char text[200];
    bool delays = false;
    int failed = 0;

    *out = (struct compare_code){0};
    if (!seen)
        return err_set(e, ERR_NOMEM, "out of host memory to look at code");
    for (size_t at = 0, bytes; at < size && !failed; at += bytes) {
        bytes = isa_decode_strict(t, code + at, size - at, lanes, &inst, &why);
        if (!bytes) {
            if (strict)
                failed = err_set(e, ERR_USAGE, "byte %zu is no instruction of %s: %s", at, t->name, why ? why : "");
            bytes = 4;
            continue;
        }
        out->instructions++;
        out->counters |= isa_inst_counters(t, &inst);
        out->lds =
            out->lds || op_class_category[inst.row->cls] == OPCAT_LDS || op_class_category[inst.row->cls] == OPCAT_FLAT;
        delays = delays || inst.row->special == ISA_SPECIAL_DELAY_ALU;
        note_registers(t, &inst, lanes, seen, out);
        if (strict) {
            isa_text(t, &inst, text, sizeof text);
            failed = check_flow(&inst, at, size, text, e);
        }
    }
    for (unsigned k = 0; k < 512 && !delays; k++)
        out->undelayed = out->undelayed || (seen->valu_reads[k] && seen->valu_writes[k]);
    free(seen);
    return failed;
}
