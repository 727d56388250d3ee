/* Kernel dispatch packets: what is wrong with them, the launch that is made of one, its record, and what a queue's
 * callback and the log are given when it has ended. Nothing runs: results are made up here. */
#include "tests/unit/hsa/memory_fixture.h"

#include "sim/hsa/queues/dispatch.h"

static hsa_executable_t executable;
static uint64_t kernel;
static hsa_queue_t *queue;
static struct dispatch_record last;
static unsigned begun, ended;

static bool add(struct queue *q)
{
    (void)q;
    return true;
}

static void note_begin(struct dispatch *d)
{
    (void)d;
    begun++;
}

static void note_end(const struct dispatch *d, const struct dispatch_record *r)
{
    (void)d;
    last = *r;
    ended++;
}

static int start(void **state)
{
    static const struct command_processor own = {.add = add, .remove = add};
    static const struct dispatch_sink to = {note_begin, note_end};

    if (start_runtime(state))
        return 1;
    queues_serve(&own);
    dispatches_report_to(&to);
    executable = new_executable();
    assert_int_equal(load_file(executable, gfx90a, VECADD), 0);
    assert_int_equal(hsa_executable_freeze(executable, NULL), 0);
    kernel = symbol_u64(symbol_of(executable, "vecadd.kd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    return hsa_queue_create(gfx90a, 8, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue) != 0;
}

static struct packet packet_of(unsigned dims, const uint32_t *group, const uint32_t *grid)
{
    hsa_kernel_dispatch_packet_t p = {.setup = (uint16_t)dims,
                                      .workgroup_size_x = (uint16_t)group[0],
                                      .workgroup_size_y = (uint16_t)group[1],
                                      .workgroup_size_z = (uint16_t)group[2],
                                      .grid_size_x = grid[0],
                                      .grid_size_y = grid[1],
                                      .grid_size_z = grid[2],
                                      .kernel_object = kernel};

    return (struct packet){.kind = PACKET_KERNEL, .index = 5, .slot = queue->base_address, .kernel = p};
}

static void wrong_shapes(void **state)
{
    enum { ARGUMENT = HSA_STATUS_ERROR_INVALID_ARGUMENT };
    static const struct {
        unsigned dims;
        uint32_t group[3], grid[3], lds;
        int status;
        const char *why;
    } rows[] = {
        {0, {1, 1, 1}, {1, 1, 1}, 0, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "0 dimensions; expected 1 to 3"},
        {4, {1, 1, 1}, {1, 1, 1}, 0, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "4 dimensions; expected 1 to 3"},
        {1, {1, 2, 1}, {1, 1, 1}, 0, ARGUMENT, "a packet of 1 dimensions has a size in dimension 2"},
        {1, {1, 1, 1}, {1, 2, 1}, 0, ARGUMENT, "a packet of 1 dimensions has a size in dimension 2"},
        {2, {1, 1, 2}, {1, 1, 1}, 0, ARGUMENT, "a packet of 2 dimensions has a size in dimension 3"},
        {1, {0, 1, 1}, {1, 1, 1}, 0, ARGUMENT, "dimension 1 of 1 has a workgroup or grid of size 0"},
        {2, {1, 1, 1}, {1, 0, 1}, 0, ARGUMENT, "dimension 2 of 2 has a workgroup or grid of size 0"},
        {3, {1, 1, 0}, {1, 1, 1}, 0, ARGUMENT, "dimension 3 of 3 has a workgroup or grid of size 0"},
        {1, {1025, 1, 1}, {1025, 1, 1}, 0, ARGUMENT, "a workgroup of 1025 work-items; expected at most 1024"},
        {2, {5, 205, 1}, {5, 205, 1}, 0, ARGUMENT, "a workgroup of 1025 work-items; expected at most 1024"},
        {3, {2, 2, 257}, {9, 9, 9}, 0, ARGUMENT, "a workgroup of 1028 work-items; expected at most 1024"},
        {1,
         {64, 1, 1},
         {64, 1, 1},
         65537,
         HSA_STATUS_ERROR_INVALID_ALLOCATION,
         "65537 bytes of LDS for a workgroup; the device has 65536"},
        {1, {1024, 0, 0}, {5000, 0, 0}, 65536, 0, ""},
        {1, {1, 1, 1}, {1, 1, 1}, 0, 0, ""},
        {3, {8, 8, 16}, {1, 1, 1}, 0, 0, ""},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct packet p = packet_of(rows[k].dims, rows[k].group, rows[k].grid);
        struct dispatch d;
        char why[300] = "";

        p.kernel.group_segment_size = rows[k].lds;
        int status = (int)dispatch_prepare(queue_find(queue), &p, &d, why, sizeof why);
        if (status != rows[k].status || strcmp(why, rows[k].why) != 0)
            fail_msg("row %zu: 0x%x, %s", k, (unsigned)status, why);
        if (!status)
            dispatch_drop(&d);
    }
    assert_int_equal(dispatches_running(), 0);
}

static void wrong_kernels(void **state)
{
    const uint32_t one[] = {1, 1, 1};
    struct packet p = packet_of(1, one, one);
    hsa_queue_t *other;
    struct dispatch d;
    char why[300], want[300];

    (void)state;
    assert_int_equal(hsa_queue_create(gfx1201, 8, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &other), 0);
    snprintf(want, sizeof want, "kernel object 0x%llx is no kernel that is loaded on this agent",
             (unsigned long long)kernel);
    assert_int_equal(dispatch_prepare(queue_find(other), &p, &d, why, sizeof why),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_string_equal(why, want);
    const struct kernel *k = kernel_find(kernel);
    assert_int_equal(k->in->references, 2); /* it is not held */
    kernel_release(k);
    p.kernel.kernel_object++;
    assert_int_equal(dispatch_prepare(queue_find(queue), &p, &d, why, sizeof why),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(hsa_queue_destroy(other), 0);
}

/* What of a packet, its queue and the options is in the launch. */
static void launches(void **state)
{
    static const struct {
        unsigned scope;
        enum gcnsim_fence fence;
    } fences[] = {{0, GCNSIM_FENCE_NONE},
                  {HSA_FENCE_SCOPE_AGENT, GCNSIM_FENCE_AGENT},
                  {HSA_FENCE_SCOPE_SYSTEM, GCNSIM_FENCE_SYSTEM},
                  {3, GCNSIM_FENCE_NONE}};
    struct launch_options *o = &rt_any()->options.common;
    char why[300];

    (void)state;
    for (unsigned k = 0; k < 16; k++) {
        struct packet p = packet_of(2, (const uint32_t[]){8, 4, 1}, (const uint32_t[]){100, 9, 1});
        struct dispatch d;

        p.kernel.header = (uint16_t)(fences[k % 4].scope << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                                     fences[k / 4].scope << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
        p.kernel.private_segment_size = 24;
        p.kernel.group_segment_size = 512;
        p.kernel.kernarg_address = (void *)(uintptr_t)0x1000;
        o->max_cycles = 100 + k;
        o->max_instructions = 200 + k;
        o->ignore_lds_races = k & 1;
        rt_any()->options.slack = k & 1 ? EXEC_SLACK_PAGE : EXEC_SLACK_NONE;
        o->check = k == 3;
        assert_int_equal(dispatch_make(queue_find(queue), &p, &d, why, sizeof why), 0);
        assert_int_equal(dispatches_running(), 1);
        assert_int_equal(d.raw.acquire, fences[k % 4].fence);
        assert_int_equal(d.raw.release, fences[k / 4].fence);
        assert_true(d.raw.grid_size[0] == 100 && d.raw.grid_size[1] == 9 && d.raw.grid_size[2] == 1);
        assert_true(d.raw.workgroup_size[0] == 8 && d.raw.workgroup_size[1] == 4 && d.raw.workgroup_size[2] == 1);
        assert_true(d.raw.max_cycles == 100 + k && d.raw.max_instructions == 200 + k);
        assert_true(d.raw.ignore_lds_races == (int)(k & 1) && (d.raw.slack != NULL) == (k & 1));
        assert_true(d.start.private_segment_bytes == 24 && d.start.group_segment_bytes == 512);
        assert_true(d.start.kernarg_address == 0x1000 && d.start.dispatch_id == 5);
        assert_true(d.start.dispatch_ptr == (uintptr_t)queue->base_address && d.start.queue_ptr == (uintptr_t)queue);
        assert_true(d.start.descriptor_address == kernel && d.raw.range_set == d.ranges->ranges);
        assert_ptr_equal(d.raw.abort_flag, &queue_find(queue)->abort);
        assert_true(d.raw.shared_aperture == QUEUE_SHARED_APERTURE && d.raw.private_aperture == QUEUE_PRIVATE_APERTURE);
        assert_string_equal(d.raw.kernel_name, "vecadd");
        assert_int_equal(d.placed.count, k == 3);
        assert_int_equal(d.raw.placed_count, k == 3);
        assert_int_equal(queue_find(queue)->dispatch[5], d.number);
        dispatch_abandon(&d);
        assert_int_equal(dispatches_running(), 0);
    }
    o->max_cycles = o->max_instructions = 0;
    o->check = o->ignore_lds_races = false;
    rt_any()->options.slack = EXEC_SLACK_NONE;
}

/* Memory that kernels reach beside what was there when they began: to the byte what the program got since; and with
 * slack all of the pages. */
static void memory_of_launches(void **state)
{
    struct packet p = packet_of(1, (const uint32_t[]){1, 1, 1}, (const uint32_t[]){1, 1, 1});
    struct gcnsim_window w = {.address = 77};
    struct dispatch d;
    uint8_t *before, *since;
    char why[300];

    (void)state;
    rt_any()->options.slack = EXEC_SLACK_PAGE;
    assert_int_equal(memory_allocate(pool(gfx90a, POOL_COARSE), 5000, (void **)&before), 0);
    assert_int_equal(dispatch_prepare(queue_find(queue), &p, &d, why, sizeof why), 0);
    assert_int_equal(memory_allocate(pool(gfx90a, POOL_COARSE), 100, (void **)&since), 0);
    assert_int_equal(d.raw.more(d.raw.more_ctx, (uintptr_t)since + 100, &w), 0);
    assert_int_equal(d.raw.more(d.raw.more_ctx, (uintptr_t)&w, &w), 0);
    assert_int_equal(w.address, 77);
    assert_int_equal(d.raw.more(d.raw.more_ctx, (uintptr_t)since + 99, &w), 1);
    assert_true(w.address == (uintptr_t)since && w.host == w.address && w.bytes == 100 && w.writable);
    assert_int_equal(d.raw.slack(d.raw.slack_ctx, (uintptr_t)since + 100, &w), 1);
    assert_true(w.address == (uintptr_t)since && w.host == w.address && w.bytes == 4096 && w.writable);
    assert_int_equal(d.raw.slack(d.raw.slack_ctx, (uintptr_t)before + 8191, &w), 1);
    assert_int_equal(d.raw.slack(d.raw.slack_ctx, (uintptr_t)&w, &w), 0);
    void *own = memory_system(100, 1); /* the runtime's, to the byte */
    assert_int_equal(d.raw.slack(d.raw.slack_ctx, (uintptr_t)own + 50, &w), 0);
    memory_system_free(own);
    assert_int_equal(memory_free(before), 0);
    assert_int_equal(memory_free(since), 0);
    dispatch_drop(&d);
    rt_any()->options.slack = EXEC_SLACK_NONE;
}

/* ---- ends ---- */

static struct dispatch make(uint64_t gap_from)
{
    struct packet p = packet_of(3, (const uint32_t[]){8, 4, 2}, (const uint32_t[]){17, 4, 3});
    struct dispatch d;
    char why[300];

    p.gap_from_ns = gap_from;
    assert_int_equal(dispatch_make(queue_find(queue), &p, &d, why, sizeof why), 0);
    return d;
}

static void records(void **state)
{
    const struct {
        uint64_t gap_from, gap;
    } rows[] = {{0, 0}, {1000, 0}, {999, 1}, {1001, 0}, {400, 600}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct dispatch d = make(rows[k].gap_from);
        unsigned b = begun, e = ended;

        d.viewed = d.warm_caches = k & 1;
        dispatch_begins(&d);
        assert_int_equal(begun, b + 1);
        assert_int_equal(dispatch_end(&d, NULL, 1000, 1500, 0.25), 0);
        assert_int_equal(ended, e + 1);
        assert_true(last.start_ns == 1000 && last.end_ns == 1500 && last.host_seconds == 0.25);
        assert_true(last.has_gap == (rows[k].gap != 0) && last.gap_ns == rows[k].gap);
        assert_true(last.native && !last.timing && !last.result && last.viewed == (k & 1) &&
                    last.warm_caches == (k & 1));
        assert_true(last.grid[0] == 17 && last.grid[2] == 3 && last.workgroup[1] == 4 && last.workgroup[2] == 2);
        assert_ptr_equal(last.agent, agent_of(gfx90a));
        assert_ptr_equal(last.queue, queue_find(queue));
        assert_int_equal(last.number, d.number);
        assert_int_equal(dispatches_running(), 0);
    }
}

static void faults(void **state)
{
    static const struct {
        const char *kind;
        int status;
    } rows[] = {
        {"memory", HSA_STATUS_ERROR_MEMORY_FAULT},           {"pc", HSA_STATUS_ERROR_MEMORY_FAULT},
        {"illegal", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION},   {"unimplemented", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION},
        {"lds", HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION}, {"trap", HSA_STATUS_ERROR_EXCEPTION}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct gcnsim_fault f = {.kind = rows[k].kind, .message = "it is wrong"};
        struct gcnsim_result r = {.outcome = GCNSIM_FAULTED, .fault = &f};
        struct dispatch d = make(0);
        char want[200];

        snprintf(want, sizeof want, "gcnsim: dispatch %llu, kernel vecadd: it is wrong\n",
                 (unsigned long long)d.number);
        int status = (int)dispatch_end(&d, &r, 0, 0, 0);
        if (status != rows[k].status)
            fail_msg("%s: 0x%x", rows[k].kind, (unsigned)status);
        assert_true(logged(want));
        assert_ptr_equal(last.result, &r);
        assert_false(last.native);
    }
    struct gcnsim_result limit = {.outcome = GCNSIM_LIMIT}, stopped = {.outcome = GCNSIM_INTERRUPTED};
    struct dispatch d = make(0);
    assert_int_equal(dispatch_end(&d, &limit, 0, 0, 0), HSA_STATUS_ERROR);
    assert_true(logged("kernel vecadd: it has reached --max-cycles or --max-instructions\n"));
    d = make(0);
    assert_int_equal(dispatch_end(&d, &stopped, 0, 0, 0), 0);
    assert_false(logged("vecadd"));
}

/* A fault in the pages of an allocation says that hardware lets it pass, if all of its bytes are there. */
static void faults_in_the_last_page(void **state)
{
    static const struct {
        unsigned at, bytes;
        bool write, ours, is_memory, passes;
    } rows[] = {{100, 4, true, true, true, true},   {4092, 4, true, true, true, true},
                {4093, 4, true, true, true, false}, {100, 4, false, true, true, true},
                {100, 4, true, true, false, false}, {100, 4, true, false, true, false}};
    const uint64_t at = UINT64_C(0x100000000000); /* nobody's */
    struct range range = {.lo = at, .host = at, .bytes = 100, .mapped = 4096, .writable = true};

    (void)state;
    assert_true(range_add(&range));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct gcnsim_fault f = {.kind = rows[k].is_memory ? "memory" : "pc",
                                 .message = "no",
                                 .address = at + rows[k].at - (rows[k].ours ? 0 : 4096),
                                 .bytes = rows[k].bytes,
                                 .write = rows[k].write};
        struct gcnsim_result r = {.outcome = GCNSIM_FAULTED, .fault = &f};
        struct dispatch d = make(0);

        dispatch_end(&d, &r, 0, 0, 0);
        if (logged("it is in the allocation's last page") != rows[k].passes)
            fail_msg("row %zu", k);
    }
    assert_true(range_take(at, &range));
}

/* Findings that come by themselves are said once for a kernel and rule; those of --check each time. */
static void findings(void **state)
{
    struct gcnsim_finding f[2] = {
        {.rule = "bounds.page",
         .message = "past the end",
         .count = 3,
         .instruction = "s_nop",
         .pc_offset = 0x1c,
         .source = "a.hip:5",
         .fix = "do not"},
        {.rule = "race.lds", .message = "a race", .count = 1, .instruction = "ds_read", .pc_offset = 8, .fix = "wait"}};
    struct gcnsim_result r = {.outcome = GCNSIM_COMPLETED, .findings = f, .finding_count = 2};
    char want[400];

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct dispatch d = make(0);

        r.has_check = k == 2;
        dispatch_end(&d, &r, 0, 0, 0);
        snprintf(
            want, sizeof want,
            "gcnsim: dispatch %llu, kernel vecadd: bounds.page: past the end, 3 times; 's_nop' at offset 0x1c, "
            "a.hip:5; fix: do not\ngcnsim: dispatch %llu, kernel vecadd: race.lds: a race; 'ds_read' at offset 0x8; "
            "fix: wait\n",
            (unsigned long long)d.number, (unsigned long long)d.number);
        assert_int_equal(logged(want), k != 1);
    }
}

/* Host threads are no more than the work of the kernel's last run is worth. */
static void threads(void **state)
{
    static const struct {
        uint64_t each; /* instructions of a workgroup; 0: not known */
        uint32_t most, want;
    } rows[] = {{0, 5, 5},    {1, 5, 1},    {333, 5, 1},  {334, 5, 2}, {1333, 5, 4},
                {1334, 5, 5}, {9000, 5, 5}, {9000, 7, 7}, {2000, 8, 7}};

    (void)state;
    struct dispatch d = make(0); /* of 3 x 1 x 2 workgroups */
    struct kernel *k = (struct kernel *)(uintptr_t)d.kernel;
    const uint64_t before = k->group_instructions;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        k->group_instructions = rows[n].each ? rows[n].each + 1 : 0;
        rt_any()->options.common.threads = rows[n].most;
        if (dispatch_threads(&d) != rows[n].want)
            fail_msg("row %zu: %u", n, dispatch_threads(&d));
    }
    rt_any()->options.common.threads = 0;
    k->group_instructions = 0;
    assert_true(dispatch_threads(&d) >= 1);
    /* a run on the functional engine that has ended says how much it was */
    static const struct {
        int engine, outcome;
        bool present;
        uint64_t want;
    } runs[] = {{GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_COMPLETED, true, 101},
                {GCNSIM_ENGINE_TIMING, GCNSIM_COMPLETED, true, 55},
                {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_LIMIT, true, 55},
                {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_COMPLETED, false, 55}};
    dispatch_abandon(&d);
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        const struct gcnsim_stat stat = {.name = "instructions.total", .value = 605, .present = runs[n].present};
        const struct gcnsim_result r = {.outcome = runs[n].outcome, .stats = &stat, .stat_count = 1};

        d = make(0);
        k->group_instructions = 55;
        d.raw.engine = runs[n].engine;
        dispatch_end(&d, &r, 0, 0, 0);
        if (k->group_instructions != runs[n].want)
            fail_msg("run %zu: %llu", n, (unsigned long long)k->group_instructions);
    }
    k->group_instructions = before;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_shapes),
        cmocka_unit_test(wrong_kernels),
        cmocka_unit_test(launches),
        cmocka_unit_test(memory_of_launches),
        cmocka_unit_test(records),
        cmocka_unit_test(faults),
        cmocka_unit_test(faults_in_the_last_page),
        cmocka_unit_test(findings),
        cmocka_unit_test(threads),
    };

    return cmocka_run_group_tests(tests, start, stop_runtime);
}
