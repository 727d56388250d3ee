/* The bench of rig.h with the queues of gfx11 and gfx12 (sim/engine/timing/front/issue_queues.h), as thread traces show
 * them. */
#ifndef GCNSIM_TESTS_TIMING_RDNA_RIG_H
#define GCNSIM_TESTS_TIMING_RDNA_RIG_H

#include "tests/timing/rig.h"

#define FIRST 40 /* first issue of a wave: the rig's launch latency */

static struct rig *queued(const char *target, const uint32_t *code, size_t words, uint32_t lanes, uint32_t waves)
{
    struct rig *r = rig_new(target, code, words, lanes, waves);
    struct profile *p = &r->profile;

    p->queue = (struct profile_queue){.valu_entries = 8,
                                      .special_entries = 6,
                                      .special_count_cycles = 4,
                                      .valu_sgpr_entries = 7,
                                      .salu_entries = 7,
                                      .memory_entries = 9,
                                      .entry_cycles = 1,
                                      .matrix_entry_cycles = 1,
                                      .vgpr_read_cycles = 2,
                                      .vgpr_lone_read_cycles = 2,
                                      .read_ahead_entries = 4,
                                      .read_release_cycles = 4,
                                      .valu_sgpr_read_cycles = 1,
                                      .sgpr_read_cycles = 2,
                                      .salu_release_cycles = 3,
                                      .salu_to_hwreg_cycles = 9,
                                      .setreg_cycles = 8,
                                      .memory_release_cycles = 4,
                                      .lds_send_cycles = 5,
                                      .vmem_send_cycles = 6,
                                      .f64_compare_as_64bit = true};
    p->cu.lds_queue_depth = 31;
    p->issue.dependent_valu_blocks_issue = false;
    p->issue.valu_blocks_memory = true;
    p->frontend.valu_to_salu_cycles = p->frontend.valu_to_mem_cycles = p->frontend.valu_sgpr_to_mem_cycles = 15;
    p->frontend.trans_to_salu_cycles = 22;
    p->frontend.salu_to_branch_cycles = p->frontend.salu_to_smem_cycles = 7;
    p->cls[OPC_VALU64] = (struct profile_class_cost){.issue_cycles_w32 = 2, .issue_cycles_w64 = 4, .latency_cycles = 6};
    p->cls[OPC_F64] = (struct profile_class_cost){.issue_cycles_w32 = 32, .issue_cycles_w64 = 64, .latency_cycles = 38};
    p->cls[OPC_SALU_TRANS] =
        (struct profile_class_cost){.issue_cycles_w32 = 1, .issue_cycles_w64 = 1, .latency_cycles = 8};
    p->cls[OPC_WMMA] =
        (struct profile_class_cost){.issue_cycles_w32 = 16, .issue_cycles_w64 = 16, .latency_cycles = 21};
    p->matrix.wmma_passes = 4;
    return r;
}

static inline struct rig *queued_text(const char *target, const char *text, uint32_t lanes, uint32_t waves)
{
    struct assembled a = assemble(target, text);

    return queued(target, a.word, a.words, lanes, waves);
}
#define QUEUED(TEXT, LANES, WAVES) queued_text("gfx1201", TEXT, LANES, WAVES)

/* Runs, and once more in every cycle: the same cycles of issue. */
static inline void run_both(struct rig *r)
{
    struct rig_event *first;
    unsigned count;

    rig_run(r);
    assert_int_equal(r->status, 0);
    count = r->events;
    first = malloc(count * sizeof *first);
    assert_non_null(first);
    memcpy(first, r->event, count * sizeof *first);
    r->options.tick_every_cycle = true;
    engine_result_free(&r->result);
    rig_run(r);
    assert_int_equal(r->events, count);
    for (unsigned k = 0; k < count; k++) {
        assert_int_equal(r->event[k].at, first[k].at);
        assert_int_equal(r->event[k].pc, first[k].pc);
    }
    free(first);
}

#endif
