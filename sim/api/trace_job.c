/* What trace writers receive about a launch: the places of a chip's compute units, and functions, instructions and
 * source lines of its code. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "isa/sched.h"
#include "sim/api/api.h"
#include "sim/engine/timing/clock/dispatcher_layout.h"
#include "sim/loader/demangle.h"
#include "sim/loader/lines.h"
#include "traces/trace.h"

enum { MAX_INST_BYTES = 20 };

struct api_trace_job {
    const struct launch *l;
    const struct co_symbol **function; /* those with code, by address */
    size_t functions;
    const struct code_object *object; /* null: not known */
    gaddr_t object_base;              /* what is at object_vaddr in the file is here */
    uint64_t object_vaddr;
    bool host_code;            /* code is at the host's address that is the device's */
    char text[256];            /* of the instruction asked for last, */
    char *source, *plain_name; /* of its line, and the name of the function asked for last */
    struct trace_place *place;
    struct trace_chip chip;
    struct trace_code code;
    struct trace_job job;
    struct trace_job *one; /* for each trace */
    size_t count, room;
};

/* ---- code ---- */

static bool in_object(const struct api_trace_job *j, gaddr_t pc, uint64_t *vaddr)
{
    *vaddr = pc - j->object_base + j->object_vaddr;
    return j->object && pc >= j->object_base && pc - j->object_base <= CO_MAX_IMAGE_BYTES;
}

static uint64_t function_end(const struct api_trace_job *j, size_t k)
{
    const struct co_symbol *s = j->function[k];

    if (s->size)
        return s->vaddr + s->size;
    if (k + 1 < j->functions)
        return j->function[k + 1]->vaddr;
    for (unsigned n = 0; n < code_object_text_count(j->object); n++) {
        const struct co_text *t = code_object_text(j->object, n);

        if (s->vaddr >= t->vaddr && s->vaddr - t->vaddr < t->size)
            return t->vaddr + t->size;
    }
    return s->vaddr;
}

static bool function_at(void *ctx, gaddr_t pc, struct trace_function *f)
{
    struct api_trace_job *j = ctx;
    size_t lo = 0, hi = j->functions;
    uint64_t vaddr;

    if (!in_object(j, pc, &vaddr))
        return false;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (j->function[mid]->vaddr <= vaddr)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo || vaddr >= function_end(j, lo - 1))
        return false;
    const struct co_symbol *s = j->function[lo - 1];
    free(j->plain_name);
    j->plain_name = demangle(s->name);
    *f = (struct trace_function){.entry = s->vaddr - j->object_vaddr + j->object_base,
                                 .size = function_end(j, lo - 1) - s->vaddr,
                                 .name = s->name,
                                 .demangled = j->plain_name ? j->plain_name : s->name};
    for (unsigned k = 0; k < code_object_kernel_count(j->object) && !f->kernel; k++)
        f->kernel = code_object_kernel(j->object, k)->entry_vaddr == s->vaddr;
    return true;
}

static uint8_t kind_of(const struct isa_sched *s, const struct isa_inst *i)
{
    static const uint8_t of[OPCAT_COUNT] = {
        [OPCAT_VALU] = TRACE_INST_VALU, [OPCAT_SALU] = TRACE_INST_SALU,     [OPCAT_SMEM] = TRACE_INST_SMEM,
        [OPCAT_VMEM] = TRACE_INST_VMEM, [OPCAT_FLAT] = TRACE_INST_FLAT,     [OPCAT_LDS] = TRACE_INST_LDS,
        [OPCAT_MFMA] = TRACE_INST_VALU, [OPCAT_BRANCH] = TRACE_INST_BRANCH, [OPCAT_INTERNAL] = TRACE_INST_OTHER};

    return i->row && (i->row->cls == OPC_MESSAGE || i->row->cls == OPC_EXPORT) ? TRACE_INST_MESSAGE : of[s->category];
}

/* "file:line", and after it the calls that were inlined; to be freed, null when nothing is known. */
static char *frames_text(const struct co_lines *lines, uint64_t vaddr)
{
    struct co_frame frame[CO_MAX_FRAMES];
    size_t count = co_lines_frames(lines, vaddr, frame, CO_MAX_FRAMES);
    const struct co_line *at = co_lines_at(lines, vaddr);
    char *text = NULL;

    if (!at || asprintf(&text, "%s:%u", at->file, at->line) < 0)
        return NULL;
    for (size_t k = 1; k < count && frame[k].file && text; k++) {
        char *longer;

        if (asprintf(&longer, "%s -> %s:%u", text, frame[k].file, frame[k].line) < 0)
            longer = NULL;
        free(text);
        text = longer;
    }
    return text;
}

static const char *source_at(struct api_trace_job *j, gaddr_t pc)
{
    uint64_t vaddr;

    free(j->source);
    j->source = in_object(j, pc, &vaddr) ? frames_text(code_object_lines(j->object), vaddr) : NULL;
    return j->source;
}

/* Counters whose instructions may come back in any order: of scalar loads, and of flat accesses, which go two ways. */
static uint32_t out_of_order(const struct isa_sched *s)
{
    return s->category == OPCAT_SMEM || (s->category == OPCAT_FLAT && s->counters & (s->counters - 1)) ? s->counters
                                                                                                       : 0;
}

static bool instruction_at(void *ctx, gaddr_t pc, struct trace_inst *i)
{
    struct api_trace_job *j = ctx;
    const uint8_t *bytes = NULL;
    struct isa_inst inst;
    struct isa_sched s;
    size_t size = MAX_INST_BYTES;

    while (size && !(bytes = mem_space_at(j->l->space, pc, size, MEM_READ)))
        size -= 4;
    if (!bytes && j->host_code && pc >= j->l->code_lo && pc < j->l->code_hi) {
        bytes = (const uint8_t *)(uintptr_t)pc;
        size = j->l->code_hi - pc < MAX_INST_BYTES ? (size_t)(j->l->code_hi - pc) : MAX_INST_BYTES;
    }
    if (!bytes || size < 4)
        return false;
    unsigned length = isa_decode_any(j->l->target, bytes, size, &inst, NULL);
    if (length)
        isa_text(j->l->target, &inst, j->text, sizeof j->text);
    else
        snprintf(j->text, sizeof j->text, ".long 0x%08x", load_u32(bytes));
    isa_inst_sched(j->l->target, &inst, j->l->lanes, &s);
    *i = (struct trace_inst){.text = j->text,
                             .source = source_at(j, pc),
                             .size = length ? length : 4,
                             .kind = kind_of(&s, &inst),
                             .raises = (uint16_t)s.counters,
                             .out_of_order = (uint16_t)out_of_order(&s)};
    memset(i->wait, TRACE_NO_WAIT, sizeof i->wait);
    for (unsigned k = 0; k < s.wait_count; k++)
        i->wait[s.wait[k].counter] = s.wait[k].threshold;
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct co_symbol *const *x = a, *const *y = b;

    if ((*x)->vaddr != (*y)->vaddr)
        return (*x)->vaddr < (*y)->vaddr ? -1 : 1;
    return (*x)->size < (*y)->size ? -1 : (*x)->size > (*y)->size; /* the last of one address is taken */
}

static int list_functions(struct api_trace_job *j, struct err *e)
{
    unsigned symbols = code_object_symbol_count(j->object);

    j->function = malloc((symbols + 1) * sizeof *j->function);
    if (!j->function)
        return err_set(e, ERR_NOMEM, "out of host memory for a trace");
    for (unsigned k = 0; k < symbols; k++) {
        const struct co_symbol *s = code_object_symbol(j->object, k);

        if (s->kind == CO_SYMBOL_FUNCTION)
            j->function[j->functions++] = s;
    }
    if (j->functions)
        qsort(j->function, j->functions, sizeof *j->function, by_address);
    return 0;
}

/* ---- the chip ---- */

static uint32_t gfx_of(const char *target)
{
    unsigned long n = strncmp(target, "gfx", 3) == 0 ? strtoul(target + 3, NULL, 16) : 0;

    return (uint32_t)(n >> 8 & 0xf) + (n >= 0x1000 ? (uint32_t)(n >> 12) * 10 : 0);
}

static int describe_chip(struct api_trace_job *j, struct err *e)
{
    const struct profile *p = j->l->profile;
    uint32_t parts = p->gpu.cus_per_wgp, units = dispatcher_numbers(p);

    j->place = calloc((size_t)units * parts, sizeof *j->place);
    if (!j->place)
        return err_set(e, ERR_NOMEM, "out of host memory for a trace");
    for (uint32_t k = 0; k < units * parts; k++) {
        struct dispatcher_place at = dispatcher_place(p, k / parts);

        j->place[k] = (struct trace_place){.die = (uint16_t)at.die,
                                           .engine = (uint16_t)at.engine,
                                           .unit = (uint16_t)at.number,
                                           .part = (uint8_t)(k % parts)};
    }
    j->chip = (struct trace_chip){.target = j->l->target->name,
                                  .name = p->name,
                                  .gfx = gfx_of(j->l->target->name),
                                  .clock_mhz = p->gpu.shader_clock_mhz,
                                  .cus = p->gpu.cus,
                                  .cus_per_unit = parts,
                                  .engines = p->gpu.shader_engines,
                                  .dies = p->gpu.xcds ? p->gpu.xcds : 1,
                                  .simds = p->cu.simds,
                                  .slots = p->cu.wave_slots_per_simd,
                                  .place = j->place,
                                  .places = units * parts};
    return 0;
}

/* ---- jobs ---- */

struct api_trace_job *api_trace_job_new(const struct launch *l, const struct report_run *c,
                                        const struct api_trace_plan *plan, struct err *e)
{
    struct api_trace_job *j = calloc(1, sizeof *j);
    struct co_image_info image;

    if (!j) {
        err_set(e, ERR_NOMEM, "out of host memory for a trace");
        return NULL;
    }
    j->l = l;
    j->host_code = plan->host_code;
    j->room = plan->trace_count + 1;
    j->one = calloc(j->room, sizeof *j->one);
    if (plan->object) {
        j->object = plan->object->co;
        code_object_image_info(j->object, &image);
        j->object_base = plan->object_address;
        j->object_vaddr = image.base_vaddr;
    }
    if (!j->one)
        err_set(e, ERR_NOMEM, "out of host memory for a trace");
    if (!j->one || (j->object && list_functions(j, e)) || describe_chip(j, e)) {
        api_trace_job_free(j);
        return NULL;
    }
    j->code = (struct trace_code){.ctx = j, .function = function_at, .instruction = instruction_at};
    j->job = (struct trace_job){.load_base = j->object ? j->object_base : c->load_base,
                                .base_vaddr = j->object ? j->object_vaddr : c->base_vaddr,
                                .kernel = plan->kernel,
                                .entry = l->entry,
                                .dispatch = 1,
                                .lanes = l->lanes,
                                .generator = "gcnsim " GCNSIM_VERSION,
                                .command_line = c->command_line,
                                .chip = &j->chip,
                                .code = &j->code};
    memcpy(j->job.grid, c->grid, sizeof j->job.grid);
    memcpy(j->job.workgroup, l->workgroup_size, sizeof j->job.workgroup);
    return j;
}

void api_trace_job_free(struct api_trace_job *j)
{
    if (!j)
        return;
    free(j->function);
    free(j->source);
    free(j->plain_name);
    free(j->place);
    free(j->one);
    free(j);
}

const struct trace_job *api_trace_job(struct api_trace_job *j, const char *path)
{
    struct trace_job *one = j->count < j->room ? &j->one[j->count++] : NULL;

    if (!one)
        return NULL;
    *one = j->job;
    one->path = path;
    return one;
}

/* ---- AMD's thread trace ---- */

static const struct gcnsim_att initial = {.dispatch = 1};

static const struct api_struct kind = {.what = "att",
                                       .init = "gcnsim_att_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_att, no_sources)};

void gcnsim_att_init_sized(struct gcnsim_att *a, size_t struct_bytes)
{
    api_struct_init(&kind, a, struct_bytes);
}

int api_take_att(struct gcnsim_att *own, const struct gcnsim_att *from, struct err *e)
{
    if (api_struct_take(&kind, own, from, e))
        return -1;
    if (!own->folder || !*own->folder)
        return err_set(e, ERR_USAGE, "att: no folder");
    if (own->to_cycle && own->to_cycle <= own->from_cycle)
        return err_set(e, ERR_USAGE, "att: cycles %llu to %llu; expected the first to be before the last",
                       (unsigned long long)own->from_cycle, (unsigned long long)own->to_cycle);
    return 0;
}

const struct trace_job *api_trace_job_att(struct api_trace_job *j, const struct gcnsim_att *att)
{
    struct trace_job *one = j->count < j->room ? &j->one[j->count++] : NULL;

    if (!one)
        return NULL;
    *one = j->job;
    one->path = att->folder;
    one->agent = att->agent;
    one->dispatch = att->dispatch;
    one->choice = (struct trace_choice){.all_units = att->all_units != 0,
                                        .unit = att->units,
                                        .units = att->unit_count,
                                        .from = att->from_cycle,
                                        .to = att->to_cycle,
                                        .waves = att->max_waves,
                                        .no_sources = att->no_sources != 0};
    return one;
}
