/* gfx1250's moves between lanes in groups against HIP's shuffles, which AMD's headers make of them (__shfl and the
 * like: what a lane gets, written for one lane), and its look-ups against the table as one number of 128 bits.
 */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/harness.h"

enum { D = 0, A = 8, B = 16, C = 24, LANES = 32, S_SELECT = 40, S_WIDTH = 41 };

static uint32_t rnd(void)
{
    static uint64_t rng = 7;

    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 32);
}

/* --- groups of lanes ---------------------------------------------------------------------------------------------- */

static unsigned shfl(unsigned self, uint32_t src, uint32_t width)
{
    return (src & (width - 1)) + (self & ~(width - 1));
}

static unsigned shfl_up(unsigned self, uint32_t delta, uint32_t width)
{
    int64_t index = (int64_t)self - delta;
    return index < (int64_t)(self & ~(width - 1)) ? self : (unsigned)index;
}

static unsigned shfl_down(unsigned self, uint32_t delta, uint32_t width)
{
    return (uint64_t)(self & (width - 1)) + delta >= width ? self : self + delta;
}

static unsigned shfl_xor(unsigned self, uint32_t mask, uint32_t width)
{
    return (self ^ mask) >= ((self + width) & ~(width - 1)) ? self : self ^ mask;
}

static const struct {
    const char *row;
    unsigned (*from)(unsigned self, uint32_t select, uint32_t width);
} moves[] = {
    {"v_permlane_bcast_b32", shfl},
    {"v_permlane_up_b32", shfl_up},
    {"v_permlane_down_b32", shfl_down},
    {"v_permlane_xor_b32", shfl_xor},
};

/* Width 0 and 64, of which six bits count, are the whole wave; lanes 3 and 17 are off and still read. */
static void group_moves(void **state)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 0, 64, 128 + 8};
    static const uint32_t far[] = {63, 64, 65, 100, 0x80000000, 0xffffffff, 0xfffffff8};
    const uint64_t exec = ~(UINT64_C(1) << 3 | UINT64_C(1) << 17) & lane_mask(LANES);
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned m = 0; m < sizeof moves / sizeof moves[0]; m++)
        for (unsigned k = 0; k < sizeof widths / sizeof widths[0]; k++)
            for (unsigned n = 0; n < 40 + sizeof far / sizeof far[0]; n++) {
                uint32_t select = n < 40 ? n : far[n - 40], width = widths[k] & 63 ? widths[k] & 63 : LANES, w[2];
                const bool in_place = n & 1, constants = select <= 64 && widths[k] <= 64 && (n & 2);
                unsigned to = in_place ? A : D;
                for (unsigned l = 0; l < LANES; l++) {
                    rig_v(&r, A, l, 0x1000 + l);
                    rig_v(&r, D, l, 0x2000 + l);
                }
                r.w.s[S_SELECT] = select;
                r.w.s[S_WIDTH] = widths[k];
                isa_set_exec(&r.w, exec);
                vop3(r.t, w, opcode_of(r.t, FMT_VOP3, moves[m].row), to, CODE_VGPR + A,
                     constants ? 128 + select : S_SELECT, constants ? 128 + widths[k] : S_WIDTH);
                rig_run(&r, w, 2);
                for (unsigned l = 0; l < LANES; l++) {
                    unsigned from = moves[m].from(l, m ? select : select & 63, width);
                    uint32_t want = exec >> l & 1 ? 0x1000 + from : (in_place ? 0x1000 : 0x2000) + l;
                    if (rig_getv(&r, to, l) != want)
                        fail_msg("%s %u, width %u: lane %u got 0x%x, expected 0x%x", moves[m].row, select, widths[k], l,
                                 rig_getv(&r, to, l), want);
                }
            }
    rig_close(&r);
}

/* Four times the number of the lane in the group, for ds_bpermute_b32, which then reads it. */
static void group_indices(void **state)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 0, 64};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        uint32_t width = widths[k] & 63 ? widths[k] : LANES, w[2];
        for (unsigned l = 0; l < LANES; l++) {
            rig_v(&r, A, l, l & 4 ? rnd() : 3 * l + 1);
            rig_v(&r, B, l, 0x1000 + l);
            rig_v(&r, D, l, 0x2000 + l);
        }
        r.w.s[S_WIDTH] = widths[k];
        isa_set_exec(&r.w, 0xfffdfff7);
        vop3(r.t, w, opcode_of(r.t, FMT_VOP3, "v_permlane_idx_gen_b32"), D, CODE_VGPR + A, S_WIDTH, 0);
        rig_run(&r, w, 2);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned lane = l / width * width + rig_getv(&r, A, l) % width;
            assert_int_equal(rig_getv(&r, D, l), l == 3 || l == 17 ? 0x2000 + l : 4 * lane);
        }
        isa_set_exec(&r.w, lane_mask(LANES));
        rig_run(&r, w, 2);
        rig_run(&r,
                (uint32_t[]){0xd8000000 | (uint32_t)opcode_of(r.t, FMT_DS, "ds_bpermute_b32") << 18,
                             D | B << 8 | (uint32_t)C << 24},
                2);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(rig_getv(&r, C, l), 0x1000 + shfl(l, rig_getv(&r, A, l), width));
    }
    rig_close(&r);
}

/* --- look-ups ----------------------------------------------------------------------------------------------------- */

struct look_up {
    const char *row;
    unsigned bits, upper, lower; /* words of the first and the second source */
};

/* A source of one or two words: a register, a scalar, or an inline constant. */
enum { IN_VGPR, IN_SGPR, IN_CONSTANT, PLACES, ALL_SGPRS = IN_SGPR + PLACES * (IN_SGPR + PLACES * IN_SGPR) };

static unsigned operand(unsigned place, unsigned vgpr, unsigned sgpr)
{
    return place == IN_VGPR ? CODE_VGPR + vgpr : place == IN_SGPR ? sgpr : 128 + 37;
}

static uint64_t value(const struct rig *r, unsigned place, unsigned vgpr, unsigned sgpr, unsigned l)
{
    return place == IN_VGPR   ? rig_getv(r, vgpr, l) | (uint64_t)rig_getv(r, vgpr + 1, l) << 32
           : place == IN_SGPR ? r->w.s[sgpr] | (uint64_t)r->w.s[sgpr + 1] << 32
                              : 37;
}

static void check_look_up(struct rig *r, const struct look_up *t, unsigned round)
{
    const unsigned places[3] = {round % 3, round / 3 % 3, round / 9 % 3}, words = t->bits / 2;
    const uint64_t exec = round & 1 ? lane_mask(LANES) : 0xfffdfff7;
    uint32_t w[2], old[LANES][5];

    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned n = 0; n < 2; n++) {
            rig_v(r, A + n, l, rnd());
            rig_v(r, B + n, l, rnd());
            rig_v(r, C + n, l, rnd());
        }
        for (unsigned n = 0; n < 5; n++)
            rig_v(r, D + n, l, old[l][n] = rnd());
    }
    for (unsigned n = 0; n < 6; n++)
        r->w.s[S_SELECT + n] = rnd();
    isa_set_exec(&r->w, exec);
    vop3(r->t, w, opcode_of(r->t, FMT_VOP3, t->row), D, operand(places[0], A, S_SELECT),
         operand(places[1], B, S_SELECT + 2), operand(places[2], C, S_SELECT + 4));
    rig_run(r, w, 2);
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t a = value(r, places[0], A, S_SELECT, l), b = value(r, places[1], B, S_SELECT + 2, l),
                 index = value(r, places[2], C, S_SELECT + 4, l);
        unsigned __int128 low = t->lower == 1 ? (uint32_t)b : b, high = t->upper == 1 ? (uint32_t)a : a,
                          table = low | high << 32 * t->lower, want = 0;
        for (unsigned k = 0; k < 16; k++)
            want |= (table >> t->bits * (index >> 4 * k & 15) & ((1u << t->bits) - 1)) << t->bits * k;
        for (unsigned n = 0; n < 5; n++)
            assert_int_equal(rig_getv(r, D + n, l),
                             n < words && exec >> l & 1 ? (uint32_t)(want >> 32 * n) : old[l][n]);
    }
}

static void look_ups(void **state)
{
    static const struct look_up tables[] = {
        {"v_perm_pk16_b4_u4", 4, 1, 1}, {"v_perm_pk16_b6_u4", 6, 1, 2}, {"v_perm_pk16_b8_u4", 8, 2, 2}};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned round = 0; round < 4 * PLACES * PLACES * PLACES; round++)
            if (round % (PLACES * PLACES * PLACES) != ALL_SGPRS)
                check_look_up(&r, &tables[k], round);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_moves),
        cmocka_unit_test(group_indices),
        cmocka_unit_test(look_ups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
