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

static void member(FILE *f, unsigned indent, const char *key)
{
    fprintf(f, ",\n%*s\"%s\": ", (int)indent, "", key);
}

static void member_number(FILE *f, unsigned indent, const char *key, uint64_t value)
{
    member(f, indent, key);
    fprintf(f, "%" PRIu64, value);
}

static void member_text(FILE *f, unsigned indent, const char *key, const char *value)
{
    member(f, indent, key);
    report_json_string(f, value);
}

/* An address as a text, as everywhere in the report; null when it is not known. */
static void member_address(FILE *f, unsigned indent, const char *key, uint64_t value, bool known)
{
    member(f, indent, key);
    if (known)
        fprintf(f, "\"0x%" PRIx64 "\"", value);
    else
        fputs("null", f);
}

static void json_details(FILE *f, const struct report_snapshot_row *row, unsigned in)
{
    if (row->counter) {
        member(f, in, "counter");
        fprintf(f, "{\"name\": \"%s\", \"value\": %" PRIu32 ", \"bound\": %" PRIu32, row->counter, row->counter_value,
                row->counter_bound);
        if (row->oldest_instruction) {
            fputs(", \"oldest\": {\"pc_offset\": ", f);
            fprintf(f, row->oldest_offset != UINT64_MAX ? "\"0x%" PRIx64 "\"" : "null", row->oldest_offset);
            fputs(", \"instruction\": ", f);
            report_json_string(f, row->oldest_instruction);
            fprintf(f, ", \"accesses\": %" PRIu32 ", \"queued_lines\": %" PRIu32 ", \"level\": ", row->oldest_accesses,
                    row->oldest_queued);
            report_json_string(f, row->oldest_level);
            fputc('}', f);
        }
        fputc('}', f);
    }
    if (row->has_barrier) {
        member(f, in, "barrier");
        fprintf(f,
                "{\"number\": %" PRIu32 ", \"arrived\": %" PRIu32 ", \"members\": %" PRIu32 ", \"ended\": %" PRIu32
                ", \"missing\": [",
                row->barrier, row->arrived, row->members, row->ended);
        for (size_t k = 0; k < row->missing_count; k++)
            fprintf(f, "%s%" PRIu32, k ? ", " : "", row->missing[k]);
        fputs("]}", f);
    }
    if (row->has_memory) {
        member(f, in, "memory");
        fprintf(f, "{\"address\": \"0x%" PRIx64 "\", \"bytes\": %" PRIu32 ", \"value\": \"0x%" PRIx64 "\"}",
                row->address, row->bytes, row->value);
    }
}

static void json_row(FILE *f, const struct report_snapshot *s, const struct report_snapshot_row *row, unsigned in)
{
    fprintf(f, "\n%*s{\n%*s\"waves\": %" PRIu64, (int)in, "", (int)in + 2, "", row->waves);
    in += 2;
    member_number(f, in, "workgroups", row->workgroups);
    member_text(f, in, "reason", row->reason);
    member_address(f, in, "pc", row->pc, true);
    member_address(f, in, "pc_offset", row->pc_offset, row->pc_offset != UINT64_MAX);
    member_text(f, in, "instruction", *row->instruction ? row->instruction : NULL);
    member_text(f, in, "source", row->source);
    member_number(f, in, s->timing ? "since_cycle" : "executed", row->since);
    member_text(f, in, "waits_for", *row->waits_for ? row->waits_for : NULL);
    json_details(f, row, in);
    member(f, in, "workgroup");
    fprintf(f, "[%u, %u, %u]", row->workgroup[0], row->workgroup[1], row->workgroup[2]);
    member_number(f, in, "wave", row->wave);
    fprintf(f, "\n%*s}", (int)in - 2, "");
}

void report_snapshot_json(FILE *f, const struct report_snapshot *s, unsigned in)
{
    fprintf(f, "{\n%*s\"cycle\": ", (int)in, "");
    if (s->timing)
        fprintf(f, "%" PRIu64, s->cycle);
    else
        fputs("null", f);
    member_number(f, in, "instructions", s->instructions);
    member_number(f, in, "workgroups_done", s->groups_done);
    member_number(f, in, "workgroups_resident", s->groups_resident);
    member_number(f, in, "workgroups_not_started", s->groups_waiting);
    member_number(f, in, "waves", s->waves_resident);
    member(f, in, "groups");
    fputc('[', f);
    for (size_t k = 0; k < s->rows; k++) {
        fputs(k ? "," : "", f);
        json_row(f, s, &s->row[k], in + 2);
    }
    if (s->rows)
        fprintf(f, "\n%*s", (int)in, "");
    fprintf(f, "]\n%*s}", (int)in - 2, "");
}
