/* s_clause: a run of instructions of one type that a wave issues without those of other waves between.
 *
 * The RDNA ISA documents ("S_CLAUSE"): SIMM16[5:0] is the number of instructions less one; the first of them decides
 * the type (vector memory, LDS, scalar memory or vector ALU); no other wave issues any of that type until the last one
 * has issued, other types go on. SIMM16[11:8], if not zero, is after how many instructions each there is a break, in
 * which others may come. Instructions that are processed internally (s_nop, s_waitcnt, s_sleep, s_delay_alu) count
 * but do not interrupt: while the wave waits there, so do the others. LLVM 19 (SIInsertHardClauses) counts them, too.
 *
 * An instruction that the documents call illegal ends the clause here: another type, a second s_clause, an instruction
 * that cannot be in one (SALU, branch, message, barrier, the end). So does sleep without an end, whose waker might be
 * held up.
 *
 * The type belongs to the wave from the first instruction's issue on, in its own SIMD: that is where waves are
 * arbitrated. The operand read path that SIMDs share (operand_path.h) takes their instructions as without clauses; no
 * source says otherwise. A wave that is kept out is charged to arbitration. Nothing is ticked: others can go again when
 * the wave issues, and its SIMD arbitrates then anyway.
 */
#ifndef GCNSIM_ENGINE_CU_CLAUSE_H
#define GCNSIM_ENGINE_CU_CLAUSE_H

#include "sim/engine/timing/cu/cu.h"

/* w, in a clause, is ready: with what does not belong to it the clause ends before others could wait for each other. */
void cu_clause_ready(struct cu_simd *s, struct cu_wave *w);
/* w has issued i, which is s_clause or in a clause; `on`: and goes on after it without an event of others. */
void cu_clause_issued(struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, bool on);

#endif
