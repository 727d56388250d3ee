/* The choice between threads that share epochs and one that does them alone: it finds the faster way on a host whose
 * speed is given here, changes with it, and costs little.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/engine/timing/clock/sharing.h"

/* A host: how long an epoch takes. */
struct host {
    double alone, shared;
    double now;
    unsigned epochs, epochs_shared;
};

/* Epochs of `seconds` seconds in all. */
static void run_for(struct sharing *s, struct host *h, double seconds)
{
    double from = h->now;

    h->epochs = h->epochs_shared = 0;
    while (h->now < from + seconds) {
        bool shared = sharing_begin(s, h->now, h->now > 0 ? 1000 : 0); /* none came before the first */

        h->epochs++;
        h->epochs_shared += shared;
        h->now += shared ? h->shared : h->alone;
    }
}

/* Two processors: nearly all epochs are shared, short ones and long ones. */
static void shares_where_it_is_faster(void **state)
{
    static const double epoch[] = {20e-6, 500e-6, 4e-3};

    (void)state;
    for (unsigned k = 0; k < sizeof epoch / sizeof *epoch; k++) {
        struct host h = {.alone = epoch[k], .shared = epoch[k] * 0.6};
        struct sharing s;

        sharing_init(&s, k == 0);
        run_for(&s, &h, 4);
        assert_true(h.epochs_shared < h.epochs); /* it has looked */
        assert_true(h.epochs_shared > h.epochs * 0.98);
        assert_true(h.epochs * h.shared > 4 * 0.98);
    }
}

/* One processor: after a while nearly all of the time goes into epochs on one thread, even where a shared one takes a
 * time slice. */
static void is_alone_where_it_is_faster(void **state)
{
    static const double slower[] = {1.3, 3, 200};

    (void)state;
    for (unsigned k = 0; k < sizeof slower / sizeof *slower; k++) {
        struct host h = {.alone = 20e-6, .shared = 20e-6 * slower[k]};
        struct sharing s;

        sharing_init(&s, k == 0);
        run_for(&s, &h, 0.4);
        run_for(&s, &h, 4);
        assert_true(h.epochs_shared > 0); /* it looks again */
        assert_true((h.epochs - h.epochs_shared) * h.alone > 4 * 0.97);
    }
}

/* The host gives a second processor, and takes it away. */
static void follows_the_host(void **state)
{
    struct host h = {.alone = 20e-6};
    struct sharing s;

    (void)state;
    sharing_init(&s, false);
    for (unsigned n = 0; n < 6; n++) {
        h.shared = n % 2 ? 12e-6 : 60e-6;
        run_for(&s, &h, 0.6);
        run_for(&s, &h, 1);
        assert_true(n % 2 ? h.epochs_shared > h.epochs * 0.97 : h.epochs_shared < h.epochs * 0.03);
    }
}

/* Without a difference beyond the noise it stays as it is, which at the beginning is alone. */
static void stays_without_a_reason(void **state)
{
    (void)state;
    for (int at_once = 0; at_once < 2; at_once++) {
        struct host h = {.alone = 20e-6, .shared = at_once ? 20.5e-6 : 19.5e-6};
        struct sharing s;

        sharing_init(&s, at_once);
        run_for(&s, &h, 4);
        assert_true((at_once ? h.epochs_shared : h.epochs - h.epochs_shared) > h.epochs * 0.97);
    }
}

/* A run shares nothing before it has simulated FIRST_WORK, however long that takes; then it tries. */
static void begins_alone(void **state)
{
    static const double seconds[] = {1e-6, 1};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct sharing s;
        double now = 0;

        sharing_init(&s, false);
        for (unsigned n = 0; n < 20; n++, now += seconds[k])
            assert_false(sharing_begin(&s, now, n ? 100 : 0));
        assert_true(sharing_begin(&s, now, 100));
    }
}

/* Time between epochs that are not worth sharing does not count. */
static void time_in_between_does_not_count(void **state)
{
    struct sharing s;
    double now = 0;

    (void)state;
    sharing_init(&s, true);
    for (unsigned n = 0; n < 100000; n++, now += 1)
        assert_true(sharing_begin(&s, now, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_where_it_is_faster),
        cmocka_unit_test(is_alone_where_it_is_faster),
        cmocka_unit_test(follows_the_host),
        cmocka_unit_test(stays_without_a_reason),
        cmocka_unit_test(begins_alone),
        cmocka_unit_test(time_in_between_does_not_count),
    };

    return cmocka_run_group_tests_name("sharing of epochs between threads", tests, NULL, NULL);
}
