/* Keeps the decoded instructions of a code object by pc, each decoded when a wave first reaches it, and runs waves
 * through them without timing. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "isa/isa.h"
#include "isa/lanes/quick.h"
#include "isa/lanes/scalar.h"
#include "isa/late.h"
#include "isa/lds_order.h"
#include "isa/unit.h"
#include "isa/visits.h"
#include "sim/util/budget.h"

#define CHUNK_INSTS 4096u /* entries that are counted together */
/* Room for units by dword of code that has been reached: two ops and more. A program that has none left runs what it
 * has no unit for instruction by instruction. */
#define UNIT_SHARE 112u

/* Whether a chunk is in the budget. */
enum chunk_state { CHUNK_NOT_COUNTED, CHUNK_COUNTED, CHUNK_RESERVED /* ... and not reached yet */ };

struct isa_program {
    const struct isa_target *target;
    gaddr_t base;
    const uint8_t *bytes;
    size_t size, map_bytes;
    /* One entry per dword of code, so that any jump target has one. Anonymous memory: entries never reached cost
     * nothing. An entry is published by storing its exec pointer last, under the lock, so that it is written once. One
     * more, never decoded, stands after them, and then the room for units. */
    struct isa_inst *insts;
    pthread_mutex_t decoding;
    struct budget *budget;
    uint8_t *counted;                                             /* per chunk of insts: enum chunk_state */
    uint64_t bytes_counted;                                       /* of the budget */
    const struct isa_inst *tallied[ISA_TALLIES - ISA_TALLY_ROWS]; /* under the lock while instructions are decoded */
    uint8_t *units; /* one after the other, as they are made under the lock; counted with the entries */
    size_t units_room, units_used;
    struct isa_late_pool late;
    struct isa_inst refused; /* what runs in the place of an instruction that the budget has no room for */
};

static int exec_refused(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_program *p = w->program;

    (void)i, (void)env, (void)fx;
    return isa_fault(w, FAULT_OTHER, -1, 0, 0, false,
                     "decoded instructions pass the memory limit of %llu bytes; --max-memory (gcnsim_set_max_memory) "
                     "raises it",
                     (unsigned long long)p->budget->limit);
}

int isa_program_open(struct isa_program **out, const struct isa_target *t, gaddr_t base, const uint8_t *bytes,
                     size_t size, struct err *e)
{
    struct isa_program *p = NULL;

    *out = NULL;
    if (base & 3)
        return err_set(e, ERR_USAGE, "code base 0x%llx is not a multiple of 4", (unsigned long long)base);
    if (size < 4)
        return err_set(e, ERR_FORMAT, "code of %zu bytes is too short for an instruction", size);
    p = calloc(1, sizeof *p);
    if (!p)
        return err_set(e, ERR_NOMEM, "out of memory");
    p->map_bytes = (size / 4 + 1) * sizeof *p->insts + size / 4 * UNIT_SHARE;
    p->counted = calloc(size / 4 / CHUNK_INSTS + 1, 1);
    p->insts = mmap(NULL, p->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p->insts == MAP_FAILED || !p->counted) {
        if (p->insts != MAP_FAILED)
            munmap(p->insts, p->map_bytes);
        free(p->counted);
        free(p);
        return err_set(e, ERR_NOMEM, "out of memory for %zu bytes of code", size);
    }
    p->units = (uint8_t *)(p->insts + size / 4 + 1);
    p->target = t;
    p->base = base;
    p->bytes = bytes;
    p->size = size;
    p->refused = (struct isa_inst){.exec = exec_refused, .size_bytes = 4};
    pthread_mutex_init(&p->decoding, NULL);
    isa_late_pool_open(&p->late);
    *out = p;
    return 0;
}

void isa_program_close(struct isa_program *p)
{
    if (!p)
        return;
    pthread_mutex_destroy(&p->decoding);
    munmap(p->insts, p->map_bytes);
    budget_give(p->budget, p->bytes_counted);
    isa_late_pool_close(&p->late);
    free(p->counted);
    free(p);
}

void isa_program_set_budget(struct isa_program *p, struct budget *b)
{
    p->budget = b;
    p->late.arena.budget = b;
}

struct isa_late_pool *isa_program_late(struct isa_program *p)
{
    return &p->late;
}

void isa_program_forget(struct isa_program *p)
{
    /* anonymous private pages are zero when they are touched again, which is what an entry not decoded yet is */
    madvise(p->insts, p->map_bytes, MADV_DONTNEED);
    p->units_used = 0;
    memset(p->tallied, 0, sizeof p->tallied);
}

static int exec_illegal(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    uint32_t word = 0;
    (void)i, (void)env, (void)fx;
    const struct isa_program *p = w->program;
    if (w->inst_pc - p->base + 4 <= p->size)
        word = load_u32(p->bytes + (w->inst_pc - p->base));
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "word 0x%08x is not an instruction of %s", word,
                     p->target->name);
}

/* Formats the decoder recognises but has no instructions of: images, exports, interpolation. */
static bool format_unsupported(enum isa_format f)
{
    return f == FMT_MIMG || f == FMT_VIMAGE || f == FMT_VSAMPLE || f == FMT_EXP || f == FMT_VINTRP ||
           f == FMT_VINTERP || f == FMT_LDSDIR;
}

static int exec_unsupported(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                            struct isa_effects *fx)
{
    const struct isa_program *p = w->program;

    (void)env, (void)fx;
    return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false, "%s instruction 0x%08x of %s is not supported by gcnsim",
                     isa_format_name[i->format], load_u32(p->bytes + (w->inst_pc - p->base)), p->target->name);
}

static size_t chunks_of(const struct isa_program *p)
{
    return (p->size / 4 + CHUNK_INSTS - 1) / CHUNK_INSTS;
}

static size_t chunk_entries(const struct isa_program *p, size_t chunk)
{
    size_t entries = p->size / 4 - chunk * CHUNK_INSTS;

    return entries < CHUNK_INSTS ? entries : CHUNK_INSTS;
}

/* The room for units is counted whether they are made or not: which are depends on how host threads run. */
static uint64_t chunk_bytes(const struct isa_program *p, size_t chunk)
{
    return chunk_entries(p, chunk) * (sizeof *p->insts + UNIT_SHARE);
}

/* Counts the chunk of entry k. False: there is no room. */
static bool count_chunk(struct isa_program *p, size_t k)
{
    size_t chunk = k / CHUNK_INSTS;

    if (p->counted[chunk] == CHUNK_NOT_COUNTED) {
        if (!budget_take(p->budget, chunk_bytes(p, chunk)))
            return false;
        p->bytes_counted += chunk_bytes(p, chunk);
    }
    if (p->counted[chunk] != CHUNK_COUNTED)
        p->units_room += chunk_entries(p, chunk) * UNIT_SHARE;
    p->counted[chunk] = CHUNK_COUNTED;
    return true;
}

/* Moves the chunks in one state to another. Returns their bytes. */
static uint64_t move_chunks(struct isa_program *p, enum chunk_state from, enum chunk_state to)
{
    uint64_t bytes = 0;

    for (size_t chunk = 0; chunk < chunks_of(p); chunk++) {
        if (p->counted[chunk] != from)
            continue;
        bytes += chunk_bytes(p, chunk);
        p->counted[chunk] = (uint8_t)to;
    }
    return bytes;
}

bool isa_program_reserve(struct isa_program *p)
{
    if (!p->budget) /* counts nothing, and other launches may be running it */
        return true;
    uint64_t bytes = move_chunks(p, CHUNK_NOT_COUNTED, CHUNK_RESERVED);

    if (!budget_take(p->budget, bytes)) {
        move_chunks(p, CHUNK_RESERVED, CHUNK_NOT_COUNTED);
        return false;
    }
    p->bytes_counted += bytes;
    return true;
}

void isa_program_release(struct isa_program *p)
{
    if (!p->budget)
        return;
    uint64_t bytes = move_chunks(p, CHUNK_RESERVED, CHUNK_NOT_COUNTED);

    budget_give(p->budget, bytes);
    p->bytes_counted -= bytes;
}

size_t isa_program_size(const struct isa_program *p)
{
    return p->size;
}

gaddr_t isa_program_base(const struct isa_program *p)
{
    return p->base;
}

/* i: what comes into the slot. Under the lock. */
static void set_tally(struct isa_program *p, struct isa_inst *i, const struct isa_inst *slot)
{
    unsigned k = 0, room = sizeof p->tallied / sizeof *p->tallied;

    i->tally = i->row->cls;
    if (isa_is_approximate(i)) {
        while (k < room && p->tallied[k] && !isa_same_rows(i, p->tallied[k]))
            k++;
        if (k < room && !p->tallied[k])
            p->tallied[k] = slot;
        i->tally = (uint8_t)(k < room ? ISA_TALLY_ROWS + (int)k : ISA_TALLY_APPROXIMATE + i->row->cls);
    }
    if (i->quick_kind > QUICK_PAIR)
        i->u.quick.tally = i->tally;
}
_Static_assert((int)ISA_TALLIES <= 256, "a tally is a byte");

/* Makes the unit that begins at an entry of the program, or finds that none is worth it: one instruction, no room. */
static const struct isa_unit *make_unit(struct isa_program *p, struct isa_inst *slot, const struct isa_wave *w)
{
    pthread_mutex_lock(&p->decoding);
    struct isa_unit *u = slot->unit;
    size_t room = p->units_room - p->units_used, k = (size_t)(slot - p->insts);

    if (!u && room >= sizeof *u + UNIT_MIN_OPS * sizeof *u->op) {
        u = (struct isa_unit *)(p->units + p->units_used);
        unsigned ops = isa_unit_make(p->target, slot, p->insts + p->size / 4, p->base + k * 4, w, u,
                                     (room - sizeof *u) / sizeof *u->op);
        if (u->instructions > 1) {
            p->units_used += sizeof *u + ops * sizeof *u->op;
            __atomic_store_n(&slot->unit, u, __ATOMIC_RELEASE);
        } else {
            u = NULL;
        }
    }
    pthread_mutex_unlock(&p->decoding);
    return u;
}

/* The unit that begins at i, an entry of the program, if there is one; made now if it is time. */
static inline const struct isa_unit *unit_at(struct isa_program *p, const struct isa_inst *i, const struct isa_wave *w)
{
    const struct isa_unit *u = __atomic_load_n(&i->unit, __ATOMIC_ACQUIRE);

    if (__builtin_expect(u != NULL, 1))
        return u;
    uint8_t *reached = &p->insts[i - p->insts].reached, n = __atomic_load_n(reached, __ATOMIC_RELAXED);

    if (n > UNIT_WORTH) /* none was made */
        return NULL;
    __atomic_store_n(reached, (uint8_t)(n + 1), __ATOMIC_RELAXED);
    return n == UNIT_WORTH ? make_unit(p, &p->insts[i - p->insts], w) : NULL;
}

static const struct isa_inst *decode_entry(struct isa_program *p, size_t k)
{
    struct isa_inst *slot = &p->insts[k], fresh;

    pthread_mutex_lock(&p->decoding);
    bool room = count_chunk(p, k);
    pthread_mutex_unlock(&p->decoding);
    if (!room)
        return &p->refused;
    isa_decode_any(p->target, p->bytes + k * 4, p->size - k * 4, &fresh, NULL);
    isa_prepare(p->target, &fresh);
    if (fresh.row && isa_late_is(p->target, &fresh, p->bytes + k * 4, p->size - k * 4))
        fresh.exec = isa_late_exec;
    isa_exec *exec = fresh.row ? fresh.exec : format_unsupported(fresh.format) ? exec_unsupported : exec_illegal;
    fresh.exec = NULL;
    if (!fresh.row)
        fresh.size_bytes = 4;
    pthread_mutex_lock(&p->decoding);
    if (!slot->exec) { /* another thread may have been here first */
        if (fresh.row)
            set_tally(p, &fresh, slot);
        /* everything but exec first, then exec as the sign that the rest is there */
        memcpy((char *)slot + sizeof slot->exec, (const char *)&fresh + sizeof slot->exec,
               sizeof *slot - sizeof slot->exec);
        __atomic_store_n(&slot->exec, exec, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&p->decoding);
    return slot;
}
_Static_assert(offsetof(struct isa_inst, exec) == 0, "decode_entry publishes exec last");

static inline const struct isa_inst *program_at(struct isa_program *p, gaddr_t pc)
{
    uint64_t off = pc - p->base;

    if (__builtin_expect(off >= p->size - 3 || (off & 3), 0))
        return NULL;
    struct isa_inst *slot = &p->insts[off >> 2];
    if (__builtin_expect(!__atomic_load_n(&slot->exec, __ATOMIC_ACQUIRE), 0))
        return decode_entry(p, off >> 2);
    return slot;
}

const struct isa_inst *isa_program_at(struct isa_program *p, gaddr_t pc)
{
    return program_at(p, pc);
}

const struct isa_inst *isa_program_tallied(const struct isa_program *p, unsigned tally)
{
    return p->tallied[tally - ISA_TALLY_ROWS];
}

static enum isa_status bad_pc(struct isa_wave *w)
{
    w->inst_pc = w->pc;
    return (enum isa_status)isa_fault(w, FAULT_PC, -1, w->pc, 4, false, "the program counter left the code");
}

const struct isa_inst *isa_inst_raised(const struct isa_target *t, const struct isa_inst *i, unsigned msb,
                                       struct isa_inst *moved)
{
    if (!msb || !i || !i->row || i->format < FMT_VOP1)
        return i;
    isa_raise_vgprs(t, i, msb, moved);
    return moved;
}

/* MODE.VSKIP (gfx8, gfx9): vector instructions of every kind pass without effect. MODE.VGPR_MSB (gfx1250): they name
 * registers past v255. */
static int exec_special(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    struct isa_inst moved;

    if (w->special & SPECIAL_COPIES && isa_lds_copies_before(w, i, env))
        return ISA_FAULT;
    if (w->special & SPECIAL_LATE)
        isa_late_before(w, i);
    if ((w->special & SPECIAL_VSKIP) && i->row && i->format >= FMT_VOP1)
        return ISA_OK;
    i = isa_inst_raised(w->target, i, w->vgpr_msb, &moved);
    return i->exec(w, i, env, fx);
}

static inline int execute(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                          struct isa_effects *fx)
{
    if (__builtin_expect(w->special & (SPECIAL_VSKIP | SPECIAL_MSB | SPECIAL_IN_FLIGHT), 0))
        return exec_special(w, i, env, fx);
    return i->exec(w, i, env, fx);
}

/* An instruction has been executed after which the next one stands at `next`. */
static void note_jump(struct isa_visits *v, const struct isa_wave *w, gaddr_t next, int status)
{
    if (status == ISA_FAULT || (w->pc == next && status != ISA_END))
        return;
    isa_visits_left(v, next, 1);
    if (status != ISA_END)
        isa_visits_came(v, w->pc, 1);
}

/* A unit has been run so many times; all but the last time it went back to its beginning. */
static void note_unit(struct isa_visits *v, const struct isa_wave *w, const struct isa_unit *u, uint64_t times)
{
    gaddr_t end = u->pc + u->bytes;

    if (times > 1) {
        isa_visits_left(v, end, times - 1);
        isa_visits_came(v, u->pc, times - 1);
    }
    note_jump(v, w, end, ISA_OK);
}

enum isa_status isa_step(struct isa_wave *w, const struct isa_inst *inst, const struct isa_env *env,
                         struct isa_effects *fx)
{
    if (fx)
        isa_effects_clear(fx);
    w->inst_pc = w->pc;
    w->pc += inst->size_bytes;
    if (isa_quick_ready(w, inst)) {
        isa_quick_run(w, inst);
        return ISA_OK;
    }
    gaddr_t next = w->pc;
    int st = execute(w, inst, env, fx);
    if (__builtin_expect(env->visits != NULL, 0))
        note_jump(env->visits, w, next, st);
    if (fx)
        fx->branch_taken = w->pc != next;
    return (enum isa_status)st;
}

/* What stands after i, which has been executed and did not branch. */
static inline const struct isa_inst *behind(struct isa_program *p, const struct isa_inst *i, gaddr_t pc)
{
    const struct isa_inst *next = isa_quick_next(i);

    if (__builtin_expect(__atomic_load_n(&next->exec, __ATOMIC_ACQUIRE) != NULL, 1))
        return next;
    return program_at(p, pc);
}

/* The end of a stretch of n instructions. */
static inline enum isa_status ended(uint64_t *done, uint64_t n, int status)
{
    *done = n;
    return (enum isa_status)status;
}

static enum isa_status run(struct isa_wave *w, struct isa_program *p, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *tally)
{
    const struct isa_inst *i = program_at(p, w->pc);
    uint64_t n = 0;

    while (n < limit) {
        if (__builtin_expect(!i, 0))
            return ended(done, n, bad_pc(w));
        if (i->quick_kind != QUICK_NOT) {
            uint64_t left = limit - n;
            const struct isa_unit *u = unit_at(p, i, w);
            if (u && isa_unit_ready(u, w, left)) {
                uint64_t some = isa_unit_run(u, w, left, tally);
                if (__builtin_expect(env->visits != NULL, 0))
                    note_unit(env->visits, w, u, some / u->instructions);
                n += some;
                i = n < limit ? program_at(p, w->pc) : NULL;
                continue;
            }
            if (i->quick_kind > QUICK_PAIR) { /* others stand in units alone */
                i = w->target->variant->quick_many(w, i, &left, tally);
                n = limit - left;
                if (!left)
                    break;
                if (__builtin_expect(!__atomic_load_n(&i->exec, __ATOMIC_ACQUIRE), 0))
                    i = program_at(p, w->pc);
                if (!i)
                    continue;
                if (isa_quick_ready(w, i)) /* decoded just now */
                    continue;
            }
        }
        if (__builtin_expect(isa_lds_turn_ends(w, i), 0))
            return ended(done, n, ISA_TURN);
        gaddr_t next = w->pc + i->size_bytes;
        w->inst_pc = w->pc;
        w->pc = next;
        int st = execute(w, i, env, NULL);
        if (__builtin_expect(st == ISA_FAULT, 0))
            return ended(done, n, ISA_FAULT);
        if (__builtin_expect(env->visits != NULL, 0))
            note_jump(env->visits, w, next, st);
        tally[i->tally]++;
        n++;
        if (__builtin_expect(w->special & SPECIAL_COPIES, 0))
            isa_lds_copies_stamp(w, n);
        if (__builtin_expect(st, 0))
            return ended(done, n, st);
        if (n == limit)
            break;
        /* a branch here, so that the host goes on before it knows the pc */
        i = __builtin_expect(w->pc == next, 1) ? behind(p, i, next) : program_at(p, w->pc);
    }
    return ended(done, n, ISA_LIMIT);
}

enum isa_status isa_run(struct isa_wave *w, struct isa_program *p, const struct isa_env *env, uint64_t limit,
                        uint64_t *done, uint64_t *tally)
{
    uint64_t unwanted[ISA_TALLIES];

    enum isa_status status = run(w, p, env, limit, done, tally ? tally : unwanted);
    if (w->lds_order)
        w->lds_order->executed += *done;
    return status;
}
