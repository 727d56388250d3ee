/* Loads whose registers are used before a wait makes that safe.
 *
 * A load writes its registers when it is executed, which no program can notice that waits for what it uses. One that
 * does not wait finds the old value on hardware when it is quick, as LDS and memory take their time: AMD's mla_a8w8
 * kernels of gfx950 begin to load the next tile into registers that a matrix instruction seven instructions later still
 * multiplies. When it is slow it finds the new one: other kernels of the same library rely on that, after a row of
 * matrix instructions (mla_a16w16) or after a barrier (dq_convert, pa).
 *
 * Which loads are used that soon is found when they are decoded, from the code after them as far as it is straight;
 * all others run as if there were none. A late load reads memory when it is issued, and its registers get what it
 * brought as late as its counter allows: before a wait that forces it, when the counter can hold no more, or never,
 * when the wave ends first. It does so on both engines. `--check` names the use (wait.read).
 *
 * Left out: loads of halves of registers, scalar loads, flat ones, which raise two counters, uses after a branch or
 * after anything at which a wave may stay (a barrier, a wait for another counter), and targets whose instructions do
 * not name their registers in full (FEAT_VGPR_MSB).
 */
#ifndef GCNSIM_ISA_LATE_H
#define GCNSIM_ISA_LATE_H

#include <pthread.h>

#include "isa/isa.h"
#include "sim/util/arena.h"

enum {
    /* How far away a use is that comes too soon, in passes of 16 lanes, four cycles each: an instruction is one, a
     * transcendental one four, one of matrices has its own. LDS answers a lone read in 35 cycles and reads of 16 bytes
     * 17 apart (gcnasm's lds_throughput, MI308X), so that the sixth is there after 139. Of the 264 objects of gfx950 in
     * AMD's aiter those with such uses need the old value up to 84 cycles after the load, and the new one from 168 on:
     * chosen between them. Memory takes longer. */
    ISA_LATE_REACH = 32,
    ISA_LATE_DWORDS = 5, /* of a load's result: four, and whether the texture was resident */
};

/* What a late load brought. */
struct isa_late {
    struct isa_late *next; /* of the wave, the newer one; of the pool, another that is free */
    uint64_t exec;         /* lanes that it has loaded */
    uint32_t *rows;        /* where it belongs, in the wave's registers */
    uint16_t dwords, lanes;
    uint8_t counter; /* enum wait_counter */
    uint8_t behind;  /* so many more have raised the counter since */
    uint32_t data[ISA_LATE_DWORDS * 64];
};

/* In w->late: the wave's loads are not late. For a copy of a wave, on which an instruction is tried. */
extern const struct isa_late isa_late_never;

/* Room for the late loads of a program's waves, which may run in several threads. All of it goes with the program. */
struct isa_late_pool {
    pthread_mutex_t lock;
    struct isa_late *free;
    struct arena arena;
};
void isa_late_pool_open(struct isa_late_pool *p);
void isa_late_pool_close(struct isa_late_pool *p);
struct isa_late_pool *isa_program_late(struct isa_program *p);

/* Whether i, which is decoded and prepared, is a load whose registers are used too early by the code after it. */
bool isa_late_is(const struct isa_target *t, const struct isa_inst *i, const uint8_t *code, size_t size);

/* isa_inst.exec of such a load. Its results are there at once where no memory is left for them to wait in. */
isa_exec isa_late_exec;

/* i is about to be executed by a wave with SPECIAL_LATE: what it forces gets to its registers. */
void isa_late_before(struct isa_wave *w, const struct isa_inst *i);

#endif
