/* The scoreboard of a wave: stall reasons by producer, and the waits that s_delay_alu announces. */
#include "sim/engine/timing/cu/scoreboard.h"

enum timing_stall scoreboard_reason(unsigned producer)
{
    static const uint8_t reason[PRODUCER_COUNT] = {
        [PRODUCER_NONE] = STALL_DEPENDENCY_VALU,   [PRODUCER_VALU] = STALL_DEPENDENCY_VALU,
        [PRODUCER_SGPR] = STALL_DEPENDENCY_VALU,   [PRODUCER_AGPR] = STALL_DEPENDENCY_VALU,
        [PRODUCER_TRANS] = STALL_DEPENDENCY_TRANS, [PRODUCER_SALU] = STALL_DEPENDENCY_SALU,
        [PRODUCER_QUEUE] = STALL_DEPENDENCY_QUEUE, [PRODUCER_WMMA... PRODUCER_COUNT - 1] = STALL_DEPENDENCY_MATRIX,
    };

    return (enum timing_stall)reason[producer];
}

/* Dependency numbers of s_delay_alu (RDNA3 ISA, "S_DELAY_ALU"): 1..4 the n-th last VALU result, 5..7 the n-th last of
 * the transcendental unit, 8 an accumulator, 9..11 the scalar ALU. */
void scoreboard_delay_alu(const struct cu_wave *w, struct dependency *d)
{
    for (unsigned k = 0; k < 2; k++) {
        unsigned id = w->delay[k].in ? 0 : w->delay[k].id;

        if (!id || id > 11)
            continue;
        if (id <= 4)
            dependency_add(d, w->valu_done[id - 1], PRODUCER_VALU);
        else if (id <= 7)
            dependency_add(d, w->trans_done[id - 5], PRODUCER_TRANS);
        else if (id == 8)
            dependency_add(d, w->valu_done[0], PRODUCER_VALU);
        else
            dependency_add(d, w->salu_done, PRODUCER_SALU);
    }
}
