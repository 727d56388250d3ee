/* See gen_kernel.h. One struct gen walks the grammar and prints as it goes; every choice comes from its own generator.
 */
#include "tests/fuzz/gen_kernel.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum type { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, F16, TYPES };

static const char *const type_names[TYPES] = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                              "i64", "u64", "f32", "f64", "f16"};

enum { MAX_VARS = 48, MAX_ARRAYS = 6, MAX_FUNCTIONS = 4, NAME_BYTES = 16 };

struct array {
    enum type type;
    unsigned log2_size;
};

struct function {
    enum type result, args[3];
};

struct gen {
    FILE *f;
    uint64_t seed, random;
    unsigned indent;
    struct {
        enum type type;
        char name[NAME_BYTES];
        bool writable;
    } vars[MAX_VARS]; /* in scope */
    size_t var_count;
    unsigned next_name;
    struct array arrays[MAX_ARRAYS]; /* in scratch */
    size_t array_count;
    struct function functions[MAX_FUNCTIONS];
    size_t function_count;
    bool in_function; /* no inputs there */
    bool has_lds;
    size_t before_loop; /* variables from before the innermost loop */
    unsigned loops;     /* around a statement, without a caller's */
    unsigned loop_depth, nesting, statements;
};

/* ---- choices and printing ---- */

static uint64_t next_random(struct gen *g)
{
    uint64_t z = g->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned below(struct gen *g, unsigned n)
{
    return (unsigned)(next_random(g) >> 20) % n;
}

static bool chance(struct gen *g, unsigned percent)
{
    return below(g, 100) < percent;
}

__attribute__((format(printf, 2, 3))) static void put(struct gen *g, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(g->f, format, ap);
    va_end(ap);
}

static void start_line(struct gen *g)
{
    put(g, "%*s", (int)(4 * g->indent), "");
}

static void open_block(struct gen *g)
{
    put(g, " {\n");
    g->indent++;
    g->nesting++;
}

static void close_block(struct gen *g)
{
    g->indent--;
    g->nesting--;
    start_line(g);
    put(g, "}\n");
}

static enum type any_type(struct gen *g)
{
    static const enum type often[] = {U32, U32, I32, I32, U64, I64, F32, F32, F64};
    return chance(g, 60) ? often[below(g, sizeof often / sizeof *often)] : (enum type)below(g, TYPES);
}

static enum type int_type(struct gen *g)
{
    return (enum type)below(g, F32);
}

static bool is_float(enum type t)
{
    return t >= F32;
}

/* ---- expressions ---- */

static void expr(struct gen *g, enum type t, unsigned depth);

static void constant(struct gen *g, enum type t)
{
    static const char *const ints[] = {"0",      "1",          "2",       "7",         "31",         "0x80",     "0xff",
                                       "0x7fff", "0x80000000", "0x10001", "123456789", "0xfffffff1", "0xffff00", "100"};
    static const char *const floats[] = {"0.5", "1.0", "-2.0", "3.0", "0.1", "-1.5", "1000.0", "0.0", "7.25", "1e-3"};
    if (is_float(t))
        put(g, "(%s)%s", type_names[t], floats[below(g, sizeof floats / sizeof *floats)]);
    else if (chance(g, 70))
        put(g, "(%s)%s", type_names[t], ints[below(g, sizeof ints / sizeof *ints)]);
    else
        put(g, "(%s)0x%llxull", type_names[t], (unsigned long long)next_random(g));
}

/* Opens the conversion of an expression of type `from` to `to`; ends with a bracket the caller closes. */
static void convert(struct gen *g, enum type to, enum type from)
{
    if (to == from)
        put(g, "(");
    else if (is_float(from) && !is_float(to))
        put(g, "(%s)%s_of_%s(", type_names[to], chance(g, 50) ? "int" : "long", type_names[from]);
    else if (to == F16 && is_float(from))
        put(g, "half_of((f32)");
    else if (to == F16)
        put(g, "(f16)(%s)(", from & 1 ? "u16" : "i16");
    else
        put(g, "(%s)(", type_names[to]);
}

static void input(struct gen *g, enum type t)
{
    unsigned k = below(g, 12);
    if (g->in_function) {
        constant(g, t);
        return;
    }
    if (t == F16 || t == F32 || t == F64)
        put(g, t == F16 ? "IH(%u)" : t == F32 ? "IF(%u)" : "ID(%u)", k);
    else if (chance(g, 20))
        put(g, "(%s)in[IN_U32 + %u]", type_names[t], below(g, 1024)); /* the same in all lanes */
    else if (chance(g, 10))
        put(g, "(%s)gid", type_names[t]);
    else
        put(g, t >= I64 ? "(%s)IU64(%u)" : "(%s)IU(%u)", type_names[t], k);
}

static void index_of(struct gen *g, unsigned log2_size, unsigned depth)
{
    put(g, "(u32)");
    expr(g, chance(g, 70) ? U32 : int_type(g), depth);
    put(g, " & %u", (1u << log2_size) - 1);
}

static void leaf(struct gen *g, enum type t)
{
    if (g->array_count && chance(g, 12)) {
        unsigned a = below(g, (unsigned)g->array_count);
        convert(g, t, g->arrays[a].type);
        put(g, "a%u[%u])", a, below(g, 1u << g->arrays[a].log2_size));
    } else if (g->var_count && chance(g, 70)) {
        size_t v = below(g, (unsigned)g->var_count);
        for (unsigned i = 0; i < 3 && g->vars[v].type != t; i++) /* rather one of the type */
            v = below(g, (unsigned)g->var_count);
        convert(g, t, g->vars[v].type);
        put(g, "%s)", g->vars[v].name);
    } else if (chance(g, 55)) {
        input(g, t);
    } else {
        constant(g, t);
    }
}

static void condition(struct gen *g, unsigned depth)
{
    static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    if (depth && chance(g, 25)) {
        put(g, "(");
        condition(g, depth - 1);
        put(g, chance(g, 50) ? " && " : " || ");
        condition(g, depth - 1);
        put(g, ")");
        return;
    }
    enum type t = any_type(g);
    put(g, chance(g, 10) ? "!(" : "(");
    expr(g, t, depth ? depth - 1 : 0);
    put(g, " %s ", compare[below(g, 6)]);
    expr(g, t, depth ? depth - 1 : 0);
    put(g, ")");
}

/* A call of op_TYPE from kernel_ops.h. */
static void operation(struct gen *g, enum type t, unsigned depth)
{
    static const struct {
        const char *name;
        unsigned operands;
    } ints[] = {{"add", 2}, {"add", 2}, {"sub", 2},   {"sub", 2},     {"mul", 2},     {"mul", 2},
                {"mad", 3}, {"and", 2}, {"or", 2},    {"xor", 2},     {"xor", 2},     {"not", 1},
                {"neg", 1}, {"shl", 2}, {"shr", 2},   {"shr", 2},     {"div", 2},     {"rem", 2},
                {"min", 2}, {"max", 2}, {"count", 1}, {"sat_add", 2}, {"sat_sub", 2}, {"reverse", 1}},
      floats[] = {{"add", 2},   {"add", 2},  {"sub", 2},   {"mul", 2},  {"mul", 2}, {"mad", 3},
                  {"fma", 3},   {"div", 2},  {"neg", 1},   {"abs", 1},  {"min", 2}, {"max", 2},
                  {"floor", 1}, {"ceil", 1}, {"trunc", 1}, {"rint", 1}, {"sqrt", 1}};
    unsigned n = is_float(t) ? sizeof floats / sizeof *floats : sizeof ints / sizeof *ints, k = below(g, n);
    unsigned operands = is_float(t) ? floats[k].operands : ints[k].operands;
    put(g, "%s_%s(", is_float(t) ? floats[k].name : ints[k].name, type_names[t]);
    for (unsigned i = 0; i < operands; i++) {
        put(g, i ? ", " : "");
        expr(g, t, depth - 1);
    }
    put(g, ")");
}

static void call(struct gen *g, enum type t, unsigned depth)
{
    unsigned k = below(g, (unsigned)g->function_count);
    const struct function *fn = &g->functions[k];
    convert(g, t, fn->result);
    if (chance(g, 30) && !g->in_function) {
        /* through a pointer; the functions with even numbers look alike */
        put(g, "(");
        condition(g, 1);
        put(g, " ? fn%llu_%u : fn%llu_%u)", (unsigned long long)g->seed, k, (unsigned long long)g->seed,
            k & 2 ? k - 2 : k);
    } else {
        put(g, "fn%llu_%u", (unsigned long long)g->seed, k);
    }
    for (unsigned i = 0; i < 3; i++) {
        put(g, i ? ", " : "(");
        expr(g, fn->args[i], depth > 2 ? 1 : 0);
    }
    put(g, "))");
}

static void expr(struct gen *g, enum type t, unsigned depth)
{
    unsigned how = below(g, 100);
    if (depth == 0 || how < 12) {
        leaf(g, t);
    } else if (how < 62) {
        operation(g, t, depth);
    } else if (how < 74) {
        enum type from = any_type(g);
        convert(g, t, from);
        expr(g, from, depth - 1);
        put(g, ")");
    } else if (how < 84) {
        put(g, "select_%s(", type_names[t]);
        condition(g, depth - 1);
        put(g, ", ");
        expr(g, t, depth - 1);
        put(g, ", ");
        expr(g, t, depth - 1);
        put(g, ")");
    } else if (how < 90 && g->array_count) {
        unsigned a = below(g, (unsigned)g->array_count);
        convert(g, t, g->arrays[a].type);
        put(g, "a%u[", a);
        index_of(g, g->arrays[a].log2_size, depth - 1);
        put(g, "])");
    } else if (how < 93 && g->function_count && g->loop_depth < 2) {
        call(g, t, depth);
    } else if (how < 96 && g->has_lds) {
        convert(g, t, U32);
        put(g, "lds[");
        index_of(g, 8, depth - 1);
        put(g, "])");
    } else if (how < 98 && !g->in_function) {
        convert(g, t, U32);
        put(g, "in[IN_U32 + (");
        index_of(g, 10, depth - 1);
        put(g, ")])");
    } else {
        operation(g, t, depth);
    }
}

/* ---- statements ---- */

static void statement(struct gen *g);

static void add_var(struct gen *g, enum type t, bool writable)
{
    g->vars[g->var_count].type = t;
    g->vars[g->var_count].writable = writable;
    snprintf(g->vars[g->var_count].name, NAME_BYTES, "v%u", g->next_name++);
    g->var_count++;
}

static void declare(struct gen *g)
{
    enum type t = any_type(g);
    start_line(g);
    put(g, "%s v%u = ", type_names[t], g->next_name);
    expr(g, t, 2);
    put(g, ";\n");
    add_var(g, t, true);
}

/* An expression to assign; what loops carry along is fenced (latch_T, kernel_ops.h). */
static void assigned(struct gen *g, enum type t, unsigned depth, bool carried)
{
    if (carried)
        put(g, "latch_%s(", type_names[t]);
    expr(g, t, depth);
    if (carried)
        put(g, ")");
}

static void assign(struct gen *g)
{
    size_t v = below(g, (unsigned)g->var_count);
    start_line(g);
    if (g->array_count && chance(g, 30)) {
        unsigned a = below(g, (unsigned)g->array_count);
        put(g, "a%u[", a);
        index_of(g, g->arrays[a].log2_size, 2);
        put(g, "] = ");
        assigned(g, g->arrays[a].type, 2, g->loops > 0);
    } else if (g->vars[v].writable) {
        put(g, "%s = ", g->vars[v].name);
        assigned(g, g->vars[v].type, 2 + below(g, 2), g->loops && v < g->before_loop);
    } else {
        put(g, "(void)%s", g->vars[v].name);
    }
    put(g, ";\n");
}

static void block(struct gen *g, unsigned statements)
{
    size_t vars = g->var_count;
    open_block(g);
    for (unsigned i = 0; i < statements; i++)
        statement(g);
    close_block(g);
    g->var_count = vars;
}

static void branch(struct gen *g)
{
    start_line(g);
    put(g, "if (");
    condition(g, 2);
    put(g, ")");
    block(g, 1 + below(g, 3));
    if (chance(g, 50)) {
        start_line(g);
        put(g, "else");
        block(g, 1 + below(g, 2));
    }
}

static void loop(struct gen *g)
{
    unsigned n = g->next_name++;
    size_t vars = g->var_count, outer = g->before_loop;
    start_line(g);
    put(g, "for (u32 v%u = latch_u32(0), n%u = ", n, n);
    if (chance(g, 40)) {
        put(g, "%u", 1 + below(g, 7));
    } else {
        put(g, "(u32)");
        expr(g, U32, 2);
        put(g, " & 7");
    }
    put(g, "; v%u < n%u; v%u++)", n, n, n);
    open_block(g);
    g->loop_depth++;
    g->loops++;
    g->before_loop = vars;
    g->vars[g->var_count].type = U32;
    g->vars[g->var_count].writable = false;
    snprintf(g->vars[g->var_count++].name, NAME_BYTES, "v%u", n);
    for (unsigned i = 0, count = 1 + below(g, 3); i < count; i++)
        statement(g);
    if (chance(g, 40)) {
        start_line(g);
        put(g, "if (");
        condition(g, 1);
        put(g, ")\n%*s%s;\n", (int)(4 * g->indent + 4), "", chance(g, 60) ? "break" : "continue");
        statement(g);
    }
    g->loops--;
    g->loop_depth--;
    g->before_loop = outer;
    close_block(g);
    g->var_count = vars;
}

static void choose(struct gen *g)
{
    unsigned mask = chance(g, 50) ? 7 : 15;
    start_line(g);
    put(g, "switch ((u32)");
    expr(g, int_type(g), 2);
    put(g, " & %u)", mask);
    open_block(g);
    for (unsigned c = 0; c <= mask; c++) {
        if (chance(g, 55))
            continue;
        start_line(g);
        put(g, "case %u:", c);
        block(g, 1);
        if (chance(g, 70)) {
            start_line(g);
            put(g, "break;\n");
        }
    }
    start_line(g);
    put(g, "default:");
    block(g, 1);
    close_block(g);
}

static void statement(struct gen *g)
{
    unsigned how = below(g, 100);
    bool room = g->nesting < 5 && g->statements < 22;
    g->statements++;
    if (how < 20 && g->var_count < MAX_VARS - 8)
        declare(g);
    else if (how < 35 && room)
        branch(g);
    else if (how < 47 && room && g->loop_depth < 2)
        loop(g);
    else if (how < 53 && room)
        choose(g);
    else
        assign(g);
}

/* ---- functions and kernels ---- */

static void declare_arrays(struct gen *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct array *a = &g->arrays[g->array_count];
        a->type = any_type(g);
        a->log2_size = 1 + below(g, 4);
        unsigned n = g->next_name++;
        start_line(g);
        put(g, "%s a%zu[%u];\n", type_names[a->type], g->array_count, 1u << a->log2_size);
        start_line(g);
        put(g, "for (u32 v%u = 0; v%u < %u; v%u++)\n", n, n, 1u << a->log2_size, n);
        start_line(g);
        put(g, "    a%zu[v%u] = add_%s(", g->array_count, n, type_names[a->type]);
        expr(g, a->type, 1);
        put(g, ", ");
        convert(g, a->type, U32);
        put(g, "v%u));\n", n);
        g->array_count++;
    }
}

static void function(struct gen *g)
{
    unsigned k = (unsigned)g->function_count;
    struct function fn = {.result = any_type(g), .args = {any_type(g), any_type(g), any_type(g)}};
    if (k & 2) /* as the one two before, so that a pointer can lead to either */
        fn = g->functions[k - 2];
    g->var_count = g->array_count = g->next_name = 0;
    g->statements = 15;
    g->loop_depth = 1; /* the caller may loop as well */
    g->in_function = true;
    put(g, "NOINLINE %s fn%llu_%u(", type_names[fn.result], (unsigned long long)g->seed, k);
    for (unsigned i = 0; i < 3; i++) {
        put(g, "%s%s v%u", i ? ", " : "", type_names[fn.args[i]], i);
        add_var(g, fn.args[i], true);
    }
    put(g, ")\n{\n");
    g->indent = g->nesting = 1;
    if (chance(g, 40))
        declare_arrays(g, 1);
    for (unsigned i = 0, n = 2 + below(g, 4); i < n; i++)
        statement(g);
    put(g, "    return ");
    expr(g, fn.result, 3);
    put(g, ";\n}\n\n");
    g->functions[g->function_count++] = fn;
    g->in_function = false;
    g->loop_depth = 0;
}

static void start_body(struct gen *g)
{
    g->var_count = g->array_count = g->next_name = 0;
    g->statements = 0;
    g->nesting = 0;
    declare_arrays(g, below(g, 3));
    for (unsigned i = 0; i < 5; i++)
        declare(g);
}

static void put_value(struct gen *g, const char *name, enum type t, unsigned *slot)
{
    start_line(g);
    if (t == F32 || t == F16)
        put(g, "PUT_AT(gid, %u, bits_%s(%s));\n", (*slot)++, type_names[t], name);
    else if (t == F64)
        put(g, "PUT_AT(gid, %u, bits_f64(%s)), PUT_AT(gid, %u, bits_f64(%s) >> 32);\n", *slot, name, *slot + 1, name);
    else if (t == U64 || t == I64)
        put(g, "PUT_AT(gid, %u, %s), PUT_AT(gid, %u, %s >> 32);\n", *slot, name, *slot + 1, name);
    else
        put(g, "PUT_AT(gid, %u, %s);\n", (*slot)++, name);
    if (t == F64 || t == U64 || t == I64)
        *slot += 2;
}

/* Everything that is in scope, as far as there is room. */
static void put_all(struct gen *g, unsigned *slot, unsigned end)
{
    for (size_t v = 0; v < g->var_count && *slot + 2 <= end; v++)
        put_value(g, g->vars[v].name, g->vars[v].type, slot);
    for (size_t a = 0; a < g->array_count && *slot + 2 <= end; a++) {
        char name[2 * NAME_BYTES];
        snprintf(name, sizeof name, "a%zu[gid & %u]", a, (1u << g->arrays[a].log2_size) - 1);
        put_value(g, name, g->arrays[a].type, slot);
    }
}

static void plain_kernel(struct gen *g)
{
    unsigned slot = 0;
    put(g, "KERNEL(seed_%llu)\n{\n    BEGIN;\n", (unsigned long long)g->seed);
    g->indent = 1;
    start_body(g);
    for (unsigned i = 0, n = 4 + below(g, 5); i < n; i++)
        statement(g);
    put_all(g, &slot, 48);
    if (chance(g, 40))
        put(g, "    __atomic_fetch_%s(&acc[32 + (gid & 63)], (u32)gid * 77, __ATOMIC_RELAXED);\n",
            chance(g, 50) ? "add" : "xor");
    put(g, "}\n\n");
}

/* One part between barriers. The result is kept, not yet written where others read. */
static void group_part(struct gen *g, bool first, unsigned *slot)
{
    put(g, "    EACH_ITEM\n    {\n");
    g->indent = 2;
    g->has_lds = !first;
    start_body(g);
    for (unsigned i = 0, n = 2 + below(g, 4); i < n; i++)
        statement(g);
    put(g, "        MINE(kept) = ");
    expr(g, U32, 2);
    put(g, ";\n        MINE(wide) = ");
    expr(g, U64, 2);
    put(g, ";\n");
    put_all(g, slot, *slot + 10);
    put(g, "    }\n    BARRIER();\n");
}

static void group_kernel(struct gen *g)
{
    static const char *const orderless[] = {"add", "sub", "xor", "or", "and", "max", "min"};
    unsigned slot = 0;
    put(g, "GROUP_KERNEL(seed_%llu)\n{\n", (unsigned long long)g->seed);
    put(g, "    LDS(u32, lds, GROUP);\n    LDS(u64, sums, 32);\n    PRIVATE(u32, kept);\n    PRIVATE(u64, wide);\n");
    for (unsigned part = 0, parts = 2 + below(g, 2); part < parts; part++) {
        group_part(g, part == 0, &slot);
        unsigned stride = 2 * below(g, 40) + 1, op = below(g, 7);
        put(g, "    EACH_ITEM\n    {\n        lds[lid * %u & 255] = MINE(kept);\n", stride);
        put(g, "        if (lid < 32)\n            sums[lid] = gid;\n    }\n    BARRIER();\n");
        put(g, "    EACH_ITEM\n    {\n        __atomic_fetch_%s(&sums[lid & %u], MINE(wide), __ATOMIC_RELAXED);\n",
            orderless[op], below(g, 32));
        if (chance(g, 50))
            put(g, "        __atomic_fetch_%s(&acc[gid & %u], MINE(kept), __ATOMIC_RELAXED);\n", "add", below(g, 256));
        put(g, "    }\n    BARRIER();\n");
    }
    put(g, "    EACH_ITEM\n    {\n        PUT_AT(gid, 44, lds[lid]);\n        PUT_AT(gid, 45, sums[lid & 31]);\n");
    put(g, "        PUT_AT(gid, 46, sums[lid & 31] >> 32);\n    }\n}\n\n");
}

void gen_kernel_source(FILE *f, uint64_t first, size_t count)
{
    fprintf(f, "#include \"tests/system/kernels/diff/host.h\"\n#include \"tests/fuzz/kernel_ops.h\"\n\n");
    for (size_t i = 0; i < count; i++) {
        struct gen g = {.f = f, .seed = first + i, .random = (first + i) * 0x2545f4914f6cdd1d + 1};
        for (unsigned n = below(&g, MAX_FUNCTIONS + 1); n > 0; n--)
            function(&g);
        if (chance(&g, 40))
            group_kernel(&g);
        else
            plain_kernel(&g);
    }
}
