/* Any bytes through the decoder, the disassembler and the register and wait sets of every target.
 *
 * The first byte picks the target; the rest is code. The bytes are handed over in a block of exactly their size, so
 * that a read past the end is seen.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct isa_target *target_at(unsigned i)
{
    static struct isa_target *open[32];
    static unsigned count;

    while (isa_target_name(count)) {
        struct err e = {0};
        if (isa_target_open(&open[count], isa_target_name(count), NULL, &e))
            abort();
        count++;
    }
    return open[i % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    uint8_t waits[WAIT_COUNT];
    char text[512];

    if (size < 2)
        return 0;
    const struct isa_target *t = target_at(data[0]);
    uint8_t *code = malloc(size - 1);
    if (!code)
        return 0;
    memcpy(code, data + 1, size - 1);
    for (size_t at = 0; at < size - 1;) {
        struct isa_inst i;
        const char *why = NULL;
        unsigned n = isa_decode(t, code + at, size - 1 - at, &i, &why);
        assert(n <= size - 1 - at && n % 4 == 0);
        assert((n == 0) == (i.row == NULL));
        assert(n || why);
        size_t len = isa_text(t, &i, text, sizeof text);
        assert(len < sizeof text && strlen(text) == len);
        /* a short buffer is filled, never overrun, and the needed length is the same */
        char small[8];
        assert(isa_text(t, &i, small, sizeof small) == len && strlen(small) < sizeof small);
        if (n) {
            for (unsigned lanes = 32; lanes <= 64; lanes += 32)
                assert(isa_inst_regs(t, &i, lanes, refs) <= ISA_MAX_REGREFS);
            isa_inst_waits(t, &i, waits);
            isa_inst_counters(t, &i);
        }
        at += n ? n : 4;
    }
    free(code);
    return 0;
}
