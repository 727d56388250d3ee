/* Findings of a checked run in the report. */
#include <inttypes.h>

#include "sim/api/api.h"
#include "sim/check/check.h"

static const char *keep(struct arena *a, const char *text, bool *failed)
{
    size_t n = strlen(text) + 1;
    char *copy = arena_alloc(a, n, 1, 1);

    if (!copy) {
        *failed = true;
        return "";
    }
    return memcpy(copy, text, n);
}

struct gcnsim_finding *report_findings(const struct launch *l, const struct report_context *c, struct arena *arena,
                                       size_t *count)
{
    const struct check_finding *from = check_findings(c->checks, count);
    struct gcnsim_finding *to = ARENA_NEW(arena, *count + 1, struct gcnsim_finding);
    bool failed = !to;

    for (size_t k = 0; to && k < *count; k++) {
        const struct check_finding *f = &from[k];
        const struct isa_inst *i = isa_program_at(l->program, f->pc);
        char text[200] = "";

        if (i && i->row)
            isa_text(l->target, i, text, sizeof text);
        to[k] = (struct gcnsim_finding){.rule = check_rule_key[f->rule],
                                        .pc = f->pc,
                                        .pc_offset = f->pc - c->load_base + c->base_vaddr,
                                        .instruction = keep(arena, text, &failed),
                                        .lane = f->lane,
                                        .wave = f->wave,
                                        .count = f->count,
                                        .message = keep(arena, f->message, &failed),
                                        .fix = keep(arena, f->fix, &failed)};
        to[k].workgroup[0] = (uint32_t)(f->group % l->workgroups[0]);
        to[k].workgroup[1] = (uint32_t)(f->group / l->workgroups[0] % l->workgroups[1]);
        to[k].workgroup[2] = (uint32_t)(f->group / l->workgroups[0] / l->workgroups[1]);
    }
    return failed ? NULL : to;
}

static void text_field(FILE *f, const char *key, const char *value, const char *end)
{
    fprintf(f, "      \"%s\": ", key);
    report_json_string(f, value);
    fputs(end, f);
}

/* The key is there when checking was asked for. */
void report_check_json(FILE *f, const struct gcnsim_result *r)
{
    if (!r->has_check)
        return;
    fputs("  \"check\": [", f);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct gcnsim_finding *n = &r->findings[k];

        fputs(k ? ",\n    {\n" : "\n    {\n", f);
        text_field(f, "rule", n->rule, ",\n");
        fprintf(f, "      \"pc\": \"0x%" PRIx64 "\",\n      \"pc_offset\": \"0x%" PRIx64 "\",\n", n->pc, n->pc_offset);
        text_field(f, "instruction", n->instruction, ",\n");
        if (n->lane >= 0)
            fprintf(f, "      \"lane\": %d,\n", n->lane);
        else
            fputs("      \"lane\": null,\n", f);
        fprintf(f, "      \"workgroup\": [%u, %u, %u],\n      \"wave\": %u,\n      \"count\": %" PRIu64 ",\n",
                n->workgroup[0], n->workgroup[1], n->workgroup[2], n->wave, n->count);
        text_field(f, "message", n->message, ",\n");
        text_field(f, "fix", n->fix, "\n    }");
    }
    fputs(r->finding_count ? "\n  ],\n" : "],\n", f);
}

void report_check_text(FILE *f, const struct gcnsim_result *r)
{
    if (!r->has_check)
        return;
    fputs("\nCheck\n", f);
    if (!r->finding_count)
        fputs("  nothing found\n", f);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct gcnsim_finding *n = &r->findings[k];

        fprintf(f, "  %s\n    pc            0x%" PRIx64 " (offset 0x%" PRIx64 ") of %s\n    instruction   %s\n",
                n->rule, n->pc, n->pc_offset, r->kernel, n->instruction);
        fprintf(f, "    workgroup     %u, %u, %u, wave %u", n->workgroup[0], n->workgroup[1], n->workgroup[2], n->wave);
        if (n->lane >= 0)
            fprintf(f, ", lane %d", n->lane);
        if (n->count > 1)
            fprintf(f, "; %" PRIu64 " times in all", n->count);
        fprintf(f, "\n    problem       %s\n    fix           %s\n", n->message, n->fix);
    }
}
