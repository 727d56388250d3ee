/* Who is resident and waits for what, from an engine's snapshot: as data, as text and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/snapshot.h"
#include "sim/report/maker.h"

/* ---- data ---- */

/* "missing: wave 2" */
static void missing_text(char *text, size_t size, const struct report_snapshot_row *row)
{
    size_t n = 0;

    *text = 0;
    for (size_t k = 0; k < row->missing_count && n < size; k++)
        n += (size_t)snprintf(text + n, size - n, "%s%" PRIu32,
                              k                         ? ", "
                              : row->missing_count == 1 ? "; missing: wave "
                                                        : "; missing: waves ",
                              row->missing[k]);
}

static void note_counter(struct report_maker *m, const struct snapshot_counter *c, struct report_snapshot_row *row)
{
    char oldest[300] = "", queued[60] = "", level[20] = "";

    row->counter = c->key;
    row->counter_value = c->value;
    row->counter_bound = c->bound;
    if (c->has_oldest) {
        row->oldest_pc = c->oldest_pc;
        row->oldest_offset = report_offset(m, c->oldest_pc);
        row->oldest_instruction = report_instruction(m, c->oldest_pc);
        row->oldest_accesses = c->accesses;
        row->oldest_queued = c->queued_lines;
        row->oldest_level = c->level;
        if (c->queued_lines)
            snprintf(queued, sizeof queued, ", %" PRIu32 " not sent yet", c->queued_lines);
        if (c->level)
            snprintf(level, sizeof level, ", in %s", c->level);
        snprintf(oldest, sizeof oldest, ", oldest from 0x%" PRIx64 " %s (%" PRIu32 " access%s outstanding%s%s)",
                 row->oldest_offset != UINT64_MAX ? row->oldest_offset : c->oldest_pc, row->oldest_instruction,
                 c->accesses, c->accesses == 1 ? "" : "es", queued, level);
    }
    row->waits_for = report_keepf(m, "%s %" PRIu32 " > %" PRIu32 "%s", c->key, c->value, c->bound, oldest);
}

static void note_barrier(struct report_maker *m, const struct snapshot_barrier *b, struct report_snapshot_row *row)
{
    char name[32] = "the workgroup's barrier", missing[400], ended[40] = "";

    row->has_barrier = true;
    row->barrier = b->number;
    row->arrived = b->signals;
    row->members = b->members;
    row->ended = b->ended;
    row->missing = REPORT_ARRAY(m, (size_t)__builtin_popcountll(b->missing), uint32_t);
    for (uint64_t left = b->missing; row->missing && left; left &= left - 1)
        row->missing[row->missing_count++] = (uint32_t)__builtin_ctzll(left);
    missing_text(missing, sizeof missing, row);
    if (b->number)
        snprintf(name, sizeof name, "named barrier %" PRIu32, b->number);
    if (b->ended)
        snprintf(ended, sizeof ended, "; %" PRIu32 " ha%s ended", b->ended, b->ended == 1 ? "s" : "ve");
    row->waits_for = report_keepf(m, "%s: %" PRIu32 " of %" PRIu32 " waves have arrived%s%s", name, b->signals,
                                  b->members, missing, ended);
}

static void note_memory(struct report_maker *m, const struct snapshot_memory *from, struct report_snapshot_row *row)
{
    row->has_memory = true;
    row->address = from->address;
    row->value = from->value;
    row->bytes = from->bytes;
    row->waits_for = report_keepf(m, "%" PRIu32 " bytes at 0x%" PRIx64 ", which hold 0x%" PRIx64, from->bytes,
                                  from->address, from->value);
}

static void make_row(struct report_maker *m, const struct snapshot_row *from, struct report_snapshot_row *row)
{
    const struct snapshot_wave *w = &from->example;
    char until[32];

    *row = (struct report_snapshot_row){.waves = from->waves,
                                        .workgroups = from->groups,
                                        .pc = w->pc,
                                        .pc_offset = report_offset(m, w->pc),
                                        .instruction = report_instruction(m, w->pc),
                                        .source = report_source(m, w->pc),
                                        .reason = w->reason,
                                        .since = w->since,
                                        .waits_for = "",
                                        .wave = w->wave,
                                        .oldest_pc = UINT64_MAX,
                                        .oldest_offset = UINT64_MAX};
    report_workgroup(m->l, w->group, row->workgroup);
    if (w->waits_for == SNAPSHOT_COUNTER)
        note_counter(m, &w->counter, row);
    else if (w->waits_for == SNAPSHOT_BARRIER)
        note_barrier(m, &w->barrier, row);
    else if (w->waits_for == SNAPSHOT_MEMORY)
        note_memory(m, &w->memory, row);
    else if (w->waits_for == SNAPSHOT_UNTIL && w->until == CYCLE_NEVER)
        row->waits_for = "a wake-up by another wave";
    else if (w->waits_for == SNAPSHOT_UNTIL)
        row->waits_for = report_keepf(m, "cycle %s", report_grouped(w->until, until));
}

struct report_snapshot *report_snapshot_make(const struct launch *l, const struct snapshot *s,
                                             const struct report_run *run)
{
    struct report_snapshot *out = calloc(1, sizeof *out);

    if (!out)
        return NULL;
    *out = (struct report_snapshot){.timing = s->timing,
                                    .cycle = s->cycle,
                                    .instructions = s->instructions,
                                    .groups = s->groups,
                                    .groups_done = s->groups_done,
                                    .groups_resident = s->groups_resident,
                                    .groups_waiting = s->groups_waiting,
                                    .waves_resident = s->waves_resident};
    arena_init(&out->arena, 0);
    struct report_maker m = {.arena = &out->arena, .l = l, .run = run};
    out->row = REPORT_ARRAY(&m, s->rows, struct report_snapshot_row);
    for (size_t k = 0; out->row && k < s->rows; k++)
        make_row(&m, &s->row[k], &out->row[out->rows++]);
    if (m.no_memory) {
        report_snapshot_free(out);
        return NULL;
    }
    return out;
}

void report_snapshot_free(struct report_snapshot *s)
{
    if (!s)
        return;
    arena_free(&s->arena);
    free(s);
}

/* ---- text ---- */

static void text_oldest(FILE *f, const struct report_snapshot_row *row)
{
    if (!row->oldest_instruction)
        return;
    fprintf(f, "    oldest        0x%" PRIx64 " %s\n                  %" PRIu32 " access%s outstanding",
            row->oldest_offset != UINT64_MAX ? row->oldest_offset : row->oldest_pc, row->oldest_instruction,
            row->oldest_accesses, row->oldest_accesses == 1 ? "" : "es");
    if (row->oldest_queued)
        fprintf(f, ", %" PRIu32 " not sent yet", row->oldest_queued);
    if (row->oldest_level)
        fprintf(f, ", in %s", row->oldest_level);
    fputc('\n', f);
}

static void text_row(FILE *f, const struct report_snapshot *s, const struct report_snapshot_row *row)
{
    char a[32], b[32], c[32];

    fprintf(f, "  %s wave%s of %s workgroup%s: %s\n", report_grouped(row->waves, a), row->waves == 1 ? "" : "s",
            report_grouped(row->workgroups, b), row->workgroups == 1 ? "" : "s", row->reason);
    if (row->pc_offset != UINT64_MAX)
        fprintf(f, "    at            0x%" PRIx64 " %s\n", row->pc_offset, row->instruction);
    else
        fprintf(f, "    at            pc 0x%" PRIx64 ", outside the code object\n", row->pc);
    if (row->source)
        fprintf(f, "    source        %s\n", row->source);
    if (row->counter) {
        fprintf(f, "    waits for     %s %" PRIu32 " > %" PRIu32 "\n", row->counter, row->counter_value,
                row->counter_bound);
        text_oldest(f, row);
    } else if (*row->waits_for) {
        fprintf(f, "    waits for     %s\n", row->waits_for);
    }
    fprintf(f, s->timing ? "    since cycle   %s" : "    executed      %s instructions", report_grouped(row->since, c));
    fprintf(f, " (workgroup %u, %u, %u, wave %u%s)\n", row->workgroup[0], row->workgroup[1], row->workgroup[2],
            row->wave,
            row->waves == 1 ? ""
            : s->timing     ? ", the longest"
                            : ", the fewest");
}

void report_write_snapshot(FILE *f, const void *snapshot)
{
    const struct report_snapshot *s = snapshot;
    uint64_t left = 0;
    char a[32], b[32], c[32], d[32];

    fputs("Resident waves", f);
    if (s->timing)
        fprintf(f, " in cycle %s", report_grouped(s->cycle, a));
    fprintf(f, " after %s instructions\n", report_grouped(s->instructions, a));
    fprintf(f, "  workgroups    %s done, %s resident, %s not started; %s wave%s resident\n",
            report_grouped(s->groups_done, a), report_grouped(s->groups_resident, b),
            report_grouped(s->groups_waiting, c), report_grouped(s->waves_resident, d),
            s->waves_resident == 1 ? "" : "s");
    for (size_t k = 0; k < s->rows; k++) {
        if (k < REPORT_SNAPSHOT_ROWS)
            text_row(f, s, &s->row[k]);
        else
            left += s->row[k].waves;
    }
    if (left)
        fprintf(f, "  and %s wave%s at %s other place%s\n", report_grouped(left, a), left == 1 ? "" : "s",
                report_grouped(s->rows - REPORT_SNAPSHOT_ROWS, b), s->rows == REPORT_SNAPSHOT_ROWS + 1 ? "" : "s");
}

/* ---- JSON ---- */

static void json_details(struct json_put *j, const struct report_snapshot_row *row)
{
    if (row->counter) {
        json_put(j, "counter: {name: %s, value: %" PRIu32 ", bound: %" PRIu32, row->counter, row->counter_value,
                 row->counter_bound);
        if (row->oldest_instruction) {
            json_put(j, row->oldest_offset != UINT64_MAX ? "oldest: {pc_offset: %" PRIx64 : "oldest: {pc_offset: null",
                     row->oldest_offset);
            json_put(j, "instruction: %s, accesses: %" PRIu32 ", queued_lines: %" PRIu32 ", level: %s}",
                     row->oldest_instruction, row->oldest_accesses, row->oldest_queued, row->oldest_level);
        }
        json_put(j, "}");
    }
    if (row->has_barrier) {
        json_put(j,
                 "barrier: {number: %" PRIu32 ", arrived: %" PRIu32 ", members: %" PRIu32 ", ended: %" PRIu32
                 ", missing: [",
                 row->barrier, row->arrived, row->members, row->ended);
        for (size_t k = 0; k < row->missing_count; k++)
            json_put(j, "%" PRIu32, row->missing[k]);
        json_put(j, "]}");
    }
    if (row->has_memory)
        json_put(j, "memory: {address: %" PRIx64 ", bytes: %" PRIu32 ", value: %" PRIx64 "}", row->address, row->bytes,
                 row->value);
}

static void json_row(struct json_put *j, const struct report_snapshot *s, const struct report_snapshot_row *row)
{
    json_put(j, "{\n waves: %" PRIu64 ", workgroups: %" PRIu64 ", reason: %s, pc: %" PRIx64, row->waves,
             row->workgroups, row->reason, row->pc);
    json_put(j, row->pc_offset != UINT64_MAX ? "pc_offset: %" PRIx64 : "pc_offset: null", row->pc_offset);
    json_put(j, "instruction: %s, source: %s, %s: %" PRIu64 ", waits_for: %s",
             *row->instruction ? row->instruction : NULL, row->source, s->timing ? "since_cycle" : "executed",
             row->since, *row->waits_for ? row->waits_for : NULL);
    json_details(j, row);
    json_put(j, "workgroup: [%u, %u, %u], wave: %u}", row->workgroup[0], row->workgroup[1], row->workgroup[2],
             row->wave);
}

void report_snapshot_json(struct json_put *j, const struct report_snapshot *s)
{
    json_put(j, s->timing ? "{\n cycle: %" PRIu64 : "{\n cycle: null", s->cycle);
    json_put(j,
             "instructions: %" PRIu64 ", workgroups_done: %" PRIu64 ", workgroups_resident: %" PRIu64
             ", workgroups_not_started: %" PRIu64 ", waves: %" PRIu64 ", groups: [\n",
             s->instructions, s->groups_done, s->groups_resident, s->groups_waiting, s->waves_resident);
    for (size_t k = 0; k < s->rows; k++)
        json_row(j, s, &s->row[k]);
    json_put(j, "]}");
}
