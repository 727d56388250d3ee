/* Every way a profile can be wrong: the message names the file, the path in the document and what was expected. */
#include "config/builtin.h"
#include "config/profile.h"
#include "tests/support/folder.h"
#include "tests/support/profile_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected \"%s\" in \"%s\"", part, text);
}

/* The message of parsing text, which must fail. */
static const char *parse_error(const char *text, struct err *e)
{
    struct profile *p;

    err_clear(e);
    if (!profile_parse(&p, text, strlen(text), "mine.json", e)) {
        profile_free(p);
        fail_msg("accepted: %.300s", text);
    }
    assert_null(p);
    assert_int_equal(e->code, ERR_FORMAT);
    assert_has(e->text, "mine.json: ");
    return e->text;
}

#define BASE "{\"extends\": \"gfx90a-mi210\", "
#define FROM "\"confidence\": \"guess\", \"source\": \"test\"}"

struct bad {
    const char *what, *text, *path, *expected;
};

static void run(const struct bad *cases, size_t count)
{
    struct err e = {0};

    for (size_t i = 0; i < count; i++) {
        const char *message = parse_error(cases[i].text, &e);
        char place[120];
        snprintf(place, sizeof place, "mine.json: %s", cases[i].path);
        if (!strstr(message, place) || !strstr(message, cases[i].expected))
            fail_msg("%s: expected \"%s\" and \"%s\" in \"%s\"", cases[i].what, place, cases[i].expected, message);
    }
}

#define RUN(CASES) run(CASES, sizeof CASES / sizeof *CASES)

/* The frame that the broken ones are made from is itself right. */
static void frame_is_accepted(void **state)
{
    (void)state;
    static const char text[] = BASE "\"cu\": {\"wave_slots_per_simd\": {\"value\": 4, \"unit\": \"waves\", " FROM "}}";
    struct err e = {0};
    struct profile *p;

    if (profile_parse(&p, text, strlen(text), "mine.json", &e))
        fail_msg("%s", e.text);
    assert_int_equal(p->cu.wave_slots_per_simd, 4);
    assert_string_equal(p->chip, "AMD Instinct MI210");
    assert_string_equal(p->name, "mine");
    assert_false(p->is_default_for_target); /* that of its base is not its own */
    profile_free(p);
}

static void keys(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"unknown at the top", BASE "\"cpu\": {}}", "cpu: unknown key", "expected one of chip, target"},
        {"unknown in a group", BASE "\"cu\": {\"wave_slots\": 3}}", "cu.wave_slots: unknown key",
         "expected one of simds, simd_lanes"},
        {"unknown class", BASE "\"class\": {\"vallu\": {}}}", "class.vallu: unknown key", "valu, valu_dual"},
        {"unknown cache", BASE "\"cache\": {\"l3\": {}}}", "cache.l3: unknown key", "vl0, k, i, gl1, l2, mall"},
        {"unknown in a class", BASE "\"class\": {\"valu\": {\"cost\": 1}}}", "class.valu.cost: unknown key",
         "issue_cycles_w32, issue_cycles_w64, latency_cycles"},
        {"unknown in a figure", BASE "\"cu\": {\"simds\": {\"value\": 4, \"units\": \"SIMDs\", " FROM "}}",
         "cu.simds.units: unknown key", "value, unit, confidence, source"},
        {"path as a key", BASE "\"cu.simds\": {\"value\": 4, \"unit\": \"SIMDs\", " FROM "}", "cu.simds: unknown key",
         "expected one of"},
        {"empty key", BASE "\"\": 1}", ": unknown key", "expected one of"},
        {"twice at the top", BASE "\"cu\": {}, \"cu\": {}}", "cu: given twice", "expected once"},
        {"twice in a group",
         BASE "\"cu\": {\"simds\": {\"value\": 4, \"unit\": \"SIMDs\", " FROM
              ", \"simds\": {\"value\": 4, \"unit\": \"SIMDs\", " FROM "}}",
         "cu.simds: given twice", "expected once"},
        {"twice in a figure", BASE "\"cu\": {\"simds\": {\"value\": 4, \"value\": 2, \"unit\": \"SIMDs\", " FROM "}}",
         "cu.simds.value: given twice", "expected once"},
        {"extends twice", BASE "\"extends\": \"gcn\"}", "extends: given twice", "expected once"},
        {"a group that is none", BASE "\"cu\": 3}", "cu: is a number", "expected an object"},
        {"a group too deep", BASE "\"cu\": {\"simds\": {\"value\": {\"value\": 4}, \"unit\": \"SIMDs\", " FROM "}}",
         "cu.simds: is an object", "expected a number in SIMDs"},
    };
    RUN(cases);
}

static void figures(void **state)
{
    (void)state;
#define SIMDS(REST) BASE "\"cu\": {\"simds\": {" REST "}}"
    static const struct bad cases[] = {
        {"no unit", SIMDS("\"value\": 4, " FROM), "cu.simds: missing unit", "\"unit\": \"SIMDs\""},
        {"wrong unit", SIMDS("\"value\": 4, \"unit\": \"waves\", " FROM), "cu.simds: wrong unit waves",
         "expected \"SIMDs\""},
        {"unit no string", SIMDS("\"value\": 4, \"unit\": 4, " FROM), "cu.simds: wrong unit", "expected \"SIMDs\""},
        {"no value", SIMDS("\"unit\": \"SIMDs\", " FROM), "cu.simds: missing value", "expected \"value\""},
        {"no source", SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\"}"),
         "cu.simds: missing source", "expected \"source\""},
        {"empty source", SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\", \"source\": \"\"}"),
         "cu.simds: bad source", "1 to 300 printable characters"},
        {"escape in source",
         SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\", \"source\": \"\\u001b[2J\"}"),
         "cu.simds: bad source", "printable"},
        {"source no string", SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\", \"source\": 1}"),
         "cu.simds: bad source", "expected a string"},
        {"no confidence", SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"source\": \"x\"}"),
         "cu.simds: missing confidence", "documented, measured, inferred, guess or what-if"},
        {"odd confidence", SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"sure\", \"source\": \"x\"}"),
         "cu.simds: unknown confidence", "documented, measured, inferred, guess or what-if"},
        {"measured on, though documented",
         SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"documented\", \"measured_on\": \"gfx803\", "
               "\"source\": \"x\"}"),
         "cu.simds: bad measured_on", "(inferred or guess)"},
        {"measured on no target",
         SIMDS("\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\", \"measured_on\": \"gfx803 \", "
               "\"source\": \"x\"}"),
         "cu.simds: bad measured_on", "such as \"gfx1200 gfx1201\""},
        {"measured on a number",
         SIMDS(
             "\"value\": 4, \"unit\": \"SIMDs\", \"confidence\": \"guess\", \"measured_on\": 803, \"source\": \"x\"}"),
         "cu.simds: bad measured_on", "such as"},
        {"too large", SIMDS("\"value\": 9, \"unit\": \"SIMDs\", " FROM), "cu.simds: impossible value 9",
         "whole number of SIMDs from 1 to 8"},
        {"negative", SIMDS("\"value\": -4, \"unit\": \"SIMDs\", " FROM), "cu.simds: impossible value -4",
         "from 1 to 8"},
        {"a fraction", SIMDS("\"value\": 1.5, \"unit\": \"SIMDs\", " FROM), "cu.simds: impossible value 1.5",
         "whole number"},
        {"infinite", SIMDS("\"value\": 1e400, \"unit\": \"SIMDs\", " FROM), "cu.simds.value: impossible value",
         "expected a smaller number"},
        {"value null", SIMDS("\"value\": null, \"unit\": \"SIMDs\", " FROM), "cu.simds: is null", "expected a number"},
        {"number as string", SIMDS("\"value\": \"4\", \"unit\": \"SIMDs\", " FROM), "cu.simds: is a string",
         "expected a number"},
        {"bad word", BASE "\"cu\": {\"issue_policy\": {\"value\": \"random\", " FROM "}}", "cu.issue_policy: is random",
         "expected one of \"round_robin\", \"every_cycle\""},
        {"word as number", BASE "\"cu\": {\"issue_policy\": {\"value\": 1, " FROM "}}", "cu.issue_policy: is a number",
         "expected one of"},
        {"bool as number", BASE "\"cu\": {\"lds_per_wgp\": {\"value\": 0, " FROM "}}", "cu.lds_per_wgp: is a number",
         "expected true or false"},
        {"unit on a bool", BASE "\"cu\": {\"lds_per_wgp\": {\"value\": false, \"unit\": \"bool\", " FROM "}}",
         "cu.lds_per_wgp: has a unit", "expected none"},
        {"chip no string", BASE "\"chip\": 7}", "chip: expected a string", "printable characters"},
        {"bad target", BASE "\"target\": \"gfx 90a\"}", "target: expected the name of a target", "gfx1201"},
        {"default no bool", BASE "\"default_for_target\": 1}", "default_for_target: is a number",
         "expected true or false"},
    };
    RUN(cases);
}

/* Values that contradict one another. The path is that of a value in the chain; the file is the profile's. */
static void contradictions(void **state)
{
    (void)state;
#define FIG(V, U) "{\"value\": " #V ", \"unit\": \"" U "\", " FROM
    static const struct bad cases[] = {
        {"granule", BASE "\"cu\": {\"vgpr_granule_w64\": " FIG(7, "registers") "}}",
         "cu.vgpr_granule_w64:", "divisor of cu.vgprs_per_simd_w64"},
        {"wave32 granule alone", BASE "\"cu\": {\"vgpr_granule_w32\": " FIG(8, "registers") "}}",
         "cu.vgpr_granule_w32:", "zero exactly when cu.vgprs_per_simd_w32 is zero"},
        {"unified and separate", BASE "\"cu\": {\"agprs_per_simd\": " FIG(256, "registers") "}}",
         "cu.agprs_per_simd:", "expected 0 with cu.vgpr_unified"},
        {"LDS granule", BASE "\"cu\": {\"lds_granule_bytes\": " FIG(1280, "bytes") "}}",
         "cu.lds_granule_bytes:", "divisor of cu.lds_bytes"},
        {"LDS of a workgroup", BASE "\"cu\": {\"lds_max_per_workgroup_bytes\": " FIG(65540, "bytes") "}}",
         "cu.lds_max_per_workgroup_bytes:", "no more than cu.lds_bytes"},
        {"banks", BASE "\"cu\": {\"lds_banks\": " FIG(48, "banks") "}}", "cu.lds_banks:", "power of two"},
        {"lanes", BASE "\"cu\": {\"simd_lanes\": " FIG(24, "lanes") "}}", "cu.simd_lanes:", "16 or 32"},
        {"ports", BASE "\"cu\": {\"simds_per_lds_port\": " FIG(3, "SIMDs") "}}",
         "cu.simds_per_lds_port:", "divisor of cu.simds"},
        {"stores that take for ever", BASE "\"cu\": {\"store_runs_per_cycle\": " FIG(1e-9, "runs/cycle") "}}",
         "cu.store_runs_per_cycle:", "expected 0 or at least 1/64"},
        {"slots", BASE "\"cu\": {\"wave_slots_per_simd\": " FIG(2, "waves") "}}", "cu.max_workgroup_items (given by",
         "no more than fill the wave slots"},
        {"line", BASE "\"cache\": {\"l2\": {\"line_bytes\": " FIG(96, "bytes") "}}}",
         "cache.l2.line_bytes:", "power of two"},
        {"interleave", BASE "\"cache\": {\"l2\": {\"channel_interleave_bytes\": " FIG(64, "bytes") "}}}",
         "cache.l2.channel_interleave_bytes:", "no less than line_bytes"},
        {"size", BASE "\"cache\": {\"l2\": {\"size_bytes\": " FIG(8388609, "bytes") "}}}",
         "cache.l2.size_bytes:", "multiple of line_bytes x ways x channels"},
        {"sets", BASE "\"cache\": {\"l2\": {\"size_bytes\": " FIG(6291456, "bytes") "}}}",
         "cache.l2.size_bytes:", "power of two"},
        {"hashed memory", BASE "\"dram\": {\"channels\": " FIG(24, "channels") "}}",
         "dram.channels:", "power of two, since channel_hash"},
        {"order of levels", BASE "\"cache\": {\"vl0\": {\"hit_latency_cycles\": " FIG(300, "cycles") "}}}",
         "cache.l2.hit_latency_cycles (given by gfx90a-mi210):", "more than the level above"},
        {"lines of the UTCL2", BASE "\"tlb\": {\"utcl2_entries\": " FIG(24, "entries") "}}",
         "tlb.utcl2_entries:", "multiple of tlb.utcl2_ways"},
        {"DRAM before L2", BASE "\"dram\": {\"latency_cycles\": " FIG(200, "cycles") "}}",
         "dram.latency_cycles:", "more than the last cache"},
        {"scalar cache", BASE "\"cache\": {\"k\": {\"hit_latency_cycles\": " FIG(300, "cycles") "}}}",
         "cache.k.hit_latency_cycles:", "less than cache.l2"},
        {"requests of a line and a half", BASE "\"cache\": {\"vl0\": {\"request_bytes\": " FIG(96, "bytes") "}}}",
         "cache.vl0.request_bytes:", "expected line_bytes or twice that"},
        {"shared by too many", BASE "\"cache\": {\"k\": {\"shared_by_cus\": " FIG(200, "CUs") "}}}",
         "cache.k.shared_by_cus:", "no more CUs than an XCD has"},
        {"dies", BASE "\"gpu\": {\"xcds\": " FIG(3, "dies") "}}",
         "gpu.cus (given by gfx90a-mi210):", "multiple of gpu.xcds"},
        {"dies too far apart", "{\"extends\": \"gfx942-mi300x\", \"fabric\": {\"hop_cycles\": " FIG(122, "cycles") "}}",
         "fabric.hop_cycles:", "the mean round trip over the fabric"},
        {"no die for an XCD", "{\"extends\": \"gfx942-mi300x\", \"fabric\": {\"xcds_per_iod\": " FIG(1, "dies") "}}",
         "fabric.xcds_per_iod:", "expected 0, or so many on each of the dies"},
        {"XCDs behind ports too narrow",
         "{\"extends\": \"gfx942-mi300x\", \"fabric\": {\"xcd_bytes_per_cycle\": " FIG(0.0005, "bytes/cycle") "}}",
         "fabric.xcd_bytes_per_cycle:", "expected 0 or at least 1/1024"},
        {"links too narrow",
         "{\"extends\": \"gfx942-mi300x\", \"fabric\": {\"link_bytes_per_cycle\": " FIG(0.0005, "bytes/cycle") "}}",
         "fabric.link_bytes_per_cycle:", "expected 0 or at least 1/1024"},
        {"too many dies", BASE "\"fabric\": {\"iod_rows\": " FIG(9, "dies") "}}", "fabric.iod_rows:", "from 1 to 8"},
        {"engines across dies", BASE "\"gpu\": {\"xcds\": " FIG(13, "dies") "}}",
         "gpu.shader_engines (given by gfx90a-mi210):", "multiple of gpu.xcds"},
        {"class of no wave32", BASE "\"class\": {\"valu\": {\"issue_cycles_w32\": " FIG(1, "cycles") "}}}",
         "class.valu.issue_cycles_w32:", "without wave32"},
        {"class without issue", BASE "\"class\": {\"valu\": {\"issue_cycles_w64\": " FIG(0, "cycles") "}}}",
         "class.valu.issue_cycles_w64:", "at least 1 cycle"},
        {"half a class", BASE "\"class\": {\"wmma\": {\"issue_cycles_w64\": " FIG(4, "cycles") "}}}",
         "class.wmma.latency_cycles:", "at least 1 cycle"},
        {"half a level", BASE "\"cache\": {\"mall\": {\"present\": {\"value\": true, " FROM "}}}",
         "cache.mall.size_bytes: missing", "expected capacity"},
        {"a level nobody has", BASE "\"cache\": {\"mall\": {\"ways\": " FIG(4, "ways") "}}}",
         "cache.mall.present: missing", "true or false"},
        {"no chip", "{\"extends\": \"gcn\"}", "chip: missing", "name of a chip"},
        {"no target", "{\"extends\": \"gcn\", \"chip\": \"x\"}", "target: missing", "target whose code"},
        {"incomplete", "{\"extends\": \"gfx8\", \"chip\": \"x\", \"target\": \"gfx803\"}", "gpu.cus: missing",
         "in CUs"},
    };
    RUN(cases);
}

static void syntax(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"nothing", "", "line 1, column 1: ", "expected a complete JSON object"},
        {"spaces", " \n ", "line 2, column 2: ", "expected"},
        {"truncated", "{\n \"extends\": \"gcn\",\n \"cu\": {", "line 3, column ", "expected a complete JSON object"},
        {"comma", "{\"extends\": \"gcn\",}", "line 1, column 19", "malformed JSON"},
        {"array", "[]", "the document is no JSON object", "expected {"},
        {"number", "17", "the document is no JSON object", "expected {"},
        {"string", "\"gfx1201\"", "the document is no JSON object", "expected {"},
        {"tail", "{\"extends\": \"gcn\"} {}", "line 1, column 20: text after the end", "expected nothing more"},
        {"base missing", "{\"extends\": \"gfx13\"}", "extends: no built-in profile \"gfx13\"", "expected the name"},
        {"base no string", "{\"extends\": 12}", "extends: not a plain name", "expected the name of a built-in"},
        {"base in a folder", "{\"extends\": \"../gcn\"}", "extends: not a plain name", "in the same folder"},
        {"base empty", "{\"extends\": \"\"}", "extends: not a plain name", "expected"},
        {"inherited as measured", BASE "\"inherited\": \"measured\"}", "inherited: ", "expected \"guess\""},
        {"inherited no word", BASE "\"inherited\": true}", "inherited: ", "expected \"guess\""},
        {"inherited from nothing", "{\"inherited\": \"guess\"}", "inherited: there is no base", "expected extends"},
        {"inherited in a group", BASE "\"cu\": {\"inherited\": \"guess\"}}", "cu.inherited: unknown key", "expected"},
        {"base is a file", "{\"extends\": \"gcn.json\"}", "extends: no built-in", "expected the name"},
    };
    struct err e = {0};
    struct profile *p;

    RUN(cases);
    assert_int_not_equal(profile_parse(&p, "{}\0{}", 5, "mine.json", &e), 0);
    assert_has(e.text, "mine.json: line 1, column 3: a NUL byte");
}

static void nesting(void **state)
{
    (void)state;
    enum { DEEP = 200000 };
    char *text = malloc(DEEP + 1);
    struct err e = {0};

    for (int kind = 0; kind < 2; kind++) {
        memset(text, kind ? '[' : '{', DEEP);
        text[DEEP] = 0;
        assert_has(parse_error(text, &e),
                   kind ? "line 1, column 9: brackets nest deeper than 8 levels" : "line 1, column 2: malformed JSON");
    }
    strcpy(text, "{\"cu\": ");
    for (int i = 0; i < 1000; i++)
        strcat(text, "{\"cu\": ");
    assert_has(parse_error(text, &e), "nest deeper");
    free(text);
    /* brackets in strings are no nesting */
    assert_has(parse_error("{\"about\": \"{{{{[[[[{{{{\\\"[[[[\"}", &e), "chip: missing");
}

/* Long and odd texts of the document do not spill over into messages. */
static void messages_are_clean(void **state)
{
    (void)state;
    char text[5000];
    struct err e = {0};

    memcpy(text, "{\"", 2);
    memset(text + 2, 'k', 4000);
    strcpy(text + 4002, "\": 1}");
    assert_has(parse_error(text, &e), "kkk...: unknown key; expected one of chip");
    parse_error("{\"a\\u001b\\u0007b\": 1}", &e);
    assert_has(e.text, "a??b: unknown key");
    for (const char *c = e.text; *c; c++)
        assert_true((unsigned char)*c >= 0x20);
}

/* ---- chains of files ---- */

static const char *put(const char *name, const char *text)
{
    static char path[200];

    snprintf(path, sizeof path, "%s/%s", program_folder(), name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static void drop(const char *name)
{
    char path[200];

    snprintf(path, sizeof path, "%s/%s", program_folder(), name);
    unlink(path);
}

static void file_error(const char *path, struct err *e, const char *a, const char *b)
{
    struct profile *p;

    err_clear(e);
    assert_int_not_equal(profile_load(&p, path, e), 0);
    assert_has(e->text, a);
    assert_has(e->text, b);
}

static void chain_of_files(void **state)
{
    (void)state;
    struct err e = {0};
    struct profile *p;
    char where[260];

    put("base.json", BASE "\"gpu\": {\"cus\": " FIG(8, "CUs") "}}");
    const char *mine =
        put("mine.json", "{\"extends\": \"base\", \"cu\": {\"wave_slots_per_simd\": " FIG(5, "waves") "}}");
    if (profile_load(&p, mine, &e))
        fail_msg("%s", e.text);
    assert_int_equal(p->gpu.cus, 8);
    assert_int_equal(p->cu.wave_slots_per_simd, 5);
    assert_int_equal(p->cu.simds, 4);
    assert_int_equal(p->file_count, 8); /* mine, base, gfx90a-mi210, gfx9-cdna2, gfx9-cdna, gfx9-vega20, gfx9, gcn */
    profile_free(p);

    /* ".json" means the file, though a built-in has the name */
    put("gcn.json", BASE "\"gpu\": {\"cus\": " FIG(16, "CUs") "}}");
    mine = put("mine.json", "{\"extends\": \"gcn.json\"}");
    assert_int_equal(profile_load(&p, mine, &e), 0);
    assert_int_equal(p->gpu.cus, 16);
    profile_free(p);

    /* an error in the base names the base */
    put("base.json", BASE "\"gpu\": {\"cuss\": 1}}");
    mine = put("mine.json", "{\"extends\": \"base.json\"}");
    snprintf(where, sizeof where, "%s/base.json: gpu.cuss: unknown key", program_folder());
    file_error(mine, &e, where, "expected one of");

    mine = put("mine.json", "{\"extends\": \"nobody\"}");
    snprintf(where, sizeof where, "%s/nobody.json", program_folder());
    file_error(mine, &e, "mine.json: extends: neither a built-in profile \"nobody\" nor a file", where);
    drop("mine.json");
    drop("base.json");
    drop("gcn.json");
}

static void cycles_and_long_chains(void **state)
{
    (void)state;
    struct err e = {0};
    char name[40], text[100];

    const char *self = put("self.json", "{\"extends\": \"self\"}");
    file_error(self, &e, "self.json: extends: a cycle that comes back to", "self.json; expected a chain with an end");
    put("a.json", "{\"extends\": \"b\"}");
    put("b.json", "{\"extends\": \"c.json\"}");
    const char *c = put("c.json", "{\"extends\": \"a\"}");
    file_error(c, &e, "b.json: extends: a cycle that comes back to", "c.json");
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof name, "n%d.json", i);
        snprintf(text, sizeof text, "{\"extends\": \"n%d\"}", i + 1);
        put(name, text);
    }
    file_error(put("n15.json", "{\"extends\": \"n0\"}"), &e, "n15.json: extends: more than 12 profiles in a chain",
               "n11.json");
    for (int i = 0; i <= 15; i++) {
        snprintf(name, sizeof name, "n%d.json", i);
        drop(name);
    }
    drop("self.json");
    drop("a.json");
    drop("b.json");
    drop("c.json");
}

static void odd_files(void **state)
{
    (void)state;
    struct err e = {0};
    char path[200];

    snprintf(path, sizeof path, "%s/pipe.json", program_folder());
    assert_int_equal(mkfifo(path, 0600), 0);
    file_error(path, &e, "pipe.json: cannot read profile: a pipe that nobody writes to",
               "expected"); /* without hanging */
    assert_int_equal(e.code, ERR_IO);
    drop("pipe.json");
    snprintf(path, sizeof path, "%s/", program_folder());
    file_error(path, &e, "a folder; expected a file", program_folder());
    snprintf(path, sizeof path, "%s/huge.json", program_folder());
    put("huge.json", "{");
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    file_error(path, &e, "huge.json: cannot read profile: 1048577 bytes", "at most 1048576");
    drop("huge.json");
    file_error(put("empty.json", ""), &e, "empty.json: line 1, column 1", "expected");
    drop("empty.json");
}

/* ---- damage ---- */

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Cuts, flips, copies and deletions in the built-ins: each is read or refused with a message, and what is read can
 * be printed and read back. */
static void mutations(void **state)
{
    (void)state;
    static const char interesting[] = "{}[]\",:.0-9e\\ntf";
    uint32_t seed = 1;
    unsigned refused = 0, read = 0;

    for (const struct profile_builtin *b = profile_builtins; b->name; b++) {
        size_t length;
        char *document = profile_text(b->name, &length), *text = malloc(length + 1);
        assert_non_null(document);
        for (int round = 0; round < 300; round++) {
            size_t size = length;
            memcpy(text, document, size + 1);
            for (unsigned n = 1 + next_random(&seed) % 3; n; n--) {
                size_t at = next_random(&seed) % size, len = next_random(&seed) % 40;
                switch (next_random(&seed) % 4) {
                case 0:
                    text[at] ^= (char)(1u << next_random(&seed) % 8);
                    break;
                case 1:
                    text[at] = interesting[next_random(&seed) % (sizeof interesting - 1)];
                    break;
                case 2:
                    if (at + len < size) {
                        memmove(text + at, text + at + len, size - at - len);
                        size -= len;
                    }
                    break;
                default:
                    size = at ? at : 1;
                }
            }
            struct err e = {0};
            struct profile *p;
            if (profile_parse(&p, text, size, "mutant", &e)) {
                assert_int_equal(e.code, ERR_FORMAT);
                assert_true(strlen(e.text) > 12);
                refused++;
                continue;
            }
            char *json;
            assert_int_equal(profile_print(p, PROFILE_JSON, &json, &e), 0);
            profile_free(p);
            if (profile_parse(&p, json, strlen(json), "again", &e))
                fail_msg("%s", e.text);
            profile_free(p);
            free(json);
            read++;
        }
        free(document);
        free(text);
    }
    assert_true(refused > 500);
    assert_true(read > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_is_accepted),
        cmocka_unit_test(keys),
        cmocka_unit_test(figures),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(syntax),
        cmocka_unit_test(nesting),
        cmocka_unit_test(messages_are_clean),
        cmocka_unit_test(chain_of_files),
        cmocka_unit_test(cycles_and_long_chains),
        cmocka_unit_test(odd_files),
        cmocka_unit_test(mutations),
    };
    return cmocka_run_group_tests_name("config/profile errors", tests, NULL, NULL);
}
