/* Which functions a kernel's code calls directly: the address is computed beside the call. */
#ifndef GCNSIM_API_CODE_CALLS_H
#define GCNSIM_API_CODE_CALLS_H

#include "isa/isa.h"

/* What SGPRs are known to hold, as instructions are followed in the order of the code. Registers from 106 on (VCC) are
 * not followed. */
struct code_calls {
    uint32_t value[106];
    bool known[106];
    bool carry, carry_known; /* SCC */
};

/* Takes the next instruction, at pc. True: it is a call, or a jump to an address in registers other than a return to
 * s[30:31], and *to is where it leads; 0: that is not known. */
bool code_calls_next(struct code_calls *c, const struct isa_target *t, const struct isa_inst *i, gaddr_t pc,
                     gaddr_t *to);

#endif
