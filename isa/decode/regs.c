/* Lists the registers that an instruction reads and writes, from its operands and its row's implicit set. */
#include "isa/decode/parts.h"

struct list {
    struct isa_regref *refs;
    unsigned n;
};

static void add_bits(struct list *l, enum isa_regfile file, unsigned first, unsigned count, unsigned bits, bool write)
{
    if (l->n < ISA_MAX_REGREFS && count)
        l->refs[l->n++] = (struct isa_regref){(uint8_t)file, (uint8_t)count, (uint16_t)first, (uint16_t)bits, write};
}

/* Implicit ones, unless an operand says the same: EXEC is v_cmpx's result and in its row. */
static void add(struct list *l, enum isa_regfile file, unsigned first, unsigned count, bool write)
{
    for (unsigned k = 0; k < l->n; k++)
        if (l->refs[k].file == file && l->refs[k].first == first && l->refs[k].count >= count &&
            l->refs[k].write == write)
            return;
    add_bits(l, file, first, count, 32 * count, write);
}

static bool is_buffer_or_flat(const struct isa_inst *i)
{
    return i->form != FORM_VOPD && i->format >= FMT_FLAT && i->format <= FMT_VBUFFER;
}

/* Registers of operand k, and 0 where it is none. */
static unsigned operand_dwords(const struct isa_target *t, const struct isa_inst *i, unsigned k, unsigned lanes)
{
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = o->type == T_MASK ? lanes / 32 : isa_types[o->type].dwords;

    if (o->code == CODE_NONE || o->code == t->code_null)
        return 0;
    if (i->form == FORM_VOPD)
        return dwords;
    if (i->row->mat)
        return isa_matrix_dwords(i->row->mat, i->row->args[k].slot, dwords, lanes);
    if (i->row->image.data && i->row->args[k].slot == SL_SRSRC && i->u.img.r128)
        return 4;
    if (i->row->image.data == IMG_DATA_CMPSWAP && i->row->args[k].slot == SL_VDST)
        return dwords / 2; /* the data's other half is the comparand */
    if (is_buffer_or_flat(i) && i->row->args[k].slot == SL_VDST) {
        if (i->row->mem.tr_bits)
            return lanes == 64 ? dwords / 2 : dwords;
        if (i->u.mem.lds)
            return 0; /* what is loaded goes to LDS */
        if (i->u.mem.tfe)
            return dwords + 1; /* and whether the texture was resident */
    }
    return dwords;
}

/* A result narrower than its register that leaves the rest alone is a write of fewer bits, no read. These are asked to
 * keep what is there: SDWA with dst_unused PRESERVE. */
static bool keeps_by_request(const struct isa_inst *i)
{
    enum { PRESERVE = 2 };

    return i->form == FORM_SDWA && i->format != FMT_VOPC && i->u.sdwa.dst_unused == PRESERVE;
}

/* Loads of 16 bits merge with what is there, if the target's memory path can. */
static bool clears_other_half(const struct isa_target *t, const struct isa_inst *i)
{
    return i->form != FORM_VOPD && i->row->mem.op == MEM_LOAD && i->row->mem.convert >= CONV_D16_U8 &&
           !isa_has(t, FEAT_D16_MEM_KEEP);
}

static void add_operand(const struct isa_target *t, struct list *l, const struct isa_inst *i, unsigned k,
                        unsigned lanes)
{
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = operand_dwords(t, i, k, lanes), bits = isa_types[o->type].bits;

    if (!dwords)
        return;
    if (dwords > 1 || bits > 32 || !bits)
        bits = 32 * dwords;
    for (unsigned pass = 0; pass < 2; pass++) {
        bool write = pass;
        bool merged = !write && k == 0 && keeps_by_request(i);
        if (!(o->flags & (write ? A_WR : A_RD)) && !merged)
            continue;
        if (!write && (o->flags & A_WR) && clears_other_half(t, i))
            continue;
        if (o->code >= CODE_VGPR)
            add_bits(l, o->flags & A_ACC ? RF_AGPR : RF_VGPR, o->code - CODE_VGPR, dwords, bits, write);
        else if (o->code < 128)
            add_bits(l, RF_SGPR, o->code, dwords, bits, write);
        else if (o->code == CODE_SCC)
            add(l, RF_SCC, 0, 1, write);
        else if (o->code == CODE_VCCZ)
            add(l, RF_SGPR, CODE_VCC_LO, lanes / 32, write);
        else if (o->code == CODE_EXECZ)
            add(l, RF_SGPR, CODE_EXEC_LO, lanes / 32, write);
    }
}

/* Addresses of an image instruction after the first one, which is an operand. */
static void add_addresses(const struct isa_target *t, struct list *l, const struct isa_inst *i)
{
    struct isa_image_regs r;

    isa_image_used(t, i, &r);
    for (unsigned k = 1; k < r.n; k++)
        add(l, RF_VGPR, r.first[k], r.count[k], false);
}

unsigned isa_regref_in_file(const struct isa_target *t, unsigned arch, const struct isa_regref *r,
                            struct isa_regref out[2])
{
    unsigned end = (unsigned)r->first + r->count, n = 0;

    if (r->file != RF_VGPR || end <= arch || !isa_has(t, FEAT_AGPR_UNIFIED)) {
        out[0] = *r;
        return 1;
    }
    unsigned first = r->first > arch ? r->first : arch;
    if (r->first < arch) {
        out[n] = *r;
        out[n].count = (uint8_t)(arch - r->first);
        out[n].bits = (uint16_t)(32 * out[n].count);
        n++;
    }
    out[n] = (struct isa_regref){RF_AGPR, (uint8_t)(end - first), (uint16_t)(first - arch), r->bits, r->write};
    if (n)
        out[n].bits = (uint16_t)(32 * out[n].count);
    return n + 1;
}

/* Rounding and denormals: float arithmetic listens to MODE, matrix instructions do not. */
bool isa_row_reads_mode(const struct isa_row *row)
{
    if (row->implicit & IMP_R_MODE)
        return true;
    for (unsigned k = 0; !row->mat && !(row->flags & RF_NO_FLUSH) && row->args[k].slot; k++)
        if (isa_types[row->args[k].type].float_bits)
            return true;
    return false;
}

unsigned isa_inst_regs(const struct isa_target *t, const struct isa_inst *i, unsigned lanes,
                       struct isa_regref refs[ISA_MAX_REGREFS])
{
    struct list l = {refs, 0};
    const struct isa_row *row = i->row, *row2;
    uint32_t imp;

    if (!row)
        return 0;
    row2 = i->form == FORM_VOPD ? i->u.y.row : row;
    imp = row->implicit | row2->implicit;
    if ((imp & IMP_R_M0_LDS) && isa_has(t, FEAT_LDS_M0_CLAMP))
        imp |= IMP_R_M0;
    if (is_buffer_or_flat(i) && i->u.mem.lds)
        imp |= IMP_R_M0;
    for (unsigned k = 0; k < i->nops; k++)
        add_operand(t, &l, i, k, lanes);
    if (row->image.data)
        add_addresses(t, &l, i);
    if (imp & IMP_R_SCC)
        add(&l, RF_SCC, 0, 1, false);
    if (imp & IMP_W_SCC)
        add(&l, RF_SCC, 0, 1, true);
    if (imp & IMP_R_VCC)
        add(&l, RF_SGPR, CODE_VCC_LO, lanes / 32, false);
    if (imp & IMP_W_VCC)
        add(&l, RF_SGPR, CODE_VCC_LO, lanes / 32, true);
    if (imp & IMP_R_EXEC)
        add(&l, RF_SGPR, CODE_EXEC_LO, lanes / 32, false);
    if (imp & IMP_W_EXEC)
        add(&l, RF_SGPR, CODE_EXEC_LO, lanes / 32, true);
    if (imp & IMP_R_M0)
        add(&l, RF_SGPR, t->code_m0, 1, false);
    if (imp & IMP_W_M0)
        add(&l, RF_SGPR, t->code_m0, 1, true);
    if ((imp & IMP_R_FLAT_SCRATCH) && t->code_flat_scratch != 0xffff)
        add(&l, RF_SGPR, t->code_flat_scratch, 2, false);
    if (isa_row_reads_mode(row) || isa_row_reads_mode(row2))
        add(&l, RF_MODE, 0, 1, false);
    if (imp & IMP_W_MODE)
        add(&l, RF_MODE, 0, 1, true);
    if (imp & IMP_W_PC)
        add_bits(&l, RF_PC, 0, 1, 64, true);
    return l.n;
}
