/* The largest stall reasons of a run, each with the instruction, or where the code object has line tables the source
 * line, in which most of its wave-cycles are spent. */
#include <string.h>

#include "sim/report/maker.h"

/* The instructions of one source line. */
struct place {
    const struct co_line *line;
    uint64_t cycles;
    const struct engine_inst *most; /* of these, the one with the most */
};

static const struct co_line *line_of(const struct report_maker *m, gaddr_t pc)
{
    uint64_t offset = report_offset(m, pc);

    return m->run->code && offset != UINT64_MAX ? co_lines_at(code_object_lines(m->run->code), offset) : NULL;
}

static bool same_line(const struct co_line *a, const struct co_line *b)
{
    return a && b && a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

/* The place of the instruction: that of its line, or one of its own. */
static struct place *place_of(struct place *list, size_t *count, const struct co_line *line)
{
    for (size_t k = 0; line && k < *count; k++) /* without a line there is nothing to look for */
        if (same_line(list[k].line, line))
            return &list[k];
    list[*count] = (struct place){.line = line};
    return &list[(*count)++];
}

/* Where most cycles of a reason are. `list` has room for all instructions. */
static void find_place(struct report_maker *m, const struct engine_result *er, struct place *list,
                       struct report_hotspot *h)
{
    const struct place *best = NULL;
    uint64_t all = 0, most = 0;
    size_t count = 0;

    for (size_t k = 0; k < er->inst_count; k++) {
        const struct engine_inst *i = &er->inst[k];
        uint64_t cycles = i->stat[STAT_INST_STALL + h->reason];

        if (!cycles)
            continue;
        struct place *p = place_of(list, &count, line_of(m, i->pc));
        all += cycles;
        p->cycles += cycles;
        if (!p->most || cycles > p->most->stat[STAT_INST_STALL + h->reason])
            p->most = i;
        if (p->cycles > most) {
            most = p->cycles;
            best = p;
        }
    }
    if (!best)
        return;
    h->share = (double)best->cycles / (double)all; /* of what was counted: a sampled launch counts a part */
    h->pc_offset = report_offset(m, best->most->pc);
    h->instruction = report_instruction(m, best->most->pc);
    h->file = best->line ? report_keep(m, best->line->file) : NULL;
    h->line = h->file ? best->line->line : 0;
}

static bool has(const struct report *r, unsigned reason)
{
    for (unsigned k = 0; k < r->hotspots; k++)
        if (r->hotspot[k].reason == reason)
            return true;
    return false;
}

void report_find_hotspots(struct report_maker *m, struct report *r, const struct engine_result *er)
{
    struct place *list = er->inst_count ? REPORT_ARRAY(m, er->inst_count, struct place) : NULL;

    for (; r->hotspots < REPORT_HOTSPOTS; r->hotspots++) {
        unsigned best = STALL_ISSUED;

        for (unsigned k = 0; k < STALL_COUNT; k++)
            if (k != STALL_ISSUED && !has(r, k) && r->value[STAT_STALL + k] > 0 &&
                (best == STALL_ISSUED || r->value[STAT_STALL + k] > r->value[STAT_STALL + best]))
                best = k;
        if (best == STALL_ISSUED)
            return;
        r->hotspot[r->hotspots] = (struct report_hotspot){.reason = best};
        if (list)
            find_place(m, er, list, &r->hotspot[r->hotspots]);
    }
}
