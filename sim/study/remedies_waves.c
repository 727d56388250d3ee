/* Remedies of waves: how many fit, how many there are, and how many of their lanes are on. */
#include <math.h>
#include <string.h>

#include "sim/study/remedies.h"

/* One more wave on each SIMD, or workgroup on each CU, than registers or LDS let in. */
void remedy_vgpr_step(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    (void)c;
    const struct gcnsim_occupancy *o = &x->base.occupancy;
    bool wave32 = x->base.waves && profile_figure(x, "cu.vgprs_per_simd_w32") > 0 && x->base.workgroups &&
                  o->waves_per_workgroup * 32 >= x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2] &&
                  o->waves_per_workgroup * 16 < x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2];
    double file = profile_figure(x, wave32 ? "cu.vgprs_per_simd_w32" : "cu.vgprs_per_simd_w64");
    double granule = profile_figure(x, wave32 ? "cu.vgpr_granule_w32" : "cu.vgpr_granule_w64");
    double need = o->vgprs_allocated * (o->waves_per_simd + 1.0);

    if (!x->base.has_occupancy || strcmp(x->base.limiter, "vgprs") != 0 || granule <= 0 || o->vgprs_allocated < granule)
        return;
    double fits = floor(file / (o->waves_per_simd + 1) / granule) * granule;
    struct rule *r = rule_add(x, of);
    if (!r)
        return;
    r->text = explain_keep(x, "%u VGPRs allocated let in %u wave%s of each SIMD", o->vgprs_allocated, o->waves_per_simd,
                           o->waves_per_simd == 1 ? "" : "s");
    r->remedy =
        explain_keep(x, "%.0f or fewer (__launch_bounds__, less unrolling) let in %u, if the code stays as it is,",
                     fits, o->waves_per_simd + 1);
    /* the file as large as that many waves of these registers need; both sizes are of one file */
    double both = 2 * granule * ceil(need / (2 * granule));
    if (profile_figure(x, "cu.vgprs_per_simd_w32") > 0)
        rule_assignments(x, r, explain_keep(x, "cu.vgprs_per_simd_w32=%.0f", wave32 ? both : 2 * both),
                         explain_keep(x, "cu.vgprs_per_simd_w64=%.0f", wave32 ? both / 2 : both));
    else
        rule_assignments(x, r, explain_keep(x, "cu.vgprs_per_simd_w64=%.0f", granule * ceil(need / granule)), NULL);
}

void remedy_lds_step(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    (void)c;
    const struct gcnsim_occupancy *o = &x->base.occupancy;
    double all = profile_figure(x, "cu.lds_bytes"), granule = profile_figure(x, "cu.lds_granule_bytes");

    if (!x->base.has_occupancy || strcmp(x->base.limiter, "lds") != 0 || !o->lds_bytes_allocated || granule <= 0)
        return;
    double fits = floor(all / (o->workgroups_per_cu + 1) / granule) * granule;
    struct rule *r = rule_add(x, of);
    if (!r)
        return;
    r->text = explain_keep(x, "%u bytes of LDS let in %u workgroup%s", o->lds_bytes_allocated, o->workgroups_per_cu,
                           o->workgroups_per_cu == 1 ? "" : "s");
    r->remedy =
        explain_keep(x, "%.0f bytes or fewer let in %u, if the code stays as it is,", fits, o->workgroups_per_cu + 1);
    rule_assignments(
        x, r,
        explain_keep(x, "cu.lds_bytes=%.0f",
                     granule * ceil(fmax(all, o->lds_bytes_allocated * (o->workgroups_per_cu + 1.0)) / granule)),
        NULL);
}

/* The chip as a grid fills it: workgroups that fit at a time, in so many rounds, the last of so many. */
struct rounds {
    double cus, used, groups, round, rounds, last;
};

static bool rounds_of(const struct explaining *x, struct rounds *r)
{
    const struct gcnsim_occupancy *o = &x->base.occupancy;

    r->cus = profile_figure(x, "gpu.cus");
    r->groups = (double)x->base.workgroups;
    r->round = o->workgroups_per_cu * (r->cus / (o->cus ? o->cus : 1));
    if (!x->base.has_occupancy || r->cus <= 0 || r->round <= 0)
        return false;
    r->used = trial_stat(&x->base, "cus_used");
    r->rounds = ceil(r->groups / r->round);
    r->last = r->groups - (r->rounds - 1) * r->round;
    return true;
}

static bool is_small(const struct rounds *r)
{
    return r->used < 0.9 * r->cus;
}

/* Too few workgroups for the chip. */
void remedy_small_grid(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rounds n;
    struct rule *r = rounds_of(x, &n) && is_small(&n) ? rule_add(x, of) : NULL;

    (void)c;
    if (r)
        r->text = explain_keep(x, "%.0f workgroup%s %.0f of %.0f CUs", n.groups, n.groups == 1 ? " uses" : "s use",
                               n.used, n.cus);
}

/* A last round of workgroups that leaves much of the chip idle. */
void remedy_tail(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rounds n;

    (void)c;
    if (!rounds_of(x, &n) || is_small(&n) || n.rounds < 2 || n.rounds > 8 || n.last >= 0.5 * n.round)
        return;
    struct rule *r = rule_add(x, of);
    if (!r)
        return;
    r->text = explain_keep(x, "%.0f workgroups run in %.0f rounds of up to %.0f, the last of %.0f", n.groups, n.rounds,
                           n.round, n.last);
    r->remedy = explain_keep(x, "a grid of %.0f workgroups or fewer that each do more", (n.rounds - 1) * n.round);
}

void remedy_divergence(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    double wave = x->base.waves && x->base.occupancy.waves_per_workgroup
                      ? ceil((double)x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2] /
                             x->base.occupancy.waves_per_workgroup)
                      : 64;
    double size = wave > 32 ? 64 : 32, all = 0, off = 0;
    struct rule_chosen with = {.count = 0};

    for (size_t k = 0; k < x->base.instructions; k++) {
        double executed = (double)counted_at(c, k, c->executed), lanes = (double)counted_at(c, k, c->lanes);

        all += (double)counted_at(c, k, c->issued);
        if (lanes > 0 && lanes < 0.5 * size * executed) {
            off += (double)counted_at(c, k, c->issued);
            rule_choose(&with, k, (double)counted_at(c, k, c->issued));
        }
    }
    if (!with.count || off < 0.1 * all)
        return;
    struct rule *r = rule_add(x, of);
    if (!r)
        return;
    size_t k = with.at[0];
    r->text = explain_keep(x, "%.0f %% of the issue cycles have less than half of the lanes on, %.1f of %.0f here: %s",
                           100 * off / all, (double)counted_at(c, k, c->lanes) / (double)counted_at(c, k, c->executed),
                           size, rule_where(x, k));
    rule_places(x, r, with.at, with.count);
}
