/* replay: how far the timing engine's issue is from hardware's, on a folder of decoded SQ thread traces.
 *
 * A folder holds TARGET-KERNEL-HASH.CAPTURE.json (one dispatch) and TARGET-KERNEL-HASH.co (the code it ran). A JSON
 * holds: workgroups, workgroup_size, buffers_elements (kernarg: one 64-bit pointer each), and for each shader engine
 * shader_clock_mhz (may be null; runs are at that clock where it is below the profile's), wave_spans (place, start and
 * end of every wave) and waves (those whose instructions were traced, with the cycle of each issue). For waits, s_nop
 * and s_sleep the cycle is that of their end.
 *
 * Four measures:
 *   1. issue distances: each traced wave runs from its measured first issue with its memory waits ending as measured,
 *      beside all other waves of its WGP; every other distance between two of its issues is compared;
 *   2. core cycles of a wave: the sum of the compared distances;
 *   3. period of loops: median distance between visits of the target of a backward branch;
 *   4. total cycles: the kernel run free, against the longest time from first wave start to last wave end of a shader
 *      engine;
 *   5. life of a wave: each traced wave starts when and where it was recorded, beside all other waves of its WGP, and
 * is free from then on. Its time from start to end, and where that goes: until the first issue, in issuing, in waits
 *      for scalar memory, for vector memory and for others, from the last issue to the end.
 * All runs of a dispatch begin on a device on which the dispatches of its capture before it have run whose files are in
 * the folder, so that pages and caches are as they left them.
 *
 * Beside 1 stands what hardware does against itself in another capture of the same code. With a split of the kernels
 * into halves (tests/timing/replay_split.txt) a table gives the figures of what was looked at and of what was held out.
 */
#ifndef GCNSIM_TESTS_TIMING_REPLAY_H
#define GCNSIM_TESTS_TIMING_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/bits.h"
#include "sim/util/error.h"
#include "sim/util/vocab.h"

#define TRACE_NO_PC       UINT64_MAX
#define TRACE_LOST_CYCLES 1000000 /* no instruction takes as long: packets of the recording were lost */

enum trace_class {
    TRACE_VALU,
    TRACE_VOPD,
    TRACE_TRANS,
    TRACE_MATRIX,
    TRACE_SALU,
    TRACE_SMEM,
    TRACE_VMEM,
    TRACE_LDS,
    TRACE_BRANCH,
    TRACE_MSG,
    TRACE_IMM,
    TRACE_BARRIER,
    TRACE_WAIT,
    TRACE_ENDPGM,
    TRACE_OTHER,
    TRACE_CLASSES
};
extern const char *const trace_class_name[TRACE_CLASSES];

struct trace_event {
    uint64_t pc; /* from the entry of the kernel; TRACE_NO_PC: not known */
    cycle_t at;
    enum trace_class cls;
    bool ends; /* `at` is its end, not its issue */
    char text[40];
};

struct trace_span {
    uint32_t cu, simd, slot;
    cycle_t start, end;
};

struct trace_wave {
    struct trace_span span;
    struct trace_event *event;
    size_t count;
};

struct trace_engine {
    uint32_t se;
    struct trace_span *span;
    size_t spans;
    struct trace_wave *wave;
    size_t waves;
};

struct trace {
    char target[24], kernel[64], code[256], capture[128];
    uint64_t entry_offset;
    uint32_t workgroups[3], workgroup_size[3];
    uint64_t buffer_elements[32];
    size_t buffers;
    uint32_t resolution;     /* cycles between two values a clock can have */
    double clock_mhz;        /* of the shaders, of the first engine that says; 0: none does */
    uint64_t entry, kernarg; /* their addresses in the recording; 0: not known */
    struct trace_engine *engine;
    size_t engines;
};

/* replay_trace.c. Null with *e when the file cannot be read or is no trace. Free with trace_free(). */
struct trace *replay_trace_open(const char *path, struct err *e);
void trace_free(struct trace *t);

/* ---- replay_capture.c: dispatches that were recorded one after the other ---- */

#define REPLAY_MAX_BEFORE 8

/* Those of a capture that came before one of it, in their order. */
struct replay_before {
    struct trace *trace[REPLAY_MAX_BEFORE];
    size_t count;
};
/* Finds those before t, whose file is `name` of the folder; names: all of it. What cannot be read is left out. */
void replay_before_open(struct replay_before *b, const struct trace *t, const char *folder, const char *name,
                        char *const *names, size_t count);
void replay_before_close(struct replay_before *b);

/* ---- replay_kernel.c, replay_run.c: the simulated side ---- */

/* One issue. */
struct run_event {
    uint64_t pc; /* from the entry */
    cycle_t at, end;
};

struct run_wave {
    struct run_event *event;
    size_t count, room;
    cycle_t end; /* it leaves its slot; 0: it did not */
};

struct replay_kernel; /* a code object loaded for a target and its profile */

/* Runs of it begin on a device on which the dispatches before have run. folder: of the code objects. */
struct replay_kernel *replay_kernel_open(const struct trace *t, const struct replay_before *before, const char *folder,
                                         const char *const *sets, size_t set_count, struct err *e);
void replay_kernel_close(struct replay_kernel *k);

/* Runs the waves of shader engine n's traced WGP as recorded. out[i]: of wave i of the trace; free with
 * run_waves_free(). walked: the code could not be executed and was walked along the recorded path. */
int replay_forced(struct replay_kernel *k, const struct trace *t, size_t n, bool warm, struct run_wave **out,
                  bool *walked, struct err *e);
void run_waves_free(struct run_wave *w, size_t count);

/* The same waves, which start as recorded and are free from then on, or go from pc to pc as recorded. *fault: the code
 * could not be executed. */
int replay_lives(struct replay_kernel *k, const struct trace *t, size_t n, bool walk, struct run_wave **out,
                 bool *fault, struct err *e);

/* The whole dispatch, free. *cycles: 0 when it ends in a fault. */
int replay_free_run(struct replay_kernel *k, cycle_t *cycles, struct err *e);

/* ---- replay_state.c: the profile as the recording's chip and runtime were; -1 with *problem ---- */

struct gcnsim;
struct gcnsim_error;

/* The recorded clock of the shaders. */
int replay_clock(struct gcnsim *sim, const struct trace *t, struct gcnsim_error *problem);

/* The runtime of the recordings leaves MODE.SCALAR_PREFETCH_EN clear, and places what the kernel writes after its
 * code. Where a line of 8 translations of 4 KB begins there, neither the code nor what lies before it has brought
 * that line. */
int replay_runtime(struct gcnsim *sim, const struct trace *t, struct gcnsim_error *problem);

/* Whether the UTCL2 has the page of the code because its line of 8 translations of 4 KB also has pages of the
 * runtime's, which lie at the beginning of a region of 16 MB and which copy engines use through it. */
bool replay_beside_runtime(const struct gcnsim *sim, const struct trace *t);

/* Whether the driver of the recording maps memory between two dispatches, for which it invalidates the TLBs: the one
 * that a process of its own drives the chip with places all memory from 2^45 on and loads the code of a kernel when it
 * is first needed. That of the kernel translates pages of the size that it maps, and of small allocations invalidates
 * none. */
bool replay_maps(const struct trace *t);

/* Whether the code of two dispatches lies in a line of 8 translations of 4 KB. */
bool replay_same_translations(const struct trace *a, const struct trace *b);

/* ---- replay_score.c ---- */

struct errors {
    int64_t *value; /* simulated - measured */
    size_t count, room;
};

struct score {
    struct errors distance[TRACE_CLASSES], all;
    double *core; /* relative errors of waves' core cycles */
    size_t cores, core_room;
    double *period; /* of loops */
    size_t periods, period_room;
    size_t unmatched; /* recorded issues the simulated wave never came to */
};

void score_free(struct score *s);
void errors_add(struct errors *e, int64_t value);
void score_add(struct score *to, const struct score *from);
/* Compares a wave; verbose: prints each distance. grain: the recording knows multiples of so many cycles alone, and
 * simulated cycles are brought down to such ones before distances are taken. */
void score_wave(struct score *s, const struct trace_wave *w, const struct run_wave *r, cycle_t grain, FILE *verbose);
/* The same of two recorded waves; false when they did not run the same instructions. */
bool score_repeat(struct score *s, const struct trace_wave *a, const struct trace_wave *b);

/* The simulated cycle of each recorded event; CYCLE_NEVER: the wave never came to it, which is counted. malloc'd. */
cycle_t *score_match(const struct trace_wave *w, const struct run_wave *r, cycle_t grain, size_t *unmatched);

struct summary {
    size_t count;
    double exact, median, mean, p90; /* of absolute errors */
    double bias;                     /* mean error */
};
struct summary errors_summary(const struct errors *e);
double median_of(double *v, size_t count);
double mean_abs(const double *v, size_t count);

/* ---- replay_life.c ---- */

enum life_phase { LIFE_FIRST, LIFE_ISSUE, LIFE_SMEM, LIFE_VMEM, LIFE_OTHER, LIFE_TAIL, LIFE_PHASES };
extern const char *const life_phase_name[LIFE_PHASES];

/* Lives of a kernel's waves: sums over waves of both sides, and the relative error of each. */
struct lives {
    double hardware[LIFE_PHASES], model[LIFE_PHASES];
    double *error;
    size_t waves, room;
};
void lives_free(struct lives *l);
/* r: as replay_lives() gives it. A wave that did not end, or whose recording lost time, is left out. */
void lives_add_wave(struct lives *l, const struct trace_wave *w, const struct run_wave *r);
void lives_add(struct lives *to, const struct lives *from);

/* ---- replay.c: what is known of a kernel ---- */

/* All captures of one code object. */
struct kernel {
    char key[256];
    char target[24];
    char half; /* of the split; SPLIT_UNKNOWN: none is given, or it does not say */
    struct score model, hardware;
    double *total; /* relative errors of total cycles */
    size_t totals, total_room;
    struct lives lives;
    size_t captures, waves;
    uint32_t grain; /* cycles between two values the clock of its recordings can have */
    bool walked;
    struct trace *last; /* for comparing captures with one another */
};

/* ---- replay_split.c: halves of the traces ---- */

#define SPLIT_MAX     512
#define SPLIT_UNKNOWN '?'

struct split {
    char kernel[SPLIT_MAX][128], half[SPLIT_MAX];
    size_t count;
};
/* A file with a line for each kernel: its name (TARGET-KERNEL-HASH), A or B, and why. -1 with *e. */
int split_read(struct split *s, const char *path, struct err *e);
/* 'A', 'B' or SPLIT_UNKNOWN. code: name of a code object, with or without ".co". */
char split_half(const struct split *s, const char *code);
/* The figures of each target and half. */
void split_print(FILE *f, const struct kernel *kernels, size_t count);

#endif
