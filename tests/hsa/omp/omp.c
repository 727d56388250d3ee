/* Target regions of OpenMP on the device, a line for each kind: "NAME: ok", or what was wrong. The exit status is 1
 * when anything was wrong, or when a region ran on the host. */
#include <float.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4000, ROWS = 37, COLUMNS = 53 };

static int bad;

static void print_result(const char *name, int right)
{
    printf("%s: %s\n", name, right ? "ok" : "wrong");
    bad |= !right;
}

#define NEAR(a, b) ((a) - (b) < 1e-9 && (b) - (a) < 1e-9)

static void on_the_device(void)
{
    int host = 1;

#pragma omp target map(from : host)
    host = omp_is_initial_device();
    print_result("device", !host && omp_get_num_devices() >= 1);
}

static void reductions(void)
{
    static int a[N];
    static double d[N];
    int sum = 0, least = INT_MAX, most = INT_MIN, bits = 0;
    int want_sum = 0, want_least = INT_MAX, want_most = INT_MIN, want_bits = 0;
    double real = 0, small = DBL_MAX, large = -DBL_MAX, product = 1;
    double want_real = 0, want_small = DBL_MAX, want_large = -DBL_MAX;

    for (int k = 0; k < N; k++) {
        a[k] = (k * 7919) % 10007 - 5000;
        d[k] = 0.25 * ((k * 31) % 1009) - 100;
        want_sum += a[k];
        want_bits ^= a[k];
        want_least = a[k] < want_least ? a[k] : want_least;
        want_most = a[k] > want_most ? a[k] : want_most;
        want_real += d[k];
        want_small = d[k] < want_small ? d[k] : want_small;
        want_large = d[k] > want_large ? d[k] : want_large;
    }
#pragma omp target teams distribute parallel for map(to : a, d)                                                        \
    reduction(+ : sum, real) reduction(min : least, small) reduction(max : most, large) reduction(^ : bits)
    for (int k = 0; k < N; k++) {
        sum += a[k];
        bits ^= a[k];
        least = a[k] < least ? a[k] : least;
        most = a[k] > most ? a[k] : most;
        real += d[k];
        small = d[k] < small ? d[k] : small;
        large = d[k] > large ? d[k] : large;
    }
    print_result("reduction", sum == want_sum && bits == want_bits && NEAR(real, want_real));
    print_result("reduction of extremes",
                 least == want_least && most == want_most && NEAR(small, want_small) && NEAR(large, want_large));
#pragma omp target parallel for reduction(* : product) map(tofrom : product)
    for (int k = 0; k < 20; k++)
        product *= 2;
    print_result("reduction in a team", NEAR(product, 1048576));
}

static void loops(void)
{
    static int grid[ROWS][COLUMNS], teams[64];
    int right = 1, used = 0;

#pragma omp target teams distribute parallel for collapse(2) map(from : grid)
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            grid[y][x] = y * 1000 + x;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            right &= grid[y][x] == y * 1000 + x;
    print_result("collapse", right);
    memset(teams, 0, sizeof teams);
#pragma omp target teams num_teams(8) thread_limit(64) map(tofrom : teams)
    {
        int own = 0; /* of the team: shared by its threads */
#pragma omp parallel
        {
#pragma omp atomic
            own++;
        }
        teams[omp_get_team_num()] = own;
    }
    for (int k = 0; k < 64; k++) {
        used += teams[k] != 0;
        right &= teams[k] >= 0 && teams[k] <= 64;
    }
    print_result("teams", right && used >= 1 && used <= 8);
}

static void mapping(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), right = 1;

    for (int k = 0; k < N; k++) {
        a[k] = k;
        b[k] = -1;
    }
#pragma omp target data map(to : a [0:N]) map(from : b [0:N])
    {
#pragma omp target teams distribute parallel for
        for (int k = 0; k < N; k++)
            b[k] = a[k] * 2;
        right &= b[5] == -1; /* not copied yet */
        a[7] = 1000;
#pragma omp target update to(a [7:1])
#pragma omp target teams distribute parallel for
        for (int k = 0; k < N; k++)
            b[k] += a[k];
#pragma omp target update from(b [0:10])
        right &= b[5] == 15;
    }
    for (int k = 0; k < N; k++)
        right &= b[k] == (k == 7 ? 1014 : 3 * k);
    print_result("target data", right);

    struct pair {
        int n;
        int *p;
    } pair = {3, a};
#pragma omp target map(tofrom : pair, pair.p [0:3])
    for (int k = 0; k < pair.n; k++)
        pair.p[k] += 10;
    print_result("pointers in structures", a[0] == 10 && a[1] == 11 && a[2] == 12);

    int device = omp_get_default_device(), *there = omp_target_alloc(N * sizeof *a, device);
    omp_target_memcpy(there, a, N * sizeof *a, 0, 0, device, omp_get_initial_device());
#pragma omp target is_device_ptr(there)
    for (int k = 0; k < 10; k++)
        there[k] *= 3;
    omp_target_memcpy(b, there, N * sizeof *a, 0, 0, omp_get_initial_device(), device);
    print_result("target memory", b[1] == 33 && b[10] == 10);
    omp_target_free(there, device);
    free(a);
    free(b);
}

#pragma omp declare target
int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int of_table(int k)
{
    return table[k % 8] * 10;
}
#pragma omp end declare target

static void declared(void)
{
    int sum = 0;

#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int k = 0; k < 64; k++)
        sum += of_table(k);
    table[0] = 101;
#pragma omp target update to(table)
#pragma omp target map(tofrom : sum)
    sum += of_table(8);
    print_result("declare target", sum == 2880 + 1010);
}

static void tasks(void)
{
    static int a[N], b[N];
    int right = 1;

    for (int k = 0; k < N; k++)
        a[k] = k;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target teams distribute parallel for nowait depend(out : a) map(tofrom : a)
        for (int k = 0; k < N; k++)
            a[k] += 1;
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(out : b) map(to : a) map(from : b)
        for (int k = 0; k < N; k++)
            b[k] = a[k] * 2;
#pragma omp target teams distribute parallel for nowait depend(inout : b) map(tofrom : b)
        for (int k = 0; k < N; k++)
            b[k] += 5;
#pragma omp taskwait
    }
    for (int k = 0; k < N; k++)
        right &= b[k] == 2 * (k + 1) + 5;
    print_result("nowait and depend", right);
}

int main(void)
{
    on_the_device();
    reductions();
    loops();
    mapping();
    declared();
    tasks();
    puts(bad ? "wrong" : "all ok");
    return bad;
}
