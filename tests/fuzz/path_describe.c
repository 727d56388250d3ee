/* fuzz_path, before anything runs: what can be asked about a code object, its disassembly, and the choice of a profile.
 */
#include "tests/support/json.h"
#include <string.h>

#include "tests/fuzz/path_scene.h"

enum {
    MAX_WORDS = 8192, /* of code that are disassembled */
    MAX_KERNELS = 16, /* that are described */
};

volatile size_t path_sink;

void path_must_refuse(int status, const struct gcnsim_error *e)
{
    MUST(status != GCNSIM_OK && e->code == status && e->text[0] && strlen(e->text) < sizeof e->text);
    MUST(status == GCNSIM_ERROR_IO || status == GCNSIM_ERROR_FORMAT || status == GCNSIM_ERROR_USAGE ||
         status == GCNSIM_ERROR_UNSUPPORTED || status == GCNSIM_ERROR_NOMEM || status == GCNSIM_ERROR_LIMIT);
}

/* ---- description ---- */

static void describe_kernel(const struct scene *s, uint32_t index)
{
    struct gcnsim_kernel_info k, other;
    struct gcnsim_arg_info a;
    struct gcnsim_error e = {0};
    uint32_t found;
    char *json;

    MUST(gcnsim_code_kernel(s->code, index, &k) == 0);
    path_sink += strlen(k.name) + strlen(k.symbol);
    MUST(k.explicit_arg_count <= k.arg_count);
    for (uint32_t i = 0; gcnsim_code_kernel_arg(s->code, index, i, &a) == 0; i++)
        path_sink +=
            strlen(a.name) + strlen(a.type_name) + strlen(a.value_kind) + strlen(a.address_space) + strlen(a.access);
    /* the first of that symbol, which metadata may give to several */
    MUST(gcnsim_code_find_kernel(s->code, k.symbol, &found, &e) == GCNSIM_OK && found <= index);
    MUST(gcnsim_code_kernel(s->code, found, &other) == 0 && strcmp(other.symbol, k.symbol) == 0);
    MUST(gcnsim_json_string(k.name, &json, &e) == GCNSIM_OK);
    const struct json *text = json_parse(json);
    MUST(json_is_string(text));
    json_free(text);
    gcnsim_free(json);
    if (s->launch.flags & PATH_OCCUPANCY) {
        struct gcnsim_occupancy o;
        int status = gcnsim_code_occupancy(s->code, index, s->profile[0] ? s->profile : NULL, s->launch.workgroup[0],
                                           s->launch.dynamic_lds, &o, &e);
        if (status)
            path_must_refuse(status, &e);
        else
            MUST(o.waves_per_workgroup > 0 && o.limiter[0] && o.cus > 0);
    }
}

static int reads_a_clock(const char *text)
{
    static const char *const those[] = {"s_memtime",     "s_memrealtime",       "s_getreg",
                                        "s_sendmsg_rtn", "s_get_shader_cycles", "s_sleep_var"};

    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (strncmp(text, those[i], strlen(those[i])) == 0)
            return 1;
    return 0;
}

/* The disassembler of a processor, kept open; null when there is none. Several processors, and generic ones, share an
 * instruction set and with it a disassembler. */
static const struct gcnsim_disasm *disassembler(const char *processor)
{
    static struct gcnsim_disasm *open[64];
    struct gcnsim_error e = {0};
    const char *set = gcnsim_instruction_set(processor), *name;
    unsigned i = 0;

    while (i < 64 && (name = gcnsim_target_name(i)) && strcmp(name, set) != 0)
        i++;
    if (i < 64 && name && open[i])
        return open[i];
    struct gcnsim_disasm *d;
    int status = gcnsim_disasm_open(&d, processor, &e);
    if (status) {
        path_must_refuse(status, &e);
        return NULL;
    }
    MUST(i < 64 && name);
    return open[i] = d;
}

/* Disassembles at every word, because branches may lead into the middle of an instruction. */
static void disassemble(struct scene *s, const char *processor)
{
    const struct gcnsim_disasm *d = disassembler(processor);
    struct gcnsim_code_range range;
    char text[256], cut[8];
    unsigned words = 0;
    int known;

    s->repeatable = d != NULL;
    if (!d)
        return;
    for (uint32_t i = 0; gcnsim_code_text(s->code, i, &range) == 0; i++) {
        uint8_t *code = malloc(range.size);
        MUST(code && range.size);
        memcpy(code, range.bytes, range.size);
        for (uint64_t at = 0; at + 4 <= range.size && words < MAX_WORDS; at += 4, words++) {
            size_t n = gcnsim_disasm_one(d, code + at, range.size - at, text, sizeof text, &known);
            MUST(n >= 4 && n <= 20 && n <= range.size - at && (known || n == 4));
            MUST(n == gcnsim_disasm_one(d, code + at, range.size - at, cut, sizeof cut, NULL));
            MUST(strncmp(text, cut, sizeof cut - 1) == 0);
            if (reads_a_clock(text))
                s->repeatable = 0;
        }
        free(code);
    }
    if (words == MAX_WORDS)
        s->repeatable = 0;
}

void path_describe(struct scene *s)
{
    struct gcnsim_code_info info;
    struct gcnsim_symbol_info symbol;
    struct gcnsim_error e = {0};
    char *text;

    gcnsim_code_get_info(s->code, &info);
    MUST(strcmp(info.name, "fuzz") == 0 && info.processor[0] && strncmp(info.target, "gfx", 3) == 0);
    for (uint32_t i = 0; i < info.kernel_count && i < MAX_KERNELS; i++)
        describe_kernel(s, i);
    for (uint32_t i = 0; i < info.symbol_count; i++) {
        MUST(gcnsim_code_symbol(s->code, i, &symbol) == 0);
        path_sink += strlen(symbol.name);
    }
    MUST(gcnsim_code_symbol(s->code, info.symbol_count, &symbol) != 0);
    disassemble(s, info.processor);
    if (!(s->launch.flags & PATH_WRAP) && info.kernel_count)
        return;
    int status = gcnsim_compare_wrap(s->code, NULL, s->launch.threads & 1 ? 0 : 32, &text, &e);
    if (status) {
        path_must_refuse(status, &e);
    } else {
        path_sink += strlen(text);
        gcnsim_free(text);
    }
}

/* Number `wish` of the profiles that suit the processor (any: of all); 0 is none at all. */
static void choose_profile(struct scene *s, const char *processor)
{
    struct gcnsim_profile_info p;
    unsigned suiting = 0, wish = s->launch.profile;
    int any = (s->launch.flags & PATH_ANY_PROFILE) != 0;

    for (uint32_t i = 0; gcnsim_profile_list(i, &p) == 0; i++)
        suiting += any || strcmp(p.target, processor) == 0;
    wish = wish % (suiting + 1);
    for (uint32_t i = 0; wish && gcnsim_profile_list(i, &p) == 0; i++)
        if ((any || strcmp(p.target, processor) == 0) && --wish == 0)
            snprintf(s->profile, sizeof s->profile, "%s", p.name);
}

/* The small chip, in the first of these ways that the profile allows. */
static const char *const *choose_chip(const struct scene *s, const char *processor)
{
    static const char *const ways[][6] = {
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=262144", "cache.mall.size_bytes=2097152"},
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=262144"},
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=393216", "cache.mall.size_bytes=1572864"},
        {"gpu.cus=16", "gpu.shader_engines=2", "gpu.xcds=2", "cache.l2.size_bytes=262144",
         "cache.mall.size_bytes=2097152"},
        {NULL},
    };
    static struct {
        char name[64];
        const char *const *way;
    } known[64];
    const char *name = s->profile[0] ? s->profile : processor;
    unsigned i, w;

    for (i = 0; i < 63 && known[i].name[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].way;
    for (w = 0; ways[w][0]; w++) {
        size_t sets = 0;
        char *text;
        while (ways[w][sets])
            sets++;
        if (gcnsim_profile_show(name, ways[w], sets, GCNSIM_JSON, &text, NULL) == GCNSIM_OK) {
            gcnsim_free(text);
            break;
        }
    }
    snprintf(known[i].name, sizeof known[i].name, "%s", name);
    return known[i].way = ways[w];
}

/* A line of the profile's text begins with the path of a figure. */
static const char *line_at(const char *text, unsigned number)
{
    for (; number; number--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* Paths of figures of the profile, by the number of the line, and values that may suit them. */
static void choose_figures(struct scene *s, const char *processor)
{
    static const char *const words[] = {"true", "false", "round_robin", "every_cycle", "lru", "-1", "0.5", "1e9",
                                        "",     "x"};
    unsigned lines = 0, wish = s->launch.figure;
    uint64_t seed = wish;
    uint32_t v = s->launch.figure_value;
    char *text;

    if (gcnsim_profile_show(s->profile[0] ? s->profile : processor, NULL, 0, GCNSIM_TEXT, &text, NULL))
        return;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    MUST(lines > 0);
    for (unsigned i = 0; i <= s->launch.figure % PATH_MAX_FIGURES; i++) {
        const char *line = line_at(text, wish % lines);
        int n = (int)strcspn(line, " \n");
        if (v >> 28 == 15)
            snprintf(s->figure[i], sizeof s->figure[i], "%.*s=%s", n < 120 ? n : 120, line, words[v % 10]);
        else
            snprintf(s->figure[i], sizeof s->figure[i], "%.*s=%u", n < 120 ? n : 120, line, v);
        s->figures = i + 1;
        wish = path_random(&seed);
        v = path_random(&seed) >> path_random(&seed) % 32;
    }
    gcnsim_free(text);
}

void path_choose_profile(struct scene *s, const char *processor)
{
    static const char *const whole[] = {NULL};

    choose_profile(s, processor);
    s->chip = s->launch.flags & PATH_WHOLE_CHIP ? whole : choose_chip(s, processor);
    if (s->launch.flags & PATH_SET_FIGURE)
        choose_figures(s, processor);
}
