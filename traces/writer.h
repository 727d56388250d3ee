/* What a trace writer is, and what it knows of a run beside its events: a `struct trace_job`, which says where to
 * write, which part of the run is wanted, the chip's places, and the code. A writer asks for the code as far as waves
 * come to it.
 */
#ifndef GCNSIM_TRACES_WRITER_H
#define GCNSIM_TRACES_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/util/error.h"
#include "sim/util/event.h"

/* ---- the chip ---- */

/* Where a compute unit of the stream (event.cu) is. */
struct trace_place {
    uint16_t die, engine; /* numbered through the chip */
    uint16_t unit;        /* CU (GCN, CDNA) or WGP (RDNA), in its shader engine */
    uint8_t part;         /* CU in the WGP */
};

struct trace_chip {
    const char *target; /* processor */
    const char *name;   /* of the chip */
    uint32_t gfx;       /* major version: 8 .. 12 */
    double clock_mhz;   /* of the shader */
    uint32_t cus, cus_per_unit, engines, dies;
    uint32_t simds, slots; /* of a CU; of a SIMD */
    const struct trace_place *place;
    uint32_t places; /* numbers that event.cu may have; those after `cus` in number are holes */
};

/* ---- the code ---- */

enum trace_inst_kind {
    TRACE_INST_OTHER, /* waits, s_nop, barriers, s_endpgm: no unit executes it */
    TRACE_INST_SALU,
    TRACE_INST_VALU, /* matrix instructions included */
    TRACE_INST_SMEM,
    TRACE_INST_VMEM,
    TRACE_INST_FLAT, /* may access memory and LDS */
    TRACE_INST_LDS,
    TRACE_INST_BRANCH,
    TRACE_INST_MESSAGE,
};

struct trace_inst {
    const char *text;      /* borrowed until the next question; likewise: */
    const char *source;    /* "file:line", after it " -> file:line" of the call of each inlined function; null: none */
    uint32_t size;         /* bytes, never 0 */
    uint8_t kind;          /* enum trace_inst_kind */
    uint16_t raises;       /* counters that it raises, 1 << enum wait_counter */
    uint16_t out_of_order; /* of these, those of which it may come down before earlier instructions do */
    uint8_t wait[WAIT_COUNT]; /* it waits until the counter is down at this value; TRACE_NO_WAIT: not */
};
#define TRACE_NO_WAIT 0xff

struct trace_function {
    gaddr_t entry;         /* device address of its first instruction */
    uint64_t size;         /* bytes */
    const char *name;      /* as in the symbol table; borrowed until the next question; likewise: */
    const char *demangled; /* the same as name when it is not mangled */
    bool kernel;
};

/* Answers about code by device address. */
struct trace_code {
    void *ctx;
    /* The function that pc is in; false: in none that is known. */
    bool (*function)(void *ctx, gaddr_t pc, struct trace_function *f);
    /* The instruction at pc; false: there is none. */
    bool (*instruction)(void *ctx, gaddr_t pc, struct trace_inst *i);
};

/* ---- the job ---- */

/* Which part of a run is wanted. All zero is the writer's own choice. */
struct trace_choice {
    bool all_units;
    const uint32_t *unit; /* numbers of CUs or WGPs in their shader engine, of every engine */
    size_t units;
    cycle_t from, to; /* cycles [from, to); to 0: up to the end */
    uint64_t waves;   /* at most so many; 0: the writer's own bound */
    bool no_sources;  /* source files are not copied */
};

struct trace_job {
    const char *path;
    gaddr_t load_base; /* pc - load_base + base_vaddr is the offset disassemblies show */
    gaddr_t base_vaddr;
    const char *kernel;            /* name in the symbol table */
    gaddr_t entry;                 /* of the kernel */
    uint64_t dispatch, agent;      /* numbers, for names of folders */
    uint32_t grid[3];              /* work-items */
    uint32_t workgroup[3];         /* likewise */
    uint32_t lanes;                /* of a wave */
    const char *generator;         /* "gcnsim 0.1.0" */
    const char *command_line;      /* null: not known */
    const struct trace_chip *chip; /* null: not known, which only writers of plain tables take */
    const struct trace_code *code; /* likewise */
    struct trace_choice choice;
};

/* ---- writers ---- */

struct trace_writer {
    const char *format; /* its name on the command line */
    const char *about;  /* one line of help */
    uint32_t kinds;
    bool folder; /* it writes into a folder, which others may write into as well */
    /* The job, and all it points to, outlives the writer. Non-zero with *e; *state is then not used. */
    int (*open)(void **state, const struct trace_job *job, struct err *e);
    void (*take)(void *state, const struct event *e, size_t count);
    /* Ends *state. keep: what was written gets its name, else it is thrown away. Non-zero with *e when not everything
     * could be written. */
    int (*close)(void *state, bool keep, struct err *e);
};

#endif
