/* Target ids ("gfx90a:xnack-"): the table of amdgcn processors, parsing, formatting and matching. */
#include "sim/loader/target_id.h"

#include <stdio.h>
#include <string.h>

#define FLAG_MACH           0x0ffu
#define FLAG_XNACK_V3       0x100u
#define FLAG_SRAMECC_V3     0x200u
#define FLAG_XNACK_V4_SHIFT 8
#define FLAG_SRAM_V4_SHIFT  10
#define FLAG_GENERIC_SHIFT  24
#define FLAG_KNOWN_V3       0x000003ffu
#define FLAG_KNOWN_V4       0x00000fffu
#define FLAG_KNOWN_V6       0xff000fffu

struct processor {
    uint8_t mach;
    uint8_t family;
    bool xnack, sramecc;
    const char *name;
    const char *generic; /* the generic processor whose code it can run; null: none */
};

static const struct processor processors[] = {
    {0x20, CO_GFX6, false, false, "gfx600", NULL},
    {0x21, CO_GFX6, false, false, "gfx601", NULL},
    {0x3a, CO_GFX6, false, false, "gfx602", NULL},
    {0x22, CO_GFX7, false, false, "gfx700", NULL},
    {0x23, CO_GFX7, false, false, "gfx701", NULL},
    {0x24, CO_GFX7, false, false, "gfx702", NULL},
    {0x25, CO_GFX7, false, false, "gfx703", NULL},
    {0x26, CO_GFX7, false, false, "gfx704", NULL},
    {0x3b, CO_GFX7, false, false, "gfx705", NULL},
    {0x28, CO_GFX8, true, false, "gfx801", NULL},
    {0x29, CO_GFX8, false, false, "gfx802", NULL},
    {0x2a, CO_GFX8, false, false, "gfx803", NULL},
    {0x3c, CO_GFX8, false, false, "gfx805", NULL},
    {0x2b, CO_GFX8, true, false, "gfx810", NULL},
    {0x2c, CO_GFX9, true, false, "gfx900", "gfx9-generic"},
    {0x2d, CO_GFX9, true, false, "gfx902", "gfx9-generic"},
    {0x2e, CO_GFX9, true, false, "gfx904", "gfx9-generic"},
    {0x2f, CO_GFX9, true, true, "gfx906", "gfx9-generic"},
    {0x30, CO_GFX908, true, true, "gfx908", NULL},
    {0x31, CO_GFX9, true, false, "gfx909", "gfx9-generic"},
    {0x32, CO_GFX9, true, false, "gfx90c", "gfx9-generic"},
    {0x3f, CO_GFX90A, true, true, "gfx90a", NULL},
    {0x40, CO_GFX90A, true, true, "gfx940", "gfx9-4-generic"},
    {0x4b, CO_GFX90A, true, true, "gfx941", "gfx9-4-generic"},
    {0x4c, CO_GFX90A, true, true, "gfx942", "gfx9-4-generic"},
    {0x4f, CO_GFX90A, true, true, "gfx950", "gfx9-4-generic"},
    {0x33, CO_GFX10, true, false, "gfx1010", "gfx10-1-generic"},
    {0x34, CO_GFX10, true, false, "gfx1011", "gfx10-1-generic"},
    {0x35, CO_GFX10, true, false, "gfx1012", "gfx10-1-generic"},
    {0x42, CO_GFX10, true, false, "gfx1013", "gfx10-1-generic"},
    {0x36, CO_GFX10, false, false, "gfx1030", "gfx10-3-generic"},
    {0x37, CO_GFX10, false, false, "gfx1031", "gfx10-3-generic"},
    {0x38, CO_GFX10, false, false, "gfx1032", "gfx10-3-generic"},
    {0x39, CO_GFX10, false, false, "gfx1033", "gfx10-3-generic"},
    {0x3e, CO_GFX10, false, false, "gfx1034", "gfx10-3-generic"},
    {0x3d, CO_GFX10, false, false, "gfx1035", "gfx10-3-generic"},
    {0x45, CO_GFX10, false, false, "gfx1036", "gfx10-3-generic"},
    {0x41, CO_GFX11, false, false, "gfx1100", "gfx11-generic"},
    {0x46, CO_GFX11, false, false, "gfx1101", "gfx11-generic"},
    {0x47, CO_GFX11, false, false, "gfx1102", "gfx11-generic"},
    {0x44, CO_GFX11, false, false, "gfx1103", "gfx11-generic"},
    {0x43, CO_GFX11, false, false, "gfx1150", "gfx11-generic"},
    {0x4a, CO_GFX11, false, false, "gfx1151", "gfx11-generic"},
    {0x55, CO_GFX11, false, false, "gfx1152", "gfx11-generic"},
    {0x58, CO_GFX11, false, false, "gfx1153", "gfx11-generic"},
    {0x48, CO_GFX12, false, false, "gfx1200", "gfx12-generic"},
    {0x4e, CO_GFX12, false, false, "gfx1201", "gfx12-generic"},
    {0x49, CO_GFX12_5, true, true, "gfx1250", "gfx12-5-generic"},
    {0x5a, CO_GFX12_5, true, true, "gfx1251", "gfx12-5-generic"},
    {0x51, CO_GFX9, true, false, "gfx9-generic", NULL},
    {0x5f, CO_GFX90A, true, true, "gfx9-4-generic", NULL},
    {0x52, CO_GFX10, true, false, "gfx10-1-generic", NULL},
    {0x53, CO_GFX10, false, false, "gfx10-3-generic", NULL},
    {0x54, CO_GFX11, false, false, "gfx11-generic", NULL},
    {0x59, CO_GFX12, false, false, "gfx12-generic", NULL},
    {0x5b, CO_GFX12_5, true, true, "gfx12-5-generic", NULL},
};

#define PROCESSORS (sizeof processors / sizeof processors[0])

static bool is_generic(const struct processor *p)
{
    return strstr(p->name, "-generic") != NULL;
}

static const struct processor *find_name(const char *name, size_t len)
{
    for (size_t i = 0; i < PROCESSORS; i++)
        if (strlen(processors[i].name) == len && !memcmp(processors[i].name, name, len))
            return &processors[i];
    return NULL;
}

static void set_processor(struct co_target_id *out, const struct processor *p)
{
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", p->name);
    out->family = (enum co_family)p->family;
    out->xnack = p->xnack ? CO_FEATURE_ANY : CO_FEATURE_UNSUPPORTED;
    out->sramecc = p->sramecc ? CO_FEATURE_ANY : CO_FEATURE_UNSUPPORTED;
}

/* A feature that is set for a processor without that feature means a damaged header. */
static int check_feature(const char *what, enum co_feature value, bool has, const struct processor *p, uint32_t flags,
                         struct err *e)
{
    if (value != CO_FEATURE_UNSUPPORTED && !has)
        return err_set(e, ERR_FORMAT, "e_flags 0x%x (offset 48): %s has no %s setting, expected its bits to be zero",
                       flags, p->name, what);
    return 0;
}

static const struct processor *find_mach(uint32_t flags)
{
    for (size_t i = 0; i < PROCESSORS; i++)
        if (processors[i].mach == (flags & FLAG_MACH))
            return &processors[i];
    return NULL;
}

void co_target_from_mach(struct co_target_id *out, uint32_t flags)
{
    const struct processor *p = find_mach(flags);

    *out = (struct co_target_id){0};
    if (p)
        set_processor(out, p);
}

int co_target_from_flags(struct co_target_id *out, uint32_t flags, unsigned version, struct err *e)
{
    static const uint32_t known[] = {
        [3] = FLAG_KNOWN_V3, [4] = FLAG_KNOWN_V4, [5] = FLAG_KNOWN_V4, [6] = FLAG_KNOWN_V6};
    const struct processor *p = find_mach(flags);

    if (!p)
        return err_set(e, ERR_UNSUPPORTED,
                       "e_flags 0x%x (offset 48): processor number 0x%02x is not an amdgcn processor gcnsim knows",
                       flags, flags & FLAG_MACH);
    if (flags & ~known[version])
        return err_set(e, ERR_FORMAT, "e_flags 0x%x (offset 48): bits 0x%x are not defined in code object v%u", flags,
                       flags & ~known[version], version);
    set_processor(out, p);
    if (version == 3) { /* one bit each, set = on; there is no "any" */
        if (p->xnack)
            out->xnack = flags & FLAG_XNACK_V3 ? CO_FEATURE_ON : CO_FEATURE_OFF;
        if (p->sramecc)
            out->sramecc = flags & FLAG_SRAMECC_V3 ? CO_FEATURE_ON : CO_FEATURE_OFF;
        if (check_feature("xnack", (flags & FLAG_XNACK_V3) ? CO_FEATURE_ON : CO_FEATURE_UNSUPPORTED, p->xnack, p, flags,
                          e))
            return -1;
        return check_feature("sramecc", (flags & FLAG_SRAMECC_V3) ? CO_FEATURE_ON : CO_FEATURE_UNSUPPORTED, p->sramecc,
                             p, flags, e);
    }
    /* two bits: 0 unsupported, 1 any, 2 off, 3 on: the order of enum co_feature */
    out->xnack = (enum co_feature)((flags >> FLAG_XNACK_V4_SHIFT) & 3);
    out->sramecc = (enum co_feature)((flags >> FLAG_SRAM_V4_SHIFT) & 3);
    out->generic_version = flags >> FLAG_GENERIC_SHIFT;
    if (check_feature("xnack", out->xnack, p->xnack, p, flags, e) ||
        check_feature("sramecc", out->sramecc, p->sramecc, p, flags, e))
        return -1;
    if (is_generic(p) && version < 6)
        return err_set(e, ERR_FORMAT,
                       "e_flags 0x%x (offset 48): generic processor %s needs code object v6, this is v%u", flags,
                       p->name, version);
    if (is_generic(p) != (out->generic_version != 0))
        return err_set(e, ERR_FORMAT, "e_flags 0x%x (offset 48): generic version %u of %s, expected %s", flags,
                       out->generic_version, p->name, is_generic(p) ? "1..255" : "0");
    return 0;
}

int co_target_parse(struct co_target_id *out, const char *text, struct err *e)
{
    size_t len = strcspn(text, ":");
    const struct processor *p = find_name(text, len);

    if (!p)
        return err_set(e, ERR_USAGE, "target \"%.60s\": no such amdgcn processor, expected gfx90a, gfx1201, ...", text);
    set_processor(out, p);
    for (const char *at = text + len; *at;) {
        const char *word = at + 1;
        size_t n = strcspn(word, ":");
        bool xnack = n == 6 && !memcmp(word, "xnack", 5), sramecc = n == 8 && !memcmp(word, "sramecc", 7);
        char sign = n ? word[n - 1] : 0;
        if ((!xnack && !sramecc) || (sign != '+' && sign != '-'))
            return err_set(e, ERR_USAGE, "target \"%.60s\": \"%.*s\", expected xnack+, xnack-, sramecc+ or sramecc-",
                           text, (int)(n > 20 ? 20 : n), word);
        enum co_feature *f = xnack ? &out->xnack : &out->sramecc;
        if (*f == CO_FEATURE_UNSUPPORTED)
            return err_set(e, ERR_USAGE, "target \"%.60s\": %s has no %s setting", text, p->name,
                           xnack ? "xnack" : "sramecc");
        if (*f != CO_FEATURE_ANY)
            return err_set(e, ERR_USAGE, "target \"%.60s\": %s is given twice", text, xnack ? "xnack" : "sramecc");
        *f = sign == '+' ? CO_FEATURE_ON : CO_FEATURE_OFF;
        at = word + n;
    }
    return 0;
}

static const char *feature_text(enum co_feature f, const char *on, const char *off)
{
    return f == CO_FEATURE_ON ? on : f == CO_FEATURE_OFF ? off : "";
}

void co_target_format(const struct co_target_id *id, char out[CO_TARGET_TEXT])
{
    snprintf(out, CO_TARGET_TEXT, "%s%s%s", id->name, feature_text(id->sramecc, ":sramecc+", ":sramecc-"),
             feature_text(id->xnack, ":xnack+", ":xnack-"));
}

/* 0: contradiction; 1: compatible; 2: the same setting */
static unsigned feature_match(enum co_feature have, enum co_feature want)
{
    bool have_set = have == CO_FEATURE_ON || have == CO_FEATURE_OFF;
    bool want_set = want == CO_FEATURE_ON || want == CO_FEATURE_OFF;

    if (have_set && want_set)
        return have == want ? 2 : 0;
    return have_set == want_set ? 2 : 1;
}

unsigned co_target_match(const struct co_target_id *have, const struct co_target_id *want)
{
    unsigned xnack = feature_match(have->xnack, want->xnack), sramecc = feature_match(have->sramecc, want->sramecc);

    if (!xnack || !sramecc)
        return 0;
    if (!strcmp(have->name, want->name))
        return xnack + sramecc; /* 2..4 */
    const struct processor *p = find_name(want->name, strlen(want->name));
    return p && p->generic && !strcmp(p->generic, have->name) ? 1 : 0;
}

const char *co_target_name(unsigned index)
{
    return index < PROCESSORS ? processors[index].name : NULL;
}

const char *co_family_name(enum co_family family)
{
    static const char *const names[] = {"gfx6",          "gfx7",  "gfx8",  "gfx9",  "gfx908",
                                        "gfx90a/gfx94x", "gfx10", "gfx11", "gfx12", "gfx1250"};
    return names[family];
}
