/* Which figures of a profile an instruction depends on. */
#include "sim/report/figures.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = sizeof((struct figures *)0)->text[0] };

/* Three words in a row. Not by snprintf(): each report does this for all of its instructions. */
static void join(char to[PATH_ROOM], const char *a, const char *b, const char *c)
{
    assert(strlen(a) + strlen(b) + strlen(c) < PATH_ROOM);
    strcpy(stpcpy(stpcpy(to, a), b), c);
}

static void add_pattern(struct figures *p, const char *group, const char *word)
{
    if (p->count < FIGURES_MAX) {
        join(p->text[p->count], group, word, "");
        p->list[p->count] = p->text[p->count];
        p->count++;
    }
}

/* The same of one that every execution meets. */
static void add_deciding(struct figures *p, const char *group, const char *word)
{
    p->decides |= UINT32_C(1) << p->count;
    add_pattern(p, group, word);
}

static bool writes_sgpr(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if ((row->args[k].flags & A_WR) && ((row->args[k].flags & A_SGPR) || row->args[k].type == T_MASK))
            return true;
    return false;
}

static void vector_patterns(struct figures *p, const struct isa_row *row)
{
    if (row->cls == OPC_TRANS || row->cls == OPC_F64_TRANS)
        add_pattern(p, "class.", op_class_key[OPC_VALU]);
    add_pattern(p, "frontend.", "valu_to_mem_cycles");
    add_pattern(p, "frontend.", "valu_to_dpp_cycles");
    if (writes_sgpr(row)) {
        add_pattern(p, "frontend.", "valu_to_salu_cycles");
        add_pattern(p, "frontend.", "valu_sgpr_to_mem_cycles");
    }
}

/* By the bytes of a lane, as the timing engine chooses among them. */
static void lds_patterns(struct figures *p, const struct isa_row *row, unsigned cls)
{
    unsigned bytes = row->mem.bytes * (row->mem.elems ? row->mem.elems : 1u);
    const char *width = bytes <= 4 ? "" : bytes <= 8 ? "b64_" : "b128_";
    char path[40];

    if (cls == OPC_LDS_PERMUTE || cls == OPC_LDS_ATOMIC) {
        add_deciding(p, "lds.", cls == OPC_LDS_PERMUTE ? "permute_latency_cycles" : "atomic_latency_cycles");
        return;
    }
    bool store = cls == OPC_LDS_STORE;
    snprintf(path, sizeof path, "%slatency_%scycles", store ? "store_" : "", !store && bytes <= 4 ? "b32_" : width);
    add_deciding(p, "lds.", path);
    add_pattern(p, "lds.", store ? "store_latency_*" : "latency_*");
}

void figures_of(const struct isa_row *row, unsigned cls, struct figures *p)
{
    static const char *const matrix_key[] = {
#define X(E, KEY, ABOUT) KEY,
        OP_MATRIX_KINDS(X)
#undef X
    };

    p->count = 0;
    p->decides = 0;
    if (cls == OPC_GDS && row->exec) /* global wave sync: inst_info.c */
        add_deciding(p, "class.", op_class_key[OPC_MESSAGE]);
    if (cls == OPC_GDS || cls == OPC_EXPORT)
        return; /* not executed otherwise: profiles have no figures of theirs */
    add_deciding(p, "class.", op_class_key[cls]);
    switch (op_class_category[cls]) {
    case OPCAT_VALU:
        vector_patterns(p, row);
        break;
    case OPCAT_MFMA:
        if (cls == OPC_MFMA)
            add_pattern(p, "matrix.", matrix_key[isa_matrix_kind(row->mat)]);
        else
            add_deciding(p, "matrix.", "wmma_passes");
        break;
    case OPCAT_SALU:
        if (cls == OPC_SALU_TRANS) {
            add_pattern(p, "frontend.", "trans_to_salu_cycles");
            break;
        }
        add_pattern(p, "frontend.", "salu_to_valu_cycles");
        add_pattern(p, "frontend.", "salu_to_smem_cycles");
        add_pattern(p, "frontend.", "salu_to_branch_cycles");
        break;
    case OPCAT_SMEM:
        add_deciding(p, "issue.", "smem_dwords_per_slot");
        add_deciding(p, "cache.k.", "hit_latency_cycles");
        break;
    case OPCAT_VMEM:
    case OPCAT_FLAT:
        add_deciding(p, "cu.", "vmem_send_cycles");
        if (row->mem.cmp == CMP_AFTER_DATA)
            add_deciding(p, "cu.", "vmem_compare_passes");
        if (row->mem.op == MEM_LOAD && cls != OPC_EXPORT && !row->cache_control)
            add_deciding(p, "cache.vl0.", "hit_latency_cycles");
        break;
    case OPCAT_LDS:
        lds_patterns(p, row, cls);
        break;
    case OPCAT_BRANCH:
        if (cls == OPC_BRANCH)
            add_deciding(p, "frontend.", "branch_*");
        else
            add_pattern(p, "frontend.", "branch_*");
        break;
    default:
        break;
    }
}

const char *figures_least_sure(const struct isa_row *row, unsigned cls, unsigned lanes, const struct profile *p,
                               enum profile_confidence *confidence)
{
    struct figures f;
    const char *list[FIGURES_MAX + 1];
    char issue[PATH_ROOM], latency[PATH_ROOM], of_class[PATH_ROOM];
    size_t n = 0;

    figures_of(row, cls, &f);
    join(of_class, "class.", op_class_key[cls], "");
    for (unsigned k = 0; k < f.count; k++) {
        if (!(f.decides >> k & 1))
            continue;
        if (strcmp(f.list[k], of_class) != 0) {
            list[n++] = f.list[k];
            continue;
        }
        join(issue, of_class, ".issue_cycles_w", lanes == 32 ? "32" : "64");
        join(latency, of_class, ".latency_cycles", "");
        list[n++] = issue;
        list[n++] = latency;
    }
    return n ? profile_least_sure(p, n, list, confidence) : NULL;
}
