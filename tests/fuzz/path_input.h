/* The input of fuzz_path: a code object or bundle, and after it how to launch it.
 *
 * The launch is a trailer of PATH_TRAILER_BYTES that ends with PATH_MAGIC. It stands at the end, so that any code
 * object is an input as it is: without a trailer, path_split() gives the launch that path_defaults() describes. No
 * value of the trailer can ask for much work: path_split() brings sizes and limits into bounds that a run of a few
 * milliseconds stays in.
 */
#ifndef GCNSIM_TESTS_FUZZ_PATH_INPUT_H
#define GCNSIM_TESTS_FUZZ_PATH_INPUT_H

#include <stdint.h>
#include <string.h>

#define PATH_MAGIC "gcnpath1"

enum {
    PATH_TRAILER_BYTES = 64,
    PATH_MAX_INSTRUCTIONS = 4096,
    PATH_MAX_CYCLES = 1 << 16,
    PATH_MAX_THREADS = 4,
    PATH_BUFFER_BYTES = 4096,
};

/* What a run does besides; bits of path_launch.flags. */
enum path_flags {
    PATH_CHECK = 1 << 0,         /* the functional run again with checks: they change nothing */
    PATH_AGAIN = 1 << 1,         /* the timing run again: the same report */
    PATH_TICK = 1 << 2,          /* the timing run again, every cycle ticked: the same counts */
    PATH_PERFECT = 1 << 3,       /* perfect memory */
    PATH_RAW = 1 << 4,           /* the code once more as a raw launch, in memory of exactly its size */
    PATH_ANY_PROFILE = 1 << 5,   /* the profile need not be of the code's target */
    PATH_OCCUPANCY = 1 << 6,     /* ask for the occupancy of every kernel */
    PATH_LIMIT_CYCLES = 1 << 7,  /* max_cycles counts */
    PATH_WANT_TARGET = 1 << 8,   /* open it for the profile's target */
    PATH_SECOND_LAUNCH = 1 << 9, /* launch twice in one simulator */
    PATH_SET_FIGURE = 1 << 10,   /* another value for a figure of the profile */
    PATH_WHOLE_CHIP = 1 << 11, /* all CUs and caches of the profile; otherwise a small part of them, which is quicker */
    PATH_TRACE = 1 << 12,      /* write the timing run's trace */
    PATH_STOP = 1 << 13,       /* the progress callback stops the run */
    PATH_WRAP = 1 << 14,       /* make a loop of the code, as for a comparison */
    PATH_SNAPSHOT = 1 << 15,   /* look at who is resident during a repeated run: it changes nothing */
};

enum path_args { PATH_ARGS_SPECS, PATH_ARGS_BYTES, PATH_ARGS_NONE, PATH_ARGS_WRONG, PATH_ARGS_KINDS };

struct path_launch {
    uint32_t grid[3];
    uint32_t dynamic_lds, private_bytes;
    uint32_t value_seed; /* of arguments by value and of the buffers' contents */
    uint32_t figure_value;
    uint16_t workgroup[3];
    uint16_t flags;
    uint16_t max_instructions, max_cycles;
    uint16_t figure; /* number of a figure of the profile */
    uint8_t kernel, threads, profile, args;
    uint8_t spare[10];
    uint8_t magic[8];
};

_Static_assert(sizeof(struct path_launch) == PATH_TRAILER_BYTES, "the trailer is the struct");

static inline struct path_launch path_defaults(void)
{
    struct path_launch p = {.grid = {64, 1, 1}, .workgroup = {64, 1, 1}, .flags = PATH_CHECK | PATH_OCCUPANCY};

    p.max_instructions = PATH_MAX_INSTRUCTIONS - 1;
    p.threads = 1;
    memcpy(p.magic, PATH_MAGIC, sizeof p.magic);
    return p;
}

/* Takes the trailer off. Returns the size of what is before it. */
static inline size_t path_split(const uint8_t *data, size_t size, struct path_launch *p)
{
    *p = path_defaults();
    if (size < PATH_TRAILER_BYTES || memcmp(data + size - 8, PATH_MAGIC, 8) != 0)
        return size;
    memcpy(p, data + size - PATH_TRAILER_BYTES, PATH_TRAILER_BYTES);
    p->max_instructions = (uint16_t)(1 + p->max_instructions % PATH_MAX_INSTRUCTIONS);
    p->threads = (uint8_t)(1 + p->threads % PATH_MAX_THREADS);
    p->args %= PATH_ARGS_KINDS;
    return size - PATH_TRAILER_BYTES;
}

#endif
