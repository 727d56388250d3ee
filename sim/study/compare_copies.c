/* How much of a sequence that has loops of its own is run: copies, passes, windows.
 *
 * compare_wrap.c counts the instructions that stand in a sequence. One that repeats some of them executes more, and so
 * many copies of it would make a pass of the loop long without making it more exact. The work of an iteration is
 * learnt from a run of one copy alone; the loops are then cut down to as many copies as a pass should have. For a
 * single one the second loop, in which a copy stands in another place, shows nothing: what the loop around it costs is
 * then that of one around nothing. The part run at full occupancy becomes less in steps, of which each loses a little:
 * passes, the second loop, points between one wave and all. A sequence that repeats nothing is measured as if none of
 * this were here.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/compare_bench.h"

enum {
    /* Instructions of an iteration from which on fewer passes show as much of a wave alone. */
    LONG_ITERATION = 8192,
    LONG_FEW_PASSES = 1,
    LONG_MANY_PASSES = 3,
    /* Instructions of a pass of the first loop: many times what stands in the sequence, and so there are few copies;
     * but some, as long as iterations are short: where a loop stands counts, lines of code begin in it or not. */
    PASS_INSTRUCTIONS = 1024,
    /* Instructions of all waves that the points of a sequence with loops may take: a second or so. */
    PLAN_INSTRUCTIONS = 4000000
};

/* One of the two loops in the file: its copies, and what stands after them up to the end of the wave. */
struct copies {
    uint64_t first; /* address of the first copy */
    uint64_t size;  /* of each */
    uint32_t count;
    uint32_t tail; /* bytes */
    uint32_t tail_instructions;
};

static int not_as_made(struct err *e)
{
    return err_set(e, ERR_FORMAT, "has %s, but is not as gcnsim_compare_wrap made it", COMPARE_COPIES);
}

/* The branch back to the first copy is the last instruction but one. */
static bool find_tail(const struct isa_target *t, const uint8_t *code, uint64_t available, gaddr_t at, struct copies *c)
{
    gaddr_t target = 0;
    struct isa_inst inst;
    unsigned bytes;

    for (c->tail = c->tail_instructions = 0;
         (bytes = isa_decode_any(t, code + c->tail, available - c->tail, &inst, NULL)); c->tail_instructions++) {
        enum isa_flow flow = isa_inst_flow(&inst, at + c->tail, &target);

        c->tail += bytes;
        if (flow == ISA_FLOW_BRANCH) {
            bytes = isa_decode_any(t, code + c->tail, available - c->tail, &inst, NULL);
            if (!bytes || target != c->first || isa_inst_flow(&inst, at + c->tail, &target) != ISA_FLOW_END)
                return false;
            c->tail += bytes;
            c->tail_instructions++; /* of a pass: all but the end of the wave */
            return true;
        }
        if (flow != ISA_FLOW_NEXT)
            return false;
    }
    return false;
}

static int find_copies(const struct compare_bench *b, unsigned which, struct copies *c, struct err *e)
{
    const struct code_object *co = b->module->code->co;
    uint64_t begin = code_object_find_symbol(co, COMPARE_BEGIN)->vaddr, available = 0;
    uint64_t end = code_object_find_symbol(co, COMPARE_END)->vaddr;

    c->size = end - begin;
    c->count = (1 + which) * b->copies;
    c->first = code_object_kernel(co, b->kernel[which])->entry_vaddr +
               (begin - code_object_kernel(co, b->kernel[0])->entry_vaddr);
    const uint8_t *code = code_object_bytes(co, c->first, &available);
    if (end <= begin || !code || available / c->count < c->size ||
        !find_tail(b->module->target, code + c->count * c->size, available - c->count * c->size,
                   c->first + c->count * c->size, c))
        return not_as_made(e);
    return 0;
}

static const uint8_t *first_copy(const struct compare_bench *b, uint64_t *size)
{
    const struct code_object *co = b->module->code->co;
    uint64_t begin = code_object_find_symbol(co, COMPARE_BEGIN)->vaddr, available = 0;
    uint64_t end = code_object_find_symbol(co, COMPARE_END)->vaddr;
    const uint8_t *code = code_object_bytes(co, begin, &available);

    *size = !code || end < begin ? 0 : end - begin < available ? end - begin : available;
    return code;
}

/* Whether the sequence has a way back to what it has executed. */
static bool goes_back(const struct compare_bench *b)
{
    uint64_t size, at = 0;
    const uint8_t *code = first_copy(b, &size);
    struct isa_inst inst;

    for (unsigned bytes; at < size && (bytes = isa_decode_any(b->module->target, code + at, size - at, &inst, NULL));
         at += bytes) {
        gaddr_t target = 0, pc = size + at; /* targets before the copy are no negative numbers */

        switch (isa_inst_flow(&inst, pc, &target)) {
        case ISA_FLOW_BRANCH:
        case ISA_FLOW_JUMP:
            if (target <= pc)
                return true;
            break;
        case ISA_FLOW_CALL:
        case ISA_FLOW_LEAVE:
            return true;
        default:
            break;
        }
    }
    return false;
}

static uint32_t instructions_in(const struct compare_bench *b)
{
    uint64_t size, at = 0;
    const uint8_t *code = first_copy(b, &size);
    struct isa_inst inst;
    uint32_t n = 0;

    for (unsigned bytes; at < size && (bytes = isa_decode_any(b->module->target, code + at, size - at, &inst, NULL));
         at += bytes)
        n++;
    return n;
}

/* The file with so many copies in the first and in the second loop. To be freed; null with *e. */
static uint8_t *with_copies(const struct compare_bench *b, const struct copies loop[2], uint32_t first, uint32_t second,
                            size_t *size, struct err *e)
{
    const uint32_t copies[2] = {first, second};
    const struct code_object *co = b->module->code->co;
    const uint8_t *file = code_object_file(co, size);
    uint8_t *own = malloc(*size);

    if (!own) {
        err_set(e, ERR_NOMEM, "out of host memory for its loops");
        return NULL;
    }
    memcpy(own, file, *size);
    for (unsigned k = 0; k < 2; k++) {
        const struct copies *c = &loop[k];
        uint64_t left_out = (c->count - copies[k]) * c->size;
        size_t at = (size_t)(code_object_bytes(co, c->first, &(uint64_t){0}) - file);
        uint8_t *tail = own + at + c->count * c->size;
        uint32_t branch;

        memmove(tail - left_out, tail, c->tail);
        tail = tail - left_out + c->tail - 8; /* the branch, and the end of the wave after it */
        memcpy(&branch, tail, sizeof branch);
        branch = (branch & 0xffff0000) | ((branch + (uint32_t)(left_out / 4)) & 0xffff);
        memcpy(tail, &branch, sizeof branch);
    }
    return own;
}

/* Instructions of one wave up to the end of so many iterations of the first loop. */
static int count_passes(struct compare_bench *probe, uint32_t passes, double *instructions, struct err *e)
{
    const uint64_t most = (uint64_t)passes * 2 * COMPARE_MAX_EXECUTED;
    struct compare_sample s;

    if (compare_run(probe, 0, 1, passes, most, &s, e))
        return -1;
    *instructions = compare_instructions(&s);
    if (*instructions == (double)most)
        return err_set(e, ERR_RUN_LIMIT,
                       "%" PRIu64 " instructions do not bring one wave to the end of iteration %" PRIu32
                       "; expected at most %d an iteration: a loop in it may be endless",
                       most, passes, COMPARE_MAX_EXECUTED);
    return 0;
}

/* What a pass of a loop around nothing costs: the second of the probe's. */
static int measure_loop(struct compare_bench *probe, struct compare_sample *loop, struct err *e)
{
    const double each = 1.0 / (COMPARE_MANY_PASSES - COMPARE_FEW_PASSES);
    struct compare_sample few, many;

    if (compare_run(probe, 1, 1, COMPARE_FEW_PASSES, 0, &few, e) ||
        compare_run(probe, 1, 1, COMPARE_MANY_PASSES, 0, &many, e))
        return -1;
    *loop = (struct compare_sample){0};
    compare_add(loop, &many, each);
    compare_add(loop, &few, -each);
    return 0;
}

/* What the second iteration executes, and the loop around it, of one copy in the first loop and none in the second. */
static int probe_loops(struct compare_bench *b, const struct copies loop[2], struct err *e)
{
    struct gcnsim_compare_item item = *b->item;
    uint8_t *file = with_copies(b, loop, 1, 0, &item.size, e);
    /* runs: hardly any progress */
    struct compare_bench probe = {
        .o = b->o, .item = &item, .index = b->index, .count = b->count, .fitted = 1, .runs = 4000};
    double one = 0, two = 0;

    item.bytes = file;
    int failed = !file || compare_bench_load(&probe, NULL, e) || count_passes(&probe, 1, &one, e) ||
                 count_passes(&probe, 2, &two, e) || measure_loop(&probe, &b->loop, e);
    compare_bench_close(&probe);
    free(file);
    b->executed = two - one - loop[0].tail_instructions;
    if (failed)
        return -1;
    if (b->executed > COMPARE_MAX_EXECUTED)
        return err_set(e, ERR_RUN_LIMIT, "an iteration executes %.0f instructions; expected at most %d", b->executed,
                       COMPARE_MAX_EXECUTED);
    return 0;
}

/* The bench's item with other copies, which are loaded in place of its own. */
static int reload(struct compare_bench *b, const struct copies loop[2], uint32_t copies, struct arena *arena,
                  struct err *e)
{
    struct gcnsim_compare_item item = *b->item;
    uint8_t *own = with_copies(b, loop, copies, 2 * copies, &item.size, e);

    if (!own)
        return -1;
    item.bytes = own;
    compare_bench_close(b);
    b->own_bytes = own;
    b->own_item = item;
    b->item = &b->own_item;
    b->fitted = copies;
    return compare_bench_load(b, arena, e);
}

int compare_fit_copies(struct compare_bench *b, struct arena *arena, struct err *e)
{
    struct copies loop[2];

    if (!b->sequence || b->region || !goes_back(b)) /* the branches of a region go on after themselves */
        return 0;
    for (unsigned k = 0; k < 2; k++)
        if (find_copies(b, k, &loop[k], e))
            return -1;
    if (probe_loops(b, loop, e))
        return -1;
    if (b->executed <= instructions_in(b)) {
        b->executed = 0;
        return 0;
    }
    if (b->executed > LONG_ITERATION) {
        b->few = LONG_FEW_PASSES;
        b->many = LONG_MANY_PASSES;
    }
    uint32_t copies = (uint32_t)(PASS_INSTRUCTIONS / b->executed);
    copies = copies < 1 ? 1 : copies < b->copies ? copies : b->copies;
    b->single = copies == 1;
    return copies == b->copies ? 0 : reload(b, loop, copies, arena, e);
}

/* ---- at full occupancy ---- */

/* From the most exact on. What is measured of the first loop alone has the loop's own instructions in it, which count
 * like all others: they are few beside an iteration where this matters. */
static const struct compare_plan plans[] = {
    {.window = {COMPARE_WINDOW, COMPARE_WINDOW}},
    {.window = {COMPARE_SHORT_WINDOWS}},
    {.window = {{1.5, 2.5}}, .first_alone = true},
    {.window = {{1.5, 2.5}}, .first_alone = true, .points = COMPARE_POINTS_DOUBLING},
    {.window = {{0.5, 1.5}}, .first_alone = true, .points = COMPARE_POINTS_DOUBLING},
    {.window = {{0.5, 1.5}}, .first_alone = true, .points = COMPARE_POINTS_ENDS},
};

bool compare_has_point(const struct compare_plan *p, uint32_t waves, uint32_t most)
{
    if (waves == 1 || waves == most || p->points == COMPARE_POINTS_ALL)
        return true;
    return p->points == COMPARE_POINTS_DOUBLING && !(waves & (waves - 1));
}

/* Instructions of one wave that a plan runs for one point. */
static double wave_instructions(const struct compare_bench *b, const struct compare_plan *p)
{
    double sum = 0;

    for (unsigned k = 0; k < (p->first_alone ? 1 : 2); k++)
        sum += (p->window[k].from + p->window[k].to) * b->pass_instructions[k];
    return sum;
}

void compare_choose_plan(struct compare_bench *b, uint32_t least, uint32_t most)
{
    const size_t count = sizeof plans / sizeof *plans;

    for (size_t k = 0; k < count; k++) {
        double waves = 0;

        if (b->single && !plans[k].first_alone) /* of one copy, where it stands counts: the same for all figures */
            continue;
        for (uint32_t w = least; w <= most; w++)
            waves += compare_has_point(&plans[k], w, most) ? (double)w * b->simds : 0;
        b->plan = plans[k];
        if (waves * wave_instructions(b, &b->plan) <= PLAN_INSTRUCTIONS)
            return;
    }
}
