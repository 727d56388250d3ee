/* Results: made from what an engine gives back, and rendered. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/util/arena.h"

/* The public struct comes first, so that a pointer to it is a pointer to this. */
struct result {
    struct gcnsim_result pub;
    struct arena arena;
    bool no_memory;
};

static const char *keep(struct result *r, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = arena_alloc(&r->arena, n, 1, 1);

    if (!copy) {
        r->no_memory = true;
        return "";
    }
    return memcpy(copy, text, n);
}

static void *keep_array(struct result *r, size_t count, size_t bytes)
{
    void *p = arena_alloc(&r->arena, count + 1, bytes, 16);

    r->no_memory = r->no_memory || !p;
    return p;
}

/* ---- making ---- */

static const char *fault_kind(const struct engine_result *er)
{
    static const char *const kinds[] = {
        [FAULT_NONE] = "other",  [FAULT_ILLEGAL] = "illegal",   [FAULT_UNIMPLEMENTED] = "unimplemented",
        [FAULT_PC] = "pc",       [FAULT_MEMORY] = "memory",     [FAULT_ALIGN] = "align",
        [FAULT_LDS] = "lds",     [FAULT_REGISTER] = "register", [FAULT_TRAP] = "trap",
        [FAULT_OTHER] = "other",
    };

    if (er->fault_kind == ENGINE_FAULT_HALT)
        return "halt";
    if (er->fault_kind == ENGINE_FAULT_DEADLOCK)
        return "deadlock";
    return er->fault.kind < sizeof kinds / sizeof kinds[0] ? kinds[er->fault.kind] : "other";
}

void report_instruction_text(const struct launch *l, gaddr_t pc, char *out, size_t size)
{
    const struct isa_inst *inst = isa_program_at(l->program, pc);
    const struct mem_range *code;

    out[0] = 0;
    if (inst && inst->row)
        isa_text(l->target, inst, out, size);
    else if (inst && (code = mem_space_find(l->space, pc)) && mem_range_holds(code, pc, 4))
        snprintf(out, size, ".long 0x%08x", load_u32(code->host + (pc - code->lo)));
}

/* What a jump into nowhere makes of the pc is no place in a code object, of which none has 4 GiB. */
static uint64_t code_offset(gaddr_t pc, const struct report_context *c)
{
    return pc >= c->load_base && pc - c->load_base <= UINT32_MAX ? pc - c->load_base + c->base_vaddr : UINT64_MAX;
}

static void make_fault(struct result *r, const struct launch *l, const struct engine_result *er,
                       const struct report_context *c)
{
    const struct isa_fault *f = &er->fault;
    struct gcnsim_fault *out = &r->pub.fault;
    char inst[200], near[300] = "", where[80] = "", offset[40] = "", message[1200];
    bool memory = er->fault_kind == ENGINE_FAULT_WAVE && (f->kind == FAULT_MEMORY || f->kind == FAULT_ALIGN);

    report_instruction_text(l, f->pc, inst, sizeof inst);
    if (memory && !f->in_scratch) /* whose addresses are offsets */
        mem_space_describe(l->space, f->addr, f->bytes ? f->bytes : 1, near, sizeof near);
    r->pub.has_fault = 1;
    *out = (struct gcnsim_fault){.kind = fault_kind(er),
                                 .pc = f->pc,
                                 .pc_offset = code_offset(f->pc, c),
                                 .instruction = keep(r, inst),
                                 .lane = f->lane,
                                 .address = f->addr,
                                 .bytes = f->bytes,
                                 .write = f->write,
                                 .wave = er->fault_wave,
                                 .nearest = keep(r, near)};
    out->workgroup[0] = (uint32_t)(er->fault_group % l->workgroups[0]);
    out->workgroup[1] = (uint32_t)(er->fault_group / l->workgroups[0] % l->workgroups[1]);
    out->workgroup[2] = (uint32_t)(er->fault_group / l->workgroups[0] / l->workgroups[1]);
    if (f->lane >= 0)
        snprintf(where, sizeof where, ", lane %d", f->lane);
    if (out->pc_offset != UINT64_MAX)
        snprintf(offset, sizeof offset, " (offset 0x%" PRIx64 ")", out->pc_offset);
    snprintf(message, sizeof message, "%s fault at pc 0x%" PRIx64 "%s%s%s%s: %s%s%s; workgroup %u,%u,%u, wave %u%s",
             out->kind, out->pc, offset, *inst ? " in '" : "", inst, *inst ? "'" : "", f->text, *near ? ": " : "", near,
             out->workgroup[0], out->workgroup[1], out->workgroup[2], out->wave, where);
    out->message = keep(r, message);
    r->pub.message = out->message;
}

static void make_counts(struct result *r, const struct engine_result *er)
{
    struct gcnsim_count *c;

    if (er->has_categories && (c = keep_array(r, OPCAT_COUNT, sizeof *c))) {
        for (unsigned i = 0; i < OPCAT_COUNT; i++)
            c[i] = (struct gcnsim_count){op_category_key[i], er->by_category[i]};
        r->pub.instruction_counts = c;
        r->pub.instruction_count_count = OPCAT_COUNT;
    }
    if (er->has_stalls && (c = keep_array(r, er->stall_count, sizeof *c))) {
        for (unsigned i = 0; i < er->stall_count; i++)
            c[i] = (struct gcnsim_count){er->stalls[i].name, er->stalls[i].value};
        r->pub.has_stalls = 1;
        r->pub.stall_cycles = c;
        r->pub.stall_count = er->stall_count;
        r->pub.resident_wave_cycles = er->resident_wave_cycles;
    }
}

struct gcnsim_result *report_make(const struct launch *l, const struct engine_result *er,
                                  const struct report_context *c)
{
    struct result *r = calloc(1, sizeof *r);
    struct gcnsim_result *p;

    if (!r)
        return NULL;
    arena_init(&r->arena, 0);
    p = &r->pub;
    p->outcome = (enum gcnsim_outcome)er->outcome;
    p->message = keep(r, er->outcome == ENGINE_DONE ? "" : er->message);
    p->target = keep(r, l->target->name);
    p->profile = l->profile ? keep(r, l->profile->name) : NULL;
    p->engine = c->engine == GCNSIM_ENGINE_TIMING ? "timing" : "functional";
    p->kernel = keep(r, c->kernel);
    for (int d = 0; d < 3; d++) {
        p->grid[d] = c->grid[d];
        p->workgroup[d] = l->workgroup_size[d];
    }
    p->workgroups = l->workgroup_count;
    p->waves = l->wave_count;
    p->workgroups_done = er->workgroups_done;
    p->instructions = er->instructions;
    if (er->has_time && l->profile) {
        p->has_time = 1;
        p->cycles = er->cycles;
        p->time_us = (double)er->cycles / l->profile->gpu.shader_clock_mhz;
        p->ipc = er->cycles ? (double)er->instructions / (double)er->cycles : 0;
        p->cus_used = er->cus_used;
    }
    if (l->profile) {
        p->has_occupancy = 1;
        api_occupancy(l, &p->occupancy);
    }
    make_counts(r, er);
    r->no_memory = !report_memory_make(p, l, er, c, &r->arena) || r->no_memory;
    p->host_seconds = c->seconds;
    p->wave_instructions_per_second = c->seconds > 0 ? (double)er->instructions / c->seconds : 0;
    if (er->outcome == ENGINE_FAULT)
        make_fault(r, l, er, c);
    if (c->checks) {
        p->has_check = 1;
        p->findings = report_findings(l, c, &r->arena, &p->finding_count);
        r->no_memory = r->no_memory || !p->findings;
    }
    if (r->no_memory) {
        gcnsim_result_free(p);
        return NULL;
    }
    return p;
}

void gcnsim_result_free(struct gcnsim_result *result)
{
    struct result *r = (struct result *)result;

    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}

int gcnsim_result_status(const struct gcnsim_result *result)
{
    static const int status[] = {[GCNSIM_COMPLETED] = GCNSIM_OK,
                                 [GCNSIM_FAULTED] = GCNSIM_ERROR_FAULT,
                                 [GCNSIM_LIMIT] = GCNSIM_ERROR_LIMIT,
                                 [GCNSIM_INTERRUPTED] = GCNSIM_ERROR_INTERRUPTED};

    return status[result->outcome];
}

/* ---- JSON ---- */

static const char *outcome_key(const struct gcnsim_result *r)
{
    static const char *const keys[] = {[GCNSIM_COMPLETED] = "completed",
                                       [GCNSIM_FAULTED] = "fault",
                                       [GCNSIM_LIMIT] = "limit",
                                       [GCNSIM_INTERRUPTED] = "interrupted"};

    return keys[r->outcome];
}

/* Length of the UTF-8 sequence at s, 0 when it is none. */
static size_t utf8_length(const unsigned char *s)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
    uint32_t c = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    return n && (n == 1 || c >= least[n]) && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? n : 0;
}

/* Names come from files and may be any bytes; JSON is UTF-8 whatever they are. */
void report_json_string(FILE *f, const char *s)
{
    if (!s) {
        fputs("null", f);
        return;
    }
    fputc('"', f);
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        size_t n = utf8_length(p);
        if (n == 0)
            fputs("\\ufffd", f);
        else if (*p == '"' || *p == '\\')
            fprintf(f, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(f, "\\u%04x", *p);
        else
            fwrite(p, 1, n, f);
        p += n ? n : 1;
    }
    fputc('"', f);
}

static void json_text(FILE *f, const char *key, const char *value)
{
    fprintf(f, "  \"%s\": ", key);
    report_json_string(f, value);
    fputs(",\n", f);
}

static void json_time(FILE *f, const struct gcnsim_result *r)
{
    if (r->has_time)
        fprintf(f, "  \"cycles\": %" PRIu64 ",\n  \"time_us\": %.6g,\n  \"ipc\": %.6g,\n  \"cus_used\": %u,\n",
                r->cycles, r->time_us, r->ipc, r->cus_used);
    else
        fputs("  \"cycles\": null,\n  \"time_us\": null,\n  \"ipc\": null,\n  \"cus_used\": null,\n", f);
}

static void json_instructions(FILE *f, const struct gcnsim_result *r)
{
    fprintf(f, "  \"instructions\": {\n    \"total\": %" PRIu64, r->instructions);
    for (unsigned i = 0; i < OPCAT_COUNT; i++) {
        if (r->instruction_counts)
            fprintf(f, ",\n    \"%s\": %" PRIu64, r->instruction_counts[i].name, r->instruction_counts[i].value);
        else
            fprintf(f, ",\n    \"%s\": null", op_category_key[i]);
    }
    fputs("\n  },\n", f);
}

static void json_occupancy(FILE *f, const struct gcnsim_result *r)
{
    const struct gcnsim_occupancy *o = &r->occupancy;

    if (!r->has_occupancy) {
        fputs("  \"occupancy\": null,\n", f);
        return;
    }
    fprintf(
        f,
        "  \"occupancy\": {\n    \"waves_per_simd\": %u,\n    \"limiter\": \"%s\",\n    \"workgroups_per_cu\": %u,\n"
        "    \"cus\": %u,\n    \"waves_per_workgroup\": %u,\n    \"vgprs\": %u,\n    \"agprs\": %u,\n    \"sgprs\": "
        "%u,\n"
        "    \"lds_bytes\": %u\n  },\n",
        o->waves_per_simd, o->limiter, o->workgroups_per_cu, o->cus, o->waves_per_workgroup, o->vgprs_allocated,
        o->agprs_allocated, o->sgprs_allocated, o->lds_bytes_allocated);
}

static void json_stalls(FILE *f, const struct gcnsim_result *r)
{
    if (!r->has_stalls) {
        fputs("  \"stall_cycles\": null,\n  \"resident_wave_cycles\": null,\n", f);
        return;
    }
    fputs("  \"stall_cycles\": {", f);
    for (size_t i = 0; i < r->stall_count; i++)
        fprintf(f, "%s\n    \"%s\": %" PRIu64, i ? "," : "", r->stall_cycles[i].name, r->stall_cycles[i].value);
    fprintf(f, "\n  },\n  \"resident_wave_cycles\": %" PRIu64 ",\n", r->resident_wave_cycles);
}

static void json_fault(FILE *f, const struct gcnsim_result *r)
{
    const struct gcnsim_fault *t = &r->fault;

    if (!r->has_fault) {
        fputs("  \"fault\": null,\n", f);
        return;
    }
    fprintf(f, "  \"fault\": {\n    \"kind\": \"%s\",\n    \"pc\": \"0x%" PRIx64 "\",\n    \"pc_offset\": ", t->kind,
            t->pc);
    if (t->pc_offset != UINT64_MAX)
        fprintf(f, "\"0x%" PRIx64 "\",\n", t->pc_offset);
    else
        fputs("null,\n", f);
    fputs("    \"instruction\": ", f);
    report_json_string(f, *t->instruction ? t->instruction : NULL);
    fprintf(f, ",\n    \"workgroup\": [%u, %u, %u],\n    \"wave\": %u,\n", t->workgroup[0], t->workgroup[1],
            t->workgroup[2], t->wave);
    if (t->lane >= 0)
        fprintf(f, "    \"lane\": %d,\n", t->lane);
    else
        fputs("    \"lane\": null,\n", f);
    if (*t->nearest)
        fprintf(f, "    \"address\": \"0x%" PRIx64 "\",\n    \"bytes\": %u,\n    \"write\": %s,\n", t->address,
                t->bytes, t->write ? "true" : "false");
    else
        fputs("    \"address\": null,\n    \"bytes\": null,\n    \"write\": null,\n", f);
    fputs("    \"nearest\": ", f);
    report_json_string(f, *t->nearest ? t->nearest : NULL);
    fputs(",\n    \"message\": ", f);
    report_json_string(f, t->message);
    fputs("\n  },\n", f);
}

static void write_json(FILE *f, const struct gcnsim_result *r)
{
    fputs("{\n", f);
    json_text(f, "outcome", outcome_key(r));
    json_text(f, "message", *r->message ? r->message : NULL);
    json_text(f, "target", r->target);
    json_text(f, "profile", r->profile);
    json_text(f, "engine", r->engine);
    json_text(f, "kernel", r->kernel);
    fprintf(f,
            "  \"grid\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64
            "],\n  \"workgroup\": [%u, %u, %u],\n  \"workgroups\": %" PRIu64 ",\n  \"workgroups_done\": %" PRIu64
            ",\n  \"waves\": %" PRIu64 ",\n",
            r->grid[0], r->grid[1], r->grid[2], r->workgroup[0], r->workgroup[1], r->workgroup[2], r->workgroups,
            r->workgroups_done, r->waves);
    json_time(f, r);
    json_instructions(f, r);
    json_occupancy(f, r);
    json_stalls(f, r);
    report_memory_json(f, r);
    json_fault(f, r);
    report_check_json(f, r);
    fprintf(f, "  \"host\": {\n    \"seconds\": %.6f,\n    \"wave_instructions_per_second\": %.0f\n  }\n}\n",
            r->host_seconds, r->wave_instructions_per_second);
}

int report_render(void (*writer)(FILE *f, const void *what), const void *what, const char *kind, char **text,
                  struct gcnsim_error *error)
{
    struct err e = {0};
    char *buf = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&buf, &size);
    bool good = f != NULL;

    if (f) {
        writer(f, what);
        good = !ferror(f);
        good = fclose(f) == 0 && good;
    }
    if (!good) {
        free(buf);
        err_set(&e, ERR_NOMEM, "no memory for the %s", kind);
        return api_fail(error, &e);
    }
    *text = buf;
    return GCNSIM_OK;
}

static void write_result_json(FILE *f, const void *result)
{
    write_json(f, result);
}

static void write_result_text(FILE *f, const void *result)
{
    report_write_text(f, result);
}

static void write_string(FILE *f, const void *text)
{
    report_json_string(f, text);
}

int gcnsim_json_string(const char *text, char **json, struct gcnsim_error *error)
{
    return report_render(write_string, text, "text", json, error);
}

int gcnsim_result_json(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return report_render(write_result_json, result, "report", text, error);
}

int report_render_plain(void (*writer)(FILE *f, const void *what), const void *what, const char *kind, char **text,
                        struct gcnsim_error *error)
{
    int status = report_render(writer, what, kind, text, error);

    for (unsigned char *p = (unsigned char *)*text; status == GCNSIM_OK && *p; p++) {
        if ((*p < 0x20 && *p != '\n') || *p == 0x7f)
            *p = '?';
        else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) /* U+0080 to U+009F */
            p[0] = p[1] = '?';
    }
    return status;
}

int gcnsim_result_text(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return report_render_plain(write_result_text, result, "report", text, error);
}
