/* Words with the texts LLVM gives them, and words that are no instruction: one check for all formats. */
#ifndef GCNSIM_TESTS_UNIT_ISA_ENCODED_H
#define GCNSIM_TESTS_UNIT_ISA_ENCODED_H

#include "tests/unit/isa/harness.h"

struct encoded {
    const char *target;
    uint32_t words[3]; /* zeros after the instruction */
    const char *text;  /* not looked at where it is rejected */
};

static inline struct isa_target *open_target(const char *name)
{
    struct isa_target *t;
    struct err e = {0};

    if (isa_target_open(&t, name, NULL, &e))
        fail_msg("%s", e.text);
    return t;
}

static inline void expect_texts(const struct encoded *v, size_t count)
{
    for (; count--; v++) {
        struct isa_target *t = open_target(v->target);
        struct isa_inst i;
        const char *why = "";
        char text[300];
        if (!isa_decode(t, (const uint8_t *)v->words, sizeof v->words, &i, &why))
            fail_msg("%s: %s: %s", v->target, v->text, why);
        isa_text(t, &i, text, sizeof text);
        assert_string_equal(text, v->text);
        unsigned bytes = i.size_bytes;
        for (unsigned k = bytes / 4; k < 3; k++)
            assert_int_equal(v->words[k], 0);
        /* cut short it is no instruction */
        assert_int_equal(isa_decode(t, (const uint8_t *)v->words, bytes - 1, &i, &why), 0);
        isa_target_close(t);
    }
}

static inline void expect_rejected(const struct encoded *v, size_t count)
{
    for (; count--; v++) {
        struct isa_target *t = open_target(v->target);
        struct isa_inst i;
        char text[300];
        if (isa_decode(t, (const uint8_t *)v->words, sizeof v->words, &i, NULL)) {
            isa_text(t, &i, text, sizeof text);
            fail_msg("%s 0x%08x: %s", v->target, v->words[0], text);
        }
        isa_target_close(t);
    }
}

#endif
