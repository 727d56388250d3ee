/* Public API: profiles and disassembly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table/list.h"
#include "sim/api/api.h"

struct gcnsim_disasm {
    struct isa_target *target;
    bool strict;
};

static void give_profile(struct gcnsim_profile_info *to, size_t bytes, const char *name, const char *chip,
                         const char *target, bool is_default)
{
    struct gcnsim_profile_info info = {.is_default = is_default};

    snprintf(info.name, sizeof info.name, "%s", name);
    snprintf(info.chip, sizeof info.chip, "%s", chip);
    snprintf(info.target, sizeof info.target, "%s", target);
    api_struct_give(to, bytes, &info, sizeof info);
}

int gcnsim_profile_list_sized(uint32_t index, struct gcnsim_profile_info *info, size_t info_bytes)
{
    struct profile_entry p;

    if (!profile_at(index, &p))
        return GCNSIM_ERROR_USAGE;
    give_profile(info, info_bytes, p.name, p.chip, p.target, p.is_default_for_target);
    return GCNSIM_OK;
}

int gcnsim_profile_find_sized(const char *profile, struct gcnsim_profile_info *info, size_t info_bytes,
                              struct gcnsim_error *error)
{
    struct profile *p = NULL;
    struct err e = {0};

    if (profile_load(&p, profile, &e))
        return api_fail(error, &e);
    give_profile(info, info_bytes, p->name, p->chip, p->target, p->is_default_for_target);
    profile_free(p);
    return GCNSIM_OK;
}

int gcnsim_profile_show(const char *profile, const char *const *sets, size_t set_count, enum gcnsim_format format,
                        char **text, struct gcnsim_error *error)
{
    return gcnsim_profile_show_matching(profile, sets, set_count, NULL, 0, format, text, error);
}

int gcnsim_profile_show_matching(const char *profile, const char *const *sets, size_t set_count,
                                 const char *const *patterns, size_t pattern_count, enum gcnsim_format format,
                                 char **text, struct gcnsim_error *error)
{
    struct profile *p = NULL;
    struct err e = {0};
    int failed = profile_load(&p, profile, &e) || (set_count && profile_set_all(p, set_count, sets, &e)) ||
                 profile_print_matching(p, pattern_count, patterns, format == GCNSIM_JSON ? PROFILE_JSON : PROFILE_TEXT,
                                        text, &e);

    profile_free(p);
    return failed ? api_fail(error, &e) : GCNSIM_OK;
}

int gcnsim_disasm_open(struct gcnsim_disasm **out, const char *target, struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_disasm *d = calloc(1, sizeof *d);

    if (!d)
        err_set(&e, ERR_NOMEM, "out of host memory for a disassembler");
    else if (isa_target_open(&d->target, gcnsim_instruction_set(target), NULL, &e) == 0) {
        *out = d;
        return GCNSIM_OK;
    }
    free(d);
    return api_fail(error, &e);
}

void gcnsim_disasm_close(struct gcnsim_disasm *d)
{
    if (!d)
        return;
    isa_target_close(d->target);
    free(d);
}

void gcnsim_disasm_set_flags(struct gcnsim_disasm *d, uint32_t flags)
{
    d->target->name_halves |= (flags & GCNSIM_DISASM_TRUE16) != 0;
    d->strict = flags & GCNSIM_DISASM_STRICT;
}

size_t gcnsim_disasm_next(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size, uint32_t *vgpr_msb,
                          char *text, size_t text_size, int *known)
{
    struct isa_inst inst;
    uint32_t word;

    if (known)
        *known = 0;
    if (text_size)
        text[0] = 0;
    if (size < 4)
        return 0;
    unsigned length = d->strict ? isa_decode(d->target, bytes, size, &inst, NULL)
                                : isa_decode_any(d->target, bytes, size, &inst, NULL);
    if (length && !inst.wave64_only) {
        isa_text_raised(d->target, &inst, *vgpr_msb, text, text_size);
        *vgpr_msb = isa_msb_behind(&inst, *vgpr_msb);
        if (known)
            *known = 1;
        return length;
    }
    *vgpr_msb = 0;
    memcpy(&word, bytes, 4);
    if (text_size)
        snprintf(text, text_size, ".long 0x%08x", word);
    return 4;
}

size_t gcnsim_disasm_one(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size, char *text, size_t text_size,
                         int *known)
{
    uint32_t vgpr_msb = 0;

    return gcnsim_disasm_next(d, bytes, size, &vgpr_msb, text, text_size, known);
}

const char *gcnsim_target_name(uint32_t index)
{
    return isa_target_name(index);
}

int gcnsim_isa_entry_sized(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry,
                           size_t entry_bytes)
{
    struct gcnsim_isa_entry own;
    struct isa_listing l;

    if (!isa_list_at(d->target, index, &l))
        return GCNSIM_ERROR_USAGE;
    own = (struct gcnsim_isa_entry){.mnemonic = l.op->mnemonic,
                                    .format = isa_format_name[l.format],
                                    .opcode = l.opcode,
                                    .unit = op_class_key[l.op->row->cls],
                                    .executed = l.executed,
                                    .tested = l.executed && l.tested == l.forms,
                                    .beyond = l.beyond,
                                    .ulp = (double)l.op->row->ulp};
    for (unsigned f = 0; f <= FORM_VOPD; f++)
        if (l.forms >> f & 1)
            own.forms[own.form_count++] = isa_form_name[f];
    for (unsigned k = 0; l.op->row->args[k].slot; k++) {
        const struct isa_arg *a = &l.op->row->args[k];
        own.operands[own.operand_count++] = (struct gcnsim_isa_operand){isa_slot_name[a->slot], isa_type_name[a->type],
                                                                        (a->flags & A_RD) != 0, (a->flags & A_WR) != 0};
    }
    api_struct_give(entry, entry_bytes, &own, sizeof own);
    return GCNSIM_OK;
}
