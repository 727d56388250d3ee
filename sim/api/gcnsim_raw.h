/* gcnsim: launches of raw code in the caller's address space, and such that overlap. gcnsim.h, which programs include,
includes this header and has the conventions. */
#ifndef GCNSIM_RAW_H
#define GCNSIM_RAW_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- launches of raw code ----------------------------------------------------------------------------------- */

/* A wave has sent a message (s_sendmsg). The wave's earlier stores are visible. Called while the launch runs,
 * never concurrently for one launch, on any of its threads; on the timing engine in the order of simulated time. It may
 * not call the launch's simulator.
 *   ctx: the launch's message_ctx
 *   number: of the message; 1: interrupt
 *   m0: the register
 *   data: of an interrupt the user data, which are M0[7:0] on gfx8 and M0[23:0] later, of others the bits of the
 *     instruction above the number */
typedef void gcnsim_message_fn(void *ctx, uint32_t number, uint32_t m0, uint32_t data);

/* A stretch of the caller's memory that raw code may touch. */
struct gcnsim_range {
    uint64_t address, bytes;
    int writable;
    const char *label; /* for fault reports; may be null */
};

/* Host memory that stands at device addresses which are not its own: `bytes` from `host` on are at `address`. */
struct gcnsim_window {
    uint64_t address, host, bytes;
    int writable;
    const char *label; /* for fault reports; may be null */
};

/* Says what memory is at an address that is in no range that the launch was given: non-zero with *range, of memory that
 * was allocated while it runs. Called from any of the launch's threads, also at the same time.
 *   ctx: the launch's more_ctx or slack_ctx
 *   address: on the device
 *   range: filled in */
typedef int gcnsim_more_fn(void *ctx, uint64_t address, struct gcnsim_window *range);

/* Ranges and windows that many launches share, in order already: a launch with a thousand of them costs what one
 * without does. Immutable, so that any number of simulators may use it at the same time; it must outlive their
 * launches. No ranges: no checking, and windows take the place of the host's memory at their addresses. Otherwise
 * windows may overlap no range, nor one another. The list is copied. */
struct gcnsim_ranges;
/* Puts ranges and windows in order, once for many launches.
 *   out: to be closed with gcnsim_ranges_close()
 *   ranges: copied; none: no checking, and windows take the place of the host's memory at their addresses
 *   range_count: of ranges
 *   windows: copied; where there are ranges they may overlap none of them, nor one another
 *   window_count: of windows */
GCNSIM_API int gcnsim_ranges_open(struct gcnsim_ranges **out, const struct gcnsim_range *ranges, size_t range_count,
                                  const struct gcnsim_window *windows, size_t window_count, struct gcnsim_error *error);

/* Frees ranges, when no launch uses them any more.
 *   ranges: null is fine */
GCNSIM_API void gcnsim_ranges_close(struct gcnsim_ranges *ranges);

/* Code that stays the same from launch to launch, decoded once, as far as waves come. Launches of any simulators may
 * use it, also at the same time; it must outlive them, and so must the bytes at `base`, which is a multiple of 4. The
 * memory of what is decoded counts against no simulator's limit. target: processor name. */
struct gcnsim_raw_code;
/* Makes decoded code of bytes in the caller's memory.
 *   out: to be closed with gcnsim_raw_code_close()
 *   target: processor name
 *   base: address of the bytes, a multiple of 4; they must outlive the code
 *   size: in bytes */
GCNSIM_API int gcnsim_raw_code_open(struct gcnsim_raw_code **out, const char *target, uint64_t base, uint64_t size,
                                    struct gcnsim_error *error);

/* Says that the bytes have changed: everything is decoded, and hashed for reports, anew. No launch may use the code
 * meanwhile.
 *   code: the decoded code */
GCNSIM_API void gcnsim_raw_code_changed(struct gcnsim_raw_code *code);

/* Frees decoded code, when no launch uses it any more.
 *   code: null is fine */
GCNSIM_API void gcnsim_raw_code_close(struct gcnsim_raw_code *code);

/* A code object whose image lies at an address (gcnsim_code_place()). */
struct gcnsim_placed_code {
    size_t struct_bytes; /* set by gcnsim_placed_code_init; see Versions in gcnsim.h */
    const struct gcnsim_code *object;
    uint64_t address;
};

/* Prepares a placed code object: none.
 *   p: filled in
 *   struct_bytes: sizeof *p of the program */
GCNSIM_API void gcnsim_placed_code_init_sized(struct gcnsim_placed_code *p, size_t struct_bytes);
static inline void gcnsim_placed_code_init(struct gcnsim_placed_code *p)
{
    gcnsim_placed_code_init_sized(p, sizeof *p);
}

/* What the command processor reads when it starts a kernel from a packet: gcnsim_raw_set_kernel(). */
struct gcnsim_raw_kernel {
    size_t struct_bytes;         /* set by gcnsim_raw_kernel_init; see Versions in gcnsim.h */
    const void *descriptor;      /* its 64 bytes; of code object v2, 256 bytes of amd_kernel_code_t */
    uint64_t descriptor_address; /* that the entry is relative to */
    /* Device addresses and numbers that kernels find in user SGPRs; of a queue that is not there 0 will do. */
    uint64_t dispatch_ptr, queue_ptr, kernarg_address, dispatch_id;
    uint32_t private_segment_bytes, group_segment_bytes; /* of the packet; at least the descriptor's are taken */
    uint32_t code_object_version;                        /* 2 for v2; 0 is any later one */
};

/* Prepares a kernel of a packet: all zero.
 *   k: filled in
 *   struct_bytes: sizeof *k of the program */
GCNSIM_API void gcnsim_raw_kernel_init_sized(struct gcnsim_raw_kernel *k, size_t struct_bytes);
static inline void gcnsim_raw_kernel_init(struct gcnsim_raw_kernel *k)
{
    gcnsim_raw_kernel_init_sized(k, sizeof *k);
}

/* Raw code in the caller's address space: the device address of what the caller owns (code, kernarg, buffers, scratch)
 * is its host address. Caches, DRAM channels and TLBs go by addresses, so cycles are the same from run to run when
 * these addresses are (mmap at fixed ones, for example); results never depend on them unless the code computes with
 * them. Memory that gcnsim brings (scratch) has fixed device addresses from 0x800000000000 on, past the user addresses
 * of x86-64. */
struct gcnsim_raw {
    size_t struct_bytes; /* set by gcnsim_raw_init; see Versions in gcnsim.h */
    const char *target;  /* processor name */
    enum gcnsim_engine engine;
    uint64_t entry;                /* address of the first instruction, a multiple of 4 */
    uint64_t code_base, code_size; /* readable code bytes around entry; base a multiple of 4. code_base 0: from entry */
    uint32_t workgroups[3];
    uint32_t workgroup_size[3];
    uint32_t wave_size;                                               /* 32 or 64 */
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3; /* for this target, as in a kernel descriptor */
    const uint32_t *user_sgprs; /* s0.. as the command processor would set them; at most as many as RSRC2 says,
                                   the rest are 0 */
    uint32_t user_sgpr_count;
    uint64_t kernarg_address; /* put in s[0:1] when user_sgprs is null; otherwise only named in reports */
    uint32_t lds_bytes;       /* all LDS of a workgroup */
    uint32_t scratch_bytes_per_lane;
    /* Memory for scratch: waves use slots of wave_size * scratch_bytes_per_lane rounded up to 1024 bytes, swizzled as
     * the hardware does. scratch_size 0 with a base: room for every wave of the launch. Base 0: gcnsim brings it,
     * at a device address that is no host address. */
    uint64_t scratch_base, scratch_size;
    const struct gcnsim_range *ranges; /* valid memory, code and scratch aside, kernarg included; none: no
                                        checking */
    size_t range_count;
    uint32_t threads;
    uint64_t max_instructions, max_cycles; /* 0: none */
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    int tick_every_cycle;
    /* Bases of the 4 GiB windows through which flat addresses reach LDS and scratch, low words 0; 0: gcnsim's own,
     * 0x1000000000000 and 0x2000000000000. */
    uint64_t shared_aperture, private_aperture;
    int check;                    /* as in struct gcnsim_dispatch */
    const char *command_line;     /* likewise */
    volatile int *snapshot_flag;  /* as in struct gcnsim_dispatch */
    gcnsim_snapshot_fn *snapshot; /* likewise */
    void *snapshot_ctx;
    int cold;                           /* likewise */
    enum gcnsim_fence acquire, release; /* likewise */
    const struct gcnsim_raw_code *code; /* holds the entry; null: code_base, code_size. It brings the target, which may
                                           be null then, and is decoded already */
    const struct gcnsim_ranges *range_set; /* valid memory, in place of ranges and windows */
    const struct gcnsim_window *windows;   /* host memory at other device addresses; code is at its own */
    size_t window_count;
    const struct gcnsim_raw_kernel *kernel; /* user SGPRs come from this one in place of user_sgprs and
                                               kernarg_address, and lds_bytes is rounded up as the chip does */
    gcnsim_more_fn *more;                   /* null: ranges are all there is */
    void *more_ctx;
    gcnsim_message_fn *message; /* null: messages go nowhere */
    void *message_ctx;
    uint32_t grid_size[3]; /* work-items, at least a workgroup: the last workgroup of a dimension may be partial. All 0:
                              whole workgroups, as many as `workgroups` says; otherwise `workgroups` is not looked at */
    int cooperative;     /* all workgroups are to be resident at once: GCNSIM_ERROR_UNSUPPORTED, which names the number,
                            when there is no room for them */
    int per_instruction; /* as in struct gcnsim_dispatch; launches of a feed that differ in it do not overlap */
    uint64_t samples;    /* as in struct gcnsim_dispatch */
    const struct gcnsim_att *att; /* likewise; the launch then has the device to itself */
    /* The code object that the code is of, and where its image is (gcnsim_code_place()), which holds the entry: for
     * names of functions, source lines and offsets in results and traces. Null: not known. It must outlive the launch.
     */
    const struct gcnsim_code *object;
    uint64_t object_address;
    const char *kernel_name;                   /* in results and traces; null: "raw" */
    const struct gcnsim_on_timeline *timeline; /* as in struct gcnsim_dispatch; launches of a feed overlap that are on
                                                  the same one */
    gcnsim_progress_facts_fn *progress_facts;  /* as in struct gcnsim_dispatch */
    void *progress_facts_ctx;
    int ignore_lds_races; /* as in struct gcnsim_dispatch */
    int visits; /* as in struct gcnsim_dispatch; launches of a feed that differ in whether they count visits or
                   per instruction do not overlap */
    /* Hardware checks accesses by pages, not to the byte. Asked about one that no range holds to its last byte: answers
     * the memory in whole pages at its address, and the access passes if it lies there. Such accesses are counted, and
     * the first of the lowest workgroup with one is a finding of the rule bounds.page. Null, or with `check`: they are
     * faults. */
    gcnsim_more_fn *slack;
    void *slack_ctx;
    uint32_t cluster_size[3]; /* as in struct gcnsim_dispatch; all 0: no clusters */
    /* With `check`: code objects that lie in the ranges besides `object`: stores into what of them is no variable are
     * findings of the rule bounds.code. They must outlive the launch. */
    const struct gcnsim_placed_code *placed;
    size_t placed_count;
    /* Without `check`, and on the timing engine alone: looks for such stores, and for nothing else; launches of a feed
     * overlap as without it. */
    int check_stores;
    int perfect_memory;         /* as in struct gcnsim_dispatch; the launch then has the device to itself */
    int sample_skip;            /* as in struct gcnsim_dispatch, and */
    uint64_t sample_workgroups; /* likewise; the launch then has the device to itself */
    /* In a feed, the cycle of the device's clock from which nothing but the command processor has kept the launch from
     * beginning: what its queue ran before it has ended, and its packet is there. dispatch.gap_cycles counts from it.
     * 0: not known. */
    uint64_t packet_cycle;
    int sample_loops; /* as in struct gcnsim_dispatch */
};

/* Prepares a raw launch: one workgroup of one work-item on the functional engine, the rest zero.
 *   r: filled in
 *   struct_bytes: sizeof *r of the program */
GCNSIM_API void gcnsim_raw_init_sized(struct gcnsim_raw *r, size_t struct_bytes);
static inline void gcnsim_raw_init(struct gcnsim_raw *r)
{
    gcnsim_raw_init_sized(r, sizeof *r);
}

/* Makes an empty range.
 *   r: filled in */
GCNSIM_API void gcnsim_range_init(struct gcnsim_range *r);

/* Makes a raw launch one of a kernel: sets entry, wave_size, compute_pgm_rsrc1..3, lds_bytes, scratch_bytes_per_lane
 * and `kernel`, for the target of raw->code or raw->target, which must be set before; the rest is left alone. User
 * SGPRs are made when it is known where scratch lies: all that the descriptor enables, in their order (private segment
 * buffer, dispatch, queue and kernarg pointers, dispatch id, flat scratch, private segment size), and preloaded
 * kernarg, which is read from kernarg_address.
 *   raw: the launch
 *   k: must stay as it is until the launch is over */
GCNSIM_API int gcnsim_raw_set_kernel(struct gcnsim_raw *raw, const struct gcnsim_raw_kernel *k,
                                     struct gcnsim_error *error);

/* As gcnsim_launch(), of raw code. Without raw->code, code is decoded anew at each launch, so it may have been changed
 * in between.
 *   sim: whose device
 *   raw: what it points to has to stay during the call
 *   out: as in gcnsim_launch() */
GCNSIM_API int gcnsim_launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                                 struct gcnsim_error *error);

/* ---- launches that overlap ----------------------------------------------------------------------------------- */

/* Raw launches of several queues on the simulator's device, on the timing engine: their workgroups are resident
 * together, share caches and memory, and may wait for one another. A feed is the command processor: it hands launches
 * in and is informed of their ends. Its functions are called on the thread that is in gcnsim_run_feed(), never at the
 * same time, while simulated time stands still. Cycles count the device's shader clock (gcnsim_device_clock()), which
 * goes on where the last launch has left it.
 *
 * Each launch counts for itself what its waves do; caches, translations, memory and fabric are counted from its first
 * cycle to its last whoever used them. A launch that faults, or reaches a limit, while others run loses its waves, and
 * the others go on. A launch with `check` has the device to itself and waits for the others, as later ones do for it.
 */
struct gcnsim_feeding;
#define GCNSIM_FEED_NEVER UINT64_MAX

struct gcnsim_feed {
    size_t struct_bytes; /* set by gcnsim_feed_init; see Versions in gcnsim.h */
    void *ctx;
    /* Called first; when the clock has come to the cycle answered last; when a launch has ended; when *attention is not
     * 0; and when nothing is left to do (idle: no wave can go on by itself). Hands in launches with gcnsim_feed_raw()
     * and answers the cycle in which it wants to be called again at the latest, GCNSIM_FEED_NEVER for the next of the
     * other occasions. The run ends when nothing is in flight, nothing is handed in and the answer is
     * GCNSIM_FEED_NEVER. It may take its time, and may call gcnsim_device_written() and
     * gcnsim_device_copy_gws(). */
    uint64_t (*ask)(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle);
    /* A launch has ended in cycle `now`: last wave, release, launch.after_ns. result is the callee's, to be freed with
     * gcnsim_result_free(); null when the launch could not be run, as *error says. Both are there when a trace of the
     * launch could not be written; otherwise error is null. */
    void (*ended)(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error);
    /* Polled about every hundred cycles, from the thread of the run; any other may set it. `ask` sets it to 0. May be
     * null. */
    const volatile int *attention;
};

/* Prepares a feed: all zero.
 *   f: filled in
 *   struct_bytes: sizeof *f of the program */
GCNSIM_API void gcnsim_feed_init_sized(struct gcnsim_feed *f, size_t struct_bytes);
static inline void gcnsim_feed_init(struct gcnsim_feed *f)
{
    gcnsim_feed_init_sized(f, sizeof *f);
}

/* From `ask` alone: hands in a launch, of the timing engine; `cold` is an error.
 *   to: as given to `ask`
 *   raw: copied; what it points to has to stay as it is until the launch ends
 *   start: cycle of the device's clock in which it begins; one that is over: now
 *   id: for `ended`, which is not called when this fails */
GCNSIM_API int gcnsim_feed_raw(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, uint64_t start, void *id,
                               struct gcnsim_error *error);

/* From `ask` alone: executes a launch at once and without time, on the functional engine and on one host thread. What
 * it accesses comes into the L2s and the MALL of the device as if it had been simulated, in the order of its
 * workgroups, and is written back as raw->release asks for, so that launches after it find there what they would
 * (docs/SAMPLING.md). As of every launch on that engine, per_instruction, samples and tick_every_cycle are not looked
 * at; neither are threads, and acquire, which is about caches nearer to the waves. A launch that waits for one in
 * flight never ends: these stand still.
 *   to: as given to `ask`
 *   raw: of the functional engine; `check`, `cold`, `att` and `timeline` are errors
 *   out: the result, as in gcnsim_launch() */
GCNSIM_API int gcnsim_feed_warm(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                                struct gcnsim_error *error);

/* Runs until a feed has nothing more.
 *   sim: whose device
 *   feed: asked for launches; it has to stay during the call */
GCNSIM_API int gcnsim_run_feed(struct gcnsim *sim, const struct gcnsim_feed *feed, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
