/* Reading VGPRs for the vector ALU of RDNA3 and RDNA4.
 *
 * The ISA documents (RDNA3, VOPD) that VGPRs lie in four banks by the low bits of their number, and that each bank has
 * a cache from which instructions take their operands. SQ thread traces of streams of v_fmac_f32 on gfx1100 and gfx1200
 * show how it works:
 *   - a bank reads one VGPR per cycle into its cache, in the order of the instructions, of one from its last operand to
 *     its first;
 *   - the least recently used line makes room, but not before the last instruction that uses it has begun; one that
 *     takes its operand off a read that an instruction before it has asked for has it from the next cycle on, whatever
 *     else it waits for;
 *   - an instruction asks for its operands when the one before it begins. What has been read right before that is not
 * in the cache yet and is read again; what is read then or later goes to all that wait for it. Results, of loads too,
 * replace the value in the line. Cycles are those in which an instruction could begin that waits for this read and
 * nothing else.
 *
 * gfx1100 and gfx1201 also show that a cache hands over two operands a cycle: of instructions with three VGPRs of one
 * bank, which are all in its cache, two execute in three cycles.
 *
 * Operands of matrix instructions and of wave64, whose halves lie in rows of their own, are not modelled: no trace
 * shows them.
 */
#ifndef GCNSIM_ENGINE_FRONT_VGPR_BANKS_H
#define GCNSIM_ENGINE_FRONT_VGPR_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

enum {
    VGPR_BANKS = 4,
    VGPR_LINES = 4,       /* of a bank, at most */
    VGPR_NAMES = 32 << 8, /* of 256 VGPRs of each wave */
};

/* The banks of a SIMD. Lines of a bank follow those of the one before it. */
struct vgpr_banks {
    bool modelled;  /* else nothing here is used */
    uint32_t names; /* of VGPRs; a line that holds none has this one, which stands for nothing */
    /* The last use of each line: the instruction, as `count` numbers them, which of its operands it was (3 bits), and
     * the line (4 bits). The least of a bank is that of its least recently used line. */
    uint64_t used[VGPR_BANKS * VGPR_LINES];
    cycle_t read[VGPR_BANKS * VGPR_LINES];
    cycle_t taken[VGPR_BANKS * VGPR_LINES]; /* when the last user has what a line holds */
    cycle_t next[VGPR_BANKS];               /* when the bank can read again */
    uint64_t count;                         /* of VALU instructions, that of the one to begin next */
    cycle_t asked;                          /* when that one asked for its operands */
    uint64_t hands[VGPR_BANKS];             /* the next operand that each hands over, of `per_cycle` each cycle */
    uint16_t lines, shared;                 /* bits of those it uses; of these, the ones read for another one, too */
    uint16_t name[VGPR_BANKS * VGPR_LINES]; /* vgpr_name() of what a line holds, or their number: nobody's */
    uint8_t *line;                          /* by vgpr_name(): the line that holds it, and 1; 0: none does */
};

enum { VGPR_USE_OPERAND = VGPR_BANKS * VGPR_LINES, VGPR_USE_COUNT = 8 * VGPR_USE_OPERAND };

/* A VGPR as vgpr_name() wants it: what is above eight bits of its number goes before the wave's slot. */
static inline uint16_t vgpr_operand(uint32_t vgpr)
{
    return (uint16_t)(vgpr / 256 * VGPR_NAMES | vgpr % 256);
}

/* For a wave's VGPR; the low two bits are the bank. */
static inline uint32_t vgpr_name(uint8_t slot, uint32_t operand)
{
    return (uint32_t)slot << 8 | operand;
}

static inline uint64_t vgpr_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Reads `name` into a line of its own for a use at `asked` or later; returns when. */
static inline cycle_t vgpr_miss(struct vgpr_banks *v, uint32_t name, uint64_t use, cycle_t asked, uint32_t hold)
{
    uint32_t bank = name % VGPR_BANKS;
    const uint64_t *u = &v->used[bank * VGPR_LINES];
    uint64_t oldest = vgpr_least(vgpr_least(u[0], u[1]), vgpr_least(u[2], u[3]));
    uint64_t line = oldest % VGPR_USE_OPERAND;
    uint8_t *where = v->line;
    uint32_t old = v->name[line];

    if (asked < v->next[bank])
        asked = v->next[bank];
    if (asked < v->taken[line] + hold)
        asked = v->taken[line] + hold;
    v->next[bank] = asked + 1;
    v->name[line] = (uint16_t)name;
    v->used[line] = use + line;
    v->read[line] = asked;
    v->lines |= (uint16_t)(1u << line);
    v->shared &= (uint16_t) ~(1u << line);
    where[old] = 0;
    where[name] = (uint8_t)(line + 1);
    return asked;
}

/* When the next instruction, of the wave in `slot`, could begin as far as its operands go, for which it asks at
 * `asked`; 0 without any. fill: cycles after a read in which its line cannot be used. hold: from the beginning of a
 * line's last user to the cycle of a read that replaces it. */
static inline cycle_t vgpr_banks_read(struct vgpr_banks *v, uint8_t slot, const uint16_t *operand, unsigned operands,
                                      cycle_t asked, uint32_t fill, uint32_t hold)
{
    uint64_t use = v->count * VGPR_USE_COUNT;
    cycle_t begin = 0;

    v->asked = asked;
    for (const uint16_t *o = operand, *end = o + operands; o < end; o++, use += VGPR_USE_OPERAND) {
        uint32_t name = vgpr_name(slot, *o), line = v->line[name];
        cycle_t read;

        if (line--) {
            v->used[line] = use + line;
            read = v->read[line];
            if (read >= asked && !(v->lines >> line & 1))
                v->shared |= (uint16_t)(1u << line);
            v->lines |= (uint16_t)(1u << line);
            if (read < asked && asked < read + fill) {
                cycle_t *next = &v->next[name % VGPR_BANKS];

                read = asked < *next ? *next : asked;
                v->read[line] = read;
                *next = read + 1;
            }
        } else {
            read = vgpr_miss(v, name, use, asked, hold);
        }
        begin = begin < read ? read : begin;
    }
    return begin;
}

/* When the caches have handed over the operands of the next instruction. Each hands over per_cycle of them a cycle, of
 * one instruction after another, the last ones in cycle `at` or later, the first ones from `room` on. */
static inline cycle_t vgpr_banks_hand(struct vgpr_banks *v, const uint8_t count[VGPR_BANKS], cycle_t at, cycle_t room,
                                      uint32_t per_cycle)
{
    cycle_t last = 0;

    for (unsigned k = 0; per_cycle && k < VGPR_BANKS; k++) {
        uint64_t first = (at + 1) * per_cycle - count[k];

        if (!count[k])
            continue;
        first = first < room * per_cycle ? room * per_cycle : first;
        first = first < v->hands[k] ? v->hands[k] : first;
        v->hands[k] = first + count[k];
        last = last < (v->hands[k] - 1) / per_cycle ? (v->hands[k] - 1) / per_cycle : last;
    }
    return last;
}

/* Banks whose caches have `lines` lines. names: VGPR_NAMES for each 256 VGPRs of a wave; line: names + 1 bytes, zeroed.
 */
static inline void vgpr_banks_init(struct vgpr_banks *v, uint32_t lines, uint8_t *line, uint32_t names)
{
    /* what is used is newer than empty lines */
    *v = (struct vgpr_banks){.modelled = true, .names = names, .count = 1, .line = line};
    for (unsigned k = 0; k < VGPR_BANKS * VGPR_LINES; k++) {
        v->name[k] = (uint16_t)names;
        v->used[k] = k % VGPR_LINES < lines ? k : UINT64_MAX;
    }
}

/* The instruction that asked begins at `begin`; also one that asked for nothing. */
static inline void vgpr_banks_begin(struct vgpr_banks *v, cycle_t begin)
{
    for (uint32_t m = v->lines; m; m &= m - 1) {
        unsigned line = (unsigned)__builtin_ctz(m);
        cycle_t taken = v->asked + 1 > v->read[line] ? v->asked + 1 : v->read[line];

        v->taken[line] = v->shared >> line & 1 && taken < begin ? taken : begin;
    }
    v->lines = v->shared = 0;
    v->count++;
}

/* A new wave is in `slot`. */
static inline void vgpr_banks_forget(struct vgpr_banks *v, uint8_t slot)
{
    for (unsigned k = 0; k < VGPR_BANKS * VGPR_LINES; k++)
        if ((v->name[k] & (VGPR_NAMES - 1)) >> 8 == slot) {
            v->line[v->name[k]] = 0;
            v->name[k] = (uint16_t)v->names;
        }
}

#endif
