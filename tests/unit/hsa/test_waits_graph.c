/* Graphs of who waits for what, of queues, copies and handlers that are put together by chance and stand still: each
 * node and edge, what goes on, and cycles, as a file of tests/unit/hsa/words has them. Nobody processes the packets. */
#define _GNU_SOURCE
#include "tests/unit/hsa/barrier_value.h"
#include "tests/unit/hsa/memory_fixture.h"

#include "sim/hsa/queues/queue.h"
#include "sim/hsa/waits/waits.h"
#include "tests/support/words.h"

enum { SIGNALS = 9, QUEUES = 3, PACKETS = 8, ROUNDS = 24 };

static uint64_t kernel, first_signal;
static uint32_t first_queue;
static hsa_signal_t signals[SIGNALS];
static hsa_queue_t *queues[QUEUES];

static bool add(struct queue *q)
{
    pthread_mutex_lock(&q->device->lock);
    q->next = q->device->queues;
    q->device->queues = q;
    pthread_mutex_unlock(&q->device->lock);
    return true;
}

static bool remove_queue(struct queue *q)
{
    queue_unlink(q);
    return true;
}

static void rung(struct queue *q)
{
    (void)q;
}

static hsa_signal_t any_signal(uint32_t *seed, unsigned none_in)
{
    return next_random(seed) % none_in ? (hsa_signal_t){0} : signals[next_random(seed) % SIGNALS];
}

static void submit(hsa_queue_t *q, uint32_t *seed)
{
    static const uint8_t types[] = {HSA_PACKET_TYPE_KERNEL_DISPATCH, HSA_PACKET_TYPE_BARRIER_AND,
                                    HSA_PACKET_TYPE_BARRIER_AND, HSA_PACKET_TYPE_BARRIER_OR,
                                    HSA_PACKET_TYPE_VENDOR_SPECIFIC};
    const unsigned type = types[next_random(seed) % 5], barrier_bit = next_random(seed) % 3 == 0;
    uint64_t index = hsa_queue_add_write_index_relaxed(q, 1), words[8] = {0};
    char *slot = (char *)q->base_address + index % q->size * 64;
    const hsa_signal_t completes = any_signal(seed, 2);

    if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
        memcpy(words, &(hsa_kernel_dispatch_packet_t){.kernel_object = next_random(seed) % 2 ? kernel : 64}, 64);
    } else if (type == HSA_PACKET_TYPE_VENDOR_SPECIFIC) {
        memcpy(words,
               &(struct on_value){.format = FORMAT_ON_VALUE,
                                  .signal = any_signal(seed, 1),
                                  .value = next_random(seed) % 4,
                                  .mask = next_random(seed) % 3 ? -1 : 1,
                                  .condition = next_random(seed) % 4},
               64);
    } else {
        for (unsigned k = 1; k < 6; k++)
            words[k] = any_signal(seed, 3).handle;
    }
    words[7] = completes.handle;
    memcpy(slot + 2, (char *)words + 2, 62);
    if (next_random(seed) % 12 == 0)
        return; /* reserved, and not written */
    __atomic_store_n((uint16_t *)(void *)slot,
                     (uint16_t)(type << HSA_PACKET_HEADER_TYPE | barrier_bit << HSA_PACKET_HEADER_BARRIER),
                     __ATOMIC_RELEASE);
}

/* Some of a queue's first packets have begun, and some of these ended, though not the first. */
static void begin_some(hsa_queue_t *handle, uint32_t *seed)
{
    struct queue *q = queue_find(handle);
    unsigned begin = next_random(seed) % 4;

    for (unsigned k = 0; k < begin; k++) {
        struct packet p = {.index = k};

        q->dispatch[k] = 1000 + k;
        queue_begin(q, &p);
        if (k && next_random(seed) % 2)
            q->ended[k] = true;
    }
}

/* ---- what is shown ---- */

static void show_handle(FILE *f, uint64_t handle)
{
    for (unsigned k = 0; k < SIGNALS; k++)
        if (handle && handle == signals[k].handle)
            fprintf(f, " completes %u", k);
}

static void show_node(FILE *f, const struct waits *w, uint32_t k)
{
    const struct wait_node *n = &w->node[k];
    char text[200];

    fprintf(f, "%u: %s", k, waits_kind_word(n->kind));
    if (n->kind == WAIT_PACKET)
        fprintf(f, " %llu of %u, %s, %s, behind %llu, dispatch %llu%s", (unsigned long long)n->number,
                n->queue - first_queue, waits_packet_text(n, text, sizeof text), waits_state_word(n->state),
                (unsigned long long)n->behind, (unsigned long long)n->dispatch, n->barrier ? ", barrier" : "");
    else if (n->kind == WAIT_SIGNAL)
        fprintf(f, " %llu is %lld, ready %u, missing %lld", (unsigned long long)(n->number - first_signal),
                (long long)n->value, n->ready, (long long)n->missing);
    else
        fprintf(f, " %llu, %llu bytes", (unsigned long long)n->number, (unsigned long long)n->bytes);
    show_handle(f, n->completes);
    fprintf(f, "%s%s, %u hold, %u unlooked\n", n->any ? ", any" : "", n->goes_on ? ", goes on" : "", n->held,
            n->unlooked);
    for (uint32_t e = n->first; e < n->first + n->edges; e++) {
        const struct wait_edge *edge = &w->edge[e];

        fprintf(f, "  -> %u %s", edge->to, waits_how_word(edge->how));
        if (edge->how == WAIT_VALUE)
            fprintf(f, " %s %lld & %lld, %lld completions", waits_condition_word(edge->on.condition),
                    (long long)edge->on.compare, (long long)edge->on.mask, (long long)edge->completions);
        fprintf(f, "%s\n", edge->goes_on ? ", goes on" : "");
    }
}

static void show(FILE *f)
{
    struct waits *w = waits_collect();

    if (!w) {
        fputs("nobody waits\n", f);
        return;
    }
    for (uint32_t k = 0; k < w->nodes; k++)
        show_node(f, w, k);
    for (uint32_t k = 0; k < w->cycles; k++) {
        fputs("cycle", f);
        for (uint32_t n = 0; n < w->cycle[k].nodes; n++)
            fprintf(f, " %u", w->cycle[k].node[n]);
        fputc('\n', f);
    }
    assert_false(w->cut);
    waits_free(w);
}

/* ---- */

static bool never(hsa_signal_value_t value, void *arg)
{
    (void)value, (void)arg;
    return false;
}

static void round_of(FILE *f, unsigned round, uint32_t *seed)
{
    hsa_signal_t gate, handled;
    static char bytes[64];

    assert_int_equal(hsa_signal_create(1, 0, NULL, &gate), 0);
    assert_int_equal(hsa_signal_create(1, 0, NULL, &handled), 0);
    first_signal = signal_find(gate)->number;
    for (unsigned k = 0; k < SIGNALS; k++)
        assert_int_equal(hsa_signal_create(next_random(seed) % 4, 0, NULL, &signals[k]), 0);
    for (unsigned k = 0; k < QUEUES; k++) {
        assert_int_equal(hsa_queue_create(k ? gfx90a : gfx1201, PACKETS, 0, NULL, NULL, 0, 0, &queues[k]), 0);
        for (unsigned n = next_random(seed) % (PACKETS + 1); n > 0; n--)
            submit(queues[k], seed);
        begin_some(queues[k], seed);
    }
    first_queue = queue_find(queues[0])->number;
    for (unsigned k = 0; k < round % 3; k++) {
        hsa_signal_t dep[] = {gate, any_signal(seed, 2), any_signal(seed, 2)};

        assert_int_equal(hsa_amd_memory_async_copy(bytes, gfx90a, bytes + 32, cpu, k + 5, 3, dep, any_signal(seed, 2)),
                         0);
    }
    if (round % 8 == 7)
        assert_int_equal(hsa_amd_signal_async_handler(handled, HSA_SIGNAL_CONDITION_LT, -5, never, NULL), 0);
    if (round % 7 == 6)
        assert_int_equal(hsa_queue_inactivate(queues[1]), 0);
    fprintf(f, "round %u\n", round);
    show(f);
    for (unsigned k = 0; k < QUEUES; k++)
        assert_int_equal(hsa_queue_destroy(queues[k]), 0);
    for (unsigned k = 0; k < SIGNALS; k++) /* copies do not wait for what is gone */
        assert_int_equal(hsa_signal_destroy(signals[k]), 0);
    hsa_signal_store_screlease(gate, 0);
    hsa_signal_store_screlease(handled, -6);
    for (struct waits *w; (w = waits_collect());)
        waits_free(w);
    assert_int_equal(hsa_signal_destroy(gate), 0);
    assert_int_equal(hsa_signal_destroy(handled), 0);
}

static void graphs(void **state)
{
    uint32_t seed = 7;
    size_t size;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++)
        round_of(f, round, &seed);
    fclose(f);
    expect_words("tests/unit/hsa/words", "waits_graph", text);
    free(text);
}

static int start(void **state)
{
    static const struct command_processor own = {.add = add, .remove = remove_queue, .rung = rung};
    hsa_executable_t x;

    if (start_runtime(state))
        return 1;
    queues_serve(&own);
    x = new_executable();
    assert_int_equal(load_file(x, gfx90a, VECADD), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    kernel = symbol_u64(symbol_of(x, "vecadd.kd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs),
    };

    return cmocka_run_group_tests(tests, start, stop_runtime);
}
