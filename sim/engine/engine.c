/* Results of a run that both engines fill in the same way: faults of the simulated program. */
#include "sim/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/samples.h"

void engine_result_free(struct engine_result *r)
{
    free(r->inst);
    free(r->visit);
    free(r->tally);
    engine_samples_free(r->samples);
    free(r->estimate);
    r->samples = NULL;
    r->estimate = NULL;
    r->inst = NULL;
    r->inst_count = 0;
    r->visit = NULL;
    r->visits = 0;
    r->tally = NULL;
    r->tallies = 0;
}

void engine_set_fault(struct engine_result *r, enum isa_status status, const struct isa_wave *w, uint64_t group)
{
    r->outcome = ENGINE_FAULT;
    r->fault_group = group;
    r->fault_wave = w->wave_in_group;
    r->fault = w->fault;
    if (status == ISA_FAULT) {
        r->fault_kind = ENGINE_FAULT_WAVE;
    } else {
        r->fault_kind = ENGINE_FAULT_HALT;
        if (r->fault.kind == FAULT_NONE) {
            r->fault = (struct isa_fault){.kind = FAULT_TRAP, .pc = w->inst_pc, .lane = -1};
            snprintf(r->fault.text, sizeof r->fault.text, "the wave halted itself, or trapped without a handler");
        }
    }
    memcpy(r->message, r->fault.text, sizeof r->message);
}

bool engine_count_tallies(const struct isa_program *p, const uint64_t *tally, bool each, struct engine_result *r)
{
    uint64_t instructions = 0;

    if (each && !(r->tally = calloc(ISA_TALLIES, sizeof *r->tally)))
        return false;
    for (unsigned c = 0; c < OPCAT_COUNT; c++)
        engine_count(r, STAT_CATEGORY + c, 0);
    for (unsigned k = 0; k < ISA_TALLIES; k++) {
        if (!tally[k])
            continue;
        const struct isa_inst *inst = k < ISA_TALLY_ROWS ? NULL : isa_program_tallied(p, k);
        uint8_t cls = inst ? inst->row->cls : (uint8_t)(k % OPC_COUNT);

        instructions += tally[k];
        engine_add(r, STAT_CATEGORY + op_class_category[cls], tally[k]);
        if (each)
            r->tally[r->tallies++] = (struct engine_tally){inst, cls, k >= ISA_TALLY_APPROXIMATE, tally[k]};
    }
    engine_count(r, STAT_INSTRUCTIONS, instructions);
    return true;
}
