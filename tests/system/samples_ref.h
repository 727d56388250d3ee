/* The sample kernels (traces/samples) as plain C: what their launch files must write.
 *
 * Each reference computes the output bytes from the committed inputs with the operations of the kernel in the
 * kernel's order, rounding where the kernel rounds, so that the comparison is bit for bit. The one exception is
 * softmax: v_exp_f32 is only good to 1 ULP, so its case states a relative tolerance.
 *
 * The sizes and scalars of the launches are repeated here, not read from the launch files: a launch that is changed
 * alone makes its test fail.
 */
#ifndef SAMPLES_REF_H
#define SAMPLES_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SAMPLE_GFX803 = 1,
    SAMPLE_GFX90A = 2,
    SAMPLE_GFX1201 = 4,
    SAMPLE_ALL = 7,

    SAMPLE_MAX_OUTPUTS = 3,
    SAMPLE_F32_COUNT = 2048,
    SAMPLE_U32_COUNT = 6144,
    SAMPLE_U8_COUNT = 10000,
    SAMPLE_F16_COUNT = 1024,
};

/* The files of traces/samples/data. */
struct sample_inputs {
    float f32_a[SAMPLE_F32_COUNT], f32_b[SAMPLE_F32_COUNT];
    uint32_t u32[SAMPLE_U32_COUNT];
    uint8_t bytes[SAMPLE_U8_COUNT];
    uint16_t f16_a[SAMPLE_F16_COUNT], f16_b[SAMPLE_F16_COUNT];
};

struct sample_output {
    const char *file; /* name under traces/samples/out */
    size_t bytes;
};

struct sample_case {
    const char *name; /* launch file traces/samples/TARGET/NAME.json */
    const char *code; /* code object traces/samples/TARGET/CODE.co */
    const char *kernel;
    unsigned targets; /* SAMPLE_* bits */
    bool has_o0;      /* CODE.O0.co is there too */
    bool has_w64;     /* NAME.w64.json and CODE.w64.co are there for gfx1201 */
    unsigned grid[3], workgroup[3];
    struct sample_output outputs[SAMPLE_MAX_OUTPUTS]; /* ends at a null file */
    double relative_tolerance;                        /* 0: bit for bit; else the outputs are f32 */
    /* Fills out[k] (outputs[k].bytes each, zeroed by the caller). */
    void (*reference)(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS]);
};

extern const struct sample_case sample_cases[];
extern const size_t sample_case_count;

/* Reads the inputs from `dir`. Returns null, or the name of the file that is missing or has the wrong size. */
const char *sample_inputs_read(struct sample_inputs *in, const char *dir);

/* IEEE binary16 sum, rounded to nearest even, subnormals kept. Neither operand is infinite or NaN. */
uint16_t sample_f16_add(uint16_t a, uint16_t b);

#endif
